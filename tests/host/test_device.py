"""Finding a Pico and opening its line. Every complaint is one clear line."""

import json
import os
import socket
import sys
import threading
from types import SimpleNamespace

import pytest
import serial
from serial.urlhandler.protocol_socket import Serial

from nimatron import VERSION
from nimatron_host.device import link
from nimatron_host.device.link import SerialLink

HELLO = "ok name=nimatron version=9.9 mode=exhibit"
PROMPT = "Traceback:\nNameError: name 'version' isn't defined"


def plug(monkeypatch, *ports):
    """Plug in Picos: (device name, USB product, serial number)."""
    found = [
        SimpleNamespace(device=name, vid=0x2E8A, pid=pid, serial_number=number, product="Blinky")
        for name, pid, number in ports
    ]
    found.append(SimpleNamespace(device="/dev/ttyS0", vid=None, pid=None, serial_number=None))
    monkeypatch.setattr(link, "comports", lambda: found)


def test_the_only_pico_needs_no_name(nimatron, monkeypatch, peer):
    plug(monkeypatch, (peer(lambda line: HELLO), 5, "E66"), ("/dev/ttyACM9", 0x000A, "E67"))
    status, _, error = nimatron("logs")
    assert (status, error) == (0, "")


def test_of_several_picos_one_must_be_named(nimatron, monkeypatch):
    plug(monkeypatch, ("/dev/ttyACM0", 5, "E66"), ("/dev/ttyACM1", 5, "E67"))
    _, _, error = nimatron("logs")
    assert "Name one of them: /dev/ttyACM0, /dev/ttyACM1" in error


def test_devices_says_what_is_on_each(nimatron, monkeypatch, peer, pty):
    monkeypatch.setattr("nimatron_host.commands.devices._HELLO_S", 0.2)
    prompt = peer(lambda line: "NameError: name 'version' isn't defined")
    plays = peer(lambda line: HELLO)
    plug(
        monkeypatch, (plays, 5, "E66"), (prompt, 5, "E67"), (pty, 5, "E68"), ("/dev/x", 10, "E69")
    )
    status, out, _ = nimatron("devices")
    found = {line.split()[1]: " ".join(line.split()[2:]) for line in out.splitlines()}
    assert status == 0
    assert found == {
        "E66": "Nimatron 9.9, exhibit mode",
        "E67": "MicroPython, no Nimatron",
        "E68": "no answer",
        "E69": "not MicroPython (Blinky)",
    }


def test_devices_for_a_program(nimatron, monkeypatch, simulated, peer):
    assert nimatron("devices", simulated)[0] == 0
    named = "devices", simulated, "/dev/no-such-port"
    status, out, error = nimatron(*named)
    assert (status, error) == (1, "nimatron: 1 of 2 ports cannot be used: /dev/no-such-port\n")
    assert f"{simulated}  -  Nimatron {VERSION}, exhibit mode" in out
    status, out, _ = nimatron(*named, "--json")
    plays, missing = json.loads(out)
    assert status == 1
    assert (plays["port"], plays["state"], plays["version"], plays["mode"]) == (
        simulated,
        "nimatron",
        VERSION,
        "exhibit",
    )
    assert missing["state"] == "unavailable" and "the port /dev" in missing["text"]
    plug(monkeypatch, (peer(lambda line: PROMPT), 5, "E67"), ("/dev/x", 10, "E69"))
    found = json.loads(nimatron("devices", "--json")[1])
    found = {one["serial_number"]: one["state"] for one in found}
    assert found == {"E67": "micropython", "E69": "other"}
    plug(monkeypatch)
    assert nimatron("devices", "--json") == (0, "[]\n", "")


@pytest.mark.parametrize(
    ("port", "why"),
    [
        (
            "/dev/no-such-port",
            "the port /dev/no-such-port does not exist. To list the devices: nimatron devices",
        ),
        ("socket://127.0.0.1:1", "no program serves socket://127.0.0.1:1"),
        ("socket://127.0.0.1", "cannot open socket://127.0.0.1"),
        ("teletype://x", "cannot open teletype://x: invalid URL"),
        ("/dev/null", "cannot open /dev/null: it is not a serial port"),
    ],
)
def test_a_port_that_cannot_be(nimatron, port, why):
    for command in ("stats", "deploy", "console", "logs"):
        status, out, error = nimatron(command, port)
        assert (status, out, error.count("\n")) == (1, "", 1)
        assert error.startswith(f"nimatron: {why}")


def test_no_permission(nimatron, monkeypatch):
    def refuse(path, *_):
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(os, "open", refuse)
    _, _, error = nimatron("stats", "/dev/ttyACM0")
    assert "no permission to use /dev/ttyACM0" in error and "-aG dialout" in error
    monkeypatch.setattr(link.Path, "group", lambda path: "uucp")  # as on Arch
    assert "-aG uucp" in nimatron("stats", "/dev/ttyACM0")[2]
    monkeypatch.setattr(sys, "platform", "darwin")
    assert "usermod" not in nimatron("stats", "/dev/ttyACM0")[2]


def test_micropython_without_nimatron(nimatron, peer):
    port = peer(lambda line: "Traceback:\nNameError: name 'version' isn't defined")
    for command in ("stats", "settings", "logs", "check", "console"):
        _, _, error = nimatron(command, port, keyboard=True)
        assert f"MicroPython but not Nimatron. To install it: nimatron deploy {port}" in error


def test_unplugged_in_the_middle(nimatron, peer):
    port = peer(lambda line: HELLO if line == "version" else None)
    assert f"{port} is gone. Plug the Pico in and try again" in nimatron("stats", port)[2]


def meanwhile(monkeypatch, method, other):
    """Run other() once in the middle of this serial method. If it returns True, the port fails."""
    usual = getattr(Serial, method)

    def interrupted(self, *args):
        monkeypatch.setattr(Serial, method, usual)
        if other():
            raise serial.SerialException("gone")
        return usual(self, *args)

    monkeypatch.setattr(Serial, method, interrupted)


def test_a_thread_that_notices_late_leaves_the_new_line_open(peer, monkeypatch):
    with SerialLink(peer(lambda line: "ok n=1")) as line:
        meanwhile(monkeypatch, "write", lambda: not line.open())
        with pytest.raises(link.Gone):
            line.send("status")
        assert line.query("status") == {"n": "1"}


def test_a_line_that_is_being_opened_is_not_used_yet(peer, monkeypatch):
    def send():
        with pytest.raises(link.Gone):
            line.send("status")

    with SerialLink(peer(lambda line: "ok n=1")) as line:
        meanwhile(monkeypatch, "open", send)
        line.open()
        assert line.query("status") == {"n": "1"}


def test_an_answer_is_told_from_what_nobody_asked_for(peer):
    told = []
    said = "event state=attract\n>>> \nok a=1 b=x=y"
    with SerialLink(peer(lambda line: said), told.append) as line:
        assert line.query("anything") == {"a": "1", "b": "x=y"}
    assert told == ["event state=attract", ">>> "]


def test_a_restart_is_over_when_the_boot_line_comes(simulated):
    with SerialLink(simulated) as line:
        boot = line.restart("maintenance", "maintenance")
        assert boot == f"event boot version={VERSION} mode=maintenance why=maintenance"
        assert line.hello()["mode"] == "maintenance"
        assert "mode=exhibit" in line.restart("reboot", "exhibit")


def test_a_restart_that_pulls_the_port_away(peer, monkeypatch):
    monkeypatch.setattr(link, "_SILENCE_S", 0.2)
    lives = iter(["ok restarting=reboot", None, HELLO])
    with SerialLink(peer(lambda line: next(lives)), away=True) as line:
        line.open()
        assert line.restart("reboot", "exhibit") == HELLO


def test_a_restart_waits_for_a_port_that_is_away(monkeypatch):
    monkeypatch.setattr(link, "_AGAIN_S", 0.1)
    door = socket.socket()
    door.bind(("127.0.0.1", 0))  # this port is reserved, and does not answer yet
    doors = [door]

    heard = threading.Event()

    def back():
        door.listen()
        line = door.accept()[0]
        doors.append(line)
        while not heard.wait(0.05):  # bytes that arrive during the opening are dropped
            line.sendall(b"event boot version=9.9 mode=exhibit\r\n")

    timer = threading.Timer(0.5, back)
    timer.start()
    with SerialLink(f"socket://127.0.0.1:{door.getsockname()[1]}", away=True) as line:
        assert line.booted() == "event boot version=9.9 mode=exhibit"
        heard.set()
        timer.join()
    for one in doors:
        one.close()
