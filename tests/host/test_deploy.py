"""Deploying: what is planned, and that it can be cut off anywhere."""

import hashlib
import re
import sys

import pytest

from nimatron_host import deploy, remote
from nimatron_host.deploy import accepts, contents, plan
from nimatron_host.device import DeviceError
from nimatron_sim import firmware

MPY = 4870  # sys.implementation._mpy of MicroPython 1.26 on a Pico
OWNERS = {"settings.json": b"{}", "notes/nimatron.txt": b"mine"}
OLD = {"main.py": b"1", "nimatron/a.mpy": b"a", "nimatron/b.py": b"b", "nimatron/g/c.mpy": b"c"}
NEW = {"main.py": b"1", "nimatron/a.mpy": b"A", "nimatron/b.mpy": b"B", "nimatron/d.mpy": b"d"}
TORN = {"nimatron.new/nimatron/a.mpy": b"torn", "nimatron.new/nimatron/old.mpy": b"?"}


def listing(flash):
    """What the Pico would say of its files."""
    return {
        name: hashlib.sha256(content).hexdigest()
        for name, content in flash.items()
        if name == "main.py" or name.startswith(("nimatron/", "nimatron.new/"))
    }


def states(flash, wanted):
    """Carry the plan out on a dict of files, yielding after each of its steps."""
    todo = plan(listing(flash), wanted)
    for name, content in todo.send.items():
        flash[name] = content[:-1] + b"?"
        yield todo
        flash[name] = content
        yield todo
    for verb, *names in todo.steps:
        if verb == "move":
            flash[names[1]] = flash.pop(names[0])
        elif verb == "remove":
            del flash[names[0]]
        yield todo


@pytest.mark.parametrize("there", [{}, OLD, NEW, OLD | TORN, {"nimatron/a.mpy": b"half"} | TORN])
@pytest.mark.parametrize("wanted", [NEW, NEW | {"main.py": b"2"}])
def test_a_deploy_cut_off_anywhere_leaves_the_old_firmware_or_a_prompt(there, wanted):
    old = there if "main.py" in there else None
    steps = sum(1 for _ in states(OWNERS | there, wanted))
    for cut in range(steps + 1):
        flash = OWNERS | there
        for _, _ in zip(range(cut), states(flash, wanted), strict=False):
            pass
        if "main.py" in flash:
            ours = {name: flash[name] for name in flash if name.startswith(("main", "nimatron/"))}
            works = {name: old[name] for name in old if "new" not in name} if old else None
            assert ours in (works, wanted)
        list(states(flash, wanted))  # run it again
        assert flash == OWNERS | wanted
        assert not list(states(flash, wanted))


def test_what_has_arrived_is_not_sent_again():
    arrived = {"nimatron.new/nimatron/a.mpy": b"A"}
    assert set(plan(listing(OLD | arrived), NEW).send) == {
        "nimatron.new/nimatron/b.mpy",
        "nimatron.new/nimatron/d.mpy",
    }


def test_folders_that_are_left_empty_go():
    pruned = [args for verb, *args in plan(listing(OLD), NEW).steps if verb == "prune"]
    assert pruned == [["nimatron.new/nimatron"], ["nimatron.new"], ["nimatron/g"]]


def test_modules_are_compiled_where_the_pico_takes_them(capsys):
    files = firmware.files()
    compiled = contents(files, MPY)
    assert compiled["main.py"] == files["main.py"].read_bytes()
    assert len(compiled) == len(files)
    assert all(accepts(MPY, code) for name, code in compiled.items() if name != "main.py")
    assert compiled == contents(files, MPY), "or every deploy would send everything"
    assert contents(files, 5) == {name: file.read_bytes() for name, file in files.items()}
    assert "sending them as source" in capsys.readouterr().out


def test_native_code_needs_the_same_sub_version():
    native = bytes([ord("M"), 6, 4 << 2 | 2, 31])
    assert accepts(6 | 2 << 8, native) and not accepts(6 | 3 << 8, native)


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
        ({"platform": "esp32", "machine": "ESP32"}, "is a ESP32; Nimatron needs a Raspberry Pi"),
        ({"machine": "Raspberry Pi Pico2 with RP2350"}, "is a Raspberry Pi Pico2 with RP2350"),
        ({"implementation": "micropython 1.21.0"}, "has MicroPython 1.21.0, 1.22 is the oldest"),
    ],
)
def test_another_board_is_left_alone(monkeypatch, changed, why):
    def run(port, scripts, said, *_):
        for fact in (FACTS | changed).items():
            said(" ".join(fact))

    monkeypatch.setattr(deploy, "_run", run)
    with pytest.raises(DeviceError, match=why):
        deploy.look("/dev/x")


@pytest.mark.parametrize(
    ("complaint", "why"),
    [
        ("mpremote: could not enter raw repl", "does not answer as MicroPython; is MicroPython"),
        ("mpremote: failed to access x (it may be in use by another program)", "is in use by"),
        ("Traceback:\nOSError: [Errno 5] Input/output error", "has gone in the middle; plug"),
        ("serial.serialutil.SerialException: x", "plug the Pico in and run this again"),
        ("/usr/bin/python: No module named mpremote", "-m pip install mpremote"),
        ("mpremote: what has never been seen", "failed at .*: mpremote: what has never been seen"),
    ],
)
def test_what_mpremote_complains_of_becomes_one_clear_line(
    nimatron, monkeypatch, peer, complaint, why
):
    script = f"import sys; sys.stderr.write({complaint!r}); sys.exit(1)"
    monkeypatch.setattr(remote, "COMMAND", (sys.executable, "-c", script))
    status, _, error = nimatron("deploy", peer(lambda line: "NameError: name 'version'"))
    assert (status, error.count("\n")) == (1, 1)
    assert re.search(why, error)


def test_a_full_flash(monkeypatch):
    script = "import sys; print('OSError: 28'); sys.exit(1)"
    monkeypatch.setattr(remote, "COMMAND", (sys.executable, "-c", script))
    with pytest.raises(DeviceError, match="the flash of the Pico at /dev/x is full"):
        remote.mpremote("/dev/x", said=lambda line: None)


def test_a_pico_that_falls_silent(monkeypatch):
    monkeypatch.setattr(remote, "COMMAND", (sys.executable, "-c", "import time; time.sleep(60)"))
    monkeypatch.setattr(remote, "_SILENCE_S", 0.2)
    with pytest.raises(DeviceError, match="has been silent"):
        remote.mpremote("/dev/x", said=lambda line: None)


def test_a_dry_run_says_what_would_be_done_and_lets_the_exhibit_play(monkeypatch):
    there = dict.fromkeys(deploy.contents(firmware.files(), MPY), "")
    board = deploy.Board(dict(FACTS), {**there, "nimatron/stale.py": ""})
    runs, said = [], []
    monkeypatch.setattr(deploy, "let_in", lambda *_: None)
    monkeypatch.setattr(deploy, "look", lambda port: board)
    monkeypatch.setattr(deploy, "_start", lambda port, why, say: runs.append(why))
    deploy.deploy("/dev/x", dry_run=True, say=said.append)
    assert runs == ["reboot"]
    assert any("would send nimatron/app.mpy, " in line for line in said)
    assert "  would remove nimatron/stale.py" in said
    assert said[-1] == "dry run: nothing was changed"
