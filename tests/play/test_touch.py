"""The meaning of a touched lamp, in every game on the panel."""

import itertools
from heapq import heappop, heappush

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nimatron import board, games
from nimatron.dice import Dice
from nimatron.games.boards import BoardGame
from nimatron.match import Match
from nimatron_play.attendant import Attendant
from nimatron_play.touch import changed, row_of, touches
from nimatron_sim.simulated_pico import SimulatedPico

GAMES = {name: games.find(name) for name in games.names()}
LOOKED_AT = 6  # options of a position that are reached by touches
LAMPS = list(itertools.product(range(board.ROWS), range(board.LAMPS)))

few = settings(max_examples=6, suppress_health_check=list(HealthCheck))
every_game = pytest.mark.parametrize("name", GAMES)


# The position, and the touched lamps, counted from 1, each with the picked lamps after it, or None
# if a touch means nothing.
TOUCHES = {
    "nim: the lamps to the right go out too, and come back up to the touched one": (
        *("3,4,5,0", (3, 2, "3,4,1,0"), (3, 1, "3,4,0,0"), (3, 3, "3,4,3,0"), (3, 5, "3,4,5,0")),
        *((4, 1, None), (1, 4, None)),  # dark from the start
    ),
    "nim: another row starts over": ("3,4,5,0", (1, 1, "0,4,5,0"), (2, 4, "3,3,5,0")),
    "index-2: the touches in two rows join, and a third row is too many": (
        *("3,4,5,1", (1, 3, "2,4,5,1"), (2, 2, "2,1,5,1"), (1, 2, "1,1,5,1"), (3, 5, "3,4,4,1")),
    ),
    "same-number: the same number in every row or just one row": (
        *("2,3,5", (1, 1, "0,3,5"), (2, 2, "0,1,5"), (3, 4, "0,1,3"), (3, 1, "2,3,0")),
    ),
    "say-21: a heap of several rows goes out from its end": (
        *("21", (3, 5, "18"), (3, 6, "20"), (2, 1, None)),
    ),
    "wythoff: not the same number yet, and then too many for the first heap": (
        *("9,14", (1, 6, "5,14"), (3, 7, "5,6"), (3, 1, "9,0")),
    ),
    "fibonacci: how many may be taken decides": ("12:4", (2, 1, None), (2, 2, "8:4")),
    "kayles: where it matters which lamp it is, that one goes out": (
        "1111111/0000000/0000000/0000000",
        *((1, 4, "1110111/0000000/0000000/0000000"), (1, 5, "1110011/0000000/0000000/0000000")),
        *((1, 4, "1111011/0000000/0000000/0000000"), (1, 1, "0111111/0000000/0000000/0000000")),
        (2, 1, None),
    ),
    "chomp: it is the bite at that lamp, and comes back as a whole": (
        *("7,7,7,7", (2, 4, "7,3,3,3"), (1, 6, "5,5,5,5"), (3, 7, "7,7,7,7"), (4, 3, "7,7,7,2")),
        (4, 3, "7,7,7,7"),
    ),
    "building: a touched row gets a lamp until all are lit": (
        *("2,0,0,1:2", (1, 1, "3,0,0,1:1"), (2, 6, "2,1,0,1:1"), (2, 7, None)),
        (2, 1, "2,0,0,1:2"),
    ),
    "building: where nothing can be built, lamps go out": ("3,1:0", (1, 2, "1,1:0")),
    "grundy: the run is cut before the lamp": (
        *("5", (1, 1, None), (1, 3, "2,3"), (1, 3, "5"), (1, 3, "2,3"), (1, 5, "4,1")),
    ),
    "grundy: the halves would be equal": ("4,5", (1, 3, None)),
}


@pytest.mark.parametrize("rule", TOUCHES)
def test_a_touch_picks_what_a_visitor_means(rule):
    game = GAMES[rule.partition(":")[0]]
    start, *touched = TOUCHES[rule]
    position = left = game.padded(game.parse_option([start]))
    for row, column, picked in touched:
        meant = touches(game, position, left)[LAMPS.index((row - 1, column - 1))]
        assert picked == (meant and meant.pick), (row, column)
        if meant:
            left = game.padded(game.parse_option([picked]))
            assert game.picture(left) == meant.lamps


def test_what_is_not_on_the_board_means_nothing():
    assert touches(GAMES["nim"], (3, 4, 5, 0), (4, 4, 5, 0)) == [None] * 28


def test_the_row_of_a_move_is_the_panels():
    nim, wythoff = GAMES["nim"], GAMES["wythoff"]
    assert row_of(nim, (3, 4, 5, 0), (3, 4, 2, 0)) == 3
    assert row_of(wythoff, (9, 14), (9, 12)) == 4
    assert row_of(wythoff, (9, 14), (9, 3)) == row_of(wythoff, (9, 14), (8, 13)) == 0


def by_touches(game, position, option):
    """Return the lamps to touch to pick an option, or None if this is impossible. Lamps are
    counted in reading order from 0. The search tries the best touches first."""
    counter = itertools.count()
    waiting, seen = [(0, 0, position, ())], {position}
    while waiting:
        *_, left, lamps = heappop(waiting)
        if left != position and game.option_of(position, game.draft_of(position, left)) == option:
            return lamps
        for lamp, touch in enumerate(touches(game, position, left)):
            if touch:
                draft = game.draft_of(position, game.parse_option([touch.pick]))
                after = game.remaining(position, draft)
                if after not in seen:
                    seen.add(after)
                    differs = sum(bin(mask).count("1") for mask in changed(game, after, option))
                    heappush(waiting, (differs, next(counter), after, (*lamps, lamp)))
    return None


@every_game
@few
@given(seed=st.integers(0, 2**31))
def test_every_option_can_be_reached_by_touches_alone(name, seed):
    game, dice = GAMES[name], Dice(seed)
    position = game.placed_on_panel(dice.pick(game.openings))
    while not game.over(position):
        options = list(game.options(position))
        some = list(options)
        while len(some) > LOOKED_AT:
            some.pop(dice.roll(len(some)))
        for option in some:
            assert by_touches(game, position, option), (position, option)
        position = dice.pick(options)


@every_game
@few
@given(data=st.data())
def test_touches_by_chance_keep_the_rules(name, data):
    """Each draft can be picked. If any lamp goes out, the touched lamp changes. A second touch
    brings it back."""
    game = GAMES[name]
    match = Match(game, data.draw(st.sampled_from(game.openings)), game.rules[0] == "misere")
    for lamp in data.draw(st.lists(st.integers(0, len(LAMPS) - 1), max_size=30)):
        row, column = LAMPS[lamp]
        touch = touches(game, match.position, match.remaining)[lamp]
        before = match.lamps
        if touch:
            match.pick(game.padded(game.parse_option([touch.pick])))
            assert match.lamps == touch.lamps != before
            places = any(now & ~was for was, now in zip(before, touch.lamps, strict=True))
            was, now = (masks[row] >> column & 1 for masks in (before, touch.lamps))
            assert places or (was and not now)
            if not places and not isinstance(game, BoardGame):
                back = touches(game, match.position, match.remaining)[lamp]
                assert back.lamps[row] >> column & 1
        if game.option_of(match.position, match.draft) is not None and data.draw(st.booleans()):
            match.hand_over()
        if match.over:
            return


class Hands:
    """An Attendant with its session on a simulated Pico, in virtual time."""

    def __init__(self):
        self._records = []
        self.pico = SimulatedPico(record=self._records.append)
        self.attendant = Attendant(self, [])
        self.said = []
        self.look()

    def order(self, verb, line):
        self.pico.send(line)

    def look(self):
        """Wait until no command is left."""
        self.pico.run(20)
        while self._records:
            self.said += self.attendant.take(self._records.pop(0))
            if not self._records:
                self.pico.run(20)


def test_attendants_answers_are_not_shown():
    hands = Hands()
    hands.pico.run(1000)
    hands.look()
    assert not hands.attendant.touch(0)
    hands.pico.tap("new")
    hands.look()
    hands.said.clear()
    assert hands.attendant.touch(8)
    hands.look()
    assert hands.pico.rows == (3, 1, 5, 0)
    assert hands.attendant.display.picked == [0, 0b1110, 0, 0]
    assert hands.said == ["event state=player", "event pick rows=3,1,5,0"]
    assert not hands.attendant.touch(27)
    hands.attendant.send("status")
    hands.look()
    assert hands.said[-1].startswith("ok game=nim ")


@every_game
def test_a_visitor_who_knows_the_game_wins_it_by_touches_and_go(name):
    hands = Hands()
    game, misere = GAMES[name], GAMES[name].rules[0] == "misere"
    for line in ("set think_ms 0", "set lamp_ms 50", f"choose game {name}"):
        hands.pico.ask(line)
    hands.look()
    view = hands.attendant.display
    while view.state != "verdict":
        position = view.position
        for lamp in by_touches(game, position, game.winning_options(position, misere)[0]):
            assert hands.attendant.touch(lamp)
            hands.look()
            assert view.position == position
            assert hands.pico.lamps == list(game.picture(view.left))
        hands.pico.tap("go")
        hands.look()
        hands.pico.run_until(lambda: hands.pico.state in ("player", "verdict"))
        hands.look()
    assert hands.pico.legends == {"you-win"}
