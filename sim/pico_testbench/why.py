"""`pytest --pico-why` and `pytest --pico-cut-everywhere`.

Both run a test again. Each run is the same, so they can look at an earlier moment.
"""

from __future__ import annotations

import ast
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any

import pytest

from pico_testbench.board import Board, Broken, Halt
from pico_testbench.clock import Clock
from pico_testbench.parts import Part

_NEAR_US = 4000  # how long Ctrl-C takes at most to reach the program
_STOPS_US = 20_000  # how long the program takes at most to print where it was
_EVENTS = 8
_PASSES_TIME = {"expect", "run", "run_until", "tap", "always"}
_HERE = "Ctrl-C last stopped the program here (later lines and callbacks may have run):"
_WRITABLE = (int, float, str, bytes, tuple, list, set, dict, type(None))
_INPUTS = {"power_on", "power_off", "reset", "send", "send_bytes"}

NewBoard = partial[Board]


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


def cut_everywhere(
    item: pytest.Function, new: NewBoard, commands: int
) -> Iterator[tuple[Board, NewBoard]]:
    """Run a test once for each flash command of the firmware, with a power cut after it. Before
    each run, yield its Pico and the function that made it. Raises AssertionError for the first run
    that fails."""
    __tracebackhide__ = True
    for number in range(1, commands + 1):
        cut = partial(new, cut_at=number)
        pico = cut()
        yield pico, cut
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
    """An assertion in a test, and the frame in which it failed. `late` contains the values of
    names that have no value yet."""

    def __init__(self, node: ast.expr, frame: FrameType, late: dict[str, Any]):
        self.text = ast.unparse(node)
        self.frame = frame
        self._late = late
        self._code = compile(ast.Expression(node), "<assertion>", "eval")
        self.names = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
        called = {one.attr for one in ast.walk(node) if isinstance(one, ast.Attribute)}
        self.may_be_looked_at = "pico" in self.names and not called & _PASSES_TIME
        self.state: str | None = None  # the result of the last look, or "" if it held
        self.held = False  # at any look
        self.since = 0

    def look(self, us: int) -> None:
        """Record whether the assertion holds now, and since when."""
        frame: FrameType | None = sys._getframe()
        while frame and frame.f_code is not self.frame.f_code:
            frame = frame.f_back
        if not frame:
            return
        try:
            holds = eval(self._code, {**frame.f_globals, **self._late, **frame.f_locals})
            state = "" if holds else "has not held"
        except NameError:
            return
        except Exception as why:
            state = f"has raised {type(why).__name__}"
        self.held |= not state
        if state != self.state:
            self.state, self.since = state, us


def explain(item: pytest.Function, new: NewBoard, error: BaseException) -> str:
    """Return the time since which a test's failed assertion has not held, the events before that,
    and the program's lines. Write a test that reproduces the failure."""
    error = error.__cause__ or error
    pico = new()
    log = _Log(str(item.path), pico.clock)
    claims = _claims(error.__traceback__, item.path)
    pico.watchers += [claim.look for claim in claims]
    if not claims and not isinstance(error, Broken):
        return (
            f"The test ended with {type(error).__name__}. --pico-why looks only at the past of an"
            " `assert` about `pico` that lets no time pass, and of the condition of `always`"
        )
    _run(item, _Logged(pico, "pico", log))
    pico.power_off()
    claim = next((one for one in claims if one.state is not None), None)
    since, text = getattr(error, "us", 0), "the condition of `always` has not held"
    if claims and (not claim or not claim.state):
        return f"`assert {claims[0].text}` held, or was not reached, while time passed"
    if claim:
        since, text = claim.since, f"`assert {claim.text}` {claim.state}"
    before = [str(record) for record in pico.trace if record.us <= since][-_EVENTS:]
    never = ", and did not hold earlier" if claim and not claim.held else ""
    found = [f"{text} since {since / 1000:.3f} ms{never}:", *before]
    if any(abs(record.us - since) <= 1 for record in pico.trace):
        found += [_HERE, *_where(item, new, since)]
    else:
        found.append("Then no pin, part or line changed, but the flash, or a value in the test")
    if claim:
        found.append(_reproduce(item, new, claim, log.actions, since))
    return "\n".join(found)


def _claims(raised: TracebackType | None, test: Path) -> list[_Claim]:
    """Return the failed assertion about `pico` in a test file twice, or nothing: with values that
    its names get while the test runs, and with their values at the end."""
    line, at = 0, None
    while raised:
        if raised.tb_frame.f_code.co_filename == str(test):
            line, at = raised.tb_lineno, raised.tb_frame
        raised = raised.tb_next
    for node in ast.walk(ast.parse(test.read_text(encoding="utf-8"))):
        if at and isinstance(node, ast.Assert) and node.lineno <= line <= (node.end_lineno or 0):
            claims = [_Claim(node.test, at, late) for late in ({}, at.f_locals)]
            return [claim for claim in claims if claim.may_be_looked_at]
    return []


def _where(item: pytest.Function, new: NewBoard, since: int) -> list[str]:
    """Return the program's lines that were running before an event, which are the lines at which
    the latest Ctrl-C that prevents the event arrives. MicroPython delays Ctrl-C until the next
    jump, and until a callback returns."""
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
    """Return a line of a traceback and the source line that it names."""
    _, name, rest = line.split('"', 2)
    number = int(rest.split("line ")[1].split(",")[0])
    source = files.get(name, b"").decode("utf-8", "replace").splitlines()
    return [line, *(f"    {text.strip()}" for text in source[number - 1 : number])]


@dataclass
class _Action:
    """A call in the test, with its start, its end and its text."""

    began: int
    ended: int
    text: str


@dataclass
class _Log:
    """The actions of a test file while this clock runs."""

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
    values, known = claim.frame.f_locals, vars(item.module)
    given = sorted(claim.names & set(values) - {"pico"})
    body = [f"{name} = {values[name]!r}" for name in given]
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
    name = "why_" + re.sub(r"\W+", "_", item.name.removeprefix("test_")).strip("_")
    text = f"def test_{name}(pico):\n" + "".join(f"    {line}\n" for line in body)
    unwritten = ", ".join(name for name in given if not isinstance(values[name], _WRITABLE))
    if unwritten:
        return f"No test reproduces it: the value of {unwritten} cannot be written"
    scope, pico = dict(known), new()
    try:
        exec(text, scope)
        scope[f"test_{name}"](pico)
        fails = False
    except Exception as error:
        fails = isinstance(error, AssertionError) or type(error).__name__ in str(claim.state)
    pico.power_off()
    if not fails:
        return "No test reproduces it: it depends on more than the inputs before that time"
    module, original = item.module.__name__, item.function.__qualname__
    used = "".join(f"from {module} import {one}\n" for one in sorted(claim.names & set(known)))
    file = item.path.with_name(f"{name}.py")
    owners = ["of", *([f"of.{item.cls.__qualname__}"] if item.cls else []), f"of.{original}"]
    file.write_text(
        f'"""Written by pytest --pico-why. It fails as {original} does."""\n\n'
        f"import pytest\n\nimport {module} as of\n{used}\n"
        f"owners = [{', '.join(owners)}]\n"
        "marks = [getattr(owner, 'pytestmark', []) for owner in owners]\n"
        "marks = sum((mark if isinstance(mark, list) else [mark] for mark in marks), [])\n"
        "pytestmark = [mark for mark in marks if mark.name == 'pico']\n"
        f"pytestmark += [pytest.mark.pico(cut_at={new.keywords.get('cut_at', 0)})]\n\n\n{text}",
        encoding="utf-8",
    )
    return f"To reproduce it: pytest {os.path.relpath(file)}"
