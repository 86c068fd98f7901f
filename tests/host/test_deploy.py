"""Deploying: the plan, and an interruption at any point."""

import hashlib
import json
import re
import sys

import pytest
import serial

from nimatron import VERSION
from nimatron_host.deploy import deploy, mpremote
from nimatron_host.deploy.deploy import accepts, contents, plan
from nimatron_host.device import link
from nimatron_sim import firmware
from nimatron_sim.errors import UserError
from pico_testbench.models import BOARDS

MPY = 4870  # sys.implementation._mpy of MicroPython 1.26 on a Pico
MPY_RP2350 = 7942  # and on a Pico 2 W
OLD = {"main.py": b"1", "nimatron/a.mpy": b"a", "nimatron/b.py": b"b", "nimatron/g/c.mpy": b"c"}
NEW = {"main.py": b"1", "nimatron/a.mpy": b"A", "nimatron/b.mpy": b"B", "nimatron/d.mpy": b"d"}


@pytest.fixture(autouse=True)
def _not_watched(monkeypatch):
    """Do not watch the firmware, because it is not ours and never ends its trial."""
    monkeypatch.setattr(deploy, "TRIAL_S", 0)


def listing(flash):
    """Return the Pico's report of its files."""
    return {
        name: hashlib.sha256(content).hexdigest()
        for name, content in flash.items()
        if name == "main.py" or name.startswith(("nimatron/", "nimatron.new/"))
    }


def test_deploy_sends_only_what_has_changed():
    arrived = {"nimatron.new/nimatron/a.mpy": b"A"}
    old = OLD | {"nimatron/d.mpy": b"d"}
    todo = plan(listing(old | arrived), NEW)
    assert set(todo.send) == {"nimatron.new/nimatron/b.mpy"}
    assert todo.copy == ["nimatron/d.mpy"]
    assert todo.stale == ["nimatron/b.py", "nimatron/g/c.mpy"]
    assert not plan(listing(NEW), NEW).changed


def test_what_a_deploy_that_was_cut_off_has_left_is_replaced():
    """tests/vm/test_deploy_on_vm.py cuts the power at each write."""
    half = {"nimatron.new/nimatron/a.mpy": b"torn", "nimatron.new/nimatron/old.mpy": b"?"}
    package = [name for name in NEW if name != "main.py"]
    for there, send, copy in ((NEW, [], package), (OLD, package, []), ({}, [*NEW], [])):
        todo = plan(listing(there | half), NEW)
        assert todo.left == ["nimatron.new/nimatron/old.mpy"]
        assert [*todo.send] == [f"nimatron.new/{name}" for name in send]
        assert todo.copy == copy and todo.changed


def test_modules_are_compiled_where_the_pico_takes_them(capsys):
    files = firmware.files()
    compiled = contents(files, MPY)
    assert compiled["main.py"] == files["main.py"].read_bytes()
    assert sorted(compiled) == [
        "main.py",
        "nimatron/bundle",
        "nimatron/loader.mpy",
        "nimatron_boot.mpy",
        "nimatron_failed.mpy",
    ]
    assert all(accepts(MPY, code) for name, code in compiled.items() if name[-4:] == ".mpy")
    assert compiled == contents(files, MPY), "or every deploy would send everything"
    assert compiled == contents(files, MPY_RP2350), "bytecode is the same for both chips"
    assert contents(files, 5) == {name: file.read_bytes() for name, file in files.items()}
    assert "sending them as source" in capsys.readouterr().out


def test_native_code_needs_the_same_sub_version_and_chip():
    native = bytes([ord("M"), 6, 4 << 2 | 3, 31])
    assert accepts(MPY, native) and not accepts(MPY_RP2350, native)
    assert not accepts(MPY & ~0x300 | 2 << 8, native)


HELLO = "ok name=nimatron version=9.9 mode=exhibit"
FACTS = {
    "platform": "rp2",
    "implementation": "micropython 1.26.1",
    "mpy": str(MPY),
    "machine": "Raspberry Pi Pico with RP2040",
}


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"implementation": "circuitpython 9.2.1", "platform": "RP2040"}, "runs circuitpython"),
        ({"platform": "esp32", "machine": "ESP32"}, "is a ESP32. Nimatron needs a Raspberry Pi"),
        (
            {"machine": "Some Board with RP2090"},
            r"Some Board with RP2090. Nimatron needs a Raspberry Pi Pico \(RP2040 or RP2350\)",
        ),
        (
            {"implementation": "micropython 1.21.0"},
            "has MicroPython 1.21.0, but 1.22 is needed at least",
        ),
    ],
)
def test_another_board_is_left_alone(monkeypatch, changed, why):
    answer(monkeypatch, changed)
    with pytest.raises(UserError, match=why):
        deploy.look("/dev/x", any_board=True)


def answer(monkeypatch, changed):
    """Let a Pico answer with these facts."""

    def run(port, scripts, said, *_):
        for fact in (FACTS | changed).items():
            said(" ".join(fact))

    monkeypatch.setattr(deploy, "_run", run)


def pins(*gpios):
    return " ".join(f"GP{gpio}=GPIO{gpio}" for gpio in gpios)


@pytest.mark.parametrize(
    "machine",
    [*(board.machine for board in BOARDS.values()), "Raspberry Pi Pico2 with RP2350-RISCV"],
)
@pytest.mark.parametrize("there", ["", pins(*range(23), 26, 27, 28) + " LED=GPIO25"])
def test_every_pico_is_taken(monkeypatch, machine, there):
    answer(monkeypatch, {"machine": machine, "pins": there})
    assert deploy.look("/dev/x").facts["machine"] == machine


XIAO = {
    "machine": "Seeed Studio XIAO RP2040 with RP2040",
    "pins": pins(0, 1, 2, 3, 4, 6, 7, 26, 27, 28, 29) + " LED_G=GPIO16 NEOPIXEL=GPIO12",
}


@pytest.mark.parametrize(
    ("display", "lacks"),
    [
        ({}, "GP5, GP8 to GP22"),
        ({"display": "matrix"}, "GP5, GP8 to GP22"),
        ({"display": "what it will be in 2050"}, "GP5, GP8 to GP22"),
        ({"display": "shift"}, "GP5, GP13 to GP22"),
        ({"display": "pixels"}, "GP13 to GP22"),
    ],
)
def test_a_board_without_the_pins_is_told_which(monkeypatch, display, lacks):
    answer(monkeypatch, XIAO | display)
    with pytest.raises(UserError, match=f"XIAO RP2040 with RP2040, which lacks {lacks}. Use a"):
        deploy.look("/dev/x")
    with pytest.raises(UserError, match="--any-board"):
        deploy.look("/dev/x", dry_run=True)
    deploy.look("/dev/x", any_board=True)


@pytest.mark.parametrize(
    ("complaint", "why"),
    [
        ("mpremote: could not enter raw repl", "does not answer as MicroPython. Is MicroPython"),
        ("mpremote: failed to access x (it may be in use by another program)", "was in use by"),
        ("mpremote: timeout waiting for first EOF reception", "no longer answers. Unplug the"),
        ("mpremote: could not exec command (response: b'')", "no longer answers. Unplug the"),
        ("Traceback:\nOSError: [Errno 5] Input/output error", "has gone in the middle. Plug"),
        ("serial.serialutil.SerialException: x", "Plug the Pico in and run this again"),
        ("/usr/bin/python: No module named mpremote", "needs mpremote, which is not installed"),
        ("mpremote: what has never been seen", "failed at .*: mpremote: what has never been seen"),
    ],
)
def test_what_mpremote_complains_of_becomes_one_clear_line(
    nimatron, monkeypatch, peer, complaint, why
):
    script = f"import sys; sys.stderr.write({complaint!r}); sys.exit(1)"
    monkeypatch.setattr(mpremote, "COMMAND", (sys.executable, "-c", script))
    status, _, error = nimatron("deploy", peer(lambda line: "NameError: name 'version'"))
    assert (status, error.count("\n")) == (1, 1)
    assert re.search(why, error)


def test_mpremote_does_not_tell_a_missing_port_from_a_busy_one(monkeypatch, pty):
    script = "import sys; sys.exit('mpremote: failed to access it (it may be in use)')"
    monkeypatch.setattr(mpremote, "COMMAND", (sys.executable, "-c", script))
    with pytest.raises(UserError, match="^the port /dev/nowhere does not exist. "):
        mpremote.mpremote("/dev/nowhere", said=print)
    with (
        serial.Serial(pty, exclusive=True),
        pytest.raises(UserError, match="is in use by another"),
    ):
        mpremote.mpremote(pty, said=print)


@pytest.mark.parametrize(
    ("says", "why"),
    [("", "nothing comes from it. Unplug the Pico"), ("Blinky 3", 'but sent "Blinky 3". MicroPy')],
)
def test_who_lets_neither_us_nor_mpremote_in(nimatron, peer, monkeypatch, says, why):
    monkeypatch.setattr(link, "HELLO_S", 0.2)
    monkeypatch.setattr(link, "START_S", 0.2)
    script = "import sys; sys.exit('mpremote: could not enter raw repl')"
    monkeypatch.setattr(mpremote, "COMMAND", (sys.executable, "-c", script))
    status, _, error = nimatron("deploy", peer(lambda line: says))
    assert status == 1 and why in error.splitlines()[-1]


def test_a_full_flash(monkeypatch):
    script = "import sys; print('OSError: 28'); sys.exit(1)"
    monkeypatch.setattr(mpremote, "COMMAND", (sys.executable, "-c", script))
    with pytest.raises(UserError, match="the flash of the Pico at /dev/x is full"):
        mpremote.mpremote("/dev/x", said=lambda line: None)


def test_a_pico_that_falls_silent(monkeypatch):
    monkeypatch.setattr(mpremote, "COMMAND", (sys.executable, "-c", "import time; time.sleep(60)"))
    monkeypatch.setattr(mpremote, "_SILENCE_S", 0.2)
    with pytest.raises(UserError, match="has been silent"):
        mpremote.mpremote("/dev/x", said=lambda line: None)


@pytest.fixture
def no_mpremote(monkeypatch):
    def mpremote(port, *words, said):
        raise AssertionError("mpremote would stop the show")

    monkeypatch.setattr(deploy, "mpremote", mpremote)


@pytest.fixture
def changed(monkeypatch, tmp_path):
    """Change one file of the firmware, add one and remove one."""
    files = firmware.files()
    coin = tmp_path / "coin.py"
    coin.write_text("# changed\n" + files["nimatron/devices/coin.py"].read_text())
    files |= {"nimatron/devices/coin.py": coin, "nimatron/token.py": coin}
    del files["nimatron/maintenance.py"]
    monkeypatch.setattr(firmware, "files", lambda: files)


def starts(nimatron, port):
    return nimatron("console", port, stdin="status\nstats\n")[1].partition("resets")[2]


@pytest.mark.usefixtures("no_mpremote")
def test_an_exhibit_that_is_up_to_date_plays_on(nimatron, simulated):
    before = starts(nimatron, simulated)
    for words in ((), ("--dry-run",)):
        status, out, error = nimatron("deploy", simulated, *words)
        assert (status, error) == (0, "")
        lines = out.splitlines()
        assert lines[0] == f"{simulated}: looking at the installed files"
        same = f"nothing to send: all {len(firmware.files())} files are installed"
        done = f"done: Nimatron {VERSION} plays on at {simulated}"
        assert lines[-1:] == [same] if words else lines[-2:] == [same, done]
        told = json.loads(nimatron("deploy", simulated, "--json", *words)[1])
        assert (told["up_to_date"], told["send"], told["remove"]) == (True, [], [])
        assert told["dry_run"] == bool(words)
    assert starts(nimatron, simulated) == before


@pytest.mark.usefixtures("no_mpremote", "changed")
def test_a_dry_run_says_what_would_be_done_and_stops_nothing(nimatron, simulated):
    before = starts(nimatron, simulated)
    status, out, error = nimatron("deploy", simulated, "--dry-run")
    assert (status, error) == (0, "")
    told = [line.split(",")[0].strip() for line in out.splitlines() if "would" in line]
    assert told == [
        "would send nimatron/devices/coin.py",
        "would send nimatron/token.py",
        "would remove nimatron/maintenance.py",
    ]
    assert out.endswith("dry run: nothing was changed\n")
    status, out, error = nimatron("deploy", simulated, "--dry-run", "--json")
    assert status == 0 and error.endswith("dry run: nothing was changed\n")
    assert json.loads(out) == {
        "port": simulated,
        "dry_run": True,
        "up_to_date": False,
        "send": ["nimatron/devices/coin.py", "nimatron/token.py"],
        "remove": ["nimatron/maintenance.py"],
    }
    assert starts(nimatron, simulated) == before


@pytest.mark.usefixtures("no_mpremote")
def test_a_dry_run_says_at_once_what_it_does(peer):
    said = []
    answers = {"version": HELLO}
    refused = "error reason=control-byte got=0x02\nerror reason=unknown-command got="
    port = peer(lambda line: said.append(line) or answers.get(line, refused + line))
    with pytest.raises(UserError, match="its files, and a dry run does not interrupt it"):
        deploy.deploy(port, dry_run=True, say=said.append)
    assert said[:2] == [f"{port}: looking at the installed files", "version"]


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize(
    ("boot", "last"),
    [
        ("event boot version=9.9 mode=exhibit why=deploy", "Nimatron 9.9 is playing at "),
        ("ok name=nimatron version=9.9 mode=exhibit nonce=1", "Nimatron 9.9 is playing at "),
        (
            "event boot version=9.9 mode=maintenance why=deploy",
            "Nimatron 9.9 is in maintenance mode, not playing. Reboot at its console starts the "
            "show, at ",
        ),
    ],
)
def test_the_last_line_says_that_it_is_done_and_what_is_playing(
    nimatron, peer, monkeypatch, boot, last
):
    pico = Failing("nothing", None)
    monkeypatch.setattr(deploy, "_run", pico.run)
    monkeypatch.setattr(deploy, "carry_out", lambda port, todo, say: None)
    monkeypatch.setattr(link.SerialLink, "booted", lambda line, mode=None: boot)
    port = peer(pico.answer)
    status, out, error = nimatron("deploy", port)
    assert (status, error) == (0, "")
    assert out.splitlines()[-1] == f"done: {last}{port}"


@pytest.mark.usefixtures("no_mpremote")
def test_a_dry_run_leaves_alone_what_does_not_answer(nimatron, pty, monkeypatch):
    monkeypatch.setattr(link, "HELLO_S", 0.2)
    monkeypatch.setattr(link, "START_S", 0.2)
    assert "a dry run does not interrupt it" in nimatron("deploy", pty, "--dry-run")[2]


class Failing:
    """A Pico and its mpremote, which fails at a script with the word `broken`, or never. The flash
    keeps its earlier contents."""

    def __init__(self, broken, why):
        self.state = "exhibit"
        self.scripts = []
        self._broken, self._why = broken, why

    def answer(self, line):
        if line == "maintenance":
            self.state = "maintenance"
            return "ok restarting=maintenance\nevent boot version=9.9 mode=maintenance why=x"
        if "\x03" in line and self.state == "maintenance":
            self.state = "prompt"
        if line.endswith("version"):
            if self.state == "prompt":
                return "NameError: name 'version' isn't defined"
            return f"ok name=nimatron version=9.9 mode={self.state}"
        if line == "import machine; machine.reset()" and self.state == "prompt":
            self.state = "exhibit"
            return "event boot version=9.9 mode=exhibit why=reset"
        return "error reason=unknown-command got=" + line

    def run(self, port, scripts, said, *first, follow=True):
        self.state = "prompt"
        for script in scripts:
            self.scripts.append(script)
            if self._broken in script:
                raise self._why
            if "facts()" in script:
                for fact in FACTS.items():
                    said(" ".join(fact))
                said(f"file {'0' * 64} main.py")


@pytest.fixture
def few(monkeypatch):
    """Use firmware of two files, because compiling all of it takes a second."""
    ours = firmware.files()
    files = {name: ours[name] for name in ("main.py", "nimatron/devices/coin.py")}
    monkeypatch.setattr(firmware, "files", lambda: files)


@pytest.mark.sampled("a second each")
@pytest.mark.usefixtures("few")
@pytest.mark.parametrize(
    ("broken", "why"),
    [
        ("facts()", UserError("it broke")),
        ("nimatron.new/nimatron/bundle", UserError("it broke")),
        ("nimatron.new/nimatron/bundle", mpremote.Full("it is full")),
        ("nimatron.new/nimatron/bundle", KeyboardInterrupt()),
        ("room()", UserError("it broke")),
        ("commit()", UserError("it broke")),
    ],
)
def test_a_deploy_that_fails_brings_the_show_back_and_says_so(
    nimatron, peer, monkeypatch, broken, why
):
    pico = Failing(broken, why)
    monkeypatch.setattr(deploy, "_run", pico.run)
    status, out, error = nimatron("deploy", peer(pico.answer))
    assert pico.state == "exhibit"
    if isinstance(why, KeyboardInterrupt):
        assert (status, out.splitlines()[-1]) == (130, "the show is running again")
    else:
        assert (status, error) == (1, f"nimatron: {why}. The show is running again\n")
    assert ("remove('nimatron.new')" in pico.scripts) == isinstance(why, mpremote.Full)


@pytest.mark.long("3 s")
@pytest.mark.usefixtures("few")
def test_a_pico_that_has_gone_in_the_middle_of_a_deploy(nimatron, peer, monkeypatch):
    pico = Failing("room()", mpremote.Gone("it has gone"))
    port = peer(lambda line: "" if pico.state == "prompt" else pico.answer(line))
    monkeypatch.setattr(link, "HELLO_S", 0.2)
    monkeypatch.setattr(link, "BOOT_S", 0.2)
    monkeypatch.setattr(deploy, "_run", pico.run)
    assert nimatron("deploy", port)[2] == (
        "nimatron: it has gone. Its show starts again within ten minutes, or when you switch it "
        "off and on\n"
    )


def test_an_empty_pico_has_no_show_to_go_back_to(nimatron, peer, monkeypatch):
    def run(port, scripts, said, *first):
        raise UserError("it broke")

    monkeypatch.setattr(deploy, "_run", run)
    port = peer(lambda line: "NameError: name 'version' isn't defined")
    assert nimatron("deploy", port)[2] == "nimatron: it broke\n"
