"""Faults, and the one invariant that must hold for all of them.

After any failure, there is no illegal move and no wrong winner, the lamps are alive again within
ten seconds, no saved data is lost, and the next visitor plays a whole match. A Judge, which is a
referee that trusts only the trace, checks the first three. A Trial checks the rest.
"""

import json
import sys
import types
from functools import wraps
from pathlib import Path
from random import Random

from nimatron_sim import firmware
from nimatron_sim.base_pico import SETTINGS
from nimatron_sim.cabinet import Circuit
from nimatron_sim.simulated.importer import MIRROR, Loader
from nimatron_sim.simulated_pico import SimulatedPico
from nimatron_sim.soak import visitors
from nimatron_sim.soak.referee import DARK_MS, Referee

QUICK = {"think_ms": 250, "lamp_ms": 50, "verdict_ms": 2000, "idle_ms": 15_000, "attract_ms": 100}
STATISTICS, CRASHES = "/statistics.json", "/crashes.json"
LAMPS, SIGNS = "lamps", "signs"
FAILURES = (OSError(5, "EIO"), ValueError("value"), MemoryError("memory"), RuntimeError("runtime"))


class Judge(Referee):
    """A referee that accepts the start after a failure, and the picture at that moment. `broken`
    is the missing part, LAMPS or SIGNS."""

    def __init__(self, settings=None, broken=None):
        super().__init__(settings or {})
        self.failed = set()  # the moments, in ms
        self.lines = []
        self._broken = broken

    def see(self, record):
        if "console" in record:
            self.lines.append(record["console"])
        super().see(record)

    def look(self, ms):
        if self._forgives(LAMPS):
            self._due = []
        if self._broken == LAMPS:
            self._dark_since = None
        super().look(ms)

    def _hear(self, line):
        if "Traceback" in line:  # in the middle of one
            return
        if line.startswith("error reason=failed"):  # it may have been done anyway
            self._lost = self._unheard = True
        try:
            super()._hear(line)
        except KeyError:
            if self._ms not in self.failed:
                raise
            self._lost = self._unheard = True  # it failed in the middle of the line

    def _forgives(self, what):
        return self._broken == what or self._ms in self.failed

    def _boot(self, words):
        super()._boot(dict(words, why="forgiven" if words["why"] in ("crash", "hang") else ""))

    def _over(self, words):
        if self._forgives(SIGNS):
            self._legends = [visitors.SIGN_OF[words["winner"]]]
        super()._over(words)

    def _check_statistics(self, words):
        """Do nothing. The Trial checks the statistics, because it has the saved statistics."""

    @property
    def unsaved(self):
        """Return the number of matches that may be lost, because they were not saved yet at the
        failure."""
        return self._most["games",] - self._least["games",]


class Trial:
    """An exhibit with a failure, and its judge, for a `with` statement, which switches the exhibit
    off at the end. `saved` are settings, and `files` are other files on its flash."""

    def __init__(self, saved=None, files=None, display="matrix", broken=None):
        saved = QUICK | {"display": display} | (saved or {})
        self.judge = Judge(saved, broken)
        self.settings = saved
        circuit = Circuit(display=display)
        self.pico = SimulatedPico(circuit, record=self.judge.see, settings=saved)
        self.pico.files.contents.update(files or {})
        self.pico.darkness.may_be_dark = broken == LAMPS

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.pico.power_off()  # a running CPU is never garbage-collected

    @property
    def lines(self):
        """All lines of the console."""
        return self.judge.lines

    @property
    def told(self):
        """Return True if the exhibit has reported a failure. If the console itself failed, the
        exhibit can only log it."""
        said = [*self.lines, self.pico.files.contents.get(CRASHES, "")]
        return any(word in line for line in said for word in _COMPLAINTS)

    def fails(self):
        """Record a failure. Call this at the moment of the failure."""
        self.judge.failed.add(self.pico.ms)

    def visit(self):
        """Let one visitor play and win, one leave, and one find the cable."""
        pico = self.pico
        visitors.wait(pico, lambda: pico.state == "attract")
        pico.run(100)
        visitors.stay(pico, Random(1), visitors.expert(True, Random(1)))
        for line in _WORDS:
            pico.send(line)
            pico.run(100)
        visitors.stay(pico, Random(2), visitors.learner(Random(2)), 1)
        pico.run(25_000)

    def check(self, before=None, match=True):
        """Check the invariant after the fault, or while it continues. `before` is the value of
        `saved` at its start. With `match`, the next visitor plays a match of nim."""
        pico = self.pico
        pico.run(DARK_MS)
        self.judge.look(pico.ms)
        pico.send_bytes(b"\n")
        pico.run(DARK_MS)
        assert "mode=exhibit" in pico.ask("version")
        if match:
            self._check_a_match()
        if before:
            kept, games = self.saved
            assert (kept, games >= before[1]) == (before[0], True)

    def _check_a_match(self):
        pico, tally = self.pico, self.judge.tally
        pico.ask("new")
        pico.run_until(lambda: pico.state == "attract")
        games, random = tally["games"], Random(3)
        pico.ask("press new")
        while pico.state != "verdict":
            visitors.make_move(pico, visitors.learner(random)(pico.rows))
            pico.run_until(lambda: pico.state in ("player", "verdict"))
        pico.run_until(lambda: pico.state == "attract")
        assert tally["games"] == games + 1

    @property
    def saved(self):
        """The contents of the flash: the settings, and the number of games."""
        contents = self.pico.files.contents
        statistics = json.loads(contents.get(STATISTICS, "{}"))
        return json.loads(contents["/" + SETTINGS]), statistics.get("games", 0)


# The last function answers a line of the console, where a ValueError refuses the command.
_COMPLAINTS = ("failed", "unsaved=", "unreadable", "why=crash", "Traceback", "error reason=value")

_WORDS = (
    "status,stats,log,settings,watch on,lamps test,watch off,buttons on,buttons,buttons off"
    f",set brightness 90,set brightness 100,stats begin now,log clear,{'x' * 500}"
).split(",")


# ---------------------------------------------------------------------- possible failures

_HARDWARE = ("machine", "rp2", "os", "select", "sys", "time")  # the mirrored modules that fail
_FIRMWARE = str(firmware.folder())
_SPECIAL = ("__init__", "__getitem__", "__setitem__")


class Sabotage:
    """The calls of the firmware in the mirrored modules, and the call that fails.

    A point is the caller and the callee, like "sounder PWM.freq". `calls` counts them. `failed()`
    is called at the moment of each failure.
    """

    def __init__(self):
        self.calls = {}
        self.failures = 0
        self.failed = lambda: None
        self._callers = {}
        self.mend()

    def fail(self, point, k, failure, forever=False, late=False):
        """Let the k-th call fail, and, if `forever` is true, all calls after it. If `late` is
        true, the call fails after its work is done."""
        self._plan = point, k, failure, forever, late
        self.calls = {}
        self.failures = 0

    def mend(self):
        """Stop the failures."""
        self._plan = None, 0, None, False, False

    def call(self, frame, name, function, args, how):
        file = frame.f_code.co_filename
        if file not in self._callers:
            self._callers[file] = Path(file).stem if file.startswith(_FIRMWARE) else None
        if not self._callers[file]:
            return function(*args, **how)
        point = f"{self._callers[file]} {name}"
        count = self.calls[point] = self.calls.get(point, 0) + 1
        planned, k, failure, forever, late = self._plan
        if point != planned or count < k or (count > k and not forever):
            return function(*args, **how)
        self.failures += 1
        self.failed()
        if late:
            function(*args, **how)
        raise type(failure)(*failure.args)

    def wrap(self, name, function):
        @wraps(function)
        def wrapped(*args, **how):
            return self.call(sys._getframe(1), name, function, args, how)

        return wrapped

    def tamper(self, module):
        """Wrap all public names in a mirrored module."""
        for name, thing in list(vars(module).items()):
            if isinstance(thing, (types.FunctionType, types.MethodType)) and name[0] != "_":
                setattr(module, name, self.wrap(name, thing))
            elif name[0] != "_":
                self._tamper_inside(name, thing, module)

    def _tamper_inside(self, name, thing, module):
        kind = thing if isinstance(thing, type) else type(thing)
        if kind.__module__ != module.__name__:
            return
        for key, value in list(vars(kind).items()):
            what = f"{name}.{key}" if key != "__init__" else name
            if not isinstance(value, types.FunctionType):
                self._tamper_inside(what, value, module)
            elif (key in _SPECIAL or key[0] != "_") and not hasattr(value, "__wrapped__"):
                setattr(kind, key, self.wrap(what, value))


class _File:
    """An open file that may fail at each step."""

    def __init__(self, file, sabotage):
        self.read = sabotage.wrap("file.read", file.read)
        self.write = sabotage.wrap("file.write", file.write)
        self._sabotage = sabotage
        self._file = file

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self._sabotage.call(sys._getframe(1), "file.close", self._file.close, (), {})


class Saboteur(Loader):
    """A replacement for the Loader that tampers with each mirrored module."""

    sabotage = Sabotage()

    def __init__(self, files, given, **built_in):
        def opened(*args):
            file = self.sabotage.call(sys._getframe(1), "open", built_in["open"], args, {})
            return _File(file, self.sabotage)

        super().__init__(files, given, **dict(built_in, open=opened))

    def _execute(self, module, file):
        super()._execute(module, file)
        if file.parent == MIRROR and module.__name__ in _HARDWARE:
            self.sabotage.tamper(module)
