"""The buttons: a press counts 1 to 2 ms after its first edge, then the contact is ignored until it
has come to rest.

A pin interrupt on both edges sets a flag, so nobody is awake while nothing moves.
"""

import asyncio
import time

from machine import Pin
from micropython import const

from nimatron.devices import pins

# What a contact is in.
_REST = const(0)  # open
_EDGE = const(1)  # it moved: a press, or noise
_BLOCKED = const(2)  # its press has counted; it must come to rest before the next one

_SPIKE_US = const(1000)  # what is over by then was noise
_TRIES = const(10)  # looks at a contact that may be open just then, because it bounces
_TRY_US = const(100)
_CHARGE_MS = const(2)  # for the pull-ups to charge the cables


class Buttons:
    """Calls `pressed(name)` for each press, `released(name)` when its contact has come to rest,
    `held(name)` when it is still closed after `hold_ms`, and `fault(name, what)` for each contact
    that is held at boot, stuck, or free again; the names are those of pins.BUTTONS."""

    def __init__(self, settings, pressed, released, held, fault):
        self._settings = settings
        self._pressed = pressed
        self._released = released
        self._held = held
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
        await asyncio.sleep_ms(_CHARGE_MS)
        for contact in self._contacts:
            if contact.closed():
                contact.block()
                contact.stuck = True
                self._fault(contact.name, "held")
        asyncio.create_task(self._see_rest())
        while True:
            await self._touched.wait()
            for contact in self._contacts:
                if contact.state == _EDGE:
                    self._decide(contact)

    def _decide(self, contact):
        """Is it a press, or noise? The one place that waits without letting others run, 2 ms at
        most: asyncio counts whole milliseconds, and a press has five to reach the lamps."""
        left = _SPIKE_US - time.ticks_diff(time.ticks_us(), contact.edge_at)
        if left > 0:
            time.sleep_us(left)
        for _ in range(_TRIES):
            if contact.closed():
                contact.block()
                if self._reporting:
                    self._fault(contact.name, "closed")
                self._pressed(contact.name)
                asyncio.create_task(self._see_hold(contact, contact.blocked_at))
                return
            time.sleep_us(_TRY_US)
        contact.rest()

    async def _see_hold(self, contact, since):
        await asyncio.sleep_ms(self._settings.hold_ms)
        if contact.state == _BLOCKED and contact.blocked_at == since and contact.closed():
            self._held(contact.name)

    async def _see_rest(self):
        while True:
            await self._stirred.wait()
            again = self._look_for_rest()
            while again:
                await asyncio.sleep_ms(again)
                again = self._look_for_rest()

    def _look_for_rest(self):
        """Unblock each contact that has come to rest; returns in how many ms the next may be, 0 if
        there is none."""
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
                    self._released(contact.name)
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


class _Contact:
    """One contact to ground. `edge_at` is when its first edge came, in ticks_us; `blocked_at` when
    its press counted, and `moved_at` when it last moved or was last seen closed, in ticks_ms."""

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
        self.edge_at = time.ticks_us()
        self.state = _EDGE
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
