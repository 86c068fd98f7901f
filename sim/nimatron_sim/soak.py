"""A soak: visitors come and go through days of exhibit, and a referee watches.

A day is made from the seed and its number alone, so that any day can be had again by itself.
"""

import multiprocessing
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random

from nimatron import games, opponent, settings
from nimatron_sim import visitors
from nimatron_sim.circuit import Circuit
from nimatron_sim.pico import SimulatedPico
from nimatron_sim.referee import Foul, Referee

DAY_MS = 10 * 3_600_000  # the exhibit is open for ten hours

_BETWEEN_MS = 25_000  # visitors, on average
_CUT = 0.06  # of the visits see a power cut
_CUT_WITHIN_US = 60_000_000
_BOUNCE_MS, _NOISY_BOUNCE_MS = 3, 20
_PATIENCE_MS = 60_000

Files = dict[str, Path]


@dataclass
class Report:
    """What was counted in `days` days of soak; reports add up."""

    days: int = 0
    ms: int = 0
    presses: int = 0
    visits: Counter = field(default_factory=Counter)  # by visitor
    tally: Counter = field(default_factory=Counter)  # see Referee
    starts: Counter = field(default_factory=Counter)
    cuts: int = 0

    def add(self, other: "Report") -> None:
        for name in ("days", "ms", "presses", "cuts"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in ("visits", "tally", "starts"):
            getattr(self, name).update(getattr(other, name))

    def __str__(self) -> str:
        tally = self.tally
        played = {key[0] for key in tally if isinstance(key, tuple)}
        return "\n".join(
            [
                f"exhibit         {self.days} days, {self.ms / 3_600_000:.1f} h",
                f"visits          {_counts(self.visits)}",
                f"presses         {self.presses}",
                f"games           {tally['games']}, of {len(played)} kinds",
                f"  player won    {tally['player']}",
                f"  machine won   {tally['machine']}",
                f"  abandoned     {tally['abandoned']}",
                f"  cut short     {tally['cut short']}, which nobody counts",
                f"moves           {tally['moves']}, 0 illegal",
                f"power cuts      {self.cuts}",
                f"starts          {_counts(self.starts)}",
                "wrong winners   0",
                "dark time       0",
                "statistics      conserved",
            ]
        )


class Failed(Exception):
    """The soak has found something: the day's number, the Foul, and what was typed to get it."""

    def __init__(self, seed: int, day: int, foul: Foul):
        super().__init__(seed, day, foul)
        self.seed, self.day, self.foul = seed, day, foul

    def __str__(self) -> str:
        return (
            f"day {self.day} of seed {self.seed}, at {self.foul.ms} ms: {self.foul.what}; "
            f"replay it: nimatron soak --seed {self.seed} --day {self.day}"
        )


def soak(
    seed: int,
    days: list[int],
    jobs: int = 1,
    progress: Callable[[float], None] = lambda days: None,
    files: Files | None = None,
) -> Report:
    """The days with these numbers, on so many cores; raises Failed for the first that fails.

    progress: called now and then with how many days are over. files: firmware other than ours.
    """
    total = Report()
    if jobs == 1:
        for day in days:
            total.add(_day(seed, files, DAY_MS, day, lambda part: progress(total.days + part)))
        return total
    context = multiprocessing.get_context("spawn")
    with context.Pool(jobs, signal.signal, (signal.SIGINT, signal.SIG_IGN)) as pool:
        for report in pool.imap(partial(_day, seed, files, DAY_MS), days):
            total.add(report)
            progress(total.days)
    return total


def _day(seed, files, ms, number, progress=lambda part: None):
    day = Day(Random(f"{seed}/{number}"), files)
    try:
        for now in day.visits(ms):
            progress(min(1, now / ms))
    except Foul as foul:
        raise Failed(seed, number, foul) from None
    except Exception as failure:  # a Fault of the hardware's, a machine that never comes back
        foul = Foul(day.pico.ms, f"{type(failure).__name__}: {failure}")
        raise Failed(seed, number, foul) from failure
    return day.report


class _Contacts(Circuit):
    """A circuit that counts the presses, and knows what is held down."""

    def __init__(self, **wiring):
        super().__init__(**wiring)
        self.presses = 0
        self.down = set()

    def press(self, name):
        self.presses += 1
        self.down.add(name)
        super().press(name)

    def release(self, name):
        self.down.discard(name)
        super().release(name)


class Day:
    """A day of exhibit: the Pico as its builder has set it, the referee, and who comes by."""

    def __init__(self, random: Random, files: Files | None = None):
        self.random = random
        self.report = Report(days=1)
        self._whole_again = 0  # when the last power cut is over, in us
        self._settings = {
            "game": random.choice(("nim", "nim", "nim", random.choice(games.PANEL))),
            "rule": random.choice(settings.RULES),
            "level": random.choice(opponent.NAMES),
            "display": random.choices(settings.DISPLAYS, (4, 2, 1))[0],  # pixels take long
            "idle_ms": random.choice((15_000, 30_000, 60_000)),
        }
        self.referee = Referee(self._settings["game"], self._settings["rule"])
        self._circuit = _Contacts(display=self._settings["display"], seed=random.randint(1, 10**6))
        self.pico = SimulatedPico(
            self._circuit, files, random.getrandbits(31), self.referee.see, self._settings
        )

    def visits(self, end: int) -> Iterator[int]:
        """Live through `end` ms, visit by visit; yields how many are over. Raises Foul."""
        pico, random = self.pico, self.random
        names, weights = list(_VISITORS), [weight for weight, _ in _VISITORS.values()]
        while pico.ms < end:
            pico.run(int(random.expovariate(1 / _BETWEEN_MS)))
            name = random.choices(names, weights)[0]
            self.report.visits[name] += 1
            if random.random() < _CUT:
                self._plan_a_power_cut()
            noisy = random.random() < 0.2
            self._circuit.bounce_us = 1000 * (_NOISY_BOUNCE_MS if noisy else _BOUNCE_MS)
            _VISITORS[name][1](pico, random, self._settings)
            self._look_after()
            self.report.ms = pico.ms
            self.report.presses = self._circuit.presses
            self.report.tally = self.referee.tally
            self.report.starts = self.referee.starts
            yield pico.ms

    def _plan_a_power_cut(self):
        clock, random = self.pico.clock, self.random
        off = clock.now + random.randrange(_CUT_WITHIN_US)
        self._whole_again = off + random.randint(1000, 20_000_000)
        self.report.cuts += 1
        clock.call_at(off, self._cut)
        clock.call_at(self._whole_again, self._restore)

    def _cut(self):
        self.referee.look(self.pico.ms)
        self.referee.power(False)
        self.pico.state = "off"
        self.pico.power_off()  # the last line: the CPU that came here ends with it

    def _restore(self):
        self.referee.look(self.pico.ms)
        self.referee.power(True)
        self.pico.power_on()

    def _look_after(self):
        """What the keeper does when a visitor has left: nothing stays pressed or in maintenance,
        and the statistics are right."""
        pico = self.pico
        pico.run_to(max(pico.clock.now, self._whole_again))
        for button in sorted(self._circuit.down):
            pico.release(button)
        pico.send_bytes(b"\n")
        pico.run_until(lambda: pico.state not in ("off", "boot"), _PATIENCE_MS)
        if pico.state == "maintenance":
            pico.run(1000)
            pico.state = "boot"
            pico.send("reboot")
            pico.run_until(lambda: pico.state == "attract", _PATIENCE_MS)
        answer = "none"
        while "restarting" in answer or answer == "none":
            pico.run(1500)  # what was typed before is answered
            answer = pico.ask("stats")
        if not answer.startswith("ok since="):
            raise Foul(pico.ms, f"asked for its statistics it said {answer}")
        self.referee.look(pico.ms)


def _counts(counter):
    return ", ".join(f"{name} {count}" for name, count in sorted(counter.items()))


def _expert(pico, random, usual):
    visitors.stay(pico, random, visitors.expert(usual["rule"] == "misere", random))


# name: how often, what they do with (pico, random, settings)
_VISITORS = {
    "expert": (3, _expert),
    "learner": (3, lambda pico, random, _: visitors.stay(pico, random, visitors.learner(random))),
    "scholar": (
        4,
        lambda pico, random, usual: visitors.Scholar(pico, random, usual["game"]).visit(),
    ),
    "child": (
        2,
        lambda pico, random, _: visitors.mash(pico, random, random.randint(1000, 60_000)),
    ),
    "dabbler": (3, lambda pico, random, _: visitors.dabbler(pico, random)),
    "walker-away": (2, lambda pico, random, _: visitors.walker_away(pico, random)),
    "leaner": (1, lambda pico, random, _: visitors.leaner(pico, random)),
    "vandal": (1, lambda pico, random, _: visitors.vandal(pico, random)),
}
