"""The simulated Pico's console on a pipe: for scripts, and for people with a screen reader."""

from collections.abc import Callable, Iterable
from itertools import chain
from typing import Any, BinaryIO, TextIO

from nimatron import protocol
from nimatron_sim import text_encoding
from nimatron_sim.errors import check_refused
from nimatron_sim.simulated_pico import SimulatedPico
from nimatron_sim.text_encoding import escaped
from pico_testbench.models import PICO


def serve(
    commands: BinaryIO,
    answers: TextIO,
    board: str = PICO,
    lines: Iterable[str] = (),
    explained: Callable[[str], str] = str,
) -> None:
    """Answer each of `lines`, then each line of `commands`. Before the next line is read, virtual
    time runs until the exhibit waits for a person. explained(line) returns the line to print.

    Raises UserError at the end if some lines were refused, unless a person has typed them.
    """
    kinds = []

    def record(change: dict[str, Any]) -> None:
        if "console" in change:
            said = change["console"]
            print(escaped(explained(said)), file=answers, flush=True)
            if protocol.is_answer(said):
                kinds.append(protocol.parse(said)[0])

    pico = SimulatedPico(record=record, board=board)
    pico.settle()
    for line in chain((line.encode() for line in lines), text_encoding.lines(commands)):
        pico.send_bytes(line.rstrip(b"\r\n") + b"\n")
        pico.run(1)
        pico.settle()
    if not commands.isatty():
        check_refused(kinds.count(protocol.ERROR), len(kinds))
