"""The page's Pico, without a page. It is in step with the clock, and the page keeps its flash."""

import json
import time

import pytest

from nimatron_play.surroundings import DEFAULTS
from nimatron_sim.web import webassembly
from on_node import OnNode

PATIENCE_S = 60

pytestmark = pytest.mark.vm


QUICK = {"think_ms": 0, "lamp_ms": 10}


@pytest.fixture
def switched_on():
    """Return switched_on(settings), which returns a Pico in its attract show, with this text as
    its saved settings. switched_on(flash=...) returns a Pico with this flash."""
    webassembly.node()
    webassembly.folder()
    picos = []

    def switch_on(settings="{}", flash=None):
        given = {"display": "matrix", "seed": 7, "flash": flash or {"/settings.json": settings}}
        picos.append(OnNode("nimatron_play.live_main", given))
        playing = Playing(picos[-1])
        playing.until("event state=attract")
        return playing

    yield switch_on
    for pico in picos:
        pico.end()


class Playing:
    def __init__(self, pico):
        self._pico = pico
        self.records, self.flash = [], {}

    def said(self):
        return [record["console"] for record in self.records if "console" in record]

    def do(self, verb, what, answer):
        """Do this, and let time pass until the console prints the answer."""
        self._pico.call("do", verb, what)
        self.until(answer)

    def until(self, text):
        """Let time pass until the console prints this text."""
        end = time.monotonic() + PATIENCE_S
        while not any(text in line for line in self.said()):
            assert time.monotonic() < end, self.records[-5:]
            self.turn()

    def turn(self):
        """Let the Pico carry out its due tasks."""
        self._pico.call("turn")
        self.records += json.loads(self._pico.call("records") or "[]")
        self.flash = json.loads(self._pico.call("flash") or "null") or self.flash
        if self._pico.call("nap") > 0:
            time.sleep(0.001)

    def saved(self, outcome, count):
        """Let time pass until this many matches have been saved with this outcome."""
        end = time.monotonic() + PATIENCE_S
        while json.loads(self.flash.get("/statistics.json", "{}")).get(outcome) != count:
            assert time.monotonic() < end, self.flash
            self.turn()


def test_what_a_flash_keeps_is_kept(switched_on):
    playing = switched_on(json.dumps(QUICK))
    playing.do("send", "set level easy", "level=easy saved=1")
    playing.do("send", "new 1 2", "event state=player")
    playing.do("send", "take 2 2", "event over winner=player")
    playing.saved("player", 1)
    assert json.loads(playing.flash["/settings.json"])["level"] == "easy"

    again = switched_on(flash=playing.flash)
    again.do("send", "settings", "level=easy")
    again.do("send", "stats", "player=1 ")


def test_it_is_settled_for_a_page_and_says_which_micropython_it_is(switched_on):
    playing = switched_on('{"idle_ms": 80000}')  # as the operator has set it
    playing.do("send", "settings", "idle_ms=80000 ")
    assert any(f"verdict_ms={DEFAULTS['verdict_ms']} " in said for said in playing.said())
    playing.do("send", "health", "micropython=1.28.0 ")


def test_without_settings_that_can_be_read_it_plays(switched_on):
    playing = switched_on("[")
    playing.do("tap", "new", "event state=opening")
    lamps = [record for record in playing.records if "lamps" in record]
    assert all(len(record["brightness"]) == 28 for record in lamps)
