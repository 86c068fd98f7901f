"""The steps of the work: the parts to place, and the tests."""

from collections.abc import Sequence
from dataclasses import dataclass

from nimatron import board
from nimatron_wiring import kinds, pico
from nimatron_wiring.netlist import PICO, Build, Node, Part


@dataclass(frozen=True)
class Step:
    number: int
    name: str
    parts: tuple[Part, ...]
    tests: tuple[str, ...]  # parts that `nimatron check` finds good after this step


def steps(build: Build) -> list[Step]:
    names = list(dict.fromkeys(part.step for part in build.parts))
    return [
        Step(
            number,
            name,
            tuple(part for part in build.parts if part.step == name),
            tuple(_tests(build, name)),
        )
        for number, name in enumerate(names, 1)
    ]


def step_of(build: Build, part: str) -> Step:
    """Return the step that wires a part. `part` is the name of the part in `nimatron check`, such
    as "button go"."""
    return next(step for step in steps(build) if part in step.tests)


def page(build: Build) -> str:
    return f"wiring/{build.name}.md"


_PANEL = {"buttons": "button ", "signs": "legend ", "coin": "coin"}
_PANEL |= dict.fromkeys(("buzzer", "loudspeaker"), "sounder")


def _tests(build, name):
    rows = [f"row {row}" for row in range(1, board.ROWS + 1)]
    if name in rows or name == "lamps":
        rows = [name] if name in rows else rows
        return [f"{row} lamp {lamp}" for row in rows for lamp in range(1, board.LAMPS + 1)]
    names = [signal.name for signal in build.signals]
    return [signal for signal in names if name in _PANEL and signal.startswith(_PANEL[name])]


def spoken(build: Build, node: Node) -> str:
    """Return the name of a pin in words, such as "R8 one end" or "Pico GP2 (pin 4)"."""
    ref, pin = node
    if ref == PICO:
        return f"Pico {pin.split('.')[0]} (pin {pico.NUMBERS[pin]})"
    kind = build.part(ref).kind
    if kind == "rail":
        return f"{build.part(ref).value} rail"
    pins = kinds.KINDS[kind]
    if len(pins.pins) == 1:
        return ref
    if pin in pins.numbers:
        return f"{ref} {pin.split('.')[0]} (pin {pins.numbers[pin]})"
    return f"{ref} {pins.ends.get(pin, pin)}"


def in_short(refs: Sequence[str]) -> str:
    """Return a list of refs in short form: "R1 to R3, R5" for R1, R2, R3, R5."""
    runs: list[list[str]] = []
    for ref in refs:
        if runs and _next(runs[-1][-1]) == ref:
            runs[-1].append(ref)
        else:
            runs.append([ref])
    return ", ".join(run[0] if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs)


def _next(ref):
    prefix = ref.rstrip("0123456789")
    number = ref[len(prefix) :]
    return f"{prefix}{int(number) + 1}" if number else ""
