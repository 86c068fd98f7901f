"""A Pico kept in step with the wall clock, in a thread of its own, for people to play on.

The Pico itself stays in virtual time: between two events the thread sleeps, and a press wakes it.
"""

import heapq
import itertools
import queue
import threading
import time
from collections.abc import Callable

from nimatron_sim.pico import SimulatedPico
from nimatron_sim.script import TAP_DOWN_MS

_SLIP_US = 500_000  # further behind than this, time is let slip: the computer was asleep
_LONGEST_SLEEP_S = 1.0
_TAP_UP_MS = 45  # the least between two taps: the firmware takes 25 ms to see a contact open
_HURRY_S = 0.5  # taps further ahead than this are dropped: somebody leans on the keyboard
_PATIENCE_S = 2.0  # for the thread to end; firmware in an endless loop never does


class Live:
    """make(record) makes the Pico; record(dict), called in the thread, gets each trace record;
    failed(exception), called in the thread too, is told why it has ended early."""

    def __init__(
        self,
        make: Callable[[Callable[[dict], None]], SimulatedPico],
        record: Callable[[dict], None],
        failed: Callable[[BaseException], None],
    ):
        self._make = make
        self._record = record
        self._failed = failed
        self._orders: queue.SimpleQueue = queue.SimpleQueue()
        self._finger_free = 0.0  # when the last tap will be over
        self._thread = threading.Thread(target=self._run, name="pico", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def press(self, button: str) -> None:
        """Push a button down, and keep it there."""
        self._orders.put((time.monotonic(), lambda pico: pico.press(button)))

    def release(self, button: str) -> None:
        self._orders.put((time.monotonic(), lambda pico: pico.release(button)))

    def tap(self, button: str) -> None:
        """Press and release as a person does, with one finger: after the tap before."""
        now = time.monotonic()
        if self._finger_free > now + _HURRY_S:
            return
        down = max(self._finger_free, now)
        up = down + TAP_DOWN_MS / 1000
        self._finger_free = up + _TAP_UP_MS / 1000
        self._orders.put((down, lambda pico: pico.press(button)))
        self._orders.put((up, lambda pico: pico.release(button)))

    def send(self, line: str) -> None:
        """Type a line at the console."""
        self._orders.put((time.monotonic(), lambda pico: pico.send(line)))

    def stop(self) -> None:
        """End the thread; returns when it has ended, or will not."""
        self._orders.put((time.monotonic(), None))
        self._thread.join(_PATIENCE_S)

    def _run(self):
        try:
            self._keep_in_step(self._make(self._record))
        except BaseException as failure:
            self._failed(failure)

    def _keep_in_step(self, pico):
        start = time.monotonic()
        order_number = itertools.count()
        waiting = []  # heap of (when in us, number, order)
        while True:
            now = round((time.monotonic() - start) * 1_000_000)
            if now > pico.clock.now + _SLIP_US:
                start += (now - pico.clock.now) / 1_000_000
                now = pico.clock.now
            while waiting and waiting[0][0] <= now:
                when, _, order = heapq.heappop(waiting)
                pico.run_to(max(when, pico.clock.now))
                order(pico)
            pico.run_to(max(now, pico.clock.now))
            try:
                due, order = self._orders.get(timeout=self._nap(pico, waiting, start))
            except queue.Empty:
                continue
            if order is None:
                return
            due_us = round((due - start) * 1_000_000)
            heapq.heappush(waiting, (due_us, next(order_number), order))

    def _nap(self, pico, waiting, start):
        """How long nothing will happen, in s."""
        moments = [us for us in (pico.clock.next, waiting[0][0] if waiting else None) if us]
        now = (time.monotonic() - start) * 1_000_000
        nap = min(moments, default=now + 1e9) - now
        return min(max(nap / 1_000_000, 0), _LONGEST_SLEEP_S)
