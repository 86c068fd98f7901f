"""The buttons: a press counts 1 to 5 ms after its first edge, then the contact is ignored until it
has come to rest.

A pin interrupt on both edges sets one flag, so nobody is awake while nothing moves.
"""

import asyncio
import time

from machine import Pin

from nimatron import pins

# What a contact is in.
_REST = 0  # open
_EDGE = 1  # it moved: a press, or noise
_BLOCKED = 2  # its press has counted; it must come to rest before the next one

# After an edge, in ms ticks. Two ticks are more than 1 ms: a spike shorter than that is over.
_PRESS = 2
_NOISE = 4  # looked at three times by then; a bouncing contact may be open at one of them

_REST_LOOK = 2  # ms from look to look while a contact comes to rest


class Buttons:
    """Calls `pressed(name)` for each press and `fault(name, what)` for each contact that is
    held at boot, stuck, or free again; the names are those of pins.BUTTONS."""

    def __init__(self, settings, pressed, fault):
        self._settings = settings
        self._pressed = pressed
        self._fault = fault
        self._moved = asyncio.ThreadSafeFlag()
        self._contacts = [_Contact(name, gpio, self._moved.set) for name, gpio in pins.BUTTONS]

    async def run(self):
        await asyncio.sleep_ms(_REST_LOOK)  # the pull-ups have charged the cables
        for contact in self._contacts:
            if contact.closed():
                contact.block()
                self._fault(contact.name, "held")
        while True:
            await self._moved.wait()
            again = self._look()
            while again:
                await asyncio.sleep_ms(again)
                again = self._look()

    def _look(self):
        """Look at every contact once; returns in how many ms to look again, 0 for at its edge."""
        again = 0
        now = time.ticks_ms()
        for contact in self._contacts:
            closed = contact.closed()
            state = contact.state
            if state == _BLOCKED:
                if closed:
                    contact.moved_at = now
                elif time.ticks_diff(now, contact.moved_at) < self._settings.settle_ms:
                    again = again or _REST_LOOK
                else:
                    contact.state = _REST
                    if contact.stuck:
                        contact.stuck = False
                        self._fault(contact.name, "free")
            elif state == _EDGE or closed:
                if state == _REST:  # its edge came while it was being unblocked
                    contact.edge()
                age = time.ticks_diff(now, contact.edge_at)
                if closed and age >= _PRESS:
                    contact.block()
                    self._pressed(contact.name)
                elif age >= _NOISE:
                    contact.state = _REST
                else:
                    again = _PRESS - age if age < _PRESS else 1
        return again

    def check(self):
        """Report contacts held too long; to be called about once a second."""
        now = time.ticks_ms()
        for contact in self._contacts:
            if contact.state == _BLOCKED and contact.closed():
                contact.moved_at = now
                held = time.ticks_diff(now, contact.blocked_at)
                if not contact.stuck and held >= self._settings.stuck_ms:
                    contact.stuck = True
                    self._fault(contact.name, "stuck")


class _Contact:
    """One contact to ground. Times are in ticks_ms: `edge_at` of its first edge, `blocked_at` of
    its press, `moved_at` when it last moved or was last seen closed."""

    def __init__(self, name, gpio, wake):
        self.name = name
        self.state = _REST
        self.stuck = False
        self.edge_at = self.blocked_at = self.moved_at = 0
        self._wake = wake
        self._pin = Pin(gpio, Pin.IN, Pin.PULL_UP)
        self._pin.irq(self.edge, Pin.IRQ_FALLING | Pin.IRQ_RISING)

    def edge(self, pin=None):
        self.moved_at = time.ticks_ms()
        if self.state == _REST:
            self.state = _EDGE
            self.edge_at = self.moved_at
        self._wake()

    def closed(self):
        return not self._pin.value()

    def block(self):
        self.state = _BLOCKED
        self.blocked_at = self.moved_at = time.ticks_ms()
