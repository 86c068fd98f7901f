"""Play in this terminal."""

import os
import sys
import textwrap
from argparse import ArgumentParser, Namespace

from nimatron_host import options, output
from nimatron_play import words
from nimatron_sim.errors import UserError

_COLUMNS = 79  # the width of a plain terminal
_PLAIN_TERMINALS = ("dumb", "unknown")  # values of TERM without a cursor or colours


def add(parser: ArgumentParser) -> None:
    options.add_match(parser)
    language = (
        f"the language of the panel: {', '.join(words.codes())}, by default from the environment "
        "variables LC_ALL, LC_MESSAGES and LANG"
    )
    options.add(parser, "--language CODE", language, choices=words.codes())
    options.add_tier(parser, "emulator")


def run(args: Namespace) -> None:
    lines = options.match(args)
    board, image = options.tier(args)
    if not all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)):
        raise UserError("play needs a terminal. In a pipe, use `nimatron console sim`")
    if os.environ.get("TERM") in _PLAIN_TERMINALS or not output.draws(sys.stderr):
        _play_plainly(args, lines, board)
        return
    from nimatron_host.terminal import textual_app  # Textual takes a while to import
    from nimatron_sim import backends

    backends.check(args.on, image)
    textual_app.play(
        lines,
        lambda record: backends.pico(args.on, record, None, args.display, board, image),
        args.language or words.spoken(os.environ),
    )


def _play_plainly(args: Namespace, lines: list[str], board: str) -> None:
    """Play at the console, in a terminal that cannot draw the panel."""
    if args.on != options.SIM:
        args.refuse(
            f"--on {args.on} draws a panel, for which this terminal has no cursor or no letters"
        )
    why = (
        "This terminal cannot draw the panel, so you play at the machine's console. Type new to "
        "begin, take 2 3 to switch off 3 lamps of row 2, help for more, and Ctrl-D to leave."
    )
    print(textwrap.fill(why, _COLUMNS), flush=True)
    from nimatron_host.device.manual import explained
    from nimatron_sim import piped_console

    piped_console.serve(sys.stdin.buffer, sys.stdout, board, lines, explained)
