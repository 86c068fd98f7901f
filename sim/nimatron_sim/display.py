"""What a person at the panel sees, gathered from trace records, and what it means in plain words.

It knows no game and no screen: whoever draws a panel feeds it the records and draws what it holds.
"""

from nimatron.tunes import TUNES

_REFUSAL = TUNES["refusal"][0][0]  # Hz; one note tells which tune it is

# What the machine is doing in each state, and what a person can do now.
_CAPTIONS = {
    "off": ("The machine is off.", ""),
    "boot": ("The machine is switching on.", ""),
    "attract": ("Nobody is playing.", "Press any button to begin."),
    "opening": (
        "A new match, and the first move is yours.",
        "Put out a lamp with its row's button, or press NEW for another start.",
    ),
    "player": (
        "Your move.",
        "Put out as many lamps as you like, all in one row. Then press GO.",
    ),
    "thinking": ("The machine is thinking.", "Please wait."),
    "machine": ("The machine is putting out its lamps.", "Please wait."),
    "verdict": ("The match is over.", "Press any button to play again."),
    "maintenance": ("Maintenance: nobody plays, every device can be tried.", "NEW drops a coin."),
    "crashed": ("The exhibit has failed again and again.", "It tries once more in ten minutes."),
}
_RULES = {
    "misere": "Who puts out the last lamp loses.",
    "normal": "Who puts out the last lamp wins.",
}
_WHO = {"player": "You", "machine": "The machine"}
_WINS = {"player": "You win!", "machine": "The machine wins."}
_FRESH = {"attract", "opening", "player"}  # entered from anywhere but "machine": another match


class Display:
    """lamps: four masks, bit 0 the leftmost; legends: the names lit; sound: Hz, 0 for silence;
    coin: 1 while the chute is open; tokens: how many it has dropped since the match began;
    state: the last that was told; rule: "misere", "normal" or "" while unknown."""

    def __init__(self) -> None:
        self.lamps = [0, 0, 0, 0]
        self.legends: list[str] = []
        self.sound = 0
        self.coin = 0
        self.tokens = 0
        self.state = "off"
        self.rule = ""
        self._rows: list[int] = []  # lit when the player's turn began; empty while unknown
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
            self.state = values["state"]
            self.rule = values["rule"]
            lit, picked = _numbers(values["rows"]), _numbers(values["picked"])
            self._rows = [sum(both) for both in zip(lit, picked, strict=True)]
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
            self._rows = _numbers(values["rows"])
            self._mover = _WHO[values["by"]]
            self._move = f"{self._mover} put out {_lamps(values['take'])} of row {values['row']}."
        elif what == "over":
            self._winner = values["winner"]
        elif what == "warning=idle":
            self._warning_ms = int(values["ms"])
        elif "contact" in values:
            self._faults[values["button"]] = values["contact"]
            if values["contact"] == "free":
                del self._faults[values["button"]]

    def _forget(self):
        """The match is none any more."""
        self._rows = []
        self._mover = self._move = self._winner = ""
        self.tokens = self.coin

    # ------------------------------------------------------------------ in plain words

    @property
    def rule_sentence(self) -> str:
        return _RULES.get(self.rule, "")

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
        if self.state == "player":
            return self._player_caption(doing, advice)
        if self.state == "thinking":
            return f"{self._move} {doing}".lstrip(), advice
        if self.state == "verdict" and self._winner:
            last = f"{self._mover} put out the last lamp. " if self._mover else ""
            return last + _WINS[self._winner], "Take your token. " * bool(self.tokens) + advice
        return doing, advice

    def _player_caption(self, doing, advice):
        row, count = self._picked()
        if count and self._refused:
            return f"Row {row} has no more lamps.", "Press GO, or start over in another row."
        if count:
            return (
                f"You have put out {_lamps(count)} of row {row}.",
                "Press GO if that is your move. Another row's button starts over.",
            )
        if self._refused:
            return "That is no move.", "Put out at least one lamp, in a row that is lit. Then GO."
        return f"{self._move} {doing}".lstrip(), advice

    def _picked(self):
        """The row, from 1, in which the player has put out lamps this turn, and how many."""
        for row, (before, mask) in enumerate(zip(self._rows, self.lamps, strict=False), 1):
            now = bin(mask).count("1")
            if now < before:
                return row, before - now
        return 0, 0


def _numbers(text):
    return [int(number) for number in text.split(",")]


def _lamps(count):
    return f"{count} {'lamp' if int(count) == 1 else 'lamps'}"
