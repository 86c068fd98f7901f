"""The page's Pico, without a page. It is in step with the clock."""

import json
import time

import pytest

from nimatron_play.surroundings import DEFAULTS
from nimatron_sim.web import webassembly
from on_node import OnNode

PATIENCE_S = 60

pytestmark = pytest.mark.vm


@pytest.fixture
def switched_on(request):
    """Return switched_on(settings), which returns a Pico in its attract show, with this text as
    its saved settings."""
    webassembly.node()
    webassembly.folder()

    def switch_on(settings):
        given = {"display": "matrix", "seed": 7, "flash": {"/settings.json": settings}}
        pico = OnNode("nimatron_play.live_main", given)
        request.addfinalizer(pico.end)
        playing = Playing(pico)
        playing.until("event state=attract")
        return playing

    return switch_on


class Playing:
    def __init__(self, pico):
        self._pico = pico
        self.records = []

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
            self._pico.call("turn")
            self.records += json.loads(self._pico.call("records") or "[]")
            if self._pico.call("nap") > 0:
                time.sleep(0.001)


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
