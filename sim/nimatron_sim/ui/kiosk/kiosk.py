"""The machine that a page shows: what it does, as a state for viewers, and what they do to it."""

import asyncio
import contextlib
import logging
from collections import defaultdict, deque
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

from aiohttp import WSCloseCode

from nimatron import board
from nimatron_sim.errors import stopped
from nimatron_sim.ui import words
from nimatron_sim.ui.attendant import Attendant, Connect
from nimatron_sim.ui.kiosk.explain import explain

_LINES = 60  # of the console

log = logging.getLogger("nimatron.kiosk")


class Watcher(Protocol):
    """A viewer, as the kiosk knows them: told when there is something new to see, and at the end
    to go."""

    changed: asyncio.Event

    async def close(self, code: WSCloseCode) -> None: ...


class Kiosk:
    """The machine of connect(), and all its viewers.

    spectate: nobody may press. token: viewers who know it may press; None lets everybody.
    """

    def __init__(
        self, connect: Connect, lines: list[str], spectate: bool = False, token: str | None = None
    ):
        self.spectate = spectate
        self.token = token
        self.ended: asyncio.Future | None = None
        self.state: dict = {}
        self._connect = connect
        self._lines = lines
        self.viewers: set[Watcher] = set()
        self._holders: dict[str, set[Watcher]] = defaultdict(set)  # button: who is holding it
        self._brightness: list[float] = [0] * (board.ROWS * board.LAMPS)
        self._said: deque[str] = deque(maxlen=_LINES)
        self._thinker = ThreadPoolExecutor(1, "explain")
        self._explained: tuple = ()
        self._working: dict = {}

    def start(self) -> None:
        loop = asyncio.get_running_loop()
        self.ended = loop.create_future()

        def hand_over(call, what):
            with contextlib.suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(call, what)

        self._attendant = Attendant(
            self._connect,
            lambda record: hand_over(self._take, record),
            lambda why: hand_over(self._fail, why),
            self._lines,
        )
        self._show()
        self._attendant.session.start()

    async def stop(self) -> None:
        for viewer in list(self.viewers):
            await viewer.close(WSCloseCode.GOING_AWAY)
        await asyncio.to_thread(self._attendant.session.stop)
        self._thinker.shutdown(cancel_futures=True)

    # ------------------------------------------------------------------ what the machine does

    def _take(self, record):
        self._said.extend(self._attendant.take(record))
        if "lamps" in record:
            self._brightness = record.get("brightness") or _full(record["lamps"])
        elif not record.get("cable", True):
            self._brightness = [0] * len(self._brightness)
        self._show()

    def _fail(self, why):
        if not self.ended.done():
            self.ended.set_exception(stopped(why))

    def _show(self):
        display = self._attendant.display
        doing, advice = display.said
        game = [words.message(display.game.sentence)] if display.game else []
        self.state = {
            "lamps": self._brightness,
            "legends": display.legends,
            "sound": display.sound,
            "coin": display.coin,
            "tokens": display.tokens,
            "state": display.state,
            "rule": game + display.rule_said,
            "doing": doing,
            "advice": advice,
            "held": sorted(button for button, holders in self._holders.items() if holders),
            "working": self._working,
        }
        for viewer in self.viewers:
            viewer.changed.set()
        self._explain(display)

    def _explain(self, display):
        if not display.game:
            return
        question = display.game, display.position, display.rule == "misere", display.last
        if question != self._explained:
            self._explained = question
            answer = asyncio.get_running_loop().run_in_executor(self._thinker, explain, *question)
            answer.add_done_callback(lambda answer: self._knows(question, answer))

    def _knows(self, question, answer):
        if answer.cancelled() or question != self._explained:
            return
        if answer.exception():
            log.warning("no explanation: %r", answer.exception())
        self._working = {} if answer.exception() else answer.result()
        self._show()

    # ------------------------------------------------------------------ what people do

    def leave(self, viewer: "Watcher") -> None:
        """Forget a viewer, and let go of what they hold."""
        self.viewers.discard(viewer)
        for button in board.BUTTONS:
            self.release(viewer, button)

    def press(self, viewer: "Watcher", button: str) -> None:
        holders = self._holders[button]
        if not holders:
            self._attendant.session.press(button)
            self._attendant.display.touched()
        holders.add(viewer)
        self._show()

    def release(self, viewer: "Watcher", button: str) -> None:
        holders = self._holders[button]
        if viewer in holders:
            holders.remove(viewer)
            if not holders:
                self._attendant.session.release(button)
            self._show()

    def send(self, line: str) -> None:
        self._said.append(self._attendant.send(line))
        self._show()

    @property
    def said(self) -> list[str]:
        """The console's last lines."""
        return list(self._said)


def _full(masks):
    return [mask >> lamp & 1 for mask in masks for lamp in range(board.LAMPS)]
