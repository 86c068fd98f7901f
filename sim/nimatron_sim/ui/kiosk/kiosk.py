"""The machine that a page shows: what it does, as a state for viewers, and what they do to it."""

import asyncio
import contextlib
import logging
import time
from collections import defaultdict, deque
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

from aiohttp import WSCloseCode

from nimatron import board, protocol, states
from nimatron_sim.errors import stopped
from nimatron_sim.ui import words
from nimatron_sim.ui.attendant import Attendant, Connect
from nimatron_sim.ui.kiosk import history
from nimatron_sim.ui.kiosk.explain import explain
from nimatron_sim.ui.kiosk.facts import Facts
from nimatron_sim.ui.kiosk.matches import ABANDONED, Matches, Playing
from nimatron_sim.ui.kiosk.pages import Pages
from nimatron_sim.ui.kiosk.pictures import demonstration
from nimatron_sim.ui.kiosk.tokens import NONE, Tokens
from nimatron_sim.ui.words import Message

_LINES = 60  # of the console

log = logging.getLogger("nimatron.kiosk")


class Watcher(Protocol):
    """A page, as the kiosk knows it: told when there is something new to see, and at the end to
    go."""

    changed: asyncio.Event

    async def close(self, code: WSCloseCode) -> None: ...


class Player(Watcher, Protocol):
    """A page that can press."""

    def tell(self, *notice: Message) -> None: ...


class Kiosk:
    """The machine of connect(), and everybody who looks at it.

    spectate: nobody may press. tokens: who may press, and who is the operator. matches: where
    matches are kept.
    """

    def __init__(
        self,
        connect: Connect,
        lines: list[str],
        spectate: bool = False,
        tokens: Tokens = NONE,
        matches: Matches | None = None,
    ):
        self.spectate = spectate
        self.tokens = tokens
        self.matches = matches or Matches()
        self.ended: asyncio.Future | None = None
        self.state: dict = {}
        self.viewers: set[Player] = set()
        self.pages = Pages()
        self.operators: set[Watcher] = set()
        self.language = ""  # of the page that was used last
        self.begun_at = time.monotonic()
        self.resets = 0
        self.facts = Facts(self._ask, self._show, self._device_failed)
        self._connect = connect
        self._lines = lines
        self._holders: dict[str, set[Player]] = defaultdict(set)  # button: who is holding it
        self._brightness: list[float] = [0] * (board.ROWS * board.LAMPS)
        self._said: deque[str] = deque(maxlen=_LINES)
        self._thinker = ThreadPoolExecutor(1, "explain")
        self._explained: tuple = ()
        self._working: dict = {}
        self._demonstrated: tuple = ()
        self._demo: list[int] = []
        self._real = False  # a Pico on a cable, whose lamps nothing may hide
        self._level = ""
        self._turn: int | None = None
        self._history = history.History()
        self._playing = Playing()

    def start(self) -> None:
        loop = asyncio.get_running_loop()
        self.ended = loop.create_future()
        self.matches.open()

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

    async def dismiss(self) -> None:
        """Tell every page that the server goes away."""
        pages = [*self.viewers, *self.operators]
        await asyncio.gather(*(page.close(WSCloseCode.GOING_AWAY) for page in pages))

    async def stop(self) -> None:
        await self.dismiss()
        await asyncio.to_thread(self._attendant.session.stop)
        self._thinker.shutdown(wait=False, cancel_futures=True)
        self.matches.close()

    # ------------------------------------------------------------------ what the machine does

    def _take(self, record):
        self._said.extend(self._attendant.take(record))
        self._real = self._real or "cable" in record
        if "lamps" in record:
            self._brightness = record.get("brightness") or _full(record["lamps"])
        elif not record.get("cable", True):
            self._brightness = [0] * len(self._brightness)
            self.facts.forget()
        elif "console" in record:
            self._hear(record["console"])
        self._show()

    def _hear(self, line):
        kind, what, values = protocol.parse(line)
        if kind == protocol.OK and "picked" in values:
            self._level = values.get("level", "")
        elif kind != protocol.EVENT:
            return
        elif "state" in values:
            self._enter(values["state"])
        elif what == "boot":
            self._booted(values.get("why", ""))
        elif what == "move":
            self._moved()
        elif what == "turn":
            self._turn = int(values["turn"].rpartition("-")[2])
        elif what == "over":
            self._over(values["winner"])
        elif what == "abandoned":
            self._over(ABANDONED)

    def _enter(self, state):
        if state in (states.THINKING, states.MACHINE):
            self._turn = 0
        elif state == states.PLAYER:
            self._turn = self._turn or 1
        else:
            self._turn = None
        self.facts.entered(state)

    def _booted(self, why):
        self.facts.forget()
        self._history.over()
        self._playing = Playing()
        self.resets += 1
        self.matches.note("reset", why)

    def _moved(self):
        self._playing.moved()
        display = self._attendant.display
        by, before, after = display.last
        if display.game is None or before is None or after is None:
            return
        question = display.game, before, after
        move = self._history.moved(by, *question, display.move_said)
        misere = display.rule == "misere"
        self._think(
            history.better, *question, misere, then=lambda found: self._improve(move, found)
        )

    def _improve(self, move, found):
        self._history.improve(move, found)
        self._show()

    def _over(self, winner):
        self._history.over()
        display = self._attendant.display
        match = self._playing.ended(
            game=display.game.name if display.game else "",
            level=self._level,
            rule=display.rule,
            winner=winner,
            players=1,
            language=self.language,
        )
        if match:
            self.matches.add(match)

    def _device_failed(self, device):
        self.matches.note("failed", device)
        log.warning("the Pico reports that %s has failed or is stuck", device)

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
            "game": display.game.name if display.game else "",
            "level": self._level,
            "turn": self._turn,
            "rule": game + display.rule_said,
            "doing": doing,
            "advice": advice,
            "held": sorted(button for button, holders in self._holders.items() if holders),
            "match": self._history.moves,
            "today": self.matches.today,
            "working": self._working,
            "demo": self._demo,
            "real": self._real,
        }
        for page in (*self.viewers, *self.operators):
            page.changed.set()
        self._explain(display)

    def _explain(self, display):
        if not display.game:
            return
        played = display.game, display.rule == "misere"
        if display.rule and played != self._demonstrated:
            self._demonstrated = played
            self._think(demonstration, *played, then=self._demonstrates)
        question = display.game, display.position, display.rule == "misere", display.last
        if question != self._explained:
            self._explained = question
            self._think(explain, *question, then=lambda answer: self._knows(question, answer))

    def _demonstrates(self, demo):
        self._demo = demo or []
        self._show()

    def _knows(self, question, answer):
        if question == self._explained:
            self._working = answer or {}
            self._show()

    def _think(self, ask, *question, then):
        """Call then(answer) when ask(*question) is known; the answer is None if that fails."""

        def known(answer):
            if answer.cancelled():
                return
            if answer.exception():
                log.warning("no explanation: %r", answer.exception())
            then(None if answer.exception() else answer.result())

        answer = asyncio.get_running_loop().run_in_executor(self._thinker, ask, *question)
        answer.add_done_callback(known)

    # ------------------------------------------------------------------ what people do

    def leave(self, viewer: Player) -> None:
        """Forget a viewer, and let go of what they hold."""
        self.viewers.discard(viewer)
        for button in board.BUTTONS:
            self.release(viewer, button)

    def press(self, viewer: Player, button: str) -> None:
        holders = self._holders[button]
        if not holders:
            self._attendant.session.press(button)
            self._attendant.display.touched()
        holders.add(viewer)
        self._show()

    def release(self, viewer: Player, button: str) -> None:
        holders = self._holders[button]
        if viewer in holders:
            holders.remove(viewer)
            if not holders:
                self._attendant.session.release(button)
            self._show()

    # ------------------------------------------------------------------ what the operator does

    def send(self, line: str) -> None:
        self._said.append(self._attendant.send(line))
        self._show()

    @property
    def said(self) -> list[str]:
        """The console's last lines."""
        return list(self._said)

    def _ask(self, line, answered):
        self._attendant.ask(line, answered)


def _full(masks):
    return [mask >> lamp & 1 for mask in masks for lamp in range(board.LAMPS)]
