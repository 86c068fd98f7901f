"""The displays that can be soldered to the pins, each as its data sheet has it.

A display sees the edges at the pins it is `watching`: edge(gpio, level, ns) is True if what it
shows may have changed. `scanned` are pins whose lamps follow from their levels over a frame.
`state(chip)` is all that its 28 lamps depend on, `brightness(chip)` how bright each of them is,
row by row: 0 for dark, 1 for as bright as it gets.
"""

from nimatron import board

_LAMPS = board.ROWS * board.LAMPS


class Matrix:
    """A lamp is lit while its row's transistor and its column's resistor are both high."""

    watching = ()

    def __init__(self, wiring):
        self._rows = wiring.ROWS
        self._columns = wiring.COLUMNS
        self.scanned = wiring.ROWS + wiring.COLUMNS

    def edge(self, gpio, level, ns):
        return False

    def state(self, chip):
        return chip.steady, chip.frame_bytes()

    def brightness(self, chip):
        frame = chip.driven()
        share = sum([ns for _, ns in frame]) / len(self._rows)  # a row's turn in each frame
        seen = []
        for row in self._rows:
            for column in self._columns:
                both = 1 << row | 1 << column
                on = sum([ns for levels, ns in frame if levels & both == both])
                seen.append(on / share)
        return tuple(seen)


class Shift:
    """Four shift registers of eight bits in a chain, the first for the first row, their outputs 0
    to 6 from left to right. A rising clock moves a bit in, a rising latch shows what is in; lamps
    are lit while enable is low (TPIC6B595: SLIS032, 74HC595: SCLS041)."""

    scanned = ()

    def __init__(self, wiring):
        gpio = {name: number for name, number in wiring.SHIFT}
        self._clock, self._data = gpio["clock"], gpio["data"]
        self._latch, self._enable = gpio["latch"], gpio["enable"]
        self.watching = (self._clock, self._data, self._latch)
        self._bit = 0  # at the data pin
        self.inside = 0  # the first chip's output 0 is bit 0, the last one's output 7 bit 31
        self.shown = 0  # likewise

    def edge(self, gpio, level, ns):
        if gpio == self._data:
            self._bit = level
        elif level and gpio == self._clock:
            self.inside = (self.inside << 1 | self._bit) & 0xFFFFFFFF
        elif level and gpio == self._latch:
            self.shown = self.inside
            return True
        return False

    def state(self, chip):
        return self.shown, chip.driven_low(self._enable)

    def brightness(self, chip):
        shown, share = self.state(chip)
        outputs = [8 * row + n for row in range(board.ROWS) for n in range(board.LAMPS)]
        return tuple([share * (shown >> output & 1) for output in outputs])


# WS2812B data sheet, in ns: a 0 is high for 400 and a 1 for 800, each within 150, and a low of
# 50 us makes the first pixel listen again. What pixels make of anything else it does not say.
_ONE = 600
_LONGEST = 950
_REST = 50_000
_BITS = 24  # green, red, blue


class Pixels:
    """A chain of pixels: each keeps the first 24 bits that reach it and passes on the others."""

    scanned = ()

    def __init__(self, wiring):
        self.watching = (wiring.PIXELS,)
        self.colours = [0] * _LAMPS
        self._rose = self._fell = 0
        self._bits = []
        self._next = 0  # pixel that listens

    def edge(self, gpio, level, ns):
        if level:
            if ns - self._fell > _REST:
                self._bits = []
                self._next = 0
            self._rose = ns
            return False
        self._fell = ns
        if ns - self._rose > _LONGEST:
            return False
        self._bits.append(int(ns - self._rose > _ONE))
        if len(self._bits) < _BITS or self._next == _LAMPS:
            return False
        self.colours[self._next] = int("".join([str(bit) for bit in self._bits]), 2)
        self._bits = []
        self._next += 1
        return True

    def state(self, chip):
        return tuple(self.colours)

    def brightness(self, chip):
        return tuple([max(c >> 16, c >> 8 & 0xFF, c & 0xFF) / 255 for c in self.colours])


DISPLAYS = {"matrix": Matrix, "shift": Shift, "pixels": Pixels}


def spi_edges(clock, data, byte):
    """(gpio, level) of each edge of a byte on SPI in mode 0, its highest bit first."""
    for bit in range(7, -1, -1):
        yield data, byte >> bit & 1
        yield clock, 1
        yield clock, 0
