"""A Pico kept in step with the wall clock, in a thread of its own, for people to play on.

The Pico itself stays in virtual time: between two events the thread sleeps, and a press wakes it.
"""

import queue
import threading
from collections.abc import Callable
from functools import partial

from nimatron_sim import tiers
from nimatron_sim.pace import Pace
from nimatron_sim.pico import Pico
from nimatron_sim.script import HOLD_DOWN_MS, TAP_DOWN_MS
from nimatron_sim.ui.attendant import Connect

_NOTICED_US = 45_000  # between two moves of a contact: the firmware takes 25 ms to see one
_HURRY_US = 500_000  # taps further ahead than this are dropped: somebody leans on the keyboard
_PATIENCE_S = 2.0  # for the thread to end; firmware in an endless loop never does


class Live:
    """A live Pico, made by make(record). record(dict) gets each trace record, and
    failed(exception) the reason if the Pico ends early; both are called in the thread."""

    def __init__(
        self,
        make: Callable[[Callable[[dict], None]], Pico],
        record: Callable[[dict], None],
        failed: Callable[[BaseException], None],
    ):
        self._make = make
        self._record = record
        self._failed = failed
        self._orders: queue.SimpleQueue = queue.SimpleQueue()
        self._finger_free = 0  # when the last tap will be over, on the Pico's clock
        self._noticed: dict[str, int] = {}  # when each button's last move will be
        self._down: set[str] = set()
        self._thread = threading.Thread(target=self._run, name="pico", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def press(self, button: str) -> None:
        """Push a button down, and keep it there."""
        self._orders.put(lambda pico: self._move(pico, button, True))

    def release(self, button: str) -> None:
        self._orders.put(lambda pico: self._move(pico, button, False))

    def tap(self, button: str) -> None:
        """Press and release as a person does with one finger, one tap after another."""
        self._orders.put(lambda pico: self._tap(pico, button, TAP_DOWN_MS))

    def hold(self, button: str) -> None:
        """Press and release as in `tap`, but held long enough for a long press."""
        self._orders.put(lambda pico: self._tap(pico, button, HOLD_DOWN_MS))

    def send(self, line: str) -> None:
        """Type a line at the console."""
        self._orders.put(lambda pico: pico.send(line))

    def stop(self) -> None:
        """End the thread; returns when it has ended, or when it does not end in time."""
        self._orders.put(None)
        self._thread.join(_PATIENCE_S)

    def _move(self, pico, button, down):
        """Move a contact, but not before its last move was noticed: over a bad connection, presses
        can come in bursts."""
        now = pico.clock.now
        at = max(self._noticed.get(button, 0), now)
        if down == (button in self._down) or (down and at > now + _HURRY_US):
            return
        (self._down.add if down else self._down.discard)(button)
        self._noticed[button] = at + _NOTICED_US
        pico.clock.call_at(at, partial(pico.press if down else pico.release, button))

    def _tap(self, pico, button, down_ms):
        """Tap in the Pico's own time, so that a stuttering computer does not merge two taps."""
        now = pico.clock.now
        if self._finger_free > now + _HURRY_US:
            return
        down = max(self._finger_free, now)
        up = down + down_ms * 1000
        self._finger_free = up + _NOTICED_US
        pico.clock.call_at(down, partial(pico.press, button))
        pico.clock.call_at(up, partial(pico.release, button))

    def _run(self):
        try:
            self._keep_in_step(self._make(self._record))
        except BaseException as failure:
            self._failed(failure)

    def _keep_in_step(self, pico):
        pace = Pace(pico)
        while True:
            pico.run_to(pace.due())
            try:
                order = self._orders.get(timeout=pace.nap())
            except queue.Empty:
                continue
            if order is None:
                return
            pico.run_to(pace.due())
            order(pico)


def on_tier(tier: str, **how) -> Connect:
    """Sessions with a Pico of this tier, made as tiers.pico says; their records also say how
    bright the lamps are."""
    return lambda record, failed: Live(lambda record: _bright(tier, record, how), record, failed)


def _bright(tier, record, how):
    def record_brightness(change):
        if "lamps" in change:
            change = change | {"brightness": [round(b, 2) for b in pico.circuit.brightness()]}
        record(change)

    pico = tiers.pico(tier, record_brightness, entropy=None, **how)
    return pico
