"""The simulated Pico: several in one process, virtual time, power, and its refusals."""

import asyncio
import gc
import json
import sys
import time
from itertools import pairwise

import pytest

from nimatron_sim.simulated import chip_registers
from nimatron_sim.simulated.chip import FIRST_TICK, TICKS, NotModelled
from nimatron_sim.simulated_pico import SimulatedPico
from pico_testbench import usb_cable
from pico_testbench.clock import Clock

WATCHDOG = chip_registers.WATCHDOG["RP2040"]
SCRATCH = WATCHDOG + chip_registers.WATCHDOG_SCRATCH[0]


def test_the_process_is_left_as_it_was():
    modules, ticks = dict(sys.modules), dir(time)
    pico = SimulatedPico()
    pico.settle()
    assert "machine" not in sys.modules and "rp2" not in sys.modules
    assert {name for name in sys.modules if name not in modules} <= {"nimatron_sim.firmware"}
    assert sys.modules["asyncio"] is asyncio and not hasattr(asyncio, "ThreadSafeFlag")
    assert dir(time) == ticks


def test_several_picos_live_side_by_side():
    picos = [SimulatedPico() for _ in range(3)]
    for n, pico in enumerate(picos, 1):
        pico.start(n, n)
    for _ in range(3):
        for pico in picos:
            pico.tap("row1")
    assert [pico.rows for pico in picos] == [(0, 1, 0, 0), (0, 2, 0, 0), (0, 3, 0, 0)]


def test_a_cpu_that_takes_its_time_is_late():
    done = set()

    def takes_us(what):
        done.add(what)
        return 1500 if what == "turn" else 0

    def opens(**how):
        pico = SimulatedPico(**how)
        pico.play("wait 1500\ntap new\nwait 100")
        return next(record["ms"] for record in pico.trace if "legends" in record)

    assert 2 <= opens(takes_us=takes_us) - opens() <= 10
    assert {"turn", "collect", "import nimatron.games.nim"} <= done


def test_ticks_start_half_a_minute_before_they_wrap(program):
    pico = program(
        "import time\n"
        "print(time.ticks_ms())\n"
        "a = time.ticks_ms()\n"
        "time.sleep_ms(40_000)\n"
        "print(time.ticks_ms(), time.ticks_diff(time.ticks_ms(), a))",
        ms=50_200,
    )
    first = FIRST_TICK + 200
    assert pico.lines() == [str(first), f"{first + 40_000 - TICKS} 40000"]


def test_timers_and_the_watchdog(program):
    pico = program(
        "import machine, time\n"
        "print(machine.reset_cause())\n"
        "n = [0]\n"
        "def tick(timer): n[0] += 1\n"
        "kept = machine.Timer(period=100, callback=tick)\n"
        "too = machine.Timer(\n"
        "    mode=machine.Timer.ONE_SHOT, period=50, callback=lambda t: print('once'))\n"
        "time.sleep_ms(1050)\n"
        "print(n[0])\n"
        "dog = machine.WDT(timeout=500)\n"
        "time.sleep_ms(400); dog.feed(); time.sleep_ms(400); print('fed')\n"
        "time.sleep_ms(200); print('never')",
        ms=3400,
    )
    lines = pico.lines()
    assert lines[:5] == ["1", "once", "10", "fed", "3"]
    assert "never" not in lines


@pytest.mark.parametrize(
    "text",
    [
        "import rp2\n@rp2.asm_pio(out_init=(2,), out_shiftdir=1)\ndef p():\n    set(pins, 1)",
        "import machine\nmachine.Pin(3, 7)",
        "from machine import UART",
        "import machine\nmachine.freq(48_000_000)",
        "import rp2\nd = rp2.DMA()\nd.config(read=bytearray(4), write=0x50200010, count=1,"
        " ctrl=d.pack_ctrl(inc_write=False, treq_sel=0), trigger=True)",
    ],
)
def test_unmodelled_feature_is_refused(program, text):
    with pytest.raises(NotModelled):
        program(
            f"try:\n    {text.replace(chr(10), chr(10) + '    ')}\nexcept Exception:\n    pass",
        )


@pytest.mark.parametrize("module", ["threading", "pathlib", "nimatron_host", "pytest"])
def test_the_firmware_imports_nothing_that_a_pico_has_not(program, module):
    assert program(f"import {module}").lines()[-1] == (f"ImportError: no module named '{module}'")


def test_driving_an_input_is_refused(program):
    from nimatron_sim.simulated.chip import PinConflict

    with pytest.raises(PinConflict, match="GP13 is input in main.py:2, it cannot be driven"):
        program("import machine\np = machine.Pin(13, machine.Pin.IN)\np.on()")


def test_alarms_ring_in_order_and_can_be_cancelled():
    clock, rung = Clock(), []
    clock.call_at(20, lambda: rung.append("c"))
    clock.call_at(10, lambda: rung.append("a"))
    clock.call_at(10, lambda: rung.append("b"))
    clock.cancel(clock.call_at(15, lambda: rung.append("never")))
    clock.pass_to(19)
    assert (rung, clock.now) == (["a", "b"], 19)
    clock.wait(25)
    assert (rung, clock.now) == (["a", "b", "c"], 25)
    with pytest.raises(RuntimeError, match="nothing will ever happen"):
        clock.wait(None)


def test_what_stirs_the_cpu_ends_its_wait_once_all_of_that_moment_has_rung():
    clock, rung = Clock(), []

    def stir():
        rung.append("stir")
        clock.stirs += 1

    clock.call_at(10, stir)
    clock.call_at(10, rung.append, "same moment")
    clock.call_at(11, rung.append, "later")
    clock.wait(None)
    assert (rung, clock.now) == (["stir", "same moment"], 10)
    clock.wait(30)
    assert (rung[2:], clock.now) == (["later"], 30)


def test_recorder_error_reaches_the_host_only():
    def record(change):
        if "legends" in change:
            raise OSError("disk full")

    pico = SimulatedPico(record=record)
    pico.settle()
    with pytest.raises(OSError, match="disk full"):
        pico.tap("new")
    pico.run(5000)
    assert pico.state == "opening" and pico.resets == []


# ---------------------------------------------------------------------- finalisers


DISPLAY = """
import array, machine, rp2, uctypes

@rp2.asm_pio(out_init=(rp2.PIO.OUT_LOW,) * 11, out_shiftdir=rp2.PIO.SHIFT_RIGHT)
def matrix():
    mov(pins, null)
    pull(block)
    out(pins, 11)
    out(pins, 11)[31]
    nop()[27]

frame = array.array("I", [1 << 11 | 1 << 15] * 4)
again = array.array("I", [uctypes.addressof(frame)])

def begin():
    rp2.StateMachine(0, matrix, freq=320_000, out_base=machine.Pin(2)).active(1)
    send, rewind = rp2.DMA(), rp2.DMA()
    send.config(read=frame, write=0x50200010, count=4, ctrl=send.pack_ctrl(
        inc_write=False, treq_sel=0, chain_to=rewind.channel))
    rewind.config(read=again, write=0x5000003C + 0x40 * send.channel, count=1, trigger=True,
        ctrl=rewind.pack_ctrl(inc_read=False, inc_write=False))
    return send, rewind
"""


@pytest.mark.parametrize(
    ("main", "lit"),
    [
        ("kept = begin()", True),
        ("begin()", False),
        ("kept = begin()[0]", False),
        ("kept = begin()[1]", False),
        ("kept = begin()\nkept[0].close()", False),
    ],
)
def test_a_dma_channel_stops_with_its_object(program, main, lit):
    """A state machine continues without an object."""
    pico = program(DISPLAY + main)
    assert any(pico.lamps) == lit
    assert pico.lines() == []


def test_a_channel_that_was_closed_is_free_again(program):
    pico = program(
        "import rp2\nkept = [rp2.DMA() for _ in range(12)]\nkept[3].close()\nkept[3].close()\n"
        "print(rp2.DMA().channel, rp2.DMA().channel)\nlast = rp2.DMA()\nrp2.DMA()",
    )
    lines = pico.lines()
    assert lines[0] == "3 3" and "OSError: 16" in lines[-1]


def test_collected_timer_stops(program):
    pico = program(
        "import machine\n"
        "how = dict(mode=machine.Timer.ONE_SHOT, period=100)\n"
        "machine.Timer(callback=lambda timer: print('never'), **how)\n"
        "kept = machine.Timer(callback=lambda timer: print(timer is kept), **how)",
    )
    assert pico.lines() == ["True"]


def test_unreferenced_interrupt_tone_and_watchdog_continue(program):
    """The objects of interrupts, tones and the watchdog are MicroPython's own."""
    pico = program(
        "import machine\n"
        "machine.Pin(13, machine.Pin.IN, machine.Pin.PULL_UP).irq(lambda pin: print('edge'))\n"
        "machine.PWM(machine.Pin(19), freq=440, duty_u16=32768)\n"
        "machine.WDT(timeout=2000)",
    )
    pico.circuit.chip.pads[13].falling(None)
    assert pico.circuit.chip.tone(19) == 440
    pico.run(1100)
    assert pico.lines() == ["edge"] and pico.resets == [3]


def test_collection_after_a_power_cut_does_nothing(program):
    pico = program(DISPLAY + "kept = [begin()]\nkept.append(kept)")
    channel = pico.circuit.chip.dma.channels[0]
    pico.power_off()
    pico.run(1)
    gc.collect()
    assert channel.frame


def test_what_is_collected_after_a_soft_reset_does_not_touch_the_next_life(program):
    pico = program(DISPLAY + "kept = [begin()]\nkept.append(kept)")
    gc.disable()
    pico.soft_reset()
    pico.run(1000)
    gc.enable()
    gc.collect()
    pico.run(1)
    assert any(pico.lamps) and pico.lines() == ["MPY: soft reboot"]


# ---------------------------------------------------------------------- registers

# Copied again from the RP2040 datasheet, because this test does not trust registers.py.
READ_ADDRESS, ABORT = 0x50000000, 0x50000444
PIO_CTRL = 0x50200000
WORD_NS = 100_000  # one for each of 10,000 rows a second


def sent(pico, looks):
    """Return the words that the display's channel has reached, at intervals of one word."""
    registers, seen = pico.circuit.chip.registers, []
    for _ in range(looks):
        seen.append(registers[READ_ADDRESS])
        pico.run_to(pico.clock.now + WORD_NS // 1000)
    return [(address - min(seen)) // 4 for address in seen]


def test_a_running_display_can_be_watched(pico):
    pico.start(3, 4, 5)
    pico.run(1000)
    moves = sent(pico, 9)
    assert sorted(moves[:4]) == [0, 1, 2, 3] and moves[4:8] == moves[:4]
    assert pico.circuit.chip.registers[PIO_CTRL] == 3  # the display, and the probe


@pytest.mark.parametrize("channels", [1, 3])
def test_a_display_without_data_stands_still_in_the_dark(pico, channels):
    pico.start(3, 4, 5)
    pico.run_to(pico.clock.now + 200)
    at = pico.circuit.chip.registers[READ_ADDRESS]
    pico.circuit.chip.registers[ABORT] = channels
    assert sent(pico, 5) == [0] * 5 and pico.circuit.chip.registers[READ_ADDRESS] == at
    assert pico.rows == (0, 0, 0, 0)


def test_a_state_machine_that_stops_leaves_a_row_lit_and_its_channel_waiting(pico):
    """The channel sends only requested words."""
    pico.start(3, 4, 5, 1)
    pico.run_to(pico.clock.now + 60)
    registers = pico.circuit.chip.registers
    registers[PIO_CTRL] = 0
    assert sum(row > 0 for row in pico.rows) == 1
    assert sent(pico, 4) == [0] * 4
    registers[PIO_CTRL] = 1
    assert pico.rows == (3, 4, 5, 1) and sorted(sent(pico, 4)) == [0, 1, 2, 3]


@pytest.mark.parametrize("address", [0x50110000, 0x50000004, 0x50000300, 0x40058100, 0x502000CC])
def test_any_other_register_is_refused(program, address):
    with pytest.raises(NotModelled, match=f"no register at 0x{address:08x}"):
        program(f"import machine\nmachine.mem32[{address}]")
    with pytest.raises(NotModelled, match=f"no register at 0x{address:08x}"):
        program(f"import machine\nmachine.mem32[{address}] = 1")


# ---------------------------------------------------------------------- the cable

FRAME = 0x50110048
TALKS = """
import json, machine, select, sys, time

out = select.poll()
out.register(sys.stdout, select.POLLOUT)
took = []
rung = []

def timed(do, *args):
    begun = time.ticks_ms()
    do(*args)
    took.append(time.ticks_diff(time.ticks_ms(), begun))

kept = machine.Timer(period=100, callback=lambda timer: rung.append(1))
time.sleep_ms(1000)
timed(sys.stdout.write, "x" * 250)
took.append(bool(out.poll(0)))
timed(sys.stdout.write, "y" * 6)
took.append(bool(out.poll(0)))
rung.clear()
timed(sys.stdout.write, "z")
timed(print, "a", "b")
try:
    1 / 0
except ZeroDivisionError as why:
    timed(sys.print_exception, why)
took.append(len(rung))
with open("took", "w") as file:
    file.write(json.dumps(took))
"""


def talk(program, cable):
    """Return the time of each write with the cable in this state, the values of POLLOUT in
    between, and the bytes that a program read at the end."""
    pico = program(TALKS, 300)
    pico.cable = cable
    pico.run(60_000)
    assert cable == usb_cable.READING or pico.lines() == []
    pico.cable = usb_cable.READING
    pico.run(1)
    return (
        json.loads(pico.files.contents["/took"]),
        pico._recorder._lines.rest.decode(),
        pico.lines(),
    )


def test_a_program_that_reads_holds_nothing_up(program):
    took, _, lines = talk(program, usb_cable.READING)
    assert took == [0, True, 0, True, 0, 0, 0, 0]
    assert lines[0] == "x" * 250 + "yyyyyyza b"


def test_usb_waits_for_a_program_that_does_not_read(program):
    """Each write takes half a second: four for "a b" and its end, and many for a traceback."""
    took, rest, _ = talk(program, usb_cable.NOT_READING)
    assert took[:6] == [0, True, 0, False, 500, 2000]
    *_, traced, rung = took
    assert traced > 5000 and abs(rung * 100 - sum(took[4:-1])) <= 200
    assert rest == "x" * 250 + "y" * 6


def test_usb_waits_for_a_host_asleep_until_it_wakes(program):
    took, _, lines = talk(program, usb_cable.SUSPENDED)
    assert took[:4] == [0, True, 0, True] and took[5] == 0
    assert 59_000 < took[4] < 60_000
    assert lines[0] == "x" * 250 + "yyyyyyza b"


def test_to_a_closed_port_everything_goes_at_once_and_the_latest_is_kept(program):
    took, _, lines = talk(program, usb_cable.CLOSED)
    assert took == [0, True, 0, True, 0, 0, 0, 0]
    assert "ZeroDivisionError" in lines[-1] and sum(map(len, lines)) < 256


def test_a_program_that_reads_again_ends_the_wait(program):
    pico = program(
        "import sys, time\nt = time.ticks_ms()\nsys.stdout.write('x' * 300)\n"
        "print('', time.ticks_diff(time.ticks_ms(), t))",
        0,
    )
    pico.cable = usb_cable.NOT_READING
    pico.run(300)
    pico.cable = usb_cable.READING
    pico.run(100)
    assert pico.lines() == ["x" * 300 + " 100"]


def test_the_watchdog_does_not_wait_for_a_host(program):
    text = "import machine, sys\nmachine.WDT(timeout=2000)\nwhile True: sys.stdout.write('x')"
    pico = program(text, 0)
    pico.cable = usb_cable.SUSPENDED
    pico.run(2300)
    assert pico.resets == [3]
    assert pico.cable == usb_cable.CLOSED, "the port went with the Pico"


@pytest.mark.parametrize("cable", usb_cable.STATES)
def test_usb_frames_come_while_a_host_is_awake(pico, cable):
    pico.cable = cable
    frames = []
    for _ in range(3000):
        frames.append(pico.circuit.chip.registers[FRAME])
        pico.run(1)
    steps = {(after - before) % 2048 for before, after in pairwise(frames)}
    assert steps == ({0} if cable == usb_cable.SUSPENDED else {1})
    assert max(frames) < 2048


@pytest.mark.parametrize("cable", usb_cable.STATES)
def test_only_an_open_port_takes_what_is_typed(pico, cable):
    pico.start(3, 4, 5)
    pico.cable = cable
    pico.send("take 1 1")
    pico.run(5000)
    pico.cable = usb_cable.READING
    moved = "state=player rows=3,4,5,0" not in pico.ask("status")
    assert moved == (cable in (usb_cable.READING, usb_cable.NOT_READING))


# ---------------------------------------------------------------------- soft resets

LIVES = """
import machine, sys, time
lives = machine.mem32[SCRATCH]
machine.mem32[SCRATCH] = lives + 1
if lives == 0:
    DISPLAY
    kept = begin()
    machine.Pin(20, machine.Pin.OUT, value=1)
    machine.PWM(machine.Pin(19), freq=440, duty_u16=32768)
    machine.Pin(13, machine.Pin.IN, machine.Pin.PULL_UP).irq(lambda pin: print('edge'))
    too = machine.Timer(period=100, callback=lambda timer: print('rung'))
print(lives, machine.reset_cause(), 'mark' in vars(sys), time.ticks_ms() > 0)
sys.mark = True
time.sleep_ms(150)
"""
LIVES = LIVES.replace("SCRATCH", "0x4005800C").replace("DISPLAY", DISPLAY.replace("\n", "\n    "))


def test_a_soft_reset_begins_anew_and_leaves_the_chip_as_it_is(program):
    pico = program(LIVES)
    assert any(pico.lamps) and pico.sound == 440
    assert pico.lines()[:2] == ["0 1 False True", "rung"]
    pico.run_to(pico.clock.now + 50)
    pico.soft_reset()
    pico.run(1000)
    assert pico.lines() == ["MPY: soft reboot", "1 1 False True"]
    pico.press("row1")
    pico.run(1000)
    assert pico.lines() == [] and pico.resets == []
    assert pico.sound == 0 and pico.circuit.chip.steady >> 20 & 1
    registers = pico.circuit.chip.registers
    assert (registers[PIO_CTRL], registers[READ_ADDRESS]) == (0, 0)
    assert sum(row > 0 for row in pico.rows) == 1, "the state machine stops where it is"


def test_only_a_prompt_heeds_ctrl_d(pico):
    pico.soft_reset()
    pico.run(1000)
    assert pico.state == "attract" and "MPY: soft reboot" not in pico.lines()


def test_ctrl_c_is_an_ordinary_key_at_the_prompt(program):
    pico = program(
        "import machine, time\n"
        "def ring(timer):\n    time.sleep_ms(100)\n    print('slept')\n"
        "kept = machine.Timer(mode=machine.Timer.ONE_SHOT, period=2000, callback=ring)",
    )
    pico.send_bytes(b"\x03")
    pico.run(2000)
    assert pico.lines() == ["slept"]


def test_the_watchdog_is_stopped_by_its_register_and_started_again(program):
    pico = program(
        "import time\n"
        "from machine import WDT, mem32\n"
        "WDT(timeout=500)\n"
        f"on = mem32[{WATCHDOG}]\n"
        f"mem32[{WATCHDOG}] = 0\n"
        f"print(on, mem32[{WATCHDOG}])\n"
        "time.sleep_ms(2000)\n"
        "WDT(timeout=500)\n",
    )
    assert pico.lines() == [f"{1 << 30} 0"]
    pico.run(1000)
    assert pico.resets == []
    pico.run(1000)
    assert pico.resets == [3]


def test_a_main_that_exits_runs_again(program):
    pico = program("import time\ntime.sleep_ms(480)\nprint('life')\nraise SystemExit")
    assert pico.lines() == ["life", "MPY: soft reboot"] * 2


# ---------------------------------------------------------------------- flash

WRITES = """
import machine, os, time
edges, rung = [], []

def now():
    return time.ticks_diff(time.ticks_ms(), begun)

machine.Pin(13, machine.Pin.IN, machine.Pin.PULL_UP).irq(lambda pin: edges.append(now()))
kept = machine.Timer(period=100, callback=lambda timer: rung.append(now()))
time.sleep_ms(50)
begun = time.ticks_ms()
with open('a', 'w') as file:
    file.write('b')
os.rename('a', 'c')
os.remove('c')
print(now(), edges, rung)
"""


@pytest.mark.parametrize(
    ("erase_ms", "said"), [(0, "0 [] []"), (400, "1200 [400] [400, 800, 1200]")]
)
def test_an_erase_of_the_flash_stops_the_cpu(program, erase_ms, said):
    """A contact that closes and chatters is reported once, at the end."""
    pico = program(WRITES, 300, erase_ms=erase_ms)
    pico.press("row1")
    pico.run(2000)
    assert pico.lines() == [said]


def test_a_power_cut_in_an_erase_leaves_the_file_as_it_was(program):
    pico = program("with open('a', 'w') as file:\n    file.write('new')", 0, erase_ms=45)
    pico.files.contents["/a"] = "old"
    pico.run(240)
    pico.power_off()
    assert pico.files.contents["/a"] == "old"
    pico.power_on()
    pico.run(250)
    assert pico.files.contents["/a"] == "new"
