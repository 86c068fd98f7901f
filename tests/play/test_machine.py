"""The machine behind a page, with a Pico whose lines come from the test."""

import pytest

from nimatron_play import shared_buttons, table
from nimatron_play.machine import Machine
from nimatron_play.pages import Page
from nimatron_play.surroundings import Surroundings
from nimatron_play.visitor import Visitor

STATUS = "ok game=nim rule=misere level=fair state={} rows=3,4,5,0 picked=0,0,0,0"


class Pico:
    """A session and its machine, on which one page plays. `done` lists the machine's commands."""

    def __init__(self):
        self.done = []
        self.machine = Machine(self, [], Surroundings())
        self.visitor = Visitor(self.machine, Page(True), self)
        self.machine.visit.happen("open", self.visitor.page.you)
        self.say("event state=attract")

    def order(self, verb, what):
        self.done.append(what)

    def wake(self):
        pass

    def say(self, *lines):
        self.machine.take([{"console": line} for line in lines])

    def answer(self, answers):
        """Answer everything so far."""
        asked, self.done = self.done, []
        self.say(*[answers.get(line, "error reason=unknown-command") for line in asked])

    @property
    def state(self):
        return self.visitor.seen()


@pytest.mark.parametrize(
    "event",
    [
        "lamp=3.5 fault=open",
        "device=sounder failed=OSError",
        "button=row2 contact=stuck",
        "button=row2 contact=free",
    ],
)
def test_device_event_is_checked_at_once(event):
    pico = Pico()
    pico.say("event state=player")
    asked = pico.done.count("health")
    pico.say(f"event {event}")
    assert pico.done.count("health") == asked + 1
    pico.say("event state=maintenance", f"event {event}")
    assert pico.done.count("health") == asked + 1


def test_maintenance_is_not_kept_awake_by_questions():
    pico = Pico()
    asked = pico.done.count("health")
    pico.say(*["event state=maintenance"] * 3)
    assert pico.state["state"] == "maintenance" and pico.done.count("health") == asked


@pytest.mark.parametrize("why", ["reboot", "hang"])
def test_what_is_answered_after_a_restart_is_no_answer_to_what_was_asked_after_it(why):
    """A line that was typed while the Pico restarted may be read by the new start."""
    pico = Pico()
    pico.say("event state=opening")  # asks the status
    assert pico.done[-1] == "status"
    pico.say(f"event boot version=1 mode=exhibit why={why}", "event state=attract")
    asked = pico.done[pico.done.index("version 1") + 1 :]
    assert asked[-1] == "version"
    pico.say("ok game=nim rule=misere level=perfect state=attract rows=0 picked=0")
    pico.say("ok name=nimatron version=1 nonce=1")
    answers = {
        "settings": "ok level=perfect levels=easy,perfect games=nim,kayles",
        "health": "ok uptime_s=1 failed=none",
        "stats": "ok since=unknown",
        "version": "ok name=nimatron version=1",
    }
    pico.say(*[answers.get(line, "error reason=unknown-command") for line in asked])
    assert pico.state["games"] == ["nim", "kayles"]
    assert set(pico.machine.facts.told) == set(answers)


def test_answers_that_a_cut_cable_has_swallowed_are_not_expected():
    answers = {"settings": "ok level=easy levels=easy,fair games=nim"}
    pico = Pico()
    pico.answer(answers)
    assert pico.state["levels"] == ["easy", "fair"]
    pico.visitor.hear("game", "nim")
    pico.machine.take([{"cable": 0}])
    assert pico.state["levels"] == []
    pico.done.clear()
    pico.say("event state=opening")
    pico.answer(answers)
    assert pico.state["levels"] == ["easy", "fair"]


def test_a_lesson_ends_with_the_visit_even_if_it_has_not_begun():
    pico = Pico()
    pico.say(STATUS.format("attract"))
    pico.visitor.hear("lesson", "1")
    assert pico.state["lesson"]["step"] == 1
    pico.say("event state=opening", "event state=attract")
    assert "step" not in pico.state["lesson"]


def test_firmware_that_knows_no_such_practice_gives_no_lesson():
    pico = Pico()
    pico.say(STATUS.format("attract"))
    pico.answer({})
    pico.visitor.hear("lesson", "3")
    pico.answer({pico.done[-1]: "error reason=not-a-number"})
    assert pico.state["advice"] == [("do.old", {})]
    assert "step" not in pico.state["lesson"]


def test_page_use_counts_as_presence(monkeypatch):
    """A page's message becomes a long press of GO, on the player's turn and not too often. A
    warning is answered at once."""
    monkeypatch.setattr(shared_buttons, "_HERE_S", 1000)
    pico = Pico()
    pico.machine.buttons._here_at = -1000
    for line, held in (
        ("event state=attract", 0),  # no match
        ("event state=player", 1),
        ("event state=player", 1),
        ("event warning=idle ms=10000", 2),
    ):
        pico.say(line)
        pico.visitor.hear("here", "1")
        assert pico.done.count("hold go") == held
    assert pico.state["doing"][0][0] != "warning"


def test_settings_from_another_console_are_shown():
    pico = Pico()
    pico.answer({"settings": "ok games=nim", "health": "ok uptime_s=1"})
    pico.say("ok rule=normal saved=1")
    assert pico.done == ["status", "settings"]


def test_each_page_is_told_what_is_meant_for_it():
    """The pages are of two players and of a viewer."""
    pico = Pico()
    pages = [pico.visitor, *(Visitor(pico.machine, Page(True), pico) for _ in range(2))]
    for page in pages[1:]:
        pico.machine.visit.happen("come", page.page.you)
    pico.machine.visit.happen("paired", True)

    def told(*lines):
        pico.say(*lines)
        return [" ".join(key for key, _ in page.seen()["doing"]) for page in pages]

    status = STATUS.format("player").replace("3,4,5", "1,1,0") + " players=2"
    pico.say("event state=player", "event turn=player-1", status)
    pico.machine.take([{"lamps": [0, 1, 0, 0]}])
    assert told("event pick rows=0,1,0,0") == ["picked.row", "table.waits", "table.waits"]
    moved = "move.row.people turn.people table.waits"
    second = "event move by=player-1 row=1 take=1 rows=0,1,0,0", "event turn=player-2"
    assert told(*second, "event state=player") == [
        *("move.row.player table.waits", "move.row.people state.player", moved)
    ]
    pico.say("event move by=player-2 row=2 take=1 rows=0,0,0,0", "event state=verdict")
    pico.machine.take([{"legends": ["you-win"]}])
    assert told("event over winner=player-1") == [
        *("last.people wins.player", "last.player wins.people", "last.people wins.people")
    ]
    assert [page.seen()["legends"] for page in pages] == [["you-win"], [], []]
    assert [page.seen()["won"] for page in pages] == [True, False, True]


@pytest.mark.parametrize("state", ["attract", "opening", "player"])
def test_page_that_only_watches_gets_words_for_viewers(state):
    pico = Pico()
    watcher = Visitor(pico.machine, Page(False), pico)
    pico.say(f"event state={state}")
    assert watcher.seen()["doing"][0][0] == f"watch.state.{state}"


def test_page_that_waits_for_the_only_machine_gets_words_for_viewers():
    """Such a page may play, but the match belongs to another page."""
    pico = Pico()
    pico.machine.visit.table = table.new(places=1)
    pico.machine.visit.happen("press", pico.visitor.page.you, "row1")
    other = Visitor(pico.machine, Page(True), pico)
    pico.say("event state=player", STATUS.format("player"))
    assert other.seen()["doing"] == [("watch.state.player", {})]
    pico.say("event move by=player row=1 take=1 rows=2,4,5,0", "event state=thinking")
    moved = ("watch.move.row.player", {"who": "", "count": 1, "row": 1})
    assert other.seen()["doing"] == [moved, ("state.thinking", {})]
