"""The panel as a person sees it, gathered from trace records, and its meaning in plain words.

This module contains no names of games and no screen. A user interface passes it the records and
draws its contents.
"""

from collections import namedtuple
from typing import List, Tuple

from nimatron import board, games, protocol, states
from nimatron.games.game import Game
from nimatron.games.heaps import HeapGame
from nimatron.tunes import TUNES
from nimatron_play import game_texts, words
from nimatron_play.touch import Touch, changed, row_of, touches
from nimatron_play.words import Message, message

_REFUSAL = TUNES["refusal"][0]  # Hz. The tune is identified by its first note
_STATES = {  # the words have state.NAME for the machine's activity and do.NAME for the options
    "away",
    "off",
    states.BOOT,
    states.MAINTENANCE,
    states.CRASHED,
}.union(states.STATES)
# The states in which another match begins, unless a move came before.
_FRESH = {states.ATTRACT, states.OPENING, states.PLAYER}
_SOMETHING = "something"  # stands for the refused button if the firmware did not name it
_PLAIN = words.table(words.PLAIN)


# One move in a match. by: the player who made it.
Move = namedtuple("Move", ("game", "misere", "by", "before", "after"))

Caption = Tuple[List[Message], List[Message]]


class PanelView:
    """The panel as a person sees it.

    lamps, legends, sound, coin: as in a trace record (see trace.py).
    tokens: the number of tokens dropped since the match began.
    state: the last reported state.
    rule: "misere", "normal" or "" while unknown.
    level: the machine's level in this visit, or "" while unknown.
    players: the number of people who play each other, or 1 if one person plays the machine.
    game, position: the current game, and the position before the current move.
    left: the position without the picked lamps, or None while unknown.
    last: the last move: its player, the position before it (or None), and the position after it.
    report: the last move, in words.
    moves: the moves in this match, or in the last match until the next match's first move."""

    def __init__(self) -> None:
        self.lamps = list(board.DARK)
        self.legends: list[str] = []
        self.sound = 0
        self.coin = 0
        self.tokens = 0
        self.state = "off"
        self.rule = ""
        self.level = ""
        self.players = 1
        self.game: Game | None = None
        self.position = self.left = None
        self.last: tuple | None = None
        self.moves: tuple[Move, ...] = ()
        self.report: list[Message] = []
        self._just_moved = False  # True if a move came after the last state
        self._turn = ""  # the next player to move, if several people play
        self._winner = ""
        self._warning_ms = 0
        self._refused = ""  # the button whose press was refused, or _SOMETHING
        self._dropped = False  # True if the last pick has replaced the earlier ones
        self._touched: tuple | None = None  # the position for which _touches are known
        self._touches: list = []
        self._pictures: list = []  # the last two pictures, between which a lamp may blink
        self._faults: dict[str, str] = {}  # button: the fault of its contact

    # ------------------------------------------------------------------ what happens

    def record(self, record: dict) -> bool:
        """Handle a trace record. Return True if the console's `status` is due. Only the answer to
        `status` contains the game, the rule and the position."""
        if "lamps" in record:
            self._see(record["lamps"])
            return self.state == states.OPENING
        if "legends" in record:
            self.legends = record["legends"]
        elif "sound" in record:
            self.sound = record["sound"]
            if self.sound == _REFUSAL:
                self._refused = self._refused or _SOMETHING
        elif "coin" in record:
            self.coin = record["coin"]
            self.tokens += self.coin
        elif "cable" in record:
            return self._plug(record["cable"])
        elif "console" in record:
            try:
                return self._read(record["console"])
            except (KeyError, ValueError):
                pass  # a line that was truncated in transit
        return False

    def _see(self, lamps):
        """Handle the lit lamps. A change other than a blink means that a button was pressed."""
        blinks = self.state == states.PLAYER and lamps in self._pictures
        refused = self._refused
        self.touched()
        if blinks:
            self._refused = refused
        self._pictures = [self.lamps, lamps]
        self.lamps = lamps

    def touched(self) -> None:
        """Handle a press: a visitor is present, and has read the caption."""
        self.noticed()
        self._refused = ""

    @property
    def warned(self) -> bool:
        """True while the machine asks for a sign of life."""
        return self._warning_ms > 0

    def noticed(self) -> None:
        """Record that a visitor is present, although no button was pressed."""
        self._warning_ms = 0

    def _plug(self, present):
        """Handle a change of the cable to a real Pico. Without a cable, the state is unknown."""
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
            self.level = values["level"]
            self.players = int(values.get("players", 1))
            if not self.game or self.game.name != values["game"]:
                self.game, self.position = games.find(values["game"]), None
            self.left = self._place(values["rows"])
            self.position = self._place(values.get("position", values["rows"]))
        return kind == protocol.OK and "saved" in values  # a setting was changed

    def _enter(self, state):
        if state in _FRESH and not self._just_moved:
            self._forget()
        self._just_moved = self._dropped = False
        self.state = state
        self.touched()

    def _hear(self, what, values):
        if what == "boot":
            self._enter("boot")
            self._forget()
            self._faults = {}
        elif what == "move":
            self._moved(values)
        elif what == "pick":
            self.touched()
            before = self.picked
            self.left = self._place(values["rows"])
            self._dropped = self._has_dropped(before)
        elif what == "refused":
            self._refused = values["refused"]
        elif what == "over":
            self._winner = values["winner"]
        elif what == "practice":
            self._forget()  # also if the machine moves first
        elif what == "turn":
            self._turn = values["turn"]
        elif what == "warning":
            self._warning_ms = int(values["ms"])
        elif values.get("contact") in ("held", "stuck", "noisy"):
            self._faults[values["button"]] = values["contact"]
        elif "contact" in values:
            self._faults.pop(values["button"], None)
        return what in ("game", "level", "practice")

    def _moved(self, values):
        by = values["by"]
        self._just_moved = True
        before, begun = self.position, not self.last
        self.position = self.left = None
        self.last = by, before, None
        self.report = [self._move_said(by, values, 0)]
        if self.game:
            self.position = self.left = self._place(values["rows"])
            self.last = by, before, self.position
            if begun or (self.moves and self.moves[-1].after != before):
                self.moves = ()
            if before is not None:
                move = Move(self.game, self.rule == "misere", by, before, self.position)
                self.moves += (move,)
            if before is not None and "take" in values and isinstance(self.game, HeapGame):
                row = row_of(self.game, before, self.position)
                self.report = [self._move_said(by, values, row)]

    def _move_said(self, by, values, row):
        """Describe a move. `row` is the panel's row in which lamps have changed, or 0 for several
        or unknown rows. The row in the event is a heap, which can be several rows on the panel."""
        if "column" in values:
            return _of(by, "bite", row=values["row"], lamp=values["column"])
        if "take" not in values:
            return _of(by, "moved")
        count = sum(map(int, values["take"].split(",")))
        return _of(by, "move.row", count=count, row=row) if row else _of(by, "move", count=count)

    @property
    def winner(self) -> str:
        """The winner of the match when it is over, named as in `mover`."""
        return self._winner

    @property
    def mover(self) -> str:
        """The player to move: "player", "machine" or one of several people."""
        if self._turn:
            return self._turn
        by = self.last[0] if self.last else ""
        machine = by == "player" or (not by and self.state in (states.THINKING, states.MACHINE))
        return "machine" if machine else "player"

    def _forget(self):
        """Forget the match."""
        self.position = self.left = self.last = None
        self.report = []
        self._turn = self._winner = ""
        self.tokens = self.coin

    # ------------------------------------------------------------------ the draft

    @property
    def picked(self) -> list[int]:
        """The lamps that GO would change, as a mask for each row. These are the picked lamps and,
        in games where a move lights or moves lamps, the lamps that GO will light.
        """
        if self.state != states.PLAYER or None in (self.game, self.position, self.left):
            return list(board.DARK)
        return changed(self.game, self.position, self.left)

    @property
    def touches(self) -> list[Touch | None]:
        """Return the meaning of a touch on each lamp (see touch.py), computed once per
        position."""
        turn = self.state in (states.OPENING, states.PLAYER)
        if not turn or None in (self.game, self.position, self.left):
            return [None] * (board.ROWS * board.LAMPS)
        now = self.game, self.position, self.left
        if now != self._touched:
            self._touched = now
            self._touches = touches(*now)
        return self._touches

    def _has_dropped(self, before):
        """Return True if one lamp was added to the picked lamps and another was given back."""
        changes = list(zip(before, self.picked))
        added = any(now & ~was for was, now in changes)
        lost = any(was & ~now for was, now in changes)
        return added and lost and not self.game.whole

    # ------------------------------------------------------------------ in plain words

    @property
    def rule_said(self) -> list[Message]:
        return [message(f"rule.{self.rule}", last=game_texts.last(self.game))] if self.rule else []

    @property
    def caption(self) -> tuple[str, str]:
        """Return the machine's activity and the person's options, a sentence or two each."""
        doing, advice = self.said
        return words.say(doing, _PLAIN), words.say(advice, _PLAIN)

    @property
    def said(self) -> Caption:
        """Return the caption as messages."""
        if self._faults:
            button = next(button for button in board.BUTTONS if button in self._faults)
            what = self._faults[button]
            if button in board.ROW_BUTTONS:
                row = board.ROW_BUTTONS.index(button) + 1
                fault = message("fault.row", row=row, what=f"contact.{what}")
            else:
                fault = message("fault", button=f"button.{button}", what=f"contact.{what}")
            return [fault], [message("do.fault")] if what != "noisy" else []
        if self._warning_ms:
            return [message("warning", seconds=self._warning_ms // 1000)], [message("do.warning")]
        if self.state not in _STATES:
            return [message("state.other", state=self.state)], []
        doing, advice = [message(f"state.{self.state}")], [message(f"do.{self.state}")]
        if self.state == states.OPENING and self.game:
            if self._refused:
                return self._nothing_picked(), advice
            people = [message("people", count=self.players)] if self.players > 1 else []
            return people + [message(game_texts.rules(self.game))], advice
        if self.state == states.PLAYER:
            return self._player_said(doing)
        if self.state == states.THINKING:
            return self.report + self._candies_said() + doing, advice
        if self.state == states.VERDICT and self._winner:
            token = [message("do.token")] if self.tokens else []
            won = self._last_said() + [_of(self._winner, "wins")]
            return won + self._candies_said(), token + advice
        return doing, advice

    def _player_said(self, doing):
        row, count = self._picked()
        sentence = [message(game_texts.rules(self.game))] if self.game else []
        if self._refused:
            return self._refusal_said(count, sentence)
        if self._dropped and not count:
            return [message("picked.dropped")], sentence
        if count:
            picked = [message("picked.row" if row else "picked", count=count, row=row)]
            if self._dropped:
                return picked, [message("picked.back")] + sentence + [message("do.refused")]
            return picked, [message("do.picked" if row else "do.picked.more", count=count)]
        if self._turn:
            doing = [_of(self._turn, "turn")]
        return self.report + self._candies_said() + doing, [self._how_said()]

    def _how_said(self):
        """Return advice on how to move, or the meaning of the last lamp if no choice is left."""
        game, position = self.game, self.position
        if not game:
            return message("do.player")
        if position is not None and game.size(position) == 1:
            options = list(game.options(position))
            if len(options) == 1 and game.over(options[0]):
                return message(f"do.last.{self.rule}")
        return message(game_texts.buttons(game))

    def _refusal_said(self, count, sentence):
        if self._refused in board.ROW_BUTTONS:
            row = board.ROW_BUTTONS.index(self._refused)
            if not self.lamps[row]:
                more = [message("do.picked.more")] if count else sentence
                return [message("refused.dark", row=row + 1)], more
        elif self._refused == board.GO and not any(self.picked):
            return self._nothing_picked(), sentence + [message("do.refused")]
        return [message("refused")], sentence

    def _nothing_picked(self):
        """Return the message for a press of GO with no lamp picked."""
        heaps = isinstance(self.game, HeapGame)
        return [
            message("refused.none" if heaps or not self.game else game_texts.buttons(self.game))
        ]

    def _last_said(self):
        """Return a message about the player who made the deciding move."""
        if not self.last or not self.game:
            return []
        return [_of(self.last[0], "last", last=game_texts.last_done(self.game))]

    def _candies_said(self):
        """Return the number of candies that each player has taken, in games with candies."""
        if not self.last or not hasattr(self.game, "candies"):
            return []
        people = [f"player-{number}" for number in range(1, self.players + 1)]
        taken = {who: 0 for who in (people if self.players > 1 else ("player", "machine"))}
        for move in self.moves:
            eaten = move.game.size(move.before) - move.game.size(move.after)
            taken[move.by] = taken.get(move.by, 0) + eaten
        if self.players > 1:
            return [_of(who, "candies", candies=taken[who]) for who in people]
        return [message("candies", **taken)]

    def _place(self, said):
        """Store the position from the console."""
        return self.game.padded(self.game.parse_option([said]))

    def _picked(self):
        """Return the row, from 1, in which the player has switched off lamps in this turn (0 for
        several rows), and the number of lamps. On boards, both are unknown, because a blinking
        lamp is also dark at times."""
        if not isinstance(self.game, HeapGame) or self.position is None:
            return 0, 0
        before = self.game.picture(self.position)
        picked = [was & ~now for was, now in zip(before, self.lamps)]
        rows = [row for row, mask in enumerate(picked, 1) if mask]
        return rows[0] if len(rows) == 1 else 0, sum(bin(mask).count("1") for mask in picked)


def _of(who, key, **gaps):
    """Return a message about one player, with the player's number if several people play."""
    kind, _, number = who.partition("-")
    return message(f"{key}.{'people' if number else kind}", who=number, **gaps)
