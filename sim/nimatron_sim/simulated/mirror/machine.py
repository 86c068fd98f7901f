"""The part of MicroPython's `machine` that the firmware uses, for the simulated chip."""

import chip

from nimatron_sim.simulated import chip_registers as _registers
from nimatron_sim.simulated.chip import IN as _IN
from nimatron_sim.simulated.chip import OUT as _OUT
from nimatron_sim.simulated.chip import PWM as _PWM
from nimatron_sim.simulated.chip import SPI as _SPI
from nimatron_sim.simulated.chip import NotModelled
from pico_testbench.displays import Pulses as _Pulses
from pico_testbench.displays import Spi as _Spi

PWRON_RESET = 1
WDT_RESET = 3

_NO = -1


class Pin:
    IN = 0
    OUT = 1
    PULL_UP = 1
    PULL_DOWN = 2
    IRQ_FALLING = 4
    IRQ_RISING = 8

    def __init__(self, id, mode=_NO, pull=_NO, *, value=None):
        if id == "LED":
            id = chip.board.led
        self._gpio = id._gpio if isinstance(id, Pin) else id
        self._pad = chip.pads[self._gpio]
        self._user = None
        if mode != _NO:
            self.init(mode, pull, value=value)

    def init(self, mode=_NO, pull=_NO, *, value=None):
        pad = self._pad
        if mode not in (_NO, Pin.IN, Pin.OUT):
            raise NotModelled("the simulated Pin has the modes IN and OUT, not %r" % mode)
        pad.pull = {_NO: 0, None: 0, Pin.PULL_UP: 1, Pin.PULL_DOWN: -1}[pull]
        if mode == _NO:
            if value is not None:
                raise NotModelled("the simulated Pin takes a value only with a mode")
            chip.moved(self._gpio)
            return
        if value is not None:
            pad.out = int(bool(value))
        self._user = chip.claim(self._gpio, _OUT if mode == Pin.OUT else _IN, self._user)

    def value(self, level=None):
        if level is None:
            return chip.read(self._gpio)
        level = 1 if level else 0
        pad = self._pad
        if pad.out != level or pad.function != _OUT:
            chip.drive(self._gpio, level)

    __call__ = value

    def on(self):
        self.value(1)

    def off(self):
        self.value(0)

    def toggle(self):
        self.value(not self.value())

    def irq(self, handler=None, trigger=IRQ_FALLING | IRQ_RISING):
        pad = self._pad
        pad.pin = self
        pad.falling = handler if trigger & Pin.IRQ_FALLING else None
        pad.rising = handler if trigger & Pin.IRQ_RISING else None


class PWM:
    def __init__(self, pin, *, freq=0, duty_u16=0):
        self._pad = chip.pads[pin._gpio]
        self._user = chip.claim(pin._gpio, _PWM, pin._user)
        for pad in chip.pads:
            if pad is not self._pad and pad.function == _PWM and (pad.gpio ^ pin._gpio) & 14 == 0:
                raise NotModelled("GP%d and GP%d share a PWM slice" % (pad.gpio, pin._gpio))
        self.freq(freq)
        self.duty_u16(duty_u16)

    def freq(self, hertz):
        if not 8 <= hertz <= 62_500_000:
            raise ValueError("freq out of range")
        if self._pad.hertz != hertz:
            self._pad.hertz = hertz
            chip.tones += 1

    def duty_u16(self, duty):
        pad, duty = self._pad, min(duty, 65535)
        if pad.duty != duty:
            pad.duty = duty
            chip.tones += 1
            if pad.dims:
                chip.changes += 1


class ADC:
    """The temperature sensor. The simulated chip is always at 27 °C."""

    CORE_TEMP = 4

    def __init__(self, id):
        if id != ADC.CORE_TEMP:
            raise NotModelled("the simulated ADC measures the chip's temperature only")

    def read_u16(self):
        return 14020  # 0.706 V of 3.3 (RP2040 datasheet, 4.9.5)


class SPI:
    """SPI as in MicroPython, on the pins that the chip allows (RP2040 datasheet, 1.4.3)."""

    def __init__(self, id, baudrate=1_000_000, *, sck, mosi, miso=None):
        if id not in (0, 1):
            raise ValueError("SPI(%d) doesn't exist" % id)
        miso = Pin((16, 8)[id]) if miso is None else miso
        for pin, role, name in ((miso, 0, "MISO"), (sck, 2, "SCK"), (mosi, 3, "MOSI")):
            if pin._gpio & 3 != role or pin._gpio >> 3 & 1 != id:
                raise ValueError("bad %s pin" % name)
            pin._user = chip.claim(pin._gpio, _SPI, pin._user)
        chip.pads[miso._gpio].user = None  # nothing needs this pin, so a later user may take it
        self._clock = sck._gpio
        self._data = mosi._gpio

    def write(self, data):
        chip.send(_Spi(self._clock, self._data, bytes(data)), chip.clock.now * 1000)


# Bit timing on the wire, in ns: WS2812B data sheet. This CPU takes no time between two streams. A
# real Pico takes longer than the pixels need to notice the end of one.
_ZERO_ONE = (400, 850, 800, 450)
_TOLERANCE = 150
_PAUSE = 100_000

_wire_free = 0


def bitstream(pin, encoding, timing, data):
    global _wire_free
    if encoding != 0:
        raise ValueError("encoding")
    if any([abs(ns - meant) > _TOLERANCE for ns, meant in zip(timing, _ZERO_ONE)]):
        raise NotModelled("no WS2812B pixel understands the timing %r" % (timing,))
    chip.drive(pin._gpio, 0)
    ns = max(_wire_free, chip.clock.now * 1000)
    pulses = _Pulses(pin._gpio, timing, bytes(data))
    chip.send(pulses, ns)
    _wire_free = pulses.end(ns) + _PAUSE


class Timer:
    """A handle to a timer. If the handle is garbage-collected, the timer is cancelled
    (ports/rp2/machine_timer.c, `__del__`). The MicroPython VM calls no `__del__` and has no weak
    references, so the timer continues there."""

    ONE_SHOT = 0
    PERIODIC = 1

    _alarm = None

    def __init__(self, id=-1, **how):
        if id != -1:
            raise ValueError("Timer doesn't exist")  # as in the rp2 port
        if how:
            self.init(**how)

    def init(self, *, mode=PERIODIC, period, callback):
        self.deinit()
        self._mode = mode
        self._us = period * 1000
        self._callback = callback
        self._set()

    def deinit(self):
        if self._alarm in chip.timers:
            chip.timers.remove(self._alarm)
            chip.clock.cancel(self._alarm)

    __del__ = deinit

    def _set(self):
        timer = chip.host.weak(self)
        ring = chip.call_in(self._us, lambda: chip.interrupt(lambda: timer()._ring()))
        self._alarm = ring
        chip.timers.append(ring)

    def _ring(self):
        chip.timers.remove(self._alarm)
        if self._mode == Timer.PERIODIC:
            self._set()
        self._callback(self)


class WDT:
    """The watchdog. Once started, it runs until a reset, or until the firmware writes 0 to its
    CTRL register, even if this object is garbage-collected."""

    def __init__(self, id=0, timeout=5000):
        if not 1 <= timeout <= 8388:
            raise ValueError("timeout must be 1 to 8388 ms")
        self._us = timeout * 1000
        chip.watchdog = self
        self.feed()
        self._look()

    def feed(self):
        self._bites_at = chip.clock.now + self._us

    def _look(self):
        left = self._bites_at - chip.clock.now
        if chip.watchdog is not self:
            return
        if left:
            chip.call_in(left, self._look)
        else:
            chip.registers[chip.registers.reason] = _registers.WATCHDOG_TIMER
            chip.host.reset(WDT_RESET)


mem32 = chip.registers


def reset():
    chip.registers[chip.registers.reason] = _registers.WATCHDOG_FORCE
    chip.host.reset(WDT_RESET)


def reset_cause():
    return chip.cause


def unique_id():
    return chip.host.unique_id


def freq(hertz=None):
    if hertz not in (None, chip.board.hertz):
        raise NotModelled("the simulated chip runs at %d Hz" % chip.board.hertz)
    return chip.board.hertz
