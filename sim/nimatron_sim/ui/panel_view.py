"""What a person at the panel sees, gathered from trace records, and what it means in plain words.

It knows no game by name and no screen: a user interface feeds it the records and draws what it
holds.
"""

import re

from nimatron import board, games, protocol, states
from nimatron.games.game import Game
from nimatron.games.heaps import HeapGame
from nimatron.tunes import TUNES
from nimatron_sim.ui import words
from nimatron_sim.ui.words import Message, message

_REFUSAL = TUNES["refusal"][0][0]  # Hz; its first note identifies the tune
_STATES = {  # in the words, state.NAME says what the machine does, do.NAME what a person can do
    "away",
    "off",
    states.BOOT,
    *states.STATES,
    states.MAINTENANCE,
    states.CRASHED,
}
# The states that begin another match unless a move came before.
_FRESH = {states.ATTRACT, states.OPENING, states.PLAYER}
_PLAIN = words.tables()[words.PLAIN]

Caption = tuple[list[Message], list[Message]]


class PanelView:
    """The panel as seen.

    lamps: a mask for each row, bit 0 the leftmost; legends: the names lit; sound: Hz, 0 for
    silence; coin: 1 while the chute is open; tokens: how many have dropped since the match began;
    state: the last one reported; rule: "misere", "normal" or "" while unknown;
    game and position: the current game, and the position before the mover; None while unknown;
    last: who made the last move, from which position (or None) to which."""

    def __init__(self) -> None:
        self.lamps = list(board.DARK)
        self.legends: list[str] = []
        self.sound = 0
        self.coin = 0
        self.tokens = 0
        self.state = "off"
        self.rule = ""
        self.game: Game | None = None
        self.position = None
        self.last: tuple | None = None
        self._move: list[Message] = []  # the last move, in words
        self._just_moved = False  # since the last state
        self._turn = ""  # which of several people is to move
        self._winner = ""
        self._warning_ms = 0
        self._refused = False
        self._faults: dict[str, str] = {}  # button: the fault of its contact

    # ------------------------------------------------------------------ what happens

    def record(self, record: dict) -> bool:
        """Take in one trace record. True if the console's `status` should be asked now: only that
        tells the game, the rule and the position."""
        if "lamps" in record:
            self.lamps = record["lamps"]
            self.touched()
            return self.state == states.OPENING
        if "legends" in record:
            self.legends = record["legends"]
        elif "sound" in record:
            self.sound = record["sound"]
            self._refused = self._refused or self.sound == _REFUSAL
        elif "coin" in record:
            self.coin = record["coin"]
            self.tokens += self.coin
        elif "cable" in record:
            return self._plug(record["cable"])
        elif "console" in record:
            try:
                return self._read(record["console"])
            except (KeyError, ValueError):
                pass  # a line that was cut short in transit
        return False

    def touched(self) -> None:
        """Note a press: somebody is there, and has read the caption."""
        self._warning_ms = 0
        self._refused = False

    def _plug(self, present):
        """Note that the cable to a real Pico is there or gone; without it, nothing is known."""
        if not present:
            self.__init__()
            self.state = "away"
        return present

    def _read(self, line):
        kind, what, values = protocol.parse(line)
        if kind == protocol.EVENT and "state" in values:
            self._enter(values["state"])
            return self.state in _FRESH
        if kind == protocol.EVENT:
            return self._hear(what, values)
        if kind == protocol.OK and "picked" in values:
            self.state = values["state"]
            self.rule = values["rule"]
            if not self.game or self.game.name != values["game"]:
                self.game, self.position = games.find(values["game"]), None
            self.position = self._place(_both(values["rows"], values["picked"]))
        return False

    def _enter(self, state):
        if state in _FRESH and not self._just_moved:
            self._forget()
        self._just_moved = False
        self.state = state
        self.touched()

    def _hear(self, what, values):
        if what == "boot":
            self._enter("boot")
            self._forget()
            self._faults = {}
        elif what == "move":
            self._moved(values)
        elif what == "over":
            self._winner = values["winner"]
        elif what == "turn":
            self._turn = values["turn"]
        elif what == "warning":
            self._warning_ms = int(values["ms"])
        elif values.get("contact") in ("held", "stuck"):
            self._faults[values["button"]] = values["contact"]
        elif "contact" in values:
            self._faults.pop(values["button"], None)
        return "game" in values

    def _moved(self, values):
        by = values["by"]
        self._just_moved = True
        kind, gaps = "moved", {}
        if "take" in values:
            kind = "move.row" if "row" in values else "move"
            gaps = {"count": sum(map(int, values["take"].split(","))), "row": values.get("row")}
        self._move = [_of(by, kind, **gaps)]
        before, self.position = self.position, None
        self.last = by, before, None
        if self.game:
            self.position = self._place(values["rows"])
            self.last = by, before, self.position

    def _forget(self):
        """Forget the match."""
        self.position = self.last = None
        self._move = []
        self._turn = self._winner = ""
        self.tokens = self.coin

    # ------------------------------------------------------------------ in plain words

    @property
    def rule_sentence(self) -> str:
        return words.say(self.rule_said, _PLAIN)

    @property
    def rule_said(self) -> list[Message]:
        last = self.game.last if self.game else "puts out the last lamp"
        return [message(f"rule.{self.rule}", last=last)] if self.rule else []

    @property
    def move_said(self) -> list[Message]:
        """The last move."""
        return self._move

    @property
    def caption(self) -> tuple[str, str]:
        """What the machine is doing, and what a person can do now; a sentence or two each."""
        doing, advice = self.said
        return words.say(doing, _PLAIN), words.say(advice, _PLAIN)

    @property
    def said(self) -> Caption:
        """The caption, for any language."""
        if self._faults:
            button, what = next(iter(self._faults.items()))
            if button in board.ROW_BUTTONS:
                row = board.ROW_BUTTONS.index(button) + 1
                fault = message("fault.row", row=row, what=f"contact.{what}")
            else:
                fault = message("fault", button=f"button.{button}", what=f"contact.{what}")
            return [fault], [message("do.fault")]
        if self._warning_ms:
            return [message("warning", seconds=self._warning_ms // 1000)], [message("do.warning")]
        if self.state not in _STATES:
            return [message("state.other", state=self.state)], []
        doing, advice = [message(f"state.{self.state}")], [message(f"do.{self.state}")]
        if self.state == states.OPENING and self.game:
            return [message(self.game.sentence)], advice
        if self.state == states.PLAYER:
            return self._player_said(doing)
        if self.state == states.THINKING:
            return self._move + doing, advice
        if self.state == states.VERDICT and self._winner:
            token = [message("do.token")] if self.tokens else []
            return [*self._last_said(), _of(self._winner, "wins")], token + advice
        return doing, advice

    def _player_said(self, doing):
        row, count = self._picked()
        sentence = [message(self.game.sentence)] if self.game else []
        if count and self._refused:
            if row and not self.lamps[row - 1]:
                return [message("refused.dark", row=row)], [message("do.picked.more")]
            return [message("refused")], sentence
        if count and row:
            return [message("picked.row", count=count, row=row)], [message("do.picked")]
        if count:
            return [message("picked", count=count)], [message("do.picked.more")]
        if self._refused:
            none = "refused.none" if isinstance(self.game, HeapGame) else "refused"
            return [message(none)], [*sentence, message("do.refused")]
        if self._turn:
            doing = [_of(self._turn, "turn")]
        how = message(self.game.how) if self.game else message("do.player")
        return self._move + doing, [how]

    def _last_said(self):
        """Who made the move that decided the match."""
        if not self.last or not self.game:
            return []
        return [_of(self.last[0], "last", last=self.game.last_done)]

    def _place(self, said):
        """Take over the position that the console has named."""
        return self.game.padded(self.game.parse_option([said]))

    def _picked(self):
        """The row, from 1, in which the player has put out lamps this turn, 0 if in several; and
        how many. Unknown on boards, where a lamp also goes dark to blink."""
        if not isinstance(self.game, HeapGame) or self.position is None:
            return 0, 0
        before = self.game.picture(self.position)
        picked = [was & ~now for was, now in zip(before, self.lamps, strict=True)]
        rows = [row for row, mask in enumerate(picked, 1) if mask]
        return rows[0] if len(rows) == 1 else 0, sum(bin(mask).count("1") for mask in picked)


def _of(who, key, **gaps):
    """A message about one player; if several people play, with their number."""
    kind, _, number = who.partition("-")
    return message(f"{key}.{'people' if number else kind}", who=number, **gaps)


def _both(rows, picked):
    """The position, in words, before `picked` was picked and `rows` were left: counts, or rows of
    1 and 0, add up number by number."""
    rows, colon, state = rows.partition(":")
    parts = zip(re.split(r"(\d+)", rows), re.split(r"(\d+)", picked), strict=True)
    both = [str(int(a) + int(b)).zfill(len(a)) if a.isdigit() else a for a, b in parts]
    return "".join(both) + colon + state
