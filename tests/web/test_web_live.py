"""The page's Pico, without a page: in step with the clock, with a flash that the page keeps."""

import json
import time

import pytest

from nimatron_sim.errors import TierUnavailable
from nimatron_sim.ui.kiosk.defaults import DEFAULTS
from nimatron_sim.web import package
from on_node import OnNode

PATIENCE_S = 60

pytestmark = pytest.mark.vm


@pytest.fixture
def switched_on():
    """switched_on(flash): a Pico with this flash."""
    try:
        package.node()
        package.folder()
    except TierUnavailable as why:
        pytest.skip(str(why))
    picos = []

    def switch_on(flash):
        given = {"display": "matrix", "seed": 7, "flash": flash}
        picos.append(OnNode("nimatron_sim.web.live_main", given))
        return Playing(picos[-1])

    yield switch_on
    for pico in picos:
        pico.end()


class Playing:
    def __init__(self, pico):
        self.pico = pico
        self.records, self.flash = [], {}

    def until(self, text):
        """Let time pass until the console says this."""
        end = time.monotonic() + PATIENCE_S
        while not any(text in record.get("console", "") for record in self.records):
            assert time.monotonic() < end, self.records[-5:]
            self.pico.call("turn")
            self.records += json.loads(self.pico.call("records") or "[]")
            self.flash = json.loads(self.pico.call("flash") or "null") or self.flash
            if self.pico.call("nap") > 0:
                time.sleep(0.001)


def test_what_a_flash_keeps_is_kept(switched_on):
    playing = switched_on({})
    playing.until("event state=attract")
    playing.pico.call("do", "send", "set level easy")
    playing.until("level=easy saved=1")
    playing.pico.call("do", "send", "new 1 2")
    playing.until("event state=player")
    playing.pico.call("do", "send", "take 2 2")
    playing.until("event over winner=player")
    assert json.loads(playing.flash["/settings.json"])["level"] == "easy"

    again = switched_on(playing.flash)
    again.until("event state=attract")
    again.pico.call("do", "send", "settings")
    again.until("level=easy")
    again.pico.call("do", "send", "stats")
    again.until("player=1 ")


def test_it_is_settled_for_a_page_and_says_which_micropython_it_is(switched_on):
    playing = switched_on({"/settings.json": '{"level": "easy"}'})
    playing.until("event state=attract")
    playing.pico.call("do", "send", "settings")
    playing.until("level=easy")
    playing.until(f"verdict_ms={DEFAULTS['verdict_ms']} ")
    playing.pico.call("do", "send", "health")
    playing.until("micropython=1.28.0 ")


def test_what_the_operator_has_set_is_kept(switched_on):
    playing = switched_on({"/settings.json": '{"verdict_ms": 8000}'})
    playing.until("event state=attract")
    playing.pico.call("do", "send", "settings")
    playing.until("verdict_ms=8000 ")


def test_settings_that_cannot_be_read_do_not_stop_it(switched_on):
    playing = switched_on({"/settings.json": "["})
    playing.until("event state=attract")


def test_a_press_is_seen_and_so_is_its_lamp(switched_on):
    playing = switched_on({})
    playing.until("event state=attract")
    playing.pico.call("do", "tap", "new")
    playing.until("event state=opening")
    lamps = [record for record in playing.records if "lamps" in record]
    assert all(len(record["brightness"]) == 28 for record in lamps)
