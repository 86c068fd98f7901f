"""The `nimatron` command."""

import argparse
import json
import os
import random
import sys
import threading
import time
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import NoReturn

from nimatron import VERSION, games, machines, opponent, settings
from nimatron_host import catalogue, solve
from nimatron_sim.errors import UsageError, UserError


def main(words: list[str] | None = None) -> int:
    """Run the command; returns its exit status: 0 done, 1 refused or failed, 2 wrong usage."""
    try:
        args = _parser().parse_args(words)
        args.run(args)
    except UserError as why:
        print(f"nimatron: {why}", file=sys.stderr)
        return why.status
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    return 0


class _Parser(argparse.ArgumentParser):
    """argparse, but what is wrong is told in one line, like all other errors."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}; see: {self.prog} --help")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="nimatron",
        description="Play misère Nim against a Raspberry Pi Pico, with or without the Pico.",
    )
    parser.add_argument("--version", action="version", version=f"nimatron {VERSION}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    play = _add_command(commands, "play", _play, "play on a panel in this terminal")
    _add_match(play)
    _add_tier(play, "emulator")

    kiosk = _add_command(commands, "kiosk", _kiosk, "play on a web page, or show a match")
    _add_match(kiosk)
    kiosk.add_argument(
        "--on",
        default="sim",
        metavar="sim|emulator|PORT",
        help="the simulated Pico (the default), the emulated one, or the port of a real one",
    )
    kiosk.add_argument(
        "--host", default="127.0.0.1", help="serve others too: then a token is needed to press"
    )
    kiosk.add_argument(
        "--port", type=_port_number, default=8000, metavar="N", help="8000 if not given"
    )
    kiosk.add_argument("--spectate", action="store_true", help="the page cannot press anything")
    kiosk.add_argument(
        "--kiosk-browser", action="store_true", help="open it in a full-screen browser here"
    )

    console = _add_command(
        commands, "console", _console, "the serial console of a Pico; a pipe works too"
    )
    _add_port(console, "; sim: a simulated Pico, on stdin and stdout")

    trace = _add_command(commands, "trace", _trace, "run a script of presses, print what changes")
    trace.add_argument("script", help="file of verbs, a line each; - for standard input")
    _add_tier(trace, "emulator", "vm")

    soak = _add_command(
        commands,
        "soak",
        _soak,
        "visitors play through days of exhibit on the simulated Pico, refereed",
        description="Visitors of all kinds play through days on the simulated Pico, and a referee "
        "watches. Each day is a Pico of its own, made from the seed and the day's number. "
        "The exit status is 1 if anything was wrong; the day can be had again by itself.",
    )
    which = soak.add_mutually_exclusive_group()
    which.add_argument(
        "--days", type=_count, default=1, metavar="N", help="of ten hours; 1 if not given"
    )
    which.add_argument("--day", type=_count, metavar="D", help="only this day of the seed")
    soak.add_argument(
        "--seed", type=int, metavar="S", help="the same visitors again; by default others"
    )
    soak.add_argument(
        "--jobs", type=_count, default=1, metavar="J", help="days at a time, on a core each"
    )

    emulate = _add_command(
        commands,
        "emulate",
        _emulate,
        "an emulated Pico on a serial device or a TCP port of this computer",
    )
    emulate.add_argument("--pty", action="store_true", help="on a serial device (the default)")
    emulate.add_argument(
        "--tcp", type=_port_number, metavar="PORT", help="on a TCP port; 0 for a free one"
    )
    emulate.add_argument("--flash", type=Path, metavar="FILE", help="keep its flash in this file")
    emulate.add_argument("--image", type=Path, metavar="FILE", help="another MicroPython .uf2")
    emulate.add_argument("--empty", action="store_true", help="MicroPython only, no firmware")
    emulate.add_argument("--sim", action="store_true", help="the simulated Pico instead")

    image = _add_command(
        commands, "image", _image, "get the MicroPython image for the emulated Pico"
    )
    image.add_argument("--check", type=Path, metavar="FILE", help="only look whether this is one")
    image.add_argument(
        "--with-firmware",
        type=Path,
        metavar="FILE",
        help="then write it and the firmware into this .uf2, for a Pico's boot drive or Wokwi",
    )

    devices = _add_command(commands, "devices", _devices, "which Picos are plugged in")
    devices.add_argument("ports", nargs="*", metavar="PORT", help="only look at these")

    deploy = _add_command(commands, "deploy", _deploy, "put the firmware on a Pico")
    _add_port(deploy)
    deploy.add_argument("--dry-run", action="store_true", help="only say what would be done")

    check = _add_command(commands, "check", _check_parts, "test every part of the cabinet")
    _add_port(check)
    check.add_argument("--yes", action="store_true", help="what is to be seen or heard is there")
    check.add_argument(
        "--step",
        type=_count,
        metavar="N",
        help="only what step N of its page in wiring/ has wired",
    )
    check.add_argument(
        "--wait", type=_seconds, default=20, metavar="S", help="for each button, in seconds"
    )

    stats = _add_command(commands, "stats", _stats, "games won and lost")
    _add_port(stats)
    stats.add_argument("--json", action="store_true", help="for programs")
    stats.add_argument("--begin", action="store_true", help="forget them and begin today")

    tune = _add_command(commands, "settings", _settings, "show or change settings")
    tune.add_argument(
        "words",
        nargs="*",
        metavar="[PORT] [KEY [VALUE]]",
        help='what has a "/" or "://" in it, or begins with COM, is a port; '
        "by default the only Pico that is plugged in",
    )

    logs = _add_command(commands, "logs", _logs, "the last crashes and hangs")
    _add_port(logs)
    logs.add_argument("--clear", action="store_true", help="then forget them")

    replay = _add_command(
        commands, "replay", _replay, "play again what a Pico's flight recorder holds"
    )
    replay.add_argument(
        "source",
        nargs="?",
        metavar="FILE|PORT",
        help="what was saved, or a Pico; by default the only one that is plugged in",
    )
    replay.add_argument(
        "--now", action="store_true", help="what is going on, not what the last failure has left"
    )
    replay.add_argument(
        "--save", type=Path, metavar="FILE", help="keep the recording in this file"
    )
    replay.add_argument("--trace", action="store_true", help="print all that changes, as `trace`")

    wiring = _add_command(
        commands,
        "wiring",
        _wiring,
        "write the wiring pages, drawings and tables from the pin map",
    )
    wiring.add_argument("--to", type=Path, metavar="DIR", help="a folder other than wiring/")
    wiring.add_argument("--check", action="store_true", help="only say what differs")

    solver = _add_command(commands, "solve", _solve, "outcome and winning moves of a position")
    solver.add_argument(
        "words", nargs="+", metavar="[GAME] POSITION", help="nim, where no game is named"
    )
    _add_rule(solver)
    solver.add_argument("--json", action="store_true", help="for programs")

    listing = _add_command(
        commands, "games", _games, "every game, its rule, and where it can be played"
    )
    listing.add_argument("--json", action="store_true", help="for programs")
    listing.add_argument("--markdown", action="store_true", help="the table of the README")
    return parser


def _add_command(commands, name, run, about, description=None):
    parser = commands.add_parser(name, help=about, description=description or about)
    parser.set_defaults(run=run, refuse=parser.error)
    return parser


def _value(check):
    """A type= of argparse: check() returns the value of a word, or says in a ValueError what is
    wrong with it."""

    def value(word):
        try:
            return check(word)
        except ValueError as why:
            raise argparse.ArgumentTypeError(str(why)) from None

    return value


@_value
def _count(word):
    if not word.isdecimal() or int(word) < 1:
        raise ValueError(f"{word} is not a whole number from 1 on")
    return int(word)


@_value
def _port_number(word):
    if not word.isdecimal() or int(word) > 65535:
        raise ValueError(f"{word} is not a number from 0 to 65535")
    return int(word)


@_value
def _seconds(word):
    try:
        seconds = float(word)
    except ValueError:
        seconds = -1
    if not 0 <= seconds <= threading.TIMEOUT_MAX:
        raise ValueError(f"{word} is not a number of seconds")
    return seconds


@_value
def _players(word):
    settings.Settings().set("players", word)
    return int(word)


@_value
def _game(word):
    game = games.find(word)
    if word not in games.NAMES:
        raise ValueError(f"{game.name} is for `nimatron solve` only")
    return word


def _add_port(parser, more=""):
    parser.add_argument(
        "port",
        nargs="?",
        metavar="PORT",
        help="a device name, socket://HOST:PORT or rfc2217://HOST:PORT; by default the only Pico "
        "that is plugged in" + more,
    )


def _add_match(parser):
    parser.add_argument(
        "--game", type=_game, metavar="GAME", help="another game; `nimatron games` lists them"
    )
    parser.add_argument(
        "--machine", choices=machines.NAMES, help="play as this machine of history did"
    )
    parser.add_argument(
        "--players", type=_players, metavar="N", help="1: against the machine; 2 to 6: people only"
    )
    parser.add_argument(
        "--rows", nargs="+", metavar="N", help="start from these rows, top to bottom"
    )
    _add_rule(parser)
    parser.add_argument("--level", choices=opponent.NAMES)
    parser.add_argument("--seed", type=int, metavar="N", help="replay the same chance")


def _add_tier(parser, *others):
    parser.add_argument(
        "--on",
        choices=["sim", *others],
        default="sim",
        help="the simulated Pico (the default), or another tier",
    )
    parser.add_argument(
        "--display",
        choices=settings.DISPLAYS,
        default=settings.DISPLAYS[0],
        help="which lamps are wired up: a matrix (the default), shift registers or pixels",
    )


def _add_rule(parser):
    parser.add_argument(
        "--rule",
        choices=settings.RULES,
        help="who puts out the last lamp loses (misere) or wins (normal)",
    )


def _match_lines(args):
    """What to type at the console for the match that is asked for."""
    lines = []
    if args.seed is not None:
        lines.append(f"seed {args.seed}")
    if args.machine:
        lines.append(f"machine {args.machine}")
    if args.game:
        lines.append(f"game {args.game}")
    if args.players is not None:
        lines.append(f"set players {args.players}")
    if args.rule:
        lines.append(f"rule {args.rule}")
    if args.level:
        lines.append(f"level {args.level}")
    if args.rows:
        name = args.game or (machines.settings(args.machine)["game"] if args.machine else "nim")
        game = games.find(name)
        with _usage(args):
            game.placed_on_panel(game.parse(args.rows))
        lines.append("new " + " ".join(args.rows))
    return lines


def _play(args):
    lines = _match_lines(args)
    if not all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)):
        raise UserError("play needs a terminal; for a pipe there is `nimatron console sim`")
    from nimatron_sim import tiers
    from nimatron_sim.ui import terminal  # Textual takes a while to import

    tiers.check(args.on)
    terminal.play(lines, lambda record: tiers.pico(args.on, record, None, args.display))


def _kiosk(args):
    lines = _match_lines(args)
    from nimatron_host import kiosk  # aiohttp takes a while to import

    kiosk.kiosk(args.on, args.host, args.port, lines, args.spectate, args.kiosk_browser)


def _console(args):
    if args.port == "sim":
        from nimatron_sim import pipe

        pipe.serve(sys.stdin.buffer, sys.stdout)
        return
    from nimatron_host.device import console

    if sys.stdin.isatty() and sys.stdout.isatty():
        console.talk(_port(args.port))
    else:
        console.serve(_port(args.port), sys.stdin)


def _devices(args):
    from nimatron_host.device import listing

    listing.show(args.ports)


def _deploy(args):
    from nimatron_host.deploy import deploy

    deploy.deploy(_port(args.port), args.dry_run)


def _check_parts(args):
    from nimatron_host.device import check

    yes = (lambda _: True) if args.yes else check.ask
    check.check(_port(args.port), yes, args.wait, args.step)


def _stats(args):
    from nimatron_host.device import reports

    print(reports.stats(_port(args.port), args.json, args.begin))


def _settings(args):
    from nimatron_host.device import link, reports

    words = list(args.words)
    port = words.pop(0) if words and link.is_port(words[0]) else None
    if len(words) > 2:
        args.refuse("settings takes a KEY and a VALUE, no more")
    print(reports.settings(_port(port), *words))


def _logs(args):
    from nimatron_host.device import reports

    print(reports.logs(_port(args.port), args.clear))


def _replay(args):
    from nimatron_host.device import link, reports
    from nimatron_sim import replay
    from nimatron_sim.simulated.interrupts import ctrl_c

    source = args.source
    if source and (Path(source).is_file() or not link.is_port(source)):
        if args.now:
            args.refuse("--now is for a Pico, not for a file")
        text = _read(source)
    else:
        text = reports.flight(_port(source), args.now)
        if not args.now and "ok flight=now" in text:
            print("no failure is recorded; this is what goes on now", file=sys.stderr)
    recording = replay.load(text)
    if args.save:
        _write(args.save, text)
    with ctrl_c():
        outcome = replay.replay(recording)
    if args.trace:
        for record in outcome.trace:
            print(json.dumps(record))
        print(replay.verdict(recording, outcome), file=sys.stderr)
    else:
        print("\n".join([*map(str, recording.before), *map(str, recording.events)]))
        print(replay.verdict(recording, outcome))
    if not replay.same(recording, outcome):
        raise UserError("the replay has come to another end than the recording")


def _port(named):
    from nimatron_host.device import link

    return named or link.the_only()


def _trace(args):
    from nimatron_sim import tiers
    from nimatron_sim.simulated.interrupts import ctrl_c

    text = _read(args.script)

    def show(record):
        print(json.dumps(record))

    with ctrl_c():
        tiers.trace(args.on, text, show, args.display)


def _soak(args):
    days = range(1, args.days + 1) if args.day is None else [args.day]
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TimeElapsedColumn, TimeRemainingColumn

    from nimatron_sim.simulated.interrupts import ctrl_c
    from nimatron_sim.soak import soak

    seed = random.randrange(1_000_000) if args.seed is None else args.seed
    print(f"seed            {seed}", flush=True)
    begun = time.perf_counter()
    bar = Progress(
        "{task.completed:.2f} of {task.total} days",
        BarColumn(),
        TimeElapsedColumn(),
        "gone,",
        TimeRemainingColumn(),
        "left",
        console=Console(stderr=True),
        refresh_per_second=2,
        transient=True,
        disable=not sys.stderr.isatty(),
    )
    with ctrl_c(), bar:
        task = bar.add_task("", total=len(days))
        progress = partial(bar.update, task)
        report = soak.soak(seed, list(days), args.jobs, lambda done: progress(completed=done))
    print(report)
    took = time.perf_counter() - begun
    print(f"speed           {report.ms / 1000 / took:.0f} exhibit-seconds a second")


def _emulate(args):
    from nimatron_host import emulate

    def make():
        if args.sim:
            return emulate.simulated()
        return emulate.emulated(args.flash, args.image, args.empty)

    if args.sim and (args.flash or args.image or args.empty):
        args.refuse("--flash, --image and --empty are for the emulated Pico, not for --sim")
    emulate.emulate(make, args.pty, args.tcp)


def _image(args):
    from nimatron_host import emulate

    print(emulate.get_image(args.check))
    if args.with_firmware:
        print(emulate.with_firmware(args.check, args.with_firmware))


def _wiring(args):
    from nimatron_wiring import write

    try:
        folder = args.to or write.folder()
        if not args.check:
            for path in write.write(folder):
                print(os.path.relpath(path))
            return
        names = write.differing(folder, write.generate())
    except OSError as why:
        raise UserError(f"cannot write {why.filename}: {why.strerror}") from None
    if names:
        raise UserError(f"{', '.join(names)}: not as the pin map wants it; run: {write.COMMAND}")


def _read(name):
    if name == "-":
        return sys.stdin.read()
    try:
        return Path(name).read_text(encoding="utf-8")
    except OSError as why:
        raise UserError(f"cannot read {name}: {why.strerror}") from None
    except UnicodeDecodeError:
        raise UserError(f"cannot read {name}: it is not text") from None


def _write(path, text):
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as why:
        raise UserError(f"cannot write {path}: {why.strerror}") from None


def _solve(args):
    with _usage(args):
        solution = solve.solve(args.words, args.rule)
    print(json.dumps(solution) if args.json else solve.as_text(solution))


def _games(args):
    if args.json:
        print(json.dumps(catalogue.rows()))
    else:
        print(catalogue.as_markdown() if args.markdown else catalogue.as_text())


@contextmanager
def _usage(args):
    """A ValueError in here says what is wrong with the words of the command."""
    try:
        yield
    except ValueError as why:
        args.refuse(str(why))
