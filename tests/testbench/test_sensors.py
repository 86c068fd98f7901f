"""Parts that answer after a delay, and devices on a bus, each with a program for it."""

import pytest
from vcd.reader import ScalarChange, StringChange, VarDecl, tokenize

from pico_testbench.parts import LED, I2CDevice, Part, SPIDevice, UARTLine
from pico_testbench.sensors import DHT22, DS18B20, Ultrasonic

SONAR = (
    "t = Pin(2, Pin.OUT, value=0)\ne = Pin(3, Pin.IN)\nwhile True:\n"
    " t.on(); time.sleep_us(10); t.off()\n us = time_pulse_us(e, 1, 30000)\n"
    " print('cm', us // 58 if us > 0 else us); time.sleep_ms(60)"
)


def test_ultrasonic_measures_a_distance(board):
    pico = board(SONAR, {"sonar": Ultrasonic(2, 3, cm=50)})
    assert pico.expect(r"cm (-?\d+)")[1] == "50"
    pico.sonar.cm = 3
    pico.expect("cm 3$", within_ms=200)
    pico.sonar.cm = None
    pico.expect("cm -", within_ms=200)
    assert pico.records("sonar")[0][1] == "50 cm"
    (_, start), (rose, high), (fell, low) = pico.records("GP3")[:3]
    assert (start, high, low) == (0, 1, 0)
    assert fell - rose == pytest.approx(50 * 0.058, abs=0.002)


def test_ultrasonic_needs_a_pulse_of_ten_microseconds(board):
    pulse = (
        "import micropython\n@micropython.viper\ndef pulse():\n"
        " sio = ptr32(0xD0000014)\n sio[0] = 1 << 2\n sio[1] = 1 << 2\n"
    )
    short = SONAR.replace("t.on(); time.sleep_us(10); t.off()", "pulse()")
    pico = board(pulse + short, {"sonar": Ultrasonic(2, 3, cm=50)})
    assert pico.expect(r"cm (-?\d+)")[1] == "-2"


def test_callback_may_set_an_earlier_alarm(board):
    class Echo(Part):
        def powered(self, chip):
            super().powered(chip)
            chip.watch(2, self.moved)

        def moved(self, level, us):
            self.after(100, self.chip.drive, 3, level)

    pico = board(
        "o, i = Pin(2, Pin.OUT, value=0), Pin(3, Pin.IN)\nt = time.ticks_us()\no.on()\n"
        "while not i(): pass\nprint('us', time.ticks_diff(time.ticks_us(), t))",
        {"echo": Echo(2, 3)},
    )
    assert int(pico.expect(r"us (\d+)")[1]) in range(100, 250)


def test_dht22_is_read_by_micropythons_driver(board):
    pico = board(
        "import dht\nd = dht.DHT22(Pin(4))\nwhile True:\n d.measure()\n"
        " print(d.temperature(), d.humidity()); time.sleep(2)",
        {"air": DHT22(4, degrees=23.4, humidity=56.7)},
    )
    assert pico.expect(r"(.*) (.*)$").groups() == ("23.4", "56.7")
    pico.air.degrees = -5.5
    pico.expect("^-5.5 56.7$", within_ms=3000)


def test_two_ds18b20_on_a_wire_are_found_and_read(board):
    pico = board(
        "import onewire, ds18x20\nd = ds18x20.DS18X20(onewire.OneWire(Pin(4)))\nfound = d.scan()\n"
        "print(len(found))\nprint(d.read_temp(found[0]))\n"
        "d.convert_temp(); time.sleep_ms(700)\nprint(d.read_temp(found[1]))\n"
        "time.sleep_ms(50)\nprint(sorted(d.read_temp(f) for f in found))",
        {"warm": DS18B20(4, degrees=21.5), "cold": DS18B20(4, degrees=-10.125, serial=2)},
    )
    pico.expect("^2$")
    pico.expect("^85.0$")
    pico.expect("^85.0$", within_ms=1000)  # too early
    pico.expect(r"^\[-10.125, 21.5\]$", within_ms=1000)


class Adc(SPIDevice):
    """An MCP3008 with 512 at channel 3."""

    def selected(self):
        self.answers = 0

    def answer(self, byte):
        self.answers += 1
        if self.answers == 2:
            self.value = 512 if byte >> 4 == 8 + 3 else 0
            return self.value >> 8
        return self.value & 0xFF if self.answers == 3 else 0


def test_spi_device_answers_while_it_is_selected(board):
    pico = board(
        "s = SPI(0, sck=Pin(18), mosi=Pin(19), miso=Pin(16))\nc = Pin(17, Pin.OUT, value=1)\n"
        "b = bytearray(3)\nfor n in range(2):\n if not n: c.off()\n"
        " s.write_readinto(bytes((1, 0xB0, 0)), b); c.on()\n print(b[1] << 8 | b[2])",
        {"adc": Adc(18, 19, 16, 17)},
    )
    pico.expect("^512$")
    pico.expect("^65535$")
    said = [value for _, value in pico.records("adc")]
    assert said == ["write 01 b0 00", "read 00 02 00"]


def test_uart_line_talks_both_ways_and_is_garbled_at_another_baud_rate(board):
    program = (
        "from machine import UART\nu = UART(1, {}, tx=Pin(4), rx=Pin(5), timeout=50)\n"
        "u.write('hello\\n')\nwhile True:\n"
        " if u.any(): print('got', u.readline())"
    )
    pico = board(program.format(9600), {"line": UARTLine(4, 5)})
    pico.run_until(lambda: pico.line.received == b"hello\n")
    pico.line.send(b"$GPGGA,1\r\n")
    pico.expect(r"got b'\$GPGGA,1\\r\\n'")
    assert [value for _, value in pico.records("line")] == [
        "write b'hello'",
        r"read b'$GPGGA,1\r\n'",
    ]
    other = board(program.format(115200), {"line": UARTLine(4, 5)})
    other.run(ms=100)
    assert len(other.line.received) == 6 and b"hello" not in other.line.received


@pytest.mark.parametrize("bus", ["I2C(0, ", "SoftI2C("])
def test_i2c_device_can_be_unplugged_and_its_messages_are_in_the_trace(board, bus):
    pico = board(
        f"i = {bus}sda=Pin(4), scl=Pin(5))\nwhile True:\n"
        " try:\n  i.writeto_mem(0x48, 7, b'\\xff'); print(i.readfrom_mem(0x48, 7, 2))\n"
        " except OSError: print('gone')\n time.sleep_ms(50)",
        {"one": I2CDevice(4, 5, 0x48)},
    )
    pico.expect(r"b'\\xff\\x00'")
    pico.one.unplug()
    pico.expect("gone", within_ms=100)
    pico.one.plug_in()
    pico.expect(r"b'\\xff", within_ms=100)
    said = [value for _, value in pico.records("one")]
    assert said[:3] == ["write 07 ff", "write 07", "read ff 00"]
    assert {"unplugged", "plugged in"} < set(said)
    if bus == "I2C(0, ":
        assert {value for _, value in pico.records("I2C0")} == {"no answer from 0x48"}


def test_trace_can_be_saved_for_a_program_for_waveforms(board, tmp_path):
    pico = board(
        "o = Pin(15, Pin.OUT, value=0)\no.on()\ntime.sleep_us(1500)\no.off()\nprint('a b')",
        {"led": LED(15)},
    )
    pico.expect("a b")
    pico.save_vcd(tmp_path / "wave.vcd")
    assert b"$date" not in (tmp_path / "wave.vcd").read_bytes()  # equal runs have equal files
    with (tmp_path / "wave.vcd").open("rb") as file:
        tokens = [token.data for token in tokenize(file)]
    names = {one.id_code: one.reference for one in tokens if isinstance(one, VarDecl)}
    assert set(names.values()) == {"GP15", "console", "led", "power"}
    now, seen = 0, []
    for one in tokens:
        if isinstance(one, int):
            now = one
        elif isinstance(one, ScalarChange) and one.value != "x":
            seen.append((now / 1000, int(one.value)))
        elif isinstance(one, StringChange) and names[one.id_code] == "console" and one.value:
            assert one.value == "a_b"
    assert seen == pico.records("GP15")
