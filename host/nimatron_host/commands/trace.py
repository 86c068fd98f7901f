"""Run a script of presses and print what changes."""

import json
from argparse import ArgumentParser, Namespace

from nimatron.board import BUTTONS
from nimatron_host import options
from nimatron_sim import script


def add(parser: ArgumentParser) -> None:
    parser.description = (
        "Run a script of presses in virtual time, and print each change with its "
        f"time. A script has one verb per line: {', '.join(script.USAGE.values())}, # comment. "
        f"One tap takes {script.TAP_DOWN_MS + script.TAP_UP_MS} ms, one hold "
        f"{script.HOLD_DOWN_MS + script.TAP_UP_MS}. Only these and wait take time. The buttons "
        f"are {', '.join(BUTTONS)}. With --on relays, a circuit of relays in the manner of 1940 "
        "chooses each move in Nim."
    )
    options.add(parser, "script", "a file with one verb per line, or - for standard input")
    options.add_tier(parser, "emulator", "vm", "web", "relays")


def run(args: Namespace) -> None:
    from nimatron_sim import backends
    from nimatron_sim.simulated.core import ctrl_c

    board, image = options.tier(args)
    text = options.read(args.script)

    def show(record: dict[str, object]) -> None:
        print(json.dumps(record))

    with ctrl_c():
        backends.trace(args.on, text, show, args.display, board, image)
