"""`--mqtt local`, and Picos that are found by themselves: known by their own number, at whatever
port they are plugged in."""

import subprocess
import sys
from types import SimpleNamespace

import pytest

import needs
from hall import Hall
from mosquitto import bridging, free_port, until
from nimatron_host.device import link
from nimatron_host.fleet import bridge as bridges
from nimatron_host.fleet import broker, topics
from served import Emulator


class Sockets:
    """The USB sockets of a computer: what is plugged in there."""

    def __init__(self):
        self.there = {}  # port: serial number

    def picos(self):
        return [
            SimpleNamespace(device=port, serial_number=number, pid=link.MICROPYTHON)
            for port, number in self.there.items()
        ]


@pytest.fixture
def sockets(monkeypatch):
    found = Sockets()
    monkeypatch.setattr(link, "picos", found.picos)
    monkeypatch.setattr(bridges, "_LOOK_S", 0.05)
    return found


def test_picos_are_found_and_known_by_their_own_number(mosquitto, reader, sockets, tmp_path):
    broker = mosquitto()
    watching = reader(broker.port)
    with Hall(3) as hall:
        one, two, three = hall.ids()
        first, second, third = (stand.port for stand in hall.stands)
        sockets.there = {first: one.upper(), second: two.upper()}
        with bridging(broker.port, tmp_path / "state"):
            until(lambda: watching.of("stats", one) and watching.of("stats", two), "two are there")
            assert watching.of("state", one)["name"] == one
            hall.visit(1)
            until(lambda: watching.of("stats", one)["games"] == 1, "its match is counted")

            sockets.there = {second: two.upper()}
            until(lambda: not watching.online(one), "its cable is out")
            hall.replug(1)
            moved = hall.stands[0].port
            assert moved != first
            sockets.there = {second: two.upper(), moved: one.upper(), third: three.upper()}
            until(lambda: watching.online(one) and watching.online(three), "at another port")
            hall.visit(1)
            until(lambda: watching.of("stats", one)["games"] == 2, "the same exhibit")
            until(lambda: watching.events(one) == hall.said(1), "and its events go on")
            assert [told["seq"] for _, told in watching.numbered(one)] == [
                *range(1, len(hall.said(1)) + 1)
            ]
            figures = watching.of("figures", "the-bridge")
            assert (figures["exhibits"], figures["online"]) == (3, 3)

            hall.pull(2)  # another Pico takes its port, before anybody has looked
            hall.pull(3)
            hall.swap(2, 3)
            sockets.there = {second: three.upper(), moved: one.upper()}
            until(lambda: not watching.online(two) and watching.online(three), "it is another")
            until(lambda: watching.of("figures", "the-bridge")["exhibits"] == 2, "two ports")
            assert watching.of("state", three)["name"] == three
    assert not any(map(watching.online, (one, two, three)))
    topic = topics.topic("state", three)
    assert [text for there, text in watching.heard if there == topic and two in text] == []


def test_local_starts_a_broker_and_bridges_serial_devices(reader, bridge, tmp_path, monkeypatch):
    needs.program("mosquitto")
    port, number = free_port(), "e6614103e72b5f2f"
    with Emulator("--sim", "--pty", "--id", number) as emulator:
        bridging = bridge("--mqtt", f"local:{port}", f"door={emulator.port}")
        until(lambda: "connected" in bridging.said, "it has started a broker, and joined it")
        watching = reader(port)
        until(lambda: watching.of("state", number), "the exhibit is there")
        monkeypatch.setitem(broker.PORTS, "mqtt", free_port())
        looked = broker.running(broker.parse("local"), tmp_path / "state")
        assert looked.port == port, "`status --mqtt local` looks there"
        assert watching.of("state", number)["name"] == "door"
        watching.say("do", number, text="level child")
        until(
            lambda: watching.of("state", number)["settings"]["level"] == "child",
            "it obeys the broker",
        )
        assert bridging.end() == 0
    looked = subprocess.run(
        [sys.executable, "-c", f"import socket; socket.create_connection(('127.0.0.1', {port}))"],
        capture_output=True,
    )
    assert b"refused" in looked.stderr  # the broker has ended with it
