"""`pytest --pico-why` and `pytest --pico-cut-everywhere`.

Both run a test again. Each run is the same, so an earlier moment can be looked at.
"""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType, TracebackType
from typing import Any

import pytest

from pico_testbench.board import Board, Broken, Halt
from pico_testbench.clock import Clock
from pico_testbench.parts import Part

_NEAR_US = 4000  # how long Ctrl-C takes at most to reach the program
_STOPS_US = 20_000  # how long the program takes at most to print where it was
_EVENTS = 8
_PASSES_TIME = {"expect", "run", "run_until", "tap", "always"}
_INPUTS = {"power_on", "power_off", "reset", "send", "send_bytes"}

NewBoard = Callable[[], Board]


def _run(item: pytest.Function, pico: Board | _Logged) -> BaseException | None:
    """Run a test with this Pico. Return the error that ends it."""
    names = item._fixtureinfo.argnames
    try:
        item.obj(**{name: pico if name == "pico" else item.funcargs[name] for name in names})
    except (Exception, Halt, pytest.fail.Exception) as why:
        return why
    finally:
        pico.watchers.clear()
    return None


# ---------------------------------------------------------------------- power cuts


def cut_everywhere(item: pytest.Function, new: NewBoard, commands: int) -> Iterator[Board]:
    """Run a test once for each flash command of the firmware, with a power cut after it. Yield
    each Pico before its run. Raises AssertionError for the first run that fails."""
    __tracebackhide__ = True
    for number in range(1, commands + 1):
        pico = new()
        pico.cut_at = number
        yield pico
        error = _run(item, pico)
        pico.power_off()
        if error:
            off = [ms for ms, what in pico.records("power") if what == "off"]
            raise AssertionError(
                f"with a power cut after flash command {number} of {commands},"
                f" at {off[0]:.3f} ms: {type(error).__name__}: {error}"
            ) from error


# ---------------------------------------------------------------------- why


class _Claim:
    """An assertion in a test: its text, its code, and the code of its function."""

    def __init__(self, node: ast.expr, function: CodeType):
        self.text = ast.unparse(node)
        self._code = compile(ast.Expression(node), "<assertion>", "eval")
        self._function = function
        self.names = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
        called = {one.attr for one in ast.walk(node) if isinstance(one, ast.Attribute)}
        self.may_be_looked_at = "pico" in self.names and not called & _PASSES_TIME
        self.last: bool | None = None
        self.since = 0

    def look(self, us: int) -> None:
        """Note whether the assertion holds now, and since when."""
        frame: FrameType | None = sys._getframe()
        while frame and frame.f_code is not self._function:
            frame = frame.f_back
        if not frame:
            return
        try:
            holds = bool(eval(self._code, frame.f_globals, frame.f_locals))
        except Exception:  # a name that has no value yet
            return
        if holds is not self.last:
            self.last, self.since = holds, us


def explain(item: pytest.Function, new: NewBoard, error: BaseException) -> str:
    """Return the moment since which the failed assertion of a test has not held, the events before
    it and the program's lines. Write a test that reproduces it."""
    pico = new()
    log = _Log(str(item.path), pico.clock)
    claim = _claim(error.__traceback__, item.path)
    if claim:
        pico.watchers.append(claim.look)
    elif not isinstance(error, Broken):
        return "no assertion about `pico` has failed, whose past could be looked at"
    _run(item, _Logged(pico, "pico", log))
    pico.power_off()
    since, text = getattr(error, "us", 0), "the condition of `always`"
    if claim:
        since, text = claim.since, f"`assert {claim.text}`"
        if claim.last is not False:
            return f"{text} held at the last change"
    before = [str(record) for record in pico.trace if record.us <= since][-_EVENTS:]
    found = [f"{text} has not held since {since / 1000:.3f} ms:", *before]
    found += ["Just before that, the firmware was at:", *_where(item, new, since)]
    if claim:
        found.append(_reproduce(item, new, claim, log.actions, since))
    return "\n".join(found)


def _claim(raised: TracebackType | None, test: Path) -> _Claim | None:
    """Return the assertion about `pico` that has failed in a test file."""
    line, code = 0, None
    while raised:
        if raised.tb_frame.f_code.co_filename == str(test):
            line, code = raised.tb_lineno, raised.tb_frame.f_code
        raised = raised.tb_next
    for node in ast.walk(ast.parse(test.read_text(encoding="utf-8"))):
        if code and isinstance(node, ast.Assert) and node.lineno <= line <= (node.end_lineno or 0):
            claim = _Claim(node.test, code)
            return claim if claim.may_be_looked_at else None
    return None


def _where(item: pytest.Function, new: NewBoard, since: int) -> list[str]:
    """Return the lines of the program that was running before an event: the lines at which the
    latest Ctrl-C arrives that prevents the event."""
    early, late, lines = max(0, since - _NEAR_US), since, ["a place that Ctrl-C cannot show"]
    while late - early > 1:
        middle = (early + late) // 2
        pico = new()
        pico.may_crash, pico.halt_us = True, middle
        _run(item, pico)
        pico.halt_us = middle + _STOPS_US
        printed = len(pico.output)
        pico.send_bytes(b"\x03")
        pico.run(_STOPS_US / 1000 - 1)
        happened = any(abs(record.us - since) <= 1 for record in pico.trace)
        said = pico.output[printed:].replace("\r", "").splitlines()
        pico.power_off()
        if happened:
            late = middle
            continue
        early = middle
        at = [line for line in said if line.startswith("  File")]
        if at:
            lines = [line for one in at for line in _quoted(one, pico.files)]
    return lines


def _quoted(line: str, files: dict[str, bytes]) -> list[str]:
    """Return a line of a traceback and the line of source that it names."""
    _, name, rest = line.split('"', 2)
    number = int(rest.split("line ")[1].split(",")[0])
    source = files.get(name, b"").decode("utf-8", "replace").splitlines()
    return [line, *(f"    {text.strip()}" for text in source[number - 1 : number])]


@dataclass
class _Action:
    """A call of the test: when it began, when it ended, and its text."""

    began: int
    ended: int
    text: str


@dataclass
class _Log:
    """What a test file does while this clock runs."""

    test: str
    clock: Clock
    actions: list[_Action] = field(default_factory=list)

    def begin(self, text: str) -> _Action:
        action = _Action(self.clock.now, self.clock.now, text)
        self.actions.append(action)
        return action


class _Logged:
    """A Pico or a part. The log gets the calls from the test file and its new values."""

    def __init__(self, thing: Any, name: str, log: _Log):
        vars(self).update(_thing=thing, _name=name, _log=log)

    def __getattr__(self, name: str) -> Any:
        value, text = getattr(self._thing, name), f"{self._name}.{name}"
        if isinstance(value, Part):
            return _Logged(value, text, self._log)
        acts = callable(value) and (isinstance(self._thing, Part) or name in _INPUTS)
        if not acts or sys._getframe(1).f_code.co_filename != self._log.test:
            return value

        def acted(*args: Any, **kwargs: Any) -> Any:
            given = [*map(repr, args), *(f"{name}={kwargs[name]!r}" for name in kwargs)]
            action = self._log.begin(f"{text}({', '.join(given)})")
            try:
                return value(*args, **kwargs)
            finally:
                action.ended = self._log.clock.now

        return acted

    def __setattr__(self, name: str, value: object) -> None:
        if isinstance(self._thing, Part):
            self._log.begin(f"{self._name}.{name} = {value!r}")
        setattr(self._thing, name, value)


def _reproduce(
    item: pytest.Function, new: NewBoard, claim: _Claim, actions: list[_Action], since: int
) -> str:
    """Write a test with only the inputs before a time. Return a line about it."""
    values = dict(getattr(getattr(item, "callspec", None), "params", {}))
    unknown = claim.names - {"pico", *vars(builtins)} - set(values)
    body = [f"{name} = {values[name]!r}" for name in sorted(claim.names & set(values))]
    now = 0
    for action in actions:
        if action.began > since:
            break
        if action.began > now:
            body.append(f"pico.run(ms={(action.began - now) / 1000})")
        body.append(action.text)
        now = max(action.ended, now)
    if since > now:
        body.append(f"pico.run(ms={(since - now + 1) / 1000})")
    body.append(f"assert {claim.text}")
    name = f"test_why_{item.originalname.removeprefix('test_')}"
    text = f"def {name}(pico):\n" + "".join(f"    {line}\n" for line in body)
    scope: dict[str, Any] = {}
    pico = new()
    try:
        exec(text, scope)
        scope[name](pico)
    except AssertionError:
        pass
    except Exception as why:
        unknown = unknown or {str(why)}
    else:
        unknown = unknown or {"another input"}
    pico.power_off()
    if unknown or item.cls:
        return f"No test reproduces it: {', '.join(sorted(unknown)) or 'it is in a class'}"
    module, original = item.module.__name__, item.originalname
    file = item.path.with_name(f"{name}.py")
    file.write_text(
        f'"""Written by pytest --pico-why. It fails as {original} does."""\n\n'
        f"import {module} as of\n\n"
        "marks = [*getattr(of, 'pytestmark', []), *of." + original + ".pytestmark]\n"
        "pytestmark = [mark for mark in marks if mark.name == 'pico']\n\n\n" + text,
        encoding="utf-8",
    )
    return f"{file.name} reproduces it"
