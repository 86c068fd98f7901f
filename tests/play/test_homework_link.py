"""A homework link on the page without a server. The page's own program reads it on CPython, and a
simulated Pico carries it out."""

import json
import random
import re
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from nimatron import games, settings
from nimatron_play import kiosk_main, lesson, words
from nimatron_play.homework_link import Link
from nimatron_play.surroundings import DEFAULTS
from nimatron_sim.simulated_pico import SimulatedPico

OFFERED = {what: list(settings.find(what + "s")[1]) for what in ("game", "level")}
EVERY = [*games.names()]


def link(**asked):
    read = Link(asked)
    read.begin(dict(OFFERED), "nim")
    return read


def positions(game):
    """Yield positions that players reach, from each opening."""
    dice = random.Random(7)
    for opening in game.openings:
        position = game.placed_on_panel(opening)
        while not game.over(position):
            yield position
            position = dice.choice(list(game.options(position)))


@pytest.mark.parametrize("name", EVERY)
def test_each_position_that_can_be_shared_can_be_begun_with(name):
    game = games.find(name)
    for position in positions(game):
        read = link(game=name, rows=game.words(position))
        assert read.wrong is None
        (begins,) = [line for line in read.lines if line.startswith("new ")]
        assert game.placed_on_panel(game.parse(begins.split()[1:])) == position


@pytest.mark.parametrize(
    ("game", "rows", "position"),
    [
        ("nim", "3 4 5", "3,4,5"),
        ("kayles", "3,4", "1110000/1111000/0000000/0000000"),
        ("kayles", "1101/0/1", "1101000/0000000/1000000/0000000"),
        ("tactix", "11/4", "1100/1111/0000/0000"),
        ("fibonacci", "7:6", "7:6"),
    ],
)
def test_a_position_may_be_written_shorter(game, rows, position):
    rules = games.find(game)
    wanted = rules.placed_on_panel(rules.parse([position]))
    read = link(game=game, rows=rows)
    assert read.lines[-1] == "new " + rules.words(wanted)


@pytest.mark.parametrize(
    ("what", "asked"),
    [
        ("game", {"game": "chess", "rows": "3"}),
        ("game", {"game": "nim\nset mute 1"}),
        ("level", {"level": "hard", "rows": "3"}),
        ("players", {"players": "7"}),
        ("language", {"language": "xx"}),
        ("lesson", {"lesson": "8"}),
        ("lesson", {"lesson": "0"}),
        ("rows", {"rows": "8"}),
        ("rows", {"rows": ""}),
        ("rows", {"rows": "0,0"}),
        ("rows", {"rows": "-1"}),
        ("rows", {"game": "kayles", "rows": "8"}),
        ("rows", {"game": "kayles", "rows": "1/1/1/1/1"}),
        ("rows", {"rows": "3\nset mute 1"}),
    ],
)
def test_a_wrong_link_says_what_is_wrong_and_does_nothing(what, asked):
    read = link(**asked)
    assert read.wrong[0] == f"link.{what}" and not read.lines
    for table in words.tables().values():
        said = words.say([read.wrong], table)
        assert asked[what] in said and said != words.say([read.wrong], {})


def test_foreign_parameters_are_ignored():
    assert link(embed="", utm_source="mail").wrong is None


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("Find the move that wins!", "Find the move that wins!"),
        ("¿Por qué gana? 你好", "¿Por qué gana? 你好"),
        ('<b>{got} & "x"</b>', '<b>{got} & "x"</b>'),
        ("  two\n\tlines \x00\x1b[2J\x85 ", "two lines [2J"),
        ("x" * 141, "x" * 140),
        ("\n", ""),
    ],
)
def test_task_is_one_short_line_of_the_same_text(given, shown):
    read = link(task=given, rows="3,4,5")
    assert read.task == shown
    assert read.wrong is None and not any("task" in line for line in read.lines)


def test_link_without_task_has_none():
    assert link(rows="3").task == ""


# ---------------------------------------------------------------------- with a Pico


class Visit:
    """A visit by a link, from the first moment in this state."""

    def __init__(self, state, **asked):
        self.desk = kiosk_main.start(json.dumps({"link": asked}))
        self.pico = SimulatedPico(settings={"warning_ms": DEFAULTS["warning_ms"]})
        self.seen = {}
        self._number = 0
        self.until(state)

    def run(self, ms, at_a_time=100):
        for _ in range(0, ms, at_a_time):
            self.pico.run(at_a_time)
            records, self.pico.trace[:] = list(self.pico.trace), []
            self.desk.take(json.dumps(records))
            while self.desk.ponder():
                pass
            self.seen |= json.loads(self.desk.news() or "{}")
            self.desk.beat()
            for verb, what in json.loads(self.desk.orders() or "[]"):
                getattr(self.pico, verb)(what)

    def until(self, state):
        for _ in range(1000):
            if self.seen.get("state") == state:
                return self.run(500)
            self.run(100)
        raise AssertionError(self.seen["state"])

    def do(self, verb, what):
        self._number += 1
        self.desk.hear(json.dumps({verb: what, "n": self._number}))

    def tap(self, button):
        self.do("press", button)
        self.run(100)
        self.do("release", button)
        self.run(500)

    def take(self, lamp):
        self.do("touch", lamp)
        self.run(500)
        self.tap("go")

    def move(self):
        """Take the first lamp of the first row that is lit. This waits until the machine has
        moved."""
        lit = [row for row, count in enumerate(self.seen["rows"].split(",")) if count != "0"]
        self.take(str(7 * lit[0]))
        self.run(3500)


ASKED = {"game": "kayles", "rows": "11,1", "level": "child"}


def begun(visit):
    keys = "game", "rows", "level"
    shown = {key: visit.seen[key] for key in keys}
    return shown == ASKED | {"rows": "1100000/1000000/0000000/0000000"}


def test_position_waits_a_quarter_of_an_hour():
    """The wait begins again after each action of a visitor. The page never asks whether one is
    present."""
    visit = Visit("player", **ASKED)
    for _ in range(2):
        visit.run(14 * 60_000, 1000)
        assert begun(visit) and visit.seen["state"] == "player"
        visit.do("here", "1")
        visit.run(500)
    visit.run(16 * 60_000, 1000)
    assert visit.seen["state"] == "attract"


@pytest.mark.parametrize("begin", [("link", "again"), ("press", "go"), ("touch", "3")])
def test_after_an_idle_reset_the_position_is_offered_and_begins_again(begin, monkeypatch):
    monkeypatch.setattr(kiosk_main, "_STAYS", 0)
    visit = Visit("player", **ASKED)
    assert begun(visit) and not visit.seen["again"]
    visit.until("attract")
    assert visit.seen["again"] and visit.seen["game"] == "nim"
    visit.do(*begin)
    visit.until("player")
    assert begun(visit) and not visit.seen["again"]


def test_the_other_buttons_begin_the_usual_match(monkeypatch):
    monkeypatch.setattr(kiosk_main, "_STAYS", 0)
    visit = Visit("player", **ASKED)
    visit.until("attract")
    visit.tap("new")
    visit.until("opening")
    assert visit.seen["game"] == "nim"


def test_after_a_loss_the_position_is_offered_and_begins_again():
    visit = Visit("player", game="nim", rows="1")
    visit.take("0")
    visit.until("verdict")
    assert visit.seen["legends"] == ["machine-wins"] and visit.seen["again"]
    visit.do("link", "again")
    visit.until("player")
    assert visit.seen["rows"] == "1,0,0,0"


def test_won_match_is_kept_for_the_picture_of_the_token():
    visit = Visit("player", game="nim", rows="3")
    assert not visit.seen["match"]
    visit.take("1")
    visit.until("verdict")
    assert visit.seen["match"] == {"path": [0b111, 0b1, 0], "first": "player", "game": "nim"}


def test_without_a_position_nothing_is_offered_again():
    visit = Visit("opening", level="easy")
    visit.until("attract")
    assert not visit.seen["again"]


def test_wrong_link_is_shown_until_a_match_begins():
    visit = Visit("attract", game="chess", rows="9")
    visit.run(2000)
    assert visit.seen["state"] == "attract"
    assert visit.seen["doing"] == [["link.game", {"got": "chess"}]]
    visit.tap("go")
    visit.until("opening")
    assert visit.seen["game"] == "nim" and visit.seen["doing"][0][0] != "link.game"


# ---------------------------------------------------------------------- the lesson


def scene(visit):
    return visit.seen["lesson"].get("step"), visit.seen["rows"], visit.seen["lesson"].get("over")


@pytest.mark.parametrize(
    ("asked", "wanted"), [("", (1, "1,0,0,0", "")), ("6", (6, "4,3,0,0", ""))]
)
def test_a_lesson_begins_with_its_scene_and_nothing_else(asked, wanted):
    visit = Visit("player", lesson=asked, game="kayles", rows="11,1")
    assert scene(visit) == wanted and visit.seen["game"] == "nim"


def win(visit):
    while visit.seen["state"] == "player" and not visit.seen["lesson"]["over"]:
        option = re.search("rows=([0-9,]+)", visit.pico.ask("hint"))[1]
        visit.pico.ask(f"play {option}")
        visit.run(4000)


def test_all_scenes_are_played_to_the_end(monkeypatch):
    """The visitor's own game is at a level with mistakes."""
    monkeypatch.setattr(lesson, "_READ_S", 0)
    visit = Visit("opening", game="kayles", level="child")
    visit.do("lesson", "1")
    visit.until("player")
    visit.move()
    assert scene(visit) == (1, "0,0,0,0", "won") and visit.seen["legends"] == ["machine-wins"]
    visit.tap("go")
    assert scene(visit) == (2, "1,1,1,0", "")
    visit.move()
    visit.move()
    assert scene(visit) == (2, "0,0,0,0", "lost")
    visit.tap("go")
    assert scene(visit) == (2, "1,1,1,0", "")
    visit.tap("go")  # let the machine begin
    assert visit.seen["state"] == "thinking" and visit.seen["advice"][0][0] == "lesson.2.begun"
    for step in range(2, 6):
        visit.run(3500)
        if step != 5:  # which is only watched
            win(visit)
        visit.until("verdict")
        assert scene(visit) == (step, "0,0,0,0", "won")
        visit.do("touch", "0")
        visit.run(500)
    win(visit)
    assert scene(visit)[::2] == (6, "won")
    visit.do("lesson", "7")
    visit.until("player")
    assert scene(visit) == (7, "3,4,5,0", "") and visit.seen["level"] == "perfect"
    visit.do("lesson", "0")
    visit.run(500)
    assert visit.seen["state"] == "opening" and not visit.seen["lesson"].get("step")
    assert (visit.seen["game"], visit.seen["level"]) == ("kayles", "child")


def test_the_panels_own_go_lets_the_machine_begin():
    visit = Visit("player", lesson="2")
    visit.pico.tap("go")
    visit.run(1000)
    assert visit.seen["state"] == "thinking" and visit.seen["advice"][0][0] == "lesson.2.begun"


@pytest.mark.parametrize(
    ("leave", "then"),
    [
        ([("press", "new"), ("release", "new")], "kayles"),
        ([("level", "easy")], "kayles"),
        ([("game", "chomp")], "chomp"),
        ([("game", "nim")], "nim"),
    ],
)
def test_after_the_lesson_the_visitor_is_in_the_visitors_game(leave, then):
    visit = Visit("opening", game="kayles")
    visit.do("lesson", "4")
    visit.until("player")
    assert visit.seen["game"] == "nim"
    for message in leave:
        visit.do(*message)
    visit.run(1500)
    assert (visit.seen["state"], visit.seen["game"]) == ("opening", then)
    assert not visit.seen["lesson"].get("step")


@pytest.mark.parametrize("begin", [("press", "go"), ("touch", "0")])
def test_after_the_last_scene_go_returns_to_the_visitors_game(begin):
    visit = Visit("opening", game="kayles")
    visit.do("lesson", "7")
    visit.until("player")
    win(visit)
    assert scene(visit) == (7, "0,0,0,0", "won")
    visit.do(*begin)
    visit.run(1500)
    assert (visit.seen["state"], visit.seen["game"]) == ("opening", "kayles")


def test_two_people_share_the_screen():
    visit = Visit("attract")
    visit.do("people", "9")
    visit.run(500)
    assert visit.seen["state"] == "attract" and not visit.seen["offer"]
    visit.do("people", "2")
    visit.until("opening")
    assert visit.seen["people"] == 2 and not visit.seen["waits"]
    for lamp in ("0", "7"):
        assert not visit.seen["waits"]
        visit.take(lamp)
        visit.run(1500)
    assert ["move.row.people", {"count": 4, "row": 2, "who": "2"}] in visit.seen["doing"]
    visit.do("people", "1")
    visit.until("opening")
    assert visit.seen["people"] == 1


def test_records_that_come_together_are_shown_once(monkeypatch):
    visit = Visit("attract")
    shown = []
    show = kiosk_main.Machine._show
    monkeypatch.setattr(kiosk_main.Machine, "_show", lambda self: shown.append(show(self)))
    lamps = [{"ms": at, "lamps": [at, 0, 0, 0]} for at in (1, 2, 3)]
    visit.desk.take(json.dumps(lamps))
    assert len(shown) == 1
    assert json.loads(visit.desk.news())["lamps"][:3] == [1, 1, 0]


def test_the_links_of_the_page_about_it_are_right():
    page = (Path(__file__).parents[2] / "docs/how-to/teacher/homework-links.md").read_text(
        encoding="utf-8"
    )
    links = re.findall(r"^\| `\?([^`]+)`", page, re.MULTILINE)
    assert len(links) >= 6
    for address in links:
        assert link(**dict(parse_qsl(address, keep_blank_values=True))).wrong is None, address
