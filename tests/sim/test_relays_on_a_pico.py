"""The firmware with a circuit of relays in place of its arithmetic."""

from random import Random

import pytest

from nimatron import games, protocol
from nimatron_sim import backends
from nimatron_sim.simulated_pico import SimulatedPico
from nimatron_sim.soak import visitors


def moves(record):
    """Return (position, move by the machine) for each of its moves in the lines."""
    found, rows = [], None
    for line in record:
        kind, what, values = protocol.parse(line)
        if kind == protocol.EVENT and what == "move":
            after = tuple(map(int, values["rows"].split(",")))
            if values["by"] == "machine":
                found.append((rows, after))
            rows = after
    return found


@pytest.fixture
def visited():
    """Return visited(**settings), which returns the console lines while four visitors play."""

    def visited(**settings):
        said = []
        pico = SimulatedPico(
            files=backends.with_relays(),
            settings={"verdict_ms": 2000} | settings,
            record=lambda change: said.append(change.get("console", "")),
        )
        pico.settle()
        for seed in range(4):
            pico.tap("new")
            visitors.visit(pico, visitors.learner(Random(seed)))
            pico.run(20_000)
        pico.power_off()
        return list(filter(None, said))

    return visited


@pytest.mark.parametrize("rule", ["misere", "normal"])
def test_matches_are_played_by_the_relays(rule, visited):
    """Each move is the first of the moves from which the arithmetic lets its dice choose."""
    nim, found = games.find("nim"), moves(visited(rule=rule))
    assert len(found) > 6
    for before, after in found:
        misere = rule == "misere"
        best = nim.winning_options(before, misere) or nim.resisting_options(before)
        assert after == best[0]


def test_other_games_and_slips_are_computed(visited):
    assert sum("by=machine" in line for line in visited(level="child")) > 6
    said = []
    pico = SimulatedPico(
        files=backends.with_relays(), record=lambda change: said.append(change.get("console", ""))
    )
    pico.play(
        "wait 1000\nsend game subtraction-3\nsend new 15\nwait 99\ntap row1\ntap go\nwait 6000"
    )
    pico.power_off()
    assert any("by=machine" in line for line in said)
