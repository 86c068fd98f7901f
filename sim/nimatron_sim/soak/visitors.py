"""Visitors at the panel, who see only lamps and legends, and use only buttons."""

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any

from nimatron import board, bouton, games, opponent, settings, states
from nimatron.board import BUTTONS, GO, NEW
from nimatron.games.game import Game
from nimatron.states import MACHINE, PLAYER
from nimatron_sim.simulated_pico import SimulatedPico

SIGN_OF = {PLAYER: "you-win", MACHINE: "machine-wins"}
VERDICTS = set(SIGN_OF.values())
_PATIENCE_MS = 30_000  # how long a visitor waits for a machine that does nothing
_REFUSALS = 4  # refused presses until a visitor gives up
_THOUGHTS = 100  # a scholar's attempts to find a move
_HOLDS = 0.3  # the share of a scholar's presses that are long
_CONTENT = 0.6  # the share of moves that a scholar makes after finding them
_ASKED = VERDICTS | {"your-move"}  # the legends that answer a visitor

Move = tuple[int, int]  # row from 0, number of lamps
Thought = Callable[[Sequence[int]], Move]


def visit(pico: SimulatedPico, think: Thought) -> str:
    """Play until a verdict is lit, and return the verdict. think(rows) decides each move."""
    while True:
        pico.run_until(lambda: pico.legends & _ASKED)
        verdict = pico.legends & VERDICTS
        if verdict:
            return verdict.pop()
        make_move(pico, think(pico.rows))


def make_move(pico: SimulatedPico, move: Move) -> None:
    """Press a row once for each lamp, then GO."""
    row, take = move
    pico.tap(f"row{row + 1}", take)
    pico.tap(GO)


def expert(misere: bool, random: Random) -> Thought:
    """Return a player who knows Bouton's theory, and moves at random in a lost position."""

    def think(rows: Sequence[int]) -> tuple[int, int]:
        return random.choice(bouton.winning_moves(rows, misere) or moves(rows))

    return think


def learner(random: Random) -> Thought:
    """Return a player who knows only the rules."""
    return lambda rows: random.choice(moves(rows))


def moves(rows: Sequence[int]) -> list[Move]:
    """Return every legal move."""
    return [(row, take) for row, n in enumerate(rows) for take in range(1, n + 1)]


def mash(pico: SimulatedPico, random: Random, ms: int) -> None:
    """Press the buttons like a child with both hands on them, for about `ms`."""
    end = pico.ms + ms
    down: set[str] = set()
    while pico.ms < end:
        button = random.choice(BUTTONS)
        (pico.release if button in down else pico.press)(button)
        down ^= {button}
        pico.run(random.randint(1, 150))
    for button in sorted(down):
        pico.release(button)


def stay(
    pico: SimulatedPico, random: Random, think: Thought, moves: int | None = None
) -> str | None:
    """Play like `visit`, but first wake the exhibit, leave after `moves` moves, and do not wait
    forever if the power fails. Return the verdict, or None."""
    tried = 0
    seen = None
    pico.tap(NEW)
    while moves is None or moves > 0:
        if not wait(pico, lambda: pico.legends & _ASKED):
            return None
        verdict = pico.legends & VERDICTS
        if verdict:
            return verdict.pop()
        tried = tried + 1 if pico.rows == seen else 0
        if tried > _REFUSALS or not any(pico.rows):
            return None
        seen = pico.rows
        make_move(pico, think(seen))
        pico.run(random.randint(100, 4000))
        if moves is not None:
            moves -= 1
    return None


def wait(pico: SimulatedPico, condition: Callable[[], object]) -> bool:
    """Wait for a condition, but no longer than a person would. Return False if time runs out."""
    try:
        pico.run_until(condition, _PATIENCE_MS)
    except TimeoutError:
        return False
    return True


def walker_away(pico: SimulatedPico, random: Random) -> None:
    """Make a move or two, pick a lamp, and leave."""
    stay(pico, random, learner(random), random.randint(1, 2))
    pico.tap(random.choice(board.ROW_BUTTONS), random.randint(0, 2))
    pico.run(random.randint(0, 90_000))


def leaner(pico: SimulatedPico, random: Random) -> None:
    """Lean on a button for minutes, while another visitor plays with the other buttons."""
    button = random.choice(BUTTONS)
    pico.press(button)
    pico.run(random.randint(1000, 120_000))
    for _ in range(random.randint(0, 12)):
        pico.tap(random.choice([other for other in BUTTONS if other != button]))
    pico.run(random.randint(1000, 120_000))
    pico.release(button)


def dabbler(pico: SimulatedPico, random: Random) -> None:
    """Hold NEW for another game, and try the buttons."""
    pico.tap(NEW)
    for _ in range(random.randint(1, 12)):
        pico.hold(NEW)
    for _ in range(random.randint(5, 60)):
        if not wait(pico, lambda: pico.legends & _ASKED) or pico.legends & VERDICTS:
            return
        for _ in range(random.randint(1, 4)):
            row = random.choice(board.ROW_BUTTONS)
            (pico.hold if random.random() < 0.2 else pico.tap)(row)
        pico.tap(GO)


class Scholar:
    """A visitor who has read the rules of every game on the panel. The scholar steps from `usual`,
    the first game on offer, to another game, and plays it with random moves."""

    def __init__(self, pico: SimulatedPico, random: Random, usual: str) -> None:
        self._pico = pico
        self._random = random
        self._usual = usual

    def visit(self) -> None:
        pico = self._pico
        if not wait(pico, lambda: pico.state == states.ATTRACT):
            return
        pico.tap(NEW)
        steps = self._random.choice((0, self._random.randrange(len(games.names()))))
        for _ in range(steps):
            pico.hold(NEW)
        at = games.names().index(self._usual) + steps
        game = games.find(games.names()[at % len(games.names())])
        positions: Iterable[Any] = list(map(game.placed_on_panel, game.openings))
        while True:
            position = self._see(game, positions)
            presses = position and self._presses(game, position)
            if not presses:
                return
            option, hands = presses
            for hand, row in hands:
                hand(BUTTONS[row])
            pico.tap(GO)
            positions = list(game.options(option))

    def _see(self, game: Game, positions: Iterable[Any]) -> Any:
        """Wait for the visitor's turn. Return the position that the lamps show, or None."""
        pico = self._pico
        shown = {game.picture(position): position for position in positions}
        if not wait(pico, lambda: pico.legends & _ASKED):
            return None
        return shown.get(tuple(pico.lamps))

    def _presses(
        self, game: Game, position: Any
    ) -> tuple[Any, list[tuple[Callable[[str], None], int]]] | None:
        """Return the position after a random move, and its presses as (tap or hold, row)."""
        random = self._random
        for _ in range(_THOUGHTS):
            draft = game.empty_draft(position)
            hands: list[tuple[Callable[[str], None], int]] = []
            for _ in range(random.randint(1, 8)):
                row = random.randrange(board.ROWS)
                hold = random.random() < _HOLDS
                after = game.press(position, draft, row)
                if after is not None and hold:
                    after = game.long_press(position, after, row)
                if after is None:
                    continue
                draft = after
                hands.append((self._pico.hold if hold else self._pico.tap, row))
                option = game.option_of(position, draft)
                if option is not None and random.random() < _CONTENT:
                    return option, hands
        return None


def vandal(pico: SimulatedPico, random: Random) -> None:
    """Find the console and type commands that upset the machine or change its play. The `display`
    setting stays correct."""
    for _ in range(random.randint(1, 40)):
        pico.send_bytes(random.choice(_VANDALISM)(random))
        pico.run(random.choice((0, 1, 10, 100, 1000)))
    pico.send_bytes(b"\n")
    pico.run(1000)


_ANNOYING = (
    "help,status,why,hint,stats,log,log clear,version,settings,games,machine,buttons,solve nim 3 4"
    ",new,new 3 4 5,new 7 7 7 7,new 9,new 0,take 1 1,take 2 3,take 4 7,take -1 x,play 0,play 1 1 1"
    ",press row1,press row2,press go,press new,press x,hold row3,hold new,lamps test,lamps"
    ",seed 5,set colour red,set think_ms -1,rule maybe,level godlike,game chess,machine hal"
    ",watch on,watch off,buttons on,buttons off,test coin,stats begin"
    ",quiet on,quiet off,quiet perhaps,maintenance,reboot"
)


def setting(random: Random) -> str:
    """Return a line that sets a setting to an allowed or forbidden value."""
    name, _, allowed = random.choice([row for row in settings.TABLE if row[0] != "display"])
    some = random.choice(allowed)
    if isinstance(allowed, list):
        some = ",".join(random.sample(allowed, random.randint(1, 3)))
    return random.choice(
        (
            f"set {name} {some}",
            f"set {name} {some}",
            f"set {name} {random.choice(('', 'red', -1, 10**9))}",
            f"level {random.choice(opponent.NAMES)}",
            f"rule {random.choice(settings.RULES)}",
            f"game {random.choice(games.names())}",
            f"machine {random.choice(settings.MACHINES)}",
        )
    )


_VANDALISM = (
    lambda random: setting(random).encode() + b"\n",
    lambda random: b"stats begin %d" % random.randrange(10**9) + b"\n",  # a new word each time
    lambda random: random.choice(_ANNOYING.split(",")).encode() + b"\n",
    lambda random: random.choice(_ANNOYING.split(",")).encode() + b"\n",
    lambda random: random.randbytes(random.randint(1, 60)),
    lambda random: b"take " * random.randint(60, 900) + b"\n",
    lambda random: bytes([random.choice((0, 3, 4, 1, 2, 5, 13, 27, 127, 255))]),
)
