"""`--unit`: the systemd unit that runs a command at boot, with the options that it was given."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from string import Template

PROGRAM = "/opt/nimatron/bin/nimatron"
_TEMPLATE = Path(__file__).parent / "nimatron.service"
_OPTION = "--unit"


def unit(
    name: str, about: str, folder: str, words: Sequence[str], files: Mapping[str, Path]
) -> str:
    """The unit called `name`. folder: below /var/lib, for what it keeps. words: those of the
    command line. files: the files named there, {option: file}, which root reads for it."""
    program = [PROGRAM, *(_in_unit(word, files) for word in words if not _is_option(word))]
    hidden = [f"LoadCredential={key}:{_escaped(str(files[key].absolute()))}\n" for key in files]
    return Template(_TEMPLATE.read_text(encoding="utf-8")).substitute(
        name=name,
        about=about,
        folder=folder,
        program=" ".join(program),
        credentials="".join(hidden),
    )


def _is_option(word: str) -> bool:
    """True for --unit, also if it is shortened."""
    return len(word) > 2 and _OPTION.startswith(word)


def _in_unit(word: str, files: Mapping[str, Path]) -> str:
    """A word as systemd takes it; see ExecStart= in systemd.service(5)."""
    option, equals, value = word.rpartition("=")
    for key, file in files.items():
        if Path(value) == file and (not equals or option.startswith("--")):
            return f"{option}{equals}${{CREDENTIALS_DIRECTORY}}/{key}"
    escaped = _escaped(word).replace("\\", "\\\\").replace('"', '\\"').replace("$", "$$")
    return escaped if word and not set(word) & set(" \t'\"\\;") else f'"{escaped}"'


def _escaped(text: str) -> str:
    return text.replace("%", "%%")
