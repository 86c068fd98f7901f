"""The panel: all devices together, as the exhibit sees them."""

import asyncio

from nimatron import board, lamps, legends
from nimatron.buttons import Buttons
from nimatron.coin import Coin
from nimatron.heartbeat import Heartbeat
from nimatron.legends import Legends
from nimatron.sounder import Sounder

_SECOND = 1000


class Panel:
    """`pressed(name)` is called for each press, `released(name)` when it is over, `held(name)` for
    each that lasts a while, and `fault(name, what)` for each faulty contact."""

    legends = legends.NAMES

    def __init__(self, settings, pressed, released, held, fault):
        self._seen = {"lamps": board.DARK}  # what people see and hear
        self._report = None
        self._lamps = lamps.driver(settings)  # first: see lamps/shift.py
        self._legends = Legends()
        self._sounder = Sounder(settings, self._hear)
        self._coin = Coin(settings)
        self._heartbeat = Heartbeat()
        self._buttons = Buttons(settings, pressed, released, held, fault)
        self.play = self._sounder.play
        self.tone = self._sounder.tone
        self.closed = self._buttons.closed
        self.report_buttons = self._buttons.report
        self.watch = self._heartbeat.watch

    async def run(self, vital):
        """Keep the devices alive, and the heart beating while no Pulse of `vital` is missed; never
        returns."""
        asyncio.create_task(self._buttons.run())
        while True:
            if not any([pulse.missed() for pulse in vital]):
                self._heartbeat.beat()
            self._buttons.check()
            self._lamps.show(self._seen["lamps"])
            await asyncio.sleep_ms(_SECOND)

    @property
    def lamps(self):
        """The four row masks that are lit."""
        return self._seen["lamps"]

    def report(self, tell):
        """Call tell(words) with all that people see and hear, and with each change from now on;
        with None, no more."""
        self._report = tell
        if tell:
            for what in sorted(self._seen):
                self._tell(what)

    def show(self, masks):
        """Light the lamps of four row masks, bit 0 the leftmost, until told otherwise."""
        if masks != self._seen["lamps"]:
            self._lamps.show(masks)
            self._see("lamps", masks)

    def light(self, *names):
        """Light these legends and no others."""
        self._legends.light(*names)
        self._see("legends", names)

    async def drop_coin(self):
        self._see("coin", (1,))
        await self._coin.drop()
        self._see("coin", (0,))

    def _hear(self, hertz):
        self._see("sound", (hertz,))

    def _see(self, what, values):
        if self._seen.get(what) != values:
            self._seen[what] = values
            if self._report:
                self._tell(what)

    def _tell(self, what):
        self._report("%s=%s" % (what, ",".join([str(v) for v in self._seen[what]]) or "none"))

    def dark(self):
        """No lamp, no legend."""
        self.show(board.DARK)
        self.light()
