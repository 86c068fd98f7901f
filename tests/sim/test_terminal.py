"""The panel in a terminal, played by keys and by mouse in virtual time.

`python tests/sim/test_terminal.py > docs/panel.svg` draws the picture of the README anew.
"""

import asyncio
import queue
import re
import sys
from pathlib import Path

import pytest
from textual.app import App

from nimatron import bouton
from nimatron_sim.errors import UserError
from nimatron_sim.simulated.pico import SimulatedPico
from nimatron_sim.ui.live import Live
from nimatron_sim.ui.terminal import panel
from nimatron_sim.ui.terminal.cabinet import PanelButton
from nimatron_sim.ui.terminal.panel import TerminalPanel

PICTURE = Path(__file__).parents[2] / "docs" / "panel.svg"
ROOMY, COMPACT = (80, 24), (60, 20)
KEYS = {"go": "enter", "new": "n", "row1": "1", "row2": "2", "row3": "3", "row4": "4"}


class VirtualSession:
    """A Pico in virtual time: it moves only when somebody does something."""

    def __init__(self, record, failed):
        self.pico = SimulatedPico(record=record)
        self.failed = failed
        self.hands = []  # what has been pressed and released
        self.running = False

    def start(self):
        self.running = True
        self.pico.settle()

    def stop(self):
        self.running = False

    def press(self, button):
        self.hands.append(("press", button))
        self.pico.press(button)
        self.pico.run(100)

    def release(self, button):
        self.hands.append(("release", button))
        self.pico.release(button)
        self.pico.run(100)

    def tap(self, button):
        self.press(button)
        self.release(button)

    def send(self, line):
        self.pico.send(line)
        self.pico.run(1)


class Visit:
    """A panel, the pilot who uses it, and the Pico behind it."""

    def __init__(self, panel, pilot, session):
        self.panel = panel
        self.pilot = pilot
        self.session = session
        self.pico = session.pico

    @property
    def screen(self):
        """What the terminal shows, as text."""
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


def visit(story, size=ROOMY, lines=()):
    """Run the coroutine function `story` on a Visit; returns the panel it has left."""

    async def run():
        sessions = []

        def connect(record, failed):
            sessions.append(VirtualSession(record, failed))
            return sessions[0]

        panel = TerminalPanel(connect, list(lines))
        async with panel.run_test(size=size) as pilot:
            await pilot.pause()
            await story(Visit(panel, pilot, sessions[0]))
        assert not sessions[0].running
        return panel

    return asyncio.run(run())


# ---------------------------------------------------------------------- playing


async def win(visitor, push):
    """Play perfectly; push(button) is a coroutine function."""
    while visitor.pico.state == "player":
        row, take = bouton.winning_moves(visitor.pico.rows)[0]
        for _ in range(take):
            await push(f"row{row + 1}")
        assert f"You have put out {take} lamp" in visitor.screen
        await push("go")
        if any(visitor.pico.rows):
            await visitor.pilot.pause()
            assert "The machine is thinking." in visitor.screen
            visitor.pico.run_until(lambda: visitor.pico.state == "machine")
            await visitor.pilot.pause()
            assert "▶ MACHINE'S MOVE ◀" in visitor.screen
        visitor.pico.run_until(lambda: visitor.pico.state in ("player", "verdict"))
        await visitor.pilot.pause()
    await visitor.wait(500)
    assert "▶ YOU WIN ◀" in visitor.screen
    assert "The machine put out the last lamp. You win!" in visitor.screen
    assert "You've earned a token!" in visitor.screen
    assert "◉" in visitor.screen


def test_a_whole_game_by_keys():
    async def story(visitor):
        async def push(button):
            await visitor.press(KEYS[button])

        await win(visitor, push)

    visit(story, lines=["new 3 4 5"])


def test_a_whole_game_by_mouse():
    async def story(visitor):
        await win(visitor, visitor.click)

    visit(story, lines=["new 3 4 5"])


def test_a_newcomer_is_led_from_attract_to_a_turn():
    async def story(visitor):
        assert "Press any button to begin." in visitor.screen
        await visitor.press("space")
        assert "NEW for another start" in visitor.screen
        first = visitor.pico.rows
        await visitor.press("n")
        assert visitor.pico.rows != first
        await visitor.press("enter")
        assert "▶ YOUR MOVE ◀" in visitor.screen
        assert "♪" in visitor.screen

    visit(story)


@pytest.mark.parametrize(("size", "lit", "dark"), [(ROOMY, "▐███▌", "│   │"), (COMPACT, "●", "○")])
def test_lit_and_dark_lamps_have_different_shapes(size, lit, dark):
    async def story(visitor):
        rows = [line for line in visitor.screen.split("\n") if lit in line]
        assert [row.count(lit) for row in rows] == [3, 4, 5]
        assert rows[0].index(lit) < rows[0].index(dark)

    visit(story, size, ["new 3 4 5"])


def test_the_rule_on_the_sign_is_the_rule_of_the_match():
    async def story(visitor):
        assert "Whoever puts out the last lamp wins." in visitor.screen
        visitor.session.send("rule misere")
        await visitor.settle()
        assert "Whoever puts out the last lamp wins." in visitor.screen
        visitor.session.send("new 1 2")
        await visitor.settle()
        assert "Whoever puts out the last lamp loses." in visitor.screen

    visit(story, lines=["rule normal", "new 3 4 5"])


def test_a_line_that_is_refused_at_the_start_is_told():
    async def story(visitor):
        messages = [notice.message for notice in visitor.panel._notifications]
        assert len(messages) == 1
        assert messages[0].startswith("there is no command dance;")

    visit(story, lines=["seed 5", "dance"])


# ---------------------------------------------------------------------- hands


def test_a_button_is_down_while_the_mouse_is():
    async def story(visitor):
        await visitor.pilot.mouse_down("#row2")
        assert visitor.session.hands == [("press", "row2")]
        assert visitor.panel.query_one("#row2").has_class("-down")
        await visitor.pilot.mouse_up("#row2")
        assert visitor.session.hands == [("press", "row2"), ("release", "row2")]
        assert not visitor.panel.query_one("#row2").has_class("-down")

    visit(story)


def test_a_button_comes_up_when_the_mouse_has_slid_off():
    async def story(visitor):
        await visitor.pilot.mouse_down("#row2")
        await visitor.pilot.hover("#go")  # moves with no button down: it was lifted elsewhere
        assert visitor.session.hands == [("press", "row2"), ("release", "row2")]
        await visitor.pilot.mouse_down("#row2")
        await visitor.pilot.mouse_up("#caption")
        assert visitor.session.hands[2:] == [("press", "row2"), ("release", "row2")]
        await visitor.click("go")
        assert visitor.session.hands[4:] == [("press", "go"), ("release", "go")]

    visit(story)


def test_help_over_a_held_button_lets_it_go():
    async def story(visitor):
        await visitor.pilot.mouse_down("#row2")
        await visitor.press("h")
        assert visitor.session.hands == [("press", "row2"), ("release", "row2")]

    visit(story)


def test_a_key_makes_its_button_flash():
    async def story(visitor):
        await visitor.pilot.press("3")
        assert visitor.panel.query_one("#row3").has_class("-down")

    visit(story)


def test_quick_taps_follow_one_another():
    lamps = queue.SimpleQueue()

    def record(change):
        if "lamps" in change:
            lamps.put(change["lamps"])
        elif change.get("console", "").startswith("event state="):
            lamps.put(change["console"])

    def until(wanted):
        while lamps.get(timeout=10) != wanted:
            pass

    live = Live(lambda record: SimulatedPico(record=record), record, lamps.put)
    live.start()
    try:
        until("event state=attract")
        for _ in range(2):  # a picture or two later the contacts have been looked at
            lamps.get(timeout=10)
        live.send("new 7 7")
        until("event state=player")
        for button in ("row1", "row2", "row2", "row2"):
            live.tap(button)
        until([0b0111111, 0b1111111, 0, 0])
        until([0b1111111, 0b0001111, 0, 0])
    finally:
        live.stop()


def test_of_a_flood_of_taps_most_are_dropped():
    pico = SimulatedPico()
    pico.start(7, 7)
    live = Live(None, None, None)
    for _ in range(1000):
        live._tap(pico, "row1", 80)
    pico.run(5000)
    assert 1 < sum(record.get("sound") == 880 for record in pico.trace) < 10


# ---------------------------------------------------------------------- console, help, quitting


def test_the_console_pane_answers():
    async def story(visitor):
        await visitor.press("c")
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
        assert "serial console" not in visitor.screen
        await visitor.press("1")
        assert visitor.session.hands == [("press", "row1"), ("release", "row1")]

    visit(story, lines=["new 3 4 5"])


def test_the_console_pane_shows_only_what_people_asked():
    async def story(visitor):
        await visitor.press("c")
        assert "> new 3 4 5" in visitor.screen
        assert visitor.screen.count("ok ") == 1
        await visitor.type("status")
        assert visitor.screen.count("ok ") == 2

    visit(story, lines=["new 3 4 5"])


def test_help_opens_and_any_key_closes_it():
    async def story(visitor):
        for key in ("question_mark", "h"):
            await visitor.press(key)
            assert "How to play" in visitor.screen
            assert "Press any key to go back to the machine." in visitor.screen
            await visitor.press("q")
            assert "How to play" not in visitor.screen
            assert not visitor.panel._exit

    visit(story)


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
        panel.play([], broken)
    assert str(why.value) == "the Pico has stopped: RuntimeError: GP13 is in use twice"


# ---------------------------------------------------------------------- room


@pytest.mark.parametrize(
    ("size", "console"),
    [((60, 14), False)]
    + [(size, True) for size in (ROOMY, COMPACT, (80, 20), (79, 40), (200, 60))]
    + [(size, False) for size in (ROOMY, COMPACT, (80, 20), (79, 40), (200, 60))],
)
def test_nothing_is_cut(size, console):
    async def story(visitor):
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
        assert "Put out as many lamps as you like, all in one row. Then press GO." in words

    visit(story, size, ["new 3 4 5"])


def test_the_show_goes_on_behind_the_help_page():
    async def story(visitor):
        await visitor.press("1", "enter", "h")
        visitor.pico.settle()
        await visitor.pilot.pause()
        await visitor.press("x")
        assert "Your move." in visitor.screen

    visit(story, lines=["new 3 4 5"])


def test_the_help_page_fits_on_80_by_24():
    async def story(visitor):
        await visitor.press("h")
        page = visitor.panel.screen.query_one("VerticalScroll")
        assert page.max_scroll_y == 0

    visit(story)


def test_the_help_page_scrolls_where_it_does_not_fit():
    async def story(visitor):
        await visitor.press("h")
        assert "any key to go back" not in visitor.screen
        await visitor.press("pagedown", "pagedown")
        await visitor.pilot.wait_for_scheduled_animations()
        assert "any key to go back" in visitor.screen

    visit(story, COMPACT)


def test_a_terminal_too_small_says_what_it_needs():
    async def story(visitor):
        await visitor.pilot.resize_terminal(59, 20)
        assert "needs a terminal of at least 60 x 14" in visitor.screen
        await visitor.pilot.resize_terminal(60, 14)
        assert "needs a terminal" not in visitor.screen
        await visitor.pilot.resize_terminal(80, 13)
        assert "needs a terminal of at least 60 x 14" in visitor.screen
        await visitor.pilot.resize_terminal(80, 24)
        assert "▐███▌" in visitor.screen

    visit(story, lines=["new 3 4 5"])


# ---------------------------------------------------------------------- the picture


def picture():
    """The panel in the middle of a match, as SVG."""
    drawn = []

    async def story(visitor):
        await visitor.press("4", "enter")
        await visitor.settle()
        await visitor.press("3", "3")
        for button in visitor.panel.query(PanelButton):
            button.remove_class("-down")
        await visitor.pilot.pause()
        drawn.append(visitor.panel.export_screenshot(title="nimatron play"))

    visit(story, lines=["seed 5", "new 3 4 7 6"])
    svg = re.sub(r"@font-face \{.*?\}|<!--.*?-->", "", drawn[0], flags=re.DOTALL)
    svg = svg.replace("Fira Code", "Menlo, Consolas, DejaVu Sans Mono")
    svg = svg.replace("font-size: 20px", "font-size: 21px")  # blocks of two lines touch
    return "\n".join(line.rstrip() for line in svg.split("\n") if line.strip()) + "\n"


def words_of(svg):
    return re.findall(r">([^<>]+)</text>", svg)


def test_the_picture_is_the_panel_of_today():
    assert words_of(PICTURE.read_text(encoding="utf-8")) == words_of(picture())


def test_the_picture_needs_nobody_else():
    hosts = set(re.findall(r"https?://[^\"'/ ]+", PICTURE.read_text(encoding="utf-8")))
    assert hosts <= {"http://www.w3.org"}


if __name__ == "__main__":
    sys.stdout.write(picture())
