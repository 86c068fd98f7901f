"""Virtual time: microseconds that pass only while nobody has anything to do.

The CPU calls `wait` where a real one sleeps; the world sets alarms where something will happen by
itself (a contact bounces, a timer rings).
"""

import heapq


class Clock:
    """`now` is in microseconds since power-on.

    `limit` is how far time may run before the host wants to look (None: as far as it likes); then
    `pause()` is called, which returns when the host has moved the limit; `next` is when something
    will happen then (None: never, unless the host does something). `settled()` is called whenever
    a moment is over, before time moves on.
    """

    def __init__(self):
        self.now = 0
        self.limit = None
        self.next = 0
        self.pause = None
        self.settled = _nothing
        self._alarms = []
        self._count = 0

    def call_at(self, us, ring, *args):
        """Call ring(*args) when time reaches `us`; returns the alarm, for `cancel`."""
        self._count += 1  # alarms of one moment ring in the order they were set
        alarm = [us, self._count, ring, args]
        heapq.heappush(self._alarms, alarm)
        return alarm

    def cancel(self, alarm):
        alarm[2] = _nothing
        alarm[3] = ()

    def wait(self, until):
        """Let time pass, at most until `until` (None: for ever): an alarm that rings, or a host
        that has looked, may be the reason to look round earlier."""
        alarms = self._alarms
        then = until
        if alarms and (then is None or alarms[0][0] < then):
            then = alarms[0][0]
        if self.limit is not None and (then is None or then > self.limit):
            self.next = then
            self._move(self.limit)
            self.pause()
        elif then is None:
            raise RuntimeError("nothing will ever happen again")
        else:
            self._move(then)
            self._ring()

    def pass_to(self, us):
        """Let time pass with no CPU: only alarms ring."""
        while self._alarms and self._alarms[0][0] <= us:
            self._move(self._alarms[0][0])
            self._ring()
        self.next = self._alarms[0][0] if self._alarms else None
        self._move(us)

    def _move(self, us):
        if us > self.now:
            self.settled()
            self.now = us

    def _ring(self):
        alarms = self._alarms
        while alarms and alarms[0][0] <= self.now:
            _, _, ring, args = heapq.heappop(alarms)
            ring(*args)

    def next_alarm(self):
        """When the next alarm rings, in us; None if none is set."""
        return self._alarms[0][0] if self._alarms else None


def _nothing():
    pass
