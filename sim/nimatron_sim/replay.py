"""The replay of a flight recording (see firmware/nimatron/flight.py) on the simulated Pico, which
should show the same lamps and come to the same end.

A replay compares the order of the states, and the lamps that are lit when a state begins a turn or
ends a match. If the lamps moved automatically before that, as in attract mode, the recorded
picture must match one of the replay's pictures in that state, at any moment. A real Pico pauses
for 45 to 400 ms while it writes to flash after a `set`. After that, it shows each picture later
than the simulated Pico. Finally, a replay compares the failure at the end, if there is one.
"""

import json
from base64 import b64decode
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nimatron import VERSION, board, flight, protocol, settings, states
from nimatron.board import BUTTONS, NEW
from nimatron.dice import MODULUS, MULTIPLIER
from nimatron.states import STATES
from nimatron_sim.cabinet import Circuit
from nimatron_sim.errors import UserError
from nimatron_sim.simulated.core import Stuck, stuck_after
from nimatron_sim.simulated_pico import SimulatedPico
from nimatron_sim.text_encoding import escaped

# The states in which to compare lamps. Before the other states, the lamps move automatically.
_TELLING = (states.PLAYER, states.THINKING, states.MACHINE, states.VERDICT)
# The states in which the lamps move automatically, each picture at its own time.
_MOVING = (states.BOOT, states.ATTRACT, states.TEST, states.VERDICT)
_SPIKE_US = 1000  # from the closing of a contact to the press, see buttons.py
_SLACK_MS = 3  # a contact that is soon pressed again must settle in time
_MOMENT_MS = 1000
_PATIENCE_MS = 60_000  # the longest time to wait beyond the recorded time
_END_MS = 15_000  # the watchdog needs 8 s to detect a hang, and the start takes 1 s
_STUCK_S = 10  # the most CPU time in which no virtual time passes
_ATTEMPTS = 200
_MOST_GAMES = 100  # the most games to step through before the chosen one
_MOST_OPENINGS = 10_000  # the most openings to step through before the recorded one


@dataclass(frozen=True)
class Event:
    """An event, `ms` after the start of the recording. what:

    - press, release: the button `value` was pressed or released
    - line: the line `value` was typed
    - state: the state `value` began, with these `lamps` lit
    - scene: `value` is the scene, a dict
    - lost: the recording has no scene, because the earlier events are lost
    """

    ms: int
    what: str
    value: Any = None
    lamps: tuple[int, ...] = ()

    def __str__(self) -> str:
        value = "" if self.what in ("scene", "lost") else f" {self.value}"
        return escaped(f"{self.ms / 1000:10.3f}  {self.what}{value}")


@dataclass
class Recording:
    """A recording. `failure` is {"why": …, "text": …} if the recording ends with a failure."""

    events: list[Event]
    failure: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        first = next((n for n, event in enumerate(self.events) if event.what == "scene"), None)
        if first is None:
            raise UserError("it cannot be replayed: it begins partway through a visit")
        self.before, self.events = self.events[:first], self.events[first:]

    @property
    def scene(self) -> dict[str, Any]:
        """The scene at the start of the recording."""
        return self.events[0].value


def load(text: str) -> Recording:
    """Return the recording in the text of flight.json or of the console's answer to `log dump`.

    Raises UserError.
    """
    try:
        saved = json.loads(text)
    except (ValueError, RecursionError):
        saved = None
    if isinstance(saved, dict):
        data = saved.get("flight")
        failure = {key: str(saved.get(key, "")) for key in ("why", "text") if "why" in saved}
    else:
        data, failure = _dumped(text)
    if not isinstance(data, str) or not data:
        raise UserError("it contains no flight recording")
    try:
        memory = b64decode(data, validate=True)
        if len(memory) != flight.SIZE or not memory.startswith(flight.MAGIC):
            raise ValueError("the recorder of this firmware did not write it")
        recording = Recording(list(_decode(memory)), failure)
        _check_version(recording)
        return recording
    except UserError:
        raise
    except (ValueError, IndexError, RecursionError) as why:
        raise UserError(f"the recording is damaged: {why}") from None


def _check_version(recording: Recording) -> None:
    """Refuse a recording from another firmware series, whose states have other meanings."""
    version = str(recording.scene.get("version", VERSION))
    if version.split(".")[:2] != VERSION.split(".")[:2]:
        raise UserError(
            f"firmware {version} made this recording and this is {VERSION}: "
            f"replay it with nimatron {version}"
        )


def _dumped(text: str) -> tuple[str, dict[str, str]]:
    """Return the data and the failure in the console's lines. The firmware does not send pieces
    with only zeros."""
    size = len(flight.encoded(bytes(flight.SIZE)))
    data, pieces, ended = "", 0, False
    failure: dict[str, str] = {}
    for line in text.splitlines():
        kind, what, said = protocol.parse(line)
        if (kind, what) == (protocol.EVENT, "flight"):
            at = said.get("at", "")
            if at == "0":
                data, pieces, ended = "", 0, False
            if not (at.isdecimal() and len(data) <= int(at) < size):
                raise UserError(f"the recording is damaged: at={at}")
            data = data.ljust(int(at), "A") + said.get("data", "")
            pieces += 1
        elif (kind, what) == (protocol.OK, "flight"):
            if said.get("pieces") != str(pieces):
                raise UserError("a piece of the recording is missing. Ask for it again")
            ended = True
            if said["flight"] != "now":
                failure = {"why": said["flight"], "text": said.get("text", "")}
    if data and not ended:
        raise UserError("the end of the recording is missing. Ask for it again")
    return data and data.ljust(size, "A"), failure


def _decode(memory: bytes) -> Iterator[Event]:
    """Yield the events from both halves, in the order in which they came."""
    newer = memory[len(flight.MAGIC)] & 1
    ms = 0
    for half in (newer ^ 1, newer):
        at = flight.HEAD + half * flight.HALF
        end = at + flight.HALF
        while at < end and memory[at]:
            what, gap = memory[at], int.from_bytes(memory[at + 1 : at + 4], "little")
            at += 4
            ms += gap
            if what in (flight.SCENE, flight.LINE):
                size = int.from_bytes(memory[at : at + 2], "little")
                payload = memory[at + 2 : at + 2 + size]
                at += 2 + size
                if what == flight.SCENE:
                    yield Event(ms, "scene", _scene(json.loads(payload)))
                else:
                    yield Event(ms, "line", payload.decode("latin-1"))
            elif what == flight.LOST:
                yield Event(ms, "lost")
            elif what & 0xF0 == flight.STATE:
                lamps = tuple(memory[at : at + board.ROWS])
                at += board.ROWS
                yield Event(ms, "state", STATES[what & 0x0F], lamps)
            elif what & 0xF0 in (flight.PRESS, flight.RELEASE):
                verb = "press" if what & 0xF0 == flight.PRESS else "release"
                yield Event(ms, verb, BUTTONS[what & 0x0F])
            else:
                raise ValueError(f"no record begins with 0x{what:02x}")


def _scene(scene: dict[str, Any]) -> dict[str, Any]:
    """Check a scene, and return it. Raises ValueError if app.py does not make such scenes."""
    try:
        fits = scene["state"] in (states.BOOT, states.ATTRACT, states.OPENING)
        fits &= isinstance(scene["settings"], dict) and set(scene["closed"]) <= set(BUTTONS)
        fits &= type(scene["dice"]) is int and 0 < scene["dice"] < MODULUS
        if scene["state"] == states.OPENING:
            fits &= scene["opening"] in range(_MOST_OPENINGS)
            fits &= all(isinstance(name, str) for name in scene["chosen"].values())
    except (AttributeError, KeyError, TypeError):
        fits = False
    if not fits:
        raise ValueError("it does not begin with a scene")
    return scene


@dataclass
class Outcome:
    """The outcome of a replay.

    trace: see trace.py.
    ms: the time in the trace when the recording begins.
    states: the number of states entered as recorded.
    diverged: the point of divergence, or "".
    failure: the failure of the simulated firmware at the end, as in a Recording.
    """

    trace: list[dict[str, Any]]
    ms: int
    states: int
    diverged: str = ""
    failure: dict[str, str] = field(default_factory=dict)


def replay(
    recording: Recording, files: dict[str, Path] | None = None, on: str | None = None
) -> Outcome:
    """Play a recording on a simulated Pico. `files` are the files of other firmware, and `on` is
    the simulated board. See SimulatedPico.

    A real Pico needs time to compute, but a simulated Pico does not. Therefore, the replay waits
    for each state, and repeats each event in the same state as in the recording. If an event would
    come too late, the replay starts over and repeats the event earlier.
    """
    limits: dict[int, int] = {}
    for _ in range(_ATTEMPTS):
        attempt = _Attempt(recording, files, limits, on)
        try:
            attempt.run()
            return attempt.outcome()
        except _Diverged as why:
            return attempt.outcome(str(why))
        except Stuck as why:
            return attempt.outcome(failure={"why": "hang", "text": str(why)})
        except _TooLate as late:
            # just before. If that fails, early enough for the press to take effect
            earlier = _SPIKE_US if late.number in limits else 0
            limits[late.number] = late.us - earlier - 1
    return attempt.outcome(
        "a press came so close to the end of a state that their order is unknown"
    )


def same(recording: Recording, outcome: Outcome) -> bool:
    """Return True if the replay has ended like the recording."""
    return not outcome.diverged and _kind(recording.failure) == _kind(outcome.failure)


def verdict(recording: Recording, outcome: Outcome) -> str:
    """Return the text about the outcome for the user."""
    states = "1 state" if outcome.states == 1 else f"{outcome.states} states"
    told = [f"replayed on the simulated Pico: {states}, entered with the same lamps"]
    version = recording.scene.get("version")
    if version != VERSION:
        told.append(f"recorded by firmware {version}, replayed on {VERSION}")
    if outcome.diverged:
        told.append(f"then no longer: {outcome.diverged.strip()}")
    for when, failure in (("recorded", recording.failure), ("replayed", outcome.failure)):
        if failure:
            told.append(f"{when}: a {failure['why']}: {_last_line(failure) or 'no text'}")
    return "\n".join(map(escaped, told))


def _kind(failure: dict[str, str]) -> tuple[str | None, str]:
    """Return the comparable part of a failure. The text of an exception differs between
    MicroPython and CPython."""
    why = failure.get("why")
    return why, _last_line(failure).partition(":")[0] if why == "crash" else ""


def _last_line(failure: dict[str, str]) -> str:
    return failure.get("text", "").strip().rpartition("\n")[2].strip()


class _Diverged(Exception):
    pass


class _TooLate(Exception):
    """An exception for an event that must be done less than `us` after the start of its state."""

    def __init__(self, number: int, us: int) -> None:
        super().__init__(number)
        self.number, self.us = number, us


@dataclass(frozen=True)
class _Step:
    """An event to be done at `ms`. `states` is the number of states that must have been entered
    when the event takes effect."""

    number: int
    ms: int
    states: int
    event: Event


_Lamps = tuple[int, ...]
_Seen = tuple[int, str, _Lamps, set[_Lamps]]  # us, name, lamps, pictures before it


class _Attempt:
    """One attempt at a replay. `limits` are the latest times for certain events, in µs after the
    start of their state."""

    def __init__(
        self,
        recording: Recording,
        files: dict[str, Path] | None,
        limits: dict[int, int],
        on: str | None,
    ) -> None:
        self._recording = recording
        self._scene = recording.scene
        self._limits = limits
        self._trace: list[dict[str, Any]] = []
        self._seen: list[_Seen] = []  # the states that were entered
        self._pictures: set[_Lamps] = set()  # the pictures since the last state was entered
        self._lives = 0
        # (step, time when it will take effect, time when it was done), until each takes effect.
        self._pressing: list[tuple[_Step, int, int]] = []
        self._late: _TooLate | None = None
        self._down: set[str] = set()
        self._chosen: dict[str, str] = {}
        self._seeded = False
        known: Any = settings.defaults()
        settings.load(known, dict(self._scene.get("settings", {})))
        self._settle_ms = known.settle_ms
        self._pico = SimulatedPico(
            Circuit(display=known.display),
            files,
            record=self._see,
            settings=self._scene.get("settings"),
            board=on,
        )
        self._begun_ms = self._base_us = self._base_ms = 0

    def run(self) -> None:
        with stuck_after(_STUCK_S) as again:
            self._set_the_scene()
            entered = 0
            for step in self._steps():
                again()
                if self._lives > 1:
                    if step.event.what == "state":
                        raise _Diverged(f"the firmware now fails before {step.event}")
                elif step.event.what == "state":
                    self._enter(entered, step.event)
                    entered += 1
                elif step.event.what != "lost":
                    self._do(step)
            again()
            if self._recording.failure:
                self._fail()

    def outcome(self, diverged: str = "", failure: dict[str, str] | None = None) -> Outcome:
        if failure is None:
            failure = {}
            if self._lives > 1:
                failure = json.loads(self._pico.files.contents["/crashes.json"])["crashes"][-1]
        return Outcome(self._trace, self._begun_ms, len(self._seen), diverged, failure)

    # ------------------------------------------------------------------ the way to the scene

    def _steps(self) -> list[_Step]:
        """Return the recorded events as steps, in the order of the replay."""
        states = 0
        steps = []
        counted: dict[str, int] = {}  # button: the time when its last press counted
        for number, event in enumerate(self._recording.events[1:], 1):
            ms = event.ms
            if event.what == "scene":
                continue
            if event.what == "state":
                states += 1
            elif event.what == "press":
                counted[event.value] = ms
                ms -= _SPIKE_US // 1000
            elif event.what == "release":
                rest = ms - self._settle_ms - _SLACK_MS
                ms = max(rest, counted.get(event.value, rest) + 1)
            steps.append(_Step(number, ms, states, event))
        return sorted(steps, key=lambda step: (step.ms, step.number))

    def _set_the_scene(self) -> None:
        """Press buttons as a visitor does, to bring the Pico to the start of the recording."""
        pico, scene = self._pico, self._scene
        pico.run_until(lambda: self._lives)
        for button in scene.get("closed", ()):  # at power-up, held buttons have another meaning
            self._down.add(button)
            pico.press(button)
        if scene["state"] == states.OPENING:
            pico.run(_MOMENT_MS)
            self._seed()
            pico.tap(NEW)
            chosen = scene["chosen"]
            for _ in range(_MOST_GAMES):
                if self._chosen.get("game") != chosen.get("game"):
                    pico.hold(NEW)
            if "level" in chosen:
                pico.send(f"choose level {chosen['level']}")
                pico.run(_MOMENT_MS)
            pico.tap(NEW, scene["opening"])
            pico.run(_MOMENT_MS)
            self._seen.clear()
        else:
            self._seed()
        self._base_us, self._base_ms = pico.clock.now, self._recording.events[0].ms
        self._begun_ms = pico.ms

    def _seed(self) -> None:
        """Seed the random numbers. Because seeding draws one number, the seed leads to the
        recorded state after one draw."""
        state = self._scene["dice"] * pow(MULTIPLIER, -1, MODULUS) % MODULUS
        self._pico.send(f"seed {state - 1}")
        self._pico.run_until(lambda: self._seeded or self._lives > 1)

    # ------------------------------------------------------------------ events

    def _enter(self, entered: int, event: Event) -> None:
        """Wait until a state is entered, and count later times from that moment."""
        patience = event.ms - self._base_ms + _PATIENCE_MS
        try:
            self._run_until(lambda: len(self._seen) > entered, patience)
        except TimeoutError:
            raise _Diverged(f"{event} was recorded, but does not happen now") from None
        us, name, lamps, pictures = self._seen[entered]
        if name != event.value:
            raise _Diverged(f"{event} was recorded, now it is {name}")
        before = self._seen[entered - 1][1] if entered else self._scene["state"]
        same = event.lamps in pictures if before in _MOVING else event.lamps == lamps
        if name in _TELLING and not same:
            raise _Diverged(f"{event} was recorded with the lamps {event.lamps}, now {lamps}")
        self._base_us, self._base_ms = us, event.ms

    def _do(self, step: _Step) -> None:
        after = (step.ms - self._base_ms) * 1000
        if step.event.what != "release":
            after = min(after, self._limits.get(step.number, after))
        pico = self._pico
        pico.run_to(max(self._base_us + after, pico.clock.now + 1))
        self._check()
        if step.event.what == "release":
            if step.event.value in self._down:
                self._down.remove(step.event.value)
                pico.release(step.event.value)
            return
        if len(self._seen) > step.states:
            raise self._too_late(step, self._base_us, self._seen[step.states][0])
        if step.event.what == "press":
            self._pressing.append((step, pico.clock.now + _SPIKE_US, self._base_us))
            self._down.add(step.event.value)
            pico.press(step.event.value)
        elif not step.event.value.startswith("quiet"):  # `quiet` would hide the states
            pico.send_bytes(step.event.value.encode("latin-1") + b"\n")

    def _run_until(self, condition: Callable[[], object], patience_ms: int) -> None:
        self._pico.run_until(lambda: self._late or condition(), patience_ms)
        self._check()

    def _check(self) -> None:
        if self._late:
            raise self._late
        if self._lives > 1 and not self._recording.failure:
            raise _Diverged("now the firmware fails")

    def _fail(self) -> None:
        """Wait for the recorded failure."""
        try:
            self._run_until(lambda: self._lives > 1, _END_MS)
        except TimeoutError:
            raise _Diverged(f"the {self._recording.failure['why']} does not come") from None

    # ------------------------------------------------------------------ eyes

    def _see(self, record: dict[str, Any]) -> None:
        self._trace.append(record)
        if "lamps" in record:
            self._pictures.add(tuple(record["lamps"]))
        kind, what, said = protocol.parse(record.get("console", ""))
        if (kind, what) == (protocol.OK, "seed"):
            self._seeded = True
        elif kind != protocol.EVENT:
            return
        elif what == "boot":
            self._lives += 1
        elif what in ("game", "level"):
            self._chosen[what] = said[what]
        elif "state" in said and self._lives == 1:
            self._see_state(said["state"])

    def _see_state(self, name: str) -> None:
        """Handle a new state and its first lit lamps, from the simulated flight recorder."""
        now = self._pico.clock.now
        *_, last = (event for event in self._recorded() if event.value == name)
        self._seen.append((now, name, last.lamps, self._pictures | {last.lamps}))
        self._pictures = {last.lamps}
        for step, effect, base in self._pressing:
            if effect > now and step.states < len(self._seen):
                self._late = self._too_late(step, base, now)
        self._pressing = [one for one in self._pressing if one[1] > now]

    def _too_late(self, step: _Step, base: int, entered: int) -> _TooLate:
        return _TooLate(step.number, min(entered - base, self._limits.get(step.number, entered)))

    def _recorded(self) -> Iterator[Event]:
        for _, _, view in self._pico.core.memory:
            memory = bytes(view)
            if memory.startswith(flight.MAGIC):
                return _decode(memory)
        return iter(())
