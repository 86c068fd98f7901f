"""The buttons. A press counts 1 to 2 ms after its first edge. Then the contact is debounced: it is
ignored until it has been open for a while, which counts as the release.

A contact that presses faster than a hand is noisy. It is ignored until it has been open for ten
seconds. A hand can make at most 16 presses per second, plus a burst of 36:
- one finger makes 5 to 7 per second (finger tapping test: 50 to 60 in ten seconds, fepsy.com)
- two fingers on one piano key made 824 in a minute, 13.7 a second (Guinness World Records)
- the fastest players of video games make 16 to 17 per second for ten seconds (T. Takahashi)

A pin interrupt on both edges sets a flag, so no task has to run until a contact moves.
"""

import asyncio
import time

from machine import Pin
from micropython import const

from nimatron.devices import pins

# the states of a contact
_OPEN = const(0)
_EDGE = const(1)  # the contact moved: a press, or noise
_DEBOUNCING = const(2)  # a press has counted. The next press counts after the release
_NOISY = const(3)  # the contact is ignored until it has rested

_SPIKE_US = const(1000)  # a shorter pulse is noise
_TRIES = const(10)  # samples of a contact. While it bounces, it may be open at some samples
_TRY_US = const(100)
_CHARGE_MS = const(2)  # until the pull-ups have charged the cables
_HAND = const(16)  # presses per second that a hand can make
_BURST = const(36)  # extra presses in a short burst. More presses are noise
_REST_MS = const(10_000)  # a noisy contact is used again when it has been open for this time


class Buttons:
    """All buttons. This object calls `pressed(name)` for each press and `released(name)` for each
    release. If the contact is still closed `hold_ms` after its press, it calls
    `long_pressed(name)`. It calls `fault(name, what)` for each contact that is held at boot,
    stuck, noisy, or free again. The names are in board.BUTTONS."""

    def __init__(self, settings, pressed, released, long_pressed, fault):
        self._settings = settings
        self._pressed = pressed
        self._released = released
        self._long_pressed = long_pressed
        self._fault = fault
        self._reporting = False
        self._edge_came = asyncio.ThreadSafeFlag()  # an open contact has moved
        self._bounced = asyncio.ThreadSafeFlag()  # a contact that is being debounced has moved
        edge_came, bounced = self._edge_came.set, self._bounced.set
        self._contacts = [_Contact(name, gpio, edge_came, bounced) for name, gpio in pins.BUTTONS]

    def closed(self):
        """Return the names of the closed contacts."""
        return [contact.name for contact in self._contacts if contact.closed()]

    def stuck(self):
        """Return the names of the contacts that are ignored: held at boot, stuck or noisy."""
        return [contact.name for contact in self._contacts if contact.stuck]

    def report(self, on):
        """Report each press and release through `fault`. A release also reports its number of
        edges."""
        self._reporting = on

    async def run(self):
        await asyncio.sleep_ms(_CHARGE_MS)
        for contact in self._contacts:
            if contact.closed():
                contact.debounce()
                self._ignore(contact, "held")
        asyncio.create_task(self._see_releases())
        while True:
            await self._edge_came.wait()
            for contact in self._contacts:
                if contact.state == _EDGE:
                    self._decide(contact)
            await asyncio.sleep_ms(0)  # let the lamps show the press
            for contact in self._contacts:
                if contact.is_new:
                    contact.is_new = False
                    asyncio.create_task(self._see_long_press(contact, contact.pressed_at))

    def _decide(self, contact):
        """Decide whether an edge was a press or noise.

        It waits up to 2 ms without yielding to other tasks: asyncio counts only whole
        milliseconds, and a press must reach the lamps within 5 ms.
        """
        left = _SPIKE_US - time.ticks_diff(time.ticks_us(), contact.edge_at)
        if left > 0:
            time.sleep_us(left)
        for _ in range(_TRIES):
            if contact.closed():
                contact.debounce()
                contact.presses += 1
                if self._reporting:
                    self._fault(contact.name, "closed")
                contact.is_new = True
                self._pressed(contact.name)
                return
            time.sleep_us(_TRY_US)
        contact.open()

    async def _see_long_press(self, contact, since):
        await asyncio.sleep_ms(self._settings.hold_ms)
        if contact.state == _DEBOUNCING and contact.pressed_at == since and contact.closed():
            self._long_pressed(contact.name)

    async def _see_releases(self):
        while True:
            await self._bounced.wait()
            again = self._release()
            while again:
                await asyncio.sleep_ms(again)
                again = self._release()

    def _release(self):
        """Release each contact that has been open for `settle_ms`. Return the milliseconds until
        the next release may be due, or 0 if no open contact is being debounced."""
        again = 0
        now = time.ticks_ms()
        for contact in self._contacts:
            if contact.state == _DEBOUNCING and not contact.closed():
                left = self._settings.settle_ms - time.ticks_diff(now, contact.moved_at)
                if left > 0:
                    again = left if not again else min(left, again)
                else:
                    if self._reporting:
                        self._fault(contact.name, "open edges=%d" % contact.edges)
                    contact.open()
                    self._released(contact.name)
                    if contact.stuck:
                        self._free(contact)
                    if contact.presses > _BURST:
                        contact.state = _NOISY
                        self._ignore(contact, "noisy")
        return again

    def _ignore(self, contact, what):
        contact.stuck = True
        self._fault(contact.name, what)

    def _free(self, contact):
        contact.stuck = False
        self._fault(contact.name, "free")

    def check(self):
        """Report contacts that are held too long, use rested noisy contacts again, and switch the
        pull-ups on again. Call this about once a second."""
        now = time.ticks_ms()
        for contact in self._contacts:
            contact.pull_up()
            contact.presses = max(0, contact.presses - _HAND)
            if contact.state == _OPEN:
                if contact.closed():
                    contact.open()
            elif contact.state == _DEBOUNCING:
                if contact.closed():
                    contact.moved_at = now
                    held = time.ticks_diff(now, contact.pressed_at)
                    if not contact.stuck and held >= self._settings.stuck_ms:
                        self._ignore(contact, "stuck")
                else:
                    self._bounced.set()
            elif contact.state == _NOISY:
                if contact.closed():
                    contact.moved_at = now
                elif time.ticks_diff(now, contact.moved_at) >= _REST_MS:
                    contact.open()
                    self._free(contact)


class _Contact:
    """A contact to ground. Its first edge came at `edge_at`, in ticks_us. Its press counted at
    `pressed_at`, in ticks_ms. It last moved, or was last found closed, at `moved_at`, in ticks_ms.
    `presses` counts the presses that are too fast for a hand (see `_HAND`)."""

    def __init__(self, name, gpio, edge_came, bounced):
        self.name = name
        self.state = _OPEN
        self.stuck = False
        self.is_new = False  # True if a press has just counted
        self.edge_at = self.pressed_at = self.moved_at = 0
        self.edges = 0  # edges since the last release
        self.presses = 0
        self._edge_came = edge_came
        self._bounced = bounced
        self._pin = Pin(gpio, Pin.IN, Pin.PULL_UP)
        self._pin.irq(self._moved, Pin.IRQ_FALLING | Pin.IRQ_RISING)

    def _moved(self, pin):
        self.moved_at = time.ticks_ms()
        self.edges += 1
        if self.state == _OPEN:
            self._edge()
        elif self.state == _DEBOUNCING:
            self._bounced()

    def _edge(self):
        self.edge_at = time.ticks_us()
        self.state = _EDGE
        self._edge_came()

    def open(self):
        """Treat the contact as open. If the contact is closed, an edge was missed."""
        self.state = _OPEN
        self.edges = 0
        if self.closed():
            self._edge()

    def pull_up(self):
        """Switch the pull-up on again. At a reset of the USB bus, pico-sdk's workaround for
        erratum RP2040-E5 takes GP15 for a millisecond, then restores the pad as it found it. A
        pull-up that was switched on in this millisecond is lost."""
        self._pin.init(pull=Pin.PULL_UP)

    def closed(self):
        return not self._pin.value()

    def debounce(self):
        self.state = _DEBOUNCING
        self.pressed_at = self.moved_at = time.ticks_ms()
