"""The theory that only a PC has, compared with published sequences and with searches that know the
rules and no theory."""

import random
from itertools import combinations, product

import pytest

import oracle
from nimatron import games
from nimatron_host.theory import rules, solve
from nimatron_host.theory.octal import Code, NimSequence, Period
from oracle import heaps_within, octal, unequal

TWO_DIGITS = [f"{d}.{a}{b}" for d, a, b in product("04", "01234567", "01234567")][1:]
THREE_DIGITS = [f"0.{n:03o}" for n in range(1, 512, 17)]
HEXADECIMAL = ["0.8", "0.F", "8.0", "0.3F", "C.1", "0.09", "0.2048", "0.13FF", "0.E1"]


def mex_values(moves, count):
    values = []
    for heap in range(count):
        reached = set()
        for left in moves(heap):
            value = 0
            for part in left:
                value ^= values[part]
            reached.add(value)
        values.append(min(set(range(len(reached) + 1)) - reached))
    return values


# ---------------------------------------------------------------------- nim-sequences


@pytest.mark.parametrize("d", "04")
def test_every_octal_code_of_two_digits_has_the_values_of_the_plain_recursion(d):
    for text in [text for text in TWO_DIGITS if text[0] == d]:
        plain = mex_values(octal(text), 150)
        assert NimSequence(Code(text)).values(150) == plain, text


def test_octal_codes_of_three_digits_have_the_values_of_the_plain_recursion():
    for text in THREE_DIGITS:
        plain = mex_values(octal(text), 200)
        assert NimSequence(Code(text)).values(200) == plain, text


@pytest.mark.parametrize("text", HEXADECIMAL)
def test_hexadecimal_codes_have_the_values_of_the_plain_recursion(text):
    code = Code(text, most=15)
    for heap in range(9):
        assert sorted(code.moves(heap)) == sorted(octal(text)(heap))
    assert NimSequence(code).values(26) == mex_values(octal(text), 26)


def test_grundys_game_has_the_values_of_the_plain_recursion():
    assert NimSequence(Code("4.0", unequal=True)).values(700) == mex_values(unequal, 700)


# Copied by hand from the On-Line Encyclopedia of Integer Sequences. `last` is its last exception,
# the heap before the period begins. First comes the heap of the first printed value.
PUBLISHED = {
    "A002187": ("0.137", 0, "0 1 1 2 0 3 1 1 0 3 3 2 2 4 0 5 2 2 3 3 0 1 1 3 0 2", 34, 51),
    "A002187, one later": ("0.07", 1, "0 1 1 2 0 3 1 1 0 3 3 2 2 4 0 5 2 2 3 3", 34, 52),
    "A002187, two later": ("0.4", 2, "0 1 1 2 0 3 1 1 0 3 3 2 2 4 0 5 2 2 3 3", 34, 53),
    "A071435": ("0.177", 1, "1 1 2 2 3 1 1 4 4 3 2 2 1 1 4 2 2 6 4 4 1 1 2 2 7", 20, 496),
    "A071453": ("0.117", 1, "1 1 1 0 2 2 1 3 4 0 1 1 1 3 2 2 2 3 4 0 1 5 4 3 2", 48, 46),
    "A125920": ("0.176", 1, "1 1 0 2 2 3 4 4 1 1 6 2 2 3 4 4 1 1 6 6 3 3 2 4 1", 8, 23),
    "A071434": ("0.1377", 1, "1 1 2 2 3 3 1 1 4 4 3 3 2 2 1 1 4 4 2 2 6 6 4 4 1", 24, 140),
    "A071452": ("0.11377", 1, "1 1 1 2 2 2 3 3 1 1 1 4 4 4 3 3 2 2 2 1 1 1 4 4 2", 32, 186),
    "A071074": ("0.7777", 0, "0 1 2 3 4 5 6 7 3 2 8 9 7 6 5 4 3 2 8 9 4 5 12 13", 24, 141),
    "A125938": ("4.102", 1, "1 1 1 2 2 2 0 4 4 2 1 1 1 2 2 2 1 4 4 2 1 1 1 2 2", 10, 7),
    "A125912": ("0.141", 1, "1 0 1 1 0 1 2 2 1 2 4 1 0 1 1 2 1 2 2 1 2 4 1 2 1", 11, 13),
    "A125829": ("0.115", 1, "1 1 1 0 1 1 1 2 2 2 1 2 2 2 1 1 1 0 1 1 1 2 2 2 1", 14, 0),
    # Kayles: T. E. Plambeck's page on misère Kayles, after Winning Ways.
    "Kayles": ("0.77", 0, "0 1 2 3 1 4 3 2 1 4 2 6 4 1 2 7 1 4 3 2 1 4 6 7", 12, 70),
}


@pytest.mark.parametrize("entry", PUBLISHED)
def test_published_sequences_and_their_periods(entry):
    text, first, terms, length, last = PUBLISHED[entry]
    sequence = NimSequence(Code(text))
    sequence.grow(100_000)
    values = [int(term) for term in terms.split()]
    assert sequence.values(first + len(values))[first:] == values
    assert sequence.period == Period(last + 1, length)
    assert f"period {length} from {last + 1} on" in str(sequence.period)


@pytest.mark.long("half a minute: a sequence to 100,000 heaps")
def test_the_longest_sequences():
    """In the OEIS, A071464 has period 4, with its last exception at 46577. A071430 has no period
    before 105350."""
    late = NimSequence(Code("0.127"))
    late.grow(100_000)
    assert late.period == Period(46_578, 4)
    later = NimSequence(Code("0.16"))
    later.grow(100_000)
    assert later.period is None and later.seen_period() is None


def test_a_period_is_claimed_only_with_its_proof():
    """A shorter sequence that only seems periodic has no period. Beyond the last computed value,
    the period gives the values of a longer recursion."""
    for text in ("0.77", "0.07", "0.177", "4.7", "0.333", "0.3", "0.15"):
        short, code = NimSequence(Code(text)), Code(text)
        while not short.period:
            short.grow(len(short._values))
        n = len(short._values)
        assert n >= code.splits * (short.period.start + short.period.length)
        plain = mex_values(octal(text), n + 200)
        assert short.values(n + 200) == plain
    assert NimSequence(Code("0.77")).value(10**30) == NimSequence(Code("0.77")).value(76)


def test_an_arithmetic_period_is_only_seen():
    """By Winning Ways, chapter 4, 0.13FF has period 7 and saltus 4."""
    sequence = NimSequence(Code("0.13FF", most=15))
    sequence.grow(200)
    seen = sequence.seen_period()
    assert (seen.length, seen.saltus, seen.proved) == (7, 4, False)
    assert str(seen) == "arithmetic period 7 from 6 on, each time 4 more, seen but not proved"
    assert sequence.value(5 + 7) != sequence.value(5) + 4
    for n in range(6, 200 - 7):
        assert sequence.value(n + 7) == sequence.value(n) + 4


# ---------------------------------------------------------------------- misère play


@pytest.mark.parametrize("d", "04")
def test_misere_play_of_every_octal_code_of_two_digits(d):
    tame = 0
    for text in [text for text in TWO_DIGITS if text[0] == d]:
        lost = oracle.sums(octal(text)).lost
        game = rules.find(f"octal-{text}")
        for heaps in heaps_within(9):
            assert game.is_p(heaps, True) == lost(heaps, True), (text, heaps)
        tame += game.is_tame(9)
    assert 0 < tame < 63


# In the first two of these, only one condition of the theorem fails, at heaps of 5 and 7.
@pytest.mark.parametrize("text", ["0.314", "0.371", *THREE_DIGITS[::5], "4.123", "4.567"])
def test_misere_play_of_octal_codes_of_three_digits(text):
    lost, game = oracle.sums(octal(text)).lost, rules.find(f"octal-{text}")
    for heaps in heaps_within(10):
        assert game.is_p(heaps, True) == lost(heaps, True), heaps


def test_subtraction_games_are_tame_as_ferguson_proved():
    for takes in ("1,", "2,", "1,2", "2,3", "1,3,4", "2,5", "3,4,7", "2,4,7"):
        assert rules.find(f"subtraction-{takes}").is_tame(3000)


def test_misere_play_of_grundys_game_as_the_firmware_has_it():
    game, firmware = rules.find("grundy"), games.find("grundy")
    assert not game.is_tame(13) and game.is_tame(12)
    for heaps in heaps_within(24, 3):
        if heaps:
            assert game.is_p(heaps, True) == firmware.is_p(heaps, True), heaps


@pytest.mark.parametrize("most", [20, pytest.param(32, marks=pytest.mark.long("a minute"))])
def test_misere_kayles_by_its_rule_and_by_search(most):
    """This was once compared for 99,132 sums of up to 36 pins in total."""
    lost, game = oracle.sums(octal("0.77")).lost, rules.find("kayles")
    for heaps in heaps_within(most):
        assert game.is_p(heaps, True) == lost(heaps, True), heaps


def test_misere_kayles_of_any_length():
    assert solve.solve(["kayles", "31"], "misere")["outcome"] == "N"
    assert solve.solve(["kayles", "900", "900", "900", "20"], "misere")["outcome"] == "N"
    assert solve.solve(["kayles", str(7**40), str(7**40)], "misere")["outcome"] == "P"


# ---------------------------------------------------------------------- rings


@pytest.mark.parametrize("lamps", range(1, 13))
def test_a_ring_of_any_size(lamps):
    """Each lamp is a bit. A move switches off up to three lit neighbours."""
    pieces = {
        sum(1 << place for place in {(first + n) % lamps for n in range(count)})
        for first in range(lamps)
        for count in (1, 2, 3)
        if count <= lamps
    }

    lost = oracle.masks(pieces).lost
    game, full = rules.find(f"circular-{lamps}"), (1 << lamps) - 1
    for board in range(full + 1):
        text = bin(board | 1 << lamps)[3:]
        cut = text.find("0")
        rows = (text[cut:] + text[:cut]).replace("0", " ").split()
        position = tuple(map(len, rows)) if board != full else (lamps,)
        for misere in (True, False):
            assert game.is_p(position, misere) == lost(board, misere), (board, misere)
    for misere in (True, False):
        assert bool(list(game.winning_options((lamps,), misere))) != lost(full, misere)


# ---------------------------------------------------------------------- large numbers


def test_wythoffs_game_in_large_numbers():
    game, chance = rules.find("wythoff"), random.Random(1)
    for _ in range(200):
        a, b = chance.randrange(10**60), chance.randrange(10**60)
        options = game.winning_options((a, b), False)
        assert options and all(game.is_p(option, False) for option in options)
        for x, y in options:
            assert (x, y) != (a, b) and (x == a or y == b or a - x == b - y > 0)
            assert not game.winning_options((x, y), False)
            assert not game.is_p((x, y - 1), False) and not game.is_p((x + 1, y + 1), False)


def test_fibonacci_nim_in_large_numbers():
    a, b = 1, 1
    while b < 10**300:
        a, b = b, a + b
    assert solve.solve(["fibonacci", str(b)], "normal")["outcome"] == "P"
    left = solve.solve(["fibonacci", str(b + 1)], "normal")["winning_options"]
    assert left == [f"{b}:2"]


def test_nim_in_large_numbers():
    solution = solve.solve([str(2**4000), str(2**4000 + 1), "3"])
    assert solution["outcome"] == "N" and len(solution["winning_moves"]) == 1
    with pytest.raises(ValueError, match="is not a whole number"):
        solve.solve(["1" * 4001])


def test_subtraction_by_a_list_of_numbers_and_by_search():
    game = rules.find("subtraction-1,3,4")
    takes = [[(n - t,)[: t < n] for t in (1, 3, 4) if t <= n] for n in range(15)]
    lost = oracle.sums(takes.__getitem__).lost
    for heaps, misere in product(heaps_within(14), (True, False)):
        assert game.is_p(heaps, misere) == lost(heaps, misere)


# ---------------------------------------------------------------------- sums


def any_number(heap):
    return [(left,) if left else () for left in range(heap)]


def both_or_one(pair):
    a, b = pair
    yield from [(n, b) for n in range(a)] + [(a, n) for n in range(b)]
    yield from [(a - n, b - n) for n in range(1, min(a, b) + 1)]


ROWS, HEAPS = oracle.sums(octal("0.77")), oracle.sums(any_number)


def sum_options(parts):
    """Yield the sums that a move in Kayles, Nim or Wythoff's game leaves, by the rules alone."""
    rows, heaps, pair = parts
    yield from ((left, heaps, pair) for left in ROWS.options(rows))
    yield from ((rows, left, pair) for left in HEAPS.options(heaps))
    yield from ((rows, heaps, left) for left in both_or_one(pair))


@pytest.mark.parametrize("rule", ["misere", "normal"])
def test_a_sum_of_different_games_by_its_values_and_by_search(rule):
    search = oracle.Search(sum_options)
    misere = rule == "misere"
    for row, heap, a, b in product(range(1, 6), range(1, 5), range(3), range(1, 4)):
        words = f"kayles {row} + nim {heap} + wythoff {a} {b}".split()
        solution = solve.solve(words, rule)
        position = ((row,), (heap,), (a, b))
        lost = search.lost(position, misere)
        assert (solution["outcome"] == "P") == lost, words
        right = {left for left in sum_options(position) if search.lost(left, misere)}
        assert len(solution["winning_options"]) == len(right), words
        if not misere:
            assert (solution["grundy"] == 0) == lost


def test_star_is_a_heap_of_one_and_a_zero_game_changes_nothing():
    assert solve.solve(["star", "+", "star"], "normal")["outcome"] == "P"
    assert solve.solve(["star", "+", "star"], "misere")["outcome"] == "N"
    assert solve.solve(["star", "3", "+", "kayles", "3", "+", "zero"], "normal")["outcome"] == "P"
    alone, beside = (solve.solve(w.split(), "normal") for w in ("kayles 7", "kayles 7 + zero"))
    assert beside["winning_options"] == [f"kayles {o}" for o in alone["winning_options"]]
    text = solve.as_text(
        solve.solve(["kayles", "7", "+", "wythoff", "1", "3", "+", "star"], "normal")
    )
    assert text.startswith("kayles 7 + wythoff 1 3 + nim 1\nPlay all of them side by side:")
    assert "Parts worth: kayles 7 = 2, wythoff 1 3 = 4, nim 1 = 1\nGrundy value: 7" in text


# ---------------------------------------------------------------------- as people type them


@pytest.mark.parametrize(
    ("typed", "game", "position"),
    [
        ("3-4-5", "nim", "3 4 5"),
        ("(3,4,5)", "nim", "3 4 5"),
        ("3, 4, 5", "nim", "3 4 5"),
        ("nim 3+4+5", "nim", "3 4 5"),
        ("kayles 7", "kayles", "7"),
        ("kayles 1111111", "kayles", "1111111"),
        ("kayles 1110000/1100000/0000000/0000000", "kayles", "1110000/1100000/0000000/0000000"),
        ("kayles xx.xx..", "kayles", "1101100/0000000/0000000/0000000"),
        ("octal 0.77 7", "octal-0.77", "7"),
        ("octal-.77 7,2", "octal-.77", "7 2"),
        ("subtraction 4 13 9", "subtraction-4", "13 9"),
        ("wythoff (3,5)", "wythoff", "3 5"),
        ("fibonacci 12:4", "fibonacci", "12:4"),
        ("say-100 said 89", "say-100", "11"),
        ("say-100 said=89", "say-100", "11"),
        ("say 30-4 said 7", "say-30-4", "23"),
        ("chomp 3x4", "chomp", "4 4 4"),
        ("chomp 2 x 3", "chomp", "3 3"),
        ("runs 3 4 5", "runs", "1110000/1111000/1111100/0000000"),
        ("nim-2d-3x3 full", "nim-2d-3x3", "111/111/111"),
        ("circular-12 12", "circular-12", "12"),
        ("circular-18 000*000/*00*/*00*/****", None, None),
    ],
)
def test_positions_are_typed_as_people_write_them(typed, game, position):
    if game is None:
        with pytest.raises(ValueError, match="this board has 4 rows of 7 lamps"):
            solve.solve(typed.split())
        return
    solution = solve.solve(typed.split())
    assert (solution["game"], solution["position"]) == (game, position)
    assert solve.solve([solution["game"], *solution["position"].split()]) == solution


COMPLETE = " ".join(f"p{a}-p{b}" for a, b in combinations(range(14), 2))
CHAIN = "-".join(f"p{n}" for n in range(101))


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("octal 0.78 5", "which is a hexadecimal code. Write hexadecimal 0.78"),
        ("octal 3.7 5", "the digit before the dot is 0, 4, 8 or C"),
        ("octal 7", '"7" is not a code. Write one such as 0.77'),
        ("octal 0.00 7", "no move is allowed by 0.00"),
        ("octal", "octal is a family of games, such as: octal-0.77 5 2"),
        ("octal-0.77", "a position is missing, such as: nimatron solve octal-0.77 3 4 5"),
        ("kayles 0", "no move is left: the player to move has won if the last move loses"),
        ("circular ten", "For example: nimatron solve circular-10 10"),
        ("chomp 3x", "For example: nimatron solve chomp 3 3 3 0"),
        ("chomp 999999999x2", "rows given: 1001"),
        ("say-100 said 200", "200 is more than 100, where the count ends"),
        ("say-100-0 7", "0 is out of range: 1 to 1000000000"),
        ("dawson 7", "Did you mean dawsons-kayles or dawsons-chess?"),
        ("da 7", "To list the games: nimatron games"),
        ("circular-5 3 1", "a ring of 5 has no room"),
        ("circular-0 1", "0 is out of range: 1 to 1000000"),
        ("subtraction-0 5", "out of range"),
        ("chomp 3 3 --normal", "chomp has only one rule. Write --rule misere, or no rule"),
        ("kayles 7 +  + nim 3", "a part of the sum is missing"),
        ("kayles 7 + nimm 3", "Did you mean nim?"),
        ("kayles 7 + wythoff", "a position is missing, such as: nimatron solve wythoff"),
        ("chomp 3 3 + nim 3 --normal", "chomp, a part of this sum, has only one rule. Write"),
        ("chomp 3 3 + candy 3", "chomp only --rule misere and candy only --rule normal"),
        ("nim-2d-5x5 11/11", "the box has 5 rows of 5 lamps"),
        ("nim-3d-2x2 full", "2x2 does not have 3 sides"),
        ("nim-2d-11x10 full", "11x10 is not a box of 1 to 100 lamps"),
        ("nim-2d full", "nim-2d is a family of games, such as: nim-3d-2x2x3 full"),
        ("cram-3 0/0", "the box has 1 rows of 3 lamps"),
        ("cram-2x2 10/01", "no move is left"),
        ("cram-2x2", "a position is missing, such as: nimatron solve cram-2x2 full"),
        ("index-0-2 3", "0 is out of range: 1 to 99"),
        ("index-2-x 3", "x is not a whole number"),
        ("index-2-2 0 0", "the board is empty"),
        ("index-2-2", "a position is missing, such as: nimatron solve index-2-2 3 4 5 6"),
        ("index", "index is a family of games, such as: index-3-2 1 1 1 1 3"),
        ("poset a-b b-c c-a", "a lies above itself. Remove one of these relations"),
        ("poset a--b", '"a--b" is not a path. Join names by hyphens, such as a-b-c'),
        ("poset", "a position is missing, such as: nimatron solve poset a-b-c a-d e-f"),
        ("graph-nim a-a", "a is joined to itself. Remove that line"),
        ("arc-kayles a b", "no move is left"),
        ("hackenbush a-b", "all lines must hang together from the ground, 0, such as 0-a-b-c-a"),
        ("graph 111/11/1", '"111/11/1" is not a path. Join names by hyphens'),
        ("graph a-a b-c", "a is joined to itself. Remove that line"),
        ("hackenbush 0-a b-c", "all lines must hang together from the ground, 0"),
        (
            "notakto x./..",
            '"x./.." is not a board. Draw one such as x../.x./..., or write how many',
        ),
        ("notakto xxx......", "no move is left"),
        ("notakto x.o/.../...", "has a nought. Here both players put crosses, so write x"),
        (f"graph-nim {COMPLETE}", "more than 10,000 moves. Draw a smaller one"),
        (f"poset {CHAIN}", "101 points and 100 lines, at most 100 each"),
    ],
)
def test_what_is_refused_is_refused_in_words(typed, why):
    words = typed.removesuffix(" --normal").split()
    with pytest.raises(ValueError) as refused:
        solve.solve(words, "normal" if typed.endswith("normal") else None)
    assert why in str(refused.value) and "\n" not in str(refused.value)


def test_what_is_long_is_not_repeated_whole():
    for words in (
        ["1" * 5000],
        ["wythoff", "1" * 5000, "2"],
        ["x" * 5000],
        ["octal", "7" * 5000, "1"],
    ):
        with pytest.raises(ValueError) as refused:
            solve.solve(words)
        assert len(str(refused.value)) < 250 and "\n" not in str(refused.value)


# ---------------------------------------------------------------------- boxes


@pytest.mark.parametrize(
    ("name", "sides", "lengths"),
    [
        ("nim-2d-2x5", (2, 5), range(1, 6)),
        ("nim-2d-3x2", (3, 2), range(1, 6)),
        ("nim-1d-9", (9,), range(1, 10)),
        ("nim-3d-2x2x2", (2, 2, 2), range(1, 6)),
        ("nim-3d-1x3x3", (1, 3, 3), range(1, 6)),
        ("cram-3x3", (3, 3), [2]),
        ("cram-2x5", (2, 5), [2]),
        ("cram-2x2x2", (2, 2, 2), [2]),
    ],
)
def test_boxes_of_any_dimension(name, sides, lengths):
    """A lamp is given by its coordinates. Along a line of neighbours, one coordinate changes."""
    places = list(product(*map(range, sides)))
    pieces = {
        frozenset((*p[:axis], p[axis] + n, *p[axis + 1 :]) for n in range(length))
        for p in places
        for axis in range(len(sides))
        for length in lengths
        if p[axis] + length <= sides[axis]
    }

    lost = oracle.Search(lambda board: [board - piece for piece in pieces if piece <= board]).lost
    game = rules.find(name)
    for number in range(1 << len(places)):
        text = f"{number:0{len(places)}b}"
        board = frozenset(p for p, lamp in zip(places, text, strict=True) if lamp == "1")
        rows = [text[at : at + sides[-1]] for at in range(0, len(text), sides[-1])]
        position = game.parse_option(["/".join(rows)])
        assert game.words(position) == "/".join(rows)
        for misere in (True, False):
            assert game.is_p(position, misere) == lost(board, misere), (rows, misere)
            right = {a for a in {board - piece for piece in pieces if piece <= board}
                     if lost(a, misere)}  # fmt: skip
            assert len(list(game.winning_options(position, misere))) == len(right)


def test_full_boards_as_the_literature_has_them():
    """Mirroring wins in normal play. With neighbours of any number, a full board is lost if and
    only if both sides are even. Cram is lost if both are even, and won if just one is."""
    for a, b in ((2, 2), (2, 3), (1, 5), (3, 5), (2, 6), (2, 7), (2, 8), (3, 4), (4, 4)):
        outcome = solve.solve([f"nim-2d-{a}x{b}", "full"], "normal")["outcome"]
        assert (outcome == "P") == (a % 2 == b % 2 == 0), (a, b)
        if a % 2 == 0 or b % 2 == 0:
            outcome = solve.solve([f"cram-{a}x{b}", "full"], "normal")["outcome"]
            assert (outcome == "P") == (a % 2 == b % 2 == 0), (a, b)
    # From P. Beling's table of Cram: 4 x 4 is worth 0. A row of Cram is Dawson's Kayles.
    row = NimSequence(Code("0.07"))
    for n in range(2, 15):
        assert solve.solve([f"cram-1x{n}", "full"], "normal")["grundy"] == row.value(n)


def test_a_large_box_with_few_lit_lamps_is_solved():
    solution = solve.solve(["nim-2d-5x5", "11111/00000/00000/00000/11111"], "normal")
    assert (solution["outcome"], solution["grundy"]) == ("P", 0)
