"""A real Mosquitto, a reader of everything, and bridges in their own processes."""

import asyncio
import contextlib
import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor

import needs
from nimatron_host.fleet import topics
from nimatron_host.fleet.broker import Broker
from nimatron_host.fleet.spool import Spool

PATIENCE_S = 60


def until(holds, what="", patience=PATIENCE_S):
    """Wait until holds() is true, and return its value."""
    end = time.monotonic() + patience
    while not (found := holds()):
        assert time.monotonic() < end, f"not in {patience} s: {what}"
        time.sleep(0.02)
    return found


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as door:
        return door.getsockname()[1]


class Mosquitto:
    """A broker in a folder. `lines` are added to the usual configuration."""

    def __init__(self, folder, lines=("allow_anonymous true",)):
        self.port = free_port()
        self._folder = folder
        folder.mkdir()
        self._config = folder / "mosquitto.conf"
        usual = [
            f"listener {self.port} 127.0.0.1",
            "persistence true",
            "max_queued_messages 100000",
            f"persistence_location {folder}/",
            f"log_dest file {folder}/log",
            "user root" if os.getuid() == 0 else "",
        ]
        self._config.write_text("\n".join([*usual, *lines, ""]))
        self._process = None

    def start(self):
        self._process = subprocess.Popen([needs.program("mosquitto"), "-c", self._config])
        until(self._serves, "Mosquitto serves")

    def _serves(self):
        assert self._process.poll() is None, (self._folder / "log").read_text()
        with contextlib.suppress(OSError):
            socket.create_connection(("127.0.0.1", self.port), 1).close()
            return True

    def remember(self, text):
        """Write its state to its disk, as Mosquitto does from time to time. Return when the file
        has this text: the name of a client that has subscribed, or a retained message."""
        file = self._folder / "mosquitto.db"
        self._process.send_signal(signal.SIGUSR1)
        until(lambda: file.exists() and text.encode() in file.read_bytes(), "it is written")

    def kill(self):
        if self._process:
            self._process.kill()
            self._process.wait()
            self._process = None


class Reader:
    """A client that receives everything, with a session that outlives a broker's restart."""

    CLIENT = "the-reader"

    def __init__(self, port, client=CLIENT, user=None, password=None, ca=None):
        import paho.mqtt.client as mqtt

        self.heard = []  # (topic, text)
        self.latest = {}  # topic: text
        self._found = {}
        self._read = 0
        self._subscribed = threading.Event()
        self._client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, client, clean_session=False)
        if user:
            self._client.username_pw_set(user, password)
        if ca:
            self._client.tls_set(ca)
        self._client.on_connect = lambda client, *_: client.subscribe("#", 1)
        self._client.on_subscribe = lambda *_: self._subscribed.set()
        self._client.on_message = self._hear
        self._client.reconnect_delay_set(0.1, 0.1)
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()
        assert self._subscribed.wait(PATIENCE_S)

    def _hear(self, client, _, message):
        text = message.payload.decode()
        self.heard.append((message.topic, text))
        self.latest[message.topic] = text

    def say(self, kind, *levels, text, retain=False):
        self.publish(topics.topic(kind, *levels), text, retain)

    def publish(self, topic, text, retain=False):
        until(self._client.is_connected, "it has reached the broker again")
        self._client.publish(topic, text, 1, retain).wait_for_publish(PATIENCE_S)

    def of(self, kind, *levels):
        """Return the latest payload of a topic, or None."""
        text = self.latest.get(topics.topic(kind, *levels))
        return json.loads(text) if text and text[0] == "{" else text

    def numbered(self, exhibit):
        """Return the events and answers of an exhibit, each once, in order: [(kind, payload), …].
        A message that comes twice must be the same."""
        while self._read < len(self.heard):
            topic, text = self.heard[self._read]
            kind, levels = topics.parse(topic) or ("", [])
            if kind in ("event", "answer"):
                told = json.loads(text)
                found = self._found.setdefault(levels[0], {})
                before = found.setdefault((told["spool"], told["seq"]), (kind, told))
                assert before == (kind, told)
            self._read += 1
        return list(self._found.get(exhibit, {}).values())

    def numbers(self):
        """Return {(exhibit, spool, seq), …} for all events and answers."""
        self.numbered("")
        return {(exhibit, *number) for exhibit, all_ in self._found.items() for number in all_}

    def events(self, exhibit):
        """Return [(what, values), …]."""
        return [
            (told["what"], told["values"])
            for kind, told in self.numbered(exhibit)
            if kind == "event"
        ]

    def answers(self, exhibit):
        return [told for kind, told in self.numbered(exhibit) if kind == "answer"]

    def seqs(self, exhibit):
        return [told["seq"] for _, told in self.numbered(exhibit)]

    def without_gaps(self, exhibit):
        """Return True if its numbers begin with 1, without gaps, in each spool."""
        spools = {}
        for _, told in self.numbered(exhibit):
            spools.setdefault(told["spool"], []).append(told["seq"])
        return all(seqs == [*range(1, len(seqs) + 1)] for seqs in spools.values())

    def online(self, exhibit):
        return self.of("status", exhibit) == topics.ONLINE

    def level(self, exhibit):
        """Return its level in its last state."""
        state = self.of("state", exhibit)
        return state and state["settings"]["level"]

    def close(self):
        self._client.disconnect()
        self._client.loop_stop()


@contextlib.contextmanager
def bridging(port, folder):
    """Run a bridge that looks for Picos, in a thread of this process."""
    from nimatron_host.fleet import bridge as bridges

    begun: Future = Future()

    async def run():
        stopped = asyncio.Event()
        with contextlib.closing(Spool(folder, 1000)) as spool:
            there = Broker("127.0.0.1", port)
            bridge = bridges.Bridge(Bridge.NAME, there, spool, {})
            begun.set_result((asyncio.get_running_loop(), stopped))
            await bridge.run(stopped)

    with ThreadPoolExecutor(1) as pool:
        ended = pool.submit(lambda: asyncio.run(run()))
        loop, stopped = begun.result(PATIENCE_S)
        try:
            yield
        finally:
            loop.call_soon_threadsafe(stopped.set)
            ended.result(PATIENCE_S)


class Command:
    """A command in its own process. said() returns its output."""

    def __init__(self, log, *words, stderr=None):
        self._log = log
        with log.open("wb") as said:
            words = [sys.executable, "-m", "nimatron_host", *words]
            self.process = subprocess.Popen(words, stdout=said, stderr=stderr)

    def said(self):
        return self._log.read_text(encoding="utf-8")

    def end(self):
        self.process.terminate()
        return self.process.wait(PATIENCE_S)

    def kill(self):
        self.process.kill()
        self.process.wait()


class Bridge:
    """A `nimatron fleet` in its own process, with its state in a folder."""

    NAME = "the-bridge"

    def __init__(self, folder, *words, env=None, name=NAME):
        self.NAME = name
        self._state = folder / name
        self._said = folder / f"{name}.log"
        self._words = [*words, "--name", self.NAME, "--state", str(self._state)]
        self._env = os.environ | (env or {})
        self.process = None

    def start(self):
        command = [sys.executable, "-m", "nimatron_host", "fleet", *self._words]
        with self._said.open("ab") as said:
            self.process = subprocess.Popen(command, stderr=said, env=self._env)
        return self

    @property
    def said(self):
        return self._said.read_text(encoding="utf-8")

    def kept(self):
        """Return {(exhibit, spool, seq), …} for the events and answers on its disk."""
        path = self._state / "fleet.sqlite"
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
            rows = db.execute("select exhibit, payload from spool").fetchall()
        told = [(exhibit, json.loads(payload)) for exhibit, payload in rows]
        return {(exhibit, one["spool"], one["seq"]) for exhibit, one in told}

    def end(self):
        self.process.terminate()
        return self.process.wait(PATIENCE_S)

    def kill(self):
        print(self.said)  # for a failure's report
        self.process.kill()
        self.process.wait()
