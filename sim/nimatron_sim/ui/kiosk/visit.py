"""What lasts for one visit: the choice of game and level, and who sits where.

The firmware forgets a visitor's choice when it returns to the attract show; so do the seats.
"""

import time
from collections.abc import Callable

from nimatron import board, protocol, states
from nimatron_sim.ui.kiosk.pages import Page
from nimatron_sim.ui.words import Message, message

SEATS = 2
_CHOICES = {"game": "games", "level": "levels"}
_GO_MS = 500  # until the machine has said whether a move counts

Tell = Callable[..., None]


class Visit:
    """The visit. type_line(line, answered) types at the console, and answered(line) gets the
    answer; settings() are the builder's."""

    def __init__(
        self,
        type_line: Callable[[str, Callable[[str], None]], None],
        settings: Callable[[], dict[str, str]],
    ):
        self.people = 1  # who play each other; 1 against the machine
        self.turn: int | None = None  # whose it is: from 1; 0 the machine's; None nobody's
        self.winner = ""  # of the match that is over, such as player-2
        self.state = "off"
        self._type = type_line
        self._settings = settings
        self._seats: dict[int, Page] = {}
        self._handed_over: tuple[int, float] | None = None  # the seat that pressed GO, and when

    # ------------------------------------------------------------------ what the machine says

    def hear(self, line: str) -> None:
        """Take in a console line."""
        kind, what, values = protocol.parse(line)
        if kind == protocol.OK and "picked" in values:
            self.people = int(values.get("players", 1))
            if values["state"] != self.state:  # the show was on before this server
                self._enter(values["state"])
        elif kind == protocol.EVENT and "state" in values:
            self._enter(values["state"])
        elif kind == protocol.EVENT and what == "turn":
            self.turn = int(values["turn"].rpartition("-")[2])
            self._handed_over = None
        elif kind == protocol.EVENT and what in ("refused", "over", "boot"):
            self._handed_over = None
            self.winner = values.get("winner", "")

    def _enter(self, state):
        self.state = state
        if state != states.VERDICT:
            self.winner = ""
        if state in (states.THINKING, states.MACHINE):
            self.turn = 0
        elif state == states.OPENING:
            self.turn = 1
        elif state == states.PLAYER:
            self.turn = self.turn or 1
        else:
            self.turn = None
        if state == states.ATTRACT:
            self.end()

    def end(self) -> None:
        """Let everybody go: the next visitor may be somebody else."""
        for page in self._seats.values():
            page.seat = None
        self._seats = {}
        self._handed_over = None

    # ------------------------------------------------------------------ choices

    def offered(self, what: str) -> list[str]:
        """The games or levels that the builder allows; none if the firmware is too old."""
        settings = self._settings()
        return settings[_CHOICES[what]].split(",") if "levels" in settings else []

    def chosen(self, game: str, level: str) -> dict[str, str]:
        """What differs from the builder's."""
        now = {"game": game, "level": level}
        settings = self._settings()
        return {key: now[key] for key in now if now[key] and settings.get(key, "") != now[key]}

    def choose(self, page: Page, tell: Tell, what: str, name: str) -> None:
        """Have another game or level, for the visit."""
        if self._may(page, tell):
            self._ask(f"choose {what} {name}", tell)

    def teach(self, page: Page, tell: Tell, lines: list[str]) -> bool:
        """Type the lines that begin or leave a lesson; False if others are playing."""
        allowed = self._may(page, tell)
        for line in lines if allowed else ():
            self._ask(line, tell)
        return allowed

    def _may(self, page, tell):
        if len(self._seats) == SEATS and page.seat is None:
            tell(message("seat.taken"))
            return False
        return True

    def _ask(self, line, tell, refused=lambda: None):
        """Type a line that the visitor wants; tell them if it is refused."""

        def answered(said):
            kind, _, values = protocol.parse(said)
            if kind != protocol.ERROR:
                return
            refused()
            old = values.get("reason") == "unknown-command"
            tell(message("seat.old") if old else message(values.get("text", said)))

        self._type(line, answered)

    # ------------------------------------------------------------------ seats

    @property
    def seats(self) -> list[int]:
        """Those that are taken. That of a page which has gone is free, though the page has it
        again if it comes back before somebody else takes it."""
        return sorted(seat for seat, page in self._seats.items() if not page.has_gone())

    @property
    def missed(self) -> int | None:
        """The seat of one of two players whose page is closed, or None. Where the builder wants
        several people, they also play without phones, and nobody is missed."""
        if self.people < 2 or int(self._settings().get("players", 1)) > 1:
            return None
        here = [seat for seat, page in self._seats.items() if not page.is_missed()]
        gone = [seat for seat in range(1, self.people + 1) if seat not in here]
        return gone[0] if gone and here else None

    def sit(self, page: Page, tell: Tell) -> None:
        """Take a seat. With the second one, the two play each other."""
        if page.seat:
            return
        self._free(Page.has_gone)
        most = max(SEATS, int(self._settings().get("players", 1)))
        free = [seat for seat in range(1, most + 1) if seat not in self._seats]
        if not free:
            tell(message("seat.full"))
            return
        page.seat = free[0]
        self._seats[page.seat] = page
        tell(message("seat.ready" if len(self._seats) > 1 else "seat.wait", who=page.seat))
        if len(self._seats) == SEATS and self.people == 1:
            self._ask(f"choose players {SEATS}", tell, self.end)

    def stand_up(self, page: Page, tell: Tell) -> None:
        """Leave a seat. Whoever is left plays the machine again, unless their page is missed."""
        if not page.seat:
            return
        del self._seats[page.seat]
        page.seat = None
        self._free(Page.is_missed)
        if self.people > 1 and int(self._settings().get("players", 1)) == 1:
            self._ask("choose players 1", tell)

    def _free(self, left: Callable[[Page], bool]) -> None:
        for seat, page in list(self._seats.items()):
            if left(page):
                del self._seats[seat]
                page.seat = None

    def refuses(self, page: Page, button: str) -> Message | None:
        """Why this page may not press now, or None if it may.

        Between GO and what the machine makes of it, a press would count for the next player.
        """
        if self.waits(page):
            return message("seat.not-yours", who=self.turn) if page.seat else message("seat.taken")
        if self.people < 2 or page.seat is None or page.seat != self.turn:
            return None
        if self._is_handing_over(page.seat):
            return message("seat.not-yours", who=self.turn)
        if button == board.GO and self.state == states.PLAYER:
            self._handed_over = page.seat, time.monotonic()
        return None

    def waits(self, page: Page) -> bool:
        """True if others play now, so that this page may not."""
        if self.people < 2 or not self._seats:
            return False
        if page.seat is None:
            return len(self.seats) >= self.people
        return self.state in (states.PLAYER, states.OPENING) and page.seat != self.turn

    def _is_handing_over(self, seat):
        if not self._handed_over or self._handed_over[0] != seat:
            return False
        return time.monotonic() - self._handed_over[1] < _GO_MS / 1000
