"""The `health` command in every mode."""

import pytest

from nimatron import VERSION
from nimatron_sim.cabinet import Circuit
from nimatron_sim.simulated_pico import SimulatedPico

FACTS = [
    *("free", "uptime_s", "lag_ms", "failed", "stuck", "frames", "lamps", "flash_free"),
    *("celsius", "crashes", "version", "micropython", "board"),
]


def test_a_healthy_pico(pico):
    pico.run(3_600_000)
    told = pico.told("health")
    assert list(told) == FACTS
    assert 3599 <= int(told["uptime_s"]) <= 3601
    assert int(told["free"]) > 100_000 and 500_000 < int(told["flash_free"]) < 1_441_792
    assert (told["failed"], told["stuck"], told["frames"]) == ("none", "none", "alive")
    assert told["lamps"] == "ok"
    assert (told["lag_ms"], told["celsius"], told["crashes"]) == ("0", "27", "0")
    assert (told["version"], told["board"]) == (VERSION, "Raspberry Pi Pico with RP2040")
    assert told["micropython"] == pico.told("version")["micropython"]


@pytest.mark.parametrize("display", ["shift", "pixels"])
def test_a_display_without_refresh_has_no_frames_and_no_wires_to_watch(display):
    pico = SimulatedPico(Circuit(display=display), settings={"display": display})
    pico.run(60_000)
    told = pico.told("health")
    assert (told["frames"], told["lamps"]) == ("none", "unknown")


def test_the_flash_is_measured_once_an_hour(pico):
    before = int(pico.told("health")["flash_free"])
    pico.files.contents["/big"] = "x" * 100_000
    pico.run(3_500_000)
    assert int(pico.told("health")["flash_free"]) == before
    pico.run(200_000)
    assert 100_000 <= before - int(pico.told("health")["flash_free"]) <= 110_000


def test_a_full_flash_has_no_bytes_free(pico):
    """littlefs copies on write, so it may need more blocks than exist."""
    pico.files.contents["/big"] = "x" * 2_000_000
    assert pico.told("health")["flash_free"] == "0"


def test_the_longest_delay_since_it_was_asked_last(pico):
    clock, chip = pico.clock, pico.circuit.chip
    for ms in (40, 1500, 30):
        clock.call_at(clock.now + 2_000_000, lambda ms=ms: chip.sleep(ms * 1000))
        pico.run(5000)
    assert 500 <= int(pico.told("health")["lag_ms"]) <= 1500
    assert pico.told("health")["lag_ms"] == "0"


def test_health_lists_failed_and_stuck_parts(mistaken):
    raises = "def light(self, *names):", "def light(self, *names):\n        return 1 // 0"
    pico = SimulatedPico(files=mistaken("nimatron/devices/legends.py", *raises))
    pico.press("row2")
    pico.settle()
    told = pico.told("health")
    assert (told["failed"], told["stuck"], told["crashes"]) == ("legends", "row2", "1")
    pico.release("row2")
    pico.run(100)
    assert pico.told("health")["stuck"] == "none"


def test_it_answers_in_maintenance(pico):
    pico.ask("maintenance")
    pico.run(1000)
    assert "mode=maintenance" in pico.ask("version")
    told = pico.told("health")
    assert told["frames"] == "alive" and int(told["uptime_s"]) <= 1


@pytest.mark.parametrize(
    ("before", "after", "what"),
    [
        ("machine.ADC(", "machine.Pin.nothing(", "celsius"),
        ("machine.ADC(_SENSOR).read_u16()", "0", "celsius"),  # impossible
        ("os.statvfs(", "_flash.nothing(", "flash_free"),
    ],
)
def test_health_shows_unknown_for_missing_values(mistaken, before, after, what):
    pico = SimulatedPico(files=mistaken("nimatron/devices/health.py", before, after))
    pico.settle()
    told = pico.told("health")
    assert told[what] == "unknown" and told["version"] == VERSION


@pytest.mark.parametrize(("raw", "celsius"), [(14020, 27), (13679, 37), (14361, 17), (15400, -13)])
def test_the_thermometer(mistaken, raw, celsius):
    """The formula is 27 - (V - 0.706) / 0.001721 (RP2040 datasheet, 4.9.5)."""
    assert round(27 - (raw * 3.3 / 65535 - 0.706) / 0.001721) == celsius
    read = "machine.ADC(_SENSOR).read_u16()", str(raw)
    pico = SimulatedPico(files=mistaken("nimatron/devices/health.py", *read))
    pico.settle()
    assert abs(int(pico.told("health")["celsius"]) - celsius) <= 1
