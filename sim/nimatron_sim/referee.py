"""A referee: watches the trace of an exhibit, knows the rules of every game, and believes nothing.

It sees trace records only (see recorder.py), and is told when the power comes and goes.
"""

from collections import Counter

from nimatron import games
from nimatron.match import MACHINE, PLAYER
from nimatron_sim.visitors import SIGN_OF

ABANDONED = "abandoned"
OUTCOMES = (PLAYER, MACHINE, ABANDONED)
CUT_SHORT = "cut short"  # by a power cut or a reset: nobody counts those
DARK_MS = 10_000  # longer than that with no light at all is a fault

_NO_MATCH = "0,0,0,0"
_ALL_DARK = [0, 0, 0, 0]
_FAILURES = ("crash", "hang")


class Foul(Exception):
    """Something that must never happen has happened, `ms` after power was first there."""

    def __init__(self, ms: int, what: str):
        super().__init__(ms, what)
        self.ms = ms
        self.what = what


class Referee:
    """`see` is to be called with each trace record of a Pico with these two settings.

    Raises Foul. `tally` counts the matches by outcome, (game, outcome) too, and the moves;
    `starts` the starts of the Pico by reason.
    """

    def __init__(self, game: str, rule: str):
        self.tally: Counter = Counter()
        self.starts: Counter[str] = Counter()
        self._usual = game
        self._rule = rule
        self._senses = {
            "lamps": self._see_lamps,
            "legends": self._see_legends,
            "sound": self._hear_sound,
            "console": self._hear,
        }
        self._games: dict = {}
        self._ms = 0
        self._powered = True
        self._mode: str | None = None
        self._chosen: str | None = None  # by holding NEW
        self._lamps = _ALL_DARK
        self._sound_ms = 0  # when it last began to sound
        self._legends: list[str] = []
        self._dark_since: int | None = 0
        self._forget_match()

    def see(self, record: dict) -> None:
        self.look(record["ms"])
        for what, value in record.items():
            if what in self._senses:
                self._senses[what](value)

    def look(self, ms: int) -> None:
        """Nothing has changed until now."""
        if ms != self._ms and self._due:
            due, self._due = self._due, []
            if list(self._lamps) not in due:
                self._foul(
                    f"the lamps show {self._lamps}, they should show {' or '.join(map(str, due))}"
                )
        self._ms = ms
        dark = self._dark_since
        if dark is not None and ms - dark > DARK_MS:
            self._foul(f"it has been dark since {dark} ms")

    def power(self, on: bool) -> None:
        """The power is there from now on, or no longer."""
        self._powered = on
        if not on:
            self._start_over()
        self._see_darkness()

    # ------------------------------------------------------------------ eyes

    def _see_lamps(self, masks):
        self._lamps = masks
        self._see_darkness()

    def _see_legends(self, names):
        self._legends = names
        self._see_darkness()

    def _see_darkness(self):
        lit = any(self._lamps) or self._legends
        if lit or not self._powered or self._mode == "maintenance":
            self._dark_since = None
        elif self._dark_since is None:
            self._dark_since = self._ms

    # ------------------------------------------------------------------ ears

    def _hear_sound(self, hz):
        if hz:
            self._sound_ms = self._ms

    def _hear(self, line):
        kind, _, rest = line.partition(" ")
        if kind not in ("ok", "event"):
            return
        words = dict([word.partition("=")[::2] for word in rest.split(" ")])
        if kind == "ok":
            if "since" in words:
                self._check_statistics(words)
            elif words.get("state") == "player":
                self._hear_position(words)
            return
        for word, notice in (
            ("boot", self._boot),
            ("state", self._enter),
            ("game", self._choose),
            ("move", self._move),
            ("over", self._over),
            ("abandoned", self._abandoned),
        ):
            if word in words:
                notice(words)
                return

    def _boot(self, words):
        self._start_over()
        self._mode = words["mode"]
        self.starts[words["why"]] += 1
        if words["why"] in _FAILURES:
            self._foul(f"the firmware has had a {words['why']}")

    def _start_over(self):
        """Whatever was going on is forgotten."""
        if self._moves:
            self.tally[CUT_SHORT] += 1
        self._forget_match()
        self._mode = self._chosen = None

    def _choose(self, words):
        self._chosen = words["game"]
        self._offer()

    def _enter(self, words):
        state = words["state"]
        if state in ("attract", "opening"):
            if self._moves:
                self._foul("a match has ended with no winner, and was not abandoned")
            self._forget_match()
            if state == "opening":
                self._offer()
            else:
                self._chosen = None
        elif state == "player":
            if not self._moves:
                self._begin()
            else:
                self._check_turn(PLAYER)
                if self._sound_ms == self._ms:
                    self._due = []  # somebody has picked a lamp already
                else:
                    self._expect_picture()

    def _rules(self):
        name = self._chosen or self._usual
        if name not in self._games:
            self._games[name] = games.find(name)
        return self._games[name]

    def _offer(self):
        """When this moment is over, the lamps show an opening."""
        game = self._rules()
        self._due = [list(game.picture(position)) for position in game.openings]

    def _begin(self):
        """A match begins, from an opening that was offered or from what somebody has typed."""
        self._forget_match()
        self._game = game = self._rules()
        rule = self._rule if self._rule in game.rules else game.rules[0]
        self._misere = rule == "misere"
        self._positions = set(game.openings)  # which one, NEW may have changed in this moment

    def _hear_position(self, words):
        """Somebody has typed where to start from; while the lamps are tested there is no match."""
        if words["rows"] == _NO_MATCH:
            return
        if self._game and not self._moves and not set(words["picked"]) - set("0,/:"):
            try:
                self._positions = {self._game.seat(self._game.parse([words["rows"]]))}
            except ValueError:
                self._foul(f"{self._game.name} begins at {words['rows']}, which is no position")

    # ------------------------------------------------------------------ rules

    def _forget_match(self):
        self._game = None
        self._due = []  # one of these pictures is to be seen when the moment is over
        self._positions = set()  # where the match may be; one, as soon as something was said
        self._moves = 0
        self._last = None  # who has moved last
        self._misere = True

    def _check_turn(self, who):
        if self._last == who or (who == MACHINE and not self._moves):
            self._foul(f"it is not the turn of the {who}")

    def _move(self, words):
        who, rows = words["by"], words["rows"]
        if not self._game:
            self._foul(f"the {who} moves, and there is no match")
        self._check_turn(who)
        game = self._game
        options = {o for p in self._positions for o in game.options(p) if game.words(o) == rows}
        if not options:
            before = " or ".join(map(game.words, self._positions))
            self._foul(f"illegal move in {game.name}: the {who} leaves {rows} of {before}")
        self._positions = options
        self._last = who
        self._moves += 1
        self.tally["moves"] += 1
        self._expect_picture()

    def _expect_picture(self):
        """When this moment is over, the lamps show the position."""
        self._due = [list(self._game.picture(position)) for position in self._positions]

    def _over(self, words):
        winner = words["winner"]
        if not self._moves or not any(map(self._game.over, self._positions)):
            self._foul(f"the {winner} is said to have won a match that goes on")
        other = MACHINE if self._last == PLAYER else PLAYER
        if winner != (other if self._misere else self._last):
            rule = "misere" if self._misere else "normal"
            self._foul(f"wrong winner: the {winner}, in {rule} play, {self._last} moved last")
        if self._legends != [SIGN_OF[winner]]:
            self._foul(f"the {winner} has won, the signs say {self._legends}")
        self._count(winner)

    def _abandoned(self, words):
        if not self._moves:
            self._foul("a match that had not begun is abandoned")
        self._count(ABANDONED)

    def _count(self, outcome):
        self.tally["games"] += 1
        self.tally[outcome] += 1
        self.tally[self._game.name, outcome] += 1
        self._forget_match()

    def _check_statistics(self, words):
        expected = {name: str(self.tally[name]) for name in ("games", *OUTCOMES)}
        for name in {key[0] for key in self.tally if isinstance(key, tuple)}:
            counts = [str(self.tally[name, outcome]) for outcome in OUTCOMES]
            expected[f"played.{name}"] = "/".join(counts)
        for key, value in expected.items():
            if words.get(key) != value:
                said = words.get(key, "nothing")
                self._foul(f"the statistics say {key}={said}, there were {value}")

    def _foul(self, what):
        raise Foul(self._ms, what)
