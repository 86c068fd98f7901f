"""One device among honest visitors: whatever it does, they all play. In virtual time, with the
machine of a kiosk and a simulated Pico, but no server."""

import contextlib
import random
from math import inf
from types import SimpleNamespace

import pytest

from nimatron import states
from nimatron_sim.simulated.pico import SimulatedPico
from nimatron_sim.ui.hands import Hands
from nimatron_sim.ui.kiosk import (
    chess_clock,
    facts,
    machine,
    owner,
    pages,
    playing,
    seats,
    visit,
    visitor,
)
from nimatron_sim.ui.kiosk.machine import Machine
from nimatron_sim.ui.kiosk.messages import Bad
from nimatron_sim.ui.kiosk.visitor import Visitor

TICK_S = 0.25
FAIR = 0.25  # of the moves that honest visitors make when they are among themselves, at least
PLAYS = states.OPENING, states.PLAYER


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    stopped = SimpleNamespace(now=1000.0, monotonic=lambda: stopped.now)
    for module in (chess_clock, facts, machine, owner, pages, playing, seats, visit, visitor):
        monkeypatch.setattr(module, "time", stopped)
    return stopped


class Session:
    """A Pico which is as old as the show."""

    def __init__(self, record):
        self.pico = SimulatedPico(record=record)
        self._hands = Hands(self.pico)

    def start(self):
        self.pico.settle()

    def __getattr__(self, name):
        return getattr(self._hands, name)


class Hall(Machine):
    """The machine, and those who stand around it; to be used in a `with` statement."""

    def __init__(self, clock):
        super().__init__(lambda record, failed: Session(record), [])
        self.clock = clock
        self.people = []
        self.begin()

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.pico.power_off()

    @property
    def pico(self):
        return self._attendant.session.pico

    def think(self, ask, *question, then):
        """Explanations cost nothing here, for there are none."""

    def keep(self, match):
        """Nor are matches kept."""

    def open(self, minutes):
        for tick in range(int(minutes * 60 / TICK_S)):
            self.clock.now += TICK_S
            self.pico.run(1000 * TICK_S)
            if tick % int(1 / TICK_S) == 0:
                self.keep_time()
            for person in self.people:
                person.live()


class Person:
    """Somebody at a page. address: "" for the exhibit's own screen."""

    def __init__(self, hall, address="", seed=0):
        self.hall = hall
        self.visit = hall.visit
        self.random = random.Random(f"{address} {seed}")
        self.address = address
        self.open()
        self.pressed = None  # a button that is still down
        self.at = 0.0  # when there is something to do again
        hall.people.append(self)

    def open(self):
        self.eye = Visitor(
            self.hall, True, SimpleNamespace(set=lambda: None), self.address == "", self.address
        )
        self.hall.viewers.add(self.eye)

    def reload(self):
        """Close the page, and open another one."""
        self.eye.leave()
        self.hall.viewers.discard(self.eye)
        self.open()

    @property
    def page(self):
        return self.eye.page

    @property
    def may(self):
        return not self.visit.waits(self.page)

    @property
    def mine(self):
        """Whether it is this person's move."""
        seats = self.visit.people > 1
        turn = not seats or self.page.seat == self.visit.turn
        return self.visit.state in PLAYS and self.may and turn

    def say(self, verb, what):
        with contextlib.suppress(Bad):  # it is told so
            self.eye.hear(verb, what)

    def tap(self, button):
        self.say("press", button)
        self.pressed = button

    def pick(self):
        lit = [row + 1 for row, lamps in enumerate(self.hall.pico.rows) if lamps]
        self.tap(f"row{self.random.choice(lit)}")

    def rest(self, seconds):
        self.at = self.hall.clock.now + seconds

    def live(self):
        if self.pressed:
            self.say("release", self.pressed)
            self.pressed = None
        elif self.hall.clock.now >= self.at:
            self.do()


class Honest(Person):
    """Moves within ten seconds, reads each verdict, and takes a seat when others play."""

    sits_down = False  # even if nobody plays
    pace_s = 4, 9

    def __init__(self, *where):
        super().__init__(*where)
        self.moves = 0
        self._picked = False

    def do(self):
        state = self.visit.state
        if self.mine and (self._picked or any(self.hall.pico.rows)):
            self.say("here", "1")
            if self._picked:
                self.tap("go")
                self.moves += 1
            else:
                self.pick()
            self._picked = not self._picked
            self.rest(1 if self._picked else self.random.uniform(*self.pace_s))
            return
        self._picked = False
        if self.sits_down and self._wants_a_seat():
            self.say("seat", "take")
        elif self.may and state == states.ATTRACT:
            self.tap("go")
            self.rest(2)
        elif self.may and state == states.VERDICT:
            self.rest(8)
            self.do = self._go_on
        elif self._wants_a_seat():
            self.say("seat", "take")
            self.rest(self.random.uniform(2, 4))

    def _wants_a_seat(self):
        lacks = not self.page.seat and self.visit.place(self.page) is None
        return lacks and (self.sits_down or not self.may)

    def _go_on(self):
        del self.do
        if self.may and self.visit.state == states.VERDICT:
            self.tap("go")
            self.rest(2)


class Sitter(Honest):
    """Takes a seat first, and waits for a friend."""

    sits_down = True


class Thinker(Sitter):
    """Takes longer over a move than most."""

    pace_s = 17, 22


class Impatient(Honest):
    """Leaves the seat if the other player makes no move for half a minute."""

    def __init__(self, *where):
        super().__init__(*where)
        self._waits_since = None

    def do(self):
        now = self.hall.clock.now
        if self.mine or not self.page.seat or self.visit.state not in PLAYS:
            self._waits_since = None
        self._waits_since = self._waits_since or now
        if self.visit.people > 1 and now - self._waits_since > 30:
            self.say("seat", "leave")
            self.rest(1)
        else:
            super().do()


# ---------------------------------------------------------------------- those who disturb


class Idler(Person):
    """Sits, and does nothing else."""

    def do(self):
        if not self.page.seat and self.visit.place(self.page) is None:
            self.say("seat", "take")
            self.rest(1)


class Flapper(Person):
    """Takes a seat and leaves it, as fast as can be."""

    def do(self):
        self.say("seat", "leave" if self.page.seat else "take")


class Reopener(Idler):
    """Sits, and opens another page instead."""

    def do(self):
        if self.page.seat:
            self.reload()
        super().do()


class Dawdler(Idler):
    """Sits, and in its turn picks lamps and gives them back."""

    what = "touch"

    def do(self):
        super().do()
        if self.mine and self.page.seat:
            self.disturb()
            self.rest(2.5)

    def disturb(self):
        self.say("touch", "0")


class Chooser(Dawdler):
    """Sits, and in its turn chooses another game."""

    def disturb(self):
        other = "nim" if self.hall.state["game"] != "nim" else "kayles"
        self.say("game", other)


class Restarter(Dawdler):
    """Sits, and in its turn begins the match anew, and anew."""

    def disturb(self):
        self.tap("new" if self.hall.state["picked"] else "row1")
        self.rest(25)


class Vanisher(Idler):
    """Sits, and goes away in its turn; another page keeps the show awake."""

    def __init__(self, *where):
        super().__init__(*where)
        self._gone_at = 0.0

    def do(self):
        if self.mine and self.page.seat:
            self.reload()
            self._gone_at = self.hall.clock.now
        elif self.hall.clock.now - self._gone_at > 20:
            super().do()
        self.say("here", "1")


class Owner(Person):
    """Plays the machine as slowly as it may, and NEW now and then makes others hope."""

    def __init__(self, *where):
        super().__init__(*where)
        self._new = self._moved = self.hall.clock.now

    def do(self):
        now = self.hall.clock.now
        self.say("here", "1")
        if not self.may:
            return
        if self.visit.state in (states.ATTRACT, states.VERDICT):
            self.tap("go")
            self._new = self._moved = now
        elif self.visit.state in PLAYS and now - self._new > 100:
            self.tap("new")
            self._new = now
            self.rest(1)
        elif self.visit.state in PLAYS and now - self._moved > 50:
            self.tap("go" if self.hall.state["picked"] else "row1")
            self._moved = now if self.pressed == "go" else self._moved
        elif self.visit.state in PLAYS:
            self.say("touch", "0")
            self.rest(3)


class Squeezer(Idler):
    """Takes as long over each move as it may, in a seat and against the machine."""

    def __init__(self, *where):
        super().__init__(*where)
        self._since = None

    def do(self):
        super().do()
        now = self.hall.clock.now
        self.say("here", "1")
        if not self.mine:
            self._since = None
            if self.may and self.visit.people == 1:
                self.tap("go")
            return
        self._since = self._since or now
        alone = self.visit.people > 1 and not self.visit.leaves(self.page)
        if self._thinks_s(now) > (112 if alone else 50):
            if self.hall.state["picked"]:
                self.tap("go")
                self._since = None
            else:
                self.pick()

    def _thinks_s(self, now):
        return now - self._since


class Miser(Squeezer):
    """Knows the clock, and all that it still allows."""

    def _thinks_s(self, now):
        return self.visit._clock.late_s(self.page) if self.page.seat else super()._thinks_s(now)


class Grabber(Idler):
    """Leaves the seat as soon as two play each other, touches the machine first, and sits down
    again before it would have to give it up."""

    def __init__(self, *where):
        super().__init__(*where)
        self._grabbed_at = None

    def do(self):
        now = self.hall.clock.now
        self.say("here", "1")
        if self.visit.people > 1:
            self._grabbed_at = None
            if self.page.seat:
                self.part()
        elif self.may and self.visit.state not in PLAYS:
            self.tap("go")
        elif not self.mine:
            super().do()
        else:
            self._grabbed_at = self._grabbed_at or now
            self._play()
            if now - self._grabbed_at > 48:
                super().do()

    def part(self):
        """Bring the match of two to an end."""
        self.say("seat", "leave")

    def _play(self):
        if self.hall.state["picked"]:
            self.tap("go")
            self.rest(13)
        elif any(self.hall.pico.rows):
            self.pick()


class Closer(Grabber):
    """Closes the page instead."""

    def part(self):
        self.reload()


class Fleer(Grabber):
    """Leaves somebody who thinks as soon as that gives it the machine."""

    def part(self):
        if self.visit.slow_partner(self.page):
            super().part()
        elif self.mine:
            self._play()


class Skipper(Idler):
    """Lines up before those who have played, and closes the page in its turn."""

    def do(self):
        if self.page.seat and self.visit.people > 1 and self.mine:
            self.reload()
        elif self.visit.state not in PLAYS:
            super().do()


class Wiper(Person):
    """Ends each verdict at once, and gives the match up."""

    def do(self):
        if self.may and self.visit.state == states.VERDICT:
            self.tap("go")
        elif self.may and self.visit.state == states.OPENING:
            self.tap("new")


class Pair(Owner):
    """A page that owns the match, beside one that sits and has the next one kept."""

    def __init__(self, *where):
        super().__init__(*where)
        self._other = Idler(*where)

    def do(self):
        super().do()
        if not self.may and self._other.may:
            self.eye, self._other.eye = self._other.eye, self.eye
        if self.page.seat:
            self.say("seat", "leave")


PRESSES = ["go", "go", "new", "new", "row1", "row3"]
ELSE = [
    "take",
    "take",
    "leave",
    "here",
    "game",
    "level",
    "touch",
    "reload",
    "rest",
    "rest",
    "lesson",
]


class Anything(Person):
    """Does what comes to its mind, as long as it likes."""

    def do(self):
        verb = self.random.choice(PRESSES + ELSE)
        if verb in ("take", "leave"):
            self.say("seat", verb)
        elif verb in PRESSES:
            self.tap(verb)
        elif verb == "reload":
            self.reload()
        elif verb == "rest":
            self.rest(self.random.choice((0.5, 1, 5, 20, 50)))
        else:
            game = self.random.choice(("nim", "kayles"))
            level = self.random.choice(("child", "perfect"))
            says = {"here": "1", "game": game, "level": level, "touch": "9", "lesson": "1"}
            self.say(verb, says[verb])


PHONES = "192.0.2.3", "192.0.2.4", "192.0.2.5"
HALLS = {
    "two phones that sit": [(Sitter, phone) for phone in PHONES[:2]],
    "a phone": [(Honest, PHONES[0])],
    "a phone that sits": [(Sitter, PHONES[0])],
    "a phone that thinks": [(Thinker, PHONES[0])],
    "two phones": [(Honest, phone) for phone in PHONES[:2]],
    "three phones": [(Honest, phone) for phone in PHONES],
    "an impatient phone": [(Impatient, PHONES[0])],
    "two impatient phones": [(Impatient, phone) for phone in PHONES[:2]],
    "three impatient phones": [(Impatient, phone) for phone in PHONES],
    "the exhibit's screen": [(Honest, "")],
    "the exhibit's screen that sits": [(Sitter, "")],
    "the exhibit's screen, and a phone": [(Honest, ""), (Honest, PHONES[0])],
}


def moves(clock, honest, disturber=None, seed=0):
    """How many moves each honest visitor makes in ten minutes."""
    with Hall(clock) as hall:
        visitors = [kind(hall, address) for kind, address in HALLS[honest]]
        if disturber:
            disturber(hall, "192.0.2.2", seed)
        hall.open(minutes=10)
        return [visitor.moves for visitor in visitors]


ALONE: dict = {}  # what they do among themselves


def assert_fair(clock, honest, disturber, seed=0):
    if honest not in ALONE:
        ALONE[honest] = moves(clock, honest)
    made = moves(clock, honest, disturber, seed)
    fair = 0.18 if disturber is Miser else FAIR  # whoever knows the clock gains its first minutes
    assert sum(made) >= fair * sum(ALONE[honest]) and min(made) >= 3, (ALONE[honest], made)


@pytest.mark.parametrize(
    "honest",
    [
        pytest.param(honest, marks=[pytest.mark.long("5 s")] if number else ())
        for number, honest in enumerate(HALLS)
    ],
)
@pytest.mark.parametrize(
    "disturber",
    [
        Idler,
        Flapper,
        Reopener,
        Dawdler,
        Chooser,
        Restarter,
        Vanisher,
        Owner,
        Squeezer,
        Miser,
        Grabber,
        Closer,
        Fleer,
        Skipper,
        Wiper,
        Pair,
    ],
)
def test_one_device_leaves_the_others_their_moves(clock, honest, disturber):
    assert_fair(clock, honest, disturber)


@pytest.mark.sampled("a minute")
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("honest", HALLS)
def test_whatever_it_does(clock, honest, seed):
    assert_fair(clock, honest, Anything, seed)


WAITS = {"seat.playing", "seat.soon", "seat.kept", "seat.read", "seat.taken"}


def test_whoever_sits_alone_is_joined_by_those_who_may(clock):
    with Hall(clock) as hall:
        sits, joins, beside = (Person(hall, PHONES[number]) for number in (0, 1, 0))
        for person in hall.people:
            person.rest(inf)
        sits.say("seat", "take")
        hall.open(1 / 60)
        read = {"meanwhile": sits, "offer": joins, "one": beside}
        for key, person in read.items():
            _, advice, doing = said(person)
            assert (list(doing), list(advice)) == (["seat.alone"], [f"seat.{key}"])
        hall.visit._seats.rest(joins.page, 60)
        joins.say("seat", "take")
        assert joins.eye.seen()["advice"] == [("seat.rest", {"count": 60})]


def test_only_whoever_is_to_move_is_asked_whether_they_are_there(clock):
    with Hall(clock) as hall:
        mover, other = (Idler(hall, address) for address in PHONES[:2])
        asked = []
        for _ in range(58):
            hall.open(1 / 60)
            asked.append(["warning" in said(person)[2] for person in (mover, other)])
    assert [True, False] in asked and not any(other for _, other in asked)


def said(person):
    """What the page of somebody says, but for what it says for a moment."""
    person.eye._notice = []
    seen = person.eye.seen()
    return seen, dict(seen["advice"]), dict(seen["doing"])


def plays(hall, person):
    """True if somebody plays the machine, or has played the match that is over."""
    over = hall.visit.state == states.VERDICT
    player = hall.visit._read if over else hall.visit._owner.page
    return hall.visit.people == 1 and player is person.page


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.long("1 s")) for seed in range(1, 40))]
)
def test_a_page_says_what_is_so(clock, seed):
    """Five people do anything; each second, each page is asked."""
    with Hall(clock) as hall:
        people = [Anything(hall, address, seed) for address in (*PHONES, "192.0.2.6", "")]
        free_s = 0
        for _ in range(300):
            hall.open(1 / 60)
            seats, visit = hall.visit._seats, hall.visit
            free = seats.waiting() and len(seats.pages) < 2
            free_s = free_s + 1 if free else 0
            assert free_s < 3
            for person in people:
                seen, advice, doing = said(person)
                if "seat.offer" in advice:
                    assert seen["place"] is seen["seat"] is None
                    assert seats.refuse(person.page) is None
                for key in ("seat.next", "seat.line"):
                    assert advice.get(key, {"count": seen["place"]})["count"] == seen["place"]
                if {"seat.begin", "seat.within", "seat.meanwhile", "state.player"} & {
                    *advice,
                    *doing,
                }:
                    assert person.may
                if not seen["waits"]:
                    assert not WAITS & set(advice)
                said_to_players = {"wins.player", "last.player", "state.player"} & set(doing)
                if plays(hall, person):
                    assert not [key for key in doing if key.startswith("watch.")]
                elif visit.people == 1 and visit._owner.page:
                    assert not said_to_players and "your-move" not in seen["legends"]
                assert "seat.one" not in advice  # they all have devices of their own
                if seen["place"]:
                    assert not {"seat.alone", "seat.rest", "seat.taken"} & {*advice, *doing}
