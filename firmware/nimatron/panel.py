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
    """`pressed(name)` is called for each press, `held(name)` for each that lasts a while, and
    `fault(name, what)` for each faulty contact."""

    legends = legends.NAMES

    def __init__(self, settings, pressed, held, fault):
        self._lamps = lamps.driver(settings)  # first: see lamps/shift.py
        self._masks = board.DARK
        self._legends = Legends()
        self._sounder = Sounder(settings)
        self._coin = Coin(settings)
        self._heartbeat = Heartbeat()
        self._buttons = Buttons(settings, pressed, held, fault)
        self.light = self._legends.light
        self.play = self._sounder.play
        self.tone = self._sounder.tone
        self.drop_coin = self._coin.drop
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
            self._lamps.show(self._masks)
            await asyncio.sleep_ms(_SECOND)

    def show(self, masks):
        """Light the lamps of four row masks, bit 0 the leftmost, until told otherwise."""
        if masks != self._masks:
            self._masks = masks
            self._lamps.show(masks)

    def dark(self):
        """No lamp, no legend."""
        self.show(board.DARK)
        self.light()
