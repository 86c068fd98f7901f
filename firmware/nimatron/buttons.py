"""The buttons: a press counts 1 to 5 ms after its first edge, then the contact is ignored until it
has come to rest.

A pin interrupt on both edges sets a flag, so nobody is awake while nothing moves.
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


class Buttons:
    """Calls `pressed(name)` for each press and `fault(name, what)` for each contact that is
    held at boot, stuck, or free again; the names are those of pins.BUTTONS."""

    def __init__(self, settings, pressed, fault):
        self._settings = settings
        self._pressed = pressed
        self._fault = fault
        self._reporting = False
        self._touched = asyncio.ThreadSafeFlag()  # a contact at rest has moved
        self._stirred = asyncio.ThreadSafeFlag()  # a blocked one has
        self._contacts = [
            _Contact(name, gpio, self._touched.set, self._stirred.set)
            for name, gpio in pins.BUTTONS
        ]

    def closed(self):
        """The names of the contacts that are closed."""
        return [contact.name for contact in self._contacts if contact.closed()]

    def report(self, on):
        """Report, as a fault is, each press and each rest with the edges that came between."""
        self._reporting = on

    async def run(self):
        await asyncio.sleep_ms(_PRESS)  # the pull-ups have charged the cables
        for contact in self._contacts:
            if contact.closed():
                contact.block()
                self._fault(contact.name, "held")
        asyncio.create_task(_watch(self._stirred, self._look_for_rest))
        await _watch(self._touched, self._look_for_presses)

    def _look_for_presses(self):
        """Decide on each contact that has moved; returns in how many ms to look again, 0 for
        when one moves."""
        again = 0
        now = time.ticks_ms()
        for contact in self._contacts:
            if contact.state == _EDGE:
                age = time.ticks_diff(now, contact.edge_at)
                if age < _PRESS:
                    again = _PRESS - age
                elif contact.closed():
                    contact.block()
                    if self._reporting:
                        self._fault(contact.name, "closed")
                    self._pressed(contact.name)
                elif age < _NOISE:
                    again = 1
                else:
                    contact.rest()
        return again

    def _look_for_rest(self):
        """Unblock each contact that has come to rest; returns as above."""
        again = 0
        now = time.ticks_ms()
        for contact in self._contacts:
            if contact.state == _BLOCKED and not contact.closed():
                left = self._settings.settle_ms - time.ticks_diff(now, contact.moved_at)
                if left > 0:
                    again = left if not again else min(left, again)
                else:
                    if self._reporting:
                        self._fault(contact.name, "open edges=%d" % contact.edges)
                    contact.rest()
                    if contact.stuck:
                        contact.stuck = False
                        self._fault(contact.name, "free")
        return again

    def check(self):
        """Report contacts held too long; to be called about once a second."""
        now = time.ticks_ms()
        for contact in self._contacts:
            if contact.state == _REST:
                contact.rest()
            elif contact.state == _BLOCKED:
                if contact.closed():
                    contact.moved_at = now
                    held = time.ticks_diff(now, contact.blocked_at)
                    if not contact.stuck and held >= self._settings.stuck_ms:
                        contact.stuck = True
                        self._fault(contact.name, "stuck")
                else:
                    self._stirred.set()


async def _watch(flag, look):
    """Look whenever the flag is set, and as often again as the look asks for."""
    while True:
        await flag.wait()
        again = look()
        while again:
            await asyncio.sleep_ms(again)
            again = look()


class _Contact:
    """One contact to ground. Times are in ticks_ms: `edge_at` of its first edge, `blocked_at` of
    its press, `moved_at` when it last moved or was last seen closed."""

    def __init__(self, name, gpio, touched, stirred):
        self.name = name
        self.state = _REST
        self.stuck = False
        self.edge_at = self.blocked_at = self.moved_at = 0
        self.edges = 0  # since it was last at rest
        self._touched = touched
        self._stirred = stirred
        self._pin = Pin(gpio, Pin.IN, Pin.PULL_UP)
        self._pin.irq(self._moved, Pin.IRQ_FALLING | Pin.IRQ_RISING)

    def _moved(self, pin):
        self.moved_at = time.ticks_ms()
        self.edges += 1
        if self.state == _REST:
            self._edge()
        elif self.state == _BLOCKED:
            self._stirred()

    def _edge(self):
        self.state = _EDGE
        self.edge_at = time.ticks_ms()
        self._touched()

    def rest(self):
        """It is open. If it is not, its edge came while we looked elsewhere, or was lost."""
        self.state = _REST
        self.edges = 0
        if self.closed():
            self._edge()

    def closed(self):
        return not self._pin.value()

    def block(self):
        self.state = _BLOCKED
        self.blocked_at = self.moved_at = time.ticks_ms()
