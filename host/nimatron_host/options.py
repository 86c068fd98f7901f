"""The options that several commands share: their names and their values."""

import argparse
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from nimatron import games, machines, opponent, settings
from nimatron_sim.errors import UserError
from nimatron_sim.text_encoding import decoded
from pico_testbench.models import BOARDS, PICO

if TYPE_CHECKING:
    from nimatron_host.fleet.broker import Broker

Value = TypeVar("Value")

SIM = "sim"
_SECONDS, _LONGER = 10, 6  # of computing, and the factor to suggest for the next attempt
_ECHO = 40  # characters of a position
NO_SIM = (
    "sim is for `nimatron console` and `kiosk --on`. For this command, start a simulated Pico "
    "with a port: nimatron emulate --sim"
)
MQTT_PASSWORD = "NIMATRON_MQTT_PASSWORD"


def value(check: Callable[[str], Value]) -> Callable[[str], Value]:
    """Return an argparse type. check() returns the value of a word, or raises ValueError."""

    def value(word: str) -> Value:
        try:
            return check(word)
        except ValueError as why:
            raise argparse.ArgumentTypeError(str(why)) from None

    return value


@value
def count(word: str) -> int:
    if not word.isdecimal() or int(word) < 1:
        raise ValueError(f"{word} is not a whole number of 1 or more")
    return int(word)


@value
def port_number(word: str) -> int:
    if not word.isdecimal() or int(word) > 65535:
        raise ValueError(f"{word} is not a number from 0 to 65535")
    return int(word)


@value
def url(word: str) -> str:
    parts = urlsplit(word)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"{word} is not a URL such as https://nim.example.org/")
    return word if word.endswith("/") else word + "/"


@contextmanager
def usage(args: Namespace) -> Iterator[None]:
    """Report a ValueError from the body as a mistake in the command line."""
    try:
        yield
    except ValueError as why:
        args.refuse(str(why))


@contextmanager
def answer(args: Namespace) -> Iterator[None]:
    """Allow the body --seconds of time to find the answer, and report a ValueError as a mistake in
    the command line."""
    from nimatron_host.theory import time_limit

    try:
        with usage(args), time_limit.limit(args.seconds):
            yield
    except time_limit.Spent as so_far:
        asked = " ".join(args.words)
        asked = asked if len(asked) <= _ECHO else f"{asked[:_ECHO]} …"
        remedy = f"To search longer: --seconds {args.seconds * _LONGER}"
        if isinstance(so_far, time_limit.TooLarge):
            remedy = "To get one, take a smaller position"
        raise UserError(f"{asked}: no answer in {args.seconds} s, {so_far}. {remedy}") from None


def read(name: str) -> str:
    """Return the text of a file, or of standard input if `name` is -. Raises UserError."""
    try:
        return decoded(sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes())
    except OSError as why:
        raise UserError(f"cannot read {name}: {why.strerror}") from None
    except UnicodeDecodeError:
        raise UserError(f"cannot read {name}: it is not text") from None


def write(path: Path, text: str) -> None:
    """Write a file. Raises UserError."""
    try:
        path.write_text(f"{text}\n", encoding="utf-8", newline="\n")
    except OSError as why:
        raise UserError(f"cannot write {path}: {why.strerror}") from None


def add(parser: argparse._ActionsContainer, usage: str, about: str, **how: Any) -> None:
    """Add an option from its usage: "--flag", "--step N", "port? PORT" for an argument that may be
    missing, "words* WORD" or "words+ WORD" for several. FILE, FOLDER and DIR are paths, and N is a
    whole number of 1 or more, unless `how` contains a type."""
    name, _, of = usage.partition(" ")
    if name.startswith("--") and not of and "choices" not in how:
        how["action"] = "store_true"
    elif of:
        how["metavar"] = of
    if of in ("FILE", "FOLDER", "DIR"):
        how["type"] = Path
    elif len(of) == 1:
        how.setdefault("type", count)
    if name[-1] in "?*+":
        name, how["nargs"] = name[:-1], name[-1]
    if how.get("default") and "default" not in about:
        about += f" (default: {how['default']})"
    parser.add_argument(name, help=about, **how)


def add_seconds(parser: ArgumentParser) -> None:
    add(parser, "--seconds N", "give up after N seconds of computing", default=_SECONDS)


def add_port(parser: ArgumentParser, more: str = "") -> None:
    about = (
        "a device name, socket://HOST:PORT or rfc2217://HOST:PORT. By default, the only Pico that "
        "is plugged in"
    )
    add(parser, "port? PORT", about + more)


def port(args: Namespace, named: str | None) -> str:
    """Return the named port, or the port of the only Pico."""
    from nimatron_host.device import link

    if named == SIM:
        args.refuse(NO_SIM)
    return named or link.the_only()


def add_json(parser: argparse._ActionsContainer, more: str = "") -> None:
    add(parser, "--json", "print one JSON document" + more)


def add_tier(parser: ArgumentParser, *others: str) -> None:
    where = "where to run the firmware (default: sim, the simulated Pico)"
    add(parser, "--on", where, choices=["sim", *others], default="sim")
    lamps = "the kind of lamps: a matrix (default), shift registers or pixels"
    add(parser, "--display", lamps, choices=settings.DISPLAYS, default=settings.DISPLAYS[0])
    add_board(parser)
    add_image(parser)


def add_board(
    parser: ArgumentParser, more: str = ". For the emulated Pico, --image decides"
) -> None:
    about = f"the board of the simulated Pico (default: {PICO}){more}"
    add(parser, "--board", about, choices=list(BOARDS))


def add_image(parser: ArgumentParser) -> None:
    about = (
        "the MicroPython .uf2 to use. By default, the file in the environment variable "
        "NIMATRON_IMAGE, or else the download of `nimatron image`"
    )
    add(parser, "--image FILE", about)


def board(args: Namespace, simulated: bool) -> str:
    """Return the board that --board names. A `simulated` Pico can be any board."""
    if args.board and not simulated:
        args.refuse(
            "--board is for the simulated Pico. To emulate another board, give its --image"
        )
    return args.board or PICO


def tier(args: Namespace) -> tuple[str, Path | None]:
    """Return the board and the image for the Pico that --on names."""
    of = board(args, args.on in ("sim", "vm", "web", "relays"))
    if args.image and args.on != "emulator":
        args.refuse("--image is for the emulated Pico. Add --on emulator")
    return of, args.image


@value
def _players(word: str) -> int:
    settings.change(settings.defaults(), "players", word)
    return int(word)


@value
def _game(word: str) -> str:
    if word in games.names():
        return word
    from nimatron_host.theory import solve

    if solve.named([word]):
        raise ValueError(f"only `nimatron solve` knows {word}")
    return word


def add_match(parser: ArgumentParser, level: str = opponent.NAMES[0]) -> None:
    """Add the options of a match. `level` is the default level, in words."""
    add(parser, "--game GAME", "play another game (to list them: nimatron games)", type=_game)
    machines = "imitate a historical machine: " + ", ".join(settings.MACHINES)
    add(parser, "--machine NAME", machines, choices=settings.MACHINES)
    players = "1 plays the machine (default), 2 to 6 play each other"
    add(parser, "--players N", players, type=_players)
    rows = "start with these rows, from top to bottom"
    add(parser, "--rows N", rows, nargs="+", type=None)
    add_rule(parser)
    levels = f"how often the machine moves at random: {_slips()} (default: {level})"
    add(parser, "--level LEVEL", levels, choices=opponent.NAMES)
    seed = "repeat random choices: the machine answers the same moves in the same way"
    add(parser, "--seed N", seed, type=int)


def add_rule(parser: ArgumentParser) -> None:
    about = (
        "the player who makes the last move loses (misere) or wins (normal). By default, the "
        "usual rule of the game"
    )
    add(parser, "--rule", about, choices=settings.RULES)


def _slips() -> str:
    """Return the share of random moves at each level as a text for argparse."""
    always, *some = [name for name in opponent.NAMES if name != opponent.EQUALIZER]
    shares = ", ".join(f"{name} in {opponent.LEVELS[name]} %%" for name in some)
    rare = f"{opponent.EQUALIZER} makes at most one mistake per match"
    return f"{always} never, {shares} of its moves. {rare}"


def match(args: Namespace) -> list[str]:
    """Return the console lines for the match on the command line."""
    lines = []
    if args.seed is not None:
        lines.append(f"seed {args.seed}")
    if args.machine:
        lines.append(f"machine {args.machine}")
    if args.game:
        lines.append(f"game {args.game}")
    if args.players is not None:
        lines.append(f"set players {args.players}")
    of_machine = machines.settings(args.machine)["game"] if args.machine else "nim"
    game = games.find(args.game or of_machine)
    if args.rule:
        from nimatron_host.theory import solve

        with usage(args):
            solve.checked(game, args.rule)
        lines.append(f"rule {args.rule}")
    if args.level:
        lines.append(f"level {args.level}")
    if args.rows:
        with usage(args):
            game.placed_on_panel(game.parse(args.rows))
        lines.append("new " + " ".join(args.rows))
    return lines


def add_broker(parser: ArgumentParser, **mqtt: Any) -> None:
    where = (
        "the broker: mqtts://USER@HOST[:PORT] with TLS, mqtt://HOST without TLS, or local[:PORT] "
        "on this computer"
    )
    password = f"a file with the broker's password. Or set the variable {MQTT_PASSWORD}"
    authority = "trust certificates from this CA, not from the CAs of the system"
    add(parser, "--mqtt URL", where, **mqtt)
    add(parser, "--password-file FILE", password)
    add(parser, "--ca FILE", authority)
    add(parser, "--cert FILE", "the certificate to show to the broker")
    add(parser, "--key FILE", "the key of the certificate, if it is not in the same file")
    allow = "also let the broker send this console command"
    add(parser, "--allow COMMAND", allow, action="append", default=[])


def broker(args: Namespace) -> "Broker | None":
    """Return the broker in the options, or None."""
    from nimatron_host.fleet import broker, command

    command.check_allowed(args.allow)
    files = args.password_file, args.ca, args.cert, args.key
    if args.mqtt is None:
        if any(files) or args.allow:
            args.refuse("--password-file, --ca, --cert, --key and --allow are for --mqtt")
        return None
    return broker.parse(args.mqtt, *files)


def add_state(parser: ArgumentParser, what: str = "tokens and matches") -> None:
    add(parser, "--state DIR", f"keep {what} in DIR, by default in this user's state folder")
