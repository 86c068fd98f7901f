"""The referee of darkness: lamps that should be lit must not be dark for a second, whatever a test
is about.

It judges from outside only: by the trace (see recorder.py), the power, and whether anybody has
touched the Pico. It says nothing about a Pico that has never told its first line: that may run
other firmware.
"""

from nimatron import protocol, states

_LIMIT_MS = {  # the states in which some lamp is to be lit, and the longest gap between two
    states.ATTRACT: 1000,
    states.OPENING: 1000,
    states.PLAYER: 1000,  # until somebody picks what may be every lamp
    states.THINKING: 1000,
    states.MACHINE: 3000,  # it may take the last lamp, and waits 2 s at most after each
    states.VERDICT: 1000,
    "test": 1000,
    states.CRASHED: 1000,  # until somebody types at it, for the console tests lamps one by one
    "boot": 2000,  # from power-on or a reset until it has told its state
}
_BOOT = "boot"
_PLAYED = (states.PLAYER,)  # the states in which a press excuses
_TYPED = (states.PLAYER, states.CRASHED)  # and those in which a line does


class Dark(AssertionError):
    """Lamps that should have been lit were dark."""


class Darkness:
    """To be told each trace record, each touch and the power; times are in ms.

    may_be_dark: a test breaks the display on purpose, and it is not judged.
    """

    def __init__(self) -> None:
        self.may_be_dark = False
        self._known = False  # it has told its first line
        self._state = ""  # "" while nothing has to be lit
        self._since = 0  # of the state
        self._dark_since: int | None = 0
        self._due: int | None = None  # when, at the latest, a lamp has to be lit
        self._deaf = False  # not every event is heard
        self._foul = ""

    def see(self, record: dict) -> None:
        """Take in a trace record."""
        if "lamps" in record:
            ms = record["ms"]
            self._look(ms)
            if any(record["lamps"]):
                self._dark_since = None
            elif self._dark_since is None:
                self._dark_since = ms
            self._plan()
        elif "console" in record:
            self._hear(record["console"], record["ms"])

    def _hear(self, line, ms):
        kind, what, said = protocol.parse(line)
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
            self._excuse(ms)  # a step may be no lamp at all, and wait for GO

    def deafen(self, ms: int) -> None:
        """From now on not every event is heard."""
        self._look(ms)
        self._deaf = True

    def touch(self, ms: int, typed: bool = False) -> None:
        """Somebody has pressed a button, or typed something."""
        if self._deaf or self._state in (_TYPED if typed else _PLAYED):
            self._excuse(ms)

    def power(self, on: bool, ms: int) -> None:
        """The power comes, or goes, or the chip is reset."""
        self._deaf = False
        self._enter(_BOOT if on else "", ms)

    def check(self, ms: int) -> None:
        """Nothing has changed until now. Raises Dark if that was too long, now or before."""
        self._look(ms)
        foul, self._foul = self._foul, ""
        if foul and not self.may_be_dark:
            raise Dark(foul)

    def _enter(self, state, ms):
        self._look(ms)
        self._state = state
        self._since = ms
        self._plan()

    def _excuse(self, ms):
        """Until it enters another state it may be dark."""
        self._enter("", ms)

    def _plan(self):
        self._due = None
        if self._dark_since is not None and self._known and self._state in _LIMIT_MS:
            self._due = max(self._dark_since, self._since) + _LIMIT_MS[self._state]

    def _look(self, ms):
        if self._due is not None and ms > self._due:
            self._foul = (
                f"the lamps have been dark since {self._dark_since} ms, in the state"
                f" {self._state}, and still were at {self._due} ms"
            )
            self._dark_since = self._due
            self._plan()


def judge(trace: list[dict], moments: list, end: int) -> None:
    """A trace of which nobody took care while it came. moments: a script's timeline, see
    script.py; end: of the trace, in ms. Raises Dark."""
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
