"""A visitor, who sees the machine and may play.

Messages, each with one key:
- press or release, with a button
- touch, with the number of a lamp, counted from 0
- game or level, with a name
- lesson, with a step
- find, with the number of a lamp to pick, or any other value: continue from the position where the
  match was lost
- alone, with any value: continue against the machine
- here, with any value: the page is in use
- language, with a code
- beat, with any value

A message that must be carried out exactly once also has a serial number `n`, larger than the
previous number. `done` in the state is the number of the last message that was carried out.
nimatron_host/kiosk/connections.py describes the messages that a server adds.
"""

import time

from nimatron import board, states
from nimatron_play import words
from nimatron_play.lesson import STEPS
from nimatron_play.machine import Machine
from nimatron_play.pages import Bad, Page
from nimatron_play.words import Message, message

_LANGUAGES = {code: table["language"] for code, table in words.tables().items()}
_LAMPS = [str(lamp) for lamp in range(board.ROWS * board.LAMPS)]
_LESSONS = [str(step) for step in range(STEPS + 1)]
_PLAYING = "press", "release", "touch", "here", "game", "level", "lesson", "find", "alone"
_NOTICE_S = 4.0
_YOURS = {"turn.people": "state.player"}  # the other keys have the same name in both forms
_WATCHED = "watch."  # the prefix for the version of a player's message that viewers see
_TEXTS = words.table(words.PLAIN)
# The signs for the player whose turn it is or who has won.
_PLAYERS = ("your-move", "you-win")
# Messages for all pages, not just for the player to move.
_FOR_ALL = ("move", "moved", "fault")
_MOVING = (states.OPENING, states.PLAYER)


class Visitor:
    """A visitor, who sees a page of the machine, and plays if the page has `control`."""

    def __init__(self, machine: Machine, page: Page, peer):
        self.peer = peer
        self.page = machine.visit.pages.open(page)
        self._machine = machine
        page.viewer = self
        machine.viewers.add(self)
        self._notice: list[Message] = []
        self._notice_until = 0.0

    def seen(self) -> dict:
        machine, page = self._machine, self.page
        visit = machine.visit
        seen = machine.state | {
            "control": page.control,
            "spectate": machine.spectate,
            "languages": _LANGUAGES,
            "you": page.you,
            "waits": visit.waits(page),
            "offer": visit.offer(page) if page.control else "",
            "done": page.done,
        }
        watches = not page.control or visit.watches(page)
        if watches:
            self._watch(seen)
        elif visit.pairs:
            self._address(seen, visit.seat(page))
        if self._notice and time.monotonic() < self._notice_until:
            seen["advice"] = self._notice
        return seen

    def _address(self, seen, seat):
        """In a match between two people, replace a message with the version for this player."""
        visit = self._machine.visit
        doing = [_to(seat, said) for said in seen["doing"]]
        if "said" in (rewind := seen["rewind"]):
            seen["rewind"] = rewind | {"said": [_to(seat, said) for said in rewind["said"]]}
        if said := visit.sentence(self.page):
            waits = seen["waits"] and visit.state in _MOVING
            doing = [one for one in doing if one[0].split(".")[0] in _FOR_ALL or not waits]
            doing, seen["advice"] = doing + said, []
        seen["doing"] = doing
        theirs = {
            "your-move": visit.table.turn == seat,
            "you-win": visit.winner == f"player-{seat}",
        }
        seen["legends"] = [name for name in seen["legends"] if theirs.get(name, True)]
        seen["won"] = theirs["you-win"]

    def _watch(self, seen):
        """Replace a message about a match with the version for viewers."""
        machine, learns = self._machine, seen["lesson"].get("step")
        seen["match"] = {}  # only the winner keeps the medal
        told = [_watched(said) for said in seen["doing"]]
        seen["insight"] = _explained(seen["insight"])
        rewind = seen["rewind"]
        seen["rewind"] = _explained(rewind) | {"line": ""} if "said" in rewind else {}
        if not self.page.control:
            seen["doing"] = told
            seen["advice"] = [message("table.spectate" if machine.spectate else "table.scan")]
        else:
            now = _watched(message(f"state.{machine.visit.state}"))
            if learns:
                now = message("watch.lesson")
            if machine.visit.pairs:
                now = message("table.waits", who=machine.visit.table.turn)
            told = [said for said in told if _is_for_all(said[0])]
            known = now[0] in _TEXTS and now not in told and now[1].get("who") != 0
            seen["doing"] = told + ([now] if known else [])
            seen["advice"] = machine.visit.sentence(self.page)
            seen["lesson"] = {}
        if not machine.spectate:  # a page that only shows a machine shows the signs as they are
            seen["legends"] = [name for name in seen["legends"] if name not in _PLAYERS]

    def tell(self, *notice: Message) -> None:
        """Show this notice to the viewer in place of the advice, for a moment."""
        self._notice = list(notice)
        self._notice_until = time.monotonic() + _NOTICE_S
        self.peer.wake()

    def is_new(self, serial: int | None) -> bool:
        """Return False if the message with this serial number was already carried out."""
        if serial is not None:
            if serial <= self.page.done:
                return False
            self.page.done = serial
            self.peer.wake()
        return True

    def hear(self, verb: str, what: str) -> None:
        """Carry out a message. Raises Bad."""
        if verb == "language":
            if what not in _LANGUAGES:
                raise Bad("there is no such language")
            self.page.language = what
        elif verb in _PLAYING:
            if not self.page.control:
                raise Bad("this viewer may only look")
            self._play(verb, what)
        elif verb != "beat":
            raise Bad("an unknown kind of message")

    def leave(self) -> None:
        """Handle the end of this connection."""
        self._machine.leave(self)
        if self.page.viewer is self:
            self.page.cut()

    def _play(self, verb, what):
        """Carry out a message of a page that has control."""
        machine = self._machine
        buttons, insight, visit = machine.buttons, machine.insight, machine.visit
        if verb == "press":
            buttons.press(self, _one_of(board.BUTTONS, what))
        elif verb == "release":
            buttons.release(self, _one_of(board.BUTTONS, what))
        elif verb == "touch":
            buttons.touch(self, int(_one_of(_LAMPS, what)))
        elif verb == "here":
            buttons.here(self.page)
        elif verb in ("game", "level"):
            if visit.choose(self.page, verb, _one_of(visit.offered(verb), what)):
                if verb == "game":
                    insight.end_lesson()
        elif verb == "lesson":
            insight.teach(self.page, int(_one_of(_LESSONS, what)))
        elif verb == "find":
            lamp = int(what) if what in _LAMPS else None
            machine.rewind.find(self.page, lamp, lambda: buttons.pick(self, lamp))
        elif verb == "alone":
            visit.happen("alone", self.page.you)
            machine.show()


def _to(seat: int | None, said: Message) -> Message:
    """Return a message about several people in the version for the player in this seat."""
    key, gaps = said
    if not seat or gaps.get("who") != str(seat):
        return said
    return _YOURS.get(key, key.replace(".people", ".player")), gaps


def _watched(said: Message) -> Message:
    """Return a message to the player against the machine in the version for viewers."""
    key, gaps = said
    return (_WATCHED + key if _WATCHED + key in _TEXTS else key), gaps


def _explained(part: dict) -> dict:
    """Return the explanation of a position in the version for viewers."""
    return part | {"said": [_watched(said) for said in part["said"]]} if part else part


def _is_for_all(key):
    """Return True for a message that also suits the viewers of another player's match."""
    other = key == "state.thinking" or key.startswith((_WATCHED, "fault"))
    return other or key.endswith((".machine", ".people"))


def _one_of(known, what):
    if what not in known:
        raise Bad("this machine has no such button, lamp, game or lesson")
    return what
