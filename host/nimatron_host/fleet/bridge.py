"""The bridge between the exhibits and the broker, with the spool between them."""

import asyncio
import json
import logging
from collections.abc import Collection, Iterable
from typing import Any

import aiomqtt

from nimatron import VERSION
from nimatron.protocol import LONGEST
from nimatron_host.device import link
from nimatron_host.fleet import home_assistant, topics
from nimatron_host.fleet.broker import Broker
from nimatron_host.fleet.broker_connection import AT_ONCE, Connection, Unfit
from nimatron_host.fleet.exhibit_cable import Exhibit
from nimatron_host.fleet.line import Opener, open_line
from nimatron_host.fleet.spool import Entry, Spool, now
from nimatron_sim.text_encoding import escaped

_ECHO_S = 10.0  # timeout for the bridge's own message to come back
_RETRY_S = 5.0  # the pause between attempts to write to a failing disk
_FIGURES_S = 60.0
_LOOK_S = 2.0  # the pause between searches for new ports
_FAREWELL_S = 5.0
_SWALLOWED_S = 0.2

log = logging.getLogger("nimatron.fleet")


class Bridge:
    """The bridge called `name`, which connects the exhibits at `ports`, {port: name}, to the
    broker. If `ports` is empty, the bridge takes each Pico that is plugged in. `allowed` lists
    additional commands that the broker may send. `opener` is the function that opens a port."""

    def __init__(
        self,
        name: str,
        broker: Broker,
        spool: Spool,
        ports: dict[str, str],
        allowed: Collection[str] = (),
        opener: Opener = open_line,
    ) -> None:
        self.name = name
        self._own = topics.topic("bridge", name)
        self._connection = Connection(
            broker,
            identifier=f"nimatron-{name}",
            will=aiomqtt.Will(self._own, topics.OFFLINE, topics.QOS, True),
        )
        self._spool = spool
        self._ports = ports
        self._allowed = allowed
        self._opener = opener
        self._exhibits: dict[str, Exhibit] = {}  # present exhibits, by ID
        self._dark: dict[str, str] = {}  # absent exhibits by ID, and the time since when
        self._tasks: dict[str, asyncio.Task[None]] = {}  # port: task
        self._wanted: dict[str, dict[str, str]] = {}
        self._retained: dict[str, str] = {}  # topic: payload
        self._fresh: dict[str, str] = {}  # retained messages that the broker does not have yet
        self._stirred = asyncio.Event()
        self._told = asyncio.Event()  # set when the broker has all retained messages
        self._more = asyncio.Event()
        self._committing: asyncio.Handle | None = None

    async def run(self, stopped: asyncio.Event) -> None:
        """Run the bridge until `stopped` is set, then send the last messages. Raises UserError if
        the broker refuses the first connection."""
        flows = [
            asyncio.create_task(flow)
            for flow in (self._keep_connected(), self._keep_ports(), self._keep_figures())
        ]
        ends = asyncio.create_task(stopped.wait())
        await asyncio.wait([*flows, ends], return_when=asyncio.FIRST_COMPLETED)
        await _cancel(self._tasks.values())
        if self._connection.up:
            self._latest(self._own, topics.OFFLINE)
            told = asyncio.create_task(self._told.wait())
            await asyncio.wait(
                [told, flows[0]], timeout=_FAREWELL_S, return_when=asyncio.FIRST_COMPLETED
            )
            told.cancel()
        await _cancel([flow for flow in [*flows, ends] if not flow.done()])
        if self._committing:
            self._committing.cancel()
        for flow in flows:
            if not flow.cancelled():
                flow.result()

    # ------------------------------------------------------------------ exhibits

    async def _keep_ports(self) -> None:
        for port, name in self._ports.items():
            self._plug(port, name)
        found: set[tuple[str, str]] = set()
        while True:
            if not self._ports:
                found = await self._find_ports(found)
            await asyncio.wait(
                [asyncio.create_task(asyncio.sleep(_LOOK_S)), *self._tasks.values()],
                return_when=asyncio.FIRST_COMPLETED,
            )
            for task in self._tasks.values():
                if task.done():
                    task.result()

    async def _find_ports(self, found: set[tuple[str, str]]) -> set[tuple[str, str]]:
        """Take over the Picos that are plugged in now, and return them as (port, serial number).
        `found` is the previous result."""
        plugged = {
            (port.device, (port.serial_number or port.device.rpartition("/")[2]).lower())
            for port in await asyncio.to_thread(link.picos)
            if port.pid == link.MICROPYTHON
        }
        await _cancel([self._tasks.pop(port) for port, _ in found - plugged])
        for port, name in sorted(plugged - found):
            self._plug(port, name)
        return plugged

    def _plug(self, port: str, name: str) -> None:
        exhibit = Exhibit(port, name, self, log.info, self._allowed, self._opener)
        self._tasks[port] = asyncio.create_task(exhibit.run())

    # ------------------------------------------------------------------ reports from exhibits

    def attach(self, exhibit: Exhibit) -> bool:
        if self._exhibits.setdefault(exhibit.id, exhibit) is not exhibit:
            return False
        self._dark.pop(exhibit.id, None)
        self._stirred.set()
        return True

    def detach(self, exhibit: Exhibit) -> None:
        if self._exhibits.get(exhibit.id) is exhibit:
            del self._exhibits[exhibit.id]
            self._dark[exhibit.id] = now()

    def latest(self, kind: str, exhibit: Exhibit, payload: str | dict[str, Any]) -> None:
        if kind == "state" and isinstance(payload, dict):
            payload = payload | {"bridge": self.name}
            about = home_assistant.device(exhibit.id, self.name, payload)
            self._latest(home_assistant.topic(exhibit.id), about)
        self._latest(topics.topic(kind, exhibit.id), payload)
        if kind == "status":
            self._figure()

    def happened(self, kind: str, exhibit: Exhibit, body: dict[str, Any]) -> None:
        self._put(exhibit.id, kind, body)

    def _put(self, exhibit: str, kind: str, body: dict[str, Any]) -> None:
        self._spool.put(exhibit, kind, body)
        self._commit_soon()

    def wants(self, exhibit: Exhibit) -> dict[str, str]:
        return self._wanted.get(exhibit.id, {})

    # ------------------------------------------------------------------ outgoing messages

    def _latest(self, topic: str, payload: object) -> None:
        text = payload if isinstance(payload, str) else json.dumps(payload, separators=(",", ":"))
        if self._retained.get(topic) != text:
            self._retained[topic] = self._fresh[topic] = text
            self._told.clear()
            self._stirred.set()

    def _commit_soon(self, seconds: float = 0.0) -> None:
        """Commit all messages from one turn of the event loop together."""
        if not self._committing:
            loop = asyncio.get_running_loop()
            self._committing = loop.call_later(seconds, self._commit)

    def _commit(self) -> None:
        self._committing = None
        if not self._spool.commit():
            self._commit_soon(_RETRY_S)
        self._more.set()

    async def _keep_figures(self) -> None:
        while True:
            self._figure()
            await asyncio.sleep(_FIGURES_S)

    def _figure(self) -> None:
        exhibits = self._exhibits.values()
        figures = {
            "version": VERSION,
            "exhibits": len(self._tasks),
            "online": sum(exhibit.online for exhibit in exhibits),
            "waiting": len(self._spool),
            "dropped": self._spool.dropped,
        }
        self._latest(topics.topic("figures", self.name), figures)

    # ------------------------------------------------------------------ the broker

    async def _keep_connected(self) -> None:
        self._latest(self._own, topics.ONLINE)
        await self._connection.keep(self._converse)

    async def _converse(self, client: aiomqtt.Client) -> None:
        heard = asyncio.Event()
        flows: list[asyncio.Task[Any]] = [asyncio.create_task(self._listen(client, heard))]
        try:
            await client.subscribe(
                # With a thousand exhibits, Mosquitto would queue messages of QoS 1, and drop some.
                [(topics.subscription(kind), topics.QOS) for kind in ("want", "do")]
                + [(topics.subscription("state"), 0)]
            )
            # The broker sends the retained wants before our own message, which comes last.
            await client.subscribe([(self._own, topics.QOS)])
            await client.publish(self._own, topics.ONLINE, topics.QOS, True)
            flows.append(asyncio.create_task(heard.wait()))
            done, _ = await asyncio.wait(
                flows, timeout=_ECHO_S, return_when=asyncio.FIRST_COMPLETED
            )
            for flow in done:
                flow.result()
            if not heard.is_set():
                raise Unfit(
                    "it accepts the messages of the bridge but returns none. Its access list must "
                    f"let this user read and write {topics.ROOT}/#"
                )
            self._connection.works()
            self._figure()
            self._fresh = dict(self._retained)
            self._stirred.set()
            flows[1:] = [asyncio.create_task(f(client)) for f in (self._send_latest, self._send)]
            done, _ = await asyncio.wait(flows, return_when=asyncio.FIRST_EXCEPTION)
            for flow in done:
                flow.result()
        finally:
            await _cancel(flows)

    async def _listen(self, client: aiomqtt.Client, heard: asyncio.Event) -> None:
        """Receive the broker's messages. When the last retained setting has come, apply all wanted
        settings together. Apply later settings one by one."""
        wanted: dict[str, dict[str, str]] = {}
        async for message in client.messages:
            address = str(message.topic)
            told = topics.take(address, bytes(message.payload))
            if address == self._own and not heard.is_set():
                if told and told.text == topics.ONLINE:
                    self._wanted = wanted
                    heard.set()
                    for exhibit in self._exhibits.values():
                        exhibit.reconcile()
            elif told:
                self._take(told, message.retain, wanted, heard.is_set())

    def _take(
        self,
        told: topics.Message,
        retained: bool,
        wanted: dict[str, dict[str, str]],
        all_here: bool,
    ) -> None:
        """Handle a message. `all_here` is True if `wanted` is complete."""
        kind, (name, *key), text = told
        if kind == "state":
            self._take_owner(name, topics.owner(text))
        elif kind == "want":
            self._want(wanted, name, key[0], text)
            if all_here and name in self._exhibits:
                self._exhibits[name].reconcile()
        elif kind == "do" and text:
            self._do(name, text, retained)

    def _take_owner(self, exhibit: str, bridge: str) -> None:
        """Handle the name of the bridge in an exhibit's last state. If an exhibit of this bridge
        is missing, report it as dark, because a killed bridge may have left the status online."""
        if exhibit in self._exhibits:
            return
        if bridge == self.name:
            self._dark.setdefault(exhibit, now())
            self._latest(topics.topic("status", exhibit), topics.OFFLINE)
        elif bridge:
            self._dark.pop(exhibit, None)
            for topic in (home_assistant.topic(exhibit), *topics.retained_of(exhibit)):
                self._retained.pop(topic, None)
                self._fresh.pop(topic, None)

    def _want(self, wanted: dict[str, dict[str, str]], exhibit: str, key: str, value: str) -> None:
        wants = wanted.setdefault(exhibit, {})
        if not value:
            wants.pop(key, None)
        elif topics.refusal(f"set {key} {value}") and not topics.want_refusal(key):
            text = escaped(value[:LONGEST])
            log.warning("%s is wanted to have %s=%s: no setting", exhibit, key, text)
        else:
            wants[key] = value

    def _do(self, name: str, line: str, retained: bool) -> None:
        exhibit = self._exhibits.get(name)
        if exhibit and retained:  # a retained command would be done again at each connection
            exhibit.refuse(line, "retained", "a command must not be retained")
        elif exhibit:
            exhibit.do(line)
        elif since := self._dark.get(name):
            why = f"dark since {since}. This command is not kept. A wish in want/KEY is kept"
            self._put(name, "answer", topics.refused(line, topics.OFFLINE, why, since=since))

    async def _send_latest(self, client: aiomqtt.Client) -> None:
        while True:
            await self._stirred.wait()
            self._stirred.clear()
            while self._fresh:
                some = list(self._fresh.items())[:AT_ONCE]
                await asyncio.gather(
                    *[client.publish(topic, text, topics.QOS, True) for topic, text in some]
                )
                for topic, text in some:
                    if self._fresh.get(topic) == text:
                        del self._fresh[topic]
            self._told.set()

    async def _send(self, client: aiomqtt.Client) -> None:
        last = 0
        while True:
            self._more.clear()
            entries = self._spool.batch(last, AT_ONCE)
            if not entries:
                await self._more.wait()
                continue
            confirmed: list[int] = []
            try:
                await asyncio.gather(*[self._deliver(client, e, confirmed) for e in entries])
            finally:
                self._spool.done(confirmed)
                self._commit_soon()
            last = entries[-1].n

    async def _deliver(self, client: aiomqtt.Client, entry: Entry, confirmed: list[int]) -> None:
        await client.publish(topics.topic(entry.kind, entry.exhibit), entry.payload, topics.QOS)
        confirmed.append(entry.n)


async def _cancel(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Cancel `tasks`, and wait until all have ended."""
    pending = tasks = set(tasks)
    while pending:
        for task in pending:
            task.cancel()
        # Before Python 3.12, wait_for may swallow a cancellation.
        _, pending = await asyncio.wait(pending, timeout=_SWALLOWED_S)
    await asyncio.gather(*tasks, return_exceptions=True)
