"""A client with the broker's password, or another program on the cable, can send anything. A
bridge survives it, and its log harms no terminal."""

import asyncio
import contextlib
import functools
import gc
import itertools
from types import SimpleNamespace

import aiomqtt
import pytest
from test_fleet_cable import Outlet

import hostile
from hostile import ESCAPES, REVIEWED, VALID, lines, messages
from nimatron_host.fleet import topics
from nimatron_host.fleet.bridge import Bridge
from nimatron_host.fleet.bridge import _cancel as cancel
from nimatron_host.fleet.broker import Broker
from nimatron_host.fleet.broker_connection import Connection
from nimatron_host.fleet.exhibit_cable import Exhibit
from nimatron_host.fleet.line import Line
from nimatron_host.fleet.spool import Spool

MESSAGES = 10_000


def test_a_payload_that_is_too_large_is_ignored():
    address, data = topics.topic("state", "door"), b" " * topics.LARGEST
    assert topics.take(address, data) and not topics.take(address, data + b" ")


class Heard:
    """A fake of the broker's client: `messages` come from a list."""

    def __init__(self, sent):
        self._sent = sent
        self.messages = self._messages()

    async def _messages(self):
        for topic, data, retained in self._sent:
            yield SimpleNamespace(topic=topic, payload=data, retain=retained)


async def test_hostile_messages_end_no_bridge(tmp_path, caplog):
    ordinary = [(topic, text.encode()) for topic, text in [*VALID, *REVIEWED]]
    fuzzed = list(messages(MESSAGES, seed=2))
    sent = [
        (topic, data, retained)
        for retained in (True, False)
        for topic, data in [*ordinary, *fuzzed[retained::2]]
    ]

    with contextlib.closing(Spool(tmp_path, 10**6)) as spool:
        bridge = Bridge("desk", Broker("127.0.0.1", 1), spool, {})
        exhibit = Exhibit("port", "door", bridge, print)
        exhibit.id = "door"
        exhibit.online = True
        bridge.attach(exhibit)
        heard = asyncio.Event()
        await bridge._listen(Heard(sent), heard)
        assert heard.is_set()
        assert exhibit._orders[0] == "level easy" and len(exhibit._orders) == 16
        before = len(spool)
        order = (topics.topic("do", "door"), b"maintenance", False)
        await bridge._listen(Heard([order]), heard)
        assert len(spool) == before + 1, "it still answers"
        spool.commit()
        answers = [entry.payload for entry in spool.batch(0, 10**6)]
    assert max(map(len, answers)) < 3000 and "\x1b" not in "".join(answers)
    assert not [r.getMessage() for r in caplog.records if not r.getMessage().isprintable()]


@pytest.fixture(scope="module")
def said():
    return hostile.said_in_a_match()


@pytest.mark.parametrize("greets", [True, False])
async def test_hostile_lines_end_no_bridge(said, greets):
    """If `greets` is true, the other end first answers each `version`, as a Nimatron does."""
    outlet, told = Outlet(), []
    counts = itertools.cycle(["²", "9" * 5000, "-1", "", '"'])

    opened = asyncio.Queue()
    loop = asyncio.get_running_loop()

    async def open_line(port, hear, gone):
        line = Line(hear, gone)

        def write(data):
            nonce = data.decode().split()[-1]
            if greets:
                answer = f"ok games={next(counts)} settings=a"
                if b"version" in data:
                    answer = f"ok name=nimatron version={ESCAPES} mode=exhibit nonce={nonce}"
                loop.call_soon(line.receive, answer.encode() + b"\n")

        opened.put_nowait(line.attach(write, lambda: None))
        return line

    exhibit = Exhibit("port", "door", outlet, told.append, opener=open_line)
    task = asyncio.create_task(exhibit.run())
    line = await opened.get()
    for number, data in enumerate(lines(MESSAGES, 3, said)):
        line.receive(data + b"\r\n")
        if number % 20 == 0:
            await asyncio.sleep(0)
        assert not task.done()
    await cancel([task])
    assert not [text for text in told if not text.isprintable()]
    assert len(outlet.numbered) > (100 if greets else -1)


async def test_a_broker_that_answers_too_late_takes_one_line(monkeypatch, caplog):
    monkeypatch.setattr(aiomqtt, "Client", functools.partial(aiomqtt.Client, timeout=0.1))

    async def late(reader, writer):
        await reader.read(1)
        await asyncio.sleep(0.2)
        writer.write(b"\x20\x02\x00\x00")  # CONNACK
        await asyncio.sleep(0.2)
        writer.close()

    server = await asyncio.start_server(late, "127.0.0.1", 0)
    there = Broker(*server.sockets[0].getsockname())
    connection = Connection(there, "desk", aiomqtt.Will("x"))
    keeping = asyncio.create_task(connection.keep(lambda client: None))
    await asyncio.sleep(1.5)
    await cancel([keeping])
    server.close()
    gc.collect()
    (line,) = caplog.messages
    assert "Events are kept until it is back" in line
