"""A Board on the simulated Pico: like the emulated one within its limits."""

import signal

import pytest

from pico_testbench import image
from pico_testbench.board import Board, FirmwareCrashed
from pico_testbench.boards import BOARDS
from pico_testbench.parts import (
    LED,
    Button,
    Buzzer,
    I2CDevice,
    Matrix,
    Potentiometer,
    Server,
    Servo,
    ShiftRegister,
    Wire,
)
from pico_testbench.simulated import terminals
from pico_testbench.simulated.unreal import NotModelled

HEAD = "import time\nfrom machine import PWM, SPI, Pin, Timer\n"
REST = "\nwhile True:\n time.sleep(3600)\n"


@pytest.fixture
def board():
    """board(program, parts, **how): a simulated Pico that runs this program."""
    boards = []

    def board(program, parts=None, **how):
        files = {"main.py": HEAD + program + REST}
        boards.append(Board(files, parts, on="simulated", **how))
        boards[-1].run(ms=100)
        return boards[-1]

    yield board
    for made in boards:
        made.power_off()


BLINK = (
    "print('up')\nled, button = Pin(17, Pin.OUT), Pin(14, Pin.IN, Pin.PULL_UP)\n"
    "fade = PWM(Pin(16), freq=1000, duty_u16=0)\n"
    "for n in range(3):\n led.on(); time.sleep_ms(20); led.off(); fade.duty_u16(20000 * n)\n"
    " time.sleep_ms(20)\nwhile button.value():\n time.sleep_ms(1)\nprint('pressed')\n1 / 0\n"
)


def test_both_kinds_tell_the_same(image_of_the_pico):
    parts = {"led": LED(17), "fade": LED(16), "button": Button(14)}
    told = []
    for kind in ("simulated", "emulated"):
        pico = Board({"main.py": HEAD + BLINK}, parts, on=kind, may_crash=True)
        pico.run(ms=300)
        pico.button.tap()
        pico.power_off()
        told.append(
            {
                what: [value for _, value in pico.records(what)]
                for what in ("power", "GP17", "led", "fade", "button")
            }
            | {"console": pico.console[:4], "begins": pico.traceback.split(":")[0]}
        )
        rose = [ms for ms, level in pico.records("GP17") if level]
        assert rose[1] - rose[0] == pytest.approx(40, abs=0.1)
        (dim, _), (bright, _), _ = pico.records("fade")
        assert (dim - rose[0], bright - rose[0]) == pytest.approx((60, 100), abs=0.2)
    assert told[0] == told[1]
    assert told[0]["led"] == [100, 0] * 3 and told[0]["fade"] == [31, 61, 0]


def test_parts_show_what_the_program_does(board):
    pico = board(
        "PWM(Pin(20), freq=440, duty_u16=32768)\nPWM(Pin(18), freq=50, duty_u16=4915)\n"
        "for n in (0, 1, 3, 4):\n Pin(n, Pin.OUT, value=n in (0, 3))\n"
        "s = SPI(0, sck=Pin(6), mosi=Pin(7))\ns.write(b'\\xa5')\n"
        "latch = Pin(5, Pin.OUT, value=0)\nlatch.on()\n",
        {
            "buzzer": Buzzer(20),
            "servo": Servo(18),
            "matrix": Matrix((0, 1), (3, 4)),
            "shift": ShiftRegister(clock=6, data=7, latch=5),
        },
    )
    assert pico.buzzer.hertz == 440
    assert pico.servo.angle == pytest.approx(90, abs=0.1)
    assert pico.matrix.lit == {(0, 0)}
    assert pico.shift.outputs == (1, 0, 1, 0, 0, 1, 0, 1)
    pico.power_off()
    assert (pico.buzzer.hertz, pico.matrix.lit, sum(pico.shift.outputs)) == (0, set(), 0)


def test_a_program_sees_its_pins_and_their_edges(board):
    pico = board(
        "b = Pin(14, Pin.IN, Pin.PULL_DOWN)\n"
        "b.irq(lambda pin: print('rose', pin.value()), Pin.IRQ_RISING)\n"
        "w = Pin(2, Pin.IN, Pin.PULL_UP)\nt = Timer(period=50, callback=lambda t: print(w()))",
        {"button": Button(14, to_3v3=True, bounce_ms=0), "wire": Wire(2)},
    )
    pico.button.tap()
    assert pico.console.count("rose 1") == 1
    pico.wire.drive(0)
    pico.run(ms=50)
    pico.wire.drive(1)
    pico.run(ms=50)
    assert pico.console[-2:] == ["0", "1"] and pico.wire.level == 1


def test_a_crash_says_where_in_the_users_own_file(board, tmp_path):
    with pytest.raises(FirmwareCrashed, match='File "main.py", line 4, in f\nZeroDivisionError'):
        board("def f():\n 1 / 0\nf()")
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib/part.py").write_text("def f():\n    return [][0]\n")
    (tmp_path / "main.py").write_text("import part\npart.f()\n")
    pico = Board(tmp_path, on="simulated", may_crash=True)
    pico.run(ms=100)
    assert '  File "lib/part.py", line 2, in f\nIndexError' in pico.traceback
    pico.power_off()


def test_files_outlive_a_power_cut_and_a_reset():
    pico = Board(
        {
            "main.py": "import machine, time\nwith open('n') as f:\n n = int(f.read())\nprint(n)\n"
            "with open('n', 'w') as f:\n f.write(str(n + 1))\n"
            "time.sleep(1)\nif n == 1:\n machine.reset()\ntime.sleep(3600)",
            "n": "1",
        },
        on="simulated",
    )
    pico.run(ms=2500)
    assert (pico.resets, pico.files["n"], pico.console) == (1, b"3", ["1", "2"])
    pico.power_off()
    pico.power_on()
    pico.run(ms=500)
    assert (pico.console[-1], pico.files["n"]) == ("3", b"4")
    pico.power_off()


def test_a_reset_lets_go_of_the_pins(board):
    program = (
        "import machine\nif machine.reset_cause() == machine.PWRON_RESET:\n"
        " for n in (0, 3):\n  Pin(n, Pin.OUT, value=1)\n time.sleep_ms(200)\n machine.reset()"
    )
    pico = board(program, {"matrix": Matrix((0, 1), (3, 4))})
    assert (pico.matrix.lit, pico.level(0)) == ({(0, 0)}, 1)
    pico.run(ms=200)
    assert (pico.resets, pico.matrix.lit, pico.level(0)) == (1, set(), 0)


def test_the_watchdog_bites(board):
    pico = board("import machine\nmachine.WDT(timeout=500)\nprint('up')")
    pico.run(ms=700)
    assert pico.resets == 1 and pico.console == ["up", "up"]


def test_the_same_program_makes_the_same_trace(board):
    program = "import os\nPin(15, Pin.OUT).on()\nprint(time.ticks_us(), os.urandom(4))"
    one, other = board(program, {"led": LED(15)}), board(program, {"led": LED(15)})
    assert one.trace == other.trace and len(one.trace) >= 3


@pytest.mark.parametrize("name", BOARDS)
def test_each_board_is_there(board, name):
    pico = board("import sys\nprint(sys.implementation._machine)", board=name)
    assert pico.console == [BOARDS[name].machine]


@pytest.mark.parametrize(
    ("program", "named"),
    [
        ("from machine import I2C", "machine.I2C"),
        ("Pin(2).high()", "machine.Pin.high"),
        ("import network", "module network"),
        ("import utime", "module utime"),
        ("import os\nos.listdir()", "os.listdir"),
        ("import os\nhasattr(os, 'sync')", "os.sync"),
        ("from . import part", "relative imports"),
        ("input()", "input"),
        ("open('log', 'a')", r"open\('log', 'a'\)"),
        ("try:\n from machine import UART\nexcept Exception:\n pass", "machine.UART"),
    ],
)
def test_what_is_not_modelled_is_refused_by_name(board, program, named):
    with pytest.raises(NotModelled, match=f"the simulated Pico has no {named}"):
        board(program)


@pytest.mark.parametrize(
    ("part", "named"),
    [
        (Potentiometer(26), "as a Potentiometer needs"),
        (I2CDevice(4, 5, 0x48), "as an I2CDevice needs"),
        (Server("a.example", b""), "as a Server needs"),
    ],
)
def test_a_part_that_cannot_work_is_refused_by_name(board, part, named):
    with pytest.raises(
        NotModelled, match=f"the simulated Pico has no .*{named}: the emulated one does"
    ):
        board("", {"part": part})


def test_a_display_of_pio_is_refused(board):
    program = (
        "import rp2\n@rp2.asm_pio(out_init=(rp2.PIO.OUT_LOW,), out_shiftdir=rp2.PIO.SHIFT_RIGHT)\n"
        "def p():\n pull(block)\n out(pins, 1)\n"
        "rp2.StateMachine(0, p, freq=10000, out_base=Pin(2)).active(1)"
    )
    with pytest.raises(NotModelled, match="the simulated Pico has no PIO"):
        board(program)


def test_a_line_that_nothing_reads_is_refused():
    pico = Board({"main.py": "print('over')"}, on="simulated")
    pico.run_until_printed("over")
    pico.send("1 + 1")
    with pytest.raises(NotModelled, match="no prompt for a line"):
        pico.run(ms=10)
    pico.power_off()


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="nothing measures CPU time here")
def test_a_program_that_never_sleeps_is_told_why(board, monkeypatch):
    monkeypatch.setattr(terminals, "_PATIENCE_S", 0.1)
    with pytest.raises(NotModelled, match=r"forever in main.py, line \d: .* while the firmware"):
        board("end = time.ticks_ms() + 100\nwhile time.ticks_ms() < end:\n pass")


def test_an_unknown_kind_is_refused():
    with pytest.raises(ValueError, match="no Pico is real: it is emulated or simulated"):
        Board({"main.py": ""}, on="real")


def test_it_needs_no_image(monkeypatch, tmp_path, board):
    monkeypatch.setattr(image, "CACHE", tmp_path)
    assert board("print('up')").console == ["up"]
