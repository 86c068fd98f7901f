"""A session with a real Pico, which mirrors its panel and sends presses through its console.

One thread reads, and another thread writes. Presses in the session and on the panel both count.
"""

import queue
import threading
import time
from collections import deque
from collections.abc import Callable

from nimatron import board, protocol
from nimatron_host.device.link import Gone, SerialLink
from nimatron_host.live import Connect, Failed, Record
from nimatron_sim.errors import UserError

_LISTEN_S = 0.25
_AGAIN_S = 0.5
_PATIENCE_S = 1  # time for the waiting bytes at the end
_HOLD_MS = 600  # the default until the Pico reports its `hold_ms`


def at(port: str) -> Connect:
    """Return a function that makes sessions with the Pico at `port`. Raises UserError."""
    line = SerialLink(port)
    line.nimatron()
    return lambda record, failed: DeviceSession(line, record, failed)


class DeviceSession:
    """A session with a real Pico. `line` is open, and Nimatron has answered on it. When the Pico
    goes away, the session sends the record {"cable": 0}, and later {"cable": 1}."""

    def __init__(self, line: SerialLink, record: Record, failed: Failed) -> None:
        self._line = line
        self._record = record
        self._failed = failed
        self._orders: queue.SimpleQueue[tuple[str, str] | None] = queue.SimpleQueue()
        self._asked: deque[bool] = deque()  # for each unanswered line: True if a person typed it
        self._sending = threading.Lock()  # keeps the answers in the order of `_asked`
        self._hold_ms = _HOLD_MS
        self._holds: dict[str, float] = {}  # button: the time when it counts as held down
        self._ended = False
        self._threads = [
            threading.Thread(target=self._run, args=[loop], daemon=True)
            for loop in (self._read, self._write)
        ]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Send the waiting bytes, and close the line, even if the Pico no longer takes bytes."""
        self._ended = True
        self._orders.put(None)
        end = time.monotonic() + _PATIENCE_S
        for thread in self._threads:
            thread.join(max(end - time.monotonic(), 0))
        self._line.drop()

    def order(self, verb: str, what: str) -> None:
        if verb in ("tap", "hold"):
            self._orders.put(("press", what))
        self._orders.put(("release" if verb == "tap" else verb, what))

    # ------------------------------------------------------------------ to the Pico

    def _write(self) -> None:
        while True:
            due = min(self._holds.values(), default=None)
            wait = None if due is None else max(due - time.monotonic(), 0)
            try:
                order = self._orders.get(timeout=wait)
            except queue.Empty:
                self._hold()
                continue
            if order is None:
                self._type("watch off", False)
                return
            verb, what = order
            if verb == "send":
                self._type(what, True)
            elif verb == "hold":
                self._holds[what] = time.monotonic()
            elif verb == "release":
                self._holds.pop(what, None)
            else:
                self._holds[what] = time.monotonic() + self._hold_ms / 1000
                self._type(f"press {what}", False)

    def _hold(self) -> None:
        for button, due in list(self._holds.items()):
            if due <= time.monotonic():
                del self._holds[button]
                self._type(f"hold {button}", False)

    def _type(self, text: str, somebodys: bool) -> None:
        """Type a line. The line is lost while the Pico is away."""
        with self._sending:
            try:
                self._line.send(text)
                self._asked.append(somebodys)
            except UserError:
                pass  # the reader notices it

    # ------------------------------------------------------------------ from the Pico

    def _read(self) -> None:
        self._begin()
        while not self._ended:
            try:
                said = self._line.read(_LISTEN_S)
                if said:
                    self._hear(said)
            except Gone:
                self._record({"cable": 0})
                self._reopen()

    def _reopen(self) -> None:
        while not self._ended:
            time.sleep(_AGAIN_S)
            try:
                self._line.open()
                if self._line.hello():
                    break
            except UserError:
                pass
        self._begin()

    def _begin(self) -> None:
        """Ask the Pico to report the state of its panel from now on."""
        with self._sending:
            self._asked.clear()
        self._type("settings hold_ms", False)
        self._type("watch on", False)
        self._record({"cable": 1})

    def _hear(self, said: str) -> None:
        kind, what, values = protocol.parse(said)
        if protocol.is_answer(said):
            somebodys = self._asked.popleft() if self._asked else True
            if values.get("key") == "hold_ms" and values.get("value", "").isdigit():
                self._hold_ms = int(values["value"])
            if not somebodys and "nonce" not in values:  # only an Attendant sends a nonce
                return
        if kind == protocol.EVENT and what in values:
            seen = _seen(what, values[what].split(","))
            if seen is not None:
                self._record({what: seen})
                return
        self._record({"console": said})
        if (kind, what) == (protocol.EVENT, "boot"):
            self._begin()

    def _run(self, loop: Callable[[], None]) -> None:
        try:
            loop()
        except BaseException as failure:
            self._failed(failure)


def _seen(what: str, values: list[str]) -> list[int] | list[str] | int | None:
    """Return the values in a `watch` event as a trace record. Return None for other events."""
    try:
        if what == "lamps" and len(values) == board.ROWS:
            return [int(mask) for mask in values]
        if what == "legends":
            return [] if values == ["none"] else values
        if what in ("sound", "coin"):
            return int(values[0])
    except ValueError:
        pass
    return None
