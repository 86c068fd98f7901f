"""A referee, which watches an exhibit's trace, applies the rules of all games, and trusts nothing.

It sees only trace records (see trace.py) and changes of the power. Console commands can change
the game in the middle of an opening, unseen on the panel. Therefore, the referee keeps a set of
all possible matches, and removes each match that turns out wrong.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from nimatron import board, games, machines, protocol, states
from nimatron.games.game import Game
from nimatron.settings import TABLE
from nimatron.states import ABANDONED, MACHINE, OUTCOMES, PLAYER

CUT_SHORT = "cut short"  # matches ended by a power cut or a reset, which the Pico does not count
AMONG_PEOPLE = "among people"  # matches without the machine, which the Pico does not count either
UNHEARD = "unheard"  # matches that the Pico counted in quiet mode
LOST = "lost"  # matches counted but not yet saved when the power went or the Pico was reset
NOT_COUNTED = CUT_SHORT, LOST, AMONG_PEOPLE
DARK_MS = 10_000  # a longer time without any light is a fault

_AGAIN = "again"  # a state of the referee's own: the match begins again without the loser
_GAMES = ("games",)  # a key in the expected statistics
_ALL_DARK = list(board.DARK)
_FAILURES = ("crash", "hang")
_UNSAVED_MS = 61_000  # until a count is saved: a minute, a coin, and a reset with its boot line

Words = dict[str, str]  # the words in an event or an answer, by key
Numbers = Counter[tuple[str, ...]]
Begun = tuple[Game, bool, Any]  # a possible match: the game, whether it is misère, the position


class Foul(Exception):
    """The exception for a fault of the exhibit, which happened `ms` after the first power-on."""

    def __init__(self, ms: int, what: str) -> None:
        super().__init__(ms, what)
        self.ms = ms
        self.what = what


class Referee:
    """A referee. Call `see` with each trace record from a Pico that has these `settings`.

    Raises Foul. `tally` counts the matches by outcome and by (game, outcome), the moves, and how
    often the statistics were right. `starts` counts the Pico's starts by reason, and `spent` the
    time in ms for each state. `settings` contains the current settings, by name, as text.
    """

    def __init__(self, settings: Mapping[str, object]) -> None:
        self.tally: Counter[Any] = Counter()
        self.starts: Counter[str] = Counter()
        self.spent: Counter[str] = Counter()
        self.settings = {name: str(default) for name, default, _ in TABLE}
        self.settings.update({name: str(value) for name, value in settings.items()})
        self._senses: dict[str, Callable[[Any], None]] = {
            "lamps": self._see_lamps,
            "legends": self._see_legends,
            "sound": self._hear_sound,
            "console": self._hear,
        }
        self._chosen: dict[str, str] = {}  # the game and the level for this visit
        self._events: dict[str, Callable[[Words], None]] = {
            "boot": self._boot,
            "state": self._enter,
            "game": self._choose,
            "level": self._chosen.update,
            "move": self._move,
            "over": self._over,
            "out": self._out,
            "abandoned": self._abandon,
        }
        self._games: dict[str, Game] = {}
        self._ms = 0
        self._powered = True
        self._booted = False  # True after the Pico has sent its boot line
        self._mode: str | None = None
        self._asked = False  # True if maintenance was requested
        self._state = "off"
        self._quiet = False
        self._lost = False  # True if quiet mode has hidden the match, until the next attract mode
        self._lamps = _ALL_DARK
        self._sound_ms = 0  # the time when the last sound began
        self._legends: list[str] = []
        self._dark_since: int | None = 0
        self._begun = "unknown"  # the word for the start of the statistics
        # The least and the greatest numbers in the statistics, see _read_statistics.
        self._least: Numbers = Counter()
        self._most: Numbers = Counter()
        self._unsaved: list[tuple[int, Numbers]] = []  # the latest counts, with their times
        self._untold = 0  # starts that were cut off before the boot line, which may be counted
        self._stopped_ms: int | None = None  # the time of Ctrl-C in maintenance, or of a power cut
        self._unheard = False  # True if the Pico may have counted matches in quiet mode
        self._due: list[list[int]] = []  # one of these pictures must show at the end of the moment
        self._may_be: set[Begun] = set()  # the possible matches, and their positions
        self._began: set[Begun] = set()  # the possible matches before the first move
        self._moves = 0
        self._last: str | None = None  # the player who moved last

    def see(self, record: dict[str, Any]) -> None:
        self.look(record["ms"])
        for what, value in record.items():
            if what in self._senses:
                self._senses[what](value)

    def look(self, ms: int) -> None:
        """Record that nothing has changed up to `ms`."""
        if ms == self._ms:
            return
        if self._due:
            due = self._due
            self._due = []
            if list(self._lamps) not in due:
                self._foul(
                    f"the lamps show {self._lamps}, they should show {' or '.join(map(str, due))}"
                )
        self.spent["quiet" if self._quiet else self._state] += ms - self._ms
        self._ms = ms
        if self._dark_since is not None and ms - self._dark_since > DARK_MS:
            self._foul(f"it has been dark since {self._dark_since} ms")

    def power(self, on: bool) -> None:
        """Record that the power is switched on or off."""
        self._powered = on
        self._asked = False
        if not on:
            self._stop()
            self._start_over()
            self._untold += not self._booted
            self._state = "off"
        self._booted = False
        self._see_darkness()

    # ------------------------------------------------------------------ eyes

    def _see_lamps(self, masks: list[int]) -> None:
        self._lamps = masks
        self._see_darkness()

    def _see_legends(self, names: list[str]) -> None:
        self._legends = names
        self._see_darkness()

    def _see_darkness(self) -> None:
        lit = any(self._lamps) or self._legends
        if lit or not self._powered or self._mode == states.MAINTENANCE:
            self._dark_since = None
        elif self._dark_since is None:
            self._dark_since = self._ms

    # ------------------------------------------------------------------ ears

    def _hear_sound(self, hz: int) -> None:
        if hz:
            self._sound_ms = self._ms

    def _hear(self, line: str) -> None:
        kind, what, words = protocol.parse(line)
        if kind == "stopped.":
            self._stop()
        if kind == protocol.OK:
            for word, notice in (
                ("saved", self._set),
                ("quiet", self._hush),
                ("restarting", self._restarts),
                ("since", self._check_statistics),
                ("picked", self._hear_status),
            ):
                if word in words:
                    notice(words)
                    return
        elif kind == protocol.EVENT and (not self._lost or what in ("boot", "state")):
            hear = self._events.get(what)
            if hear:
                hear(words)

    def _boot(self, words: Words) -> None:
        self._start_over()
        self._lose_unsaved()
        self._booted = True
        self._mode = words["mode"]
        self._see_darkness()
        self._quiet = self._lost = False
        if self._mode == states.MAINTENANCE and not self._asked:
            self._foul("it is in maintenance without a request")
        self._asked = False
        self.starts[words["why"]] += 1
        self._book(Counter([("resets", words["why"])]))
        self._state = "boot"
        if words["why"] in _FAILURES:
            self._foul(f"the firmware has had a {words['why']}")

    def _restarts(self, words: Words) -> None:
        self._booted = False
        self._asked = words["restarting"] == states.MAINTENANCE

    def _start_over(self) -> None:
        """Forget the current match."""
        if self._moves:
            self.tally[CUT_SHORT] += 1
        self._forget_match()
        self._mode = None
        self._chosen.clear()

    def _hush(self, words: Words) -> None:
        """Handle `quiet on` or `quiet off`. In quiet mode, the match is unknown."""
        self._quiet = words["quiet"] == "on"
        if self._quiet:
            self._lost = self._unheard = True
            self._forget_match()

    def _set(self, words: Words) -> None:
        """Handle a change of one setting, or of all settings for a historical machine."""
        name = next(iter(words))
        changed = machines.settings(words[name]) if name == "machine" else {name: words[name]}
        self.settings.update(changed)
        for name in changed:
            self._chosen.pop(name, None)
        if self._state == states.OPENING and not self._lost:
            self._may_be |= self._offered()  # NEW offers an opening without an event

    def _choose(self, words: Words) -> None:
        self._chosen.update(words)
        self._offer()

    def _enter(self, words: Words) -> None:
        before, self._state = self._state, words["state"]
        state = self._state
        if state == states.ATTRACT:
            self._chosen.clear()
            self._lost = False
        if self._lost:
            return
        if state in (states.ATTRACT, states.OPENING, states.TEST):
            if self._moves:
                self._foul("a match has ended with no winner, and was not abandoned")
            self._forget_match()
            if state == states.OPENING:
                self._offer()
        elif state == states.MACHINE:
            self._due = []  # if the machine need not think, its first lamp is already out
        elif state == states.PLAYER and not self._moves:
            if before not in (states.OPENING, _AGAIN):
                self._forget_match()
            self._may_be |= self._offered()
            self._due = []
        elif state == states.PLAYER:
            self._check_turn(PLAYER)
            self._expect_picture()
            if self._sound_ms == self._ms or self.settings["mute"] != "0":
                self._due = []  # the player may already have picked a lamp

    def _hear_status(self, words: Words) -> None:
        """Check the answer to `status` against the match. The answer names the game, the rule,
        and, for a match typed at the console, the first position."""
        level = self._level()
        if words["level"] != level and not self._lost:
            self._foul(f"it says that its level is {words['level']}, it is {level}")
        in_match = states.PLAYER, states.THINKING, states.MACHINE
        if not self._may_be or words["state"] not in in_match:
            return
        played = words["game"], words["rule"] == "misere"
        may_be = {(g, misere, p) for g, misere, p in self._may_be if (g.name, misere) == played}
        if not may_be:
            self._foul(f"it says that it plays {words['game']}, {words['rule']}")
        if not self._moves and not set(words["picked"]) - set("0,/:"):
            game, misere, _ = next(iter(may_be))
            try:
                may_be = {(game, misere, game.placed_on_panel(game.parse([words["rows"]])))}
            except ValueError:
                self._foul(f"{game.name} begins at {words['rows']}, which is no position")
        self._may_be = may_be

    def _level(self) -> str:
        return self._chosen.get("level", self.settings["level"])

    # ------------------------------------------------------------------ rules

    def _forget_match(self) -> None:
        self._due = []
        self._may_be = set()
        self._began = set()
        self._moves = 0
        self._last = None

    def _offered(self) -> set[Begun]:
        """Return the matches that may begin now, in the same format as _may_be."""
        name = self._chosen.get("game", self.settings["game"])
        if name not in self._games:
            self._games[name] = games.find(name)
        game = self._games[name]
        rule = self.settings["rule"] if self.settings["rule"] in game.rules else game.rules[0]
        usual = self.settings["openings"]
        placed = game.placed_on_panel
        openings = machines.openings(usual, name, placed) or map(placed, game.openings)
        return {(game, rule == "misere", position) for position in openings}

    def _offer(self) -> None:
        """Expect any opening on the lamps at the end of this moment, because NEW changes the
        opening without an event."""
        self._may_be = self._offered()
        self._expect_picture()

    def _expect_picture(self) -> None:
        """Expect the position on the lamps at the end of this moment."""
        self._due = [list(game.picture(position)) for game, _, position in self._may_be]

    def _check_turn(self, who: str) -> None:
        if self._last == who or (who == MACHINE and not self._moves):
            self._foul(f"it is not the turn of the {who}")

    def _move(self, words: Words) -> None:
        who, rows = words["by"], words["rows"]
        if not self._may_be:
            self._foul(f"the {who} moves, and there is no match")
        self._check_turn(who)
        if not self._moves:
            self._began = self._may_be
        options = {
            (game, misere, option)
            for game, misere, position in self._may_be
            for option in game.options(position)
            if game.words(option) == rows
        }
        if not options:
            before = " or ".join(f"{g.name} {g.words(p)}" for g, _, p in self._may_be)
            self._foul(f"illegal move: the {who} leaves {rows} of {before}")
        self._may_be = options
        self._last = who
        self._moves += 1
        self.tally["moves"] += 1
        self._expect_picture()

    def _over(self, words: Words) -> None:
        winner = words["winner"]
        over = {(g, misere, p) for g, misere, p in self._may_be if g.over(p)}
        if not self._moves or not over:
            self._foul(f"the {winner} is said to have won a match that goes on")
        over = {(g, misere, p) for g, misere, p in over if misere == (winner != self._last)}
        if not over:
            self._foul(f"wrong winner: the {winner}, {self._last} moved last")
        sign = "machine-wins" if winner == MACHINE else "you-win"
        if self._legends != [sign]:
            self._foul(f"the {winner} has won, the signs say {self._legends}")
        self._may_be = over
        self._count(winner)

    def _out(self, words: Words) -> None:
        """Record that one of several people has lost and is out. The other people begin again."""
        self._may_be = self._began
        self._state = _AGAIN
        self._moves = 0
        self._last = None

    def _abandon(self, words: Words) -> None:
        if not self._moves:
            self._foul("a match that had not begun is abandoned")
        self._count(ABANDONED)

    # ------------------------------------------------------------------ statistics

    def _count(self, outcome: str) -> None:
        if self._last not in (PLAYER, MACHINE):
            self.tally[AMONG_PEOPLE] += 1
        else:
            names = sorted({game.name for game, _, _ in self._may_be})
            self.tally["games"] += 1
            self.tally[outcome] += 1
            self.tally[" or ".join(names), outcome] += 1
            keys = _GAMES, (outcome,), ("openings", outcome), ("levels", self._level(), outcome)
            played = [("played", name, outcome) for name in names]
            self._book(Counter([*keys, *(() if played[1:] else played)]))
            self._most.update(played if played[1:] else ())  # one of these games
        self._forget_match()

    def _book(self, numbers: Numbers) -> None:
        """Expect these numbers in the statistics from now on."""
        ms = self._ms
        self._least.update(numbers)
        self._most.update(numbers)
        self._unsaved = [each for each in self._unsaved if ms - each[0] < _UNSAVED_MS]
        self._unsaved.append((ms, numbers))

    def _stop(self) -> None:
        """Handle the end of the program. From now on, the program counts nothing."""
        if self._stopped_ms is None:
            self._stopped_ms = self._ms

    def _lose_unsaved(self) -> None:
        """Handle a start of the program. Counts from the last minute before the program stopped
        may be lost, so the statistics need not include them."""
        self._stop()
        assert self._stopped_ms is not None
        for ms, numbers in self._unsaved:
            if self._stopped_ms - ms < _UNSAVED_MS:
                self._least.subtract(numbers)
        self._unsaved.clear()
        self._stopped_ms = None

    def _check_statistics(self, words: Words) -> None:
        """Check that the statistics match the trace since their start."""
        if words["since"] != self._begun:
            if words["since"] == "unknown":
                self._foul(f"the statistics since {self._begun} are lost")
            self._begun = words["since"]
            for books in (self._least, self._most, self._unsaved):
                books.clear()
        said = _read_statistics(words)
        for key in sorted(said.keys() | self._most.keys()):
            more = said[key] - self._most[key]
            if key[0] == "resets":
                more -= self._untold
            elif self._unheard:
                more = 0
            if more > 0 or said[key] < self._least[key]:
                name = ".".join(key)
                self._foul(f"the statistics say {name}={said[key]}, there were {self._most[key]}")
        for what, count in _sums(said).items():
            if count != said[_GAMES]:
                self._foul(f"the statistics say games={said[_GAMES]}, and {count} by {what}")
        more = said[_GAMES] - self._most[_GAMES]
        self.tally[UNHEARD if more > 0 else LOST] += abs(more)
        self._least, self._most = Counter(said), said
        self._unheard = self._lost
        self._untold = 0
        self.tally["statistics"] += 1

    def _foul(self, what: str) -> NoReturn:
        raise Foul(self._ms, what)


def _sums(numbers: Numbers) -> dict[str, int]:
    """Return the numbers of matches by outcome, opening, level and game."""
    sums = dict.fromkeys(("outcome", "openings", "levels", "played"), 0)
    for key, count in numbers.items():
        if key[-1] in OUTCOMES:
            sums[key[0] if len(key) > 1 else "outcome"] += count
    return sums


def _read_statistics(words: Words) -> Numbers:
    """Return the numbers in an answer to `stats`, by tuples of names, except the minutes. Counts
    for different openings are added up, because some openings look the same."""
    numbers: Numbers = Counter()
    for word, value in words.items():
        group, _, name = word.partition(".")
        key = (group, name) if name and group != "openings" else (group,)
        if "/" in value:
            for outcome, number in zip(OUTCOMES, value.split("/"), strict=True):
                numbers[(*key, outcome)] += int(number)
        elif value and group not in ("since", "minutes"):
            numbers[key] = int(value)
    return numbers
