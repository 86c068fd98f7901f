"""Test every part of the cabinet, step by step."""

import sys
import threading
from argparse import ArgumentParser, Namespace
from functools import partial

from nimatron_host import options
from nimatron_sim.errors import UserError


@options.value
def _seconds(word: str) -> float:
    try:
        seconds = float(word)
    except ValueError:
        seconds = -1
    if not 0 <= seconds <= threading.TIMEOUT_MAX:
        raise ValueError(f"{word} is not a number of seconds")
    return seconds


def add(parser: ArgumentParser) -> None:
    options.add_port(parser)
    options.add(parser, "--yes", "answer every question with yes")
    step = "test only the parts of step N on the wiring page for the Pico's setting `display`"
    options.add(parser, "--step N", step)
    wait = "seconds to wait for each button"
    options.add(parser, "--wait S", wait, type=_seconds, default=20)
    options.add_json(parser, "; questions go to standard error")


def run(args: Namespace) -> None:
    from nimatron_host.device import check

    if not args.yes and not sys.stdin.isatty():
        raise UserError(
            "check needs a terminal, because it asks you about lamps and tones. "
            "To answer every question with yes: --yes"
        )
    yes = (lambda _: True) if args.yes else partial(check.ask, aside=args.json)
    check.check(options.port(args, args.port), yes, args.wait, args.step, args.json)
