"""A visitor: they see the machine, and play it if they may.

Messages, each with one key: press or release with a button; touch with a lamp, counted from 0;
game or level with a name; lesson with a step; seat with take or leave; here with anything, while
somebody uses the page; token; language with a code; beat. A message that must be done exactly
once has a serial number `n` besides, larger than the one before: the state says in `done` which
was the last. After a cut, the page sends again what is not done, but first {"again": ID}, with
the ID that it got as `you`.
"""

import time

from nimatron import board, states
from nimatron_sim.ui import words
from nimatron_sim.ui.kiosk.lesson import STEPS
from nimatron_sim.ui.kiosk.machine import Machine
from nimatron_sim.ui.kiosk.messages import Bad
from nimatron_sim.ui.kiosk.pages import Page
from nimatron_sim.ui.kiosk.visit import ENDS_S, KEPT_S, LEAVE
from nimatron_sim.ui.words import Message, message

_LANGUAGES = {code: table["language"] for code, table in words.tables().items()}
_LAMPS = [str(lamp) for lamp in range(board.ROWS * board.LAMPS)]
_NOTICE_S = 4.0
_YOURS = {"turn.people": "state.player"}  # the others are named alike
_WATCHED = "watch."  # before the key of what is said to a player: the same for those who watch
_TEXTS = words.table(words.PLAIN)
# What is lit for the player whose move or victory it is.
_PLAYERS = ("your-move", "you-win")
# What is said to everybody, and not just to the player who is to move.
_FOR_ALL = ("move", "moved", "fault")


class Visitor:
    """Whoever looks at a page of the machine, and plays if they have `control`. changed: set when
    there is something new to see. local and address: see Page."""

    def __init__(self, machine: Machine, control: bool, changed, local=False, address=""):
        self.changed = changed
        self._machine = machine
        self.page = machine.pages.open(Page(control, self, local=local, address=address))
        self._notice: list[Message] = []
        self._notice_until = 0.0

    def seen(self) -> dict:
        machine, page = self._machine, self.page
        seen = machine.state | {
            "control": page.control,
            "spectate": machine.spectate,
            "languages": _LANGUAGES,
            "you": page.you,
            "seat": page.seat,
            "seats": machine.visit.seats,
            "waits": machine.visit.waits(page),
            "place": machine.visit.place(page),
            "done": page.done,
        }
        self._address(seen)
        if not page.control or machine.visit.watches(page):
            seen["insight"] = _explained(seen["insight"])
            seen["match"] = [_explained(move) for move in seen["match"]]
        if self._notice and time.monotonic() < self._notice_until:
            seen["advice"] = self._notice
        elif not page.control:
            seen["doing"] = [_watched(said) for said in seen["doing"]]
            seen["advice"] = [message("seat.watch" if machine.spectate else "seat.scan")]
            lit = machine.state["legends"]  # the display of a machine shows its own
            seen["legends"] = lit if machine.spectate else _not_a_players(lit)
        return seen

    def _address(self, seen):
        """Say what is meant for this one of several people."""
        visit = self._machine.visit
        if visit.people < 2 or visit.is_barred(self.page):
            self._beside_the_machine(seen, visit)
        else:
            self._between_people(seen, visit)

    def _beside_the_machine(self, seen, visit):
        """Say of a match against the machine, or while there is none, what is meant for whoever
        plays it, waits, or only watches."""
        begin = [message("seat.within", count=KEPT_S)] if visit.is_next(self.page) else []
        if alone := visit.alone(self.page):
            seen["doing"], seen["advice"] = [message("seat.alone")], begin or alone
        elif visit.state == states.VERDICT:
            if visit.watches(self.page):
                self._watch(seen, begin or [_watched(message("do.verdict"))])
            if seen["waits"]:
                earned = [said for said in seen["advice"] if said[0] == "do.token"]
                seen["advice"] = earned + visit.denied(self.page)
        elif seen["waits"]:
            self._watch(seen, visit.denied(self.page))
        elif visit.may_take_over(self.page):
            self._watch(seen, visit.left_to(self.page))
        elif visit.ends_soon(self.page):
            seen["advice"] = [message("seat.ends", count=ENDS_S)]

    def _between_people(self, seen, visit):
        """Say of people who play each other what is meant for this one of them, or for somebody
        who only watches them."""
        seat = self.page.seat
        gone = visit.missed if seat else None
        doing = [_to(seat, said) for said in seen["doing"]]
        if seen["waits"]:
            if visit.state in (states.PLAYER, states.OPENING):
                whose = message("seat.waits" if seat else "seat.moves", who=visit.turn)
                doing = [said for said in doing if said[0].split(".")[0] in _FOR_ALL]
                doing += [] if gone else [whose]  # nobody is waited for who has gone
            seen["advice"] = [] if seat else visit.taken(self.page)
        elif seen["place"]:
            seen["advice"] = [message("seat.begin")]
        seen["doing"] = doing
        if visit.leaves(self.page) and visit.state == states.VERDICT:
            seen["advice"] = [message("seat.over")]
        elif visit.leaves(self.page):
            seen["advice"] = seen["advice"] + [message("seat.last")]
        if visit.ends_soon(self.page):
            seen["advice"] = [message("seat.ends", count=ENDS_S)]
        slow = visit.slow_partner(self.page)
        if gone:
            seen["advice"] = [visit.gone]
        elif slow and not visit.leaves(self.page):
            seen["advice"] = [message("seat.long", who=slow.seat, leave=LEAVE)]
        elif visit.makes_wait(self.page):
            seen["advice"] = seen["advice"] + [message("seat.waited")]
        if seat:
            theirs = {"your-move": visit.turn == seat, "you-win": visit.winner == f"player-{seat}"}
            seen["legends"] = [name for name in seen["legends"] if theirs.get(name, True)]
            seen["won"] = theirs["you-win"]
        else:
            seen["legends"] = _not_a_players(seen["legends"])

    def _watch(self, seen, advice):
        """Tell somebody who could play of another's match, or of its end."""
        told = [_watched(said) for said in seen["doing"]]
        doing = [said for said in told if _is_for_all(said[0])]
        state, learns = self._machine.visit.state, seen["lesson"].get("step")
        now = "lesson" if learns and state != states.VERDICT else f"state.{state}"
        watched = _watched(message(now))
        if watched[0] != now and watched not in doing:
            doing.append(watched)
        seen["doing"], seen["advice"] = doing, advice
        seen["legends"] = _not_a_players(seen["legends"])
        if learns:
            seen["lesson"] = {}

    def tell(self, *notice: Message) -> None:
        """Show this to the viewer in place of the advice, for a moment."""
        self._notice = list(notice)
        self._notice_until = time.monotonic() + _NOTICE_S
        self.changed.set()

    def is_new(self, serial: int | None) -> bool:
        """False if the message with this serial number has been done."""
        if serial is not None:
            if serial <= self.page.done:
                return False
            self.page.done = serial
            self.changed.set()
        return True

    def hear(self, verb: str, what: str) -> None:
        """Do what a message says; raises Bad."""
        if verb == "language":
            if what not in _LANGUAGES:
                raise Bad("there is no such language")
            self.page.language = what
        elif verb in _PLAYING:
            if not self.page.control:
                raise Bad("this viewer may only look")
            _PLAYING[verb](self, what)
        elif verb not in ("beat", "again"):  # where pages come and go, see visitor_connection.py
            raise Bad("an unknown kind of message")

    def leave(self) -> None:
        """Note that this connection is closed."""
        self._machine.leave(self)
        if self.page.viewer is self:
            self.page.cut()

    # ------------------------------------------------------------------ playing

    def _press(self, button):
        self._machine.press(self, _one_of(board.BUTTONS, button))

    def _release(self, button):
        self._machine.release(self, _one_of(board.BUTTONS, button))

    def _touch(self, lamp):
        self._machine.touch(self, int(_one_of(_LAMPS, lamp)))

    def _game(self, name):
        visit = self._machine.visit
        visit.choose(self.page, "game", _one_of(visit.offered("game"), name))

    def _level(self, name):
        visit = self._machine.visit
        visit.choose(self.page, "level", _one_of(visit.offered("level"), name))

    def _lesson(self, step):
        self._machine.teach(self, int(_one_of(_LESSONS, step)))

    def _here(self, what):
        self._machine.here(self)

    def _seat(self, what):
        self._machine.seat(self, _one_of(("take", "leave"), what) == "take")


_LESSONS = [str(step) for step in range(STEPS + 1)]
_PLAYING = {
    "press": Visitor._press,
    "release": Visitor._release,
    "touch": Visitor._touch,
    "game": Visitor._game,
    "level": Visitor._level,
    "lesson": Visitor._lesson,
    "here": Visitor._here,
    "seat": Visitor._seat,
}


def _to(seat: int | None, said: Message) -> Message:
    """A message about several people, as said to the one in this seat."""
    key, gaps = said
    if not seat or gaps.get("who") != str(seat):
        return said
    return _YOURS.get(key, key.replace(".people", ".player")), gaps


def _watched(said: Message) -> Message:
    """A message to whoever plays the machine, as said to those who watch."""
    key, gaps = said
    return (_WATCHED + key if _WATCHED + key in _TEXTS else key), gaps


def _explained(part: dict) -> dict:
    """A position or a move as explained to those who watch."""
    return part | {"said": [_watched(said) for said in part["said"]]} if part else part


def _not_a_players(legends):
    return [name for name in legends if name not in _PLAYERS]


def _is_for_all(key):
    """True for what can be said to those, too, who watch somebody else's match."""
    other = key == "state.thinking" or key.startswith((_WATCHED, "fault"))
    return other or key.endswith(".machine")


def _one_of(known, what):
    if what not in known:
        raise Bad("there is no such thing to play with")
    return what
