"""The games that exist only on a PC, compared with searches that know only their rules."""

import random
from itertools import combinations, pairwise, product
from itertools import combinations_with_replacement as multisets

import pytest

from nimatron_host.theory import rules, solve
from oracle import Search

BOTH = (True, False)


def solved(name, positions, moves, words, read):
    """Compare the output of `solve` for each position under both rules, with its Grundy value.

    words() returns a position as you type it, and read() converts typed text for the search.
    """
    search, count = Search(moves), 0
    for position, misere in product(positions, BOTH):
        if not moves(position):
            continue
        typed = [name, *words(position).split()]
        solution = solve.solve(typed, "misere" if misere else "normal")
        assert (solution["outcome"] == "P") == search.lost(position, misere), (typed, misere)
        right = {a for a in moves(position) if search.lost(a, misere)}
        options = [read(option) for option in solution["winning_options"]]
        assert {*options} == right and len(options) == len(right), (typed, misere)
        assert misere or solution["grundy"] == search.grundy(position), typed
        count += 1
    return count


# ---------------------------------------------------------------------- index


@pytest.mark.parametrize(("k", "most"), [(k, r) for k in (1, 2, 3) for r in (1, 2)])
def test_the_published_rule_of_bounded_index_holds_for_few_heaps_and_not_for_more(k, most):
    """By Moore's rule on remainders, a position is P if k + 1 divides each binary column's sum."""
    game = rules.find(f"index-{k}-{most}")
    wrong = {}
    for count in range(1, k + 3):
        for heaps in multisets(range(most + 3), count):
            rest = [heap % (most + 1) for heap in heaps]
            says = all(sum(n >> c & 1 for n in rest) % (k + 1) == 0 for c in range(3))
            if says != game.is_p(heaps, False):
                wrong.setdefault(count, heaps)
    assert [*wrong] == ([] if k == 1 else [k + 2])
    if k == 2:
        assert wrong[4] == (1, 1, 1, most + 1)


# ---------------------------------------------------------------------- drawings of points


def paths(typed):
    return [path.split("-") for path in typed.split() if path != "nothing"]


def points_and_lines(typed):
    """Return the drawing, with the lines as pairs in typed order."""
    lines = [line for path in paths(typed) for line in pairwise(path)]
    return frozenset(name for path in paths(typed) for name in path), frozenset(lines)


def lines_of(typed):
    """Return the lines as a sorted tuple of sorted pairs. A line may occur twice."""
    lines = [line for path in paths(typed) for line in pairwise(path)]
    return tuple(sorted(tuple(sorted(line)) for line in lines))


def lines_typed(lines):
    return " ".join(f"{a}-{b}" for a, b in lines)


def as_typed(position):
    points, lines = position
    return " ".join([*sorted(points), lines_typed(sorted(lines))])


def without(position, gone):
    points, lines = position
    return points - gone, frozenset(line for line in lines if not gone & {*line})


def drawings(most, chance, count):
    """Yield every drawing of up to `most` points, with lines from earlier to later points, and
    some drawings of up to six points."""
    for n in range(1, most + 1):
        pairs = [*combinations("abcdef"[:n], 2)]
        for number in range(1 << len(pairs)):
            lines = frozenset(pair for i, pair in enumerate(pairs) if number >> i & 1)
            yield frozenset("abcdef"[:n]), lines
    for _ in range(count):
        n = chance.randrange(5, 7)
        pairs = [pair for pair in combinations("abcdef"[:n], 2) if chance.random() < 0.4]
        yield frozenset("abcdef"[:n]), frozenset(pairs)


def up_sets(position):
    """Return the moves in a poset. Every point that lines reach goes with the element."""
    points, lines = position
    after = set()
    for first in points:
        gone, front = {first}, [first]
        while front:
            below = front.pop()
            for a, b in lines:
                if a == below and b not in gone:
                    gone.add(b)
                    front.append(b)
        after.add(without(position, gone))
    return after


def cliques(sizes):
    """Return the moves that remove one of these numbers of points, every two of them joined."""

    def moves(position):
        points, lines = position
        return {
            without(position, {*some})
            for size in sizes
            for some in combinations(sorted(points), size)
            if all((a, b) in lines or (b, a) in lines for a, b in combinations(some, 2))
        }

    return moves


ON_POINTS = {
    "poset": up_sets,
    "graph-nim": cliques(range(1, 7)),
    "graph-kayles": cliques((1, 2)),
    "arc-kayles": cliques((2,)),
}


@pytest.mark.parametrize("name", ON_POINTS)
def test_games_on_points(name):
    positions = [*drawings(4, random.Random(name), 60)]
    assert solved(name, positions, ON_POINTS[name], as_typed, points_and_lines) > 240


# ---------------------------------------------------------------------- graph nim


def ends(lines):
    """Return the moves of graph nim, which take some of the lines that end at one point."""
    after = set()
    for point in {point for line in lines for point in line}:
        at = [line for line in lines if point in line]
        for n in range(1, len(at) + 1):
            after |= {tuple(x for x in lines if x not in some) for some in combinations(at, n)}
    return after


def test_graph_nim_on_graphs_of_five_points():
    edges = list(combinations("abcde", 2))
    graphs = [g for n in range(1, 5) for g in combinations(edges, n)]
    graphs += [*random.Random(7).sample([*combinations(edges, 7)], 12), tuple(edges)]
    assert solved("graph", graphs, ends, lines_typed, lines_of) > 700


# ---------------------------------------------------------------------- Hackenbush


def hanging(lines):
    """Return the lines that hang on the ground."""
    found = {"0"}
    while more := [line for line in lines if len(found & {*line}) == 1 and line[0] != line[1]]:
        found |= {*more[0]}
    return tuple(line for line in lines if found & {*line})


def cuts(lines):
    return {hanging(lines[:i] + lines[i + 1 :]) for i in range(len(lines))}


def pictures(chance, count):
    """Yield every picture of up to three lines, and some pictures of up to seven."""
    pairs = [*combinations("0abc", 2), ("0", "0"), ("a", "a"), ("b", "b")]
    for n in range(1, 4):
        for lines in multisets(sorted(pairs), n):
            if hanging(lines) == lines:
                yield lines
    while count:
        some = [
            tuple(sorted(chance.choices("0abcde", k=2))) for _ in range(chance.randrange(5, 8))
        ]
        lines = hanging(tuple(sorted(some)))
        if len(lines) > 4:
            yield lines
            count -= 1


def test_hackenbush():
    positions = [*pictures(random.Random(20), 60)]
    assert solved("hackenbush", positions, cuts, lines_typed, lines_of) > 240


def test_large_hackenbush_by_its_principles():
    """A stalk of n lines is a heap of n. A cycle of n lines at the ground is worth n loops: 1 if n
    is odd, else 0. A tree's branches add up as in Nim below their joint."""
    stalk = "-".join(["0", *(f"s{n}" for n in range(30))])
    for n, worth in ((9, 1), (10, 0)):
        cycle = "-".join(["0", *(f"c{i}" for i in range(n - 1)), "0"])
        solution = solve.solve(["hackenbush", stalk, cycle], "normal")
        assert solution["grundy"] == 30 ^ worth
    tree = ["0-a-b-c", "a-d", "b-e"]  # b carries 1 and 1, so a carries 1 and 1, so the root 1
    assert solve.solve(["hackenbush", *tree], "normal")["grundy"] == 1
    leaves = solve.solve(["hackenbush", "0-a", "a-0", "0-b"], "normal")["winning_options"]
    assert leaves == ["a-0-b", "0-a-0"]  # either of the two equal lines, or the third line


# ---------------------------------------------------------------------- Notakto


ROWS = ("012", "345", "678", "036", "147", "258", "048", "246")


def crosses(typed):
    """Return each board as the set of its crosses. Boards have no order here."""
    boards = [word.replace("/", "") for word in typed.split() if word != "nothing"]
    sets = [frozenset(str(i) for i in range(9) if board[i] == "x") for board in boards]
    return tuple(sorted(sets, key=sorted))


def boards_typed(boards):
    return " ".join("".join(".x"[str(i) in board] for i in range(9)) for board in boards)


def put(boards):
    after = set()
    for i, board in enumerate(boards):
        for cell in {*"012345678"} - board:
            more = board | {cell}
            alive = [] if any({*row} <= more for row in ROWS) else [more]
            after.add(tuple(sorted([*boards[:i], *alive, *boards[i + 1 :]], key=sorted)))
    return after


def living():
    for number in range(512):
        board = frozenset(str(i) for i in range(9) if number >> i & 1)
        if not any({*row} <= board for row in ROWS):
            yield board


def test_notakto():
    one = list(living())
    few = [board for board in one if len(board) > 3]
    chance = random.Random(9)
    two = [tuple(sorted(chance.sample(few, 2), key=sorted)) for _ in range(150)]
    positions = [(board,) for board in one] + two
    assert solved("notakto", positions, put, boards_typed, crosses) == 760


def test_notakto_as_its_analysts_have_it():
    """By Plambeck and Whitehead, the first player wins one board, only by the middle and then by a
    knight's move from each reply, and three boards. The second player wins two boards."""
    one = solve.solve(["notakto", "1"], "misere")
    assert one["winning_options"] == [".../.x./..."]
    for reply in {*range(9)} - {4}:
        crossed = "".join("x" if cell in (4, reply) else "." for cell in range(9))
        right = solve.solve(["notakto", crossed], "misere")["winning_options"]
        for jump in range(9):
            if {abs(jump // 3 - reply // 3), abs(jump % 3 - reply % 3)} == {1, 2}:
                leaves = f"{crossed[:jump]}x{crossed[jump + 1 :]}"
                assert f"{leaves[:3]}/{leaves[3:6]}/{leaves[6:]}" in right
    assert solve.solve(["notakto", "2"], "misere")["outcome"] == "P"
    assert solve.solve(["notakto", "3"], "misere")["outcome"] == "N"
    for boards in range(4, 30):
        assert (
            solve.solve(["notakto", *"1" * boards], "misere")["outcome"] == "NP"[boards % 2 == 0]
        )
