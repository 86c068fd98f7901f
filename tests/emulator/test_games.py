"""The games on the deployable image: the time for a decision, and the cost in heap."""

import pytest

pytest.importorskip("rp2040py")

import decisions

from nimatron import games
from nimatron_sim import firmware

pytestmark = pytest.mark.emulator

MOST_MS = 100
MOST_HEAP = 40_000


def measured(boot, names):
    pico = boot(decisions.main(names), files=firmware.files())
    pico.run_until(lambda: pico.lines()[-1:] == ["end"], 60_000)
    pico.run_until(lambda: pico.trace[-1].get("console") == "end", 60_000)
    return decisions.found([record.get("console", "") for record in pico.trace])


@pytest.mark.long("40 s")
@pytest.mark.condition("decision in any game, ms, worst")
def test_every_game_decides_in_time_and_leaves_room(boot, record_property):
    found = measured(boot, games.names()[1:])
    assert set(found) == set(games.names())
    for name, (ms, heap) in sorted(found.items(), key=lambda item: -item[1][0]):
        record_property(
            f"decision of {name}, ms worst, and heap over nim, bytes",
            f"{ms:.1f} {heap - found['nim'][1]}",
        )
    worst = max(ms for ms, _ in found.values())
    record_property("decision in any game, ms, worst", round(worst))
    assert worst <= MOST_MS
    assert max(heap for _, heap in found.values()) - found["nim"][1] <= MOST_HEAP
