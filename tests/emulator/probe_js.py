"""Instruments to clip on a Pico on rp2040js, whose edges come in pieces, with their times."""

import pressing

from judges.rp2040js.second_pico import SecondPico
from nimatron.devices.pins import COLUMNS, ROWS

_SEEN_MS = 2  # enough for a whole frame
_LATEST_MS = 40
_CYCLES_PER_MS = 125_000


def went_out_after(pico: SecondPico, row: int, column: int, button: str) -> float:
    """Press the button. Return the ms until the lamp (both from 0) is out."""
    high = dict.fromkeys((ROWS[row], COLUMNS[column]), 0)
    last = [0.0]

    def moved(gpio, level, ns):
        if all(high.values()):
            last[0] = ns / 1e6
        high[gpio] = level

    with pico.circuit.chip.listening(tuple(high), moved):
        pico.run(_SEEN_MS)
        pressed = pico.clock.now / 1000
        pico.press(button)
        pico.run(_LATEST_MS)
    assert last[0] > pressed, "the lamp was not lit"
    return last[0] - pressed


def presses(pico: SecondPico, count: int) -> list[float]:
    """Presses at all phases of a millisecond: see pressing.py."""
    return pressing.presses(pico, count, went_out_after)


def row_gaps(pico: SecondPico, ms: float) -> list[float]:
    """Let `ms` pass. The ms from each switching on of a row to its next, sorted."""
    gaps: list[float] = []
    since: dict[int, float] = {}

    def moved(gpio, level, ns):
        if level:
            if gpio in since:
                gaps.append((ns - since[gpio]) / 1e6)
            since[gpio] = ns

    with pico.circuit.chip.listening(ROWS, moved):
        pico.run(ms)
    return sorted(gaps)


def busy(pico: SecondPico, ms: float) -> float:
    """Let `ms` pass. The percentage of it in which the CPU did not sleep."""
    chip = pico.circuit.chip
    cycles, begun = chip.cycles, chip.us
    pico.run(ms)
    return 100 * (chip.cycles - cycles) / ((chip.us - begun) / 1000 * _CYCLES_PER_MS)
