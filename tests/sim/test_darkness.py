"""The referee of darkness: its findings, and cases that it must not mistake for darkness."""

import pytest

from nimatron_sim import vm
from nimatron_sim.darkness import Dark, Darkness, judge
from nimatron_sim.simulated.chip_registers import DMA_ABORT
from nimatron_sim.simulated_pico import SimulatedPico
from pico_testbench import usb_cable

BOOT = "event boot version=1 mode=exhibit why=power-on"
LIT, OUT = [1, 0, 0, 0], [0, 0, 0, 0]
STATES = ("attract", "opening", "player", "thinking", "verdict", "test", "crashed")
NOT_THEIRS = ("attract", "opening", "thinking", "verdict", "test")  # a press lights no lamp


FOREVER = 3_600_000

# name: (the events, lines and acts at one moment, the longest dark time in ms after them)
CASES = {state: (f"{state} out", 1000) for state in STATES} | {
    "a player who may pick every lamp": ("player touch out", FOREVER),
    "a player who touches nothing": ("touch player out", 1000),
    "a new state has its own second": ("player touch out verdict", 1000),
    "the machine may take the last lamp": ("machine out", 3000),
    "a press before the machine's turn": ("machine type touch out", 3000),
    **{f"a press in {state}": (f"{state} type touch out", 1000) for state in NOT_THEIRS},
    "a crash, and single lamps are tested": ("crashed touch type out", FOREVER),
    "a crash, and nothing is typed": ("crashed touch out", 1000),
    "maintenance": ("maintenance out", FOREVER),
    "quiet": ("quiet out", FOREVER),
    "a step of the working": ("working out", FOREVER),
    "quiet is over": ("quiet attract out", 1000),
    "an unheard turn": ("deafen touch out", FOREVER),
    "unheard, and no touch": ("deafen out", 1000),
    "no power": ("off out", FOREVER),
    "a boot": ("off out on", 2000),
    "it blinks": ("out lit", FOREVER),
}


def happen(darkness, what):
    if what in ("out", "lit"):
        darkness.see({"ms": 0, "lamps": OUT if what == "out" else LIT})
    elif what in ("on", "off"):
        darkness.power(what == "on", 0)
    elif what in ("touch", "type"):
        darkness.touch(0, typed=what == "type")
    elif what == "deafen":
        darkness.deafen(0)
    else:
        lines = {"quiet": "ok quiet=on", "working": "event working step=1"}
        darkness.see({"ms": 0, "console": lines.get(what, f"event state={what}")})


@pytest.fixture
def darkness():
    """Return a referee that knows that the show has begun."""
    darkness = Darkness()
    darkness.power(True, 0)
    darkness.see({"ms": 0, "console": BOOT})
    happen(darkness, "attract")
    happen(darkness, "lit")
    return darkness


@pytest.mark.parametrize("case", CASES)
def test_how_long_it_may_be_dark(darkness, case):
    story, limit = CASES[case]
    for what in story.split():
        happen(darkness, what)
    for again in (limit, 2 * limit):
        darkness.check(again)
        if limit < FOREVER:
            with pytest.raises(Dark):
                darkness.check(again + 1)


def test_darkness_that_is_over_is_found(darkness):
    happen(darkness, "out")
    darkness.see({"ms": 1001, "lamps": LIT})
    said = "dark since 0 ms, in the state attract, and still were at 1000"
    with pytest.raises(Dark, match=said):
        darkness.check(1001)
    darkness.check(FOREVER)


def test_other_firmware_may_be_dark():
    darkness = Darkness()
    darkness.power(True, 0)
    darkness.see({"ms": 0, "console": "Hello"})
    darkness.check(1_000_000)


# ---------------------------------------------------------------------- on a Pico


def test_stopped_display_fails_any_test(mistaken):
    files = mistaken("nimatron/devices/panel.py", "self._lamps.check, ", "")
    pico = SimulatedPico(files=files)
    pico.settle()
    pico.circuit.chip.registers[DMA_ABORT] = 1
    with pytest.raises(Dark, match="in the state attract"):
        pico.run(2000)
    with pytest.raises(Dark):
        pico.run(100_000)
    pico.darkness.may_be_dark = True
    pico.run(100_000)


def test_firmware_that_never_does_anything_again_fails(program):
    pico = program(f"print('{BOOT}')\nprint('event state=attract')")
    with pytest.raises(Dark):
        pico.run(1)


def test_firmware_that_never_boots_again_fails(pico):
    pico.power_off()
    pico.run(100_000)
    installed = pico.core.installed
    pico.core.installed = installed | {"main.py": installed["nimatron/__init__.py"]}
    pico.power_on()
    pico.run(0)
    pico.run(2000)
    with pytest.raises(Dark, match="in the state boot"):
        pico.run(1)


def test_a_visitor_who_picks_every_lamp_and_waits(pico):
    pico.start(1)
    pico.tap("row1")
    assert pico.rows == (0, 0, 0, 0)
    pico.run(40_000)


def test_what_a_closed_port_does_not_tell_may_be_a_players_turn(mistaken):
    pico = SimulatedPico(files=mistaken("nimatron/devices/panel.py", "self._lamps.check, ", ""))
    pico.settle()
    pico.cable = usb_cable.CLOSED
    pico.tap("new")
    pico.circuit.chip.registers[DMA_ABORT] = 1
    pico.run(5000)
    assert not any(pico.lamps)


# ---------------------------------------------------------------------- afterwards


def test_a_trace_is_judged_afterwards():
    lit = [{"ms": 200, "console": BOOT}, {"ms": 200, "console": "event state=player"}]
    lit.append({"ms": 200, "lamps": LIT})
    dark = [*lit, {"ms": 5000, "lamps": OUT}]
    judge(lit, [], 100_000)
    judge(dark, [[4900, "press", "row1"]], 100_000)
    judge(dark, [[5000, "power", "off"]], 100_000)
    judge(dark, [], 6000)
    for moments in ([], [[100, "press", "row1"]], [[5100, "power", "on"]]):
        with pytest.raises(Dark):
            judge(dark, moments, 100_000)


def test_a_trace_of_the_vm_is_judged(tmp_path):
    vm.command()
    (tmp_path / "main.py").write_text(f"print('{BOOT}')\nprint('event state=attract')")
    assert len(vm.trace("wait 900", folder=tmp_path)) == 2
    with pytest.raises(Dark):
        vm.trace("wait 2000", folder=tmp_path)
