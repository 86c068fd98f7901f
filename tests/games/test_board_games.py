"""Games on boards, compared with searches that know their rules and no theory."""

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nimatron import board
from nimatron.games import find
from nimatron.games.boards import BoardGame
from nimatron.match import Match
from nimatron.protocol import IllegalMove
from nimatron.states import MACHINE
from oracle import heaps_within, octal, sums, unequal

RULES = (True, False)  # misere or not
every_rule = pytest.mark.parametrize("misere", RULES)
boards_of_28 = st.integers(0, (1 << 28) - 1)


def lost_boards(size, moves, misere):
    """Return a byte for each board of `size` lamps, 1 if the mover loses. Every move makes the
    number of the board smaller."""
    lost = bytearray(1 << size)
    for position in range(1 << size):
        options = moves(position)
        lost[position] = not any(lost[o] for o in options) if options else not misere
    return lost


def takes(position, groups):
    """Return the positions after one of these groups, all lit, is switched off."""
    left = []
    for group in groups:
        if all(position >> lamp & 1 for lamp in group):
            left.append(position & ~sum(1 << lamp for lamp in group))
    return left


def groups_along(line, longest, closed=False):
    """Return each group of up to `longest` neighbours once."""
    found = set()
    around = [*line, *line[: longest - 1]] if closed else line
    for length in range(1, longest + 1):
        for start in range(len(line) if closed else len(line) - length + 1):
            found.add(frozenset(around[start : start + length]))
    return [sorted(group) for group in found]


def lit(*places):
    return sum(1 << place for place in places)


def row_of(runs, dice):
    """Return a row with these runs, in some order, with a dark lamp between them."""
    row = at = 0
    for run in dice.sample(runs, len(runs)):
        row |= (1 << run) - 1 << at
        at += run + 1
    return row


# ---------------------------------------------------------------------- every small board


def rows_of(columns, rows=4):
    return [range(columns * row, columns * (row + 1)) for row in range(rows)]


# The game, the columns and the lamps of a small board, the lines in which a move takes neighbours,
# and the largest number of them.
SMALL = {
    "kayles_of_twelve": ("kayles", 7, 12, [range(12)], 2),
    "runs_of_three_by_four": ("runs", 4, 12, rows_of(4, 3), 4),
    "tactix": ("tactix", 4, 16, rows_of(4) + [range(c, 16, 4) for c in range(4)], 4),
}


@every_rule
@pytest.mark.parametrize("name", SMALL)
def test_every_small_board_of(name, misere):
    name, columns, lamps, lines, longest = SMALL[name]
    game = find(name)
    pieces = {lit(*group) for line in lines for group in groups_along(line, longest)}

    def moves(small):
        return [small ^ piece for piece in pieces if small & piece == piece]

    def wide(small):
        return sum((small >> columns * row & (1 << columns) - 1) << 7 * row for row in range(4))

    lost = lost_boards(lamps, moves, misere)
    for small in range(1 << lamps):
        assert game.is_p(wide(small), misere) == lost[small], small
    for small in random.Random(3).sample(range(1 << lamps), 200):
        assert sorted(game.options(wide(small))) == sorted(map(wide, moves(small)))


# ---------------------------------------------------------------------- Kayles


@every_rule
def test_kayles_with_all_runs_that_fit(misere):
    kayles, dice, lost = find("kayles"), random.Random(1), sums(octal("0.77")).lost
    checked = 0
    for parts in heaps_within(29, 2):
        runs = [part - 1 for part in parts]
        assert kayles.is_p(row_of(runs, dice), misere) == lost(runs, misere), runs
        checked += 1
    assert checked == 4565


def test_the_end_of_a_row_of_kayles_touches_the_next_row():
    assert set(find("kayles").options(lit(6, 7))) == {lit(6), lit(7), 0}


# ---------------------------------------------------------------------- circular nim

RING = [*range(7), 13, 20, *range(27, 20, -1), 14, 7]


@every_rule
def test_circular_nim_with_all_runs_that_a_move_leaves(misere):
    game, dice, lost = find("circular-18"), random.Random(2), sums(octal("0.777")).lost
    for parts in heaps_within(len(RING), 2):
        runs = [part - 1 for part in parts]
        row, turn = row_of(runs, dice), dice.randrange(len(RING))
        position = lit(*(RING[p - turn] for p in range(len(RING)) if row >> p & 1))
        assert game.is_p(position, misere) == lost(runs, misere), runs


@given(dark=st.sets(st.sampled_from(RING), max_size=8))
def test_circular_nim_takes_up_to_three_neighbours_of_the_ring(dark):
    position = lit(*(set(RING) - dark))
    left = takes(position, groups_along(RING, 3, closed=True))
    assert sorted(find("circular-18").options(position)) == sorted(left)


@every_rule
def test_a_full_ring_is_lost(misere):
    game, lost = find("circular-18"), sums(octal("0.777")).lost
    full = lit(*RING)
    assert game.is_p(full, misere)
    assert game.grundy(full) == 0
    assert not any(lost((len(RING) - take,), misere) for take in (1, 2, 3))
    assert not game.winning_options(full, misere)


# ---------------------------------------------------------------------- runs


@every_rule
@given(position=boards_of_28)
def test_runs_on_any_board(misere, position):
    game = find("runs")
    groups = [g for row in range(4) for g in groups_along(range(7 * row, 7 * row + 7), 7)]
    options = list(game.options(position))
    assert sorted(options) == sorted(takes(position, groups))
    if options:
        assert game.is_p(position, misere) == (not game.winning_options(position, misere))


def test_runs_are_worth_their_lengths():
    assert find("runs").grundy(lit(0, 1, 3, 7, 8, 9, 10)) == 2 ^ 1 ^ 4


# ---------------------------------------------------------------------- Grundy's game


@every_rule
def test_all_sums_of_grundys_game(misere):
    game, lost = find("grundy"), sums(unequal).lost
    checked = 0
    for heaps in heaps_within(28, 3):
        position = (*heaps, 1, 2)  # those that cannot be split change nothing
        assert game.is_p(position, misere) == lost(heaps, misere), heaps
        checked += 1
    assert checked == 1282


def test_single_heaps_of_grundys_game():
    game = find("grundy")
    lost = [n for n in range(1, 60) if game.is_p((n,), False)]
    assert lost == [1, 2, 4, 7, 10, 20, 23, 26, 50, 53]
    assert [n for n in range(1, 29) if game.is_p((n,), True)] == list(range(3, 28, 3))


@given(st.lists(st.integers(1, 9), min_size=1, max_size=4))
def test_splits_of_grundys_game(heaps):
    left = {tuple(sorted(o)) for o in find("grundy").options(tuple(heaps))}
    assert left == {
        tuple(sorted((*heaps[:i], *two, *heaps[i + 1 :])))
        for i, n in enumerate(heaps)
        for two in unequal(n)
    }


def test_whatever_is_cut_has_room_on_the_lamps():
    """A run of 15 that is cut into ones has the most lamps and gaps."""
    game = find("grundy")
    position = game.placed_on_panel((15,))
    with pytest.raises(ValueError, match="the board has room for a run of 15"):
        game.placed_on_panel((16,))
    while not game.over(position):
        position = next(iter(game.options(position)))
        assert game.lamps(position) < 1 << 28
    assert position == (1,) * 13 + (2,)


def test_the_rule_of_nim_is_wrong_in_misere_play_of_grundys_game():
    game = find("grundy")
    wrong = []
    for n in range(3, 29):
        nim_rule = (game.grundy((n,)) == 0) != (game.grundy((n,)) < 2)
        wrong += [n] if game.is_p((n,), True) != nim_rule else []
    assert wrong and min(wrong) >= 13


# ---------------------------------------------------------------------- at the door


def test_misere_sums_of_grundys_game_beyond_the_table():
    game = find("grundy")
    assert not game.is_p((28,), True)
    with pytest.raises(ValueError, match="up to 28"):
        game.is_p((26, 3), True)


# ---------------------------------------------------------------------- by the buttons


def match(name, words):
    game = find(name)
    return Match(game, game.parse([words]))


def press_and_hold(m, row):
    m.press(row)
    m.long_press(row)


def test_held_down_again_and_again_a_button_puts_out_one_lamp_after_the_other():
    m = match("runs", "0111111/0000000/0000000/0000000")
    m.press(0)
    for _ in range(3):
        press_and_hold(m, 0)
    assert m.game.words(m.remaining).startswith("0100011")
    m.hand_over()
    assert m.turn == MACHINE


def test_held_down_on_a_lamp_that_is_picked_a_button_gives_it_back():
    m = match("kayles", "1100000/0000000/0000000/0000000")
    press_and_hold(m, 0)
    press_and_hold(m, 0)
    assert m.remaining == 0
    press_and_hold(m, 0)
    assert m.remaining == lit(0)
    assert m.game.cursor(m.draft) == (1, 0, 0, 0)
    m.hand_over()


def test_lamps_that_no_move_takes_together_come_back():
    m = match("kayles", "1110001/1000000/0000000/0000000")
    press_and_hold(m, 0)
    for _ in range(3):
        m.press(0)
    m.long_press(0)
    assert m.remaining == lit(0, 1, 2, 7)
    press_and_hold(m, 1)
    assert m.remaining == lit(0, 1, 2)


def test_the_ends_of_a_move_without_its_middle_are_no_move():
    m = match("circular-18", "1111111/1000001/1000001/0111111")
    press_and_hold(m, 1)
    press_and_hold(m, 0)
    press_and_hold(m, 0)
    assert m.game.size(m.position) - m.game.size(m.remaining) == 3
    m.hand_over()
    m = match("runs", "1110000/0000000/0000000/0000000")
    press_and_hold(m, 0)
    m.press(0)
    press_and_hold(m, 0)
    with pytest.raises(IllegalMove, match="that is no move"):
        m.hand_over()


def test_a_hold_where_the_light_is_not_is_refused():
    m = match("kayles", "1000000/1000000/0000000/0000000")
    m.press(0)
    with pytest.raises(IllegalMove):
        m.long_press(1)
    with pytest.raises(IllegalMove, match="row 3 is dark"):
        m.press(2)


def test_a_cut_is_made_before_the_light_and_a_press_takes_it_back():
    m = match("grundy", "8")
    m.press(0)
    assert m.game.cursor(m.draft) == (0b10, 0, 0, 0)
    for _ in range(3):
        m.press(0)
    assert m.game.cursor(m.draft) == (0b100000, 0, 0, 0)  # not in the middle
    m.long_press(0)
    assert m.remaining == (5, 3)
    assert m.lamps == (0b1011111, 0b11, 0, 0)
    m.press(1)
    assert m.remaining == (8,)
    m.long_press(1)
    assert m.remaining == (7, 1)
    assert m.hand_over() == (8,)


class Columns(BoardGame):
    """A new game that defines only its options: switch off one or more lamps of a column."""

    def options(self, position):
        for column in range(board.LAMPS):
            lamps = [lamp for lamp in range(column, 28, board.LAMPS) if position >> lamp & 1]
            for count in range(1, len(lamps) + 1):
                for some in itertools.combinations(lamps, count):
                    yield position ^ lit(*some)


def test_a_new_game_on_a_board_has_its_buttons():
    m = Match(Columns(), lit(0, 1, 7, 8, 14))
    for row in (0, 1, 2):
        press_and_hold(m, row)
    assert (m.remaining, m.position) == (lit(1, 8), lit(0, 1, 7, 8, 14))
    m.press(1)
    press_and_hold(m, 1)  # of another column, so the three lamps come back
    assert m.remaining == lit(0, 1, 7, 14)
    assert m.hand_over() == lit(0, 1, 7, 8, 14)
    assert m.game.describe_move(lit(0, 1, 7, 8, 14), m.position) == (("take", 1),)
    with pytest.raises(IllegalMove, match="row 2 is dark"):
        Match(Columns(), lit(0, 14)).press(1)


def test_lamps_of_which_no_move_takes_as_many_are_no_move():
    class Pairs(Columns):
        def options(self, position):
            return (left for left in super().options(position) if self.size(position ^ left) == 2)

    m = Match(Pairs(), lit(0, 7, 14, 1))
    press_and_hold(m, 0)
    with pytest.raises(IllegalMove, match="that is no move"):
        m.hand_over()
    m.press(0)
    with pytest.raises(IllegalMove):
        m.long_press(0)  # alone in its column
    press_and_hold(m, 2)
    assert m.hand_over() == lit(0, 7, 14, 1)
    assert m.position == lit(7, 1)


def test_contacts_that_are_kept_down_put_lamps_out(pico):
    assert pico.ask("game kayles").startswith("ok")
    pico.ask("new 0110000/0000000/0000000/0000000")
    pico.tap("row1")

    def seen():
        return {pico.run(60) or pico.lamps[0] for _ in range(10)}

    assert seen() == {0b110, 0b100}  # the light blinks
    pico.press("row1")
    pico.run(700)
    pico.release("row1")
    pico.run(600)
    assert pico.lamps[0] == 0b010
    pico.tap("row1")
    pico.tap("row1")
    assert seen() == {0b010, 0b110}  # on a lamp that is out as well
