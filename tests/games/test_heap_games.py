"""Games of heaps, compared with a search that knows the rules and no theory.

The rules are repeated here, independently of the firmware, so that the two can only agree if both
are right.
"""

import itertools
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations_with_replacement as multisets

import pytest

from nimatron import games, protocol
from nimatron.dice import Dice
from nimatron.games.stateful import HeapGameWithState
from nimatron.match import Match
from nimatron.protocol import IllegalMove
from nimatron_host.theory import rules
from nimatron_host.theory.english import PLAIN
from nimatron_play import game_texts
from oracle import Search

Heaps = tuple[int, ...]


# ---------------------------------------------------------------------- the rules, once more


def one_heap(heaps: Heaps, takes) -> Iterator[Heaps]:
    """Yield the positions after a move takes one of `takes(n)` lamps from a heap of n."""
    for i in range(len(heaps)):
        for take in takes(heaps[i]):
            yield (*heaps[:i], heaps[i] - take, *heaps[i + 1 :])


def up_to(k: int) -> Callable[[Heaps], Iterator[Heaps]]:
    return lambda heaps: one_heap(heaps, lambda n: [t for t in range(1, k + 1) if t <= n])


def any_number(heaps: Heaps) -> Iterator[Heaps]:
    return one_heap(heaps, lambda n: range(1, n + 1))


def square(heaps: Heaps) -> Iterator[Heaps]:
    return one_heap(heaps, lambda n: [t * t for t in range(1, 9) if t * t <= n])


def same_number(heaps: Heaps) -> Iterator[Heaps]:
    yield from any_number(heaps)
    for t in itertools.takewhile(lambda t: all(n >= t for n in heaps), itertools.count(1)):
        yield tuple(n - t for n in heaps)


def greedy(heaps: Heaps) -> Iterator[Heaps]:
    for after in any_number(heaps):
        (changed,) = (n for n, m in zip(heaps, after, strict=True) if n != m)
        if changed == max(heaps):
            yield after


def index(k: int, most: int = 9) -> Callable[[Heaps], Iterator[Heaps]]:
    def options(heaps: Heaps) -> Iterator[Heaps]:
        for after in itertools.product(*[range(max(n - most, 0), n + 1) for n in heaps]):
            if 1 <= sum(n != m for n, m in zip(heaps, after, strict=True)) <= k:
                yield after

    return options


def building(position: Heaps) -> Iterator[Heaps]:
    *heaps, stones = position
    if stones == 0:
        yield from ((*after, 0) for after in any_number(tuple(heaps)))
    else:
        for i in range(len(heaps)):
            yield (*heaps[:i], heaps[i] + 1, *heaps[i + 1 :], stones - 1)


def fibonacci(position: Heaps) -> Iterator[Heaps]:
    n, limit = position
    for take in range(1, n + 1):
        if take <= limit:
            yield (n - take, min(2 * take, n - take))


def chomp(rows: Heaps) -> Iterator[Heaps]:
    lamps = {(r, c) for r, n in enumerate(rows) for c in range(n)}
    for r, c in lamps:
        left = {(i, j) for i, j in lamps if i < r or j < c}
        yield tuple(sum(i == row for i, _ in left) for row in range(len(rows)))


# ---------------------------------------------------------------------- the search


def order(heaps: Heaps) -> Heaps:
    return tuple(sorted(heaps))


def heaps_in_order(position: Heaps) -> Heaps:
    return (*sorted(position[:-1]), position[-1])


def heaps(count: int, most: int) -> list[Heaps]:
    return list(multisets(range(most + 1), count))


def up_to_five(*most: int) -> list[Heaps]:
    """Return one heap with up to the first number, two with up to the second, and so on."""
    return [each for count, top in enumerate(most, 1) for each in heaps(count, top)]


FOUR = heaps(4, 7)
LAMPS = heaps(1, 28) + heaps(2, 14) + heaps(3, 7) + FOUR
BARS = [position[::-1] for position in FOUR]
BUILDINGS = [
    (*position, stones)
    for count in (2, 3, 4)
    for position in heaps(count, 10)
    for stones in range(11 - sum(position))
]

# name: its rules, the positions looked at
GAMES = {
    "subtraction-3": (Search(up_to(3), order), LAMPS),
    "say-21": (Search(up_to(3)), heaps(1, 21)),
    "same-number": (Search(same_number, order), heaps(3, 7) + FOUR),
    "wythoff": (Search(same_number, order), heaps(2, 40)),
    "greedy": (Search(greedy, order), FOUR),
    "index-2": (Search(index(2), order), FOUR),
    "index-2-1": (Search(index(2, 1), order), FOUR),
    "building": (Search(building, heaps_in_order), BUILDINGS),
    "candy": (Search(any_number, order), heaps(1, 7) + heaps(2, 7) + heaps(3, 7) + FOUR),
    "fibonacci": (
        Search(fibonacci),
        [(n, limit) for n in range(90) for limit in range(min(n, 1), n + 1)],
    ),
    "square": (Search(square, order), heaps(1, 79) + LAMPS),
    "chomp": (Search(chomp), BARS),
}
PANEL = list(GAMES)
# The games that a PC plays with other limits, and the games that only a PC plays.
ON_A_PC = [name for name in GAMES if name[:4] in ("subt", "wyth", "fibo", "squa", "inde")]
GAMES["subtraction-11"] = Search(up_to(11), order), up_to_five(40, 14)
for k in (1, 3, 4):
    GAMES[f"index-{k}"] = Search(index(k), order), up_to_five(9, 6, 4, 3, 2)
for k, most in ((1, 2), (2, 2), (2, 3), (3, 1), (3, 2), (4, 2)):
    GAMES[f"index-{k}-{most}"] = Search(index(k, most), order), up_to_five(12, 9, 6, 4, 3)

PLAYED = [(name, games.find) for name in PANEL]
PLAYED += [(name, rules.find) for name in GAMES if name in ON_A_PC or name not in PANEL]
every_game = pytest.mark.parametrize(
    ("game", "search", "positions"),
    [
        pytest.param(find(name), *GAMES[name], id=f"{name}-{find.__module__}")
        for name, find in PLAYED
    ],
)


@every_game
def test_options(game, search, positions):
    for position in positions:
        options = list(game.options(position))
        assert len(options) == len(set(options))
        assert set(options) == set(search.options(position)), position
        assert game.over(position) == (not options)


@every_game
def test_who_wins_and_how(game, search, positions):
    for misere in [rule == "misere" for rule in game.rules]:
        for position in positions:
            lost = search.lost(position, misere)
            assert game.is_p(position, misere) == lost, (position, misere)
            winning = {o for o in search.options(position) if search.lost(o, misere)}
            found = list(game.winning_options(position, misere))
            assert len(found) == len(set(found))
            assert set(found) == winning or game.name == "candy", (position, misere)


@every_game
def test_grundy_values(game, search, positions):
    for position in positions:
        value = game.grundy(position)
        assert value is None or value == search.grundy(position), position


def test_subtraction_knows_its_grundy_values():
    assert games.find("subtraction-3").grundy((5, 2)) == 3


@pytest.mark.parametrize("name", [name for name in PANEL if name != "chomp"])
def test_any_order_of_heaps_is_the_same_game(name):
    search, positions = GAMES[name]
    game = games.find(name)
    state = len(game.counts(positions[-1])) - len(positions[-1])
    for position in positions[::7]:
        last = position[state:] if state else ()
        other = (*reversed(game.counts(position)), *last)
        assert set(game.options(other)) == set(search.options(other))
        for misere in (True, False):
            assert game.is_p(other, misere) == game.is_p(position, misere)


# ---------------------------------------------------------------------- candies


@cache
def candies(position: Heaps) -> int:
    """Return how many more candies the mover gets. Both players win if they can, and then take the
    most candies."""
    search = GAMES["candy"][0]
    after = list(any_number(position))
    best = [option for option in after if search.lost(option, False)] or after
    return max((sum(position) - sum(o) - candies(order(o)) for o in best), default=0)


def test_the_best_candies_among_the_moves_that_win_or_lose_alike():
    game = games.find("candy")
    for position in GAMES["candy"][1]:
        worth = candies(position)
        assert game.candies(position) == worth, position
        assert ("more_candies", worth) in game.working(position, False)
        lost = GAMES["candy"][0].lost(position, False)
        found = game.resisting_options(position) if lost else game.winning_options(position, False)
        assert set(found) == {
            option
            for option in any_number(position)
            if (lost or GAMES["candy"][0].lost(option, False))
            and sum(position) - sum(option) - candies(order(option)) == worth
        }


def test_the_loser_collects_more_in_14_lost_positions():
    game = games.find("candy")
    lost = [position for position in FOUR if game.is_p(position, False)]
    assert sum(game.candies(position) > 0 for position in lost) == 14


# ---------------------------------------------------------------------- what games.md names


def lost(name, position, misere):
    return games.find(name).is_p(position, misere)


def test_the_counterexample_to_the_published_rule_is_one_and_is_named():
    """Moore's rule on remainders calls the position lost, but a search finds a win."""
    position = (1, 1, 1, 2)
    assert GAMES["index-2"][0].lost(tuple(n % 2 for n in position), False)
    assert not GAMES["index-2-1"][0].lost(position, False)
    assert "can win from 1, 1, 1 and 2" in PLAIN[game_texts.theory(games.find("index-2-1"))]


SQUARES = (0, 2, 5, 7, 10, 12, 15, 17, 20, 22, 34)  # A030193


@pytest.mark.parametrize(
    ("name", "rule", "most", "expected"),
    [
        ("subtraction-3", "normal", 28, range(0, 29, 4)),  # Dr. Nim
        ("subtraction-3", "misere", 28, range(1, 29, 4)),
        ("say-21", "misere", 21, [21 - said for said in range(20, -1, -4)]),
        ("square", "normal", 38, SQUARES),
        ("square", "misere", 38, [n + 1 for n in SQUARES]),
    ],
)
def test_lost_heaps_as_published(name, rule, most, expected):
    found = [n for n in range(most + 1) if lost(name, (n,), rule == "misere")]
    assert found == list(expected)


def test_chomp_has_one_winning_first_bite():
    game = games.find("chomp")
    (option,) = game.winning_options((7, 7, 7, 7), True)
    assert option == (7, 7, 3, 3)
    assert game.describe_move((7, 7, 7, 7), option) == (("row", 3), ("column", 4))


def test_each_press_bites_one_more_column():
    match = Match(games.find("chomp"), (7, 7, 7, 7))
    for left in ((7, 7, 6, 6), (7, 7, 5, 5), (7, 7, 4, 4), (7, 7, 3, 3)):
        match.press(2)
        assert match.remaining == left
    match.press(1)
    assert match.remaining == (7, 6, 6, 6)
    match.take(2, 4)
    assert match.position == (7, 7, 3, 3)
    with pytest.raises(IllegalMove, match="4 of the 3 in row 4"):
        match.take(3, 4)


def test_a_press_lights_a_lamp_while_stones_are_left():
    match = Match(games.find("building"), (1, 1, 0, 1))
    match.press(0)
    assert (match.remaining, match.lamps) == ((2, 1, 0, 0), (3, 1, 0, 0))
    with pytest.raises(IllegalMove):
        match.press(0)
    match.press(2)
    assert match.remaining == (1, 1, 1, 0)
    with pytest.raises(IllegalMove):
        match.take(0, 1)
    before = match.hand_over()
    assert match.game.describe_move(before, match.position) == (("row", 3), ("put", 1))
    match.take(0, 1)
    assert match.position == (0, 1, 1, 0)


def test_fibonacci_openings_are_lost_at_fibonacci_numbers():
    openings = [n for n in range(2, 60) if lost("fibonacci", (n, n - 1), misere=False)]
    assert openings == [2, 3, 5, 8, 13, 21, 34, 55]
    fibonacci = games.find("fibonacci")
    assert not any(fibonacci.is_p(position, False) for position in fibonacci.openings)
    assert all(limit == n - 1 for n, limit in fibonacci.openings)  # as the rule says it begins
    # Misère play would be no game, because the player who begins leaves the last lamp.
    assert all((1, 1) in fibonacci.options((n, n - 1)) for n in range(2, 60))
    assert fibonacci.rules == ("normal",)


def test_who_wins_when_building_from_nothing():
    for stones in range(11):
        for rows in (2, 3, 4):
            second = lost("building", (*[0] * rows, stones), misere=False)
            if stones % 2 or rows % 2 == 0:
                assert second
            else:
                assert second == (stones in (0, 2, 6)), stones
        first = not lost("building", (0, 0, 0, 0, stones), misere=True)
        assert first == (stones in (0, 1, 2, 4))


# ---------------------------------------------------------------------- at the door


@pytest.mark.parametrize(
    ("name", "position", "why"),
    [
        ("subtraction-3", (29,), "a row of 29 lamps: a row has 0 to 28"),
        ("subtraction-3", (8, 1, 1), "a row has 0 to 7"),
        ("subtraction-3", (), "rows given: 0. "),
        ("subtraction-3", (0, 0), "the board is empty"),
        ("building", (2, 2, 2, 6), "a row of 8 lamps: a row has 0 to 7"),
        ("building", (0, 0, 0, 0), "the board is empty"),
        ("fibonacci", (29, 3), "0 to 28"),
        ("chomp", (1, 2, 0, 0), "longer than the row above"),
        ("chomp", (0, 0, 0, 0), "the board is empty"),
    ],
)
def test_what_the_panel_has_no_room_for(name, position, why):
    with pytest.raises(ValueError, match=why):
        games.find(name).placed_on_panel(position)


@pytest.mark.parametrize("name", ["subtraction-5", "octal-0.77", "say-34", "graph", "noughts"])
def test_games_that_there_are_not(name):
    with pytest.raises(ValueError):
        games.find(name)


def test_unsaid_is_as_at_the_beginning():
    assert games.find("fibonacci").parse(["12"]) == (12, 11)
    assert games.find("fibonacci").parse(["12:40"]) == (12, 12)
    assert games.find("building").parse(["1,2,0"]) == (1, 2, 0, 0)
    assert games.find("building").words((1, 2, 0, 3)) == "1,2,0:3"
    assert games.find("greedy").parse(["3", "4"]) == (3, 4, 0, 0)
    with pytest.raises(NotImplementedError):  # a new game has to say
        HeapGameWithState().parse_option(["3"])


def test_a_number_may_have_thirty_digits():
    many = "9" * 30
    assert games.find("nim").parse([many]) == (int(many),)
    with pytest.raises(ValueError, match="is not a whole number"):
        games.find("nim").parse([many + "9"])


@pytest.mark.parametrize(
    ("name", "before", "after", "words"),
    [
        ("nim", (3, 4, 5, 0), (3, 1, 5, 0), "row=2 take=3"),
        ("wythoff", (3, 5), (1, 3), "take=2,2"),
        ("fibonacci", (12, 11), (9, 6), "row=1 take=3"),
        ("building", (1, 1, 0, 1), (1, 1, 1, 0), "row=3 put=1"),
        ("building", (3, 1, 0, 0), (1, 1, 0, 0), "row=1 take=2"),
        ("index-2", (2, 2, 0, 5), (2, 1, 0, 4), "take=0,1,0,1"),
    ],
)
def test_what_a_move_has_done_is_said(name, before, after, words):
    assert protocol.format(*games.find(name).describe_move(before, after)) == words


@pytest.mark.parametrize(
    ("name", "position", "lamps_of_rows"),
    [
        ("say-21", (20,), (7, 7, 6, 0)),
        ("square", (3, 0, 5), (3, 0, 5, 0)),
        ("wythoff", (9, 14), (7, 2, 7, 7)),
        ("fibonacci", (8, 7), (7, 1, 0, 0)),
        ("building", (2, 5, 0, 1, 3), (2, 5, 0, 1)),
    ],
)
def test_a_heap_is_shown_in_the_rows_it_has(name, position, lamps_of_rows):
    assert games.find(name).picture(position) == tuple((1 << n) - 1 for n in lamps_of_rows)


@pytest.mark.parametrize(
    ("name", "position", "row", "count", "why"),
    [
        ("square", (5, 2), 0, 3, "3 of row 1 is no move"),
        ("subtraction-3", (5,), 0, 4, "4 of row 1 is no move"),
        ("fibonacci", (9, 2), 0, 3, "3 of row 1 is no move"),
        ("nim", (3, 4, 5, 0), 1, 5, "5 of the 4 in row 2"),
        ("nim", (3, 4, 5, 0), 1, 0, "0 of the 4 in row 2"),
        ("say-21", (5,), 1, 1, "row 2, rows are 1 to 1"),
        ("building", (1, 1, 2), 2, 1, "row 3, rows are 1 to 2"),
    ],
)
def test_what_cannot_be_taken(name, position, row, count, why):
    with pytest.raises(ValueError, match=why):
        games.find(name).take(position, row, count)


def test_no_more_can_be_picked_than_some_move_takes():
    match = Match(games.find("square"), (4, 3))
    for _ in range(4):
        match.press(0)
    assert match.remaining == (0, 3)
    match.press(2)
    assert match.remaining == (4, 2)
    with pytest.raises(IllegalMove, match="no move takes more of row 3"):
        match.press(2)
    assert match.remaining == (4, 2)


def test_a_button_kept_down_is_one_press():
    match = Match(games.find("wythoff"), (3, 5))
    match.press(0)
    match.long_press(0)
    assert match.remaining == (2, 5)


def test_how_it_knows_is_said():
    def working(name, position, misere=False):
        return protocol.format(*games.find(name).working(position, misere))

    assert working("wythoff", (1, 2)) == "solved=rule outcome=P"
    assert working("square", (3,)) == "grundy=1 solved=nimbers outcome=N"
    assert working("fibonacci", (12, 4), False) == "parts=1,3,8 solved=rule outcome=N"
    assert working("fibonacci", (1, 1), False) == "parts=1 solved=rule outcome=N"
    assert working("fibonacci", (0, 0), False) == "parts=none solved=rule outcome=P"
    assert working("say-21", (15,)) == "said=6 grundy=3 solved=rule outcome=N"


def test_who_loses_leaves_the_most():
    assert set(games.find("wythoff").resisting_options((1, 2))) == {(0, 2), (1, 1)}
    assert games.find("fibonacci").resisting_options((5, 2)) == [(4, 2)]


def test_a_slip_may_be_any_option():
    dice = Dice(1)
    for name in PANEL:
        game = games.find(name)
        position = game.openings[0]
        seen = {game.any_option(position, dice) for _ in range(300)}
        assert seen == set(game.options(position)), name
