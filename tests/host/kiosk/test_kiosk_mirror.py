"""The mirror of a Pico on a cable: its picture, presses from the page, and a pulled cable."""

import asyncio
import gc
import os
import re
import signal
import subprocess
import sys
import threading
import time

import aiohttp
import pytest
from patience import PATIENCE_S

from nimatron import VERSION
from nimatron_host.device.real_pico import at
from nimatron_play.attendant import Attendant
from nimatron_play.panel_view import PanelView
from nimatron_sim import ports
from nimatron_sim.simulated_pico import SimulatedPico
from served import Emulator

# pyserial leaves a socket that the other end has closed first to the garbage collector.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

QUICK = ["set think_ms 0", "set lamp_ms 50"]


class Plugged:
    """A simulated Pico on a TCP port, in step with the wall clock, in its own thread."""

    def __init__(self, port=0):
        self.pico = None
        self._hands = []
        self._out = False
        self._end = ports.Tcp(port)
        self.port = self._end.name
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self):
        self.pico = SimulatedPico(record=lambda record: None)
        ports.serve(self.pico, [self._end], self._ended)

    def _ended(self):
        while self._hands:
            self._hands.pop(0)()
        return self._out

    def do(self, hand):
        """Call hand() in the Pico's thread."""
        self._hands.append(hand)

    def pull(self):
        self._out = True
        self._thread.join()
        return int(self.port.rpartition(":")[2])


class Show:
    """An Attendant that looks at the mirror and takes everything at once."""

    def __init__(self, port, lines=()):
        self.records = []
        self.failures = []
        self.session = at(port)(self._take, self.failures.append)
        self._attendant = Attendant(self.session, list(lines))
        self.session.start()

    def _take(self, record):
        self.records.append(record)
        self._attendant.take(record)

    @property
    def display(self) -> PanelView:
        return self._attendant.display

    def until(self, condition):
        end = time.monotonic() + PATIENCE_S
        while not condition():
            assert not self.failures
            assert time.monotonic() < end, self.records[-5:]
            time.sleep(0.01)

    def tap(self, button):
        self.session.order("tap", button)


@pytest.fixture
def plugged():
    plugged = [Plugged()]
    yield plugged
    plugged[-1].pull()


@pytest.fixture
def show(plugged):
    """Yield a Show that has seen the attract mode."""
    show = Show(plugged[0].port, QUICK)
    show.until(lambda: show.display.state == "attract")
    yield show
    show.session.stop()
    gc.collect()
    assert not show.failures


def lamps(show):
    return [bin(mask).count("1") for mask in show.display.lamps]


def test_presses_here_and_on_the_panel_both_count(plugged, show):
    show.session.order("send", "new 3 4 5")
    show.until(lambda: lamps(show) == [3, 4, 5, 0])
    show.until(lambda: show.display.legends == ["your-move"])
    show.tap("row1")
    show.until(lambda: lamps(show) == [2, 4, 5, 0])
    plugged[0].do(lambda: plugged[0].pico.press("row1"))
    show.until(lambda: lamps(show) == [1, 4, 5, 0])
    assert show.display.caption[0] == "You have switched off 2 lamps in row 1."
    assert plugged[0].pico.rows == (1, 4, 5, 0)
    show.tap("go")
    show.until(lambda: show.display.caption[0].startswith("I switched off"))
    assert {"sound": 880} in show.records
    assert lamps(show) == list(plugged[0].pico.rows)


def test_a_button_held_is_a_hold(show):
    show.tap("go")
    show.until(lambda: show.display.state == "opening")
    show.session.order("press", "new")
    time.sleep(0.15)
    show.session.order("release", "new")
    time.sleep(0.7)
    games = [r for r in show.records if r.get("console", "").startswith("event game=")]
    assert not games
    show.session.order("press", "new")
    show.until(lambda: any(r.get("console", "").startswith("event game=") for r in show.records))


def test_it_goes_on_after_a_reboot(show):
    show.session.order("send", "reboot")
    show.until(lambda: {"console": f"event boot version={VERSION} mode=exhibit why=reboot"}
               in show.records)  # fmt: skip
    del show.records[:]
    show.until(lambda: any("lamps" in record for record in show.records))
    show.until(lambda: show.display.state == "attract")


def test_it_goes_on_when_the_cable_is_back(plugged, show):
    port = plugged[0].pull()
    show.until(lambda: show.display.state == "away")
    assert show.display.caption[0] == "The machine is not connected."
    assert show.display.lamps == [0, 0, 0, 0]
    show.tap("go")  # is lost
    plugged.append(Plugged(port))
    show.until(lambda: show.display.state == "attract")
    show.until(lambda: any(show.display.lamps))


def test_the_answers_to_what_nobody_typed_are_not_shown(show):
    show.tap("go")
    show.until(lambda: show.display.state == "opening")
    show.session.order("send", "version")
    show.until(lambda: any("name=nimatron" in r.get("console", "") for r in show.records))
    said = [r["console"] for r in show.records if "console" in r]
    assert not [line for line in said if "watch=on" in line or "key=hold_ms" in line]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no pseudo-terminals")
@pytest.mark.parametrize(
    "number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.long("5 s"))]
)
def test_a_pico_that_has_gone_deaf_delays_no_end(number):
    """The kiosk ends within two seconds. The fastest of three attempts counts, because the
    computer may be busy."""
    assert any(end_of_a_deaf_one(number) < 2 for attempt in range(3))


def end_of_a_deaf_one(number):
    """Return the seconds that a kiosk needs to end while the port takes less than it sends."""
    command = ["kiosk", "--port", "0", "--operator-token", "the-operators-token", "--on"]
    with Emulator("--sim", "--pty") as emulator:
        command = [sys.executable, "-m", "nimatron_host", *command, emulator.port]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as kiosk:
            url = re.search(r"http:\S+/", kiosk.stdout.readline())[0]
            emulator.process.send_signal(signal.SIGSTOP)
            try:
                asyncio.run(floods(url))
                begun = time.monotonic()
                kiosk.send_signal(number)
                assert kiosk.wait(PATIENCE_S) in (0, 130)
                return time.monotonic() - begun
            finally:
                emulator.process.send_signal(signal.SIGCONT)
                kiosk.kill()


async def floods(url):
    await asyncio.gather(flood(url), flood(url))


async def flood(url):
    """Type 40 kB at the console. A pseudo-terminal takes about 64 kB without a reader."""
    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(f"{url}operator/look") as line,
    ):
        await line.send_json({"token": "the-operators-token"})
        for number in range(110):
            await line.send_json({"send": f"help {number:03}{'x' * 390}"})
            await asyncio.sleep(0.02)  # a page that sends more in a second is cut off
        seen = ""
        while "help 109" not in seen:
            seen = await line.receive_str(timeout=PATIENCE_S)
