"""`--unit`: the systemd unit that runs a command with the typed options."""

from argparse import Namespace
from collections.abc import Mapping, Sequence
from datetime import time
from pathlib import Path
from string import Template

PROGRAM = "/opt/nimatron/bin/nimatron"
_FOLDER = Path(__file__).parent
_DEPLOY = "nimatron-deploy"
_OPTION = "--unit"
_SECRET = ("token_file", "operator_token_file", "password_file", "ca", "cert", "key")  # options


def show(args: Namespace, name: str, about: str, folder: str) -> None:
    """Print the systemd unit that runs the typed command at boot."""
    if args.state:
        args.refuse("a service keeps its state in the folder of systemd. Remove --state")
    files = {
        option.replace("_", "-"): file
        for option in _SECRET
        if (file := getattr(args, option, None))
    }
    print(unit(name, about, folder, args.typed, files), end="")


def unit(
    name: str, about: str, folder: str, words: Sequence[str], files: Mapping[str, Path]
) -> str:
    """Return the unit called `name`.

    folder: the folder below /var/lib for its state.
    words: the command line.
    files: {option: file} for each file that the command line names. systemd reads these files as
        root, and passes them to the service."""
    hidden = [f"LoadCredential={key}:{_escaped(str(files[key].absolute()))}\n" for key in files]
    return _filled(
        "nimatron.service",
        name=name,
        about=about,
        folder=folder,
        program=_program(words, files),
        credentials="".join(hidden),
    )


def deploy_unit(words: Sequence[str]) -> str:
    """Return a unit that deploys once with the command line `words`. While it runs, other programs
    on the cable are stopped."""
    return _filled(f"{_DEPLOY}.service", name=_DEPLOY, program=_program(words, {}))


def deploy_timer(at: time) -> str:
    """Return the timer that starts the deploy unit each day at this local time."""
    return _filled(f"{_DEPLOY}.timer", name=_DEPLOY, at=at.strftime("%H:%M:%S"))


def _filled(template: str, **gaps: str) -> str:
    return Template((_FOLDER / template).read_text(encoding="utf-8")).substitute(gaps)


def _program(words: Sequence[str], files: Mapping[str, Path]) -> str:
    return " ".join([PROGRAM, *(_in_unit(word, files) for word in words if not _is_option(word))])


def _is_option(word: str) -> bool:
    """Return True if `word` is --unit or a short form of it."""
    return len(word) > 2 and _OPTION.startswith(word)


def _in_unit(word: str, files: Mapping[str, Path]) -> str:
    """Return a word in the form that systemd needs. See ExecStart= in systemd.service(5)."""
    option, equals, value = word.rpartition("=")
    for key, file in files.items():
        if Path(value) == file and (not equals or option.startswith("--")):
            return f"{option}{equals}${{CREDENTIALS_DIRECTORY}}/{key}"
    escaped = _escaped(word).replace("\\", "\\\\").replace('"', '\\"').replace("$", "$$")
    return escaped if word and not set(word) & set(" \t'\"\\;") else f'"{escaped}"'


def _escaped(text: str) -> str:
    return text.replace("%", "%%")
