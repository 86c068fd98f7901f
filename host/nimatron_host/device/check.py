"""`nimatron check`: the bench test of a Pico in its cabinet, guided step by step."""

import json
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from nimatron import board, protocol, states
from nimatron.devices import pins
from nimatron_host.device.link import Refused, SerialLink
from nimatron_host.device.printed_reports import wire_faults
from nimatron_host.output import aligned
from nimatron_sim.errors import UserError
from nimatron_sim.text_encoding import escaped
from nimatron_wiring import circuits, steps
from nimatron_wiring.netlist import Build

_TONE = 440  # Hz
_IDEAL = 2  # edges in a press and release: more edges are bounce
_REST_S = 3.0  # the time in which a noisy contact closes without a press


@dataclass
class Result:
    part: str
    good: bool
    remark: str = ""
    where: str = ""  # the place to look at. The default is the step that tests the part


def check(
    port: str,
    yes: Callable[[str], bool],
    wait_s: float,
    step: int | None = None,
    as_json: bool = False,
) -> None:
    """Test every part and print a summary, or one JSON document and everything else on standard
    error. The Pico plays again at the end, whatever happens.

    yes(question): asks the person, and returns True for yes.
    wait_s: the time to wait for each button press, in seconds.
    step: the step of the wiring page whose parts are tested, or None for all.

    Raises UserError, including when a part has failed.
    """
    say = partial(print, file=sys.stderr) if as_json else print
    with SerialLink(port) as line:
        mode = line.nimatron().get("mode")
        build = _build(line)
        wanted = _wanted(build, step)
        results = [] if step else list(_wires(line, say))
        say(f"{port}: restarting in maintenance mode")
        try:
            if mode != states.MAINTENANCE:
                line.restart("maintenance", states.MAINTENANCE)
            results += _lights(line, yes, wanted)
            results += _buttons(line, wait_s, wanted, say)
        finally:
            say(f"{port}: restarting in exhibit mode")
            line.restart("reboot", states.EXHIBIT)
    failed = [result.part for result in results if not result.good]
    if as_json:
        print(json.dumps([_facts(build, result) for result in results]))
    else:
        print()
        print(aligned([("part", "result", "remark"), *map(_row, results)]))
        for result in results:
            if not result.good:
                print(f"{result.part} has failed: {_where(build, result)}")
    if failed:
        raise UserError(f"{len(failed)} of {len(results)} parts failed: {', '.join(failed)}")
    say(f"all {len(results)} parts are good")


def _build(line: SerialLink) -> Build:
    """Return the build for the Pico's lamps."""
    display = line.query("settings")["display"]
    for build in circuits.builds():
        if build.display == display:
            return build
    raise UserError(
        f"{line.port} has the display {display}, for which this computer has no build. "
        f"Install its version of the firmware with: nimatron deploy {line.port}"
    )


def _wanted(build: Build, number: int | None) -> Callable[[str], bool]:
    """Return a function that returns True if the part with a given name should be tested."""
    there = steps.steps(build)
    if number is None:
        return {part for step in there for part in step.tests}.__contains__
    tested = [step.number for step in there if step.tests]
    if number not in tested:
        raise UserError(
            f"{steps.page(build)} has no step {number} with lamps, buttons or the like to test: "
            f"choose {tested[0]} to {tested[-1]}"
        )
    return there[number - 1].tests.__contains__


def _where(build: Build, result: Result) -> str:
    if result.where:
        return result.where
    return f"{steps.page(build)}, step {steps.step_of(build, result.part).number}"


def _facts(build: Build, result: Result) -> dict[str, object]:
    """Return a result for a program, with the place on the wiring page if the test failed."""
    where = {} if result.good else {"where": _where(build, result)}
    return {"part": result.part, "good": result.good, "remark": result.remark} | where


def _row(result: Result) -> tuple[str, str, str]:
    return result.part, "good" if result.good else "FAILED", escaped(result.remark)


def _wires(line: SerialLink, say: Callable[[str], None]) -> Iterator[Result]:
    """Report the Pico's own measurement of the lamps' wiring, which is ready a minute after a
    start. Firmware 0.2 does not measure."""
    measured = line.query("health").get("lamps", "unknown")
    if measured == "unknown":
        say("The Pico has not measured the wires of its lamps.")
    for name, holes in wire_faults(measured):
        say(f"{name}: look at {holes}")
        part, _, how = name.partition(" is ")
        yield Result(f"wires of {part}", False, how, holes)


def _lights(
    line: SerialLink, yes: Callable[[str], bool], wanted: Callable[[str], bool]
) -> Iterator[Result]:
    """Test everything that a person must see or listen to."""
    tests = []  # part, command, question
    for row in range(1, board.ROWS + 1):
        for lamp in range(1, board.LAMPS + 1):
            part = f"row {row} lamp {lamp}"
            tests.append((part, f"lamp {row} {lamp}", f"Is {part} lit, and no other?"))
    for name, _ in pins.LEGENDS:
        tests.append((f"legend {name}", f"legend {name}", f"Is {name} lit, and no other?"))
    tests.append(("sounder", f"sound {_TONE}", "Is there a steady tone?"))
    tests.append(("coin", "coin", "Did the coin chute open just now?"))
    for part, command, question in tests:
        if wanted(part):
            try:
                line.query(f"test {command}")
                yield Result(part, yes(question))
            except Refused as why:
                yield Result(part, False, why.why)
    line.ask("test off")  # anything that fails now has failed before


def _buttons(
    line: SerialLink, wait_s: float, wanted: Callable[[str], bool], say: Callable[[str], None]
) -> Iterator[Result]:
    """Test every button: first with none pressed, then with each one pressed."""
    names = [name for name in board.BUTTONS if wanted(f"button {name}")]
    if not names:
        return
    contacts = line.query("buttons")
    line.query("buttons on")
    say("Do not touch the buttons.")
    rest = _contacts(line, min(_REST_S, wait_s))
    noisy = {told["button"] for told in rest if told["contact"] in ("closed", "noisy")}
    for name in names:
        if name in noisy:
            yield Result(f"button {name}", False, "noisy: closes without a press")
        elif contacts.get(name) == "closed":
            yield Result(f"button {name}", False, "stuck: closed without a press")
        else:
            say(f"Press and release {name.upper()} now ({wait_s:.0f} s).")
            yield _button(line, name, wait_s, say)
    line.query("buttons off")


def _contacts(line: SerialLink, seconds: float) -> Iterator[dict[str, str]]:
    """Yield the button and its contact in each event within this time."""
    end = time.monotonic() + seconds
    while said := line.wait(_is_contact, max(0, end - time.monotonic())):
        yield protocol.parse(said)[2]


def _button(line: SerialLink, name: str, wait_s: float, say: Callable[[str], None]) -> Result:
    part = f"button {name}"
    closed = False
    for told in _contacts(line, wait_s):
        if told["button"] != name:
            if told["contact"] == "closed":
                say(f"  that was {told['button'].upper()}")
        elif told["contact"] == "closed":
            closed = True
        elif told["contact"] == "open" and closed:
            bounce = int(told.get("edges", _IDEAL)) - _IDEAL
            remark = f"bounces: {bounce} extra edges" if bounce > 0 else "no bounce"
            say(f"  good, {remark}")
            return Result(part, True, remark)
        elif told["contact"] in ("held", "stuck", "noisy"):
            return Result(part, False, told["contact"])
    return Result(part, False, "pressed, never released" if closed else "no press came")


def _is_contact(line: str) -> bool:
    kind, _, said = protocol.parse(line)
    return kind == protocol.EVENT and "button" in said and "contact" in said


def ask(question: str, aside: bool = False) -> bool:
    """Ask the person at the keyboard until the answer is yes or no. If `aside` is true, ask on
    standard error. Enter alone is not an answer, because otherwise a dark cabinet could pass."""
    prompt = f"{question} [y/n] "
    while True:
        try:
            if aside:
                print(prompt, end="", file=sys.stderr, flush=True)
            answer = input("" if aside else prompt).strip().lower()
        except EOFError:
            raise UserError("ended before every part was tested") from None
        if answer in ("y", "yes"):
            return True
        if answer in ("n", "no"):
            return False
