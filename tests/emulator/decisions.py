"""A main.py that measures the time for a decision in every game on the deployable image, and the
heap that the game takes."""

_MAIN = """
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
            game.winning_options(position, misere)  # some keep their search results
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


def main(names: tuple[str, ...]) -> str:
    """Return the main.py for nim and these games. It repeatedly prints its findings, then
    `end`."""
    return f"NAMES = {tuple(names)}\n{_MAIN}"


def found(lines: list[str]) -> dict[str, tuple[float, int]]:
    """Return {name: (ms of the worst decision, bytes of heap)} from its output."""
    figures = {}
    for line in lines:
        if " us=" in line:
            name, us, heap = line.split()
            figures[name] = int(us[3:]) / 1000, int(heap[5:])
    return figures
