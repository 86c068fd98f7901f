"""The visitor's view and rights, on MicroPython in WebAssembly and on CPython. With the same
input, the same program must have the same output."""

import itertools
import json

import pytest

from happenings import STORIES
from nimatron import games
from nimatron_play import kiosk_main
from nimatron_sim.simulated_pico import SimulatedPico
from nimatron_sim.web import webassembly
from on_node import OnNode

AT_ONCE = 25  # records

pytestmark = pytest.mark.vm


class Both:
    """A Desk of kiosk_main on both Pythons."""

    def __init__(self, link):
        given = {"link": link}
        self._here = kiosk_main.start(json.dumps(given))
        self._there = OnNode("nimatron_play.kiosk_main", given)
        self.orders, self.operator = [], {}

    def call(self, name, *args):
        """Call this on both desks. Assert that both then have the same orders and news."""
        getattr(self._here, name)(*args)
        self._there.call(name, *args)
        while self._here.ponder():
            assert self._there.call("ponder")
        assert not self._there.call("ponder")
        orders = self._said("orders") or []
        self.orders += orders
        self.operator |= self._said("operators_news")
        return self._said("news")

    def _said(self, what):
        here, there = getattr(self._here, what)(), self._there.call(what)
        here, there = (json.loads(said) if said else {} for said in (here, there))
        for said in (here, there):
            if "you" in said:
                assert said.pop("you")  # is drawn
        assert here == there
        return here

    def end(self):
        self._there.end()


@pytest.fixture
def both(request):
    webassembly.node()
    webassembly.folder()

    def start(**link):
        made = Both(link)
        request.addfinalizer(made.end)
        return made

    return start


def test_everything_that_can_happen_is_said_alike(both):
    desk = both()
    script = "\npower off\nwait 700\npower on\n".join(script for script, _ in STORIES.values())
    pico = SimulatedPico()
    pico.play(script)
    seen = set()
    for at in range(0, len(pico.trace), AT_ONCE):
        news = desk.call("take", json.dumps(pico.trace[at : at + AT_ONCE]))
        seen |= {key for key, value in news.items() if value}
    assert {"lamps", "doing", "advice", "rule", "insight", "working", "demo"} <= seen


def test_every_game_is_explained_alike(both):
    desk = both()
    pico = SimulatedPico()
    pico.settle()
    seen = {}
    for name in games.names():
        pico.send(f"game {name}")
        game = games.find(name)
        pico.send(f"new {game.words(game.openings[0])}")
        pico.run(300)
        pico.send("status")
        pico.run(300)
        records, pico.trace[:] = list(pico.trace), []
        seen |= desk.call("take", json.dumps(records))
        assert seen["game"] == name and seen["insight"]


def visiting(desk):
    """Return a Pico and a visitor at the desk. run(ms) lets the Pico run. do(verb, what) sends a
    message from the page. `seen` contains all news."""
    pico, seen, numbers = SimulatedPico(), {}, itertools.count(1)

    def run(ms):
        pico.run(ms)
        records, pico.trace[:] = list(pico.trace), []
        seen.update(desk.call("take", json.dumps(records)))
        orders, desk.orders[:] = list(desk.orders), []
        for verb, what in orders:
            getattr(pico, verb)(what)

    def do(verb, what):
        seen.update(desk.call("hear", json.dumps({verb: what, "n": next(numbers)})))

    return run, do, seen


def test_a_visitor_does_the_same(both):
    """The Pico carries out the visitor's wish, and both desks see the result."""
    run, do, seen = visiting(both(game="nim", rows="3,4,5", level="easy"))
    for _ in range(10):
        run(200)
    assert seen["state"] == "player" and seen["rows"] == "3,4,5,0" and seen["level"] == "easy"
    for verb, what in (("touch", "9"), ("touch", "0"), ("language", "de"), ("press", "go")):
        do(verb, what)
        run(100)
    assert seen["done"] == 4 and seen["held"] == ["go"]
    for verb, what in (("release", "go"), ("here", ""), ("nonsense", "x"), ("game", "no-game")):
        do(verb, what)
    for _ in range(30):
        run(500)
    assert seen["rows"] != "3,4,5,0"
    for verb, what in (("lesson", "1"), ("people", "2"), ("people", "1"), ("link", "again")):
        do(verb, what)
        for _ in range(4):
            run(300)
    assert seen["rows"] == "3,4,5,0" and seen["people"] == 1 and not seen["again"]


def test_a_lost_match_goes_back_alike(both):
    run, do, seen = visiting(both(rows="2"))
    for _ in range(10):
        run(200)
    for marked in (0, 0, 0b11):
        for verb, what in (("touch", "0"), ("press", "go"), ("release", "go")):
            do(verb, what)
            run(200)
        assert seen["rewind"]["path"] == [0, 0b11]
        do("find", "")
        for _ in range(3):
            run(200)
        assert seen["rewind"] == {"practice": True, "marks": marked}


def test_a_wrong_link_is_refused_alike(both):
    run, _, seen = visiting(both(rows="9", game="kayles", language="fr"))
    for _ in range(20):
        run(100)
    assert seen["doing"] == [["link.rows", {"got": "9"}]]
    assert seen["language"] == "fr"


def test_the_operator_sees_and_does_the_same(both):
    desk = both()
    run, _, _ = visiting(desk)
    run(1500)
    desk.call("operate", "")
    for line in ("set level easy", "set think_ms 99999", "nonsense", "help"):
        run(100)
        desk.call("operate", json.dumps({"send": line}))
    run(100)
    run(1000)
    answers = desk.operator["answers"]
    assert [answer[2] for answer in answers][:2] == ["ok", "error"]
    assert {"health", "settings", "stats", "version"} == set(desk.operator["pico"])
    assert any(control["name"] == "think_ms" for control in desk.operator["controls"])
