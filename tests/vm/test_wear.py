"""The lifetime of the flash, by saves on MicroPython's own littlefs, as the Pico mounts it."""

import json
from pathlib import Path

import pytest

from nimatron import games
from nimatron.opponent import LEVELS
from nimatron_sim import firmware, vm

pytestmark = [pytest.mark.vm, pytest.mark.usefixtures("vm_command")]

ON_VM = Path(__file__).parent / "on_vm"
SAVES = 20_000
SAVES_A_DAY = 10 * 60  # the most saves that visitors can cause in ten hours: one a minute
CYCLES = 100_000  # of a sector, W25Q16JV
TALLY = {"player": 12_345, "machine": 123_456, "abandoned": 1_234}
RESETS = dict.fromkeys(("power-on", "hang", "reset", "crash", "reboot", "maintenance"), 1000)


def openings(name):
    game = games.find(name)
    return [game.words(opening).replace(",", "-") for opening in game.openings]


def counted(names):
    """Return statistics with all openings of these games, at every level."""
    return {
        "since": "2026-11-21",
        "resets": RESETS,
        "played": dict.fromkeys(names, TALLY),
        "openings": dict.fromkeys([o for name in names for o in openings(name)], TALLY),
        "levels": dict.fromkeys(LEVELS, TALLY),
    }


@pytest.mark.long("half a minute each")
@pytest.mark.parametrize("names", [["nim"], games.names()], ids=["nim alone", "every game"])
def test_the_flash_lasts_for_years(names, record_property):
    files = {name: len(firmware.compiled(file, name)) for name, file in firmware.files().items()}
    files |= {"settings.json": 100, "flight.json": 6000, "crashes.json": 3000}
    given = {"files": files, "statistics": counted(names), "saves": SAVES}
    said = vm.run("-c", "import wear; wear.main()", given=json.dumps(given), folder=ON_VM)
    found = json.loads(said)
    a_save = sum(found["erases"]) / SAVES
    hottest = max(found["erases"])
    years = CYCLES / (hottest / SAVES * SAVES_A_DAY * 365.25)
    record_property(
        f"saves of {found['sizes'][-1]} bytes",
        f"{a_save:.2f} erases each, {found['worst']} at worst, the hottest sector {hottest} in "
        f"{SAVES}: {years:.0f} years to {CYCLES} cycles at {SAVES_A_DAY} a day",
    )
    assert a_save <= 5
    assert found["worst"] <= 12
    assert years >= 15  # chance decides which sectors littlefs takes
