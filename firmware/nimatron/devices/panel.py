"""The panel: all devices together, behind one interface for the exhibit."""

import asyncio
import time

from micropython import const

from nimatron import board
from nimatron.devices import lamps, legends
from nimatron.devices.buttons import Buttons
from nimatron.devices.coin import Coin
from nimatron.devices.legends import Legends
from nimatron.devices.sounder import Sounder
from nimatron.devices.watchdog import Watchdog

_PRESS_MS = const(4)  # the pause between two chores, in which a press is handled
_REST_MS = const(1000 - 4 * _PRESS_MS)
_LOOK_MS = const(10)
_PROBE_MS = const(400)  # a round of 42 measurements takes 17 s, so three take less than a minute


class Panel:
    """The panel.

    For the calls `pressed`, `released`, `long_pressed` and `fault`, see Buttons. The panel calls
    `wired(what, where, how)` for each fault in the lamps' wiring (see wires.py). When a device
    that the show does not need fails for the first time, the panel calls `failed(name, why)`.
    `failures` lists the names of these devices.

    `uptime_ms` is the running time of the panel, to a second. `lag_ms` is the longest delay of the
    panel's task.
    """

    legends = legends.NAMES

    def __init__(self, settings, pressed, released, long_pressed, fault, wired, failed):
        self.failures = []
        self.uptime_ms = self.lag_ms = 0
        self._failed = failed
        self._seen = {"lamps": board.DARK}  # the current lamps, legends, sound and coin
        self._report = None
        self._lamps = lamps.driver(settings)  # first: see lamps/shift.py
        self._wired = wired
        self._survey = None
        self._legends = self._try("legends", Legends)
        self._sounder = self._try("sounder", Sounder, settings, self._hear, self._fail)
        self._coin = self._try("coin", Coin, settings)
        self._watchdog = Watchdog(self._fail)
        self._buttons = Buttons(settings, pressed, released, long_pressed, fault)
        self.closed = self._buttons.closed
        self.stuck = self._buttons.stuck
        self.report_buttons = self._buttons.report
        self._chores = self._buttons.check, self._lamps.check, self._reshow, self._relight

    async def run(self, deadlines):
        """Check the devices forever, and feed the watchdog while none of `deadlines` is missed.
        Raises RuntimeError if the lamps have stopped."""
        asyncio.create_task(self._buttons.run())
        if self._lamps.wired:
            asyncio.create_task(self._measure())
        woke = time.ticks_ms()
        while True:
            if not any([deadline.missed() for deadline in deadlines]):
                self._watchdog.feed()
            for chore in self._chores:
                await asyncio.sleep_ms(_PRESS_MS)
                chore()
            slept = time.ticks_ms()
            await asyncio.sleep_ms(_REST_MS)
            now = time.ticks_ms()
            self.lag_ms = max(self.lag_ms, time.ticks_diff(now, slept) - _REST_MS)
            self.uptime_ms += time.ticks_diff(now, woke)
            woke = now

    async def _measure(self):
        await asyncio.sleep_ms(_PROBE_MS)
        self._survey = self._try("probe", self._begin_survey)
        while self._survey:
            await asyncio.sleep_ms(_PROBE_MS)
            self._try("probe", self._survey.step)

    def _begin_survey(self):
        from nimatron.devices.probe import Probe  # not at the start: the show comes first
        from nimatron.wires import Survey

        return Survey(Probe(), self._shorts, self._wired)

    def _shorts(self):
        """Return a fault for each pad whose input differs from its output."""
        found = [("row", str(row + 1), "short") for row in self._lamps.still]
        if self._legends:
            found += [("legend", name, "short") for name in self._legends.held]
        if self._coin and self._seen.get("coin") != (1,) and self._coin.high():
            found.append(("chute", "coin", "short"))
        return found

    @property
    def wires(self):
        """Return the faults in the lamps' wiring (see wires.py), or None while unknown."""
        return self._survey.faults if self._survey else None

    @property
    def frames(self):
        """Return the state of the lamps' refresh (see `frames` in lamps/__init__.py)."""
        return self._lamps.frames

    @property
    def lamps(self):
        """Return the row masks of the lit lamps."""
        return self._seen["lamps"]

    def report(self, emit):
        """Call emit(words) with the state of the panel now and with each change. None stops
        this."""
        self._report = emit
        if emit:
            for what in sorted(self._seen):
                self._emit(what)

    def show(self, masks):
        """Light the lamps in these row masks until the next call. Bit 0 is the leftmost lamp."""
        if masks != self._seen["lamps"]:
            self._lamps.show(masks)
            self._see("lamps", masks)

    def light(self, *names):
        """Light the legends in `names` and no others."""
        self._see("legends", names)
        self._relight()

    def _reshow(self):
        self._lamps.show(self._seen["lamps"])

    def _relight(self):
        names = self._seen.get("legends", ())
        self._try("legends", lambda: self._legends.light(*names))

    def play(self, tune):
        """Start one of the TUNES, and stop any other tune. The call returns at once."""
        self._try("sounder", lambda: self._sounder.play(tune))

    def tone(self, hertz):
        """Sound a tone until the next call. 0 Hz is silence."""
        self._try("sounder", lambda: self._sounder.tone(hertz))

    async def coin_dropped(self):
        """Wait until the coin chute is shut. A flash write stops the CPU and would keep it
        open."""
        while self._seen.get("coin") == (1,):
            await asyncio.sleep_ms(_LOOK_MS)

    async def drop_coin(self):
        """Drop one coin, and wait until the chute is shut again."""
        if not self._coin:
            return
        self._see("coin", (1,))
        try:
            await self._coin.drop()
        except Exception as why:
            self._coin.shut()  # if this also fails, a restart switches the coin off
            self._fail("coin", why)
        self._see("coin", (0,))

    def _try(self, name, do, *args):
        """Return do(*args). If the call fails, report the device and return None. The show does
        not need the device."""
        try:
            return do(*args)
        except Exception as why:
            self._fail(name, why)

    def _fail(self, name, why):
        if name not in self.failures:
            self.failures.append(name)
            self._failed(name, why)

    def _hear(self, hertz):
        self._see("sound", (hertz,))

    def _see(self, what, values):
        if self._seen.get(what) != values:
            self._seen[what] = values
            if self._report:
                self._emit(what)

    def _emit(self, what):
        self._report("%s=%s" % (what, ",".join(map(str, self._seen[what])) or "none"))

    def dark(self):
        """Switch everything off, the coin chute first, because its solenoid would burn."""
        if self._coin:
            self._try("coin", self._coin.shut)
        self.tone(0)
        self.light()
        self.show(board.DARK)
