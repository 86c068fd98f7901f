"""A chain of shift registers for 12 V lamps, one for each row, which need no refresh. Each is a
TPIC6B595, or a 74HC595 with a ULN2803.

A resistor pulls `enable` up, so the lamps are dark until the registers have a picture. Then PWM
holds `enable` low for a share of the time, which sets the brightness.
"""

from machine import PWM, SPI, Pin
from micropython import const

from nimatron import board
from nimatron.devices import pins

_BAUD = const(1_000_000)  # a picture takes 32 us
_HZ = const(1000)  # PWM frequency of the enable pin: low for 50 us per period at 5 %
_ALWAYS = const(65535)  # duty cycle of a pin that is always high


class Lamps:
    """The lamps. Create this driver before any device on GP16. SPI also takes that pin, its
    default input, and a device that is created later takes it back."""

    frames = "none"
    wired = False

    def __init__(self, settings):
        self._settings = settings
        gpio = dict(pins.SHIFT)
        self._spi = SPI(0, baudrate=_BAUD, sck=Pin(gpio["clock"]), mosi=Pin(gpio["data"]))
        self._latch = Pin(gpio["latch"], Pin.OUT, value=0)
        self._send(board.DARK)
        self._enable = PWM(Pin(gpio["enable"]), freq=_HZ, duty_u16=_ALWAYS)

    def check(self):
        """Do nothing, because the lamps hold their picture without a refresh."""

    def show(self, masks):
        self._send(masks)
        self._enable.duty_u16(_ALWAYS * (100 - self._settings.brightness) // 100)

    def _send(self, masks):
        # Bits move from chip to chip, so the bits for the first chip are sent last. The highest
        # bit of a byte is sent first, so bit 0 stays at the first output (DRAIN0 on a TPIC6B595,
        # QA on a 74HC595).
        self._spi.write(bytes(reversed(masks)))
        self._latch.on()
        self._latch.off()
