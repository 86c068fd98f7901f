"""A Pico kept in step with the wall clock, in a thread of its own, for people to play on.

The Pico itself stays in virtual time: between two events the thread sleeps, and a press wakes it.
"""

import queue
import threading
from collections.abc import Callable
from typing import Any

from nimatron_sim import tiers
from nimatron_sim.pace import Pace
from nimatron_sim.pico import Pico
from nimatron_sim.ui.attendant import Connect, Failed, Record
from nimatron_sim.ui.hands import Hands

_PATIENCE_S = 2.0  # for the thread to end; firmware in an endless loop never does


class Live:
    """A live Pico, made by make(record). record(dict) gets each trace record, and
    failed(exception) the reason if the Pico ends early; both are called in the thread."""

    def __init__(
        self,
        make: Callable[[Record], Pico],
        record: Record,
        failed: Failed,
    ) -> None:
        self._make = make
        self._record = record
        self._failed = failed
        self._orders: queue.SimpleQueue[Callable[[Hands], None] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="pico", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def press(self, button: str) -> None:
        """Push a button down, and keep it there."""
        self._orders.put(lambda hands: hands.press(button))

    def release(self, button: str) -> None:
        self._orders.put(lambda hands: hands.release(button))

    def tap(self, button: str) -> None:
        """Press and release as a person does with one finger, one tap after another."""
        self._orders.put(lambda hands: hands.tap(button))

    def hold(self, button: str) -> None:
        """Press and release as in `tap`, but held long enough for a long press."""
        self._orders.put(lambda hands: hands.hold(button))

    def send(self, line: str) -> None:
        """Type a line at the console."""
        self._orders.put(lambda hands: hands.send(line))

    def stop(self) -> None:
        """End the thread; returns when it has ended, or when it does not end in time."""
        self._orders.put(None)
        self._thread.join(_PATIENCE_S)

    def _run(self) -> None:
        try:
            self._keep_in_step(self._make(self._record))
        except BaseException as failure:
            self._failed(failure)

    def _keep_in_step(self, pico: Pico) -> None:
        pace, hands = Pace(pico), Hands(pico)
        while True:
            pico.run_to(pace.due())
            try:
                order = self._orders.get(timeout=pace.nap())
            except queue.Empty:
                continue
            if order is None:
                return
            pico.run_to(pace.due())
            order(hands)


def on_tier(tier: str, **how: Any) -> Connect:
    """Sessions with a Pico of this tier, made as tiers.pico says; their records also say how
    bright the lamps are."""
    return lambda record, failed: Live(lambda record: _bright(tier, record, how), record, failed)


def _bright(tier: str, record: Record, how: dict[str, Any]) -> Pico:
    def record_brightness(change: dict[str, Any]) -> None:
        if "lamps" in change:
            change = change | {"brightness": [round(b, 2) for b in pico.circuit.brightness()]}
        record(change)

    pico = tiers.pico(tier, record_brightness, entropy=None, **how)
    return pico
