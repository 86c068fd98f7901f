"""One viewer of the visitors' page: they see the machine, and play it if they may.

Messages, each with one key: press or release with a button; touch with a lamp, counted from 0;
game or level with a name; lesson with a step; seat with take or leave; token; language with a
code; beat. A message that must be done exactly once has a serial number `n` besides, larger than
the one before: the state says in `done` which was the last. After a cut, the page sends again
what is not done, but first {"again": ID}, with the ID that it got as `you`.
"""

import asyncio
import time

from aiohttp import WSCloseCode, web

from nimatron import board
from nimatron_sim.ui import words
from nimatron_sim.ui.kiosk import tokens
from nimatron_sim.ui.kiosk.kiosk import Kiosk
from nimatron_sim.ui.kiosk.pages import Page
from nimatron_sim.ui.kiosk.peer import Bad, Peer
from nimatron_sim.ui.words import Message, message

_LANGUAGES = {code: table["language"] for code, table in words.tables().items()}
_WRONG_TOKEN_S = 1.0  # to wait after a wrong token, so that guessing takes ages
_NOTICE_S = 4.0


class Viewer(Peer):
    """A visitor's page."""

    def __init__(self, kiosk: Kiosk, socket: web.WebSocketResponse, name: str | None):
        super().__init__(socket, name)
        self._kiosk = kiosk
        free = not kiosk.spectate and kiosk.tokens.visitor is None
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
            "done": page.done,
        }
        if self._refused_token:
            seen["denied"] = True
        if self._notice and time.monotonic() < self._notice_until:
            seen["advice"] = self._notice
        elif not page.control:
            seen["advice"] = [message("seat.watch" if kiosk.spectate else "seat.scan")]
        return seen

    def tell(self, *notice: Message) -> None:
        """Show this to the viewer in place of the advice, for a moment."""
        self._notice = list(notice)
        self._notice_until = time.monotonic() + _NOTICE_S
        self.changed.set()

    async def do(self, verb: str, what: str, serial: int | None) -> None:
        if verb == "beat":
            return
        if verb == "again":
            await self._again(what)
        elif verb == "token":
            await self._log_in(what)
        elif verb == "language":
            if what not in _LANGUAGES:
                raise Bad("there is no such language")
            self._kiosk.language = what
        elif verb not in _PLAYING:
            raise Bad("an unknown kind of message")
        elif not self.page.control:
            raise Bad("this viewer may only look")
        elif serial is None:
            self._play(verb, what)
        elif serial > self.page.done:
            self.page.done = serial
            self.changed.set()
            self._play(verb, what)

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
        if self._kiosk.tokens.visitor is None or self._kiosk.spectate:
            return  # left over from an earlier session
        right = tokens.matches(token, self._kiosk.tokens.visitor)
        self._refused_token = not right
        self.changed.set()
        if not right:
            await asyncio.sleep(_WRONG_TOKEN_S)
            raise Bad("a wrong token")
        self.page.control = True

    def _play(self, verb, what):
        kiosk = self._kiosk
        if verb in ("press", "release"):
            if what not in board.BUTTONS:
                raise Bad("there is no such button")
            (kiosk.press if verb == "press" else kiosk.release)(self, what)
            return
        raise Bad("an unknown kind of message")


_PLAYING = ("press", "release", "touch", "game", "level", "lesson", "seat")
