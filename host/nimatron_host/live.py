"""A Pico to play on, in step with the wall clock, in a thread or an event loop.

The Pico itself stays in virtual time. Nothing runs between two events, and a press wakes the Pico.
"""

import asyncio
import queue
import threading
from collections.abc import Callable
from typing import Any, Protocol

from nimatron_play.hands import Hands
from nimatron_sim import backends
from nimatron_sim.base_pico import Pico
from nimatron_sim.pace import Pace

_PATIENCE_S = 2.0  # timeout for the end of the thread. Firmware in an endless loop never ends


class Session(Protocol):
    """A Pico to play on."""

    def start(self) -> None: ...

    def stop(self) -> None: ...

    def order(self, verb: str, what: str) -> None:
        """Act as one of the methods of Hands: press, release, tap or hold a button, or send a
        line."""


Record = Callable[[dict[str, Any]], object]
Failed = Callable[[BaseException], object]
Connect = Callable[[Record, Failed], Session]


class Live:
    """A thread that runs the Pico from make(record). It calls record(dict) with each trace
    record, and failed(exception) with the reason if the Pico ends early."""

    def __init__(
        self,
        make: Callable[[Record], Pico],
        record: Record,
        failed: Failed,
    ) -> None:
        self._make = make
        self._record = record
        self._failed = failed
        self._orders: queue.SimpleQueue[tuple[str, str] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="pico", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def order(self, verb: str, what: str) -> None:
        self._orders.put((verb, what))

    def stop(self) -> None:
        """End the thread, and wait until it has ended or a timeout has passed."""
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
            verb, what = order
            getattr(hands, verb)(what)


class InLoop(Live):
    """A live Pico in the event loop that starts it. Hundreds of Picos can share one thread, so
    that none waits for Python's lock. While the firmware of one runs a step, all others wait."""

    def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._timer = self._loop.call_soon(self._run)
        self._pace: Pace | None = None

    def order(self, verb: str, what: str) -> None:
        super().order(verb, what)
        self._run()

    def stop(self) -> None:
        """Stop the simulated Pico. Any thread may call this."""
        self._orders.put(None)

    def _run(self) -> None:
        """Catch up with the clock, and carry out the orders."""
        self._timer.cancel()
        try:
            if not self._pace:
                self._pico = self._make(self._record)
                self._pace, self._hands = Pace(self._pico), Hands(self._pico)
            self._pico.run_to(self._pace.due())
            while not self._orders.empty():
                order = self._orders.get()
                if order is None:
                    return
                verb, what = order
                getattr(self._hands, verb)(what)
                self._pico.run_to(self._pace.due())
            self._timer = self._loop.call_later(self._pace.nap(), self._run)
        except BaseException as failure:
            self._failed(failure)


def on_tier(tier: str, live: type[Live] = Live, **how: Any) -> Connect:
    """Return a function that makes sessions with a Pico on this backend (see backends.pico). Their
    records also contain the brightness of the lamps. The class `live` runs the Pico."""
    return lambda record, failed: live(lambda record: _bright(tier, record, how), record, failed)


def _bright(tier: str, record: Record, how: dict[str, Any]) -> Pico:
    def record_brightness(change: dict[str, Any]) -> None:
        if "lamps" in change:
            change = change | {"brightness": [round(b, 2) for b in pico.circuit.brightness()]}
        record(change)

    pico = backends.pico(tier, record_brightness, entropy=None, **how)
    return pico
