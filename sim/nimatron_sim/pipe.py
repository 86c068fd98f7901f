"""The simulated Pico's console on a pipe: for scripts, and for people with a screen reader."""

from typing import BinaryIO, TextIO

from nimatron_sim.boards import PICO
from nimatron_sim.escaped import escaped
from nimatron_sim.simulated.pico import SimulatedPico


def serve(commands: BinaryIO, answers: TextIO, board: str = PICO) -> None:
    """Answer each line of `commands`. Virtual time runs until the exhibit waits for a person
    before the next line is read."""

    def record(change):
        if "console" in change:
            print(escaped(change["console"]), file=answers, flush=True)

    pico = SimulatedPico(record=record, board=board)
    pico.settle()
    for line in commands:
        pico.send_bytes(line.rstrip(b"\r\n") + b"\n")
        pico.run(1)
        pico.settle()
