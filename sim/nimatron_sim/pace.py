"""A pace that keeps a Pico in step with the wall clock, while this computer is fast enough.

A driver runs the Pico to the reading from `due`, and then sleeps for the time from `nap`.
"""

import time

_SLIP_US = 50_000  # if the Pico is further behind than this, do not try to catch up
_SLICE_US = 10_000  # the most to run at a time, so that the keyboard responds on a slow computer
_LONGEST_US = 1_000_000


class Pace:
    """The pace of `pico`, which can be any object with a `clock` and next_moment(end)."""

    def __init__(self, pico):
        self._pico = pico
        self._start = time.monotonic() - pico.clock.now / 1_000_000  # at the Pico's time 0
        self._wake = 0  # nothing happens before this reading, because a sleeping Pico is not late

    def us(self, moment: float) -> int:
        """Return the Pico's clock reading that corresponds to a time from time.monotonic()."""
        return round((moment - self._start) * 1_000_000)

    def due(self) -> int:
        """Return the next reading that the Pico's clock should reach, in us, never in the past."""
        busy_since = max(self._pico.clock.now, self._wake)
        now = self.us(time.monotonic())
        late = now - busy_since
        if late > _SLIP_US:
            self._start += late / 1_000_000
            now = busy_since
        return max(self._pico.clock.now, min(now, busy_since + _SLICE_US))

    def nap(self, then: int | None = None) -> float:
        """Return the time until the next event, in s. The driver's next task is due at the reading
        `then`, in us."""
        now = self.us(time.monotonic())
        self._wake = self._pico.next_moment(now + _LONGEST_US)
        if then is not None:
            self._wake = min(self._wake, then)
        return max(self._wake - now, 0) / 1_000_000
