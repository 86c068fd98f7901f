"""The `nimatron` command."""

import argparse
import contextlib
import datetime
import json
import os
import random
import re
import shlex
import subprocess
import sys
import textwrap
import threading
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar
from urllib.parse import urlsplit

from nimatron import VERSION, games, machines, opponent, settings
from nimatron.board import BUTTONS
from nimatron_host import printable, units
from nimatron_host.device import port_names
from nimatron_host.kiosk import quiet_hours
from nimatron_host.spelling import instead
from nimatron_host.theory import catalogue, solve
from nimatron_play import words
from nimatron_sim import extras, script
from nimatron_sim.decoded import decoded, lines
from nimatron_sim.errors import UsageError, UserError
from nimatron_sim.escaped import escaped, escaped_lines, escaped_print
from nimatron_sim.rp2040js.package import LEFT_OUT
from pico_testbench.boards import BOARDS, PICO, UNIQUE_ID

_SHELLS = ("bash", "zsh", "tcsh")
_COLUMNS = 79  # of a plain terminal
_COMMAND = "COMMAND"
_SIM = "sim"
_MQTT_PASSWORD = "NIMATRON_MQTT_PASSWORD"
_SECRET = ("token_file", "operator_token_file", "password_file", "ca", "cert", "key")  # files
_EVENTS_KEPT = 1_000_000
_HERE = ("127.0.0.1", "localhost", "::1")
_NO_PHONES = (
    "no phone will reach this service, only a browser on its own computer; "
    "to serve phones, too, type --host 0.0.0.0 before --unit"
)
_FLEET_PORT = 8010
_PAPERS = ("a4", "letter")
_PLAIN_TERMINALS = ("dumb", "unknown")  # values of TERM: no cursor, no colours
_NO_SIM = (
    "sim is for `nimatron console` and `kiosk --on`; for this command, start a simulated Pico "
    "with a port: nimatron emulate --sim"
)


def main(words: list[str] | None = None) -> int:
    """Run the command; returns its exit status: 0 done, 1 refused or failed, 2 wrong usage."""
    printable.print_in_any_encoding()
    try:
        words = sys.argv[1:] if words is None else words
        args = _parser().parse_args(words, Namespace(typed=words))
        args.run(args)
        sys.stdout.flush()
    except UserError as why:
        print(f"nimatron: {escaped_lines(str(why))}", file=sys.stderr)
        return why.status
    except OSError as why:
        if isinstance(why, BrokenPipeError):
            sys.stderr.close()
            return 0
        where = escaped(str(why.filename or "the output"))
        print(f"nimatron: cannot use {where}: {why.strerror or why}", file=sys.stderr)
        _forget_output()
        return 1
    except ModuleNotFoundError as why:
        if (why.name or "").partition(".")[0] not in extras.EXTRAS:
            raise
        print(f"nimatron: {extras.missing(why.name or '')}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def _forget_output() -> None:
    """Let Python drop what it could not write, instead of trying again at its end."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if TYPE_CHECKING:
    from nimatron_host.fleet.broker import Broker
    from nimatron_sim.pico import Pico

Value = TypeVar("Value")


class _Help(argparse.HelpFormatter):
    """Breaks no line inside a name such as dr-nim-1966."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        return textwrap.wrap(" ".join(text.split()), width, break_on_hyphens=False)


class _Parser(argparse.ArgumentParser):
    """An argparse parser that reports errors in one line, like all other errors."""

    def __init__(self, **how: Any) -> None:
        super().__init__(**{"formatter_class": _Help} | how)

    def error(self, message: str) -> NoReturn:
        rule = message.removeprefix("unrecognized arguments: --")
        if rule in settings.RULES:
            message += f"; write --rule {rule}"
        raise UsageError(f"{message}; see: {self.prog} --help")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Refuse a word that is not among the choices, and say which is nearest to it."""
        if action.choices is None or value in action.choices:
            return
        names = list(action.choices)
        if action.metavar == _COMMAND:
            which = instead(value, names, "`nimatron help` lists them")
            raise argparse.ArgumentError(None, f"no command is called {value}; {which}")
        which = instead(value, names, "choose from " + ", ".join(names))
        raise argparse.ArgumentError(action, f"{value} is not a choice; {which}")


class _PrintCompletion(argparse.Action):
    """Print the script for a shell, and leave."""

    def __call__(
        self, parser: ArgumentParser, namespace: Namespace, shell: Any, option: str | None = None
    ) -> None:
        import shtab

        for command in _commands(parser).values():
            for action in command._actions:
                if "FILE" in str(action.metavar) or action.dest == "script":
                    action.complete = shtab.FILE  # type: ignore[attr-defined]
                elif action.metavar == "DIR":
                    action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
        print(shtab.complete(parser, shell))
        parser.exit()


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="nimatron",
        description="Play misère Nim against a Raspberry Pi Pico, real or simulated.",
    )
    parser.add_argument("--version", action="version", version=f"nimatron {VERSION}")
    parser.add_argument(
        "--print-completion",
        action=_PrintCompletion,
        choices=_SHELLS,
        help="print a script that completes this command in your shell",
    )
    commands = parser.add_subparsers(title="commands", required=True, metavar=_COMMAND)

    play = _add_command(commands, "play", _play, "play in this terminal")
    _add_match(play)
    play.add_argument(
        "--language",
        choices=words.codes(),
        metavar="CODE",
        help=f"the language of the panel: {', '.join(words.codes())}; by default that of the "
        "environment variables LC_ALL, LC_MESSAGES and LANG",
    )
    _add_tier(play, "emulator")

    kiosk = _add_command(
        commands, "kiosk", _kiosk, "play on a web page, or show a real Pico on one"
    )
    _add_match(kiosk)
    kiosk.add_argument(
        "--on",
        default="sim",
        metavar="sim|emulator|PORT",
        help="the simulated Pico (default), the emulated one, or the port of a real one",
    )
    _add_board(kiosk)
    _add_image(kiosk)
    kiosk.add_argument(
        "--host",
        default="127.0.0.1",
        help="serve other computers, too: to play from there takes a token",
    )
    kiosk.add_argument(
        "--port",
        type=_port_number,
        default=8000,
        metavar="N",
        help="the TCP port to serve on (default: 8000)",
    )
    kiosk.add_argument(
        "--url",
        type=_url,
        metavar="URL",
        help="the page's address behind a proxy, with TLS or not",
    )
    kiosk.add_argument(
        "--tables",
        type=_count,
        default=200,
        metavar="N",
        help="how many tables there may be: each page has one (default: 200)",
    )
    kiosk.add_argument(
        "--tables-each",
        type=_count,
        default=60,
        metavar="N",
        help="how many of them one address may have (default: 60)",
    )
    kiosk.add_argument(
        "--site",
        type=Path,
        metavar="FOLDER",
        help="what `nimatron site` has written: pages for which there is no table play there",
    )
    kiosk.add_argument("--spectate", action="store_true", help="let the page only watch")
    kiosk.add_argument(
        "--language",
        choices=words.codes(),
        help="the language of a fresh page; by default the browser's",
    )
    kiosk.add_argument(
        "--quiet", type=_hours, metavar="HH:MM-HH:MM", help="hours in which the page is silent"
    )
    kiosk.add_argument(
        "--kiosk-browser", action="store_true", help="also open a full-screen browser"
    )
    _add_state(kiosk)
    _add_broker(kiosk)
    for who, does in (("", "lets visitors play"), ("operator-", "opens the operator's page")):
        given = kiosk.add_mutually_exclusive_group()
        given.add_argument(
            f"--{who}token",
            metavar="TEXT",
            help=f"the token that {does}; by default the one kept in DIR, or in the environment's "
            f"{_token_variable(who)}",
        )
        given.add_argument(
            f"--{who}token-file", type=Path, metavar="FILE", help="read that token from FILE"
        )
    kiosk.add_argument(
        "--new-tokens",
        action="store_true",
        help="revoke the tokens kept in DIR, and make new ones",
    )
    kiosk.add_argument(
        "--poster",
        type=Path,
        metavar="FILE",
        help="serve nothing; write an HTML page to print, with the rules and a QR code",
    )
    kiosk.add_argument(
        "--unit",
        action="store_true",
        help="serve nothing; print the systemd unit that serves it at boot, with these options",
    )

    played = _add_command(
        commands, "matches", _matches, "list the matches played at `nimatron kiosk`"
    )
    _add_state(played)
    listed = played.add_mutually_exclusive_group()
    _add_json(listed)
    listed.add_argument("--csv", action="store_true", help="print CSV, for a spreadsheet")

    site = _add_command(
        commands,
        "site",
        _site,
        "write a page that plays without a server",
        description="Write a folder of static files: the page of `nimatron kiosk`, where the real "
        "MicroPython plays the firmware in the visitor's browser. Publish it anywhere, in any "
        "subfolder. After the first visit it works without a network.",
    )
    site.add_argument("folder", type=Path, metavar="FOLDER", help="it is made if it is not there")
    site.add_argument(
        "--wasm",
        type=Path,
        metavar="FOLDER",
        help="where micropython.mjs and micropython.wasm are, such as those of npm's package "
        "@micropython/micropython-webassembly-pyscript; by default those that the extra `site` "
        "installs",
    )

    console = _add_command(
        commands,
        "console",
        _console,
        "talk to the serial console of a Pico",
        description="Talk to the serial console of a Pico. A pipe of lines is sent to the end; "
        "the exit status is 1 if any of them was refused.",
    )
    _add_port(console, "; sim: a simulated Pico, on standard input and output")
    _add_board(console)

    trace = _add_command(
        commands,
        "trace",
        _trace,
        "run a script of presses and print what changes",
        description="Run a script of presses in virtual time, and print each change with its "
        f"time. A script has one verb per line: {', '.join(script.USAGE.values())}, # comment. "
        f"One tap takes {script.TAP_DOWN_MS + script.TAP_UP_MS} ms, one hold "
        f"{script.HOLD_DOWN_MS + script.TAP_UP_MS}; only these and wait take time. The buttons "
        f"are {', '.join(BUTTONS)}. --on rp2040js is an emulator of its own, which needs "
        "Node.js; it leaves out " + "; ".join(LEFT_OUT.values()) + ".",
    )
    trace.add_argument("script", help="a file with one verb per line; - for standard input")
    _add_tier(trace, "emulator", "rp2040js", "vm", "web")

    soak = _add_command(
        commands,
        "soak",
        _soak,
        "simulate days of visitors, watched by a referee",
        description="Simulate days of visitors of all kinds while a referee watches. Each has a "
        "simulated Pico of its own and depends only on the seed and the number of the day, so "
        "--day can repeat it. The exit status is 1 if the referee found a fault.",
    )
    which = soak.add_mutually_exclusive_group()
    which.add_argument(
        "--days",
        type=_count,
        default=1,
        metavar="N",
        help="days of ten hours to simulate (default: 1)",
    )
    which.add_argument("--day", type=_count, metavar="D", help="simulate only day D")
    soak.add_argument(
        "--seed", type=int, metavar="S", help="repeat the visitors of this seed (default: random)"
    )
    soak.add_argument(
        "--jobs",
        type=_count,
        default=1,
        metavar="J",
        help="simulate J days at a time (default: 1)",
    )
    _add_board(soak, "")
    _add_json(soak)

    emulate = _add_command(
        commands,
        "emulate",
        _emulate,
        "run an emulated Pico on a serial device or a TCP port",
    )
    emulate.add_argument(
        "--pty", action="store_true", help="on a serial device (default, except on Windows)"
    )
    emulate.add_argument(
        "--tcp",
        type=_port_number,
        metavar="PORT",
        help="on this TCP port; 0 picks a free one (default on Windows)",
    )
    emulate.add_argument("--flash", type=Path, metavar="FILE", help="keep its flash in FILE")
    _add_image(emulate)
    emulate.add_argument(
        "--empty", action="store_true", help="start with MicroPython only, without the firmware"
    )
    emulate.add_argument("--sim", action="store_true", help="run the simulated Pico instead")
    emulate.add_argument(
        "--id",
        type=_unique_id,
        metavar="HEX",
        help="the simulated Pico's own number, 16 hex digits, such as real Picos have from birth",
    )
    _add_board(emulate)

    image = _add_command(
        commands, "image", _image, "download the MicroPython image for the emulated Pico"
    )
    image.add_argument(
        "--check",
        type=Path,
        metavar="FILE",
        help="download nothing; check that FILE is a MicroPython image, and say for which board",
    )
    _add_image(image)
    image.add_argument(
        "--with-firmware",
        type=Path,
        metavar="FILE",
        help="also write the image and the firmware into FILE, a .uf2 for the image's board, or "
        "for Wokwi",
    )

    devices = _add_command(commands, "devices", _devices, "list the Picos that are plugged in")
    devices.add_argument("ports", nargs="*", metavar="PORT", help="look only at these ports")
    _add_json(devices)

    deploy = _add_command(commands, "deploy", _deploy, "install or update the firmware on a Pico")
    _add_port(deploy)
    deploy.add_argument("--dry-run", action="store_true", help="only say what would be sent")
    deploy.add_argument(
        "--any-board", action="store_true", help="go on even if the board lacks pins"
    )
    deploy.add_argument(
        "--to",
        type=Path,
        metavar="FOLDER",
        help="only write the files into FOLDER, with a package.json for `mpremote mip install`",
    )
    systemd = deploy.add_mutually_exclusive_group()
    systemd.add_argument(
        "--unit",
        action="store_true",
        help="only print the systemd unit that deploys once, with these options",
    )
    systemd.add_argument(
        "--timer",
        type=_time,
        metavar="HH:MM",
        help="only print the systemd timer that starts that unit each day at this time",
    )
    _add_json(deploy, "; progress goes to standard error")

    check = _add_command(
        commands, "check", _check_parts, "test every part of the cabinet, step by step"
    )
    _add_port(check)
    check.add_argument(
        "--yes",
        action="store_true",
        help="assume that everything is seen and heard as it should be",
    )
    check.add_argument(
        "--step",
        type=_count,
        metavar="N",
        help="test only what step N of the wiring page has wired",
    )
    check.add_argument(
        "--wait",
        type=_seconds,
        default=20,
        metavar="S",
        help="seconds to wait for each button (default: 20)",
    )
    _add_json(check, "; questions go to standard error")

    stats = _add_command(commands, "stats", _stats, "show games won and lost")
    _add_port(stats)
    _add_json(stats)
    stats.add_argument("--begin", action="store_true", help="set all counts to zero")

    tune = _add_command(commands, "settings", _settings, "show or change the settings of a Pico")
    tune.add_argument(
        "words",
        nargs="*",
        metavar="[PORT] [KEY [VALUE]]",
        help='a word with "/" or "://" in it, or that starts with COM, is a port, before or after '
        "the others; by default the only Pico that is plugged in",
    )
    _add_json(tune)

    logs = _add_command(commands, "logs", _logs, "show the last crashes and hangs")
    _add_port(logs)
    logs.add_argument("--clear", action="store_true", help="delete them afterwards")
    _add_json(logs)

    health = _add_command(
        commands, "health", _health, "show the memory, delays and failures of a running Pico"
    )
    _add_port(health)
    _add_json(health)

    replay = _add_command(
        commands, "replay", _replay, "replay what a Pico's flight recorder holds"
    )
    replay.add_argument(
        "source",
        nargs="?",
        metavar="FILE|PORT",
        help="a saved recording, or a Pico; by default the only Pico that is plugged in",
    )
    replay.add_argument(
        "--now", action="store_true", help="replay the current session instead of the last failure"
    )
    replay.add_argument("--save", type=Path, metavar="FILE", help="save the recording in FILE")
    replay.add_argument(
        "--trace",
        action="store_true",
        help="print everything that changes, as `nimatron trace` does",
    )
    _add_board(replay, "")

    fleet = _add_command(
        commands,
        "fleet",
        _fleet,
        "report exhibits to an MQTT broker, and take commands from it",
        description="Report exhibits to an MQTT broker, and take commands from it, until somebody "
        "ends it. What happens while the broker is away is kept on "
        f"disk. The password is in a file or in the environment's {_MQTT_PASSWORD}. `status` "
        "instead shows all exhibits of the broker in a table, and `page` on a web page, with "
        "figures for Prometheus at /metrics.",
    )
    fleet.usage = (
        "%(prog)s --mqtt URL [OPTIONS] [NAME=PORT ...]\n"
        "       %(prog)s status --mqtt URL [OPTIONS]\n"
        "       %(prog)s page --mqtt URL [OPTIONS]"
    )
    fleet.add_argument(
        "exhibits",
        nargs="*",
        metavar="NAME=PORT",
        help="such as hall-1=/dev/ttyACM0; by default each Pico that is plugged in, now or later",
    )
    _add_broker(fleet, required=True)
    fleet.add_argument("--name", metavar="NAME", help="of this bridge; by default this computer's")
    fleet.add_argument(
        "--keep",
        type=_count,
        default=_EVENTS_KEPT,
        metavar="N",
        help=f"keep the last N events while the broker is away (default: {_EVENTS_KEPT:_})",
    )
    fleet.add_argument(
        "--state",
        type=Path,
        metavar="DIR",
        help="keep events in DIR; by default in this user's folder for such things",
    )
    fleet.add_argument("--json", action="store_true", help="for status: print one JSON document")
    fleet.add_argument("--host", help="for page: serve other computers, too")
    fleet.add_argument(
        "--port",
        type=_port_number,
        metavar="N",
        help=f"for page: the TCP port to serve on (default: {_FLEET_PORT})",
    )
    fleet.add_argument(
        "--unit",
        action="store_true",
        help="only print the systemd unit that runs this bridge, or page, at boot",
    )

    wiring = _add_command(
        commands,
        "wiring",
        _wiring,
        "generate the wiring pages and drawings from the pin map",
    )
    wiring.add_argument("--to", type=Path, metavar="DIR", help="write into DIR instead of wiring/")
    instead = wiring.add_mutually_exclusive_group()
    instead.add_argument(
        "--check", action="store_true", help="write nothing; fail if a file is out of date"
    )
    instead.add_argument(
        "--kit",
        type=Path,
        metavar="FOLDER",
        help="write files for printers and workshops into FOLDER, and nothing else",
    )
    wiring.add_argument(
        "--simulate",
        action="store_true",
        help="simulate the circuits with ngspice first, and keep what it finds",
    )

    solver = _add_command(
        commands, "solve", _solve, "show who wins from a position, and every winning move"
    )
    solver.add_argument(
        "words",
        nargs="+",
        metavar="[GAME] POSITION",
        help="such as 3 4 5, wythoff 3 5, kayles 7 or octal-0.77 5 2; where it matters which lamp "
        "is lit, 1 or 0 for each, such as kayles 1111100/1100000/0000000/0000000; the game is nim "
        "if none is named, and `nimatron games` lists them all",
    )
    _add_rule(solver)
    _add_json(solver)

    table = _add_command(
        commands,
        "table",
        _table,
        "list the lost positions of a game, with Grundy values and periods",
        description="List the positions of a game that are lost for whoever moves, and the Grundy "
        "values of single heaps with their period. The other formats have all positions, with the "
        "winning moves.",
    )
    table.add_argument(
        "words", nargs="+", metavar="GAME", help="such as wythoff, kayles or octal-0.07"
    )
    table.add_argument(
        "--rule",
        choices=settings.RULES,
        help="whoever makes the last move loses (misere) or wins (normal, the default if the game "
        "has it)",
    )
    table.add_argument("--max", type=_count, metavar="N", help="heaps of up to N")
    table.add_argument("--heaps", type=_count, metavar="K", help="positions of K heaps")
    printed = table.add_mutually_exclusive_group()
    printed.add_argument("--csv", action="store_true", help="print CSV, for a spreadsheet")
    _add_json(printed)
    printed.add_argument("--markdown", action="store_true", help="print a Markdown table")
    printed.add_argument(
        "--svg",
        action="store_true",
        help="print a drawing: Grundy values of one heap, lost pairs of two, or triples of three",
    )

    handout = _add_command(
        commands,
        "handout",
        _handout,
        "write a handout for a class: the method, exercises and answers, as a PDF",
    )
    handout.add_argument("file", type=Path, metavar="FILE", help="the PDF to write, two pages")
    handout.add_argument(
        "--seed", type=int, default=1, metavar="N", help="other exercises for each N (default: 1)"
    )
    handout.add_argument(
        "--paper",
        choices=_PAPERS,
        default=_PAPERS[0],
        help=f"the size of the paper (default: {_PAPERS[0]})",
    )

    listing = _add_command(
        commands, "games", _games, "list the games, their rules, and where each can be played"
    )
    listing.add_argument(
        "words", nargs="*", metavar="GAME", help="explain only this one, such as octal-0.77"
    )
    _add_json(listing)

    manual = _add_command(
        commands, "help", partial(_help, parser), "list the commands, or explain one"
    )
    manual.add_argument("command", nargs="?", choices=list(commands.choices), metavar=_COMMAND)
    return parser


def _commands(parser: ArgumentParser) -> dict[str, ArgumentParser]:
    """The parsers of the commands, by name."""
    assert parser._subparsers
    commands = parser._subparsers._group_actions[0]
    assert isinstance(commands, argparse._SubParsersAction)
    return commands.choices


def _help(parser: ArgumentParser, args: Namespace) -> None:
    commands = _commands(parser)
    (commands[args.command] if args.command else parser).print_help()


def _add_command(
    commands: "argparse._SubParsersAction[_Parser]",
    name: str,
    run: Callable[[Namespace], None],
    about: str,
    description: str | None = None,
) -> _Parser:
    parser = commands.add_parser(name, help=about, description=description or about)
    parser.set_defaults(run=run, refuse=parser.error)
    return parser


def _value(check: Callable[[str], Value]) -> Callable[[str], Value]:
    """A type= for argparse: check() returns the value of a word, or raises a ValueError that says
    what is wrong with it."""

    def value(word: str) -> Value:
        try:
            return check(word)
        except ValueError as why:
            raise argparse.ArgumentTypeError(str(why)) from None

    return value


@_value
def _count(word: str) -> int:
    if not word.isdecimal() or int(word) < 1:
        raise ValueError(f"{word} is not a whole number of 1 or more")
    return int(word)


@_value
def _port_number(word: str) -> int:
    if not word.isdecimal() or int(word) > 65535:
        raise ValueError(f"{word} is not a number from 0 to 65535")
    return int(word)


@_value
def _unique_id(word: str) -> bytes:
    if not re.fullmatch(r"[0-9A-Fa-f]{16}", word):
        raise ValueError(f"{word} is not a number of 16 hex digits, such as e6614103e72b5f2f")
    return bytes.fromhex(word)


@_value
def _hours(word: str) -> quiet_hours.Quiet:
    return quiet_hours.parse(word)


@_value
def _time(word: str) -> datetime.time:
    try:
        return datetime.datetime.strptime(word, "%H:%M").time()
    except ValueError:
        raise ValueError(f"{word} is not a time such as 18:30") from None


@_value
def _url(word: str) -> str:
    parts = urlsplit(word)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"{word} is not a URL such as https://nim.example.org/")
    return word if word.endswith("/") else word + "/"


@_value
def _seconds(word: str) -> float:
    try:
        seconds = float(word)
    except ValueError:
        seconds = -1
    if not 0 <= seconds <= threading.TIMEOUT_MAX:
        raise ValueError(f"{word} is not a number of seconds")
    return seconds


@_value
def _players(word: str) -> int:
    settings.change(settings.defaults(), "players", word)
    return int(word)


@_value
def _game(word: str) -> str:
    if word in games.names():
        return word
    if solve.named([word]):
        raise ValueError(f"only `nimatron solve` knows {word}")
    return word


def _add_port(parser: ArgumentParser, more: str = "") -> None:
    parser.add_argument(
        "port",
        nargs="?",
        metavar="PORT",
        help="a device name, socket://HOST:PORT or rfc2217://HOST:PORT; by default the only Pico "
        "that is plugged in" + more,
    )


def _add_json(parser: argparse._ActionsContainer, more: str = "") -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON document" + more)


def _add_broker(parser: ArgumentParser, **mqtt: Any) -> None:
    parser.add_argument(
        "--mqtt",
        metavar="URL",
        help="the broker: mqtts://USER@HOST[:PORT] with TLS, mqtt:// without; local[:PORT]: the "
        "Mosquitto that is installed here, for this computer only",
        **mqtt,
    )
    parser.add_argument(
        "--password-file",
        type=Path,
        metavar="FILE",
        help=f"has the broker's password; it can also be in the environment's {_MQTT_PASSWORD}",
    )
    for option, what in (
        ("ca", "trust the broker's certificate if it is from this CA, instead of the system's"),
        ("cert", "show the broker this certificate"),
        ("key", "its key, if FILE of --cert lacks it"),
    ):
        parser.add_argument(f"--{option}", type=Path, metavar="FILE", help=what)
    parser.add_argument(
        "--allow",
        action="append",
        default=[],
        metavar="COMMAND",
        help="let the broker give this console command, too",
    )


def _broker(args: Namespace) -> "Broker | None":
    """The broker of these options, None if there is none."""
    from nimatron_host.fleet import broker, command

    command.check_allowed(args.allow)
    files = args.password_file, args.ca, args.cert, args.key
    if args.mqtt is None:
        if any(files) or args.allow:
            args.refuse("--password-file, --ca, --cert, --key and --allow are for --mqtt")
        return None
    return broker.parse(args.mqtt, *files)


def _add_state(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--state",
        type=Path,
        metavar="DIR",
        help="keep tokens and matches in DIR; by default in this user's folder for such things",
    )


def _add_match(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--game", type=_game, metavar="GAME", help="play another game; `nimatron games` lists them"
    )
    parser.add_argument(
        "--machine",
        choices=settings.MACHINES,
        metavar="NAME",
        help="imitate a historical machine: " + ", ".join(settings.MACHINES),
    )
    parser.add_argument(
        "--players",
        type=_players,
        metavar="N",
        help="1 plays the machine (default), 2 to 6 play each other",
    )
    parser.add_argument(
        "--rows", nargs="+", metavar="N", help="start with these rows, from top to bottom"
    )
    _add_rule(parser)
    parser.add_argument(
        "--level",
        choices=opponent.NAMES,
        metavar="LEVEL",
        help=f"how often the machine slips: {_slips()} (default: {opponent.NAMES[0]})",
    )
    parser.add_argument(
        "--seed",
        type=int,
        metavar="N",
        help="repeat the machine's random choices: to the same moves it gives the same answers",
    )


def _slips() -> str:
    """The levels and how often the machine slips at each, for argparse."""
    always, *some = [name for name in opponent.NAMES if name != opponent.EQUALIZER]
    shares = ", ".join(f"{name} in {opponent.LEVELS[name]} %%" for name in some)
    return f"{always} never, {shares} of its moves, {opponent.EQUALIZER} once per match"


def _add_tier(parser: ArgumentParser, *others: str) -> None:
    parser.add_argument(
        "--on",
        choices=["sim", *others],
        default="sim",
        help="where to run the firmware (default: sim, the simulated Pico)",
    )
    parser.add_argument(
        "--display",
        choices=settings.DISPLAYS,
        default=settings.DISPLAYS[0],
        help="the kind of lamps: a matrix (default), shift registers or pixels",
    )
    _add_board(parser)
    _add_image(parser)


def _add_board(parser: ArgumentParser, more: str = "; the emulated one is the image's") -> None:
    parser.add_argument(
        "--board",
        choices=list(BOARDS),
        help=f"which Pico is simulated (default: {PICO}){more}",
    )


def _add_image(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--image",
        type=Path,
        metavar="FILE",
        help="the MicroPython .uf2 to use; by default the one that NIMATRON_IMAGE names, or that "
        "`nimatron image` downloads",
    )


def _add_rule(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--rule",
        choices=settings.RULES,
        help="whoever puts out the last lamp loses (misere) or wins (normal)",
    )


def _board(args: Namespace, simulated: bool) -> str:
    """The board that --board names. simulated: true if there is a simulated Pico to be one."""
    if args.board and not simulated:
        args.refuse("--board is for the simulated Pico; an emulated one is what its image is for")
    return args.board or PICO


def _of_tier(args: Namespace) -> tuple[str, Path | None]:
    """The board and the image for the Pico that --on names."""
    board = _board(args, args.on in ("sim", "vm", "web"))
    if args.image and args.on not in ("emulator", "rp2040js"):
        args.refuse("--image is for the emulated Pico; add --on emulator")
    return board, args.image


def _match_lines(args: Namespace) -> list[str]:
    """The console lines for the match requested on the command line."""
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
        with _usage(args):
            solve.checked(games.find(_game_of(args)), args.rule)
        lines.append(f"rule {args.rule}")
    if args.level:
        lines.append(f"level {args.level}")
    if args.rows:
        game = games.find(_game_of(args))
        with _usage(args):
            game.placed_on_panel(game.parse(args.rows))
        lines.append("new " + " ".join(args.rows))
    return lines


def _game_of(args: Namespace) -> str:
    """The name of the game requested on the command line."""
    return args.game or (machines.settings(args.machine)["game"] if args.machine else "nim")


def _play(args: Namespace) -> None:
    lines = _match_lines(args)
    board, image = _of_tier(args)
    if not all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)):
        raise UserError("play needs a terminal; in a pipe, use `nimatron console sim`")
    if os.environ.get("TERM") in _PLAIN_TERMINALS or not printable.draws(sys.stderr):
        _play_plainly(args, lines, board)
        return
    from nimatron_host.terminal import app  # Textual takes a while to import
    from nimatron_sim import tiers

    tiers.check(args.on, image)
    app.play(
        lines,
        lambda record: tiers.pico(args.on, record, None, args.display, board, image),
        args.language or words.spoken(os.environ),
    )


def _play_plainly(args: Namespace, lines: list[str], board: str) -> None:
    """Play at the console, in a terminal that has no cursor or no letters to draw the panel."""
    if args.on != _SIM:
        args.refuse(
            f"--on {args.on} draws a panel, for which this terminal has no cursor or no letters"
        )
    why = (
        "This terminal cannot draw the panel, so you play at the machine's console. Type new to "
        "begin, take 2 3 to put out 3 lamps of row 2, help for more, and Ctrl-D to leave."
    )
    print(textwrap.fill(why, _COLUMNS), flush=True)
    from nimatron_host.device.manual import explained
    from nimatron_sim import pipe

    pipe.serve(sys.stdin.buffer, sys.stdout, board, lines, explained)


def _kiosk(args: Namespace) -> None:
    lines = _match_lines(args)
    board, image = _of_tier(args)
    broker = _broker(args)
    if args.unit:
        _print_unit(args, "nimatron-kiosk", "Nimatron on a web page", "nimatron")
        if args.host in _HERE and not args.url:
            print(f"nimatron: {_NO_PHONES}", file=sys.stderr)
        return
    from nimatron_host.kiosk import command, keeping  # aiohttp takes a while to import

    def token(who: str) -> str | None:
        name = f"{who}token".replace("-", "_")
        text, file = getattr(args, name), getattr(args, f"{name}_file")
        return keeping.given_token(text, file, _token_variable(who))

    where = command.Where(
        args.host,
        args.port,
        args.url,
        args.spectate,
        args.state,
        args.tables,
        args.tables_each,
        args.site,
        token(""),
        token("operator-"),
        args.new_tokens,
    )
    if args.poster:
        print(command.write_poster(where, args.poster, args.game or "nim", args.rule))
        return
    command.kiosk(
        args.on,
        where,
        lines,
        args.kiosk_browser,
        board,
        image,
        broker,
        args.allow,
        language=args.language or "",
        quiet=args.quiet,
    )


def _print_unit(args: Namespace, name: str, about: str, folder: str) -> None:
    """Print the systemd unit that does at boot what was typed."""
    if args.state:
        args.refuse("a service keeps its state where systemd puts it; leave out --state")
    files = {
        option.replace("_", "-"): file
        for option in _SECRET
        if (file := getattr(args, option, None))
    }
    print(units.unit(name, about, folder, args.typed, files), end="")


def _token_variable(who: str) -> str:
    return f"NIMATRON_{who}TOKEN".replace("-", "_").upper()


def _matches(args: Namespace) -> None:
    from nimatron_host.kiosk import keeping

    keeping.show_matches(keeping.folder(args.state), args.csv, args.json)


def _site(args: Namespace) -> None:
    from nimatron_host.site import site

    sizes = site.write(args.folder, args.wasm)
    print(f"{len(sizes)} files, {sum(sizes.values()) / 1e6:.1f} MB, are in {args.folder}")
    print(f"Look at it: python -m http.server -d {_quoted(args.folder)}")


def _quoted(path: Path) -> str:
    """A path as the shells of this computer take it."""
    return subprocess.list2cmdline([path]) if os.name == "nt" else shlex.quote(str(path))


def _console(args: Namespace) -> None:
    board = _board(args, args.port == _SIM)
    if args.port == _SIM:
        from nimatron_host.device.manual import explained
        from nimatron_sim import pipe

        pipe.serve(sys.stdin.buffer, sys.stdout, board, explained=explained)
        return
    from nimatron_host.device import console

    if sys.stdin.isatty() and sys.stdout.isatty():
        console.talk(_port(args, args.port))
    else:
        typed = (line.decode("utf-8", "replace") for line in lines(sys.stdin.buffer))
        console.serve(_port(args, args.port), typed)


def _devices(args: Namespace) -> None:
    from nimatron_host.device import listing

    if _SIM in args.ports:
        args.refuse(_NO_SIM)
    listing.show(args.ports, args.json)


def _deploy(args: Namespace) -> None:
    if args.unit or args.timer:
        print(
            units.deploy_timer(args.timer) if args.timer else units.deploy_unit(args.typed), end=""
        )
        return
    if args.to:
        from nimatron_host.deploy import package

        print(package.write(args.to))
        return
    from nimatron_host.deploy import deploy

    say = _aside if args.json else escaped_print
    done = deploy.deploy(_port(args, args.port), args.dry_run, say=say, any_board=args.any_board)
    if args.json:
        print(json.dumps(done))


def _check_parts(args: Namespace) -> None:
    from nimatron_host.device import check

    if not args.yes and not sys.stdin.isatty():
        raise UserError(
            "check needs a terminal, because it asks what you see and hear; "
            "with --yes it takes everything as seen and heard"
        )
    yes = (lambda _: True) if args.yes else partial(check.ask, aside=args.json)
    check.check(_port(args, args.port), yes, args.wait, args.step, args.json)


def _stats(args: Namespace) -> None:
    from nimatron_host.device import reports

    _print(reports.stats(_port(args, args.port), args.json, args.begin))


def _settings(args: Namespace) -> None:
    from nimatron_host.device import reports

    if _SIM in args.words:
        args.refuse(_NO_SIM)
    named = [word for word in args.words if port_names.is_port(word)]
    words = [word for word in args.words if word not in named]
    if len(named) > 1 or len(words) > 2:
        args.refuse("settings takes at most a PORT, a KEY and a VALUE")
    with _usage(args):
        reports.words(*words)
    port = _port(args, named[0] if named else None)
    key, value = [*words, None, None][:2]
    _print(reports.settings(port, key, value, args.json))


def _logs(args: Namespace) -> None:
    from nimatron_host.device import reports

    _print(reports.logs(_port(args, args.port), args.clear, args.json))


def _health(args: Namespace) -> None:
    from nimatron_host.device import reports

    _print(reports.health(_port(args, args.port), args.json))


def _aside(text: str) -> None:
    """Print a line, escaped, where it is in no program's way."""
    print(escaped(text), file=sys.stderr, flush=True)


def _print(text: str) -> None:
    """Print what a Pico has said, escaped line by line."""
    print(escaped_lines(text))


def _replay(args: Namespace) -> None:
    from nimatron_sim import replay
    from pico_testbench.simulated.stopping import ctrl_c

    source = args.source
    simulated = source == _SIM and not Path(source).is_file()
    if source and not simulated and not port_names.is_device(source):
        if args.now:
            args.refuse("--now is for a Pico, not for a file")
        text = _read(source)
    else:
        from nimatron_host.device import reports

        text = reports.flight(_port(args, source), args.now)
        if not args.now and "ok flight=now" in text:
            print("no failure is recorded; this is the current session", file=sys.stderr)
    recording = replay.load(text)
    if args.save:
        _write(args.save, text)
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


def _port(args: Namespace, named: str | None) -> str:
    """The port that was named, or that of the only Pico."""
    from nimatron_host.device import link

    if named == _SIM:
        args.refuse(_NO_SIM)
    return named or link.the_only()


def _trace(args: Namespace) -> None:
    from nimatron_sim import tiers
    from pico_testbench.simulated.stopping import ctrl_c

    board, image = _of_tier(args)
    text = _read(args.script)

    def show(record: dict[str, object]) -> None:
        print(json.dumps(record))

    with ctrl_c():
        tiers.trace(args.on, text, show, args.display, board, image)


def _soak(args: Namespace) -> None:
    days = range(1, args.days + 1) if args.day is None else [args.day]
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TimeElapsedColumn, TimeRemainingColumn

    from nimatron_sim.soak import soak
    from pico_testbench.simulated.stopping import ctrl_c

    seed = random.randrange(1_000_000) if args.seed is None else args.seed
    if not args.json:
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
        try:
            report = soak.soak(
                seed,
                list(days),
                args.jobs,
                lambda done: progress(completed=done),
                board=args.board,
            )
        except soak.Failed as fault:
            if args.json:
                print(json.dumps(fault.facts()))
            raise
    if args.json:
        print(json.dumps({"seed": seed} | report.facts()))
        return
    took = time.perf_counter() - begun
    print(report)
    print(f"speed           {report.ms / 1000 / took:.0f} exhibit-seconds per second")
    print(report.summary())


def _emulate(args: Namespace) -> None:
    from nimatron_host import emulate

    board = _board(args, args.sim)

    def make() -> "Pico":
        if args.sim:
            return emulate.simulated(board, args.id or UNIQUE_ID)
        return emulate.emulated(args.flash, args.image, args.empty)

    if args.sim and (args.flash or args.image or args.empty):
        args.refuse("--flash, --image and --empty are for the emulated Pico, not for --sim")
    if args.id and not args.sim:
        args.refuse("--id is for the simulated Pico; add --sim")
    emulate.emulate(make, args.pty, args.tcp)


def _image(args: Namespace) -> None:
    from nimatron_host import emulate

    file = args.image or args.check
    if args.image and args.check:
        args.refuse("--check and --image name one file each; give one of them")
    print(emulate.get_image(file))
    if args.with_firmware:
        print(emulate.with_firmware(file, args.with_firmware))


def _fleet(args: Namespace) -> None:
    from nimatron_host.fleet import command
    from nimatron_host.kiosk import keeping

    where = _broker(args)
    assert where  # --mqtt is required here
    what = args.exhibits[0] if args.exhibits in (["status"], ["page"]) else ""
    if args.json and what != "status":
        args.refuse("--json is for `nimatron fleet status`")
    if what != "page" and (args.host or args.port is not None):
        args.refuse("--host and --port are for `nimatron fleet page`")
    exhibits = {} if what else command.ports(args.exhibits)
    if args.unit:
        if what == "status":
            args.refuse("--unit is for a bridge, and for `nimatron fleet page`")
        name = "nimatron-fleet-page" if what else "nimatron-fleet"
        about = "Nimatron: a page of all exhibits" if what else "Nimatron: exhibits on MQTT"
        _print_unit(args, name, about, name)
        return
    folder = keeping.folder(args.state)
    if what == "status":
        command.status(where, folder, args.json)
        return
    if what == "page":
        port = _FLEET_PORT if args.port is None else args.port
        command.page(where, folder, args.host or "127.0.0.1", port)
        return
    command.fleet(where, exhibits, folder, args.name, args.allow, args.keep)


def _wiring(args: Namespace) -> None:
    from nimatron_wiring import write

    if args.simulate and args.check:
        args.refuse("--check writes nothing, and --simulate does; give one of them")
    try:
        if args.kit:
            from nimatron_wiring.kit import files

            write.check(args.kit)
            for path in files.write(args.kit, files.files(write.generate())):
                print(_from_here(path))
            return
        if args.simulate:
            print(_from_here(write.simulate()))
        folder = args.to or write.folder()
        if not args.check:
            for path in write.write(folder):
                print(_from_here(path))
            return
        if not folder.is_dir():
            raise UserError(f"there is no folder {folder}; run: {write.COMMAND} --to {folder}")
        names = write.differing(folder, write.generate())
    except OSError as why:
        raise UserError(f"cannot write {why.filename}: {why.strerror}") from None
    if names:
        raise UserError(f"{', '.join(names)}: out of date with the pin map; run: {write.COMMAND}")


def _from_here(path: Path) -> str:
    """A path for people, from the current folder if it is on the same drive."""
    try:
        return os.path.relpath(path)
    except ValueError:  # on Windows
        return str(path)


def _read(name: str) -> str:
    try:
        return decoded(sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes())
    except OSError as why:
        raise UserError(f"cannot read {name}: {why.strerror}") from None
    except UnicodeDecodeError:
        raise UserError(f"cannot read {name}: it is not text") from None


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as why:
        raise UserError(f"cannot write {path}: {why.strerror}") from None


def _solve(args: Namespace) -> None:
    with _usage(args):
        solution = solve.solve(args.words, args.rule)
    print(json.dumps(solution) if args.json else solve.as_text(solution))


def _table(args: Namespace) -> None:
    from nimatron_host.theory import drawing, positions
    from nimatron_host.theory.table import Table

    with _usage(args):
        typed = " ".join(args.words)
        if positions.begins(typed):
            raise ValueError(
                f"a table is of a whole game: nimatron table nim; one position: "
                f"nimatron solve {typed}"
            )
        game, more = solve.named(args.words)
        if more:
            raise ValueError(
                f"a table is of a whole game: leave out {' '.join(more)}; one position: "
                f"nimatron solve {typed}"
            )
        usual = "normal" if "normal" in game.rules else None
        table = Table(game, solve.checked(game, args.rule or usual), args.max, args.heaps)
        if args.svg:
            print(drawing.svg(table))
        elif args.json:
            print(table.as_json())
        elif args.csv:
            print(table.as_csv())
        else:
            print(table.as_markdown() if args.markdown else table.as_text())


def _handout(args: Namespace) -> None:
    from nimatron_host.theory import handout

    handout.write(args.file, args.seed, args.paper)
    print(args.file)


def _games(args: Namespace) -> None:
    if args.words:
        with _usage(args):
            game, more = solve.named(args.words)
            if more:
                raise ValueError("to explain one game, give its name and perhaps --json")
        row = catalogue.row(game)
        print(json.dumps(row) if args.json else catalogue.explained(row))
    elif args.json:
        print(json.dumps(catalogue.rows()))
    else:
        print(catalogue.as_text())


@contextmanager
def _usage(args: Namespace) -> Iterator[None]:
    """Report a ValueError raised in here as a mistake in the command line."""
    try:
        yield
    except ValueError as why:
        args.refuse(str(why))
