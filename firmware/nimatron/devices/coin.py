"""The coin chute: its solenoid drops one token per pulse."""

import asyncio

from machine import Pin

from nimatron.devices import pins


class Coin:
    def __init__(self, settings):
        self._settings = settings
        self._pin = Pin(pins.COIN, Pin.OUT, value=0)

    async def drop(self):
        """Drop one token: open the chute for `coin_ms`. The solenoid is switched off even if
        this task is cancelled, because it would burn out."""
        self._pin.value(1)
        try:
            await asyncio.sleep_ms(self._settings.coin_ms)
        finally:
            self.shut()

    def shut(self):
        self._pin.value(0)

    def high(self):
        """Return True if the pad is high. If no token is dropping, the wiring holds it high."""
        return bool(self._pin.value())
