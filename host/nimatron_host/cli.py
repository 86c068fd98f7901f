"""The `nimatron` command."""

import argparse
import json
import sys
from pathlib import Path

from nimatron import VERSION, board, opponent, settings
from nimatron_host import solve


class UserError(Exception):
    """What the person at the keyboard can mend; printed as one line."""


def main(words: list[str] | None = None) -> int:
    """Run the command; returns its exit status."""
    args = _parser().parse_args(words)
    try:
        args.run(args)
    except UserError as why:
        print(f"nimatron: {why}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="nimatron",
        description="Play misère Nim against a Raspberry Pi Pico, with or without the Pico.",
    )
    parser.add_argument("--version", action="version", version=f"nimatron {VERSION}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    play = commands.add_parser("play", help="play on a panel in this terminal")
    play.add_argument(
        "--rows", nargs="+", type=int, metavar="N", help="start from these rows, top to bottom"
    )
    _add_rule(play, None)
    play.add_argument("--level", choices=sorted(opponent.LEVELS, key=opponent.LEVELS.get))
    play.add_argument("--seed", type=int, metavar="N", help="replay the same chance")
    play.set_defaults(run=_play)

    console = commands.add_parser("console", help="the serial console of a Pico")
    console.add_argument(
        "port", choices=["sim"], help="sim: a simulated Pico, on stdin and stdout"
    )
    console.set_defaults(run=_console)

    trace = commands.add_parser("trace", help="run a script of presses, print what changes")
    trace.add_argument("script", help="file of verbs, a line each; - for standard input")
    trace.set_defaults(run=_trace)

    solver = commands.add_parser("solve", help="outcome and winning moves of a position")
    solver.add_argument("rows", nargs="+", type=int, metavar="N", help="lamps in each row")
    _add_rule(solver, "misere")
    solver.add_argument("--json", action="store_true", help="for programs")
    solver.set_defaults(run=_solve)
    return parser


def _add_rule(parser, default):
    parser.add_argument(
        "--rule",
        choices=settings.RULES,
        default=default,
        help="who puts out the last lamp loses (misere) or wins (normal)",
    )


def _play(args):
    lines = []
    if args.seed is not None:
        lines.append(f"seed {args.seed}")
    if args.rule:
        lines.append(f"rule {args.rule}")
    if args.level:
        lines.append(f"level {args.level}")
    if args.rows:
        _check(board.position, args.rows)
        lines.append("new " + " ".join(map(str, args.rows)))
    if not all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)):
        raise UserError("play needs a terminal; for a pipe there is `nimatron console sim`")
    from nimatron_sim import terminal  # Textual takes a while to import

    try:
        terminal.play(lines)
    except terminal.PicoFailed as why:
        raise UserError(str(why)) from None


def _console(args):
    from nimatron_sim import pipe

    pipe.serve(sys.stdin.buffer, sys.stdout)


def _trace(args):
    from nimatron_sim.pico import SimulatedPico

    text = _read(args.script)
    pico = SimulatedPico(record=lambda record: print(json.dumps(record)))
    _check(pico.play, text)


def _read(name):
    if name == "-":
        return sys.stdin.read()
    try:
        return Path(name).read_text(encoding="utf-8")
    except OSError as why:
        raise UserError(f"cannot read {name}: {why.strerror}") from None
    except UnicodeDecodeError:
        raise UserError(f"cannot read {name}: it is not text") from None


def _solve(args):
    solution = _check(solve.solve, args.rows, args.rule == "misere")
    print(json.dumps(solution) if args.json else solve.as_text(solution))


def _check(function, *args):
    """Call it; a ValueError is the user's."""
    try:
        return function(*args)
    except ValueError as why:
        raise UserError(str(why)) from None
