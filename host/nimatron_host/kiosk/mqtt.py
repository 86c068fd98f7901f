"""The kiosk on an MQTT broker: a fleet bridge whose only line is the kiosk's machine."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Collection, Coroutine
from pathlib import Path
from typing import Any

from nimatron import protocol
from nimatron_host.fleet.bridge import Bridge
from nimatron_host.fleet.broker import Broker
from nimatron_host.fleet.command import supervised
from nimatron_host.fleet.line import Line
from nimatron_host.fleet.spool import Spool
from nimatron_host.kiosk.tables import Tables

_FOLDER = "fleet"  # the folder for unsent events. `nimatron fleet` has a separate folder
_KEEP = 1_000_000  # the most unsent events to keep
_PORT = "the kiosk"


async def report(
    serving: Coroutine[Any, Any, None],
    tables: Tables,
    broker: Broker,
    folder: Path,
    name: str,
    allowed: Collection[str],
    nameless: bool,
) -> None:
    """Serve the page, and report its first table and the results from all other tables to the
    broker. A failed attempt is logged in one line, and does not disturb visitors. `name` is the
    name of the bridge and the exhibit. For `nameless`, see KioskLine. Raises UserError if the page
    cannot be served.
    """
    logging.getLogger("mqtt").setLevel(logging.CRITICAL)  # the bridge has its own messages
    stopped = asyncio.Event()

    async def run() -> None:
        with contextlib.closing(Spool(folder / _FOLDER, _KEEP)) as spool:
            line = KioskLine(tables, nameless)
            await Bridge(name, broker, spool, {_PORT: name}, allowed, line).run(stopped)

    reporting = asyncio.create_task(supervised(run, stopped))
    try:
        await serving
    finally:
        stopped.set()
        await reporting


class KioskLine:
    """The line to the kiosk's machine, opened like fleet.line.open_line. If `nameless` is true,
    the Pico has no unique number, because all simulated Picos have the same number."""

    def __init__(self, tables: Tables, nameless: bool):
        self._kiosk = kiosk = tables.first
        self._nameless = nameless
        self._line: Line | None = None
        kiosk.heard.append(self._hear)
        tables.told = self._receive

    async def __call__(
        self, port: str, hear: Callable[[str], None], gone: Callable[[], None]
    ) -> Line:
        self._line = Line(hear, gone).attach(self._type, self._close)
        return self._line

    def _close(self) -> None:
        self._line = None

    def _type(self, data: bytes) -> None:
        for text in data.decode().replace("\n", "\r").split("\r"):
            if text.isprintable() and text.split():
                self._kiosk.machine.attendant.ask(text, self._receive)

    def _receive(self, line: str) -> None:
        kind, _, values = protocol.parse(line)
        if self._nameless and values.get("name") == "nimatron":
            values.pop("id", None)
            line = protocol.format(kind, *values.items())
        if self._line:
            self._line.receive(line.encode() + b"\n")

    def _hear(self, record: dict[str, Any]) -> None:
        """Send the console line in a trace record to the bridge."""
        if not record.get("cable", 1) and self._line:
            self._line.receive(b"")
        if protocol.parse(record.get("console", ""))[0] == protocol.EVENT:
            self._receive(record["console"])
