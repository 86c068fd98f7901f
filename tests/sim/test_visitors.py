"""Whole visits through the buttons and lamps, refereed by the oracle."""

import random

import pytest

import oracle
from nimatron_sim.simulated_pico import SimulatedPico
from nimatron_sim.soak.visitors import visit

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
    # The last move of the player, or one move of the machine, left nothing.
    player_was_last = not any(left)
    assert player_was_last or (0, 0, 0, 0) in [after for _, after in oracle.moves(left)]
    assert (verdict == "you-win") == (player_was_last != misere)
    return verdict


def searcher(misere):
    """Return a perfect visitor who knows the search and no theory."""

    def think(rows):
        moves = sorted(oracle.winning_moves(rows, misere))
        return moves[0] if moves else oracle.moves(rows)[-1][0]

    return think


@pytest.mark.sampled("1.5 s each")
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("misere", [True, False])
def test_a_perfect_visitor_wins_where_the_search_says_so_and_nowhere_else(misere, part):
    """The test plays all 329 boards, each with its rows in one random order."""
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
