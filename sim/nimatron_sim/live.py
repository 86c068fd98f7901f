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
        self._thread = threading.Thread(target=self._run, name="pico", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def press(self, button: str) -> None:
        """Push a button down, and keep it there."""
        self._orders.put((0, lambda pico: pico.press(button)))

    def release(self, button: str) -> None:
        self._orders.put((0, lambda pico: pico.release(button)))

    def tap(self, button: str) -> None:
        """Press and release as a person does."""
        self.press(button)
        self._orders.put((TAP_DOWN_MS * 1000, lambda pico: pico.release(button)))

    def send(self, line: str) -> None:
        """Type a line at the console."""
        self._orders.put((0, lambda pico: pico.send(line)))

    def stop(self) -> None:
        """End the thread; returns when it has ended."""
        self._orders.put((0, None))
        self._thread.join()

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
                delay, order = self._orders.get(timeout=self._nap(pico, waiting, start))
            except queue.Empty:
                continue
            if order is None:
                return
            now = round((time.monotonic() - start) * 1_000_000)
            heapq.heappush(waiting, (now + delay, next(order_number), order))

    def _nap(self, pico, waiting, start):
        """How long nothing will happen, in s."""
        moments = [us for us in (pico.clock.next, waiting[0][0] if waiting else None) if us]
        now = (time.monotonic() - start) * 1_000_000
        nap = min(moments, default=now + 1e9) - now
        return min(max(nap / 1_000_000, 0), _LONGEST_SLEEP_S)
