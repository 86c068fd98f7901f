"""Who plays when, without a server. The tests have the clock, and a machine that obeys."""

from types import SimpleNamespace

import pytest

from nimatron_sim.ui.kiosk import chess_clock, owner, pages, seats, visit
from nimatron_sim.ui.kiosk.pages import Page
from nimatron_sim.ui.kiosk.seats import Seats
from nimatron_sim.ui.kiosk.visit import Visit


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    stopped = SimpleNamespace(now=1000.0, monotonic=lambda: stopped.now)
    for module in (chess_clock, owner, pages, seats, visit):
        monkeypatch.setattr(module, "time", stopped)
    return stopped


class House:
    """A machine that does what is typed."""

    def __init__(self):
        self.typed = []
        self.visit = Visit(self._type, dict)

    def _type(self, line, answered):
        self.typed.append(line)
        answered("ok")
        if line.startswith("choose players"):
            self.visit.hear("event state=opening")
            self.visit.hear(f"ok state=opening picked=0 players={line[-1]}")

    def page(self, address=""):
        told = []
        page = Page(True, SimpleNamespace(tell=lambda *notice: told.extend(notice)))
        page.address, page.told = address, told
        return page

    def plays(self, page):
        """Begin a match against the machine, and make a move."""
        self.visit.act(page, "go")
        for state in ("opening", "player", "thinking", "player"):
            self.visit.hear(f"event state={state}")

    def begun(self):
        return self.typed.count("choose players 2")


@pytest.fixture
def house():
    return House()


def test_whoever_sits_down_ends_nobodys_match(house, clock):
    """Nor do two who stand up again. They play when the match is over, and has been read."""
    player, one, two = (house.page() for _ in range(3))
    house.plays(player)
    for _ in range(3):
        house.visit.sit(one)
        house.visit.sit(two)
        house.visit.keep_time()
        assert not house.visit.waits(player) and house.visit.waits(two)
        house.visit.stand_up(two)
        house.visit.stand_up(one)
    assert house.typed == []
    house.visit.sit(one)
    house.visit.sit(two)
    clock.now += 10
    house.visit.see(player)
    house.visit.hear("event state=verdict")
    clock.now += 5
    house.visit.keep_time()
    assert not house.begun()
    clock.now += 1
    house.visit.keep_time()
    house.visit.keep_time()
    assert house.begun() == 1 and house.visit.waits(player)


def test_whoever_sits_and_plays_goes_on_when_somebody_joins(house):
    """Until the match is over: then the next press begins the one of the two."""
    player, other = house.page(), house.page()
    house.visit.sit(player)
    house.plays(player)
    house.visit.sit(other)
    house.visit.keep_time()
    assert not house.begun() and not house.visit.waits(player)
    assert player.told[-1] == ("seat.joined", {"who": 2})
    assert house.visit.denied(other)[0][0] == "seat.soon"
    house.visit.hear("event state=verdict")
    assert house.visit.refuses(player, "go")[0] == ("seat.ready", {"who": 1})
    assert house.begun() == 1


def test_the_next_match_is_kept_for_whoever_sits_and_waits(house, clock):
    """However fast the other one presses; but not for ever."""
    player, other = house.page(), house.page()
    house.plays(player)
    house.visit.sit(other)
    house.visit.keep_time()
    house.visit.hear("event state=verdict")
    assert house.visit.is_next(other) and not house.visit.is_next(player)
    for second in range(0, 20, 4):
        assert house.visit.refuses(player, "go")[0][0] == "seat.kept"
        assert house.visit.waits(player) and house.visit.waits(other) == (second < 8)
        clock.now += 4
    house.plays(other)
    assert house.visit.waits(player)
    house.visit.hear("event state=verdict")
    clock.now += 8
    assert not house.visit.waits(player)


@pytest.mark.parametrize("gone", ["late", "away", "up"])
def test_nobody_is_kept_waiting_for_somebody_who_does_not_begin(house, clock, gone):
    player, other = house.page(), house.page()
    house.plays(player)
    house.visit.sit(other)
    house.visit.hear("event state=verdict")
    if gone == "late":
        clock.now += 20
    elif gone == "away":
        other.viewer, other.left_at = None, clock.now
        clock.now += 6
    else:
        house.visit.stand_up(other)
    assert house.visit.refuses(player, "go") == []


def test_whoever_sits_down_lets_a_verdict_be_read(house, clock):
    player, other = house.page(), house.page()
    house.visit.sit(player)
    house.plays(player)
    house.visit.hear("event state=verdict")
    house.visit.sit(other)
    house.visit.keep_time()
    assert not house.begun()
    clock.now += 8
    house.visit.keep_time()
    assert house.begun() == 1


def test_a_match_lasts_three_minutes_while_two_wait(house, clock):
    player, one, two = (house.page() for _ in range(3))
    house.plays(player)
    for page in (one, two):
        house.visit.sit(page)
    for second in range(0, 200, 10):
        assert bool(house.begun()) == (second > 180), second
        house.visit.hear("event state=player")
        house.visit.hear("event state=thinking")
        house.visit.keep_time()
        assert house.visit.ends_soon(player) == (150 <= second < 180)
        clock.now += 10
    assert house.typed == ["choose players 2"]


@pytest.mark.parametrize("rests", [lambda house, clock: None, lambda house, clock: house.leave()])
def test_two_who_sit_begin_when_nobody_plays(house, clock, rests):
    player, one, two = (house.page() for _ in range(3))
    house.leave = lambda: setattr(player, "viewer", None)
    house.plays(player)
    for page in (one, two):
        house.visit.sit(page)
    rests(house, clock)
    clock.now += 20
    house.visit.keep_time()
    if player.viewer:
        assert not house.begun() and player.told[-1] == ("seat.wanted", {})
        clock.now += 4
        house.visit.keep_time()
        assert player.told[-2:] == [("seat.two", {}), ("seat.offer", {"take": "page.seat.take"})]
    assert house.begun() == 1


def test_who_still_plays_is_asked_before_two_begin(house, clock):
    player, one, two = (house.page() for _ in range(3))
    house.plays(player)
    for page in (one, two):
        house.visit.sit(page)
    clock.now += 20
    house.visit.keep_time()
    clock.now += 2
    house.visit.see(player)
    clock.now += 2
    house.visit.keep_time()
    assert not house.begun() and not house.visit.waits(player)


def test_nobody_begins_with_a_page_that_is_closed(house, clock):
    player, one, closed = (house.page() for _ in range(3))
    house.plays(player)
    for page in (one, closed):
        house.visit.sit(page)
    house.visit.hear("event state=verdict")
    closed.cut()
    for _ in range(12):
        clock.now += 1.3
        house.visit.keep_time()
    assert not house.begun() and (one.seat, closed.seat) == (1, None)
    assert house.visit.is_next(one)


def test_who_played_with_somebody_asleep_reads_why_it_is_over(house):
    asleep, other = paired(house)
    house.visit.hear("event state=attract")
    assert other.told[-1] == ("seat.asleep", {"who": 1})
    assert asleep.told[-2:] == [("seat.slow", {}), ("seat.rest", {"count": 180})]


def test_a_slow_machine_is_not_asked_all_the_time(house, clock):
    """But again, if it has said nothing: it may have been restarted."""
    seats = Visit(lambda line, answered: house.typed.append(line), dict)
    for page in (house.page(), house.page()):
        seats.sit(page)
    for _ in range(5):
        seats.keep_time()
        assert house.begun() == 1
        clock.now += 1
    seats.keep_time()
    assert house.begun() == 2


def test_a_verdict_is_read_before_others_begin(house, clock):
    """By whoever has played; they may go on at once themselves. Nor does anybody else choose."""
    player, other, sitter = (house.page() for _ in range(3))
    house.plays(player)
    house.visit.hear("event state=verdict")
    for _ in range(2):
        assert house.visit.waits(other) and not house.visit.waits(player)
        assert house.visit.refuses(other, "go") == house.visit.denied(other) == [("seat.read", {})]
        clock.now += 2.9
    house.visit.choose(other, "game", "kayles")
    assert house.typed == [] and other.told[-1] == ("seat.read", {})
    clock.now += 0.2
    assert house.visit.refuses(other, "go") == []
    house.plays(player)
    house.visit.sit(player)
    house.visit.sit(sitter)
    house.visit.hear("event state=verdict")
    assert house.visit.refuses(sitter, "go")[0][0] == "seat.ready" and not house.begun()
    assert house.visit.refuses(player, "go")[0][0] == "seat.ready" and house.begun()


@pytest.mark.parametrize("closes", [True, False])
def test_nobody_waits_in_line_while_a_seat_is_free(house, clock, closes):
    """However fast those who play the machine begin their next match."""
    player, stays, leaves, waits = (house.page() for _ in range(4))
    house.plays(player)
    for page in (stays, leaves, waits):
        house.visit.sit(page)
    assert house.visit.place(waits) == 1
    if closes:
        leaves.cut()
        clock.now += 16
    else:
        house.visit.stand_up(leaves)
    house.visit.keep_time()
    assert (waits.seat, house.visit.place(waits)) == (2, None)
    house.visit.hear("event state=verdict")
    clock.now += 6
    house.visit.keep_time()
    assert house.begun() == 1 and not house.visit.waits(stays)


def test_to_make_others_hope_gains_no_time(house, clock):
    """NEW, and the match anew: whoever sits gets the machine after the same three minutes."""
    player, other = house.page(), house.page()
    house.plays(player)
    house.visit.sit(other)
    for second in range(180):
        assert house.typed == [], second
        if second % 50 == 40:
            house.visit.act(player, "new")
        elif second % 50 == 41 or second % 5 == 0:
            house.visit.act(player, "row1")
            house.visit.hear("event state=player")
            house.visit.hear("event state=thinking")
        house.visit.keep_time()
        clock.now += 1
    house.visit.act(player, "new")
    assert not house.visit.keep_time() and house.typed == []
    house.visit.act(player, "row1")
    house.visit.keep_time()
    assert house.typed == ["new"] and other.told[-1] == ("seat.yours", {})


def paired(house, count=2):
    """Some who take seats, or wait for one. Player 1 is to move."""
    seated = line(house, *range(1, count + 1))
    for page in seated:
        house.visit.sit(page)
    assert house.begun() == 1
    return seated


def test_to_begin_anew_is_no_move(house, clock):
    """Though the firmware then says whose turn it is."""
    slow, _ = paired(house)
    for _ in range(13):
        house.visit.hear("event state=opening")
        house.visit.hear("event state=player")
        house.visit.hear("event turn=player-1")
        house.visit.keep_time()
        clock.now += 10
    assert slow.seat is None


def test_nobody_ends_anothers_match_alone(house):
    """But for its opening, before somebody has picked a lamp."""
    one, two = paired(house)
    assert house.visit.refuses(one, "new") == []
    house.visit.hear("event state=player")
    assert house.visit.refuses(one, "new") == [("seat.to-the-end", {})]
    typed = list(house.typed)
    house.visit.choose(one, "game", "kayles")
    assert house.typed == typed and one.told[-1] == ("seat.to-the-end", {})
    house.visit.stand_up(two)
    assert house.visit.refuses(one, "new") == []


def test_whoever_goes_away_in_their_turn_loses_the_seat(house, clock):
    gone, other = paired(house)
    gone.cut()
    clock.now += 60
    house.visit.keep_time()
    assert (gone.seat, other.seat) == (None, 2) and house.typed[-1] == "choose players 1"


def test_another_page_of_the_device_gains_no_time(house, clock):
    gone, other = paired(house)
    for _ in range(7):
        gone.cut()
        gone = house.page("192.0.2.1")
        house.visit.sit(gone)
        assert gone.seat == 1
        clock.now += 18
        house.visit.keep_time()
    assert (gone.seat, other.seat) == (None, 2)


def test_a_match_of_two_is_read_to_its_end(house, clock):
    """By both, whoever waits or wants to go on."""
    one, two, third = paired(house, 3)
    house.visit.hear("event state=player")
    house.visit.hear("event state=verdict")
    for page in (one, two, third):
        assert house.visit.refuses(page, "go") == [("seat.read", {})]
    clock.now += 6
    for page in (one, two, third):
        assert house.visit.refuses(page, "go") == []


def test_a_match_has_three_minutes_from_its_own_beginning(house, clock):
    """Not from when those who play it sat down, while another one played."""
    player, *seated = line(house, 1, 2, 3, 4)
    house.plays(player)
    for page in seated:
        house.visit.sit(page)
    for _ in range(186):
        if not house.begun():
            house.plays(player)
            house.visit.hear("event state=thinking")
        clock.now += 1
        house.visit.keep_time()
    assert house.begun() == 1 and [page.seat for page in seated] == [1, 2, None]


def test_to_take_a_seat_and_leave_it_at_once_leaves_no_match_of_two(house):
    """Before the machine has said that two play."""
    asked = []
    seats = Visit(lambda line, answered: asked.append((line, answered)), dict)
    one, two = line(house, 1, 2)
    seats.sit(one)
    seats.sit(two)
    seats.stand_up(two)
    for said, answered in asked:
        answered("ok")
        seats.hear(f"ok state=opening picked=0 players={said[-1]}")
    assert [said for said, _ in asked] == ["choose players 2", "choose players 1"]
    assert seats.people == 1 and not seats.waits(one)


def play_on(house, clock, hog):
    """Play the machine for as long as a match may last."""
    for _ in range(181):
        house.visit.see(hog)
        house.plays(hog)
        house.visit.keep_time()
        clock.now += 1


def test_whoever_has_kept_others_out_for_three_minutes_pauses(house, clock):
    hog, other = line(house, 1, 2)
    house.plays(hog)
    house.visit.sit(other)
    play_on(house, clock, hog)
    assert house.typed[-1] == "new"
    house.plays(other)
    house.visit.hear("event state=verdict")
    clock.now += 25
    assert house.visit.refuses(hog, "go")[0][0] == "seat.pause"
    house.visit.stand_up(other)
    assert house.visit.refuses(hog, "go") == []


@pytest.mark.parametrize("others", [1, 2])
def test_who_has_played_the_machine_too_long_leaves_the_seat_to_those_in_line(
    house, clock, others
):
    hog, *waiting = line(house, *range(1, others + 2))
    house.plays(hog)
    for page in (hog, *waiting):
        house.visit.sit(page)
    play_on(house, clock, hog)
    assert all(page.seat for page in waiting) and house.begun() == 1
    assert bool(hog.seat) == (others == 1)


def test_no_match_is_kept_for_whoever_pauses(house, clock):
    player, pausing = line(house, 1, 2)
    house.plays(player)
    house.visit.sit(pausing)
    house.visit._seats.rest(pausing, 60, pauses=True)
    house.visit.hear("event state=verdict")
    clock.now += 1
    assert house.visit.refuses(player, "go") == []
    assert house.visit.refuses(pausing, "go")


@pytest.mark.parametrize(("count", "each", "moves"), [(3, 45, 2), (2, 80, 2), (3, 14, 9)])
def test_all_moves_have_the_time_of_one_but_for_fifteen_seconds_each(
    house, clock, count, each, moves
):
    """While others wait; the other player moves at once."""
    slow, *_ = paired(house, count)
    house.visit.hear("event state=player")
    made = 0
    while slow.seat and made < 9:
        for _ in range(each):
            clock.now += 1
            house.visit.keep_time()
        if slow.seat:
            house.visit.hear("event move by=player-1 row=1 take=1")
            house.visit.hear("event turn=player-2")
            house.visit.hear("event move by=player-2 row=1 take=1")
            house.visit.hear("event turn=player-1")
            made += 1
    assert made in (moves, moves - 1)


def think(house, clock, *seconds):
    """One after the other makes a move, each after so many seconds."""
    for seat, late in enumerate(seconds, 1):
        house.visit.hear(f"event turn=player-{seat}")
        for _ in range(late):
            clock.now += 1
            house.visit.keep_time()
        house.visit.hear(f"event move by=player-{seat} row=1 take=1")


def test_short_matches_give_no_more_time(house, clock):
    slow, _ = paired(house)
    made = 0
    while slow.seat and made < 9:
        for state in ("opening", "player"):
            house.visit.hear(f"event state={state}")
        think(house, clock, 60, 5)
        house.visit.hear("event state=verdict")
        made += 1
    assert made == 3


def test_whoever_leaves_somebody_who_has_kept_them_waiting_gets_the_machine(house, clock):
    """However short the last move."""
    slow, patient = paired(house)
    house.visit.hear("event state=player")
    think(house, clock, 80, 2)
    house.visit.hear("event turn=player-1")
    house.visit.stand_up(patient)
    assert slow.seat is None and not house.visit.waits(patient)


def test_another_page_has_the_clock_of_its_device(house, clock):
    clock_of_all = chess_clock.ChessClock()
    page, other, third = line(house, 1, 1, 2)
    clock.now += 30
    clock_of_all.run(page)
    assert [clock_of_all.kept_s(one) for one in (page, other, third)] == [30, 30, 0]
    clock.now += 10
    clock_of_all.run(None)
    assert clock_of_all.kept_s(other) == 20
    clock.now += 10
    clock_of_all.run(third)
    assert [clock_of_all.kept_s(one) for one in (page, third)] == [10, 10]


def test_whoever_has_lost_a_seat_begins_anew(house, clock):
    """At the exhibit's own screen, too, which never rests: or else again after each move."""
    slow, _ = paired(house)
    slow.address = ""
    house.visit.hear("event state=player")
    clock.now += 120
    house.visit.keep_time()
    house.visit.keep_time()
    assert slow.seat is None
    house.visit.sit(slow)
    assert slow.seat and house.visit.waits(slow)  # the other one plays the machine meanwhile
    house.visit.hear("event state=verdict")
    clock.now += 6
    house.visit.keep_time()
    assert house.begun() == 2
    house.visit.hear("event state=player")
    clock.now += 10
    assert not house.visit.keep_time()


def test_two_who_think_as_long_as_each_other_have_all_the_time(house, clock):
    pair = paired(house)
    house.visit.hear("event state=player")
    for _ in range(9):
        think(house, clock, 100, 100)
    assert all(page.seat for page in pair)


def test_no_lesson_slips_into_a_match_of_two(house):
    """Asked for when the second one has sat down, but the machine does not say so yet."""
    asked = []
    seats = Visit(lambda line, answered: asked.append((line, answered)), dict)
    one, two = line(house, 1, 2)
    for page in (one, two):
        seats.sit(page)
    begin = ["choose players 2"]
    assert not seats.teach(two, ["new practice 1 1"], lambda: None)
    seats.choose(two, "game", "kayles")
    assert [said for said, _ in asked] == begin
    asked[0][1]("ok")
    assert not seats.teach(two, ["new practice 1 1"], lambda: None)
    seats.hear("ok state=opening picked=0 players=2")
    assert not any(seats.teach(page, ["new practice 1 1"], lambda: None) for page in (one, two))
    assert [said for said, _ in asked] == begin


def test_whoever_leaves_a_slow_player_gets_the_machine(house, clock):
    """And the next match, unless it is not begun for twenty seconds; the slow one pauses."""
    slow, patient = paired(house)
    clock.now += 25
    house.visit.stand_up(patient)
    assert house.typed[-1] == "choose players 1"
    assert slow.told[-2:] == [("seat.slow", {}), ("seat.rest", {"count": 180})]
    house.visit.hear("event state=player")
    assert house.visit.waits(slow) and not house.visit.waits(patient)
    for state in ("thinking", "verdict", "attract"):
        house.visit.hear(f"event state={state}")
        clock.now += 8
    assert house.visit.refuses(slow, "go") == [("seat.read", {})]
    assert house.visit.refuses(patient, "go") == []
    clock.now += 5
    assert house.visit.refuses(slow, "go") == []


def test_a_slow_player_is_left_to_nobody_else(house, clock):
    """Whoever waits sits alone, and the next match is theirs."""
    slow, patient, third = paired(house, 3)
    clock.now += 25
    house.visit.stand_up(patient)
    assert (slow.seat, patient.seat, third.seat) == (None, None, 1)
    assert house.typed[-1] == "choose players 1" and house.visit.is_barred(third)


def test_to_leave_a_seat_is_no_ban_from_the_machine(house, clock):
    restless, other = paired(house)
    house.visit.stand_up(restless)
    clock.now += 25
    assert other.seat and not house.visit.waits(restless)


def test_what_visitors_ask_for_may_be_dropped_but_nothing_of_the_visits_own(house):
    """Whoever floods the console and leaves would else leave a match of two behind."""
    typed, busy = [], []
    seats = Visit(lambda line, answered: typed.append(line), dict, lambda: bool(busy))
    one, two = house.page(), house.page()
    seats.sit(one)
    seats.sit(two)
    busy.append("touches")
    seats.choose(one, "game", "kayles")
    seats.stand_up(two)
    assert typed == ["choose players 2", "choose players 1"]


def test_a_crowd_that_comes_and_goes_displaces_nobody_with_a_seat(monkeypatch, clock):
    monkeypatch.setattr(pages, "_KEPT", 3)
    known = pages.Pages()
    seated, *crowd = (known.open(Page(True, left_at=clock.now)) for _ in range(2))
    seated.seat = 1
    crowd += [known.open(Page(True, left_at=clock.now)) for _ in range(9)]
    assert known.find(seated.you) is seated and known.find(crowd[0].you) is None


def test_a_shorter_rest_takes_nothing_from_a_longer_one(house, clock):
    both, (page,) = Seats(), line(house, 1)
    both.rest(page, 180)
    both.rest(page, 60)
    clock.now += 169
    assert both.rested(page) == ("seat.rest", {"count": 20})
    clock.now += 11
    assert both.rested(page) is None


def test_who_waited_for_a_match_keeps_the_seat_when_the_show_returns(house, clock):
    player, other = house.page(), house.page()
    house.plays(player)
    house.visit.sit(other)
    house.visit.hear("event state=verdict")
    clock.now += 8
    house.visit.hear("event state=attract")
    assert other.seat and house.visit.refuses(player, "go")[0][0] == "seat.kept"
    clock.now += 12
    house.visit.keep_time()
    assert other.seat is None and house.visit.refuses(player, "go") == []


@pytest.mark.parametrize(("count", "late"), [(3, 60), (2, 120)])
def test_whoever_makes_no_move_loses_the_seat(house, clock, count, late):
    """Whatever else they do; and gets none for three minutes."""
    slow, other, *waiting = paired(house, count)
    for second in range(late):
        assert slow.seat == 1, second
        house.visit.keep_time()
        house.visit.hear("event pick row=1 take=1")
        house.visit.choose(slow, "game", "kayles")
        house.visit.hear("event state=opening")
        clock.now += 1
    house.visit.keep_time()
    assert slow.seat is None and other.seat == 2
    assert slow.told[-2:] == [("seat.slow", {}), ("seat.rest", {"count": 180})]
    assert [page.seat for page in waiting] == [1] * len(waiting)
    house.visit.keep_time()
    assert [page.seat for page in waiting] == [1] * len(waiting)  # they have their own minute
    for left in (180, 100):
        house.visit.sit(slow)
        assert slow.seat is None and slow.told[-1] == ("seat.rest", {"count": left})
        clock.now += 89.9
    clock.now += 0.3
    house.visit.sit(slow)
    assert slow.seat or house.visit.place(slow)


def test_the_show_goes_back_without_whoever_was_to_move(house, clock):
    """Whoever played with them keeps the seat, as others wait."""
    asleep, other, third = paired(house, 3)
    house.visit.hear("event state=attract")
    assert (asleep.seat, other.seat, third.seat) == (None, 2, 1) and house.begun() == 2
    house.visit.sit(asleep)
    assert asleep.told[-1] == ("seat.rest", {"count": 180})


def test_who_stays_plays_the_machine_when_the_other_leaves(house, clock):
    """And not whoever is quicker to touch it; whoever has left can sit down again at once."""
    restless, other = paired(house)
    house.visit.stand_up(restless)
    assert house.typed[-1] == "choose players 1" and not house.visit.waits(other)
    assert other.told[-2:] == [("seat.left", {"who": 1}), ("seat.yours", {})]
    assert house.visit.waits(restless)
    house.visit.sit(restless)
    assert restless.seat == 1


def test_a_closed_page_loses_its_seat_to_the_next_or_the_machine(house, clock):
    gone, other, third = paired(house, 3)
    gone.cut()
    clock.now += 15
    house.visit.keep_time()
    assert gone.seat and house.visit.missed == 1
    clock.now += 0.1
    house.visit.keep_time()
    assert (gone.seat, other.seat, third.seat) == (None, 2, 1) and house.begun() == 2
    third.cut()
    clock.now += 15.1
    house.visit.keep_time()
    assert house.typed[-1] == "choose players 1" and not house.visit.waits(other)
    gone.viewer = other.viewer  # it comes back, too late
    house.visit.sit(gone)
    assert gone.seat is None and house.visit.waits(gone)


def test_whoever_leaves_beside_a_closed_page_plays_the_machine(house, clock):
    closed, other = paired(house)
    closed.cut()
    clock.now += 6
    house.visit.stand_up(other)
    stranger = house.page("192.0.2.9")
    assert house.visit.waits(stranger) and not house.visit.waits(other)


def test_whoever_makes_another_wait_is_told(house, clock):
    slow, other = paired(house)
    clock.now += 15
    assert not house.visit.makes_wait(slow)
    clock.now += 1
    assert house.visit.makes_wait(slow) and not house.visit.makes_wait(other)
    assert house.visit.slow_partner(other) is None
    clock.now += 9
    assert house.visit.slow_partner(other) is slow and house.visit.slow_partner(slow) is None


def test_whoever_does_not_want_the_next_match_loses_the_seat(house, clock):
    player, idle = house.page(), house.page()
    house.plays(player)
    house.visit.sit(idle)
    house.visit.hear("event state=verdict")
    clock.now += 20
    assert idle.seat
    house.visit.keep_time()
    assert idle.seat is None and idle.told[-1][0] == "seat.given"
    house.plays(player)
    house.visit.hear("event state=verdict")
    assert not house.visit.waits(player)
    house.visit.sit(idle)
    assert idle.seat


def test_two_pages_of_one_device_keep_nothing_for_each_other(house, clock):
    player, beside = line(house, 1, 1)
    house.plays(player)
    house.visit.sit(beside)
    house.visit.hear("event state=verdict")
    assert not house.visit.waits(player)
    clock.now += 8
    assert not house.visit.waits(house.page("192.0.2.2"))


def test_whoever_sits_gives_up_the_own_match(house):
    one, player = house.page(), house.page()
    house.plays(player)
    house.visit.sit(one)
    house.visit.sit(player)
    assert house.begun() == 1


def busy(house, page):
    """All that somebody can do who never makes a move."""
    house.visit.see(page)
    house.visit.act(page, "row1")
    house.visit.act(page, "new")
    house.visit.act(page, "go")


def test_whoever_makes_no_move_for_a_minute_keeps_nobody_out(house, clock):
    player, other = house.page(), house.page()
    house.plays(player)
    for _ in range(11):
        clock.now += 5
        busy(house, player)
        assert house.visit.waits(other)
    clock.now += 5
    busy(house, player)
    assert not house.visit.waits(other)
    house.visit.act(other, "go")
    assert house.visit.waits(player) and not house.visit.waits(other)


def test_a_move_is_a_minute_more(house, clock):
    player, other = house.page(), house.page()
    house.plays(player)
    for _ in range(20):
        clock.now += 15
        busy(house, player)
        house.visit.hear("event state=thinking")
        house.visit.hear("event state=player")
    assert house.visit.waits(other)


# ---------------------------------------------------------------------- the line


def line(house, *numbers):
    return [house.page(f"192.0.2.{number}") for number in numbers]


def play(both):
    """Let whoever waits sit down, make a move, and go."""
    both.admit(2)
    both.plays(1)
    both.free(lambda one: True)


def test_whoever_has_not_played_comes_first(house):
    """So a few devices that come again and again do not keep the others out."""
    both = Seats()
    old = line(house, 1, 2, 3, 4, 5)
    for page in old:
        both.line_up(page)
        play(both)
    for page in old[:4]:
        both.line_up(page)
    assert both.refuse(old[4])[0] == "seat.come-back"
    new = line(house, 6, 7)
    for page in new:
        assert both.refuse(page) is None
        both.line_up(page)
    assert both.waiting() == [*new, *old[:2]]
    assert [page.told for page in old[2:4]] == [[("seat.come-back", {})]] * 2
    later = line(house, 8, 9, 10)
    for page in later[:2]:
        both.line_up(page)
    assert both.refuse(later[2])[0] == "seat.come-back"
    assert both.waiting() == new + later[:2]


def test_whoever_stands_at_the_exhibit_comes_first(house):
    both = Seats()
    phones = line(house, 1, 2, 3, 4)
    for page in phones:
        both.line_up(page)
    own = house.page()
    own.local = True
    assert both.refuse(own) is None
    both.line_up(own)
    assert both.waiting() == [own, *phones]


def test_a_quarter_of_an_hour_later_all_are_alike(house, clock):
    both = Seats()
    first, second = line(house, 1, 2)
    both.line_up(first)
    play(both)
    clock.now += 900
    both.line_up(first)
    both.line_up(second)
    assert both.waiting() == [first, second]


def test_few_devices_are_remembered(house, monkeypatch):
    monkeypatch.setattr(seats, "_DEVICES", 3)
    both = Seats()
    for page in line(house, *range(9)):
        both.line_up(page)
        play(both)
    assert list(both._played_at) == ["192.0.2.6", "192.0.2.7", "192.0.2.8"]
