"""Repeated saves of statistics on a littlefs that counts erases. Runs on MicroPython."""

import json
import os
import sys

from flash import formatted, mount, put

from nimatron.devices.storage import Storage
from nimatron.statistics import Statistics

_BLOCKS = 352  # as ports/rp2 of MicroPython has them


def main():
    """Read {"files": {name: bytes}, "statistics": the saved statistics, "saves": the number of
    saves} from standard input. Print {"sizes": the bytes of the first and last save, "erases": the
    erases of each block, "worst": the most erases of a save}."""
    given = json.loads(sys.stdin.read())
    flash = mount(formatted(_BLOCKS))
    for name, size in given["files"].items():
        put(name, bytes(size))
    statistics = Statistics(given["statistics"])
    storage = Storage(print)
    played = [list(statistics.data[group]) for group in ("played", "openings", "levels")]
    deployed = list(flash.erases)
    sizes, worst = [], 0
    for number in range(given["saves"]):
        before = sum(flash.erases)
        statistics.game("machine", *[names[number % len(names)] for names in played])
        assert storage.save("statistics.json", statistics.data)
        worst = max(worst, sum(flash.erases) - before)
        if number in (0, given["saves"] - 1):
            sizes.append(os.stat("statistics.json")[6])
    erases = [after - before for after, before in zip(flash.erases, deployed)]
    print(json.dumps({"sizes": sizes, "erases": erases, "worst": worst}))
