"""One viewer of the visitors' page: they see the machine, and play it if they may.

Messages, each with one key: press or release with a button; touch with a lamp, counted from 0;
game or level with a name; lesson with a step; seat with take or leave; here with anything, while
somebody uses the page; token; language with a code; beat. A message that must be done exactly
once has a serial number `n` besides, larger than the one before: the state says in `done` which
was the last. After a cut, the page sends again what is not done, but first {"again": ID}, with
the ID that it got as `you`.
"""

import asyncio
import time

from aiohttp import WSCloseCode, web

from nimatron import board, states
from nimatron_sim.ui import words
from nimatron_sim.ui.kiosk import tokens
from nimatron_sim.ui.kiosk.kiosk import Kiosk
from nimatron_sim.ui.kiosk.lesson import STEPS
from nimatron_sim.ui.kiosk.pages import Page
from nimatron_sim.ui.kiosk.peer import Bad, Peer
from nimatron_sim.ui.kiosk.visit import SEATS
from nimatron_sim.ui.words import Message, message

_LANGUAGES = {code: table["language"] for code, table in words.tables().items()}
_LAMPS = [str(lamp) for lamp in range(board.ROWS * board.LAMPS)]
_NOTICE_S = 4.0
_YOURS = {"turn.people": "state.player"}  # the others are named alike
# What is said to everybody, and not just to the player who is to move.
_FOR_ALL = ("move", "moved", "warning", "fault")


class Viewer(Peer):
    """A visitor's page. local: it is open on this computer itself, so it needs no token."""

    def __init__(
        self, kiosk: Kiosk, socket: web.WebSocketResponse, name: str | None, local: bool = False
    ):
        super().__init__(socket, name)
        self._kiosk = kiosk
        free = not kiosk.spectate and (local or kiosk.tokens.visitor is None)
        self.page = kiosk.pages.open(Page(control=free, viewer=self))
        self._notice: list[Message] = []
        self._notice_until = 0.0
        self._refused_token = False

    def seen(self) -> dict:
        kiosk, page = self._kiosk, self.page
        seen = kiosk.state | {
            "control": page.control,
            "spectate": kiosk.spectate,
            "languages": _LANGUAGES,
            "you": page.you,
            "seat": page.seat,
            "seats": kiosk.visit.seats,
            "waits": kiosk.visit.waits(page),
            "place": kiosk.visit.place(page),
            "done": page.done,
        }
        self._address(seen)
        if self._refused_token:
            seen["denied"] = True
        if self._notice and time.monotonic() < self._notice_until:
            seen["advice"] = self._notice
        elif not page.control:
            seen["advice"] = [message("seat.watch" if kiosk.spectate else "seat.scan")]
        return seen

    def _address(self, seen):
        """Say of people who play each other what is meant for this one of them, or for somebody
        who only watches them."""
        visit, seat = self._kiosk.visit, self.page.seat
        if visit.people < 2:
            return
        doing = [_to(seat, said) for said in seen["doing"]]
        if seen["waits"]:
            if visit.state in (states.PLAYER, states.OPENING):
                whose = message("seat.waits" if seat else "seat.moves", who=visit.turn)
                doing = [said for said in doing if said[0].split(".")[0] in _FOR_ALL] + [whose]
            seen["advice"] = [] if seat else [self._chance()]
        elif seen["place"]:
            seen["advice"] = [message("seat.begin")]
        seen["doing"] = doing
        if visit.leaves(self.page):
            seen["advice"] = [*seen["advice"], message("seat.last")]
        if seat and visit.missed:
            leave = "page.seat.leave"  # the button's text
            seen["advice"] = [message("seat.gone", who=visit.missed, leave=leave)]
        if seat:
            theirs = {"your-move": visit.turn == seat, "you-win": visit.winner == f"player-{seat}"}
            seen["legends"] = [name for name in seen["legends"] if theirs.get(name, True)]

    def _chance(self):
        """Say when somebody who waits can play."""
        place = self._kiosk.visit.place(self.page)
        if place is None:
            return self._kiosk.visit.taken
        return message("seat.next" if place <= SEATS else "seat.line", count=place)

    def tell(self, *notice: Message) -> None:
        """Show this to the viewer in place of the advice, for a moment."""
        self._notice = list(notice)
        self._notice_until = time.monotonic() + _NOTICE_S
        self.changed.set()

    async def do(self, verb: str, what: str, serial: int | None) -> None:
        if serial is not None:
            if serial <= self.page.done:
                return
            self.page.done = serial
            self.changed.set()
        if verb == "again":
            await self._again(what)
        elif verb == "token":
            await self._log_in(what)
        elif verb == "language":
            if what not in _LANGUAGES:
                raise Bad("there is no such language")
            self.page.language = what
        elif verb in _PLAYING:
            if not self.page.control:
                raise Bad("this viewer may only look")
            _PLAYING[verb](self, what)
        elif verb != "beat":
            raise Bad("an unknown kind of message")

    def leave(self) -> None:
        """Note that this connection is closed."""
        self._kiosk.leave(self)
        if self.page.viewer is self:
            self.page.viewer = None
            self.page.left_at = time.monotonic()

    async def _again(self, you):
        """Go on as the page that this one was before a cut."""
        before = self._kiosk.pages.find(you)
        if before is None or before is self.page:
            return
        cut, before.viewer = before.viewer, self
        self._kiosk.pages.drop(self.page)
        before.control |= self.page.control
        self.page = before
        self.changed.set()
        if cut:  # the server has not noticed yet
            self._kiosk.leave(cut)
            asyncio.get_running_loop().create_task(cut.close(WSCloseCode.GOING_AWAY))

    async def _log_in(self, token):
        if self._kiosk.tokens.visitor is None or self._kiosk.spectate or self.page.control:
            return  # left over from an earlier session
        right = tokens.matches(token, self._kiosk.tokens.visitor)
        self._refused_token = not right
        self.changed.set()
        if not right:
            await asyncio.sleep(tokens.WRONG_S)
            raise Bad("a wrong token")
        self.page.control = True

    # ------------------------------------------------------------------ playing

    def _press(self, button):
        self._kiosk.press(self, _one_of(board.BUTTONS, button))

    def _release(self, button):
        self._kiosk.release(self, _one_of(board.BUTTONS, button))

    def _touch(self, lamp):
        self._kiosk.touch(self, int(_one_of(_LAMPS, lamp)))

    def _game(self, name):
        visit = self._kiosk.visit
        visit.choose(self.page, "game", _one_of(visit.offered("game"), name))

    def _level(self, name):
        visit = self._kiosk.visit
        visit.choose(self.page, "level", _one_of(visit.offered("level"), name))

    def _lesson(self, step):
        self._kiosk.teach(self, int(_one_of(_LESSONS, step)))

    def _here(self, what):
        self._kiosk.here(self)

    def _seat(self, what):
        self._kiosk.seat(self, _one_of(("take", "leave"), what) == "take")


_LESSONS = [str(step) for step in range(STEPS + 1)]
_PLAYING = {
    "press": Viewer._press,
    "release": Viewer._release,
    "touch": Viewer._touch,
    "game": Viewer._game,
    "level": Viewer._level,
    "lesson": Viewer._lesson,
    "here": Viewer._here,
    "seat": Viewer._seat,
}


def _to(seat: int | None, said: Message) -> Message:
    """A message about several people, as said to the one in this seat."""
    key, gaps = said
    if not seat or gaps.get("who") != str(seat):
        return said
    return _YOURS.get(key, key.replace(".people", ".player")), gaps


def _one_of(known, what):
    if what not in known:
        raise Bad("there is no such thing to play with")
    return what
