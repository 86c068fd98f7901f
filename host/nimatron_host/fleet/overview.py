"""What the broker tells of all bridges and exhibits: for a table, a page and Prometheus."""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import aiomqtt

from nimatron import states
from nimatron_host.fleet import topics
from nimatron_host.fleet.broker import Broker
from nimatron_host.fleet.connection import Connection

_HOURS = 24
_RESETS = "resets."
_KINDS = ("bridge", "figures", "status", "state", "stats")
_PANEL = "panel"


@dataclass
class Day:
    """The matches of one exhibit today, from the differences of its own counts: so those that it
    counted while nobody listened are in it, too. hours: by the hour in which they were told."""

    hours: list[int] = field(default_factory=lambda: [0] * _HOURS)
    won: int = 0

    @property
    def matches(self) -> int:
        return sum(self.hours)


@dataclass
class Seen:
    """An exhibit, as far as the broker has told."""

    id: str
    status: str = topics.OFFLINE
    state: dict[str, Any] = field(default_factory=dict)
    stats: dict[str, Any] = field(default_factory=dict)
    panel: dict[str, Any] = field(default_factory=dict)
    day: Day = field(default_factory=Day)

    @property
    def name(self) -> str:
        return str(self.state.get("name", self.id))

    @property
    def bridge(self) -> str:
        return str(self.state.get("bridge", ""))

    @property
    def resets(self) -> dict[str, int]:
        """How often it has started since its counts were begun, by the reason."""
        return {
            key.removeprefix(_RESETS): count
            for key, count in self.stats.items()
            if key.startswith(_RESETS)
        }


@dataclass
class Bridging:
    """A bridge, as far as the broker has told."""

    status: str = topics.OFFLINE
    figures: dict[str, Any] = field(default_factory=dict)


class Overview:
    """Everything that is known. now(): the local time. changed(id) is called with each exhibit of
    which something is new."""

    def __init__(
        self,
        now: Callable[[], datetime] = datetime.now,
        changed: Callable[[str], object] = lambda exhibit: None,
    ) -> None:
        self.exhibits: dict[str, Seen] = {}
        self.bridges: dict[str, Bridging] = {}
        self.connected = False
        self._client: aiomqtt.Client | None = None
        self.complete = False  # everything that the broker retains is here
        self.since = now()
        self._now = now
        self._today = self.since.date()
        self._changed = changed

    async def follow(self, broker: Broker, panels: bool = False) -> None:
        """Listen to the broker for ever, also to what the panels show. Raises UserError if it
        refuses us."""
        kinds = (*_KINDS, _PANEL) if panels else _KINDS
        connection = Connection(broker, "what is shown may be out of date")

        async def converse(client: aiomqtt.Client) -> None:
            # What is retained comes before the answer to the second subscription. QoS 0: what is
            # missed while we are away is in what is retained.
            filters = [(topics.subscription(kind), 0) for kind in kinds]
            await client.subscribe(filters)
            await client.subscribe(filters[:1])
            connection.works()
            self.connected, self._client = True, client
            waiting = len(client.messages)
            self.complete = self.complete or not waiting
            try:
                async for message in client.messages:
                    self.take(str(message.topic), bytes(message.payload))
                    waiting -= 1
                    self.complete = self.complete or waiting <= 0
            finally:
                self.connected, self._client = False, None

        await connection.keep(converse)

    async def look(self, exhibit: str) -> None:
        """Ask for what this exhibit's panel shows in the next minute."""
        if self._client:
            with contextlib.suppress(aiomqtt.MqttError):
                await self._client.publish(topics.topic("look", exhibit), "look", topics.QOS)

    def take(self, topic: str, data: bytes) -> None:
        """Take in a message."""
        message = topics.take(topic, data)
        if not message or message.payload is None:
            return
        kind, (name, *_), payload = message
        if kind in ("bridge", "figures"):
            self._take_bridge(kind, name, payload)
        elif kind in (*_KINDS, _PANEL):
            seen = self.exhibits.setdefault(name, Seen(name))
            if kind == "stats":
                self._count(seen, payload)
            setattr(seen, kind, payload)
            self._changed(name)

    def _take_bridge(self, kind: str, name: str, payload: Any) -> None:
        bridge = self.bridges.setdefault(name, Bridging())
        if kind == "figures":
            bridge.figures = payload
            return
        bridge.status = payload
        for seen in self.exhibits.values():
            if seen.bridge == name:
                self._changed(seen.id)

    def _count(self, seen: Seen, stats: dict[str, Any]) -> None:
        now = self._now()
        if now.date() != self._today:
            self._today, self.since = now.date(), now
            for other in self.exhibits.values():
                other.day = Day()
        if not seen.stats or stats["games"] < seen.stats["games"]:
            return  # the first ones, or begun again
        seen.day.hours[now.hour] += stats["games"] - seen.stats["games"]
        seen.day.won += max(0, stats["player"] - seen.stats["player"])

    # ------------------------------------------------------------------ what follows from it

    def is_up(self, seen: Seen) -> bool:
        """True if the exhibit answers, as far as anybody knows now."""
        return self.connected and seen.status == topics.ONLINE and self._is_bridged(seen)

    def _is_bridged(self, seen: Seen) -> bool:
        bridge = self.bridges.get(seen.bridge)
        return bridge is not None and bridge.status == topics.ONLINE

    def shows(self, seen: Seen) -> bool:
        """True if visitors can play there."""
        return self.is_up(seen) and seen.state.get("mode") == states.EXHIBIT

    def trouble(self, seen: Seen) -> list[str]:
        """What is wrong with an exhibit, in words for whoever looks after it."""
        if not self.connected:
            return ["unknown: no connection to the broker"]
        if not self._is_bridged(seen):
            return [f"its bridge {seen.bridge} is offline"]
        if not self.is_up(seen):
            return [topics.OFFLINE]
        found = [] if self.shows(seen) else [seen.state.get("mode", "unknown mode")]
        found += [f"{device} has failed" for device in seen.state.get("failed", [])]
        return found + [f"{button} is stuck" for button in seen.state.get("stuck", [])]

    def away(self) -> list[str]:
        """The names of the bridges that do not run."""
        return sorted(
            name for name, bridge in self.bridges.items() if bridge.status != topics.ONLINE
        )

    def summary(self, seen: Seen) -> dict[str, Any]:
        """An exhibit in short."""
        up = self.is_up(seen)
        return {
            "id": seen.id,
            "name": seen.name,
            "bridge": seen.bridge,
            "online": up,
            "state": seen.state.get("state", "") if up else "",
            "level": seen.state.get("settings", {}).get("level", ""),
            "version": seen.state.get("version", ""),
            "matches": seen.stats.get("games", 0),
            "won": seen.stats.get("player", 0),
            "today": seen.day.matches,
            "won_today": seen.day.won,
            "hours": seen.day.hours,
            "resets": sum(seen.resets.values()),
            "trouble": self.trouble(seen),
        }

    def report(self) -> dict[str, Any]:
        """Everything in short, the exhibits in the order of their names."""
        return {
            "connected": self.connected,
            "bridges": {
                name: {"online": bridge.status == topics.ONLINE} | bridge.figures
                for name, bridge in sorted(self.bridges.items())
            },
            "exhibits": [self.summary(seen) for seen in self.in_order()],
        }

    def in_order(self) -> list[Seen]:
        return sorted(self.exhibits.values(), key=lambda seen: (seen.name, seen.id))
