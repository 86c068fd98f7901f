"""The sounder: short tunes on a PWM pin, one steady tone per note."""

import asyncio

from machine import PWM, Pin
from micropython import const

from nimatron.devices import pins
from nimatron.tunes import TUNES

_HALF = const(32768)  # half of 65536: the duty cycle of a square wave


class Sounder:
    """The sounder. It calls `heard(hertz)` with each tone, 0 for silence. If a tune fails while it
    plays, it calls `failed("sounder", why)`."""

    def __init__(self, settings, heard, failed):
        self._settings = settings
        self._heard = heard
        self._failed = failed
        self._pwm = PWM(Pin(pins.SOUNDER), freq=1000, duty_u16=0)
        self._task = None

    def play(self, name):
        """Start one of the TUNES, and stop any other tune. Returns at once."""
        if self._task:
            self._task.cancel()
        self._task = asyncio.create_task(self._sing(TUNES[name]))

    async def _sing(self, tune):
        try:
            try:
                for note in range(0, len(tune), 2):
                    self.tone(tune[note])
                    await asyncio.sleep_ms(tune[note + 1])
            finally:
                self.tone(0)
        except Exception as why:
            self._failed("sounder", why)

    def tone(self, hertz):
        """Sound a tone until the next call. 0 Hz is silence."""
        if self._settings.mute:
            hertz = 0
        if hertz:
            self._pwm.freq(hertz)
            self._pwm.duty_u16(_HALF)
        else:
            self._pwm.duty_u16(0)
        self._heard(hertz)
