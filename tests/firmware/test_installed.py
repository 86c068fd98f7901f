"""The installed files, read while the show continues."""

import hashlib

from typed import typed

from nimatron.installed import in_hex, mark
from nimatron_sim import firmware
from nimatron_sim.simulated_pico import SimulatedPico


def digest(files):
    together = 0
    for name, content in files.items():
        together ^= mark(name, hashlib.sha256(content).hexdigest())
    return in_hex(together)


def contents():
    return {name: file.read_bytes() for name, file in firmware.files().items()}


def test_the_digest_is_of_names_and_contents(pico):
    pico.settle()
    expected = f"ok files={len(contents())} digest={digest(contents())} mpy=0"
    assert pico.ask("installed") == expected
    assert len({digest({"a": b"1"}), digest({"a": b"2"}), digest({"b": b"1"})}) == 3


def test_a_changed_file_changes_it(mistaken):
    pico = SimulatedPico(files=mistaken("nimatron/devices/coin.py", "solenoid", "Solenoid"))
    pico.settle()
    assert digest(contents()) not in pico.ask("installed")


def test_data_is_no_part_of_it(pico):
    pico.settle()
    before = pico.ask("installed")
    pico.files.contents["/crashes.json.bad"] = "x"
    assert pico.ask("set think_ms 100").endswith("saved=1")
    assert pico.ask("installed") == before


def test_each_file_is_named_when_asked(pico):
    pico.settle()
    lines = typed(pico, "installed files", 1000)
    *files, answer = [line for line in lines if "state=" not in line]
    assert answer == pico.ask("installed")
    assert sorted(files) == sorted(
        f"event file name={name} sha256={hashlib.sha256(content).hexdigest()}"
        for name, content in contents().items()
    )


def test_visitor_plays_during_the_check(pico):
    pico.start(3, 4, 5)
    pico.send("installed files")
    pico.tap("row2")
    assert pico.rows == (3, 3, 5, 0)


def test_nothing_is_left_out_when_the_flash_fails(pico, monkeypatch):
    pico.settle()

    def fail(name, mode="r"):
        raise OSError(5)

    monkeypatch.setattr(pico.files, "installed", {"main.py": type("", (), {"open": fail})()})
    assert pico.ask("installed").startswith("error reason=failed got=OSError ")
