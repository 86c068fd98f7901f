"""The emulated Pico itself: its contacts, its PIO and its tones. tests/testbench tests its flash,
power and time."""

import pytest

pytest.importorskip("rp2040py")

import probe

from nimatron.devices import pins
from nimatron_sim import firmware

pytestmark = pytest.mark.emulator

BUTTONS = """
import asyncio
from nimatron.devices.buttons import Buttons

class Settings:
    settle_ms = 25
    stuck_ms = 30000
    hold_ms = 600

say = lambda *words: print("seen", *words)
asyncio.run(Buttons(Settings(), say, lambda name: None, lambda name: None, say).run())
"""

TICKER = """
import time
from machine import Pin

edges = []
Pin(%d, Pin.IN, Pin.PULL_UP).irq(lambda pin: edges.append(time.ticks_us()), hard=True)
while len(edges) < 4:
    time.sleep_ms(1)
print([time.ticks_diff(edge, edges[0]) for edge in edges[:4]])
"""

AT_WORK = """
import time
from machine import PWM, Pin
from nimatron.devices import lamps, pins
from nimatron import settings

def work(ms):
    begin = time.ticks_ms()
    while time.ticks_diff(time.ticks_ms(), begin) < ms:
        pass

display = lamps.driver(settings.defaults())
display.show((1, 0, 0, 0))
tone = PWM(Pin(pins.SOUNDER), freq=440, duty_u16=0)
tone.duty_u16(32768)
work(12)
tone.duty_u16(0)
work(60)
"""

WAVE = """
import rp2
import time
from machine import Pin

@rp2.asm_pio(set_init=rp2.PIO.OUT_LOW)
def wave():
    set(pins, 1)[%d]
    set(pins, 0)[%d]

rp2.StateMachine(0, wave, freq=%d, set_base=Pin(%d)).active(1)
while True:
    time.sleep_ms(%d)
    for n in range(100):
        pass
"""


on_both = pytest.mark.parametrize(
    "pico_class", ["first", pytest.param("second", marks=pytest.mark.long("3 s"))], indirect=True
)


@on_both
@pytest.mark.parametrize("pull_up", [True, False])
def test_a_missing_pull_up_shows(boot, tmp_path, pull_up):
    files = {name: file for name, file in firmware.files().items() if name.startswith("nimatron/")}
    if not pull_up:
        source = files["nimatron/devices/buttons.py"].read_text()
        assert source.count("Pin.IN, Pin.PULL_UP") == 1
        files["nimatron/devices/buttons.py"] = tmp_path / "buttons.py"
        (tmp_path / "buttons.py").write_text(source.replace("Pin.IN, Pin.PULL_UP", "Pin.IN"))
    pico = boot(BUTTONS, files=files)
    pico.run(250)
    pico.tap("row1", 2)
    pressed = [line for line in pico.lines() if line.startswith("seen row1")]
    assert (pressed == ["seen row1", "seen row1"]) == pull_up


def test_pio_keeps_its_pace_whether_the_cpu_works_or_sleeps(boot):
    gpio = pins.COLUMNS[0]
    pico = boot(WAVE % (9, 9, 1_000_000, gpio, 2))
    pico.run(90)
    edges = []
    with probe.listening(pico, (gpio,), lambda gpio, high: edges.append(probe.now_ms(pico))):
        assert 5 < probe.busy(pico, 40) < 95
    assert len(edges) == 4000
    off = [ms - edges[0] - 0.01 * number for number, ms in enumerate(edges)]
    assert max(off) - min(off) < 0.0005  # the time for one instruction of the CPU


def test_pio_at_full_speed_keeps_its_pace_while_the_cpu_works(boot):
    gpio = pins.COLUMNS[0]
    pico = boot(WAVE % (0, 0, 125_000_000, gpio, 0))
    pico.run(20)
    edges = []
    with probe.listening(pico, (gpio,), lambda gpio, high: edges.append(probe.now_ms(pico))):
        pico.run(0.2)
    assert len(edges) == pytest.approx(125_000 * 0.2, abs=10)


@on_both
def test_a_contact_bounces_to_the_microsecond(boot):
    pico = boot(TICKER % dict(pins.BUTTONS)["row1"])
    pico.run(100)
    pico.lines()
    moments = []
    pico.circuit.bounce.moments = lambda: moments
    moments += [400, 512, 1300]
    pico.press("row1")
    pico.run(100)
    (line,) = [line for line in pico.lines() if line.startswith("[")]
    seen = [int(number) for number in line.strip("[]").split(",")]
    assert seen == pytest.approx([0, *moments], abs=40)


def test_a_short_tone_is_recorded_while_the_cpu_is_at_work(boot):
    pico = boot(AT_WORK, files=firmware.files())
    pico.run(1000)
    assert [record["sound"] for record in pico.trace if "sound" in record] == [440, 0]
