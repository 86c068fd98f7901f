"""Measuring: CPU time of one core, repeated; the median, and how far the runs are apart."""

import contextlib
import signal
import statistics
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple


class Figure(NamedTuple):
    """The median of repeated runs, the least and the greatest of them."""

    median: float
    least: float
    most: float

    @property
    def spread(self) -> str:
        """How far the runs are apart, in percent of the median."""
        return f"{100 * (self.most - self.least) / self.median:.0f} %" if self.median else "-"

    def times(self, factor: float) -> "Figure":
        return Figure(*[value * factor for value in self])

    def rate(self, amount: float) -> "Figure":
        """This is how long `amount` takes: how much of it in one unit of time."""
        return Figure(amount / self.median, amount / self.most, amount / self.least)


class Ratio(NamedTuple):
    """A ratio of two that took turns: the median of the rounds, and the middle half of them."""

    median: float
    low: float
    high: float

    def far(self, wanted: float) -> str:
        """How far it is from what was wanted, in terms of the spread. At less than one spread the
        verdict would depend on noise."""
        spread = self.high - self.low
        return f"{abs(self.median - wanted) / spread:.1f} spreads" if spread else "exact"


def ratio(values: list[float]) -> Ratio:
    low, median, high = statistics.quantiles(values, n=4)
    return Ratio(median, low, high)


def in_turns(
    one: Callable[[], float], other: Callable[[], float], rounds: int
) -> list[tuple[float, float]]:
    """What each returns, A B A B ...; the first round, which warms both up, is left out."""
    return [(one(), other()) for _ in range(rounds + 1)][1:]


def figure(values: list[float]) -> Figure:
    return Figure(statistics.median(values), min(values), max(values))


def cpu(do: Callable[[], object]) -> float:
    """Seconds of CPU time that do() takes in this process."""
    begin = time.process_time()
    do()
    return time.process_time() - begin


def side_by_side(runs: dict[str, Callable[[], object]], times: int) -> dict[str, Figure]:
    """CPU seconds of each, one after the other, `times` times round: what slows the computer down
    for a while slows them all."""
    taken: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(times):
        for name, do in runs.items():
            taken[name].append(cpu(do))
    return {name: figure(values) for name, values in taken.items()}


class TooLong(Exception):
    """It was not done in time."""


@contextlib.contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raises TooLong in what takes more CPU time than that."""

    def over(number, frame):
        raise TooLong

    before = signal.signal(signal.SIGPROF, over)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
