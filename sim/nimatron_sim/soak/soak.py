"""A soak test: visitors come and go for days, and a referee watches.

A day depends only on the seed and the day's number, so any day can be repeated separately.

Each day is like a day at a fair, with few visitors at ten, a queue after noon, and few visitors in
the evening. The rate of games is the rate of 1940: 100,000 games in 170 days.
"""

import json
import multiprocessing
import signal
import traceback
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from nimatron import games, opponent, protocol, settings, states
from nimatron.states import OUTCOMES
from nimatron_sim.cabinet import Circuit
from nimatron_sim.darkness import Dark
from nimatron_sim.errors import UserError
from nimatron_sim.simulated.core import Stuck, stuck_after
from nimatron_sim.simulated_pico import SimulatedPico
from nimatron_sim.soak import visitors
from nimatron_sim.soak.referee import NOT_COUNTED, Foul, Referee
from pico_testbench.faults import Fault

DAY_MS = 10 * 3_600_000  # the exhibit is open for ten hours

# The average time from one visitor to the next, for each hour of the day.
_BETWEEN_MS = (600_000, 150_000, 45_000, 20_000, 30_000, 60_000, 60_000, 45_000, 150_000, 600_000)
_CUT = 0.06  # the share of visits with a power cut
_PUT_RIGHT = 0.5  # the share of the keeper's rounds that also reset the settings
_CUT_WITHIN_US = 60_000_000
_BOUNCE_MS, _NOISY_BOUNCE_MS = 3, 20
_PATIENCE_MS = 60_000
_STUCK_S = 60  # the most CPU time for a visit, which lasts a few minutes
_TAIL = 40  # the number of trace records to show before a failure

Files = dict[str, Path]


@dataclass
class Report:
    """The counts from `days` days of soak testing. Reports can be added."""

    days: int = 0
    ms: int = 0
    presses: int = 0
    visits: Counter[str] = field(default_factory=Counter)  # counted by kind of visitor
    tally: Counter[Any] = field(default_factory=Counter)  # see Referee
    starts: Counter[str] = field(default_factory=Counter)
    spent: Counter[str] = field(default_factory=Counter)  # ms spent in each state of the exhibit
    cuts: int = 0

    def add(self, other: "Report") -> None:
        for name in ("days", "ms", "presses", "cuts"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in ("visits", "tally", "starts", "spent"):
            getattr(self, name).update(getattr(other, name))

    def __str__(self) -> str:
        said = {name: _said(name, value) for name, value in self.facts().items() if value}
        return "\n".join(f"{name.replace('ms', 'time'):16}{text}" for name, text in said.items())

    def summary(self) -> str:
        """Return the result in one sentence, for a soak test that has found no fault."""
        moves, days = _number(self.tally["moves"], "move"), _number(self.days, "day")
        return f"nothing found: in {days} and {moves} the referee saw no fault"

    def facts(self) -> dict[str, Any]:
        """Return the counts as one JSON object."""
        return {
            "fault": None,
            "days": self.days,
            "ms": self.ms,
            "ms_in": dict(self.spent),
            "visits": dict(self.visits),
            "presses": self.presses,
            "games": self.tally["games"],
            **{name: self.tally[name] for name in OUTCOMES},
            "not_counted": {name: self.tally[name] for name in NOT_COUNTED},
            "moves": self.tally["moves"],
            "power_cuts": self.cuts,
            "starts": dict(self.starts),
            "statistics": self.tally["statistics"],
        }


class Failed(UserError):
    """A fault that the soak test has found: the day, the Foul, and the records before it."""

    def __init__(
        self, seed: int, day: int, foul: Foul, tail: list[dict[str, Any]], board: str | None = None
    ) -> None:
        super().__init__(seed, day, foul, tail, board)
        self.seed, self.day, self.foul, self.tail, self.board = seed, day, foul, tail, board

    def __str__(self) -> str:
        on = f" --board {self.board}" if self.board else ""
        return (
            f"day {self.day} of seed {self.seed}, at {self.foul.ms} ms: {self.foul.what}. "
            f"Replay it: nimatron soak --seed {self.seed} --day {self.day}{on}\n"
            + "\n".join(["the last records of the trace:", *map(json.dumps, self.tail)])
        )

    def facts(self) -> dict[str, Any]:
        """Return the fault as one JSON object."""
        fault = {"ms": self.foul.ms, "what": self.foul.what, "trace": self.tail}
        return {"seed": self.seed, "fault": {"day": self.day} | fault}


def soak(
    seed: int,
    days: list[int],
    jobs: int = 1,
    progress: Callable[[float], None] = lambda days: None,
    files: Files | None = None,
    board: str | None = None,
) -> Report:
    """Run the days with these numbers on `jobs` cores. Raises Failed at the first failure.

    progress(days) is sometimes called with the number of completed days. For `files` and `board`,
    see SimulatedPico.
    """
    total = Report()
    if jobs == 1:
        for day in days:
            total.add(
                _day(seed, files, board, DAY_MS, day, lambda part: progress(total.days + part))
            )
        return total
    context = multiprocessing.get_context("spawn")
    with context.Pool(jobs, signal.signal, (signal.SIGINT, signal.SIG_IGN)) as pool:
        for report in pool.imap(partial(_day, seed, files, board, DAY_MS), days):
            total.add(report)
            progress(total.days)
    return total


def _day(
    seed: int,
    files: Files | None,
    board: str | None,
    ms: int,
    number: int,
    progress: Callable[[float], object] = lambda part: None,
) -> Report:
    day = Day(Random(f"{seed}/{number}"), files, board)
    failed = partial(Failed, seed, number, board=board)
    try:
        with stuck_after(_STUCK_S) as again:
            again()
            for now in day.visits(ms):
                again()
                progress(min(1, now / ms))
    except Foul as foul:
        raise failed(foul=foul, tail=list(day.tail)) from None
    except (Dark, Stuck) as why:
        raise failed(foul=Foul(day.pico.ms, str(why)), tail=list(day.tail)) from None
    except (Exception, Fault) as failure:  # a failure in the hardware or in this program
        last = traceback.extract_tb(failure.__traceback__)[-1]
        where = f"{Path(last.filename).name}, line {last.lineno}"
        broken = Foul(day.pico.ms, f"{type(failure).__name__} in {where}: {failure}")
        raise failed(foul=broken, tail=list(day.tail)) from failure
    finally:
        day.pico.power_off()  # a running CPU is never garbage-collected, and a year has many CPUs
    return day.report


class Day:
    """A day of operation: the Pico with its builder's settings, the referee, and the visitors."""

    def __init__(
        self, random: Random, files: Files | None = None, board: str | None = None
    ) -> None:
        self.random = random
        self._whole_again = 0  # the time when the last power cut ends, in us
        self._settings = {
            "game": random.choice(("nim", "nim", "nim", random.choice(games.names()))),
            "rule": random.choice(settings.RULES),
            "level": random.choice(opponent.NAMES),
            "display": random.choices(settings.DISPLAYS, (4, 2, 1))[0],  # pixels simulate slowly
            "idle_ms": random.choice((15_000, 30_000, 60_000)),
        }
        self.referee = referee = Referee(self._settings)
        self.report = Report(
            days=1, tally=referee.tally, starts=referee.starts, spent=referee.spent
        )
        self._usual = dict(self.referee.settings)
        self.tail: deque[dict[str, Any]] = deque(maxlen=_TAIL)
        seed = random.randint(1, 10**6)
        self._circuit = Circuit(display=self._settings["display"], seed=seed)
        self.pico = SimulatedPico(
            self._circuit,
            files,
            random.getrandbits(31),
            self._see,
            self._settings,
            board=board,
        )

    def _see(self, record: dict[str, Any]) -> None:
        self.tail.append(record)
        self.referee.see(record)

    def visits(self, end: int) -> Iterator[int]:
        """Simulate `end` ms, visit by visit, and yield the elapsed time in ms. Raises Foul."""
        pico, random = self.pico, self.random
        names, weights = list(_VISITORS), [weight for weight, _ in _VISITORS.values()]
        while pico.ms < end:
            hour = len(_BETWEEN_MS) * pico.ms // end
            pico.run(int(random.expovariate(1 / _BETWEEN_MS[hour])))
            name = random.choices(names, weights)[0]
            self.report.visits[name] += 1
            if random.random() < _CUT:
                self._plan_a_power_cut()
            noisy = random.random() < 0.2
            self._circuit.bounce.us = 1000 * (_NOISY_BOUNCE_MS if noisy else _BOUNCE_MS)
            _VISITORS[name][1](pico, random, self._settings)
            self._look_after()
            self.report.ms = pico.ms
            self.report.presses = self._circuit.presses
            yield pico.ms

    def _plan_a_power_cut(self) -> None:
        clock, random = self.pico.clock, self.random
        off = clock.now + random.randrange(_CUT_WITHIN_US)
        self._whole_again = off + random.randint(1000, 20_000_000)
        self.report.cuts += 1
        clock.call_at(off, self._cut)
        clock.call_at(self._whole_again, self._restore)

    def _cut(self) -> None:
        self.referee.look(self.pico.ms)
        self.referee.power(False)
        self.pico.state = "off"
        self.pico.power_off()  # must be the last line, because it ends the CPU that runs this code

    def _restore(self) -> None:
        self.referee.look(self.pico.ms)
        self.referee.power(True)
        self.pico.power_on()

    def _look_after(self) -> None:
        """Do the keeper's round after a visitor: sometimes correct the settings, and check the
        statistics. The keeper never switches the Pico off."""
        pico = self.pico
        pico.run_to(max(pico.clock.now, self._whole_again))
        pico.send_bytes(b"\n")
        patience_ms = int(self.referee.settings["maintenance_ms"]) + _PATIENCE_MS
        dark = "off", states.BOOT, states.MAINTENANCE
        pico.run_until(lambda: pico.state not in dark, patience_ms)
        pico.run(1500)  # until all earlier lines are answered
        if self.random.random() < _PUT_RIGHT:
            for line in ("quiet off", "watch off", "buttons off"):
                pico.ask(line)
            for name, value in self._usual.items():
                if self.referee.settings[name] != value:
                    pico.ask(f"set {name} {value}")
        answer = pico.ask("stats")
        if protocol.parse(answer)[:2] != (protocol.OK, "since"):
            raise Foul(pico.ms, f"asked for its statistics it said {answer}")
        self.referee.look(pico.ms)


def _number(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _said(name: str, value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{each} {_said(name, count)}" for each, count in sorted(value.items()))
    return f"{value / 3_600_000:.2f} h" if name.startswith("ms") else str(value)


def _expert(pico: SimulatedPico, random: Random, usual: Mapping[str, Any]) -> None:
    visitors.stay(pico, random, visitors.expert(usual["rule"] == "misere", random))


# name: (relative frequency, function of (pico, random, settings))
_Visit = Callable[[SimulatedPico, Random, Mapping[str, Any]], object]
_VISITORS: dict[str, tuple[int, _Visit]] = {
    "expert": (3, _expert),
    "learner": (3, lambda pico, random, _: visitors.stay(pico, random, visitors.learner(random))),
    "scholar": (4, lambda pico, random, its: visitors.Scholar(pico, random, its["game"]).visit()),
    "child": (
        2,
        lambda pico, random, _: visitors.mash(pico, random, random.randint(1000, 60_000)),
    ),
    "dabbler": (3, lambda pico, random, _: visitors.dabbler(pico, random)),
    "walker-away": (2, lambda pico, random, _: visitors.walker_away(pico, random)),
    "leaner": (1, lambda pico, random, _: visitors.leaner(pico, random)),
    "vandal": (1, lambda pico, random, _: visitors.vandal(pico, random)),
}
