"""Talk to the serial console of a Pico."""

import sys
from argparse import ArgumentParser, Namespace

from nimatron_host import options
from nimatron_sim.text_encoding import lines


def add(parser: ArgumentParser) -> None:
    parser.description = (
        "Talk to the serial console of a Pico. A pipe of lines is sent to the end. "
        "The exit status is 1 if any of them was refused."
    )
    options.add_port(parser, "; sim: a simulated Pico, on standard input and output")
    options.add_board(parser)


def run(args: Namespace) -> None:
    board = options.board(args, args.port == options.SIM)
    if args.port == options.SIM:
        from nimatron_host.device.manual import explained
        from nimatron_sim import piped_console

        piped_console.serve(sys.stdin.buffer, sys.stdout, board, explained=explained)
        return
    from nimatron_host.device import serial_console

    if sys.stdin.isatty() and sys.stdout.isatty():
        serial_console.talk(options.port(args, args.port))
    else:
        typed = (line.decode("utf-8", "replace") for line in lines(sys.stdin.buffer))
        serial_console.serve(options.port(args, args.port), typed)
