"""A table behind the server: its machine, threads and files."""

import asyncio
import contextlib
import logging
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

from aiohttp import WSCloseCode

from nimatron_host.kiosk.matches import Matches
from nimatron_host.kiosk.peer import Peer
from nimatron_host.kiosk.state_files import Pages, Quiet, Settings
from nimatron_host.kiosk.tokens import NONE, Tokens
from nimatron_host.live import Connect
from nimatron_play import pico_reports
from nimatron_play.machine import Machine
from nimatron_play.surroundings import Surroundings
from nimatron_sim.errors import stopped

# The lamps come first, because a thinking thread holds Python's lock.
_THINK_S = 0.02

log = logging.getLogger("nimatron.kiosk")


class Kiosk:
    """A table with the machine from connect().

    spectate, places, public: see Machine.
    tokens: the tokens of the players and the operator.
    matches: the database.
    pages: the kept choices for the pages.
    language, quiet: other choices for this start.
    kept: the operator's settings, for a Pico that forgets them.
    defaults, place: see Operator.
    first: True for the first table, whose Pico the kiosk checks.

    `heard` is a list of functions that are called with each trace record.
    """

    def __init__(
        self,
        connect: Connect,
        lines: list[str],
        spectate: bool = False,
        tokens: Tokens = NONE,
        matches: Matches | None = None,
        language: str = "",
        quiet: Quiet | None = None,
        kept: Settings | None = None,
        pages: Pages | None = None,
        defaults: dict[str, object] | None = None,
        place: Callable[[str], str] = lambda fault: "",
        places: int = 2,
        public: bool = False,
        first: bool = True,
    ) -> None:
        self.tokens = tokens
        self.defaults = defaults or {}
        self.place = place
        self.kept = kept
        self.matches = matches or Matches()
        self.begun_at = time.monotonic()
        self.ended: asyncio.Future[None] | None = None
        self.heard: list[Callable[[dict[str, Any]], object]] = []
        pages = pages or Pages()
        if first:
            pages.quiet = quiet or pages.quiet
            pages.language = language or pages.language
        surroundings = Surroundings(
            self.matches,
            pages,
            note=self.matches.note if first else lambda what, detail: None,
            warn=lambda text: log.warning("%s", text),
            think=self._think,
            soon=lambda show: asyncio.get_running_loop().call_soon(show),
        )
        session = connect(self._record, lambda why: self._hand_over(self._fail, why))
        self.machine = Machine(session, lines, surroundings, spectate, places, public)
        self._session = session
        self._thinker = ThreadPoolExecutor(1, "explain")
        self._stopped = False  # if True, ignore a Pico that did not end in time
        self._records: deque[dict[str, Any]] = deque()  # records from the Pico's thread
        self._comes = False  # True while a call of `_take_in` is scheduled

    def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.ended = self._loop.create_future()
        self.machine.start()
        self._round = self._loop.create_task(self._look_after())

    def _hand_over(self, call: Callable[..., object], *what: Any) -> None:
        with contextlib.suppress(RuntimeError):  # the event loop has ended
            self._loop.call_soon_threadsafe(call, *what)

    def _record(self, record: dict[str, Any]) -> None:
        self._records.append(record)
        if not self._comes:
            self._comes = True
            self._hand_over(self._take_in)

    def _take_in(self) -> None:
        """Process the records from the Pico's thread."""
        self._comes = False
        records = [self._records.popleft() for _ in range(len(self._records))]
        self.machine.take(records)
        for record in records:
            for hear in self.heard:
                hear(record)

    def _fail(self, why: BaseException) -> None:
        if self.ended and not self.ended.done():
            self.ended.set_exception(stopped(why))

    def _think(self, work: Callable[[], Any], then: Callable[[Any], object]) -> None:
        def begin() -> None:
            if not self._stopped:
                answer = self._loop.run_in_executor(self._thinker, work)
                answer.add_done_callback(known)

        def known(answer: asyncio.Future[Any]) -> None:
            if not answer.cancelled():
                then(answer.result())

        self._loop.call_later(_THINK_S, begin)

    async def _look_after(self) -> None:
        """Query the Pico's health from time to time, because an idle Pico sends nothing."""
        while True:
            await asyncio.sleep(pico_reports.EVERY_S)
            self.machine.facts.entered(self.machine.view.state)

    async def dismiss(self) -> None:
        """Send every page the message that the server is stopping."""
        pages = self.machine.viewers | self.machine.operators
        peers = [cast("Peer", page.peer) for page in pages]  # the server has no other pages
        await asyncio.gather(*(peer.close(WSCloseCode.GOING_AWAY) for peer in peers))

    async def stop(self) -> None:
        self._round.cancel()
        await self.dismiss()
        await asyncio.to_thread(self._session.stop)
        self._stopped = True
        self._thinker.shutdown(wait=False, cancel_futures=True)
