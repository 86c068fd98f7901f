"""The darkness referee. In every test, lamps that should be lit must not be dark for a second.

It judges only from outside: by the trace (see trace.py), the power, and touches on the Pico. It
does not judge a Pico that has never sent a first line, because other firmware may be running.
"""

import re
from typing import Any

from nimatron import protocol, states

_LIMIT_MS = {  # the longest dark gap in ms for each state in which a lamp must be lit
    states.ATTRACT: 1000,
    states.OPENING: 1000,
    states.PLAYER: 1000,  # until a press, which may switch off every lamp
    states.THINKING: 1000,
    states.MACHINE: 3000,  # the machine may take the last lamp, and waits up to 2 s after each
    states.VERDICT: 1000,
    "test": 1000,
    states.CRASHED: 1000,  # until a line is typed: the console can test single lamps
    "boot": 2000,  # from power-on or a reset until the Pico reports its state
}
_BOOT = "boot"
_PLAYED = (states.PLAYER,)  # states in which a press excuses darkness
_TYPED = (states.PLAYER, states.CRASHED)  # states in which a typed line excuses darkness

# Matches the lines that the referee needs. Most lines need not be parsed.
matters = re.compile(" state=| quiet=|boot|working").search


class Dark(AssertionError):
    """The exception for lamps that were dark when they should have been lit."""


class Darkness:
    """The darkness referee. Pass it each trace record, each touch and each change of the power.
    Times are in ms.

    In a test that breaks the display on purpose, set `may_be_dark` to judge nothing.
    """

    def __init__(self) -> None:
        self.may_be_dark = False
        self._known = False  # True after the Pico has sent its first line
        self._state = ""  # "" while no lamp has to be lit
        self._since = 0  # the time when the state was entered
        self._dark_since: int | None = 0
        self._due: int | None = None  # the latest time by which a lamp must be lit
        self._deaf = False  # True if some events may be missing
        self._foul = ""

    def see(self, record: dict[str, Any]) -> None:
        """Handle a trace record."""
        if "lamps" in record:
            ms = record["ms"]
            self._look(ms)
            if any(record["lamps"]):
                self._dark_since = None
            elif self._dark_since is None:
                self._dark_since = ms
            self._plan()
        elif "console" in record:
            self.hear(protocol.parse(record["console"]), record["ms"])

    def hear(self, words: tuple[str, str, dict[str, str]], ms: int) -> None:
        """Handle a parsed console line."""
        kind, what, said = words
        if kind == protocol.OK and said.get("quiet") == "on":
            self.deafen(ms)
            self._excuse(ms)
        elif kind != protocol.EVENT:
            return
        elif "state" in said:
            self._deaf = False
            self._enter(said["state"], ms)
        elif what == "boot":
            self._known = True
            self._deaf = False
            self._enter(_BOOT, ms)
        elif what == "working":
            self._excuse(ms)  # a step may wait for GO without a lit lamp

    def deafen(self, ms: int) -> None:
        """Record that events may be missing from now on."""
        self._look(ms)
        self._deaf = True

    def touch(self, ms: int, typed: bool = False) -> None:
        """Record that a button was pressed or a line was typed."""
        if self._deaf or self._state in (_TYPED if typed else _PLAYED):
            self._excuse(ms)

    def power(self, on: bool, ms: int) -> None:
        """Record that the power is switched on or off, or that the chip is reset."""
        self._deaf = False
        self._enter(_BOOT if on else "", ms)

    def check(self, ms: int) -> None:
        """Record that nothing has changed up to `ms`. Raises Dark if the lamps have been dark for
        too long, now or earlier."""
        self._look(ms)
        foul, self._foul = self._foul, ""
        if foul and not self.may_be_dark:
            raise Dark(foul)

    def _enter(self, state: str, ms: int) -> None:
        self._look(ms)
        self._state = state
        self._since = ms
        self._plan()

    def _excuse(self, ms: int) -> None:
        """Allow darkness until another state is entered."""
        self._enter("", ms)

    def _plan(self) -> None:
        self._due = None
        if self._dark_since is not None and self._known and self._state in _LIMIT_MS:
            self._due = max(self._dark_since, self._since) + _LIMIT_MS[self._state]

    def _look(self, ms: int) -> None:
        if self._due is not None and ms > self._due:
            self._foul = (
                f"the lamps have been dark since {self._dark_since} ms, in the state"
                f" {self._state}, and still were at {self._due} ms"
            )
            self._dark_since = self._due
            self._plan()


def judge(trace: list[dict[str, Any]], moments: list[tuple[int, str, str]], end: int) -> None:
    """Judge a complete trace up to `end` in ms. `moments`: see script.timeline. Raises Dark."""
    darkness = Darkness()
    touches = list(moments)
    for record in [*trace, {"ms": end}]:
        while touches and touches[0][0] <= record["ms"]:
            ms, verb, argument = touches.pop(0)
            if verb == "power":
                darkness.power(argument == "on", ms)
            else:
                darkness.touch(ms, typed=verb == "send")
        darkness.see(record)
    darkness.check(end)
