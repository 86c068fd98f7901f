"""Replay the recording of a Pico's flight recorder."""

import json
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from nimatron_host import options
from nimatron_sim.errors import UserError


def add(parser: ArgumentParser) -> None:
    source = "a saved recording, or a Pico, by default the only Pico that is plugged in"
    options.add(parser, "source? FILE|PORT", source)
    options.add(parser, "--now", "replay the current session instead of the last failure")
    options.add(parser, "--save FILE", "save the recording in FILE")
    options.add(parser, "--trace", "print everything that changes, as `nimatron trace` does")
    options.add_board(parser, "")


def run(args: Namespace) -> None:
    from nimatron_sim import replay
    from nimatron_sim.simulated.core import ctrl_c

    text = _recorded(args)
    recording = replay.load(text)
    if args.save:
        options.write(args.save, text.removesuffix("\n"))
    with ctrl_c():
        outcome = replay.replay(recording, on=args.board)
    if args.trace:
        for record in outcome.trace:
            print(json.dumps(record))
        print(replay.verdict(recording, outcome), file=sys.stderr)
    else:
        print("\n".join([*map(str, recording.before), *map(str, recording.events)]))
        print(replay.verdict(recording, outcome))
    if not replay.same(recording, outcome):
        raise UserError("the replay ended differently from the recording")


def _recorded(args: Namespace) -> str:
    """Return the text of the recording from a file or a Pico."""
    from nimatron_host.device import port_names

    source = args.source
    simulated = source == options.SIM and not Path(source).is_file()
    if source and not simulated and not port_names.is_device(source):
        if args.now:
            args.refuse("--now is for a Pico, not for a file")
        return options.read(source)
    from nimatron_host.device import printed_reports

    text = printed_reports.flight(options.port(args, source), args.now)
    if not args.now and "ok flight=now" in text:
        print("no failure is recorded. This is the current session", file=sys.stderr)
    return text
