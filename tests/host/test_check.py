"""The guided bench test, on a simulated cabinet with hands at its buttons."""

import builtins
import itertools
import json
import re
import threading

import pytest

from nimatron.board import BUTTONS
from nimatron.devices import pins
from nimatron_host.device import check
from nimatron_host.device.link import SerialLink
from nimatron_sim.cabinet import Circuit
from nimatron_sim.matrix_voltage import Wires, matrix
from nimatron_sim.ports import Tcp, serve
from nimatron_sim.simulated_pico import SimulatedPico

MINUTE_MS = 60_000


def play(end, ended, pressed, stuck=(), files=None, wires=None, noisy=()):
    """Serve a simulated Pico at this end of a cable until `ended` is set. Hands press these
    buttons when the check reaches them."""
    circuit = Circuit(bounce_ms=5, wires=wires)
    pico = SimulatedPico(circuit, files, record=lambda record: None)
    if wires:
        pico.run(MINUTE_MS)
    send = pico.send_bytes

    def overhear(data):
        send(data)
        if b"test lamp 1 1" in data:
            for button in stuck:
                pico.press(button)
        elif b"buttons on" in data:
            for button, number in itertools.product(noisy, range(60)):
                at = pico.clock.now + number * 40_000
                pico.clock.call_at(at, circuit.set_contact, button, True)
                pico.clock.call_at(at + 10_000, circuit.set_contact, button, False)
            for number, button in enumerate(pressed):
                at = pico.clock.now + 400_000 + number * 120_000
                pico.clock.call_at(at, lambda button=button: pico.press(button))
                pico.clock.call_at(at + 80_000, lambda button=button: pico.release(button))
        elif b"reboot" in data:
            for button in stuck:
                pico.release(button)

    pico.send_bytes = overhear
    serve(pico, [end], ended.is_set)


@pytest.fixture(autouse=True)
def _short_rest(monkeypatch):
    monkeypatch.setattr(check, "_REST_S", 0.3)


@pytest.fixture
def cabinet():
    """Return cabinet(*pressed, …), which returns the port of a Pico with hands at its buttons."""
    ended, threads = threading.Event(), []

    def cabinet(*pressed, **more):
        end = Tcp(0)
        threads.append(threading.Thread(target=play, args=(end, ended, pressed), kwargs=more))
        threads[-1].start()
        return end.name

    yield cabinet
    ended.set()
    for thread in threads:
        thread.join()


def results(out):
    """Return the summary as {part: the rest of its line}."""
    table = out.partition("\npart ")[2].partition("\n")[2]
    rows = [re.split("  +", line, maxsplit=1) for line in table.splitlines() if "  " in line]
    return {part: " ".join(rest.split()) for part, rest in rows}


def mode(port):
    with SerialLink(port) as line:
        return line.hello()["mode"]


def test_a_good_cabinet(nimatron, cabinet):
    port = cabinet(*BUTTONS)
    status, out, error = nimatron("check", port, "--yes")
    assert (status, error) == (0, "")
    assert "all 40 parts are good" in out
    found = results(out)
    assert found["row 4 lamp 7"] == found["legend you-win"] == found["coin"] == "good"
    assert all("good bounces: " in found[f"button {button}"] for button in BUTTONS)
    assert mode(port) == "exhibit"


def test_what_the_pico_has_measured_is_named_with_its_holes(nimatron, cabinet):
    parts, pads = matrix(pins.ROWS, pins.COLUMNS)
    lamp = ("led", f"anodes {pins.COLUMNS[4]}", f"cathodes {pins.ROWS[2]}")
    port = cabinet(*BUTTONS, wires=Wires([part for part in parts if part != lamp], pads))
    status, out, error = nimatron("check", port, "--yes")
    assert status == 1 and "1 of 41 parts failed: wires of lamp 3.5\n" in error
    assert re.search(r"lamp 3.5 is open: look at D\d+ in 3-\w+ and 3-\w+\n", out)
    assert results(out)["wires of lamp 3.5"] == "FAILED open"


def test_noisy_contact_is_named(nimatron, cabinet):
    port = cabinet(*BUTTONS[1:], noisy=["row1"])
    status, out, error = nimatron("check", port, "--yes")
    assert status == 1 and "1 of 40 parts failed: button row1\n" in error
    assert results(out)["button row1"] == "FAILED noisy: closes without a press"


@pytest.mark.long("4 s")
def test_what_is_broken_is_named(nimatron, cabinet, monkeypatch):
    def person(question):
        print(question)
        return "n" if "row 2 lamp 3" in question or "tone" in question else "y"

    monkeypatch.setattr(builtins, "input", person)
    port = cabinet("go", "row1", "row2", "row4", stuck=["row3"])
    status, out, error = nimatron("check", port, "--wait", "0.8", keyboard=True)
    assert status == 1
    assert (
        "5 of 40 parts failed: row 2 lamp 3, sounder, button row3, button go, button new\n"
        in error
    )
    found = results(out)
    assert found["row 2 lamp 3"] == found["sounder"] == "FAILED"
    assert found["button row3"] == "FAILED stuck: closed without a press"
    assert found["button go"] == "FAILED no press came"
    assert "that was GO" in out
    assert "row 2 lamp 3 has failed: wiring/breadboard.md, step 4\n" in out
    assert "button go has failed: wiring/breadboard.md, step 7\n" in out
    assert mode(port) == "exhibit"


@pytest.mark.long("3 s")
@pytest.mark.parametrize(
    ("module", "before", "when", "part", "remark"),
    [
        ("devices/sounder", "def tone(self, hertz):", "hertz", "sounder", "sounder has failed"),
        (
            "devices/lamps/matrix",
            "def show(self, masks):",
            "masks[3] == 64",
            "row 4 lamp 7",
            "the command failed",
        ),
    ],
)
def test_the_list_is_complete_when_a_device_fails(
    nimatron, cabinet, mistaken, module, before, when, part, remark
):
    mistake = f"{before}\n        if {when}:\n            raise OSError(5)"
    port = cabinet(*BUTTONS, files=mistaken(f"nimatron/{module}.py", before, mistake))
    status, out, error = nimatron("check", port, "--yes")
    assert (status, error.count("\n")) == (1, 1)
    assert f"1 of 40 parts failed: {part}\n" in error
    found = results(out)
    assert len(found) == 40
    assert found.pop(part) == f"FAILED {remark}"
    assert all(result.startswith("good") for result in found.values())
    assert mode(port) == "exhibit"


def test_a_program_is_told_each_part(nimatron, cabinet, monkeypatch):
    asked = []
    monkeypatch.setattr(builtins, "input", lambda prompt: asked.append(prompt) or "n")
    port = cabinet()
    status, out, error = nimatron("check", port, "--step", "4", "--json", keyboard=True)
    assert status == 1 and "Is row 2 lamp 1 lit, and no other? [y/n]" in error
    assert set(asked) == {""}
    told = json.loads(out)
    assert [part["part"] for part in told] == [f"row 2 lamp {lamp}" for lamp in range(1, 8)]
    where = "wiring/breadboard.md, step 4"
    assert told[0] == {"part": "row 2 lamp 1", "good": False, "remark": "", "where": where}
    told = json.loads(nimatron("check", port, "--step", "4", "--json", "--yes")[1])
    assert told[6] == {"part": "row 2 lamp 7", "good": True, "remark": ""}


@pytest.mark.parametrize(
    ("display", "why"),
    [
        ("matrix", "breadboard.md has no step 99 with lamps, buttons or the like to test: choose"),
        ("pixels", "wiring/pixels.md has no step 99 with lamps, buttons or the like to test: "),
        ("neon", "has the display neon, for which"),
    ],
)
def test_the_page_is_that_of_the_lamps_that_are_set(peer, nimatron, display, why):
    def answer(line):
        if line == "settings":
            return f"ok display={display}"
        return "ok name=nimatron mode=exhibit" if line == "version" else "error reason=no"

    status, _, error = nimatron("check", peer(answer), "--yes", "--step", "99")
    assert (status, error.count("\n")) == (1, 1) and why in error


@pytest.mark.parametrize(
    ("key", "status", "why"),
    [
        (KeyboardInterrupt, 130, ""),
        (EOFError, 1, "nimatron: ended before every part was tested\n"),
    ],
)
def test_the_exhibit_plays_again_after_ctrl_c_and_ctrl_d(
    nimatron, cabinet, monkeypatch, key, status, why
):
    def person(question):
        raise key

    monkeypatch.setattr(builtins, "input", person)
    port = cabinet()
    got, _, error = nimatron("check", port, keyboard=True)
    assert (got, error) == (status, why)
    assert mode(port) == "exhibit"


def test_enter_alone_passes_nothing(monkeypatch):
    answers = iter(["", "", "maybe", "y", "", "NO"])
    asked = []

    def person(question):
        asked.append(question)
        return next(answers)

    monkeypatch.setattr(builtins, "input", person)
    assert check.ask("Is it lit?")
    assert asked == ["Is it lit? [y/n] "] * 4
    assert not check.ask("Is it lit?")


def test_a_script_must_say_yes_before_anything_is_touched(nimatron, peer):
    heard = []
    port = peer(lambda line: heard.append(line) or "ok name=nimatron mode=exhibit")
    assert nimatron("check", port, stdin="y\n" * 40) == (
        1,
        "",
        "nimatron: check needs a terminal, because it asks you about lamps and tones. "
        "To answer every question with yes: --yes\n",
    )
    assert heard == []
