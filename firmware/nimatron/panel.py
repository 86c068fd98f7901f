"""The panel: all devices together, as the exhibit sees them."""

import asyncio

from nimatron import board
from nimatron.buttons import Buttons
from nimatron.coin import Coin
from nimatron.heartbeat import Heartbeat
from nimatron.lamps import Lamps
from nimatron.legends import Legends
from nimatron.sounder import Sounder

_SECOND = 1000


class Panel:
    """`pressed(name)` is called for each press, `fault(name, what)` for each faulty contact."""

    def __init__(self, settings, pressed, fault):
        self._lamps = Lamps()
        self._legends = Legends()
        self._sounder = Sounder(settings)
        self._coin = Coin(settings)
        self._heartbeat = Heartbeat()
        self._buttons = Buttons(settings, pressed, fault)
        self.show = self._lamps.show
        self.light = self._legends.light
        self.play = self._sounder.play
        self.drop_coin = self._coin.drop

    async def run(self):
        """Keep the devices that need it alive; never returns."""
        asyncio.create_task(self._buttons.run())
        while True:
            self._heartbeat.beat()
            self._buttons.check()
            await asyncio.sleep_ms(_SECOND)

    def show_rows(self, rows):
        """Show a position."""
        self.show(board.picture(rows))

    def dark(self):
        """No lamp, no legend."""
        self.show(board.DARK)
        self.light()
