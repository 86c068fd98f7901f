"""The machine behind a server: its pages, its log, and what takes threads and files."""

import asyncio
import contextlib
import logging
import secrets
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from typing import Any, cast

from aiohttp import WSCloseCode

from nimatron import board
from nimatron_host.kiosk.kept import Quiet, Settings, Sound
from nimatron_host.kiosk.matches import Match, Matches
from nimatron_host.kiosk.peer import Peer
from nimatron_host.kiosk.tokens import NONE, Tokens
from nimatron_play import facts
from nimatron_play.attendant import Answered, Connect
from nimatron_play.machine import Machine
from nimatron_sim.errors import stopped

# What the lamps show is told first: a thread that thinks keeps Python from everything else.
_THINK_S = 0.02
_ALL = board.ROWS * board.LAMPS
_LIT = 0.1  # how bright a lamp is at least

log = logging.getLogger("nimatron.kiosk")


class Kiosk(Machine):
    """The machine of connect(), and everybody who looks at it.

    spectate: nobody may press. tokens: who may press, and who is the operator. matches: where
    matches are kept. language: of a fresh page, "" for the browser's. sound: how loud pages are,
    and when they are silent; quiet: the same for this start, whatever is kept. kept: what the
    operator sets, for a Pico that forgets it. defaults: the settings that its Pico starts with,
    where they are not the firmware's. place(fault): the place of a faulty wire, which `health`
    names like lamp:3.5:open; "" if it is not known. places, public: see table.py. first: it is the
    first table, whose Pico is looked after.

    name: of its link. heard(record) is called with each trace record, spread(values) with settings
    that were saved.
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
        sound: Sound | None = None,
        defaults: dict[str, object] | None = None,
        place: Callable[[str], str] = lambda fault: "",
        places: int = 2,
        public: bool = False,
        first: bool = True,
    ) -> None:
        super().__init__(connect, lines, spectate, language, places, public)
        self._first = first
        self.renew()
        self.tokens = tokens
        self.defaults = defaults or {}
        self.place = place
        self.matches = matches or Matches()
        self.ended: asyncio.Future[None] | None = None
        self._sound = sound or Sound()
        self._sound.quiet = quiet or self._sound.quiet
        self._kept = kept
        self._thinker = ThreadPoolExecutor(1, "explain")
        self._stopped = False  # a Pico that did not end in time may still be heard
        self._shows = False  # soon
        self._records: deque[dict[str, Any]] = deque()  # that the Pico's thread hands over
        self._comes = False  # `_take_in`, soon
        self.heard: Callable[[dict[str, Any]], object] = lambda record: None
        self.spread: Callable[[dict[str, str]], object] = lambda values: None

    def start(self) -> None:
        loop = asyncio.get_running_loop()
        self.ended = loop.create_future()

        def hand_over(call: Callable[..., object], *what: Any) -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(call, *what)

        def record(one: dict[str, Any]) -> None:
            self._records.append(one)
            if not self._comes:
                self._comes = True
                hand_over(self._take_in)

        self.begin(record, lambda why: hand_over(self.fail, why))
        self._round = loop.create_task(self._look_after())

    async def _look_after(self) -> None:
        """Ask now and then how the Pico is, because an idle one says nothing by itself."""
        while True:
            await asyncio.sleep(facts.EVERY_S)
            self.facts.entered(self.view.state)

    async def dismiss(self) -> None:
        """Tell every page that the server goes away."""
        pages = cast("set[Peer]", self.viewers | self.operators)  # server.py adds them
        await asyncio.gather(*(page.close(WSCloseCode.GOING_AWAY) for page in pages))

    async def stop(self) -> None:
        self._round.cancel()
        await self.dismiss()
        await asyncio.to_thread(self._attendant.session.stop)
        self._stopped = True
        self._thinker.shutdown(wait=False, cancel_futures=True)

    def _take_in(self) -> None:
        """Take in what the Pico's thread has recorded by now."""
        self._comes = False
        self.take_all([self._records.popleft() for _ in range(len(self._records))])

    def take_all(self, records: list[dict[str, Any]]) -> None:
        super().take_all(records)
        for record in records:
            self.heard(record)

    def ask(self, line: str, answered: Answered) -> None:
        """Type a line whose answer no page shows; answered(line) gets it."""
        self._ask(line, answered)

    @property
    def seen(self) -> dict[str, Any]:
        """What the panel shows, as a trace record."""
        rows = [self._brightness[start:][: board.LAMPS] for start in range(0, _ALL, board.LAMPS)]
        masks = [sum((b > _LIT) << lamp for lamp, b in enumerate(row)) for row in rows]
        return {"lamps": masks, "legends": self.view.legends}

    # ------------------------------------------------------------------ what a machine leaves open

    @property
    def today(self) -> dict[str, int]:
        return self.matches.today

    @property
    def edition(self) -> str:
        return self.matches.edition

    @property
    def silent(self) -> bool:
        return bool(self._sound.quiet and self._sound.quiet.now())

    @property
    def volume(self) -> int:
        return self._sound.volume

    @property
    def sounds(self) -> dict[str, Any]:
        return self._sound.told

    def set_sounds(self, volume: str, quiet: str) -> None:
        self._sound.change(volume, quiet)
        self.show()

    def renew(self) -> None:
        self.name = secrets.token_urlsafe(6)

    def saved(self, values: dict[str, str]) -> None:
        self.spread(values)

    def note(self, what: str, detail: str = "") -> None:
        if self._first:
            self.matches.note(what, detail)

    def keep(self, match: dict[str, Any]) -> None:
        ended = datetime.now().astimezone().isoformat(timespec="seconds")
        self.matches.add(Match(ended=ended, **match))

    def warn(self, text: str) -> None:
        log.warning("%s", text)

    def fail(self, why: BaseException) -> None:
        if self.ended and not self.ended.done():
            self.ended.set_exception(stopped(why))

    def show_soon(self) -> None:
        if not self._shows:
            self._shows = True
            asyncio.get_running_loop().call_soon(self.show)

    def show(self) -> None:
        self._shows = False
        super().show()

    def think(
        self, ask: Callable[..., Any], *question: Any, then: Callable[[Any], object]
    ) -> None:
        loop = asyncio.get_running_loop()

        def begin() -> None:
            if not self._stopped:
                answer = loop.run_in_executor(self._thinker, self.answer, ask, *question)
                answer.add_done_callback(known)

        def known(answer: asyncio.Future[Any]) -> None:
            if not answer.cancelled():
                then(answer.result())

        loop.call_later(_THINK_S, begin)

    def send(self, line: str, answered: Answered | None = None) -> None:
        def hear(said: str) -> None:
            if self._kept:
                self._kept.hear(said)
            if answered:
                answered(said)

        super().send(line, hear)
