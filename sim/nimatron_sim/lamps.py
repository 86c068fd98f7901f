"""The displays that can be soldered to the pins, each modelled on its data sheet.

A display sees the edges at the pins it is `watching`: edge(gpio, level, ns) is True if the picture
has changed. A peripheral may send a whole piece, a Spi or a Pulses: see(piece, ns) has the same
effect as all the edges of the piece. `scanned` are the pins whose levels over a frame decide which
lamps are lit, `dimmed_by` those whose PWM decides how bright they are. `state(chip)` is everything
that the lamps depend on; `brightness(chip)` says how bright each of them is, row by row: 0 for
dark, 1 for full brightness.
"""

from nimatron import board
from pico_testbench.simulated.signals import Pulses, Spi

_LAMPS = board.ROWS * board.LAMPS
_OUTPUTS = (1 << 8 * board.ROWS) - 1  # one bit per output of all registers


def _see_edges(display, piece, ns):
    """Show the display a piece edge by edge, as `see` must behave."""
    changed = False
    for gpio, level, at in piece.edges(ns):
        if gpio in display.watching and display.edge(gpio, level, at):
            changed = True
    return changed


class Matrix:
    """A lamp is lit while its row's transistor and its column's resistor are both high."""

    watching = dimmed_by = ()

    def __init__(self, wiring):
        self._rows = wiring.ROWS
        self._columns = wiring.COLUMNS
        self._dark = (0,) * len(wiring.COLUMNS)
        self._row_pins = sum([1 << gpio for gpio in wiring.ROWS])
        self._column_pins = sum([1 << gpio for gpio in wiring.COLUMNS])
        self.scanned = wiring.ROWS + wiring.COLUMNS
        self._pins = sum([1 << gpio for gpio in self.scanned])

    def edge(self, gpio, level, ns):
        return False

    def see(self, piece, ns):
        return False

    def state(self, chip):
        return chip.steady & self._pins, bytes(chip.frame), chip.speed

    def brightness(self, chip):
        frame = chip.driven()
        share = sum([ns for _, ns in frame]) / len(self._rows)  # one row's share of a frame
        rows, columns = self._row_pins, self._column_pins
        lit = [each for each in frame if each[0] & rows and each[0] & columns]
        seen = []
        for row in self._rows:
            of_row = [each for each in lit if each[0] >> row & 1]
            if not of_row:
                seen.extend(self._dark)
                continue
            for column in self._columns:
                seen.append(sum([ns for levels, ns in of_row if levels >> column & 1]) / share)
        return tuple(seen)


class Shift:
    """A chain of 8-bit shift registers, the first for the first row, with outputs 0 to 6 from left
    to right. A rising clock shifts a bit in, a rising latch shows the contents; lamps are lit
    while enable is low (TPIC6B595: SLIS032, 74HC595: SCLS041)."""

    scanned = ()

    def __init__(self, wiring):
        gpio = {name: number for name, number in wiring.SHIFT}
        self._clock, self._data = gpio["clock"], gpio["data"]
        self._latch, self._enable = gpio["latch"], gpio["enable"]
        self.watching = (self._clock, self._data, self._latch)
        self.dimmed_by = (self._enable,)
        self._bit = 0  # at the data pin
        self.inside = 0  # bit 0 is output 0 of the first chip; the highest is output 7 of the last
        self.shown = 0  # in the same order

    def edge(self, gpio, level, ns):
        if gpio == self._data:
            self._bit = level
        elif level and gpio == self._clock:
            self._take(self._bit, 1)
        elif level and gpio == self._latch:
            before, self.shown = self.shown, self.inside
            return self.shown != before
        return False

    def see(self, piece, ns):
        if not isinstance(piece, Spi) or piece.pins != (self._clock, self._data):
            return _see_edges(self, piece, ns)
        self._take(int.from_bytes(piece.sent, "big"), 8 * len(piece.sent))
        self._bit = piece.sent[-1] & 1
        return False

    def _take(self, bits, count):
        self.inside = (self.inside << count | bits) & _OUTPUTS

    def state(self, chip):
        return self.shown, chip.driven_low(self._enable)

    def brightness(self, chip):
        shown, share = self.state(chip)
        outputs = [8 * row + n for row in range(board.ROWS) for n in range(board.LAMPS)]
        return tuple([share * (shown >> output & 1) for output in outputs])


# WS2812B data sheet, in ns: a 0 is high for 400 and a 1 for 800, each within 150, and a low of
# 50 us makes the first pixel listen again. It does not say how pixels take anything else.
_ONE = 600
_LONGEST = 950
_REST = 50_000
_BITS = 24  # green, red, blue


class Pixels:
    """A chain of pixels: each keeps the first 24 bits that reach it and passes on the others."""

    scanned = dimmed_by = ()

    def __init__(self, wiring):
        self.watching = (wiring.PIXELS,)
        self.colours = [0] * _LAMPS
        self._rose = self._fell = 0
        self._bits = self._count = 0  # received by the pixel that listens
        self._next = 0  # the pixel that listens

    def edge(self, gpio, level, ns):
        if level:
            self._rises(ns)
            return False
        self._fell = ns
        high = ns - self._rose
        return high <= _LONGEST and self._take(int(high > _ONE), 1)

    def see(self, piece, ns):
        if not isinstance(piece, Pulses) or piece.gpio not in self.watching:
            return _see_edges(self, piece, ns)
        self._rises(ns)
        self._fell = piece.last_edge(ns)
        return self._take(int.from_bytes(piece.sent, "big"), 8 * len(piece.sent))

    def _rises(self, ns):
        if ns - self._fell > _REST:
            self._bits = self._count = self._next = 0
        self._rose = ns

    def _take(self, bits, count):
        changed = False
        self._bits = self._bits << count | bits
        self._count += count
        while self._count >= _BITS and self._next < _LAMPS:
            self._count -= _BITS
            colour = self._bits >> self._count
            self._bits ^= colour << self._count
            changed = changed or colour != self.colours[self._next]
            self.colours[self._next] = colour
            self._next += 1
        return changed

    def state(self, chip):
        return tuple(self.colours)

    def brightness(self, chip):
        return tuple([max(c >> 16, c >> 8 & 0xFF, c & 0xFF) / 255 for c in self.colours])


DISPLAYS = {"matrix": Matrix, "shift": Shift, "pixels": Pixels}
