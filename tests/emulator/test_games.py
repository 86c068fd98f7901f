"""The family of games on the deployable image: how long a decision takes, and what it costs of
the heap."""

import pytest

pytest.importorskip("rp2040py")

from nimatron import games
from nimatron_sim import firmware

pytestmark = pytest.mark.emulator

MOST_MS = 300
MOST_HEAP = 40_000

MEASURE = """
import gc
import sys
import time
from nimatron import games, opponent
from nimatron.dice import Dice

def measure(name):
    known = set(sys.modules)
    gc.collect()
    free = gc.mem_free()
    game = games.find(name)
    worst = 0
    for misere in [rule == "misere" for rule in game.rules]:
        for position in game.openings[-1:]:
            game.winning_options(position, misere)  # some keep what they have searched
            for slip in (0, 100):
                begin = time.ticks_us()
                opponent.choose(game, position, misere, slip, Dice(1))
                worst = max(worst, time.ticks_diff(time.ticks_us(), begin))
    gc.collect()
    used = free - gc.mem_free()
    game = None
    for module in set(sys.modules) - known:
        del sys.modules[module]
    return "%s us=%d heap=%d" % (name, worst, used)

lines = ["begin"] + [measure(name) for name in ("nim",) + NAMES] + ["end"]
while True:
    for line in lines:
        print(line)
        time.sleep_ms(5)
"""


def measured(boot, names):
    files = {
        name: file
        for name, file in firmware.files().items()
        if name.split("/")[-1].split(".")[0] in ("__init__", "board", "dice", "nim", "numbers")
        or "games/" in name
        or "opponent" in name
    }
    pico = boot(f"NAMES = {tuple(names)}\n{MEASURE}", files=files)
    pico.run_until(lambda: pico.lines()[-1:] == ["end"], 60_000)
    pico.run_until(lambda: pico.trace[-1].get("console") == "end", 60_000)
    found = {}
    for record in pico.trace:
        if " us=" in record.get("console", ""):
            name, us, heap = record["console"].split()
            found[name] = int(us[3:]) / 1000, int(heap[5:])
    return found


@pytest.mark.long("three minutes")
def test_every_game_decides_in_time_and_leaves_room(boot, record_property):
    found = measured(boot, games.NAMES[1:])
    assert set(found) == set(games.NAMES)
    for name, (ms, heap) in sorted(found.items(), key=lambda item: -item[1][0]):
        record_property(
            f"decision of {name}, ms worst, and heap over nim, bytes",
            f"{ms:.1f} {heap - found['nim'][1]}",
        )
    assert max(ms for ms, _ in found.values()) <= MOST_MS
    assert max(heap for _, heap in found.values()) - found["nim"][1] <= MOST_HEAP
