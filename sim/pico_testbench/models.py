"""The boards by name, with their differences."""

PINS = tuple(range(23)) + (26, 27, 28)  # GPIOs at the edge of a board
RADIO = 30  # a pin of the radio chip, as if it were a GPIO
CAUSE_POWER_ON = 1  # of a start, as in machine.reset_cause()
CAUSE_RESET = 3  # machine.reset() and the watchdog alike
UNIQUE_ID = bytes(range(8))  # the ID of a simulated Pico, by default


class Model:
    """A kind of board.

    machine: sys.implementation._machine, which ends with the chip's name.
    title: the name on the box.
    hertz: the clock frequency of the CPU.
    led: the GPIO of the LED, or RADIO.
    family: the family ID in UF2 files for the chip.
    file_system: (first byte in flash, size in bytes), as in MicroPython's ports/rp2/boards/."""

    def __init__(self, machine, hertz, led, family, file_system):
        self.machine = machine
        self.title, self.chip = machine.replace("Pico2", "Pico 2").split(" with ")
        self.hertz = hertz
        self.led = led
        self.family = family
        self.file_system = file_system


RP2040 = 0xE48BFF56
RP2350 = 0xE48BFF59

PICO = "pico"
_MODELS = (
    ("pico", "Raspberry Pi Pico with RP2040", 125, 25, RP2040, (0xA0000, 0x160000)),
    ("pico-w", "Raspberry Pi Pico W with RP2040", 125, RADIO, RP2040, (0x12C000, 0xD4000)),
    ("pico2", "Raspberry Pi Pico2 with RP2350", 150, 25, RP2350, (0x100000, 0x300000)),
    ("pico2-w", "Raspberry Pi Pico 2 W with RP2350", 150, RADIO, RP2350, (0x180000, 0x280000)),
)
BOARDS = {}
for _name, _machine, _mhz, *_rest in _MODELS:
    BOARDS[_name] = Model(_machine, 1_000_000 * _mhz, *_rest)
