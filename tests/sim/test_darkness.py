"""The referee of darkness: its findings, and cases that it must not mistake for darkness."""

import pytest

from nimatron_sim.darkness import Dark, Darkness, judge
from nimatron_sim.simulated_pico import SimulatedPico
from nimatron_sim.vm import vm
from pico_testbench import usb
from pico_testbench.simulated.registers import DMA_ABORT

BOOT = "event boot version=1 mode=exhibit why=power-on"
LIT, OUT = [1, 0, 0, 0], [0, 0, 0, 0]
STATES = ("attract", "opening", "player", "thinking", "verdict", "test", "crashed")


class Told:
    """A referee who gets lines and pictures at the moment `ms`."""

    def __init__(self):
        self.darkness = Darkness()
        self.ms = 0
        self.darkness.power(True, 0)
        self.hear(BOOT, "event state=attract")
        self.show(LIT)

    def hear(self, *lines):
        for line in lines:
            self.darkness.see({"ms": self.ms, "console": line})

    def show(self, masks):
        self.darkness.see({"ms": self.ms, "lamps": masks})

    def is_dark_for(self, ms, limit=1000):
        """It may be dark for no longer than that, and then lit."""
        self.ms += limit
        self.darkness.check(self.ms)
        self.ms += 1
        with pytest.raises(Dark):
            self.darkness.check(self.ms)

    def is_forgiven(self):
        self.ms += 3_600_000
        self.darkness.check(self.ms)


@pytest.fixture
def told():
    return Told()


@pytest.mark.parametrize("state", STATES)
def test_a_second_of_darkness_is_too_long(told, state):
    told.hear(f"event state={state}")
    told.show(OUT)
    told.is_dark_for(1000)


def test_so_is_one_that_is_over(told):
    told.show(OUT)
    told.ms = 1001
    told.show(LIT)
    with pytest.raises(
        Dark, match="dark since 0 ms, in the state attract, and still were at 1000"
    ):
        told.darkness.check(1001)
    told.is_forgiven()


def test_darkness_that_goes_on_is_found_again(told):
    told.show(OUT)
    told.is_dark_for(1000)
    told.is_dark_for(1000, 999)


def test_lamps_that_blink_are_not_dark(told):
    for _ in range(10):
        told.show(OUT)
        told.ms += 1000
        told.show(LIT)
        told.ms += 500
    told.darkness.check(told.ms)


def test_a_new_state_has_a_second_of_its_own(told):
    told.hear("event state=player")
    told.darkness.touch(0)
    told.show(OUT)
    told.ms = 5000
    told.hear("event state=verdict")
    told.is_dark_for(1000)


def test_the_machine_may_take_the_last_lamp(told):
    told.hear("event state=machine")
    told.show(OUT)
    told.is_dark_for(3000, 3000)


def test_a_player_may_pick_every_lamp(told):
    told.hear("event state=player")
    told.darkness.touch(0)
    told.show(OUT)
    told.is_forgiven()


def test_a_player_who_touches_nothing_picks_nothing(told):
    told.darkness.touch(0)
    told.hear("event state=player")
    told.show(OUT)
    told.is_dark_for(1000)


@pytest.mark.parametrize("state", ["attract", "opening", "thinking", "machine", "verdict", "test"])
def test_presses_excuse_nothing_else(told, state):
    told.hear(f"event state={state}")
    told.darkness.touch(0, typed=True)
    told.darkness.touch(0)
    told.show(OUT)
    told.ms = 3001
    with pytest.raises(Dark):
        told.darkness.check(told.ms)


def test_who_types_may_test_one_lamp_after_the_other_when_it_has_crashed(told):
    told.hear("event state=crashed")
    told.darkness.touch(0)
    told.darkness.touch(0, typed=True)
    told.show(OUT)
    told.is_forgiven()


@pytest.mark.parametrize(
    "line", ["event state=maintenance", "ok quiet=on", "event working step=1"]
)
def test_unknown_state_has_no_darkness(told, line):
    told.hear(line)
    told.show(OUT)
    told.is_forgiven()


def test_the_next_state_that_is_told_is_known(told):
    told.hear("ok quiet=on", "event state=attract")
    told.show(OUT)
    told.is_dark_for(1000)


def test_what_is_not_heard_may_have_led_to_a_players_turn(told):
    told.darkness.deafen(0)
    told.darkness.touch(0)
    told.show(OUT)
    told.is_forgiven()


def test_what_is_not_heard_and_not_touched_goes_on(told):
    told.darkness.deafen(0)
    told.show(OUT)
    told.is_dark_for(1000)


def test_without_power_it_is_dark_and_then_it_boots(told):
    told.darkness.power(False, 0)
    told.show(OUT)
    told.is_forgiven()
    told.darkness.power(True, told.ms)
    told.is_dark_for(2000, 2000)


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


def test_firmware_that_never_does_anything_again_fails(tmp_path):
    main = tmp_path / "main.py"
    main.write_text(f"print('{BOOT}')\nprint('event state=attract')")
    pico = SimulatedPico(files={"main.py": main})
    pico.run(1200)
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


def test_a_player_at_a_dark_display_who_has_touched_nothing(pico):
    pico.start(3, 4)
    pico.circuit.chip.registers[DMA_ABORT] = 1
    with pytest.raises(Dark, match="in the state player"):
        pico.run(2000)


def test_power_cuts_and_resets_are_no_darkness(pico):
    pico.play("send new 1\nwait 100\ntap row1\npower off\nwait 9000\npower on\nwait 3000")
    for _ in range(3):
        pico.start(3, 4, 5)
        pico.core.reset(3)
        pico.run(3000)
        pico.send("reboot")
        pico.run(3000)
        pico.reset_button()
        pico.run(3000)


def test_a_power_cut_while_the_last_lamp_is_out(pico):
    """Nothing is seen of it: the lamps are dark already."""
    pico.send("new 2")
    pico.run(100)
    pico.send("take 1 1")
    pico.run_until(lambda: pico.state == "machine")
    assert pico.rows == (0, 0, 0, 0)
    pico.play("wait 50\npower off\nwait 9000\npower on\nwait 3000")
    assert pico.state == "attract"


@pytest.mark.parametrize("cable", usb.STATES)
def test_unread_events_are_no_darkness(pico, cable):
    pico.cable = cable
    for _ in range(3):
        pico.tap("new")
        pico.tap("row1", 7)
        pico.run(5000)
        for row in range(1, 5):
            pico.tap(f"row{row}", 7)
        pico.tap("go")
        pico.run(9000)


def test_what_a_closed_port_does_not_tell_may_be_a_players_turn(mistaken):
    pico = SimulatedPico(files=mistaken("nimatron/devices/panel.py", "self._lamps.check, ", ""))
    pico.settle()
    pico.cable = usb.CLOSED
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
