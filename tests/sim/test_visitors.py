"""Whole visits through the buttons and lamps, refereed by the oracle."""

import random

import pytest

import oracle
from nimatron_sim.simulated_pico import SimulatedPico
from nimatron_sim.soak.visitors import VERDICTS, learner, mash, visit

BOARDS = sorted({tuple(sorted(rows)) for rows in oracle.POSITIONS if any(rows)})
PARTS = 4  # of the long tests, for parallel runs


def refereed(pico, think, misere):
    """Play one match. Every move of the machine that the lamps show is checked."""
    left = None

    def watched(rows):
        nonlocal left
        if left is not None:
            assert rows in [after for _, after in oracle.moves(left)], (left, rows)
        row, take = think(rows)
        left = (*rows[:row], rows[row] - take, *rows[row + 1 :])
        return row, take

    verdict = visit(pico, watched)
    # The player's last move left nothing, or one move of the machine did.
    player_was_last = not any(left)
    assert player_was_last or (0, 0, 0, 0) in [after for _, after in oracle.moves(left)]
    assert (verdict == "you-win") == (player_was_last != misere)
    return verdict


def searcher(misere):
    """A perfect visitor who knows the search and no theory."""

    def think(rows):
        moves = sorted(oracle.winning_moves(rows, misere))
        return moves[0] if moves else oracle.moves(rows)[-1][0]

    return think


@pytest.mark.sampled("1.5 s each")
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("misere", [True, False])
def test_a_perfect_visitor_wins_where_the_search_says_so_and_nowhere_else(misere, part):
    """All 329 boards up to the order of rows, in a random order of rows."""
    pico = SimulatedPico(record=lambda record: None)
    rng = random.Random(part)
    pico.settle()
    pico.ask("rule " + ("misere" if misere else "normal"))
    for board in BOARDS[part::PARTS]:
        rows = tuple(rng.sample(board, 4))
        pico.start(*rows)
        assert pico.rows == rows
        verdict = refereed(pico, searcher(misere), misere)
        assert (verdict == "you-win") == oracle.mover_wins(rows, misere), rows
    assert pico.resets == []


@pytest.mark.parametrize("misere", [True, False])
def test_a_perfect_visitor_wins_from_every_opening_that_new_offers(misere):
    pico = SimulatedPico(record=lambda record: None)
    pico.settle()
    pico.ask("rule " + ("misere" if misere else "normal"))
    seen = set()
    for presses in range(9):
        pico.run_until(lambda: pico.state == "attract")
        pico.tap("new", 1 + presses)
        seen.add(pico.rows)
        row, take = searcher(misere)(pico.rows)
        pico.tap(f"row{row + 1}", take)
        pico.tap("go")
        assert refereed(pico, searcher(misere), misere) == "you-win"
    assert len(seen) == 9


@pytest.mark.parametrize("part", range(PARTS))
def test_hundreds_of_learners_see_no_illegal_move(part):
    """And a machine that slips loses to them now and then. Thousands: nimatron soak."""
    pico = SimulatedPico(record=lambda record: None, entropy=part)
    rng = random.Random(part)
    pico.settle()
    verdicts = []
    levels = ["perfect", "strong", "fair", "easy"]
    for number in range(80):
        misere = rng.random() < 0.5
        pico.ask("rule " + ("misere" if misere else "normal"))
        pico.ask("level " + levels[number % 4])
        rows = rng.choice(BOARDS)
        pico.start(*rng.sample(rows, 4))
        verdicts.append(refereed(pico, learner(rng), misere))
    assert set(verdicts) == VERDICTS
    assert verdicts.count("machine-wins") > 60
    assert pico.resets == []


@pytest.mark.parametrize("seed", range(8))
def test_a_child_who_mashes_every_button_upsets_nothing(seed):
    pico = SimulatedPico()
    rng = random.Random(seed)
    pico.settle()
    before = None
    for _ in range(20):
        mash(pico, rng, 3000)
        assert pico.resets == []
        assert any(pico.lamps) or pico.state == "verdict"
        if pico.state == "player":
            before = before or pico.ask("status")
            assert pico.ask("status").startswith("ok ")
    pico.run(200)
    pico.ask("game nim")  # NEW held down walks through the games
    assert pico.start(3, 4, 5) is None
    assert visit(pico, searcher(True)) == "you-win"
    moves = [c["console"] for c in pico.trace if "event move" in c.get("console", "")]
    assert moves and before
