"""People at the panel: they see lamps and legends, and have nothing but buttons."""

from collections.abc import Callable, Sequence
from random import Random

from nimatron import nim, pins
from nimatron_sim.pico import SimulatedPico

BUTTONS = [name for name, _ in pins.BUTTONS]
VERDICTS = {"you-win", "machine-wins"}

Move = tuple[int, int]  # row from 0, how many lamps
Thought = Callable[[Sequence[int]], Move]


def visit(pico: SimulatedPico, think: Thought) -> str:
    """Play until a verdict is lit, which is returned; think(rows) decides each move."""
    while True:
        pico.run_until(lambda: pico.legends & (VERDICTS | {"your-move"}))
        verdict = pico.legends & VERDICTS
        if verdict:
            return verdict.pop()
        make_move(pico, think(pico.rows))


def make_move(pico: SimulatedPico, move: Move) -> None:
    """Press a row once for each lamp, then GO."""
    row, take = move
    pico.tap(f"row{row + 1}", take)
    pico.tap("go")


def expert(misere: bool, random: Random) -> Thought:
    """Knows Bouton's theory; in a lost position, hopes."""

    def think(rows):
        return random.choice(nim.winning_moves(rows, misere) or moves(rows))

    return think


def learner(random: Random) -> Thought:
    """Knows the rules."""
    return lambda rows: random.choice(moves(rows))


def moves(rows: Sequence[int]) -> list[Move]:
    """Every move, by the rules alone."""
    return [(row, take) for row, n in enumerate(rows) for take in range(1, n + 1)]


def mash(pico: SimulatedPico, random: Random, ms: int) -> None:
    """A child with both hands on the buttons for about `ms`."""
    end = pico.ms + ms
    down = set()
    while pico.ms < end:
        button = random.choice(BUTTONS)
        (pico.release if button in down else pico.press)(button)
        down ^= {button}
        pico.run(random.randint(1, 150))
    for button in sorted(down):
        pico.release(button)
