"""Decision: all 4096 positions under both rules, ours beside OpenSpiel, easyAI and the textbook.

A decision is from the row counts to a move: the states that a library wants are made within it.
An exhaustive search (tests/oracle.py) judges: where the mover can win, a move that does not is
wrong; where not, any legal move or None is right; on the empty board only None is.
"""

import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import combinations_with_replacement, permutations
from pathlib import Path

import oracle
from bench import emulated
from bench.measure import Figure, Ratio, TooLong, at_most, cpu, exact, figure, side_by_side
from bench.on_pico import textbook
from bench.report import Goal, Section, Table, number
from nimatron import bouton
from nimatron_sim import firmware
from nimatron_sim.errors import TierUnavailable
from nimatron_sim.vm import vm

ON_PICO = Path(__file__).parent / "on_pico"
ALL = len(oracle.POSITIONS) * 2
ROUNDS = 7
IN_TIME_S = 1.0  # of CPU time, for one decision
_US = 1e6

Rows = tuple[int, ...]
Move = tuple[int, int] | None
Decide = Callable[[Rows, bool], Move]


def is_wrong(move: Move, rows: Rows, misere: bool) -> bool:
    winning = oracle.winning_moves(rows, misere)
    if winning:
        return move not in winning
    return move is not None and move not in {legal for legal, _ in oracle.moves(rows)}


def tally(decide: Decide, positions: Iterable[Rows] = oracle.POSITIONS) -> int:
    """At how many of them, under both rules, it is wrong."""
    return sum(is_wrong(decide(rows, m), rows, m) for rows in positions for m in (True, False))


# ---------------------------------------------------------------------- contestants


def ours(rows: Rows, misere: bool) -> Move:
    """The first of the winning moves; the firmware finds them all."""
    moves = bouton.winning_moves(rows, misere)
    return moves[0] if moves else None


def of_lists(decide: Callable[[list[int], bool], Move]) -> Decide:
    return lambda rows, misere: decide(list(rows), misere)


@dataclass
class Spiel:
    """OpenSpiel's nim. A position is reached from 7-7-7-7 by a move in each row: its states know
    no other way."""

    misere: bool
    solve: bool = True

    def __post_init__(self):
        try:
            import pyspiel
            from open_spiel.python.algorithms import minimax, minimax_solver
        except ImportError as why:
            raise TierUnavailable(f"no {why.name}: pip install 'nimatron[bench]'") from None
        name = f"nim(is_misere={self.misere},pile_sizes=7;7;7;7)"
        self.game = pyspiel.load_game(name)
        self.table = minimax_solver.MinimaxSolver(name)
        self.alpha_beta = minimax.alpha_beta_search
        if self.solve:
            self.table.solve()

    def state(self, rows):
        state = self.game.new_initial_state()
        for row, n in enumerate(rows):
            if n < 7:
                state.apply_action((7 - n - 1) * len(rows) + row)
        return state

    def by_table(self, rows):
        state = self.state(rows)
        if state.is_terminal():
            return None
        return self._move(int(self.table.action_values_from_state(state).argmax()))

    def by_alpha_beta(self, rows):
        state = self.state(rows)
        if state.is_terminal():
            return None
        _, action = self.alpha_beta(self.game, state=state)
        return self._move(action)

    @staticmethod
    def _move(action):
        return action % 4, action // 4 + 1


class Easy:
    """easyAI's own game of Nim, which is misère; normal play is the other way to score it. Its
    Negamax sees to the end, with a table of what it has seen, new each time or kept."""

    def __init__(self):
        try:
            from easyAI import Negamax
            from easyAI.AI import TranspositionTable
            from easyAI.games.Nim import Nim
        except ImportError as why:
            raise TierUnavailable(f"no {why.name}: pip install 'nimatron[bench]'") from None

        class Normal(Nim):
            def scoring(self):
                return -100 if self.win() else 0

        self._games = {True: Nim, False: Normal}
        self._negamax, self._table = Negamax, TranspositionTable
        self._kept = {
            misere: Negamax(29, win_score=80, tt=self._table()) for misere in self._games
        }

    def new(self, rows, misere):
        think = self._negamax(sum(rows) + 1, win_score=80, tt=self._table())
        return self._ask(think, rows, misere)

    def kept(self, rows, misere):
        return self._ask(self._kept[misere], rows, misere)

    def _ask(self, think, rows, misere):
        game = self._games[misere](piles=rows)
        if game.is_over():
            return None
        row, take = think(game).split(",")
        return int(row) - 1, int(take)


# ---------------------------------------------------------------------- on CPython


@dataclass
class Result:
    name: str
    us: Figure
    wrong: int
    late: int = 0  # positions not in time
    before_s: float = 0.0  # once, beforehand
    note: str = ""


def quick(contestants: dict[str, tuple[Callable, type]]) -> dict[str, Figure]:
    """Microseconds a decision of those that decide all positions in no time."""

    def all_of(decide, kind):
        asked = [kind(rows) for rows in oracle.POSITIONS]

        def run():
            for misere in (True, False):
                for rows in asked:
                    decide(rows, misere)

        return run

    runs = {name: all_of(decide, kind) for name, (decide, kind) in contestants.items()}
    taken = side_by_side({"nothing": all_of(lambda rows, misere: None, tuple), **runs}, ROUNDS)
    nothing = taken.pop("nothing").median
    return {
        name: figure([(seconds - nothing) / ALL * _US for seconds in spent.rounds])
        for name, spent in taken.items()
    }


def boards() -> list[tuple[Rows, int]]:
    """The 330 boards that differ in more than the order of their rows, few lamps first, and in
    how many orders there is each."""
    found = [
        (rows, len(set(permutations(rows)))) for rows in combinations_with_replacement(range(8), 4)
    ]
    return sorted(found, key=lambda board: sum(board[0]))


def slow(name: str, decide: Decide, in_time_s: float = IN_TIME_S, among=None) -> Result:
    """One that searches: a board of each kind, which stands for those in another order. What has
    a lamp more than one that took too long would take longer."""
    times: list[float] = []
    wrong = late = 0
    for misere in (True, False):
        too_long: list[Rows] = []
        for rows, orders in among or boards():
            if any(all(a <= b for a, b in zip(small, rows, strict=True)) for small in too_long):
                late += orders
                continue
            try:
                with at_most(in_time_s):
                    begin = time.process_time()
                    move = decide(rows, misere)
                    spent = time.process_time() - begin
            except TooLong:
                too_long.append(rows)
                late += orders
                continue
            times += [spent * _US] * orders
            wrong += orders * is_wrong(move, rows, misere)
    mean = statistics.fmean(times)
    return Result(name, Figure(mean, min(times), max(times)), wrong, late)


def on_cpython(say: Callable[[str], None]) -> tuple[list[Result], list[str]]:
    field = {
        "ours, all winning moves": (bouton.winning_moves, tuple),
        "tutorial": (textbook.tutorial, list),
        "tutorial, tuned: a loop for reduce": (textbook.tutorial_with_a_loop, list),
        "encyclopedia": (textbook.encyclopedia, list),
    }
    wrong = {
        "ours, all winning moves": tally(ours),
        "tutorial": tally(of_lists(textbook.tutorial)),
        "tutorial, tuned: a loop for reduce": tally(of_lists(textbook.tutorial_with_a_loop)),
        "encyclopedia": tally(of_lists(textbook.encyclopedia)),
    }
    before = dict.fromkeys(field, 0.0)
    missing = []
    searchers: dict[str, Decide] = {}
    name = "OpenSpiel, its MinimaxSolver's table"
    try:
        solved: dict[bool, Spiel] = {}
        before[name] = cpu(lambda: solved.update({m: Spiel(m) for m in (True, False)}))
        decide = lambda rows, misere: solved[misere].by_table(rows)  # noqa: E731
        field[name], wrong[name] = (decide, tuple), tally(decide)
        searchers["OpenSpiel, its alpha-beta search"] = lambda rows, misere: solved[
            misere
        ].by_alpha_beta(rows)
    except TierUnavailable as why:
        missing.append(f"OpenSpiel: {why}")
    name = "easyAI, Negamax with a table kept"
    try:
        easy = Easy()
        before[name] = cpu(lambda: wrong.update({name: tally(easy.kept)}))
        field[name] = easy.kept, tuple
        searchers["easyAI, Negamax with a new table"] = easy.new
    except TierUnavailable as why:
        missing.append(f"easyAI: {why}")
    say("decisions on CPython, the quick ones")
    times = quick(field)
    results = [Result(name, us, wrong[name], before_s=before[name]) for name, us in times.items()]
    for name, decide in searchers.items():
        say(f"decisions on CPython: {name}")
        results.append(slow(name, decide))
    return results, missing


# ---------------------------------------------------------------------- on MicroPython

NAMES = {
    "ours": "ours, all winning moves",
    "tutorial": "tutorial",
    "loop": "tutorial, tuned: a loop for reduce",
    "encyclopedia": "encyclopedia",
    "ours-turn": "ours, a whole turn",
    "tutorial-turn": "tutorial, a whole turn of its own",
    "same-job-turn": "tutorial, a whole turn at our job",
    "same-dice-turn": "tutorial, at our job with our dice",
}


def raced(lines: Iterable[str]) -> dict[str, list[list[float]]]:
    """What race.py has printed: name: [[decisions, us, ...], ...]."""
    found: dict[str, list[list[float]]] = {}
    for line in lines:
        word, *rest = line.split()
        if word == "race":
            found.setdefault(rest[0], []).append([float(one) for one in rest[1:]])
    return found


def on_vm() -> dict[str, Figure]:
    """Microseconds a decision on the MicroPython VM; raises TierUnavailable."""
    code = f"import time, race; race.run(lambda: time.clock() * 1e6, 1, 1, {ROUNDS})"
    lines = raced(vm.run("-c", code, folder=ON_PICO, heap=2_000_000).splitlines())
    nothing = statistics.median(us / count for count, us in lines.pop("nothing"))
    return {
        name: figure([us / count - nothing for count, us in rounds])
        for name, rounds in lines.items()
    }


_MAIN = """
import gc
import time
import race
gc.disable()
race.one_by_one(time.ticks_us, {stride}, {turns})
while True:
    print("end")
    time.sleep_ms(50)
"""


def on_emulator(stride: int = 3, turns: int = 29) -> dict[str, tuple[float, float, int, int]]:
    """On the emulated RP2040, all compiled the same way: name: (mean us, worst us, at how many
    it was quicker than ours, of how many)."""
    race = {f"{name}.py": ON_PICO / f"{name}.py" for name in ("race", "textbook")}
    files = firmware.files() | race
    said = emulated.run_until_end(_MAIN.format(stride=stride, turns=turns), files)
    lines = raced(said)
    ((count, us, *_),) = lines.pop("nothing")
    nothing = us / count
    return {
        name: (us / count - nothing, worst - nothing, int(quicker), int(count))
        for name, ((count, us, worst, quicker),) in lines.items()
    }


# ---------------------------------------------------------------------- the section


@dataclass
class Measured:
    results: list[Result]  # on CPython
    virtual: dict[str, Figure]  # on the VM
    missing: list[str]


def measure(say: Callable[[str], None]) -> Measured:
    """What takes this computer's time."""
    results, missing = on_cpython(say)
    say("decisions on the MicroPython VM")
    virtual: dict[str, Figure] = {}
    try:
        virtual = on_vm()
    except TierUnavailable as why:
        missing.append(f"MicroPython VM: {why}")
    return Measured(results, virtual, missing)


def section(measured: Measured, emulator: dict | None) -> Section:
    """emulator: what on_emulator() has found, None without an image."""
    results, virtual, missing = measured.results, measured.virtual, list(measured.missing)
    if emulator is None:
        missing.append("emulated RP2040: there is no image, get it with: nimatron image")
    base = results[0].us.median
    table = Table(
        ("on CPython", "us a decision", "spread", "x ours", "wrong", "not in 1 s", "beforehand, s")
    )
    for one in results:
        searched = one.us.most > 50 * one.us.least
        table.rows.append(
            (
                one.name,
                one.us.median,
                f"{number(one.us.least)} to {number(one.us.most)}" if searched else one.us.spread,
                one.us.median / base,
                f"{one.wrong:,}",
                f"{one.late:,}",
                one.before_s or "-",
            )
        )
    pico = Table(
        (
            "on MicroPython",
            "VM, us",
            "x ours",
            "RP2040, us",
            "worst",
            "cycles",
            "x ours",
            "quicker than ours at",
        )
    )
    for key in NAMES:
        base_key = "ours-turn" if key.endswith("turn") else "ours"
        row: list[object] = [NAMES[key]]
        if key in virtual:
            us = virtual[key].median
            row += [us, us / virtual[base_key].median]
        else:
            row += ["-", "-"]
        if emulator and key in emulator:
            us, worst, quicker, count = emulator[key]
            row += [us, worst, us * 125, us / emulator[base_key][0]]
            row += ["-" if key == base_key else f"{quicker:,} of {count:,}"]
        else:
            row += ["-"] * 5
        pico.rows.append(row)
    parts: list[str | Table] = [
        "A decision leads from the row counts to a move. All 4096 boards are decided under both "
        "rules, and judged by exhaustive search. The time of a decision includes making the "
        "states that a library needs, as its users must; one-time computation is listed as "
        "beforehand. The tutorial considers misère play only when only ones are left, one move "
        "too late; the encyclopedia takes 0 lamps from an empty board. Each search gets one "
        "second of CPU time; it runs on one order of the rows, which stands for all, and its "
        "spread is from the quickest to the slowest decision.",
        table,
        "The firmware's rule lists all winning moves, for the dice to choose from; the textbook "
        "stops at the first. All candidates are compiled to .mpy; the cost of the call is "
        "subtracted, and garbage is collected outside the measurement. MicroPython has no "
        "functools, so reduce is a function in Python, as in micropython-lib. Our whole turn "
        "refuses a finished board, lets the dice choose among all winning moves, and resists in a "
        "lost position; the tutorial's own makes the first winning move, or a random one. At our "
        "job it does the same as ours, first with MicroPython's random numbers, then with our "
        "dice.",
        pico,
    ]
    if missing:
        parts.append("Not measured: " + "; ".join(missing) + ".")
    return Section("Decision", parts, goals(results, virtual, emulator))


def worst_of(ratios: dict[str, Ratio]) -> str:
    """The one to judge by where all should reach 1: the least that misses it for sure, else the
    least of those within the noise, else the least."""
    order = (False, None, True)
    return min(ratios, key=lambda name: (order.index(ratios[name].reaches(1)), ratios[name]))


def goals(results: list[Result], virtual: dict, emulator: dict | None) -> list[Goal]:
    by_name = {one.name: one for one in results}
    mine = by_name[NAMES["ours"]]

    def ratios_to(*keys):
        ratios = {}
        for key in keys:
            ratios[f"CPython, {key}"] = by_name[NAMES[key]].us.over(mine.us)
            if virtual:
                ratios[f"VM, {key}"] = virtual[key].over(virtual["ours"])
            if emulator:
                ratios[f"RP2040, {key}"] = exact(emulator[key][0] / emulator["ours"][0])
        return ratios

    ratios, tuned = ratios_to("tutorial", "encyclopedia"), ratios_to("loop")
    least, least_tuned = worst_of(ratios), worst_of(tuned)
    most_wrong = max(one.wrong for one in results)
    found = [
        Goal(
            "the rule against the textbook's",
            "never slower",
            f"{ratios[least].median:.2f} times as fast at least ({least})",
            ratios[least].reaches(1),
            "a textbook that stops at the first winning move does less; stop there too",
            ratios[least],
        ),
        Goal(
            "the rule against the tutorial with a loop for reduce",
            "never slower",
            f"{tuned[least_tuned].median:.2f} times as fast at least ({least_tuned})",
            tuned[least_tuned].reaches(1),
            "the tutorial stops at the first winning move and considers misère play too late; a "
            "correct rule has to count the large heaps",
            tuned[least_tuned],
        ),
        Goal(
            "right where others err",
            "0 wrong",
            f"{mine.wrong} of {ALL:,} wrong; the worst of the others {most_wrong:,}",
            mine.wrong == 0,
        ),
    ]
    libraries = {
        one.name: one.us.over(mine.us)
        for one in results
        if one.name.startswith(("OpenSpiel", "easyAI")) and one.us.rounds
    }
    if libraries:
        closest = worst_of(libraries)
        found.append(
            Goal(
                "the rule against OpenSpiel and easyAI",
                "never slower",
                f"{libraries[closest].median:.1f} times as fast at least ({closest})",
                libraries[closest].reaches(1),
                "it is a look-up in a table against arithmetic",
                libraries[closest],
            )
        )
    if virtual or emulator:
        turns = {}
        if virtual:
            turns["VM"] = virtual["same-dice-turn"].over(virtual["ours-turn"])
        if emulator:
            turns["RP2040"] = exact(emulator["same-dice-turn"][0] / emulator["ours-turn"][0])
        worst = worst_of(turns)
        found.append(
            Goal(
                "a whole turn against the tutorial's at the same job",
                "never slower",
                f"{turns[worst].median:.2f} times as fast ({worst})",
                turns[worst].reaches(1),
                _what_costs(emulator),
                turns[worst],
            )
        )
    return found


def _what_costs(emulator):
    """What ours does in a turn that the tutorial's at the same job does not, and its worth."""
    words = "ours makes a new position of each winning move"
    worth = (
        "because all games share that interface: one opponent, one `why` and one console for all "
        "of them; nobody notices, because the machine thinks for two seconds"
    )
    if not emulator:
        return f"{words}, {worth}"
    ours, same, random = [
        emulator[key][0] for key in ("ours-turn", "same-dice-turn", "same-job-turn")
    ]
    return (
        f"{words}, for {ours - same:.0f} us on the RP2040, {worth}. Both roll our dice, which "
        f"cost {same - random:.0f} us more than MicroPython's random numbers: they multiply "
        "beyond small integers: for that, the same seed gives the same game on every tier, and a "
        "recorded visit can be replayed"
    )
