"""A Pico in step with the wall clock, as far as this computer keeps up.

Whoever drives it asks `due` how far the Pico should run, runs it there, and sleeps for `nap`.
"""

import time

from nimatron_sim.pico import Pico

_SLIP_US = 50_000  # further behind than this, time is let slip: no race to catch up
_SLICE_US = 10_000  # run at most at a time, or else the keyboard is dead while a slow Pico works
_LONGEST_US = 1_000_000


class Pace:
    def __init__(self, pico: Pico):
        self._pico = pico
        self._start = time.monotonic() - pico.clock.now / 1_000_000  # when its clock showed 0
        self._wake = 0  # before that, nothing happens: a Pico that sleeps is not late

    def us(self, moment: float) -> int:
        """What the Pico's clock shows at a moment of time.monotonic()."""
        return round((moment - self._start) * 1_000_000)

    def due(self) -> int:
        """What the Pico's clock should show next, in us; never less than it does."""
        busy_since = max(self._pico.clock.now, self._wake)
        now = self.us(time.monotonic())
        late = now - busy_since
        if late > _SLIP_US:
            self._start += late / 1_000_000
            now = busy_since
        return max(self._pico.clock.now, min(now, busy_since + _SLICE_US))

    def nap(self, then: int | None = None) -> float:
        """How long nothing happens, in s; `then` is when the driver has something to do, in us."""
        now = self.us(time.monotonic())
        self._wake = self._pico.next_moment(now + _LONGEST_US)
        if then is not None:
            self._wake = min(self._wake, then)
        return max(self._wake - now, 0) / 1_000_000
