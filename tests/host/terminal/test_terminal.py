"""The panel in a terminal, played by keys and by mouse in virtual time.

`make pictures` draws the picture of the site again.
"""

import asyncio
import contextlib
import itertools
import re
import textwrap
from pathlib import Path

import pytest
from rich.text import Text
from textual.app import App

from nimatron import bouton, games, opponent, states
from nimatron.devices import pins
from nimatron_host.terminal import textual_app, widgets
from nimatron_host.terminal.textual_app import TerminalPanel
from nimatron_host.terminal.tip import Tip
from nimatron_host.terminal.widgets import PanelButton, Sounder
from nimatron_play import words
from nimatron_play.hands import Hands
from nimatron_play.panel_view import PanelView
from nimatron_sim.errors import UserError
from nimatron_sim.simulated_pico import SimulatedPico

PICTURE = Path(__file__).parents[3] / "docs" / "pictures" / "panel.svg"
MARK = widgets._MARK
ROOMY, COMPACT = (80, 24), (60, 20)


class VirtualSession:
    """A Pico in virtual time, which passes only with an action."""

    def __init__(self, record, failed):
        self.pico = SimulatedPico(record=record)
        self.failed = failed
        self.hands = []  # the presses and releases
        self.running = False

    def start(self):
        self.running = True
        self.pico.settle()

    def stop(self):
        self.running = False

    def order(self, verb, what):
        for one in ("press", "release") if verb == "tap" else (verb,):
            if one != "send":
                self.hands.append((one, what))
            getattr(self.pico, one)(what)
            self.pico.run(1 if one == "send" else 100)


class Visit:
    """A panel, the pilot who uses it, and the Pico behind it."""

    def __init__(self, panel, pilot, session):
        self.panel = panel
        self.pilot = pilot
        self.session = session
        self.pico = session.pico

    @property
    def screen(self):
        """The terminal's screen, as text."""
        strips = self.panel.screen._compositor.render_strips()
        return "\n".join(strip.text for strip in strips)

    async def press(self, *keys):
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def type(self, text):
        await self.press(*["space" if key == " " else key for key in text], "enter")

    async def click(self, button):
        assert await self.pilot.click(f"#{button}")

    async def wait(self, ms):
        self.pico.run(ms)
        await self.pilot.pause()

    async def settle(self):
        self.pico.settle()
        await self.pilot.pause()


@contextlib.asynccontextmanager
async def visiting(size=ROOMY, lines=(), language=words.PLAIN):
    """Open a panel, and yield a Visit."""
    sessions = []

    def connect(record, failed):
        sessions.append(VirtualSession(record, failed))
        return sessions[0]

    panel = TerminalPanel(connect, list(lines), words.table(language))
    async with panel.run_test(size=size) as pilot:
        await pilot.pause()
        yield Visit(panel, pilot, sessions[0])
    assert not sessions[0].running
    sessions[0].pico.power_off()  # a running CPU is never garbage-collected, nor is its panel


@pytest.fixture
def panel(opened):
    """Return the coroutine function panel(size, lines), for a Visit until the end of the test."""
    return lambda *args, **options: opened.enter_async_context(visiting(*args, **options))


def visit(story, **options):
    """Run the coroutine function `story` on a Visit. Return the panel that it has left."""

    async def run():
        async with visiting(**options) as visitor:
            await story(visitor)
        return visitor.panel

    return asyncio.run(run())


# ---------------------------------------------------------------------- playing


async def test_a_whole_game_by_keys(panel):
    visitor = await panel(lines=["new 3 4 5"])
    while visitor.pico.state == "player":
        row, take = bouton.winning_moves(visitor.pico.rows)[0]
        for _ in range(take):
            await visitor.press(str(row + 1))
        assert f"You have switched off {take} lamp" in visitor.screen
        await visitor.press("enter")
        if any(visitor.pico.rows):
            await visitor.pilot.pause()
            assert "I am thinking." in visitor.screen
            visitor.pico.run_until(lambda: visitor.pico.state == "machine")
            await visitor.pilot.pause()
            assert "▶ MACHINE'S MOVE ◀" in visitor.screen
        visitor.pico.run_until(lambda: visitor.pico.state in ("player", "verdict"))
        await visitor.pilot.pause()
    await visitor.wait(500)
    assert "▶ YOU WIN ◀" in visitor.screen
    assert "I switched off the last lamp. You win!" in visitor.screen
    assert "You've won a medal!" in visitor.screen
    assert "◉" in visitor.screen


async def test_a_newcomer_is_led_from_attract_to_a_turn(panel):
    visitor = await panel()
    assert "Press any button to begin." in visitor.screen
    await visitor.press("space")
    assert "NEW for another start" in visitor.screen
    first = visitor.pico.rows
    await visitor.press("n")
    assert visitor.pico.rows != first
    await visitor.press("enter")
    assert "▶ YOUR MOVE ◀" in visitor.screen
    assert "♪" in visitor.screen


@pytest.mark.parametrize(("size", "lit", "dark"), [(ROOMY, "▐███▌", "│   │"), (COMPACT, "●", "○")])
async def test_lit_and_dark_lamps_have_different_shapes(size, lit, dark, panel):
    visitor = await panel(size, ["new 3 4 5"])
    rows = [line for line in visitor.screen.split("\n") if lit in line]
    assert [row.count(lit) for row in rows] == [3, 4, 5]
    assert rows[0].index(lit) < rows[0].index(dark)


async def test_a_line_that_is_refused_at_the_start_is_told(panel):
    visitor = await panel(lines=["seed 5", "dance"])
    messages = [notice.message for notice in visitor.panel._notifications]
    assert len(messages) == 1
    assert messages[0].startswith("there is no command dance:")


# ---------------------------------------------------------------------- lamps by mouse


async def touch(visitor, row, lamp):
    """Click on a lamp, both counted from 1."""
    large = visitor.panel.size.width >= ROOMY[0]
    wide, high = widgets._PITCH if large else widgets._SMALL_PITCH
    at = lamp * wide, row * high - 1  # the last cell of the lamp
    assert await visitor.pilot.click("#lamps", offset=at)
    await visitor.wait(100)


def picked(visitor):
    """Return the number of lamps that look picked on the screen."""
    return visitor.screen.count(widgets._PICKED)


@pytest.mark.parametrize("size", [ROOMY, COMPACT])
async def test_a_touched_lamp_goes_out_with_those_to_its_right(size, panel):
    visitor = await panel(size, ["new 3 4 5"])
    await touch(visitor, 3, 4)
    assert visitor.pico.rows == (3, 4, 3, 0) and picked(visitor) == 2
    assert "You have switched off 2 lamps in row 3." in visitor.screen
    await touch(visitor, 1, 1)
    assert visitor.pico.rows == (0, 4, 5, 0) and picked(visitor) == 3
    await touch(visitor, 1, 2)
    assert visitor.pico.rows == (2, 4, 5, 0) and picked(visitor) == 1
    await touch(visitor, 4, 7)
    assert visitor.pico.rows == (2, 4, 5, 0)
    await visitor.press("enter")
    await visitor.settle()
    assert picked(visitor) == 0
    assert visitor.session.hands == [("press", "go"), ("release", "go")]


async def test_where_single_lamps_are_chosen_the_touched_one_goes_out(panel):
    visitor = await panel(lines=["game kayles", "new 1111111/1111111/0000000/0000000"])
    await touch(visitor, 1, 4)
    await touch(visitor, 1, 5)
    assert visitor.pico.lamps[0] == 0b1100111
    await visitor.press("c")
    assert "pick rows=1110011/1111111" in visitor.screen
    assert "> pick" not in visitor.screen and visitor.screen.count("ok game=") == 2


async def test_a_lamp_that_is_touched_in_a_show_begins_a_match(panel):
    visitor = await panel()
    await touch(visitor, 2, 2)
    assert visitor.pico.state == "opening"


# ---------------------------------------------------------------------- hands


async def test_a_button_comes_up_when_the_mouse_has_slid_off(panel):
    visitor = await panel()
    row = visitor.panel.query_one("#row2")
    await visitor.pilot.mouse_down("#row2")
    assert visitor.session.hands == [("press", "row2")] and row.has_class("-down")
    await visitor.pilot.hover("#go")  # moves with no button down
    assert visitor.session.hands == [("press", "row2"), ("release", "row2")]
    assert not row.has_class("-down")
    await visitor.pilot.mouse_down("#row2")
    await visitor.pilot.mouse_up("#caption")
    assert visitor.session.hands[2:] == [("press", "row2"), ("release", "row2")]
    await visitor.click("go")
    assert visitor.session.hands[4:] == [("press", "go"), ("release", "go")]


async def test_a_key_makes_its_button_flash(monkeypatch, panel):
    monkeypatch.setattr(widgets, "_LINGER_S", 600)

    visitor = await panel()
    await visitor.pilot.press("3")
    assert visitor.panel.query_one("#row3").has_class("-down")


@pytest.mark.parametrize(("taps", "most"), [(3, 4), (1000, 5)])
def test_quick_taps_follow_one_another_and_a_flood_delays_no_later_tap(taps, most):
    pico = SimulatedPico()
    pico.start(7, 7)
    hands = Hands(pico)
    for _ in range(taps):
        hands.tap("row2")
    pico.run(5000)
    assert pico.rows[1] <= most
    hands.tap("row1")
    pico.run(500)
    assert pico.rows == (6, 7, 0, 0)


# ---------------------------------------------------------------------- the page's words


def plain(screen):
    """Return the text of a screen, without frames and line ends."""
    return " ".join(re.sub("[^\\w\\s.,;:'%()-]", " ", screen).split())


def named(game):
    """Return the beginning of a sentence about a game."""
    table = words.table(words.PLAIN)
    return words.say(widgets.game_named(game, table), table)


async def test_the_name_the_goal_and_the_level_are_in_sight(panel):
    visitor = await panel(lines=["new 3 4 5"])
    for line, name, goal, level in (
        ("game wythoff", "wythoff", "Switch off the last lamp and you lose", "perfect"),
        ("rule normal", "wythoff", "Switch off the last lamp and you win", "perfect"),
        ("level easy", "wythoff", "Switch off the last lamp and you win", "easy"),
    ):
        visitor.session.order("send", line)
        visitor.session.order("send", "new")
        await visitor.settle()
        assert f"{named(name)} {goal}." in visitor.screen
        assert f"Level: {level}" in visitor.screen


@pytest.mark.parametrize(
    ("environ", "code"),
    [
        ({}, "en"),
        ({"LANG": "C"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "es"}, "es"),
        ({"LANG": "es_ES.UTF-8"}, "es"),
        ({"LANG": "ES_ES@euro"}, "es"),
        ({"LANG": "en_US.UTF-8", "LC_ALL": "es_MX.UTF-8"}, "es"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "es_MX.UTF-8"}, "es"),
        ({"LANG": "es_ES.UTF-8", "LC_ALL": "POSIX"}, "en"),
        ({"LANG": "es_ES.UTF-8", "LC_ALL": ""}, "es"),
        ({"LANG": "tlh_AA.UTF-8"}, "en"),
    ],
)
def test_the_language_is_that_of_the_environment(environ, code):
    assert words.spoken(environ) == code


def test_every_word_of_the_terminal_is_in_the_table():
    code = "".join(path.read_text() for path in Path(textual_app.__file__).parent.glob("*.py"))
    named = set(re.findall("""['"]((?:term|ui|sign)\\.[a-z.-]+)['"]""", code))
    for start, ends in (
        ("term.level", opponent.NAMES),
        ("term.choose", ("game", "level")),
        ("sign", [name for name, _ in pins.LEGENDS]),
    ):
        named |= {f"{start}.{end}" for end in ends}
    table = words.tables()[words.PLAIN]
    assert len(named) > 50 and named <= set(table)
    assert {key for key in table if key.startswith("term.")} <= named


# ---------------------------------------------------------------------- several people


async def test_people_play_each_other_without_the_machine(panel):
    visitor = await panel(lines=["set players 2", "new 3 4 5"])
    assert "2 players, one after the other" in visitor.screen
    assert "YOUR MOVE" in visitor.screen and "YOU WIN" in visitor.screen
    assert "MACHINE" not in visitor.screen
    assert "Player 1, it's your move." in visitor.screen
    await visitor.press("h")
    assert "The 2 players take turns." in visitor.screen
    assert "You and the machine" not in visitor.screen
    assert "you get a medal" not in plain(visitor.screen)


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["new 1 4 5"], "No move wins from here."),
        (["set players 3", "new 3 4 5"], "With three players or more, no winning move is known."),
    ],
)
async def test_a_tip_says_when_it_marks_nothing(panel, lines, said):
    visitor = await panel(lines=lines)
    await visitor.press("t")
    assert said in plain(visitor.screen)
    assert MARK not in visitor.screen


# ---------------------------------------------------------------------- tips


@pytest.mark.parametrize(("size", "marked"), [(ROOMY, f"▐█{MARK}█▌"), (COMPACT, f"{MARK}●")])
async def test_a_tip_marks_the_lamps_of_a_winning_move(size, marked, panel):
    visitor = await panel(size, ["new 3 4 5"])
    assert MARK not in visitor.screen
    await visitor.press("t")
    assert f"The lamps marked {MARK} are a winning move." in visitor.screen
    rows = [line for line in visitor.screen.split("\n") if marked in line]
    assert len(rows) == 1 and rows[0].count(MARK) == 2
    await visitor.press("1")
    rows = [line for line in visitor.screen.split("\n") if marked in line]
    assert len(rows) == 1 and rows[0].count(MARK) == 1
    await visitor.press("t")
    assert MARK not in visitor.screen
    await visitor.press("t", "1", "enter")
    assert MARK not in visitor.screen and visitor.pico.rows == (1, 4, 5, 0)
    await visitor.press("t")
    (notice,) = visitor.panel._notifications
    assert notice.message == "You get tips only on your own turn."
    await visitor.settle()
    assert MARK not in visitor.screen


@pytest.mark.parametrize("name", games.names())
def test_a_tip_fits_into_the_caption(name):
    view = PanelView()
    view.game, view.rule, view.state = games.find(name), "misere", states.PLAYER
    view.position = view.game.placed_on_panel(view.game.openings[0])
    for view.players, table in itertools.product((1, 3), words.tables().values()):
        text = words.say(Tip(view).said, table)
        assert len(textwrap.wrap(text, 74)) <= 3
        assert len(textwrap.wrap(text, 58)) <= 4


async def test_a_tip_at_the_opening_is_for_the_opening_that_is_shown(panel):
    visitor = await panel()
    await visitor.press("space", "t")
    assert MARK in visitor.screen
    await visitor.press("n")
    assert MARK not in visitor.screen


# ---------------------------------------------------------------------- games and levels


async def test_a_game_is_chosen_by_name(panel):
    visitor = await panel(lines=["new 3 4 5"])
    await visitor.press("g")
    assert "Choose a game" in visitor.screen
    assert f"{named('kayles')} Switch off one lamp, or two neighbours" in visitor.screen
    at = games.names().index("kayles")
    await visitor.press(*["down"] * at, "enter")
    await visitor.settle()
    assert f"{named('kayles')} Switch off the last lamp and you lose." in visitor.screen
    assert visitor.pico.state == "opening"
    await visitor.press("g")
    options = visitor.panel.screen.query_one("OptionList")
    assert options.highlighted == at
    await visitor.press("escape")
    assert "Choose a game" not in visitor.screen and visitor.pico.state == "opening"
    assert visitor.session.hands == []
    visitor.pico.run_until(lambda: visitor.pico.state == "attract")
    await visitor.settle()
    assert f"{named('nim')} Switch off" in visitor.screen  # it was for the visit


async def test_a_level_is_chosen_by_name(panel):
    visitor = await panel(lines=["new 3 4 5"])
    await visitor.press("l")
    assert "perfect: I never make a mistake." in visitor.screen
    assert "fair: I make a mistake in 25 % of my moves." in visitor.screen
    assert "equalizer: I make one mistake in each match." in visitor.screen
    await visitor.press("down", "down", "enter")
    await visitor.settle()
    assert "Level: fair" in visitor.screen
    assert visitor.pico.state == "opening"


# ---------------------------------------------------------------------- console, help, quitting


async def test_the_console_pane_answers(panel):
    visitor = await panel(lines=["new 3 4 5"])
    await visitor.press("c")
    assert "Serial console" in visitor.screen
    await visitor.type("hint")
    assert "> hint" in visitor.screen
    assert "ok outcome=N row=1 take=2" in visitor.screen
    await visitor.type("nonsense")
    assert "error reason=unknown-command got=nonsense" in visitor.screen
    assert visitor.session.hands == []  # no letter of them was a button
    await visitor.press("up", "up")
    assert visitor.panel.focused.value == "hint"
    await visitor.press("down", "down")
    assert visitor.panel.focused.value == ""
    await visitor.press("escape")
    assert "Serial console" not in visitor.screen
    await visitor.press("1")
    assert visitor.session.hands == [("press", "row1"), ("release", "row1")]


async def test_help_opens_and_any_key_closes_it(panel):
    visitor = await panel()
    for key in ("question_mark", "h"):
        await visitor.press(key)
        assert "How to play" in visitor.screen
        assert "Press any key to go back." in visitor.screen
        assert "If you beat me, you get a medal." in plain(visitor.screen)
        await visitor.press("q")
        assert "How to play" not in visitor.screen
        assert not visitor.panel._exit
    await visitor.pilot.mouse_down("#row2")
    await visitor.press("h")  # over the held button
    assert visitor.session.hands == [("press", "row2"), ("release", "row2")]


@pytest.mark.sampled("a second each")
@pytest.mark.parametrize("keys", [["q"], ["ctrl+q"], ["ctrl+c"], ["c", "ctrl+c"], ["h", "ctrl+q"]])
def test_quitting(keys):
    async def story(visitor):
        await visitor.press(*keys)

    panel = visit(story)
    assert panel._exit
    assert panel.return_code == 0
    assert panel.failure is None


def test_a_pico_that_fails_ends_the_panel():
    async def story(visitor):
        visitor.session.failed(RuntimeError("GP13 is in use"))
        await visitor.pilot.pause()

    panel = visit(story)
    assert panel.return_code == 1
    assert str(panel.failure) == "GP13 is in use"


def test_play_says_in_one_line_why_the_pico_has_failed(monkeypatch):
    def broken(record):
        raise RuntimeError("GP13 is in use\n  twice")

    monkeypatch.setattr(TerminalPanel, "run", lambda panel: App.run(panel, headless=True))
    with pytest.raises(UserError) as why:
        textual_app.play([], broken)
    assert str(why.value) == "the Pico has stopped: RuntimeError: GP13 is in use twice"


# ---------------------------------------------------------------------- room


@pytest.mark.parametrize(
    ("size", "console"),
    [
        *(((60, 14), False), ((200, 60), True), ((80, 20), False), ((79, 40), True)),
        *itertools.product((ROOMY, COMPACT), (True, False)),
    ],
)
async def test_nothing_is_cut(size, console, panel):
    visitor = await panel(size, ["new 3 4 5"])
    if console:
        await visitor.press("c")
    screen = visitor.panel.screen
    shown = [widget for widget in screen.query("*") if widget.display and widget.region.area]
    assert {"lamps", "row4", "go", "token", "caption", "keys"} <= {w.id for w in shown}
    for widget in shown:
        if widget.id == "said" or widget.parent.id == "too-small":
            continue  # the console's past scrolls
        visible = screen.find_widget(widget).visible_region
        assert visible == widget.region, widget
    assert "YOU WIN" in visitor.screen
    assert "MACHINE WINS" in visitor.screen
    assert "q quit" in visitor.screen
    words = " ".join(visitor.screen.replace("▐", " ").replace("▌", " ").split())
    assert "Switch off as many lamps as you like, all in one row. Then press GO." in words


async def test_the_help_page_scrolls_where_it_does_not_fit(panel):
    visitor = await panel(COMPACT)
    await visitor.press("h")
    assert "key to go back" not in visitor.screen
    await visitor.press("pagedown", "pagedown")
    await visitor.pilot.wait_for_scheduled_animations()
    assert "key to go back" in plain(visitor.screen)


WORDY = {
    "sign.your-move": "Du bist dran",
    "sign.machine-move": "Maschine am Zug",
    "sign.you-win": "Du gewinnst",
    "sign.machine-wins": "Maschine gewinnt",
}


@pytest.mark.parametrize(
    ("language", "size"),
    [*((code, ROOMY) for code in [*words.codes(), "wordy"]), ("wordy", (60, 14))],
)
async def test_the_signs_fit_in_every_language(monkeypatch, language, size, panel):
    table = words.table(words.PLAIN if language == "wordy" else language)
    table |= WORDY if language == "wordy" else {}
    monkeypatch.setattr(words, "table", lambda _: table)

    visitor = await panel(size, ["new 3 4 5"])
    screen = visitor.panel.screen
    signs = [sign for sign in screen.query("Sign") if sign.display]
    assert signs[0].id == "your-move" and len(signs) in (1, 4)
    assert len(signs) == 4 or size[0] == 60
    for sign in [*signs, screen.query_one("#keys")]:
        assert screen.find_widget(sign).visible_region == sign.region
        assert len(Text.from_markup(str(sign.content)).plain) <= sign.region.width
    assert table["sign.your-move"].upper() in visitor.screen
    assert f"q {table['term.key.quit']}" in visitor.screen


def test_the_bottom_line_names_as_many_keys_as_fit():
    shown = {}

    async def story(visitor):
        for columns in (60, 80, 100):
            await visitor.pilot.resize_terminal(columns, 24)
            shown[columns] = visitor.screen.split("\n")[-1].split()

    visit(story)
    assert {"tip", "help", "quit"} <= set(shown[60]) and "console" not in shown[60]
    assert "console" in shown[80] and shown[80] == shown[100]


async def test_a_terminal_too_small_says_what_it_needs(panel):
    visitor = await panel(lines=["new 3 4 5"])
    await visitor.pilot.resize_terminal(59, 20)
    assert "needs a terminal of at least 60 x 14" in visitor.screen
    await visitor.pilot.resize_terminal(60, 14)
    assert "needs a terminal" not in visitor.screen
    await visitor.pilot.resize_terminal(80, 13)
    assert "needs a terminal of at least 60 x 14" in visitor.screen
    await visitor.pilot.resize_terminal(80, 24)
    assert "▐███▌" in visitor.screen


# ---------------------------------------------------------------------- the picture


def picture():
    """Return the panel in the middle of a match, as SVG."""
    drawn = []

    async def story(visitor):
        await visitor.press("4", "enter")
        await visitor.settle()
        await visitor.press("3", "3")
        for button in visitor.panel.query(PanelButton):
            button.remove_class("-down")
        await visitor.wait(60)  # until it is silent
        visitor.panel.query_one(Sounder)._hush()  # which lingers, in real time
        drawn.append(visitor.panel.export_screenshot(title="nimatron play"))

    visit(story, lines=["seed 5", "new 3 4 7 6"])
    svg = re.sub(r"@font-face \{.*?\}|<!--.*?-->", "", drawn[0], flags=re.DOTALL)
    svg = svg.replace("Fira Code", "Menlo, Consolas, DejaVu Sans Mono")
    svg = svg.replace("font-size: 20px", "font-size: 21px")  # blocks of two lines touch
    return "\n".join(line.rstrip() for line in svg.split("\n") if line.strip()) + "\n"


def text_of(svg):
    return re.findall(r">([^<>]+)</text>", svg)


def test_the_picture_is_the_panel_of_today():
    assert text_of(PICTURE.read_text(encoding="utf-8")) == text_of(picture())


def test_the_picture_needs_nobody_else():
    hosts = set(re.findall(r"https?://[^\"'/ ]+", PICTURE.read_text(encoding="utf-8")))
    assert hosts <= {"http://www.w3.org"}
