"""The findings of the comparison of tiers, and its tolerance for a slow Pico."""

import pytest

import compare
from nimatron_sim.simulated_pico import SimulatedPico

VISIT = """
wait 2000
send seed 1
wait 500
send new 1 2
wait 600
tap go                # refused
wait 500
tap row1
tap row2 2            # gives the first one back
tap go
wait 2300
press row1            # while the machine thinks, or moves
wait 700
release row1
wait 20000
tap new
wait 1300
tap new
wait 30
tap row1
wait 3000
"""

MISTAKES = {
    "console": (
        "exhibit",
        'self._emit(protocol.format("over", ("winner", winner), *match.prizes))',
        "pass",
    ),
    "legends": ("exhibit", 'self._panel.light("you-win")', 'self._panel.light("machine-wins")'),
    "coin": ("exhibit", "await self._panel.drop_coin()", "pass"),
    "lamps": ("pictures", "0b111 << step", "0b101 << step"),
    "sound": ("tunes", '"pick": (880, 25)', '"pick": (0, 25)'),
}


def trace(takes_us=None, files=None):
    pico = SimulatedPico(files=files, takes_us=takes_us)
    pico.play(VISIT)
    return pico.trace


def slowly(what):
    return {"turn": 700, "collect": 40_000}.get(what, 0)


def test_a_pico_may_take_its_time():
    assert trace() != trace(slowly)
    assert compare.difference(VISIT, trace(), trace(slowly)) is None


@pytest.mark.parametrize("what", MISTAKES)
def test_a_mistake_is_found(mistaken, what):
    module, *change = MISTAKES[what]
    seen = trace(slowly, mistaken(f"nimatron/{module}.py", *change))
    _, text = compare.difference(VISIT, trace(), seen)
    assert text.startswith(f"{what}: a difference at ")


def test_each_lost_record_is_found():
    """A few are not found, because a press came before the other Pico had finished an action."""
    expected, seen = trace(), trace(slowly)
    lost = [n for n in range(len(seen)) if seen[n]["ms"] > 2000]
    kept = [
        seen[n] for n in lost if not compare.difference(VISIT, expected, seen[:n] + seen[n + 1 :])
    ]
    assert len(kept) <= len(lost) // 20, kept
