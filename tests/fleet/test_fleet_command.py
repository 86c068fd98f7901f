"""`nimatron fleet` on the command line: what it refuses, in one line."""

import socket

import pytest

from nimatron_host.fleet import broker
from nimatron_sim.errors import UserError

URL = "mqtts://desk@broker.example.org"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ([], "the following arguments are required: --mqtt"),
        (["--mqtt", "mqtts://desk:secret@example.org"], "a password on the command line"),
        (["--mqtt", "https://example.org"], "is not the URL of a broker"),
        (["--mqtt", "mqtts://"], "is not the URL of a broker"),
        (["--mqtt", "mqtt://example.org:99999"], "is not the URL of a broker"),
        (["--mqtt", "mqtt://example.org/topic"], "is not the URL of a broker"),
        (["--mqtt", "mqtt://example.org", "--ca", "ca.pem"], "are for TLS"),
        (["--mqtt", "local", "--ca", "ca.pem"], "needs no password and no certificate"),
        (["--mqtt", URL, "--key", "key.pem"], "name that with --cert"),
        (["--mqtt", "local:0"], "is not the URL of a broker"),
        (["--mqtt", "locally"], "is not the URL of a broker"),
        (["--mqtt", "local", "hall-1"], "hall-1 is not NAME=PORT"),
        (["--mqtt", "local", "a/b=/dev/x"], "a/b=/dev/x is not NAME=PORT"),
        (["--mqtt", "local", "+=/dev/x"], "is not NAME=PORT"),
        (["--mqtt", "local", "a=/dev/x", "b=/dev/x"], "stand for one exhibit"),
        (["--mqtt", "local", "a=/dev/x", "a=/dev/y"], "stand for one exhibit"),
        (["--mqtt", "local", "--allow", "deploy"], "no such command"),
        (["--mqtt", "local", "--keep", "0"], "whole number of 1 or more"),
        (["--mqtt", "local", "--name", "a b"], "cannot be a level"),
    ],
)
def test_wrong_usage_takes_one_line(nimatron, words, why):
    status, said, complaint = nimatron("fleet", *words)
    assert (status, said) == (2, "")
    assert why in complaint and complaint.count("\n") == 1
    assert "secret" not in complaint


@pytest.mark.parametrize(
    ("option", "why"),
    [
        ("--ca", "cannot use the CA certificate"),
        ("--cert", "cannot use the certificate"),
        ("--password-file", "cannot read the password from"),
    ],
)
@pytest.mark.parametrize("content", [None, b"\xff nonsense"])
def test_files_that_cannot_be_used_take_one_line(nimatron, tmp_path, option, why, content):
    file = tmp_path / "file"
    if content:
        file.write_bytes(content)
    status, _, complaint = nimatron("fleet", "--mqtt", URL, option, str(file))
    assert status == 1 and why in complaint and complaint.count("\n") == 1


def test_the_password_comes_from_a_file_or_the_environment(tmp_path, monkeypatch):
    (tmp_path / "password").write_text("one two\n")
    assert broker.parse(URL, tmp_path / "password").password == "one two"
    assert broker.parse(URL).password is None
    monkeypatch.setenv("NIMATRON_MQTT_PASSWORD", "three")
    found = broker.parse(URL)
    assert (found.host, found.port, found.user, found.password) == (
        "broker.example.org",
        8883,
        "desk",
        "three",
    )
    assert "three" not in repr(found) and not found.shouts
    assert broker.parse("mqtt://desk@example.org").shouts
    assert not broker.parse("mqtt://desk@127.0.0.1").shouts


def test_local_says_how_to_install_a_broker(tmp_path, monkeypatch):
    monkeypatch.setattr(broker.shutil, "which", lambda name, path=None: None)
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = door.getsockname()[1]
    with pytest.raises(UserError, match="apt install mosquitto"):
        broker.Local(tmp_path, port)


def test_local_uses_the_broker_that_is_there(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as door:
        broker.Local(tmp_path, door.getsockname()[1]).close()
    assert not list(tmp_path.iterdir())


def test_whoever_looks_finds_the_broker_that_a_bridge_has_started(tmp_path, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as door, socket.create_server(("", 0)) as usual:
        port, free = door.getsockname()[1], usual.getsockname()[1]
        usual.close()
        monkeypatch.setitem(broker.PORTS, "mqtt", free)
        with pytest.raises(UserError, match=r"start one with .* or name another port: local:PORT"):
            broker.running(broker.parse("local"), tmp_path)
        (tmp_path / "mosquitto").mkdir()
        (tmp_path / "mosquitto" / "mosquitto.conf").write_text(f"listener {port} 127.0.0.1\n")
        assert broker.running(broker.parse("local"), tmp_path).port == port
        assert broker.running(broker.parse(f"local:{port}"), tmp_path).port == port
        with pytest.raises(UserError, match=f"no broker serves port {free}"):
            broker.running(broker.parse(f"local:{free}"), tmp_path / "elsewhere")
        elsewhere = broker.parse("mqtt://broker.example.org")
        assert broker.running(elsewhere, tmp_path) is elsewhere


def test_a_broken_mosquitto_is_said(tmp_path, monkeypatch):
    program = tmp_path / "mosquitto-program"
    program.write_text("#!/bin/sh\necho it is broken >&2\nexit 3\n")
    program.chmod(0o755)
    monkeypatch.setattr(broker.shutil, "which", lambda name, path=None: str(program))
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = door.getsockname()[1]
    with pytest.raises(UserError, match="Mosquitto does not start") as why:
        broker.Local(tmp_path, port)
    assert "it is broken" in (tmp_path / "mosquitto" / "mosquitto.log").read_text()
    assert str(tmp_path) in str(why.value)


def test_without_the_extra_it_says_what_to_install(nimatron, monkeypatch, tmp_path):
    monkeypatch.setitem(__import__("sys").modules, "aiomqtt", None)
    monkeypatch.delitem(__import__("sys").modules, "nimatron_host.fleet.bridge", raising=False)
    status, _, complaint = nimatron("fleet", "--mqtt", "mqtt://h", "--state", str(tmp_path))
    assert status == 1 and "needs aiomqtt" in complaint and "[fleet]" in complaint
