"""Whoever has the broker's password, or another program on the cable, can send anything. Bridge,
table, page and figures survive it, and what they print harms no terminal."""

import asyncio
import contextlib
import io
import itertools
import json
from types import SimpleNamespace

import pytest
from rich.console import Console

import hostile
from hostile import ESCAPES, REVIEWED, VALID, lines, messages
from mosquitto import free_port, until
from nimatron_host.fleet import topics
from nimatron_host.fleet.bridge import Bridge
from nimatron_host.fleet.bridge import _cancel as cancel
from nimatron_host.fleet.broker import Broker
from nimatron_host.fleet.exhibit import Exhibit
from nimatron_host.fleet.line import Line
from nimatron_host.fleet.metrics import Figures
from nimatron_host.fleet.overview import Overview
from nimatron_host.fleet.spool import Spool
from nimatron_host.fleet.status import table
from nimatron_host.kiosk.metrics import written

MESSAGES = 10_000


@pytest.fixture(autouse=True)
def nothing_ignored_before(monkeypatch):
    monkeypatch.setattr(topics, "_ignored", set())


def shown(overview):
    """Everything that people and programs get to see of it."""
    overview.connected = True
    screen = Console(file=io.StringIO(), width=200)
    screen.print(table(overview))
    report = repr(overview.report())  # escapes what json.dumps would
    return screen.file.getvalue() + written(Figures(overview)).decode() + report


def test_hostile_messages_end_no_table_page_or_figures(caplog):
    overview = Overview()
    for topic, text in [*VALID, *REVIEWED]:
        overview.take(topic, text.encode())
        assert "\x1b" not in shown(overview)
    assert overview.report()["exhibits"][0]["name"] == "\\x1b]0;pwned\\x07\\x1b[2J"
    for number, (topic, data) in enumerate(messages(MESSAGES, seed=1)):
        overview.take(topic, data)
        if number % 100 == 0:
            assert not {"\x1b", "\x07", "\0"} & set(shown(overview))
    for topic, text in VALID:
        overview.take(topic, text.encode())
    assert "door" in [row["name"] for row in overview.report()["exhibits"]]
    told = [record.getMessage() for record in caplog.records]
    assert 3 < len(told) <= 100 and not [text for text in told if not text.isprintable()]


def test_what_is_too_large_is_ignored_and_a_key_is_harmless(caplog):
    address = topics.topic("state", "door")
    valid = dict(VALID)[address]
    assert topics.take(address, valid.encode()).payload == json.loads(valid)
    assert topics.take(address, valid.encode() + b" " * topics.LARGEST) is None
    told = json.loads(valid) | {ESCAPES: "x", "settings": {ESCAPES: "x"}}
    payload = topics.take(address, json.dumps(told).encode()).payload
    assert all(key.isprintable() for key in [*payload, *payload["settings"]])
    for number in range(200):
        assert topics.take(topics.topic("state", f"door{number}"), b"{}") is None
    assert len(caplog.records) == 100


class Heard:
    """Stands for the broker's client: `messages` come from a list."""

    def __init__(self, sent):
        self._sent = sent
        self.messages = self._messages()

    async def _messages(self):
        for topic, data, retained in self._sent:
            yield SimpleNamespace(topic=topic, payload=data, retain=retained)

    async def subscribe(self, topic):
        assert topic.isprintable()


def test_hostile_messages_end_no_bridge(tmp_path, caplog):
    ordinary = [(topic, text.encode()) for topic, text in [*VALID, *REVIEWED]]
    fuzzed = list(messages(MESSAGES, seed=2))
    sent = [
        (topic, data, retained)
        for retained in (True, False)
        for topic, data in [*ordinary, *fuzzed[retained::2]]
    ]

    async def run(spool):
        bridge = Bridge("desk", Broker("127.0.0.1", 1), spool, {})
        exhibit = Exhibit("port", "door", bridge, print)
        exhibit.id = "door"
        exhibit.online = True
        bridge.attach(exhibit)
        heard = asyncio.Event()
        heard.set()
        await bridge._listen(Heard(sent), topics.topic("bridge", "desk"), heard)
        assert exhibit._orders[0] == "level easy" and len(exhibit._orders) == 16
        before = len(spool)
        order = (topics.topic("do", "door"), b"maintenance", False)
        await bridge._listen(Heard([order]), "x", heard)
        assert len(spool) == before + 1, "it still answers"

    with contextlib.closing(Spool(tmp_path, 10**6)) as spool:
        asyncio.run(run(spool))
        spool.commit()
        answers = [entry.payload for entry in spool.batch(0, 10**6)]
    assert max(map(len, answers)) < 3000 and "\x1b" not in "".join(answers)
    assert not [r.getMessage() for r in caplog.records if not r.getMessage().isprintable()]


@pytest.fixture(scope="module")
def said():
    return hostile.said_in_a_match()


class Quiet:
    """An outlet that notes what is printed."""

    def __init__(self):
        self.told = []
        self.numbered = 0

    def attach(self, exhibit):
        return True

    def detach(self, exhibit):
        pass

    def latest(self, kind, exhibit, payload):
        pass

    def happened(self, kind, exhibit, body):
        self.numbered += 1

    def wants(self, exhibit):
        return {}


@pytest.mark.parametrize("greets", [True, False])
def test_hostile_lines_end_no_bridge(said, greets):
    """greets: the other end answers each `version` first, as a Nimatron does."""
    outlet = Quiet()
    counts = itertools.cycle(["²", "9" * 5000, "-1", "", '"'])

    async def run():
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

        exhibit = Exhibit("port", "door", outlet, outlet.told.append, opener=open_line)
        task = asyncio.create_task(exhibit.run())
        line = await opened.get()
        for number, data in enumerate(lines(MESSAGES, 3, said)):
            line.receive(data + b"\r\n")
            if number % 20 == 0:
                await asyncio.sleep(0)
            assert not task.done()
        await cancel([task])

    asyncio.run(run())
    assert not [text for text in outlet.told if not text.isprintable()]
    assert outlet.numbered > (100 if greets else -1)


@pytest.mark.parametrize("serves", ["fleet", "kiosk"])
def test_hostile_messages_that_a_broker_keeps_end_neither_bridge_nor_kiosk(
    mosquitto, reader, command, tmp_path, serves
):
    broker = mosquitto()
    watching = reader(broker.port)
    for topic, text in REVIEWED:
        watching.publish(topic, text, retain=True)
    words = ["--mqtt", f"mqtt://127.0.0.1:{broker.port}", "--state", str(tmp_path / "state")]
    words += ["--port", str(free_port())] if serves == "kiosk" else ["--name", "desk"]
    serving = command(serves, *words)
    name = until(lambda: next((name for name in bridges(watching) if name != "x"), ""), "it is up")
    for topic, text in REVIEWED:
        watching.publish(topic, text)
    until(lambda: watching.of("bridge", name) == topics.ONLINE, "it is online")
    assert serving.end() == 0
    until(lambda: watching.of("bridge", name) == topics.OFFLINE, "it says good-bye")


def bridges(watching):
    parsed = [topics.parse(topic) or ("", [""]) for topic in watching.latest]
    return [levels[0] for kind, levels in parsed if kind == "bridge"]
