"""What lasts for one visit: the choice of game and level, and who plays.

The firmware forgets a visitor's choice when it returns to the attract show; so do the seats.

Whoever finds all seats taken waits in line. When a match is over, those who have sat longest make
room for those who wait: so while others wait, nobody plays more than two matches in a row.
Meanwhile, whoever makes no move for a minute, or has as much on the chess clock, loses the seat
during the match, and after three minutes the match is over. So it is for a match against the
machine, while others sit: they begin when it is over, and the next match is kept for somebody who
sits alone. Whoever has lost a seat gets no other for a while.

docs/kiosk-seats.md says all of it, with its seconds.
"""

import time
from math import inf
from typing import Callable

from nimatron import board, protocol, states
from nimatron_sim.ui.kiosk.chess_clock import FREE_S, ChessClock
from nimatron_sim.ui.kiosk.owner import STILL_S, Owner
from nimatron_sim.ui.kiosk.pages import Page
from nimatron_sim.ui.kiosk.seats import SEATS, Seats
from nimatron_sim.ui.words import Message, message

_CHOICES = {"game": "games", "level": "levels"}
_GO_MS = 500  # until the machine has said whether a move counts
_SLOW_S = 60  # without a move, after which a seat goes to somebody who waits
_ASLEEP_S = 120  # the same, if only the other player waits
_FLEES_S = 25  # without a move of the other player, after which whoever leaves plays the machine
_LEFT_S = 60  # that a device takes no other seat when it has left somebody slow
_LOST_S = 180  # that a device takes no other seat when it has lost one
_MATCH_S = 180  # that a match lasts at most while somebody waits
ENDS_S = 30  # before that, when the players are told
KEPT_S = 20  # that the next match is kept for whoever has waited for it
_READ_S = 6  # that a verdict is shown at least, before others begin
_ASK_S = 5  # until the machine has said whether two people may play
_BETWEEN = (states.VERDICT, states.ATTRACT)  # two matches
_MOVING = {states.OPENING, states.PLAYER}  # while somebody is to move
_TAKE, LEAVE = "page.seat.take", "page.seat.leave"  # the buttons' texts
_TO_THE_END, _WAIT = message("seat.to-the-end"), message("seat.wait-a-moment")
# From a firmware that is too old: it takes the word `practice` for a number.
_UNKNOWN = ("unknown-command", "not-a-number")


class Visit:
    """The visit. type_line(line, answered) types at the console, and answered(line) gets the
    answer; settings() are the builder's; busy() is true while visitors have asked for too much."""

    def __init__(
        self,
        type_line: Callable[[str, Callable[[str], None]], None],
        settings: Callable[[], dict[str, str]],
        busy: Callable[[], bool] = lambda: False,
    ):
        self.people = 1  # who play each other; 1 against the machine
        self.turn: int | None = None  # whose it is: from 1; 0 the machine's; None nobody's
        self.winner = ""  # of the match that is over, such as player-2
        self.state = "off"
        self._owner = Owner()  # whose match against the machine it is
        self._type = type_line
        self._settings = settings
        self._busy = busy
        self._seats = Seats()
        self._played = False  # since somebody last sat down
        self._handed_over: tuple[int, float] | None = None  # the seat that pressed GO, and when
        self._clock = ChessClock()
        self._sat_at = time.monotonic()  # since when these people sit
        self._waited_at = self._sat_at  # since when others wait
        self._next: Page | None = None  # whose the next match is
        self._read: Page | None = None  # who has played the match that is over
        self._kept_at: float | None = None  # since when whoever sits alone is kept from playing
        self._free_at: float | None = None  # since when they could play, if they could not before
        self._paired = False  # pages with seats play each other
        self._asked_at = -inf  # when the machine was asked to let them
        self._over_at = -inf  # when the last match was over

    # ------------------------------------------------------------------ what the machine says

    def hear(self, line: str) -> None:
        """Take in a console line."""
        kind, what, values = protocol.parse(line)
        if kind == protocol.OK and "picked" in values:
            self.people = int(values.get("players", 1))
            self._paired = self._paired and self.people > 1
            if values["state"] != self.state:  # the show was on before this server
                self._enter(values["state"])
        elif kind == protocol.EVENT and "state" in values:
            self._enter(values["state"])
        elif kind == protocol.EVENT and what == "move":
            self._clock.go_on()
            self._seats.plays(self.turn)
        elif kind == protocol.EVENT and what == "turn":
            self.turn = int(values["turn"].rpartition("-")[2])
            self._handed_over = None
        elif kind == protocol.EVENT and what in ("refused", "over", "boot"):
            self._handed_over = None
            self.winner = values.get("winner", "")

    def _enter(self, state):
        if state == states.VERDICT:
            self._read = self._owner.page
            self._next = self._kept_out()
        if not {state, self.state} <= _MOVING:  # to begin anew is no move
            self._clock.go_on()
        asleep = self._to_move() if state == states.ATTRACT else None
        self.state = state
        self._owner.enter(state)
        if state == states.VERDICT:
            self._over_at = time.monotonic()
        else:
            self.winner = ""
        if state in (states.THINKING, states.MACHINE):
            self.turn = 0
        elif state == states.OPENING:
            self.turn = 1
        elif state == states.PLAYER:
            self.turn = self.turn or 1
        else:
            self.turn = None
        if state == states.PLAYER:
            self._played = True
        elif state == states.OPENING and self.people > 1 and self._played:
            self._make_room()
        elif state == states.ATTRACT:
            self._return(asleep)

    def _return(self, asleep):
        """Let everybody go when the show returns, but for those who waited for others: for the
        one who was to move, or for the end of a match against the machine."""
        if asleep:
            over = message("seat.asleep", who=asleep.seat)
            self._oust(asleep)
            for other in self._seats.pages:
                other.tell(over)
        if self.people == 1 and self._next and self._next.seat and not self._next.is_missed():
            if self._seats.are_full:
                self._begin()
        else:
            waited_for = asleep and self._seats.waiting()
            self.end(lambda page: not waited_for)
            self._seat_the_next()

    def end(self, leaves: Callable[[Page], bool] = lambda page: True) -> None:
        """Let everybody go: the next visitor may be somebody else. leaves: or only these."""
        self._free(leaves)
        self._handed_over = self._next = None
        self._paired = False
        self._asked_at = -inf

    # ------------------------------------------------------------------ choices

    def offered(self, what: str) -> list[str]:
        """The games or levels that the builder allows; none if the firmware is too old."""
        settings = self._settings()
        return settings[_CHOICES[what]].split(",") if _CHOICES[what] in settings else []

    def choose(self, page: Page, what: str, name: str) -> None:
        """Have another game or level, for the visit. Between people a level would change nothing,
        but end their match."""
        if self._may(page) and not (what == "level" and self.people > 1):
            self._owner.act(page)
            self._ask(f"choose {what} {name}", page)

    def teach(self, page: Page, lines: list[str], refused: Callable[[], None]) -> bool:
        """Type the lines that begin or leave a lesson; False if others are playing. refused() is
        called if the Pico does not do it."""
        allowed = self.people == 1 and self._may(page)
        if allowed:
            self._owner.act(page, gives_up="new" in lines)
        for line in lines if allowed else ():
            self._ask(line, page, refused)
        return allowed

    def _may(self, page):
        full = self._is_full() and page.seat is None
        if full or self.waits(page):
            page.tell(*(self.taken(page) if full else self.denied(page)))
        elif self._shares(page):
            page.tell(_TO_THE_END)
        elif self._is_asked() or self._paired and self.people == 1:
            page.tell(*self._soon(page))
        elif self._owner.ask(page):
            page.tell(_WAIT)
        else:
            return not self._busy()
        return False

    def _shares(self, page):
        """True if this page plays with somebody, so that it alone cannot end the match."""
        return page.seat is not None and self.state == states.PLAYER and self._is_full()

    def _ask(self, line, page=None, refused=lambda: None, done=lambda: None):
        """Type a line that a page wants, if any; tell it if that is refused."""

        def answered(said):
            kind, _, values = protocol.parse(said)
            if kind != protocol.ERROR:
                done()
                return
            refused()
            old = values.get("reason") in _UNKNOWN
            if page:
                page.tell(message("seat.old") if old else message(values.get("text", said)))

        self._type(line, answered)

    # ------------------------------------------------------------------ seats

    @property
    def seats(self) -> list[int]:
        """Those that are taken, from 1."""
        return self._seats.taken

    @property
    def missed(self) -> int | None:
        """The seat of one of two players whose page is closed, or None. Where the builder wants
        several people, they also play without phones, and nobody is missed."""
        if self.people < 2 or self._builders_people > 1:
            return None
        here = [page.seat for page in self._seats.pages if not page.is_missed()]
        gone = [seat for seat in range(1, self.people + 1) if seat not in here]
        return gone[0] if gone and here else None

    def place(self, page: Page) -> int | None:
        """The page's place in the line, from 1; None if it does not wait for a seat."""
        return self._seats.place(page)

    def leaves(self, page: Page) -> bool:
        """True if somebody gets this page's seat when the match is over."""
        return page in self._seats.leaving(self._most)

    def taken(self, page: Page) -> list[Message]:
        """What somebody without a seat is told while others play each other."""
        if self._seats.place(page):
            return self._chance(page)
        return [message("seat.taken")] + self._chance(page)

    def _chance(self, page):
        """How somebody who does not play comes to play."""
        if page.seat:
            return []
        if place := self._seats.place(page):
            soon = self.people > 1 and place <= SEATS
            return [message("seat.next" if soon else "seat.line", count=place)]
        return [self._seats.refuse(page) or message("seat.offer", take=_TAKE)]

    def _soon(self, page):
        """What somebody is told while two people are about to play each other."""
        if page.seat:
            return [message("seat.ready", who=page.seat), message("seat.shortly")]
        return [message("seat.two")] + self._chance(page)

    @property
    def _not_yours(self):
        return message("seat.not-yours", who=self.turn)

    def denied(self, page: Page) -> list[Message]:
        """What somebody is told who may not play now."""
        if pause := self._pause_of(page):
            return [pause]
        if self.state == states.VERDICT and self._sit_idly():
            return self._soon(page)
        if self.is_barred(page):
            if page.seat:
                return [message("seat.soon")]
            if self._sit_idly():
                return self._soon(page)
            return [message("seat.playing", count=STILL_S)] + self._chance(page)
        if self._is_kept_from(page):
            return [message("seat.kept", count=KEPT_S)] + self._chance(page)
        if self._is_read(page):
            return [message("seat.read")]
        if page.seat and self.missed:
            return [self.gone]
        return [self._not_yours] if page.seat else self.taken(page)

    def alone(self, page: Page) -> list[Message]:
        """What there is to do while one of two seats is taken, and nobody plays; or nothing."""
        if self.state != states.ATTRACT or len(self.seats) != 1:
            return []
        if self.waits(page):
            return self.denied(page)
        return [message("seat.meanwhile")] if page.seat else self._chance(page)

    def is_next(self, page: Page) -> bool:
        """True if the match after the one that is over is kept for this page."""
        return page is self._next and not self._seats.are_full

    @property
    def gone(self) -> Message:
        """What one of two players is told if the other has gone."""
        return message("seat.gone", who=self.missed)

    def sit(self, page: Page) -> None:
        """Take a seat, or wait for one. With the second one, the two play each other."""
        if page.seat or self._seats.has_in_line(page):
            return
        self._let_go(lambda one: one.has_gone() or (not one.viewer and one.is_beside(page)))
        if refused := self._seats.refuse(page):
            page.tell(refused)
            return
        if not self._seats.waiting():
            self._waited_at = time.monotonic()
        self._seats.line_up(page)
        self._admit()
        if not page.seat:
            page.tell(message("seat.full"))
        elif self._can_begin(self.is_barred(page)) and self._owner.page in (None, page):
            self._begin()
        elif self._seats.are_full and self.people == 1:
            for other in self._seats.pages:
                if other is not page:
                    other.tell(message("seat.joined", who=page.seat))

    def stand_up(self, page: Page) -> None:
        """Leave a seat, or wait no longer. Whoever is left plays the next in the line, or the
        machine again, unless their page is missed."""
        self._seats.leave_line(lambda one: one is page)
        page.tell()  # nothing of the seat any more
        if not page.seat:
            return
        left = message("seat.left", who=page.seat)
        slow = self.slow_partner(page)
        closed = [one for one in self._seats.pages if one is not page and one.is_missed()]
        self._free(lambda one: one is page or one in closed)
        for other in self._seats.pages:
            other.tell(left)
        if slow:
            self._oust(slow)
            self._seats.rest(page, _LEFT_S)
        if (self.people > 1 or self._is_asked()) and self._builders_people == 1:
            self._play_on([], page) if slow or closed else self._play_on([left])

    def _play_on(self, news=(), leaver=None):
        """Have those who sit, and the next ones, play each other; or one the machine: whoever has
        left somebody slow, or a closed page, or else whoever is left. They are told the news."""
        left = self._seats.pages
        self._admit()
        if self._seats.are_full:
            self._begin()
            return
        plays = leaver or next(iter(left), None)
        if plays:
            self._owner.act(plays)
            plays.tell(*news, message("seat.yours"))
        self._ask("choose players 1", plays)

    def _drop(self, closed):
        """Take the seats of closed pages."""
        left = [message("seat.left", who=page.seat) for page in closed]
        self._free(lambda one: one in closed)
        for page in closed:
            self._seats.rest(page, _LOST_S, pauses=True)
        self._play_on(left)

    def keep_time(self) -> bool:
        """End what has lasted too long; call this about once per second. True if it has."""
        self._fill()
        kept = self._kept_out()
        self._note(kept)
        self._clock.run(self._keeps_waiting())
        if closed := self._closed():
            self._drop(closed)
        elif slow := self._slow():
            self.stand_up(slow)
            self._oust(slow)
        elif self._is_deserted():
            self._paired = False
            self._play_on()
        elif self._can_begin(kept):
            if self._owner.asked():
                return False
            self._begin()
        elif not self._ends_within(0):
            return False
        elif self.people == 1:
            if not (kept or self._seats.are_full):
                return False
            self._pause()
            if self._seats.are_full:
                self._begin()
            elif kept:
                self._owner.act(kept)
                self._ask("new", kept)
                kept.tell(message("seat.yours"))
        else:
            self._sat_at = time.monotonic()
            self._make_room()
            self._play_on()
        return True

    def _oust(self, slow):
        """Take a seat from somebody who makes no move, and who then pauses."""
        self._free(lambda page: page is slow)
        self._seats.rest(slow, _LOST_S, pauses=True)
        self._clock.forget(slow)
        slow.tell(message("seat.slow"), *self._chance(slow))

    def _pause(self):
        """Have whoever plays the machine let others play next, if need be from the own seat: but
        not from one beside the only one who waits."""
        hog = self._owner.page
        partners = self._seats.are_full and not self._seats.waiting()
        if hog and not (hog.seat and partners):
            self._seats.rest(hog, _LOST_S, pauses=True)
            self._free(lambda page: page is hog)
            pause = self._seats.pauses(hog)
            hog.tell(*([pause] if pause else []))
            self._admit()

    def _note(self, kept):
        """Note since when somebody is kept from playing, until they have had the time to begin,
        whatever others do meanwhile; and who did not."""
        now = time.monotonic()
        if kept:
            self._kept_at, self._free_at = self._kept_at or now, None
        else:
            self._free_at = self._free_at or now
            play = self.people > 1 or self._owner.page in self._seats.pages
            if play or now - self._free_at >= KEPT_S:
                self._kept_at = None
        if self._next and now - self._over_at >= KEPT_S and self.state in _BETWEEN:
            self._next.tell(message("seat.given", take=_TAKE))
            self._free(lambda page: page is self._next)
            self._next = None
            if self.state == states.ATTRACT:
                self.end()

    def _is_deserted(self):
        """True if people play each other, and one of their seats is nobody's any more."""
        playing = self._paired and self.people > 1 and self._builders_people == 1
        return playing and self.state in _MOVING and not self._seats.are_full

    def _kept_out(self):
        """The first who sits while somebody else plays the machine, or None."""
        plays = self._owner.page
        if self.people > 1 or not plays:
            return None
        for page in self._seats.pages:
            here = not (page.is_missed() or page.is_beside(plays) or self._seats.pauses(page))
            if here and self.is_barred(page):
                return page
        return None

    def _sit_idly(self):
        """True if those who sit could play each other, but have not yet been let."""
        idle = self.people == 1 and self._seats.are_full and not self._paired
        return idle and not self._is_asked()

    def _is_asked(self):
        """True if the machine may still say whether two people may play."""
        return time.monotonic() - self._asked_at < _ASK_S

    def _can_begin(self, kept):
        """True if those who sit idly can begin: the match that kept them is over."""
        read = self.state != states.VERDICT or time.monotonic() - self._over_at >= _READ_S
        here = not any(page.is_missed() for page in self._seats.pages)
        return self._sit_idly() and not kept and read and here

    def _ends_within(self, seconds):
        """True if others wait, and the match has only so many seconds left."""
        since = self._kept_at
        if self.people > 1 and self._builders_people == 1 and self._seats.waiting():
            since = max(self._sat_at, self._waited_at)
        return since is not None and time.monotonic() - since >= _MATCH_S - seconds

    def ends_soon(self, page: Page) -> bool:
        """True if this page plays a match that ends soon, because others wait."""
        plays = page.seat is not None if self.people > 1 else self._owner.page is page
        return plays and self._ends_within(ENDS_S)

    def _slow(self):
        """Whoever has made no move for so long, while others wait, that they must stand up, or
        None."""
        page = self._to_move()
        if not page:
            return None
        late_s = self._clock.late_s(page)
        if self._seats.waiting() and min(late_s, time.monotonic() - self._waited_at) >= _SLOW_S:
            return page
        others = [one for one in self._seats.pages if one is not page and not one.is_missed()]
        return page if late_s >= _ASLEEP_S and others else None

    def makes_wait(self, page: Page) -> bool:
        """True if somebody who waits for this page's move had better be remembered."""
        waited = page is self._to_move() and self._clock.since_move_s > FREE_S
        return waited and self._keeps_waiting() is page

    def slow_partner(self, page: Page) -> Page | None:
        """Who has this page wait so long for a move that it may play the machine instead, if
        anybody."""
        slow = self._to_move()
        if slow in (None, page) or page.seat is None:
            return None
        long = self._clock.since_move_s >= _FLEES_S or self._has_kept_others(slow)
        return slow if long else None

    def _has_kept_others(self, page):
        """True if others have waited for this page for a minute more than it for them."""
        return self._clock.kept_s(page) >= _SLOW_S

    def _keeps_waiting(self):
        """Whoever is to move while others wait for that, or None."""
        page = self._to_move() if self.people > 1 else self._owner.page
        if not page or self.state not in _MOVING:
            return None
        others = [one for one in self._seats.pages + self._seats.waiting() if one is not page]
        wait = any(not (one.is_missed() or one.is_beside(page)) for one in others)
        return page if wait else None

    def _closed(self):
        """The pages of those who play each other, or one of them, that were closed."""
        if self.people < 2 or self._builders_people > 1 or self.state not in _MOVING:
            return []
        return [page for page in self._seats.pages if page.has_gone()]

    def _to_move(self):
        """The page of whoever is to move in a match of people who have taken seats, or None."""
        if self.people < 2 or self._builders_people > 1 or self.state not in _MOVING:
            return None
        return next((page for page in self._seats.pages if page.seat == self.turn), None)

    @property
    def _builders_people(self):
        return int(self._settings().get("players", 1))

    @property
    def _most(self):
        """The seats that there are."""
        return max(SEATS, self._builders_people)

    def _seat_the_next(self):
        """When everybody has gone, let those who wait play."""
        if self._seats.waiting():
            self.people = self._builders_people
            self._admit()
            if self.people == 1:
                self._begin()

    def _make_room(self):
        """Give the seats of those who have sat longest to those who wait."""
        if self._seats.waiting():
            self._free(Page.is_missed)
        for page in self._seats.leaving(self._most):
            self._free(lambda one, page=page: one is page)
            page.tell(message("seat.given", take=_TAKE))
        self._admit()

    def _fill(self):
        """Seat those who wait, if a seat has become free in a match that is not for seats."""
        if not (self._paired or self._is_asked()):
            self._free(Page.has_gone)
            self._admit()

    def _admit(self):
        """Seat those who wait, as far as there are seats."""
        if not self._seats.admit(self._most):
            return
        self._played = False
        self._sat_at = time.monotonic()
        sitting = self._seats.pages
        for page in sitting:
            sits = message("seat.ready" if len(sitting) > 1 else "seat.wait", who=page.seat)
            page.tell(sits, *([message("seat.soon")] if self.is_barred(page) else []))

    def _begin(self):
        """Have those who sit play each other, if there are enough."""
        if self._seats.are_full:
            page, plays = self._seats.pages[-1], self._owner.page
            if plays and not plays.seat:
                plays.tell(*self._soon(plays))
            self._sat_at = self._asked_at = time.monotonic()
            self._clock.go_on()
            self._ask(f"choose players {SEATS}", page, self.end, self._pair)

    def _pair(self):
        """Note that those who sit play each other; what the machine said earlier is over."""
        self._paired = True
        self._asked_at = -inf

    def _let_go(self, leaves: Callable[[Page], bool]) -> None:
        """Free the seats of some, and their places in the line."""
        self._free(leaves)
        self._seats.leave_line(leaves)

    def _free(self, leaves: Callable[[Page], bool]) -> None:
        for page in self._seats.free(leaves):
            self._owner.leave(page)

    def refuses(self, page: Page, button: str) -> list[Message]:
        """Why this page may not press now; nothing if it may.

        Between GO and what the machine makes of it, a press would count for the next player. When
        a match against the machine is over, it begins that of those who sit.
        """
        if self.state == states.VERDICT and self._sit_idly():
            if page.seat and (page is self._read or self._can_begin(None)):
                self._begin()
            return self._soon(page)
        if self.waits(page):
            return self.denied(page)
        if button == board.NEW and self._shares(page):
            return [_TO_THE_END]
        if self.people < 2 and self._owner.ask(page):
            return [_WAIT]
        if self.people < 2 or page.seat is None or page.seat != self.turn:
            return []
        if self._is_handing_over(page.seat):
            return [self._not_yours]
        if button == board.GO and self.state == states.PLAYER:
            self._handed_over = page.seat, time.monotonic()
        return []

    def waits(self, page: Page) -> bool:
        """True if others play now, so that this page may not. When their match is over, the next
        ones may begin theirs."""
        if page.seat is None or self.people < 2:
            next_match = self.state == states.VERDICT and page in self._seats.waiting()[:SEATS]
            full = self._is_full() and not next_match
            barred = self.is_barred(page) or self._is_kept_from(page)
            return full or barred or self._is_read(page) or self._pause_of(page) is not None
        return (
            self._is_read(page)
            or self.state in (states.PLAYER, states.OPENING)
            and page.seat != self.turn
        )

    def may_take_over(self, page: Page) -> bool:
        """True if somebody else plays the machine, but has been still for so long that this page
        may play on."""
        return self.state in _MOVING and self.watches(page) and not self.waits(page)

    def left_to(self, page: Page) -> list[Message]:
        """What a page is told that may take over."""
        return self._soon(page) if page.seat and self._sit_idly() else [message("seat.still")]

    def watches(self, page: Page) -> bool:
        """True if the match against the machine is another page's, or the last one was while there
        is none. One that no page has played was played at the machine itself."""
        if self.people > 1:
            return False
        if self.state in _BETWEEN:
            return self._read is not page if self._read else not page.local
        return self._owner.page not in (None, page)

    def is_barred(self, page: Page) -> bool:
        """True if the match is another page's, whose seats do not say so already."""
        free = page.control and not self._is_full() and not (page.seat and self.people > 1)
        return free and self._owner.bars(page)

    def _is_kept_from(self, page):
        """True if the match is over, and the next one somebody else's, who has waited for it."""
        if self.state not in _BETWEEN or self._next in (None, page) or not page.control:
            return False
        waited = self._next.seat is not None and not self._next.is_missed()
        return waited and time.monotonic() - self._over_at < KEPT_S

    def _is_read(self, page):
        """True if a match is just over, and somebody else has played it; who are also let to begin
        the next one by whoever has just kept others from playing."""
        pauses = self._seats.pauses(page)
        between = self.state in _BETWEEN if pauses else self.state == states.VERDICT
        over = between and time.monotonic() - self._over_at < (KEPT_S if pauses else _READ_S)
        if not (over and page.control):
            return False
        if self.people > 1:
            return self._is_full()
        return self._read not in (None, page) and not self._read.is_missed()

    def _pause_of(self, page):
        """What this page is told if it has just kept others from playing, and they are there."""
        others = (one for one in self._seats.pages if one is not page and not one.is_missed())
        could = page.control and self.people == 1 and self._owner.page is not page
        return self._seats.pauses(page) if could and any(others) else None

    def _is_full(self):
        """True if people play each other, all of them with a seat."""
        return 1 < self.people <= len(self.seats)

    def act(self, page: Page, button: str) -> None:
        """Note that a page presses a button, or touches a lamp in its row: from then on the match
        is its own, unless it gives it up."""
        self._owner.act(page, gives_up=button == board.NEW)

    def see(self, page: Page) -> None:
        """Note that somebody uses this page, which may play."""
        self._owner.see(page)

    def _is_handing_over(self, seat):
        if not self._handed_over or self._handed_over[0] != seat:
            return False
        return time.monotonic() - self._handed_over[1] < _GO_MS / 1000
