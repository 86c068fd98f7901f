"""The cable of one exhibit: the handshake, the events, the questions and the commands."""

import asyncio
import random
import time
from collections import deque
from collections.abc import Callable, Collection
from functools import partial
from typing import Any, Protocol

from nimatron import protocol, states
from nimatron_host.device.link import ANSWER_S, START_S, greeting
from nimatron_host.device.printed_reports import number
from nimatron_host.fleet import topics
from nimatron_host.fleet.line import Line, Opener, open_line
from nimatron_play.pico_reports import names
from nimatron_sim.errors import UserError
from nimatron_sim.text_encoding import escaped

_HELLO_S = 2.5  # timeout for the first answer, which doubles at each attempt
_AGAIN_S, _SELDOM_S = 0.5, 15.0  # the first and the longest pause between attempts
_QUIET_S = 60.0  # after this silence, check that the exhibit still answers
_STATS_S = 3600.0
_WATCHED = ("lamps", "legends", "sound", "coin")  # events after `watch on`, too many to keep
_ORDERS = 16  # the most commands that wait for their answers
_EARLY = 100  # the most lines to keep before the exhibit is known
_UNKNOWN = "unknown"
_SETTERS = ("set", "level", "game", "rule", "machine")


class Outlet(Protocol):
    """The receiver of reports from exhibits. An outlet distinguishes exhibits by their IDs."""

    def attach(self, exhibit: "Exhibit") -> bool:
        """Add an exhibit that has sent its ID. Return False if another exhibit has this ID."""

    def detach(self, exhibit: "Exhibit") -> None: ...

    def latest(self, kind: str, exhibit: "Exhibit", payload: str | dict[str, Any]) -> None:
        """Handle a current fact. Only the latest fact of a kind counts."""

    def happened(self, kind: str, exhibit: "Exhibit", body: dict[str, Any]) -> None:
        """Handle an event. Events must arrive in order."""

    def wants(self, exhibit: "Exhibit") -> dict[str, str]:
        """Return the settings that an exhibit should have."""


class _Lost(Exception):
    """The exception for an unplugged cable, or a Pico that no longer answers."""


class Exhibit:
    """The exhibit at a port. `name` is a readable name. `id` is the unique ID of the Pico, or the
    name if the firmware does not report an ID. `allowed` lists additional commands that the broker
    may send. say(text) reports a text to the operator."""

    def __init__(
        self,
        port: str,
        name: str,
        outlet: Outlet,
        say: Callable[[str], None],
        allowed: Collection[str] = (),
        opener: Opener = open_line,
    ) -> None:
        self.port = port
        self.name = name
        self.id = ""
        self.state: dict[str, Any] = {}
        self.online = False
        self._outlet = outlet
        self._say = say
        self._said = ""
        self._allowed = allowed
        self._opener = opener
        self._line: Line | None = None
        self._lost = asyncio.Event()
        self._stirred = asyncio.Event()
        # Set while a hello is awaited.
        self._greeting: Callable[[str], dict[str, str] | None] | None = None
        self._answer: asyncio.Future[Any] | None = None
        self._early: deque[str] = deque(maxlen=_EARLY)
        self._orders: deque[str] = deque()
        self._due: set[str] = set()
        self._refused: dict[str, str] = {}  # wanted settings that the firmware refuses
        self._restarted = False
        self._match_over = False
        self._counted = 0.0

    async def run(self) -> None:
        """Connect the exhibit to the broker forever."""
        wait = _AGAIN_S
        while True:
            try:
                await self._visit()
            except (_Lost, UserError) as why:
                self._tell(str(why))
            finally:
                wait = _AGAIN_S if self.online else min(2 * wait, _SELDOM_S)
                self._leave()
            await asyncio.sleep(wait * random.uniform(0.8, 1.2))

    def do(self, line: str) -> None:
        """Pass on a command from the broker. The outcome is published as the answer."""
        why, reason = topics.refusal(line, self._allowed), "not-allowed"
        if not why and len(self._orders) >= _ORDERS:
            why, reason = "too many commands wait for their answers", "busy"
        if why:
            self.refuse(line, reason, why)
            return
        self._orders.append(line)
        self._stirred.set()

    def refuse(self, line: str, reason: str, text: str) -> None:
        """Refuse a command, in place of the exhibit."""
        self._outlet.happened("answer", self, topics.refused(line, reason, text))

    def reconcile(self) -> None:
        """Compare the settings with the wanted settings."""
        self._ask_for("settings")

    # ------------------------------------------------------------------ one connection

    async def _visit(self) -> None:
        self._lost.clear()
        self._line = await self._opener(self.port, self._hear, self._gone)
        while True:
            hello = await self._hello()
            self._restarted = False
            known = hello.get("id", "").lower() or self.name
            if not topics.is_level(known):
                raise UserError(
                    f"{self.port} has firmware that does not report its ID. Give it a name: "
                    f"NAME={self.port}"
                )
            if known != self.id:
                self._outlet.detach(self)
                self.id = known
            if not self._outlet.attach(self):
                raise UserError(
                    f"{self.port} is ignored: another exhibit of this bridge also has the ID "
                    f"{self.id}"
                )
            self._arrive(hello)
            await self._attend()

    def _arrive(self, hello: dict[str, str]) -> None:
        self.online = True
        self._refused.clear()
        self._tell(f"{self.port} is {self.name or self.id}: Nimatron {hello.get('version')}")
        mode = hello.get("mode", _UNKNOWN)
        self.state = {
            "name": self.name or self.id,
            "version": hello.get("version", _UNKNOWN),
            "micropython": hello.get("micropython", _UNKNOWN),
            "board": hello.get("board", _UNKNOWN),
            "mode": mode,
            "state": mode,
            "failed": [],
            "stuck": [],
            "settings": {},
        }
        self._outlet.latest("status", self, topics.ONLINE)
        while self._early:
            self._happen(self._early.popleft())
        self._restarted = False  # any restart was before the hello
        self._ask_for("settings", "stats", "health")
        if mode == states.EXHIBIT:
            self._ask_for("status")

    def _leave(self) -> None:
        if self._line:
            self._line.close()
            self._line = None
        self._early.clear()
        while self._orders:
            self.refuse(self._orders.popleft(), topics.OFFLINE, "the exhibit has gone")
        if self.online:
            self.online = False
            self._outlet.latest("status", self, topics.OFFLINE)
        self._outlet.detach(self)

    async def _hello(self) -> dict[str, str]:
        """Wait until the exhibit is ready, and return its answer to `version`, which repeats the
        random number from the question. Earlier questions are forgotten. Raises _Lost."""
        end, patience, fresh = time.monotonic() + START_S, _HELLO_S, ""
        while time.monotonic() < end:
            nonce = str(random.randrange(10**5, 10**6))
            self._send(f"{fresh}\rversion {nonce}")  # the first CR ends a half-typed line
            self._greeting = partial(greeting, nonce=nonce)
            said: dict[str, str] | None = await self._answered(patience)
            if said:
                return said
            if said == {}:  # the prompt, or firmware without this command
                raise _Lost(
                    f"{self.port} has MicroPython but no current Nimatron. To install it: "
                    f"nimatron deploy {self.port}"
                )
            fresh = "\r\x02"  # Ctrl-B leaves the raw prompt of an interrupted program
            patience *= 2
        raise _Lost(f"{self.port} can be opened, but Nimatron does not answer there")

    async def _answered(self, seconds: float) -> Any:
        """Return the awaited answer, or None if it does not come in time. Raises _Lost."""
        self._answer = asyncio.get_running_loop().create_future()
        try:
            return await asyncio.wait_for(self._answer, seconds)
        except asyncio.TimeoutError:
            return None
        finally:
            self._answer = self._greeting = None

    async def _ask(self, text: str) -> tuple[str, dict[str, str]]:
        """Send a line, and return the kind and the values of the answer. Raises _Lost."""
        self._send(text)
        answer: tuple[str, dict[str, str]] | None = await self._answered(ANSWER_S)
        if answer is None:
            raise _Lost(f"{self.port} does not answer `{text}`")
        return answer

    def _send(self, text: str) -> None:
        if self._lost.is_set() or not self._line:
            raise self._away()
        self._line.send(text)

    # ------------------------------------------------------------------ due questions

    def _ask_for(self, *questions: str) -> None:
        self._due.update(questions)
        self._stirred.set()

    async def _attend(self) -> None:
        """Send due questions and pass on commands until the Pico restarts. Raises _Lost."""
        self._counted = time.monotonic()
        while not self._restarted:
            self._stirred.clear()
            while (self._orders or self._due) and not self._restarted:
                try:
                    if self._orders:
                        await self._obey_or_tell(self._orders.popleft())
                    else:
                        await self._question(min(self._due))
                except _Restarted:
                    return
            if self._lost.is_set():
                raise self._away()
            try:
                if not self._restarted:
                    await asyncio.wait_for(self._stirred.wait(), _QUIET_S)
            except asyncio.TimeoutError:
                self._look_after()

    def _look_after(self) -> None:
        """Query the exhibit after a quiet minute. In maintenance mode, send nothing, because a
        question would prevent the end of this mode."""
        if self.state["mode"] != states.EXHIBIT:
            return
        self._due.add("health")
        if time.monotonic() - self._counted >= _STATS_S:
            self._due.add("stats")

    async def _question(self, question: str) -> None:
        self._due.discard(question)
        kind, values = await self._ask(question)
        if kind != protocol.OK:
            return  # this mode has no statistics
        if question == "stats":
            self._counted = time.monotonic()
            counts = {key: number(text) for key, text in values.items()}
            self._outlet.latest("stats", self, counts)
            return
        if question == "settings":
            self.state["settings"] = await self._reconciled(values)
        elif question == "health":
            for name in ("failed", "stuck"):
                self.state[name] = names(values.get(name, ""))
            if values.get("lamps", "ok") not in ("ok", _UNKNOWN):
                self.state["failed"] += names(values["lamps"])  # wiring faults
        elif question == "status":
            self.state["state"] = values.get("state", _UNKNOWN)
        self._publish()

    async def _reconciled(self, values: dict[str, str]) -> dict[str, str]:
        """Set each setting that differs from the wanted value, and return all settings. Other
        settings stay as they are, because a write wears the flash."""
        changed = False
        for key, value in self._outlet.wants(self).items():
            if values.get(key) == value or self._refused.get(key) == value:
                continue
            line, why = f"set {key} {value}", topics.want_refusal(key)
            if why:
                self.refuse(line, "not-allowed", why)
            done = not why and await self._obey(line, look=False)
            if not done:
                self._refused[key] = value  # do not try this value again
            changed |= done
        if not changed:
            return values
        kind, now = await self._ask("settings")
        return now if kind == protocol.OK else values

    async def _obey_or_tell(self, line: str) -> None:
        """Pass on a command, and report a missing answer."""
        try:
            await self._obey(line)
        except (_Lost, _Restarted):
            self.refuse(line, "no-answer", "the exhibit has gone before it answered")
            raise

    async def _obey(self, line: str, look: bool = True) -> bool:
        """Pass on a command and its answer. Return True if the exhibit accepts the command."""
        kind, values = await self._ask(line)
        done = kind == protocol.OK
        self._outlet.happened("answer", self, {"asked": line, "ok": done, "values": values})
        if done and look and line.split()[0] in _SETTERS:
            self._ask_for("settings")
        return done

    def _publish(self) -> None:
        if self.state["settings"]:
            self._outlet.latest("state", self, self.state)

    # ------------------------------------------------------------------ messages from the exhibit

    def _hear(self, line: str) -> None:
        kind, _, values = protocol.parse(line)
        hello = self._greeting(line) if self._greeting else None
        if hello is not None:
            self._resolve(hello)
        elif kind == protocol.EVENT and self._greeting and not self.online:
            self._early.append(line)
        elif kind == protocol.EVENT:
            self._happen(line)
        elif not self._greeting and protocol.is_answer(line):
            self._resolve((kind, values))

    def _happen(self, line: str) -> None:
        """Pass on an event to the broker, and update the state of the exhibit."""
        _, what, values = protocol.parse(line)
        if not what or what in _WATCHED:
            return
        self._outlet.happened("event", self, {"what": what, "values": values})
        if what == "boot":
            self._restart()
        elif what == "state" and "state" in self.state:
            self.state["state"] = values.get("state", _UNKNOWN)
            self._publish()
            if self._match_over:  # the counts of a match are written before the next state
                self._match_over = False
                self._ask_for("stats")
        elif what in ("over", "abandoned"):
            self._match_over = True
        elif what in ("device", "button", "lamp", "row", "column", "legend", "chute"):
            self._ask_for("health")

    def _restart(self) -> None:
        """Record that the Pico has started again and will answer no earlier question."""
        if self._greeting:
            return
        self._restarted = True
        self._stirred.set()
        if self._answer and not self._answer.done():
            self._answer.set_exception(_Restarted())

    def _resolve(self, answer: object) -> None:
        if self._answer and not self._answer.done():
            self._answer.set_result(answer)

    def _gone(self) -> None:
        self._lost.set()
        self._stirred.set()
        if self._answer and not self._answer.done():
            self._answer.set_exception(self._away())

    def _away(self) -> _Lost:
        return _Lost(f"{self.port} is gone. The bridge waits until it is back")

    def _tell(self, text: str) -> None:
        """Report `text`, unless it was reported before."""
        if text != self._said:
            self._said = text
            self._say(escaped(text))


class _Restarted(Exception):
    """The exception for a Pico that has started again before it answered."""
