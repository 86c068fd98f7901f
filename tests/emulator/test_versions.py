"""Guarantees on every MicroPython: on the oldest and the newest image in the cache, and on all
images between them with `make test-long`."""

import pytest

pytest.importorskip("rp2040py")

import probe

from nimatron_sim.emulated import bootable_image as images

pytestmark = [pytest.mark.emulator, pytest.mark.ends]

VISIT = """
tap row2 2
tap go
wait 3880
"""


def changes(pico, ms):
    """Let `ms` pass. Return the pictures that the lamps show in this time."""
    before = len(pico.trace)
    pico.run(ms)
    return [record["lamps"] for record in pico.trace[before:] if "lamps" in record]


@pytest.mark.condition("boot to attract mode, ms")
def test_it_boots_into_its_show_within_a_second(pico, record_property):
    boot, show = [record for record in pico.trace if "console" in record][:2]
    assert boot["console"].startswith("event boot version=")
    assert show["console"] == "event state=attract"
    record_property("boot to attract mode, ms", show["ms"])
    assert show["ms"] <= 350


@pytest.mark.condition("the firmware is installed from source")
@pytest.mark.long("3 s each")
def test_a_source_install_boots_and_plays(emulated, micropython):
    """Such an install is from `mpremote mip install`, or from a PC without mpy-cross."""
    pico = emulated.EmulatedPico(source=True, image=micropython)
    pico.settle()
    pico.start(3, 4, 5)
    assert pico.ask("hint").startswith("ok outcome=N")
    assert pico.resets == []


@pytest.mark.condition("free heap in attract mode, bytes")
def test_the_lamps_outlive_the_collection_of_garbage(pico, micropython, record_property):
    probe.to_attract(pico)
    for _ in range(3):
        free = probe.collect(pico)
        assert len(changes(pico, 1000)) >= 3
    record_property("free heap in attract mode, bytes", free)
    assert any(pico.lamps)
    # the oldest and the newest MicroPython take more memory for themselves
    assert free >= (142_000 if images.version(micropython) == "1.26.1" else 128_000)


@pytest.mark.condition("press to lamp, ms, worst of 7")
def test_a_press_reaches_its_lamp(pico, record_property):
    took = probe.presses(pico, 7)
    assert pico.rows == (0, 7, 7, 7)
    record_property("press to lamp, ms, worst of 7", round(took[-1], 2))
    assert took[-1] <= 10


@pytest.mark.condition("a match, with its lamps and its coin")
def test_a_game_and_its_lamps(pico):
    pico.start(1, 2)
    pico.run(500)  # the tune of the opening
    before = len(pico.trace)
    pico.play(VISIT)
    told = pico.trace[before:]
    assert [record["lamps"] for record in told if "lamps" in record][:3] == [
        [1, 1, 0, 0],
        [1, 0, 0, 0],
        [0, 0, 0, 0],
    ]
    assert [record["coin"] for record in told if "coin" in record] == [1, 0]
    assert "event over winner=player" in [record.get("console") for record in told]
    assert pico.legends == {"you-win"}
    pico.tap("new")
