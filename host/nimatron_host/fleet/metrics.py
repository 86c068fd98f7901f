"""All bridges and exhibits, as Prometheus reads them."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from nimatron.match import OUTCOMES
from nimatron_host.fleet import topics
from nimatron_host.fleet.overview import Overview

_WHO = ("exhibit", "name")
_TOLD = ("bridge", "version", "board")  # of an exhibit's state


class Figures(Collector):
    """The figures of an overview."""

    def __init__(self, overview: Overview) -> None:
        self._overview = overview

    def collect(self) -> Iterator[Metric]:
        yield GaugeMetricFamily(
            "nimatron_fleet_connected",
            "1 if whoever gives these figures hears the broker",
            self._overview.connected,
        )
        yield from self._bridges()
        yield from self._exhibits()

    def _bridges(self) -> Iterator[Metric]:
        bridges = self._overview.bridges.items()
        for name, about, value in (
            ("up", "1 if the bridge runs", lambda bridge: bridge.status == topics.ONLINE),
            (
                "exhibits",
                "exhibits that the bridge has or expects",
                lambda bridge: bridge.figures.get("exhibits", 0),
            ),
            (
                "events_waiting",
                "events that wait for the broker",
                lambda bridge: bridge.figures.get("waiting", 0),
            ),
        ):
            yield _gauge(f"bridge_{name}", about, ("bridge",), ((n, value(b)) for n, b in bridges))
        dropped = CounterMetricFamily(
            "nimatron_bridge_events_dropped", "events that no longer had room", labels=["bridge"]
        )
        for name, bridge in bridges:
            dropped.add_metric([name], bridge.figures.get("dropped", 0))
        yield dropped

    def _exhibits(self) -> Iterator[Metric]:
        overview, exhibits = self._overview, self._overview.in_order()
        for name, about, value in (
            ("up", "1 if the exhibit answers", overview.is_up),
            ("showing", "1 if visitors can play there", overview.shows),
            (
                "failed_devices",
                "devices that have failed",
                lambda seen: len(seen.state.get("failed", [])),
            ),
            (
                "stuck_buttons",
                "buttons that are stuck",
                lambda seen: len(seen.state.get("stuck", [])),
            ),
        ):
            found = ((seen.id, seen.name, value(seen)) for seen in exhibits)
            yield _gauge(f"exhibit_{name}", about, _WHO, found)
        yield _gauge(
            "exhibit_info",
            "always 1; its labels say what the exhibit is",
            (*_WHO, *_TOLD),
            ((s.id, s.name, *(s.state.get(key, "") for key in _TOLD), 1) for s in exhibits),
        )
        matches = CounterMetricFamily(
            "nimatron_exhibit_matches", "matches by how they ended", labels=[*_WHO, "outcome"]
        )
        resets = CounterMetricFamily(
            "nimatron_exhibit_resets", "starts of the Pico by their reason", labels=[*_WHO, "why"]
        )
        for seen in exhibits:
            for outcome in OUTCOMES:
                if outcome in seen.stats:
                    matches.add_metric([seen.id, seen.name, outcome], seen.stats[outcome])
            for why, count in seen.resets.items():
                resets.add_metric([seen.id, seen.name, why], count)
        yield from (matches, resets)


def _gauge(name: str, about: str, labels: Sequence[str], rows: Iterable[Sequence[Any]]) -> Metric:
    """A gauge from rows of the values of its labels and its own."""
    gauge = GaugeMetricFamily(f"nimatron_{name}", about, labels=labels)
    for *values, value in rows:
        gauge.add_metric(values, value)
    return gauge
