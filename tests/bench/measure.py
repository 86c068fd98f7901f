"""Measuring: CPU time of one core, repeated; the median, and how far the runs are apart."""

import contextlib
import math
import signal
import statistics
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

_SURE = 2.58  # deviations: 99 % of a normal distribution


class Figure(NamedTuple):
    """The median of repeated runs, the least and the greatest of them, and all of them in their
    order, to compare with what took turns with them."""

    median: float
    least: float
    most: float
    rounds: tuple[float, ...] = ()

    @property
    def spread(self) -> str:
        """How far the runs are apart, in percent of the median."""
        return f"{100 * (self.most - self.least) / self.median:.0f} %" if self.median else "-"

    def over(self, other: "Figure") -> "Ratio":
        """How many times as much as the other, round by round."""
        return ratio([a / b for a, b in zip(self.rounds, other.rounds, strict=True)])

    def rate(self, amount: float) -> "Figure":
        """This is how long `amount` takes: how much of it in one unit of time."""
        return Figure(amount / self.median, amount / self.most, amount / self.least)


class Ratio(NamedTuple):
    """A ratio of two that took turns: the median of the rounds, the middle half of them, and where
    the median of many more such rounds would lie, of which 99 % are sure."""

    median: float
    low: float
    high: float
    least: float
    most: float

    def reaches(self, wanted: float) -> bool | None:
        """Whether it is as great as was wanted; None if that is within the noise, because another
        run might say the opposite."""
        if self.least <= wanted <= self.most and self.least < self.most:
            return None
        return self.median >= wanted

    def keeps_to(self, wanted: float) -> bool | None:
        """The same if it must not be greater."""
        reaches = self.reaches(wanted)
        return reaches if reaches is None else self.median <= wanted

    def minus(self, other: "Ratio") -> "Ratio":
        """How much more than the other, which was measured apart."""
        return Ratio(
            self.median - other.median,
            self.low - other.high,
            self.high - other.low,
            self.least - other.most,
            self.most - other.least,
        )

    def shifted(self, by: float) -> "Ratio":
        return Ratio(*[value + by for value in self])

    def divided(self, by: float) -> "Ratio":
        return Ratio(*[value / by for value in self])

    def inverse(self) -> "Ratio":
        return Ratio(*[1 / self[i] for i in (0, 2, 1, 4, 3)])


def exact(value: float) -> Ratio:
    """A ratio that is the same in every run, such as one of emulated times."""
    return Ratio(value, value, value, value, value)


def ratio(values: list[float]) -> Ratio:
    low, median, high = statistics.quantiles(values, n=4)
    return Ratio(median, low, high, *_surely(values, 0.5))


def percentile(values: list[float], percent: int) -> Ratio:
    """The same for a percentile instead of the median."""
    low, _, high = statistics.quantiles(values, n=4)
    found = statistics.quantiles(values, n=100, method="inclusive")[percent - 1]
    return Ratio(found, low, high, *_surely(values, percent / 100))


def _surely(values, share):
    """Between which of the values their true quantile lies, of which 99 % are sure. How many of n
    values lie below it is binomial."""
    ranked = sorted(values)
    middle = (len(ranked) - 1) * share
    sure = _SURE * (len(ranked) * share * (1 - share)) ** 0.5
    least, most = max(math.floor(middle - sure), 0), math.ceil(middle + sure)
    return ranked[least], ranked[min(most, len(ranked) - 1)]


def in_turns(
    one: Callable[[], float], other: Callable[[], float], rounds: int
) -> list[tuple[float, float]]:
    """What each returns, as a sum of two: a round is A B B A, so that a computer that becomes
    slower in it slows both. The first round, which warms both up, is left out."""

    def round():
        before, first = one(), other()
        second, after = other(), one()
        return before + after, first + second

    return [round() for _ in range(rounds + 1)][1:]


def figure(values: list[float]) -> Figure:
    return Figure(statistics.median(values), min(values), max(values), tuple(values))


def cpu(do: Callable[[], object]) -> float:
    """Seconds of CPU time that do() takes in this process."""
    begin = time.process_time()
    do()
    return time.process_time() - begin


def cpu_with(pid: int, do: Callable[[], object]) -> float:
    """Seconds of CPU time that do() takes in this process and in another, on Linux."""
    theirs = ~pid << 3 | 2  # the other's clock: CPUCLOCK_SCHED of linux/posix-timers.h
    begin = time.clock_gettime(theirs)
    here = cpu(do)
    return here + time.clock_gettime(theirs) - begin


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
