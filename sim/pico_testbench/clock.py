"""Virtual time, in microseconds. It passes only while no part has anything to do.

The CPU calls `wait` when a real CPU would sleep. Other parts set alarms for events that the CPU
does not cause, such as the bounce of a contact.
"""

from heapq import heappop, heappush

NEVER = 1 << 60  # us


class Clock:
    """A virtual clock. `now` is in microseconds since power-on.

    Time runs up to `limit`. When time reaches the limit, the clock calls `pause()`, which returns
    when the host has moved the limit. `next` is the time of the next event, unless the host does
    something. At the end of each moment, before time moves on, the clock calls `settled()`. If
    this call returns true, the clock pauses for the host. Any event that gives the CPU something
    to do increments `stirs`.
    """

    def __init__(self):
        self.now = 0
        self.limit = NEVER
        self.next = 0
        self.pause = None
        self.settled = _nothing
        self.stirs = 0
        self._alarms = [[NEVER, 0, _fail, ()]]  # the first alarm needs no search for one
        self._count = 0

    def call_at(self, us, ring, *args):
        """Call ring(*args) when time reaches `us`. Return the alarm, for `cancel`."""
        self._count += 1  # alarms for the same moment ring in the order they were set
        alarm = [us, self._count, ring, args]
        heappush(self._alarms, alarm)
        return alarm

    def cancel(self, alarm):
        alarm[2] = _nothing
        alarm[3] = ()

    def wait(self, until):
        """Let time pass until `until`, or forever if `until` is None. Return earlier if an event
        gives the CPU something to do, or after a pause for the host."""
        if until is None:
            until = NEVER
        alarms, stirs = self._alarms, self.stirs
        while True:
            then = alarms[0][0]
            rings = then <= until
            if not rings:
                then = until
            if then > self.now:
                if then > self.limit:
                    self.next = then
                    self._pass_to(self.limit)
                    self.pause()
                    return
                if self.settled():
                    self.next = then
                    self.pause()
                    return
                self.now = then
            if not rings:
                return
            _, _, ring, args = heappop(alarms)
            ring(*args)
            if self.stirs != stirs and alarms[0][0] > self.now:
                return

    def pass_to(self, us):
        """Let time pass while no CPU runs, so that only alarms ring. Return False if the host
        wants to look first."""
        while self._alarms[0][0] <= us:
            if not self._pass_to(self._alarms[0][0]):
                return False
        self.next = self._alarms[0][0]
        return self._pass_to(us)

    def _pass_to(self, us):
        """Let time pass to `us`, and ring the alarms due then. No alarm may be due earlier. Return
        False if the host wants to look first."""
        if us > self.now:
            if self.settled():
                return False
            self.now = us
        alarms = self._alarms
        while alarms[0][0] <= self.now:
            _, _, ring, args = heappop(alarms)
            ring(*args)
        return True

    def next_alarm(self):
        """Return the time of the next alarm in us, or the far future if no alarm is set."""
        return self._alarms[0][0]


def _nothing():
    pass


def _fail():
    raise RuntimeError("nothing will ever happen again")
