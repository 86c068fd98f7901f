"""Keep a Pico in step with the wall clock, while this computer keeps up.

A driver asks `due` how far the Pico should run, runs it there, and sleeps for `nap`.
"""

import time

_SLIP_US = 50_000  # if further behind than this, do not try to catch up
_SLICE_US = 10_000  # the most to run at a time, so that the keyboard responds on a slow computer
_LONGEST_US = 1_000_000


class Pace:
    """The pace of a `pico`: anything with a `clock`, and with next_moment(end)."""

    def __init__(self, pico):
        self._pico = pico
        self._start = time.monotonic() - pico.clock.now / 1_000_000  # when its clock showed 0
        self._wake = 0  # nothing happens before that: a Pico that sleeps is not late

    def us(self, moment: float) -> int:
        """The reading of the Pico's clock at a time of time.monotonic()."""
        return round((moment - self._start) * 1_000_000)

    def due(self) -> int:
        """The next reading that the Pico's clock should reach, in us. Never in its past."""
        busy_since = max(self._pico.clock.now, self._wake)
        now = self.us(time.monotonic())
        late = now - busy_since
        if late > _SLIP_US:
            self._start += late / 1_000_000
            now = busy_since
        return max(self._pico.clock.now, min(now, busy_since + _SLICE_US))

    def nap(self, then: int | None = None) -> float:
        """The time in s until the next event. `then` is when the driver's next task is due, in
        us."""
        now = self.us(time.monotonic())
        self._wake = self._pico.next_moment(now + _LONGEST_US)
        if then is not None:
            self._wake = min(self._wake, then)
        return max(self._wake - now, 0) / 1_000_000
