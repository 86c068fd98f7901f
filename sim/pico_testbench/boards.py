"""The boards by name, with their differences."""

PINS = tuple(range(23)) + (26, 27, 28)  # GPIOs at the edge of a board
RADIO = 30  # a pin of the radio chip, as if it were a GPIO
UNIQUE_ID = bytes(range(8))  # the ID of a simulated Pico, by default


class Model:
    """A kind of board. title: the name on the box. machine: sys.implementation._machine, which
    ends with the chip's name. hertz: the frequency of the CPU. led: the GPIO of the LED, or RADIO.
    family: the family ID in UF2 files for the chip. file_system: (first byte in flash, size in
    bytes), as in MicroPython's ports/rp2/boards/."""

    def __init__(self, title, machine, hertz, led, family, file_system):
        self.title = title
        self.machine = machine
        self.chip = machine.split(" ")[-1]
        self.hertz = hertz
        self.led = led
        self.family = family
        self.file_system = file_system


RP2040 = 0xE48BFF56
RP2350 = 0xE48BFF59

PICO = "pico"
BOARDS = {
    "pico": Model(
        "Raspberry Pi Pico",
        "Raspberry Pi Pico with RP2040",
        125_000_000,
        25,
        RP2040,
        (0xA0000, 0x160000),
    ),
    "pico-w": Model(
        "Raspberry Pi Pico W",
        "Raspberry Pi Pico W with RP2040",
        125_000_000,
        RADIO,
        RP2040,
        (0x12C000, 0xD4000),
    ),
    "pico2": Model(
        "Raspberry Pi Pico 2",
        "Raspberry Pi Pico2 with RP2350",
        150_000_000,
        25,
        RP2350,
        (0x100000, 0x300000),
    ),
    "pico2-w": Model(
        "Raspberry Pi Pico 2 W",
        "Raspberry Pi Pico 2 W with RP2350",
        150_000_000,
        RADIO,
        RP2350,
        (0x180000, 0x280000),
    ),
}


def find(machine):
    """Return the board with this sys.implementation._machine, or None if no board has it."""
    for board in BOARDS.values():
        if board.machine == machine:
            return board
    return None
