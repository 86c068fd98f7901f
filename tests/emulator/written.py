"""Random scripts: the recorded actions of visitors at a simulated Pico.

The visitors see its lamps and legends, and react a few hundred ms later. They do not know the
firmware.

A real Pico reacts later than a simulated Pico, so a press may come just before an event on one
Pico and just after it on the other. From then on, the two would differ by chance. Such a press is
delayed by a few ms.
"""

from random import Random

import compare
from diary import Diary
from nimatron import games, opponent
from nimatron.board import BUTTONS
from nimatron_sim.simulated_pico import SimulatedPico
from nimatron_sim.soak import visitors

SETTINGS = {"display": "matrix"}  # as on every tier
BOOTED_MS = 2000  # every tier has booted by then
_REACTION_MS = 200, 900
_ANSWERED_MS = 300, 2000
_TYPED_MS = 10, 300  # actions at the same instant are done in any order
_CABLE_US = 2000
_ATTEMPTS = 200
_NEAR = 1, 1, 0, 0, 0, -1, -2, -3  # from the last action when two Picos differ to its cause

# Without `watch on`, which repeats the other records, and commands about the Pico's memory.
_COMMANDS = (
    "help", "help take", "status", "why", "hint", "stats", "log", "settings", "games", "machine",
    "games wythoff", "buttons", "solve nim 3 4", "new", "new 3 4 5", "new 7 7 7 7", "new 9",
    "new 0", "take 1 1", "take 2 3", "take 4 7", "take -1 x", "play 0", "play 1 1 1", "press row1",
    "press row2", "press go", "press new", "press x", "hold row3", "hold new", "lamps test",
    "lamps", "version", "set colour red", "set think_ms -1", "rule maybe", "level godlike",
    "game chess", "machine hal", "stats begin monday", "staus", "test coin", "quiet perhaps",
    "quiet on", "quiet off",
)  # fmt: skip


class Visited(Diary):
    """A simulated Pico with visitors. `put_off` is {number of an action: its delay in ms}."""

    def __init__(self, random, put_off):
        super().__init__(settings=SETTINGS)
        self.random = random
        self.moments = []  # the times of the actions
        self.usual = "nim"
        self.typing = 0  # the chance of a typed line at a press
        self._put_off = put_off

    def run_until(self, condition, patience_ms=120_000):
        """Run as usual, and then react as fast as people do."""
        super().run_until(condition, patience_ms)
        self.run(self.random.randint(*_REACTION_MS))

    def press(self, button):
        if self.random.random() < self.typing:
            self.send(self.random.choice(_COMMANDS))
            self.run(self.random.randint(*_TYPED_MS))
        super().press(button)

    def type(self, line):
        self.send(line)
        self.run(self.random.randint(*_ANSWERED_MS))

    def _write(self, verb, argument):
        self.run(self._put_off.get(len(self.moments), 0))
        super()._write(verb, argument)
        self.moments.append(self.ms)


# ---------------------------------------------------------------------- visitors


def _learner(pico, random):
    visitors.stay(pico, random, visitors.learner(random))


def _expert(pico, random):
    visitors.stay(pico, random, visitors.expert(True, random))


def _scholar(pico, random):
    visitors.Scholar(pico, random, pico.usual).visit()


def _child(pico, random):
    visitors.mash(pico, random, random.randint(1000, 20_000))


def _friends(pico, random):
    pico.type(f"set players {random.randint(2, 4)}")
    visitors.stay(pico, random, visitors.learner(random))
    pico.type("set players 1")


def _attendant(pico, random):
    for _ in range(random.randint(3, 12)):
        pico.type(random.choice((random.choice(_COMMANDS), visitors.setting(random))))


def _power_cut(pico, random):
    """Let the power fail during a match, and come back."""
    visitors.stay(pico, random, visitors.learner(random), random.randint(1, 3))
    pico.switch("off")
    pico.run(random.randint(10, 3000))
    pico.switch("on")
    pico.run(BOOTED_MS)


def _restart(pico, random):
    _child(pico, random)
    pico.type("reboot")
    pico.run(BOOTED_MS)


def _technician(pico, random):
    """Test the panel in maintenance mode."""
    pico.type("maintenance")
    pico.run(random.randint(BOOTED_MS, 10_000))
    for _ in range(random.randint(1, 10)):
        pico.tap(random.choice(BUTTONS))
        pico.run(random.randint(100, 1000))
    for what in ("lamp 2 3", "legend you-win", "sound 440", "coin", "off"):
        pico.type(f"test {what}")
    pico.type("reboot")
    pico.run(BOOTED_MS)


VISITORS = (
    _learner,
    _expert,
    _scholar,
    _scholar,
    _child,
    visitors.dabbler,
    visitors.walker_away,
    visitors.leaner,
    _friends,
    _attendant,
    _power_cut,
    _restart,
    _technician,
)


# ---------------------------------------------------------------------- writing


def written(seed, least_ms, whom=VISITORS):
    """Return a script of at least `least_ms`, which depends only on `seed`."""
    random, put_off = Random(f"put off {seed}"), {}
    for _ in range(_ATTEMPTS):
        pico = _visited(Random(seed), put_off, least_ms, whom)
        text = pico.script
        parted = [ms for ms in [_parted(pico, text, pace) for pace in _PACES] if ms is not None]
        if not parted:
            return text
        number = max([0] + [n for n, ms in enumerate(pico.moments) if ms <= min(parted)])
        number += random.choice(_NEAR)
        put_off[number] = put_off.get(number, 0) + random.randint(5, 70)
    raise AssertionError(f"script {seed} is still ambiguous at {min(parted)} ms")


def _visited(random, put_off, least_ms, whom):
    """Return a Pico after its visitors."""
    pico = Visited(random, put_off)
    pico.run(BOOTED_MS)
    while pico.ms < least_ms:
        pico.usual = random.choice(("nim", random.choice(games.names())))
        for line in (
            "quiet off",
            f"seed {random.randrange(10**6)}",  # or else the random numbers differ after a start
            "set idle_ms 15000",
            f"level {random.choice(opponent.NAMES)}",
            f"game {pico.usual}",
        ):
            pico.type(line)
        pico.typing = random.choice((0, 0, 0.1))
        random.choice(whom)(pico, random)
        pico.typing = 0
        pico.run(random.randint(0, 10_000))
    pico.type("quiet off")
    pico.type("set idle_ms 15000")
    pico.type("new")
    pico.run_until(lambda: pico.state == "attract")
    pico.run(1000)
    return pico


def _parted(pico, text, takes_us):
    """Return the times in ms at which a slower Pico shows something different."""
    slow = _Slow(settings=SETTINGS, takes_us=takes_us)
    slow.play(text)
    slow.power_off()
    parted = compare.difference(text, pico.trace, slow.trace)
    return parted and parted[0]


class _Slow(SimulatedPico):
    """A simulated Pico whose USB host sends a line in the frame after the next."""

    def send(self, line):
        self.clock.call_at(self.clock.now + _CABLE_US, super().send, line)


_LOADED = "advice commands logs machines settings setup_commands"
_LOADS = ("collect", *[f"import nimatron.{name}" for name in _LOADED.split()])


def _pace(turn_us, collect_us, game_us):
    """Return the times that a Pico takes for three kinds of work: a task's turn or a byte read, a
    collection or a module for one answer, and a module of a game."""

    def takes_us(what):
        if what in ("turn", "read"):
            return turn_us
        if what in _LOADS:
            return collect_us
        return game_us if what.startswith("import nimatron.games.") else 0

    return takes_us


# From faster than the emulated Pico to slower than it.
_PACES = (
    _pace(200, 15_000, 10_000),
    _pace(700, 40_000, 30_000),
    _pace(1500, 55_000, 60_000),
    _pace(3000, 55_000, 60_000),
)
