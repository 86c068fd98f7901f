"""The `nimatron` command."""

import argparse
import contextlib
import os
import sys
import textwrap
from argparse import ArgumentParser, Namespace
from functools import partial
from importlib import import_module
from typing import Any, NoReturn

from nimatron import VERSION
from nimatron.settings import RULES
from nimatron_host import output
from nimatron_host.spelling import instead
from nimatron_sim.errors import UsageError, UserError
from nimatron_sim.text_encoding import escaped, escaped_lines

# The modules in nimatron_host.commands, in the order of the help.
_COMMANDS = (
    "play", "kiosk", "matches", "site", "console", "trace", "soak", "emulate", "image", "devices",
    "deploy", "check", "stats", "settings", "logs", "health", "replay", "fleet", "wiring", "solve",
    "table", "handout", "games",
)  # fmt: skip
_SHELLS = ("bash", "zsh", "tcsh")
_COMMAND = "COMMAND"


def main(words: list[str] | None = None) -> int:
    """Run the command. Return its exit status: 0 for success, 1 for failure, 2 for wrong usage."""
    output.print_in_any_encoding()
    try:
        words = sys.argv[1:] if words is None else words
        args = parser().parse_args(words, Namespace(typed=words))
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
        from nimatron_sim import extras

        if (why.name or "").partition(".")[0] not in extras.EXTRAS:
            raise
        print(f"nimatron: {extras.missing(why.name or '')}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def _forget_output() -> None:
    """Let Python drop unwritten output, instead of trying to write it again at exit."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class _Help(argparse.HelpFormatter):
    """A help formatter that does not break names such as dr-nim-1966."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        return textwrap.wrap(" ".join(text.split()), width, break_on_hyphens=False)


class _Parser(ArgumentParser):
    """An argparse parser that reports errors in one line, like all other errors."""

    def __init__(self, **how: Any) -> None:
        super().__init__(**{"formatter_class": _Help} | how)

    def error(self, message: str) -> NoReturn:
        rule = message.removeprefix("unrecognized arguments: --")
        if rule in RULES:
            message += f". Write --rule {rule}"
        stop = "" if message.endswith("?") else "."
        raise UsageError(f"{message}{stop} For help: {self.prog} --help")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Raise an error for a word that is not among the choices, with the nearest choice."""
        if action.choices is None or value in action.choices:
            return
        names = list(action.choices)
        if action.metavar == _COMMAND:
            which = instead(value, names, "To list the commands: nimatron help")
            raise argparse.ArgumentError(None, f'unknown command "{value}". {which}')
        which = instead(value, names, "Choose from: " + ", ".join(names))
        raise argparse.ArgumentError(action, f'"{value}" is not a choice. {which}')


class _PrintCompletion(argparse.Action):
    """Print the completion script for a shell, and exit."""

    def __call__(
        self, parser: ArgumentParser, namespace: Namespace, shell: Any, option: str | None = None
    ) -> None:
        import shtab

        for command in parsers(parser).values():
            for action in command._actions:
                if "FILE" in str(action.metavar) or action.dest == "script":
                    action.complete = shtab.FILE  # type: ignore[attr-defined]
                elif action.metavar == "DIR":
                    action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
        print(shtab.complete(parser, shell))
        parser.exit()


def parser() -> ArgumentParser:
    """Return the parser for the command line."""
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
    for name in _COMMANDS:
        command = import_module(f"nimatron_host.commands.{name}")
        title = command.__doc__ or ""
        about = title[:1].lower() + title[1:].rstrip(".")
        one = commands.add_parser(name, help=about, description=about)
        one.set_defaults(run=command.run, refuse=one.error)
        command.add(one)
    about = "list the commands, or explain one"
    manual = commands.add_parser("help", help=about, description=about)
    manual.set_defaults(run=partial(_help, parser))
    manual.add_argument("command", nargs="?", choices=list(commands.choices), metavar=_COMMAND)
    return parser


def parsers(parser: ArgumentParser) -> dict[str, ArgumentParser]:
    """Return the parsers for the commands, by name."""
    assert parser._subparsers
    commands = parser._subparsers._group_actions[0]
    assert isinstance(commands, argparse._SubParsersAction)
    return commands.choices


def _help(parser: ArgumentParser, args: Namespace) -> None:
    (parsers(parser)[args.command] if args.command else parser).print_help()
