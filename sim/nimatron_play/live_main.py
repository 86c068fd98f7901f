"""The program that runs the page's Pico: a WebPico, kept in step with the wall clock.
pico_worker.js starts it. It is written in MicroPython's Python."""

import json
import sys

from nimatron_play.hands import Hands
from nimatron_play.surroundings import DEFAULTS
from nimatron_sim.pace import Pace
from nimatron_sim.simulated.chip import BOOT_MS
from nimatron_sim.web.web_main import WebPico
from pico_testbench.models import PICO

_SETTINGS = "/settings.json"


class _Pico(WebPico):
    """A WebPico whose trace contains the name of the real MicroPython that runs it."""

    micropython = tuple(sys.implementation[1][:3])


class LivePico:
    """The page's Pico. `seed` is the seed for its os.urandom. `flash` is an earlier result of
    `flash`, or {}."""

    def __init__(self, display, seed, flash):
        self._records = []
        flash[_SETTINGS] = _settled(flash.get(_SETTINGS, "{}"), display)
        self._pico = _Pico(display, PICO, self._record, seed, flash)
        self._pico.run_to(BOOT_MS * 1000)  # a visitor need not wait for the boot
        self._pace = Pace(self._pico)
        self._hands = Hands(self._pico)

    def do(self, verb, what):
        """Do a visitor's action: press, release, tap or hold a button, or send a line."""
        self.turn()  # so that the action comes at the right time
        getattr(self._hands, verb)(what)

    def turn(self):
        """Run the Pico until now, or only for a moment if it is far behind."""
        self._pico.run_to(self._pace.due())

    def nap(self):
        """Return the time in seconds until the next event, if no visitor acts."""
        return self._pace.nap()

    def records(self):
        """Return the trace since the last call as JSON, or "" if nothing is new."""
        records, self._records = self._records, []
        return json.dumps(records) if records else ""

    def flash(self):
        """Return the contents of the flash as JSON, or "" if they are unchanged."""
        written, self._pico.written = self._pico.written, False
        return json.dumps(self._pico.files.contents) if written else ""

    def _record(self, record):
        if "lamps" in record:
            record["brightness"] = [round(b, 2) for b in self._pico.circuit.brightness()]
        self._records.append(record)


def _settled(saved, display):
    """Return saved settings as text, with the usual values for a page. The firmware reports
    invalid settings."""
    try:
        return json.dumps({"display": display} | DEFAULTS | json.loads(saved))
    except (TypeError, ValueError):
        return saved


def start(given):
    """Return a LivePico. `given` is {display, seed, flash} as JSON."""
    return LivePico(**json.loads(given))
