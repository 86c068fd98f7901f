"""The health of the exhibit for a remote monitor, as JSON and in the format of Prometheus."""

import time
from collections.abc import Iterator
from typing import Any

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from nimatron import states
from nimatron_host.kiosk.limits import Connections
from nimatron_host.kiosk.tables import Tables

_OUT_OF_ORDER = {"away", "off", states.CRASHED}


def health(tables: Tables, connections: Connections) -> dict[str, Any]:
    """Return the health of the kiosk. `ok` is true if visitors can play. `state`, `failures`,
    `resets` and `pico` describe the first table. `pico_age_s` is the age of the Pico's facts in
    s."""
    kiosk, machine = tables.first, tables.first.machine
    told, told_at = machine.facts.told, machine.facts.told_at
    state = machine.state["state"]
    failures = machine.facts.failures
    return {
        "ok": state not in _OUT_OF_ORDER and state != states.MAINTENANCE and not failures,
        "state": state,
        "failures": failures,
        "uptime_s": round(time.monotonic() - kiosk.begun_at),
        "resets": machine.playing.resets,
        "viewers": sum(len(table.machine.viewers) for table in tables.all),
        "tables": len(tables.all),
        "connections": connections.open,
        "connections_refused": connections.refused,
        "matches_kept": not kiosk.matches.broken,
        "today": kiosk.matches.today,
        "pico": told.get("health", {}),
        "pico_age_s": None if told_at is None else round(time.monotonic() - told_at),
    }


class _Collector:
    """A collector that gives Prometheus the health of the kiosk."""

    def __init__(self, tables: Tables, connections: Connections) -> None:
        self._tables = tables
        self._connections = connections

    def collect(self) -> Iterator[Metric]:
        now = health(self._tables, self._connections)
        for name, value, about in (
            ("up", now["ok"], "1 if visitors can play"),
            ("failures", len(now["failures"]), "devices that have failed, and stuck buttons"),
            ("uptime_seconds", now["uptime_s"], "time since the server started"),
            ("viewers", now["viewers"], "pages that are open"),
            ("tables", now["tables"], "tables that are open"),
            ("connections", now["connections"], "connections that are open"),
            ("matches_kept", now["matches_kept"], "1 if matches are written to disk"),
            ("matches_today", now["today"]["played"], "matches against the machine today"),
            ("matches_today_won", now["today"]["won"], "of those, how many people won"),
        ):
            yield GaugeMetricFamily(f"nimatron_{name}", about, value)
        for name, value, about in (
            ("resets", now["resets"], "restarts of the Pico that the server has seen"),
            ("connections_refused", now["connections_refused"], "connections cut by the server"),
        ):
            yield CounterMetricFamily(f"nimatron_{name}", about, value)
        for key, text in now["pico"].items():
            if text.lstrip("-").isdecimal():
                yield GaugeMetricFamily(f"nimatron_pico_{key}", f"health: {key}", int(text))


def exposition(tables: Tables, connections: Connections) -> bytes:
    """Return all metrics in Prometheus's text format."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Collector(tables, connections))
    return generate_latest(registry)
