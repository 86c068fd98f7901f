"""What a person at the panel sees, gathered from trace records, and what it means in plain words.

It knows no game by name and no screen: whoever draws a panel feeds it the records and draws what
it holds.
"""

from nimatron import games
from nimatron.tunes import TUNES

_REFUSAL = TUNES["refusal"][0][0]  # Hz; one note tells which tune it is

# What the machine is doing in each state, and what a person can do now.
_CAPTIONS = {
    "off": ("The machine is off.", ""),
    "boot": ("The machine is switching on.", ""),
    "attract": ("Nobody is playing.", "Press any button to begin."),
    "opening": (
        "A new match, and the first move is yours.",
        "Press a row's button, NEW for another start, or hold NEW for another game.",
    ),
    "player": ("Your move.", "Then press GO."),
    "thinking": ("The machine is thinking.", "Please wait."),
    "machine": ("The machine is putting out its lamps.", "Please wait."),
    "verdict": ("The match is over.", "Press any button to play again."),
    "maintenance": ("Maintenance: nobody plays, every device can be tried.", "NEW drops a coin."),
    "crashed": ("The exhibit has failed again and again.", "It tries once more in ten minutes."),
}
_RULES = {"misere": "loses", "normal": "wins"}
_WHO = {"player": "You", "machine": "The machine"}
_WINS = {"player": "You win!", "machine": "The machine wins."}
_FRESH = {"attract", "opening", "player"}  # entered from anywhere but "machine": another match


class Display:
    """lamps: four masks, bit 0 the leftmost; legends: the names lit; sound: Hz, 0 for silence;
    coin: 1 while the chute is open; tokens: how many it has dropped since the match began;
    state: the last that was told; rule: "misere", "normal" or "" while unknown; game: the rule
    set, nim until told otherwise."""

    def __init__(self) -> None:
        self.lamps = [0, 0, 0, 0]
        self.legends: list[str] = []
        self.sound = 0
        self.coin = 0
        self.tokens = 0
        self.state = "off"
        self.rule = ""
        self.game = games.find("nim")
        self._before = ()  # the lamps when the player's turn began; none while unknown
        self._turn = ""  # which of several people is to move
        self._mover = ""  # who made the last move
        self._move = ""  # and which, in words
        self._winner = ""
        self._warning_ms = 0
        self._refused = False
        self._faults: dict[str, str] = {}  # button: what is the matter with its contact

    # ------------------------------------------------------------------ what happens

    def record(self, record: dict) -> bool:
        """Take in one trace record. True if the console's `status` should be asked now: it tells
        what no record does, the rule and the lamps picked so far."""
        if "lamps" in record:
            self.lamps = record["lamps"]
            self.touched()
        elif "legends" in record:
            self.legends = record["legends"]
        elif "sound" in record:
            self.sound = record["sound"]
            self._refused = self._refused or self.sound == _REFUSAL
        elif "coin" in record:
            self.coin = record["coin"]
            self.tokens += self.coin
        elif "console" in record:
            try:
                return self._read(record["console"])
            except (KeyError, ValueError):
                pass  # a line that was cut short on its way tells nothing
        return False

    def touched(self) -> None:
        """A person has pressed something: they are there, and have read the caption."""
        self._warning_ms = 0
        self._refused = False

    def _read(self, line):
        kind, *words = line.split(" ")
        values = dict(word.partition("=")[::2] for word in words)
        if kind == "event" and "state" in values:
            self._enter(values["state"])
            return self.state in _FRESH
        if kind == "event" and words:
            self._hear(words[0], values)
        elif kind == "ok" and "picked" in values:
            self._play(values["game"])
            self.state = values["state"]
            self.rule = values["rule"]
            self._before = self._picture(_with(values["rows"], values["picked"]))
        return False

    def _enter(self, state):
        if state in _FRESH and self.state != "machine":
            self._forget()
        self.state = state
        self.touched()

    def _hear(self, what, values):
        if what == "boot":
            self._enter("boot")
            self._forget()
            self._faults = {}
        elif what == "move":
            self._before = self._picture(values["rows"])
            self._mover = _who(values["by"])
            self._move = f"{self._mover} {_done(values)}."
        elif what == "over":
            self._winner = values["winner"]
        elif what.startswith("game="):
            self._play(values["game"])
        elif what.startswith("turn="):
            self._turn = values["turn"]
        elif what == "warning=idle":
            self._warning_ms = int(values["ms"])
        elif "contact" in values:
            self._faults[values["button"]] = values["contact"]
            if values["contact"] == "free":
                del self._faults[values["button"]]

    def _forget(self):
        """The match is none any more."""
        self._before = ()
        self._turn = ""
        self._mover = self._move = self._winner = ""
        self.tokens = self.coin

    # ------------------------------------------------------------------ in plain words

    @property
    def rule_sentence(self) -> str:
        """Who wins, once that is known."""
        return self.rule and f"Who {self.game.last} {_RULES[self.rule]}."

    @property
    def caption(self) -> tuple[str, str]:
        """What the machine is doing, and what a person can do now; a sentence or two each."""
        doing, advice = _CAPTIONS.get(self.state, (f"The machine says: {self.state}.", ""))
        if self._faults:
            button, what = next(iter(self._faults.items()))
            return f"The button {button} is {what} down, and is ignored.", "Please let go of it."
        if self._warning_ms:
            seconds = self._warning_ms // 1000
            return (
                f"Still there? The match ends in {seconds} seconds.",
                "Press any button to stay.",
            )
        if self.state == "opening":
            return self.game.sentence, advice
        if self.state == "player":
            return self._player_caption(doing)
        if self.state == "thinking":
            return f"{self._move} {doing}".lstrip(), advice
        if self.state == "verdict" and self._winner:
            last = f"{self._mover} {self.game.last_done}. " if self._mover else ""
            wins = _WINS.get(self._winner, f"{_who(self._winner)} wins!")
            return last + wins, "Take your token. " * bool(self.tokens) + advice
        return doing, advice

    def _player_caption(self, doing):
        picked, row = self._picked()
        if picked and self._refused:
            if row and not self.lamps[row - 1]:
                return f"Row {row} has no more lamps.", "Press GO, or start over in another row."
            return "That is no move.", self.game.sentence
        if picked:
            of_row = f" of row {row}" if row else ""
            return (
                f"You have put out {_lamps(picked)}{of_row}.",
                "Press GO if that is your move. Another row's button starts over.",
            )
        if self._refused:
            return "That is no move.", f"{self.game.sentence} Then GO."
        if self._turn:
            doing = f"{_who(self._turn)}, it is your move."
        return f"{self._move} {doing}".lstrip(), self.game.how

    def _picked(self):
        """How many lamps the player has put out in this turn; the row, from 1, if it is one."""
        gone = [
            bin(before).count("1") - bin(mask).count("1")
            for before, mask in zip(self._before, self.lamps, strict=False)
        ]
        rows = [row for row, count in enumerate(gone, 1) if count]
        return sum(gone), rows[0] if len(rows) == 1 else 0

    def _play(self, name):
        if name != self.game.name:
            self.game = games.find(name)

    def _picture(self, words):
        """The lamps of a position that the console has named."""
        return self.game.picture(self.game.fit(self.game.parse_option([words])))


def _with(rows, picked):
    """The position, in words, that `rows` are left of when `picked` has been picked."""
    rows, colon, state = rows.partition(":")
    if "/" in rows or "/" in picked:
        pairs = zip(rows, picked, strict=True)
        return "".join([a if a == "/" else str(int(a) | int(b)) for a, b in pairs])
    pairs = zip(rows.split(","), picked.split(","), strict=True)
    return ",".join([str(int(a) + int(b)) for a, b in pairs]) + colon + state


def _who(seat):
    return _WHO.get(seat) or seat.replace("-", " ").capitalize()


def _done(values):
    """What a move was, from the words of its event."""
    if "take" not in values:
        return "moved"
    of_row = f" of row {values['row']}" if "row" in values else ""
    return f"put out {_lamps(sum([int(n) for n in values['take'].split(',')]))}{of_row}"


def _lamps(count):
    return f"{count} {'lamp' if int(count) == 1 else 'lamps'}"
