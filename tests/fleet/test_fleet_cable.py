"""The cable of an exhibit: serial devices, and other devices."""

import asyncio
import os
import pty
import tty

import pytest

from mosquitto import PATIENCE_S
from nimatron import VERSION
from nimatron_host.fleet import exhibit_cable as exhibits
from nimatron_host.fleet.bridge import _cancel as cancel
from nimatron_host.fleet.exhibit_cable import Exhibit
from nimatron_host.fleet.line import Line, open_line
from nimatron_sim.errors import UserError
from served import Emulator


class Outlet:
    """An outlet that notes the reports of an exhibit."""

    def __init__(self):
        self.told = {}
        self.said = []
        self.numbered = []
        self.changed = asyncio.Event()

    def say(self, text):
        self.said.append(text)
        self.changed.set()

    def attach(self, exhibit):
        return True

    def detach(self, exhibit):
        pass

    def latest(self, kind, exhibit, payload):
        self.told[kind] = dict(payload) if isinstance(payload, dict) else payload
        self.changed.set()

    def happened(self, kind, exhibit, body):
        self.numbered.append((kind, body))
        self.changed.set()

    def wants(self, exhibit):
        return {}

    async def until(self, holds):
        async def wait():
            while not holds():
                self.changed.clear()
                await self.changed.wait()

        await asyncio.wait_for(wait(), PATIENCE_S)


@pytest.fixture
def attached(opened):
    """Return attached(port), which returns an exhibit at this port, and its outlet."""

    def attached(port, name="hall-1"):
        outlet = Outlet()
        exhibit = Exhibit(port, name, outlet, outlet.say)
        opened.push_async_callback(cancel, [asyncio.create_task(exhibit.run())])
        return exhibit, outlet

    return attached


async def test_a_serial_device_is_read(attached):
    with Emulator("--sim", "--pty", "--id", "e6614103e72b5f2f") as emulator:
        exhibit, outlet = attached(emulator.port)
        await outlet.until(lambda: "stats" in outlet.told and "state" in outlet.told)
        assert exhibit.id == "e6614103e72b5f2f"
        assert outlet.told["state"]["state"] == "attract"
        exhibit.do("new 3 4 5")
        await outlet.until(lambda: any(kind == "answer" for kind, _ in outlet.numbered))
        await asyncio.to_thread(emulator.kill)
        await outlet.until(lambda: outlet.told["status"] == "offline")
        assert outlet.said[0] == f"{emulator.port} is hall-1: Nimatron {VERSION}"
        gone = f"{emulator.port} is gone. The bridge waits until it is back"
        await outlet.until(lambda: gone in outlet.said)


@pytest.fixture
def device():
    """Return device(answers), which returns the name of a serial device with a peer that gives
    these answers."""
    ends = []

    def device(answers):
        master, slave = pty.openpty()
        tty.setraw(slave)
        ends.extend((master, slave))

        def read():
            for line in os.read(master, 4096).decode().replace("\r", "\n").split("\n"):
                said = answers(line.strip()) if line.strip() else ""
                if said:
                    os.write(master, said.encode() + b"\r\n")

        asyncio.get_running_loop().add_reader(master, read)
        return os.ttyname(slave)

    yield device
    for end in ends:
        os.close(end)


GREETING = "ok name=nimatron nonce={} version=1 mode=exhibit id=ab"


async def test_an_unanswered_command_is_reported(device, attached, monkeypatch):
    monkeypatch.setattr(exhibits, "ANSWER_S", 0.1)

    def answers(line):
        if line.startswith("version "):
            return GREETING.format(line.split()[1])
        return "" if line == "level easy" else "ok level=fair"

    exhibit, outlet = attached(device(answers))
    await outlet.until(lambda: "state" in outlet.told)
    exhibit.do("level easy")
    exhibit.do("level child")
    await outlet.until(lambda: len(outlet.numbered) == 2)
    told = [(body["asked"], body["values"]["reason"]) for _, body in outlet.numbered]
    assert told == [("level easy", "no-answer"), ("level child", "offline")]


async def test_the_lines_of_watch_are_no_events(device, attached):
    def answers(line):
        if line.startswith("version "):
            return GREETING.format(line.split()[1])
        return "event lamps lamps=1,1,1,1\r\nevent over winner=player\r\nok level=fair"

    _, outlet = attached(device(answers))
    await outlet.until(lambda: "state" in outlet.told and outlet.numbered)
    assert {body["what"] for _, body in outlet.numbered} == {"over"}


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("NameError: name 'version' isn't defined", "has MicroPython but no current Nimatron"),
        ("ok name=nimatron version=1 nonce={}", "does not report its ID. Give it a name"),
        ("login:", "Nimatron does not answer there"),
    ],
)
async def test_another_device_is_named(device, attached, monkeypatch, said, why):
    monkeypatch.setattr(exhibits, "_HELLO_S", 0.1)
    monkeypatch.setattr(exhibits, "START_S", 0.5)

    _, outlet = attached(device(lambda line: said.format(line.split()[-1])), "")
    await outlet.until(lambda: outlet.said)
    assert why in outlet.said[0] and "status" not in outlet.told


@pytest.mark.parametrize("port", ["socket://127.0.0.1:1", "/dev/no-such-device", "nonsense://x"])
async def test_a_port_that_cannot_be_opened_has_a_cause(port):
    with pytest.raises(UserError) as why:
        await open_line(port, print, print)
    assert port in str(why.value) and "\n" not in str(why.value)


def test_noise_without_an_end_takes_no_memory():
    heard = []
    line = Line(heard.append, lambda: None)
    for _ in range(100):
        line.receive(b"x" * 4096)
    line.receive(b"\nevent state=attract\r\nevent sta")
    line.receive(b"te=player\n")
    assert heard[-2:] == ["event state=attract", "event state=player"]
    assert sum(map(len, heard)) < 70_000
