"""A visitor who plays without pause, as a script of presses that every tier can run.

Two games, one won, one lost, watched on the simulated Pico once: the same presses at the same
moments, a third of a second after each sign, for one who was there before has nothing to read.
"""

from random import Random

from nimatron_sim.script import timeline
from nimatron_sim.simulated.pico import SimulatedPico
from nimatron_sim.soak.visitors import BUTTONS, VERDICTS, expert, learner

SEED = "send seed 7\nwait 100\n"  # what comes at one instant is done in any order
REACTION_MS = 300  # the emulated Pico's signs come up to 100 ms later
_REST_MS = 1500  # after a verdict nothing is heard for a while
_OPENINGS = (1, 8)  # how many further each game's is: after nine it is the first again


class Watched:
    """Hands on a Pico, and what they have done as a script."""

    def __init__(self, pico: SimulatedPico):
        self._pico = pico
        self.script: list[str] = []

    def tap(self, button: str, times: int) -> None:
        if times:
            self.script.append(f"tap {button} {times}")
            self._pico.tap(button, times)

    def wait(self, ms: int) -> None:
        self.script.append(f"wait {ms}")
        self._pico.run(ms)

    def wait_for(self, signs: set[str]) -> None:
        pico = self._pico
        begin = pico.ms
        pico.run_until(lambda: pico.legends & signs)
        self.script.append(f"wait {pico.ms - begin}")
        self.wait(REACTION_MS)


def script() -> str:
    """The script, from the attract show to the verdict of the last game."""
    pico = SimulatedPico()
    pico.settle()
    pico.play(SEED)
    hands = Watched(pico)
    thoughts = [expert(True, Random(1)), learner(Random(2))]
    for think, further in zip(thoughts, _OPENINGS, strict=True):
        hands.tap("new", 1 + further)
        hands.wait(REACTION_MS)
        while True:
            row, take = think(pico.rows)
            hands.tap(BUTTONS[row], take)
            hands.tap("go", 1)
            hands.wait_for({"your-move"} | VERDICTS)
            if pico.legends & VERDICTS:
                break
        hands.wait(_REST_MS)
    return SEED + "\n".join(hands.script) + "\n"


def ms(text: str) -> int:
    """How long a script takes."""
    return timeline(text, BUTTONS)[1]


def story(trace: list[dict]) -> list[str]:
    """What was played, of a trace: its moves and who won."""
    lines = [record["console"] for record in trace if "console" in record]
    return [line for line in lines if line.startswith(("event move", "event over"))]
