"""A bridge brings an exhibit from an older package to its own at closing time: the real deploy, to
the real MicroPython, on an emulated Pico."""

import asyncio
import contextlib
import re
from datetime import time

import pytest

from mosquitto import bridging, free_port, until
from nimatron import VERSION
from nimatron_host.deploy.deploy import deploy
from nimatron_host.fleet import bridge as bridges
from nimatron_host.fleet import topics
from nimatron_host.fleet.updates import Updates
from nimatron_sim import firmware
from served import Emulator

OLD = "0.1.9"
CHANGED = ("nimatron/__init__.py", "nimatron/dice.py", "nimatron/states.py")
PATIENCE_S = 600  # an emulated Pico takes longer than a real one
BEGIN = Updates.__init__


class Exhibit:
    """An emulated Pico with the firmware of an older package."""

    def __init__(self, flash, folder):
        files = dict(firmware.files())
        for name in CHANGED:
            text = files[name].read_text().replace(f'"{VERSION}"', f'"{OLD}"')
            files[name] = folder / name.replace("/", "-")
            files[name].write_text(text + "\nOLDER = True\n")
        self._flash = folder / "flash.img"
        self._flash.write_bytes(flash.build(files))
        self._number = free_port()
        self.port = f"socket://127.0.0.1:{self._number}"
        self.plug()

    def plug(self):
        self._emulator = Emulator("--tcp", str(self._number), "--flash", str(self._flash))

    def pull(self):
        """Pull the cable, through which its power comes."""
        self._emulator.kill()


@pytest.fixture
def exhibit(emulated, tmp_path):
    from nimatron_sim.emulated import flash

    exhibit = Exhibit(flash, tmp_path)
    yield exhibit
    exhibit.pull()


@pytest.fixture
def evening(exhibit, tmp_path, monkeypatch):
    """evening(broker): a bridge has the exhibit on its cable; gives what makes it closing time."""

    @contextlib.contextmanager
    def evening(broker):
        closing, slept = asyncio.Event(), []

        async def sleep(seconds):
            slept.append(seconds)
            await (closing if len(slept) == 1 else asyncio.Event()).wait()

        monkeypatch.setattr(
            Updates, "__init__", lambda self, *given: BEGIN(self, *given, sleep=sleep)
        )
        words = [f"door={exhibit.port}"]
        with bridging(broker.port, tmp_path / "state", words, closing=time(18, 30)) as loop:
            yield lambda: loop.call_soon_threadsafe(closing.set)

    return evening


@pytest.mark.long("minutes: two deploys to an emulated Pico")
def test_an_update_and_one_whose_cable_is_pulled_half_way(
    exhibit, evening, mosquitto, reader, monkeypatch
):
    broker = mosquitto()
    watching = reader(broker.port)
    watching.say("release", "the-bridge", text=VERSION, retain=True)
    said, pulls = [], [exhibit.pull]

    def watched(port, say):
        def heard(line):
            said.append(line)
            say(line)
            if "[2/4]" in line and pulls:
                pulls.pop()()

        return deploy(port, say=heard)

    monkeypatch.setattr(bridges, "deploy", watched)

    def states():
        """{id: state} of those that are online."""
        parsed = [topics.parse(topic) or ("", [""]) for topic in watching.latest]
        there = [levels[0] for kind, levels in parsed if kind == "state"]
        return {one: watching.of("state", one) for one in there if watching.online(one)}

    def shows(version):
        def shown():
            found = [(state["version"], state["state"]) for state in states().values()]
            return found == [(version, "attract")]

        until(shown, f"it shows, with version {version}", PATIENCE_S)
        return next(iter(states()))

    with evening(broker) as close:
        number = shows(OLD)
        close()
        (answer,) = until(lambda: watching.answers(number), "it fails", PATIENCE_S)
        assert not pulls and not watching.online(number)
        exhibit.plug()
        shows(OLD)
    assert (answer["asked"], answer["ok"]) == (f"update {VERSION}", False)
    assert "has gone in the middle" in answer["values"]["text"]

    said.clear()
    with evening(broker) as close:  # the bridge starts again, and may try again
        shows(OLD)
        close()
        until(lambda: len(watching.answers(number)) == 2, "it is done", PATIENCE_S)
        shows(VERSION)
    done = watching.answers(number)[1]
    assert (done["asked"], done["ok"]) == (f"update {VERSION}", True)
    assert f"done: Nimatron {VERSION} is playing at {exhibit.port}" in said
    assert re.search(r"\[1/[12]\] ", " ".join(said)), "what had arrived before is used"
