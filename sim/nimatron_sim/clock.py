"""Virtual time: microseconds that pass only while nothing has anything to do.

The CPU calls `wait` where a real one sleeps; its surroundings set alarms for events that happen by
themselves (a contact bounces, a timer rings).
"""

from heapq import heappop, heappush


class Clock:
    """The clock. `now` is in microseconds since power-on.

    Time runs up to `limit` (None: no limit). There `pause()` is called, which returns when the
    host has moved the limit; meanwhile `next` is the time of the next event (None: none, unless
    the host does something). `settled()` is called whenever a moment is over, before time moves
    on; if it returns true, the clock pauses there for the host.
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
        self._count += 1  # alarms for the same moment ring in the order they were set
        alarm = [us, self._count, ring, args]
        heappush(self._alarms, alarm)
        return alarm

    def cancel(self, alarm):
        alarm[2] = _nothing
        alarm[3] = ()

    def wait(self, until):
        """Let time pass, at most until `until` (None: for ever). It returns earlier after an alarm
        or after a pause for the host."""
        alarms = self._alarms
        then = until
        if alarms and (then is None or alarms[0][0] < then):
            then = alarms[0][0]
        limit = self.limit
        if limit is not None and (then is None or then > limit):
            self.next = then
            self._pass_to(limit)
            self.pause()
        elif then is None:
            raise RuntimeError("nothing will ever happen again")
        elif then > self.now and self.settled():
            self.next = then
            self.pause()
        else:
            if then > self.now:
                self.now = then
            while alarms and alarms[0][0] <= self.now:
                _, _, ring, args = heappop(alarms)
                ring(*args)

    def pass_to(self, us):
        """Let time pass with no CPU: only alarms ring. False if the host wants to look first."""
        while self._alarms and self._alarms[0][0] <= us:
            if not self._pass_to(self._alarms[0][0]):
                return False
        self.next = self._alarms[0][0] if self._alarms else None
        return self._pass_to(us)

    def _pass_to(self, us):
        """Let time pass to `us`, and ring the alarms due then; none may be due earlier. False if
        the host wants to look first."""
        if us > self.now:
            if self.settled():
                return False
            self.now = us
        alarms = self._alarms
        while alarms and alarms[0][0] <= self.now:
            _, _, ring, args = heappop(alarms)
            ring(*args)
        return True

    def next_alarm(self):
        """When the next alarm rings, in us; None if none is set."""
        return self._alarms[0][0] if self._alarms else None


def _nothing():
    pass
