"""The cable of an exhibit: serial devices, firmware that is old, and what is no Nimatron."""

import asyncio
import os
import pty
import tty

import pytest

from mosquitto import PATIENCE_S
from nimatron import VERSION
from nimatron_host.fleet import exhibit as exhibits
from nimatron_host.fleet.exhibit import Exhibit
from nimatron_host.fleet.line import open_line
from nimatron_sim.errors import UserError
from served import Emulator


class Outlet:
    """Notes what an exhibit reports."""

    def __init__(self):
        self.told = {}
        self.numbered = []
        self.changed = asyncio.Event()

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


def visited(port, visit, name="hall-1"):
    """Run visit(exhibit, outlet) with an exhibit at this port; returns what the operator saw."""
    said = []

    async def run():
        outlet = Outlet()

        def say(text):
            said.append(text)
            outlet.changed.set()

        exhibit = Exhibit(port, name, outlet, say)
        outlet.said = said
        task = asyncio.create_task(exhibit.run())
        try:
            await visit(exhibit, outlet)
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    asyncio.run(run())
    return said


def test_a_serial_device_is_watched_by_the_loop():
    with Emulator("--sim", "--pty", "--id", "e6614103e72b5f2f") as emulator:

        async def visit(exhibit, outlet):
            await outlet.until(lambda: "stats" in outlet.told and "state" in outlet.told)
            assert exhibit.id == "e6614103e72b5f2f"
            assert outlet.told["state"]["state"] == "attract"
            exhibit.do("new 3 4 5")
            await outlet.until(lambda: any(kind == "answer" for kind, _ in outlet.numbered))
            await asyncio.to_thread(emulator.kill)
            await outlet.until(lambda: outlet.told["status"] == "offline")

        said = visited(emulator.port, visit)
    assert said[0] == f"{emulator.port} is hall-1: Nimatron {VERSION}"
    assert f"{emulator.port} is gone; the bridge waits until it is back" in said


@pytest.fixture
def device():
    """device(answers): the name of a serial device where somebody answers like this."""
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


def test_older_firmware_has_the_name_that_it_was_given(device):
    def answers(line):
        if line.startswith("version "):
            return "error reason=usage expected=version"
        return {"version": "ok name=nimatron version=0.1.0", "settings": "ok level=easy"}.get(
            line, "error reason=unknown-command"
        )

    async def run():
        outlet = Outlet()
        exhibit = Exhibit(device(answers), "door", outlet, lambda text: None)
        task = asyncio.create_task(exhibit.run())
        await outlet.until(lambda: "state" in outlet.told)
        assert exhibit.id == "door" and outlet.told["state"]["settings"] == {"level": "easy"}
        task.cancel()

    asyncio.run(run())


def test_a_command_that_the_exhibit_takes_along_is_answered(device, monkeypatch):
    monkeypatch.setattr(exhibits, "ANSWER_S", 0.1)

    def answers(line):
        if line.startswith("version "):
            return f"ok name=nimatron nonce={line.split()[1]} version=1 mode=exhibit id=ab"
        return "" if line == "level easy" else "ok level=fair"

    async def run():
        outlet = Outlet()
        exhibit = Exhibit(device(answers), "door", outlet, lambda text: None)
        task = asyncio.create_task(exhibit.run())
        await outlet.until(lambda: "state" in outlet.told)
        exhibit.do("level easy")
        exhibit.do("level child")
        await outlet.until(lambda: len(outlet.numbered) == 2)
        told = [(body["asked"], body["values"]["reason"]) for _, body in outlet.numbered]
        assert told == [("level easy", "no-answer"), ("level child", "offline")]
        task.cancel()

    asyncio.run(run())


def test_the_panel_is_told_only_while_somebody_looks(device, monkeypatch):
    asked = []

    def answers(line):
        asked.append(line)
        if line.startswith("version "):
            nonce = line.split()[1]
            return f"ok name=nimatron nonce={nonce} version=1 mode=exhibit id=ab"
        if line == "watch on":
            seen = "lamps=7,15,31,0", "legends=your-move", "sound=440", "coin=0"
            return "\r\n".join(["ok watch=on", *(f"event {s.split('=')[0]} {s}" for s in seen)])
        return f"ok watch=off level=easy state=attract asked={len(asked)}"

    async def run():
        outlet = Outlet()
        exhibit = Exhibit(device(answers), "door", outlet, lambda text: None)
        task = asyncio.create_task(exhibit.run())
        await outlet.until(lambda: "state" in outlet.told)
        assert "panel" not in outlet.told
        exhibit.look()
        exhibit.look()
        await outlet.until(lambda: outlet.told.get("panel", {}).get("legends"))
        assert outlet.told["panel"] == {"lamps": [7, 15, 31, 0], "legends": ["your-move"]}
        before = asked.count("settings")
        exhibit.look()
        exhibit.reconcile()
        await outlet.until(lambda: not exhibit._due and asked.count("settings") > before)
        assert asked.count("watch on") == 1 and "watch off" not in asked
        monkeypatch.setattr(exhibits, "_LOOK_S", -1)
        exhibit.look()  # it was long ago
        exhibit._hear("event lamps lamps=1,1,1,1")
        exhibit._hear("event lamps lamps=2,2,2,2")
        exhibit.reconcile()
        await outlet.until(lambda: "watch off" in asked)
        assert outlet.told["panel"]["lamps"] == [7, 15, 31, 0]
        assert not [body for kind, body in outlet.numbered if kind == "event"]
        task.cancel()

    asyncio.run(run())


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("NameError: name 'version' isn't defined", "has MicroPython but not Nimatron"),
        ("ok name=nimatron version=0.1.0", "does not tell its number; give it a name"),
        ("login:", "Nimatron does not answer there"),
    ],
)
def test_what_cannot_be_an_exhibit_is_said(device, monkeypatch, said, why):
    monkeypatch.setattr(exhibits, "_HELLO_S", 0.1)
    monkeypatch.setattr(exhibits, "START_S", 0.5)

    def answers(line):
        if line.startswith("version ") and said.startswith("ok"):
            return f"error reason=usage got={line} expected=version"
        return said

    async def run():
        outlet, heard = Outlet(), asyncio.get_running_loop().create_future()
        exhibit = Exhibit(device(answers), "", outlet, heard.set_result)
        task = asyncio.create_task(exhibit.run())
        assert why in await asyncio.wait_for(heard, PATIENCE_S)
        assert "status" not in outlet.told
        task.cancel()

    asyncio.run(run())


@pytest.mark.parametrize("port", ["socket://127.0.0.1:1", "/dev/no-such-device", "nonsense://x"])
def test_a_port_that_cannot_be_opened_has_a_cause(port):
    with pytest.raises(UserError) as why:
        asyncio.run(open_line(port, print, print))
    assert port in str(why.value) and "\n" not in str(why.value)


def test_noise_without_an_end_takes_no_memory(device):
    from nimatron_host.fleet.line import Line

    heard = []
    line = Line(heard.append, lambda: None)
    for _ in range(100):
        line.receive(b"x" * 4096)
    line.receive(b"\nevent state=attract\r\nevent sta")
    line.receive(b"te=player\n")
    assert heard[-2:] == ["event state=attract", "event state=player"]
    assert sum(map(len, heard)) < 70_000
