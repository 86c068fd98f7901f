"""Displays, each modelled on its data sheet, and the pieces that a peripheral sends to them.

A display that receives its picture bit by bit sees the edges at the pins that it is `watching`:
edge(gpio, level, ns) returns True if the picture has changed. A peripheral may also send a whole
piece, a Spi or a Pulses. see(piece, ns) has the same effect as all the edges of the piece.
"""

from pico_testbench.faults import NotModelled


class Spi:
    """Bytes on SPI in mode 0, each with its highest bit first."""

    def __init__(self, clock, data, sent):
        self.pins = clock, data
        self.sent = sent


class Pulses:
    """Bytes for WS2812 pixels, each with its highest bit first. `timing` contains four times in
    ns: high and low for a 0, then high and low for a 1."""

    def __init__(self, gpio, timing, sent):
        self.pins = (gpio,)
        self.sent = sent
        self._timing = timing

    def end(self, ns):
        """Return the end of the last bit, including its low part, if the first bit begins at
        `ns`."""
        ones = bin(int.from_bytes(self.sent, "big")).count("1")
        zeros = 8 * len(self.sent) - ones
        return ns + zeros * sum(self._timing[:2]) + ones * sum(self._timing[2:])

    def last_edge(self, ns):
        one = self.sent[-1] & 1
        return self.end(ns) - self._timing[2 * one + 1]


class CrossedLamps:
    """Lamps at the crossings of rows and columns. A lamp is lit while its row and its column are
    both on. A pin is on when it is high, or, if it is in the mask `low`, when it is low."""

    def __init__(self, rows, columns, low=0):
        self._rows, self._columns, self._low = rows, columns, low

    def lasts(self, levels):
        """Return how long each lamp is lit, row by row. `levels`: [(levels of pins, duration),
        …]."""
        seen = []
        for row in self._rows:
            of_row = [(on ^ self._low, long) for on, long in levels]
            of_row = [(on, long) for on, long in of_row if on >> row & 1]
            for column in self._columns:
                seen.append(sum([long for on, long in of_row if on >> column & 1]))
        return seen


class ShiftChain:
    """A chain of 8-bit shift registers. A rising clock shifts a bit in, and a rising latch shows
    the contents (TPIC6B595: SLIS032, 74HC595: SCLS041)."""

    def __init__(self, clock, data, latch, chips):
        self.watching = clock, data, latch
        self._outputs = (1 << 8 * chips) - 1  # one bit per output of all registers
        self._bit = 0  # the level at the data pin
        # Bit 0 is output 0 of the first chip, the highest bit is output 7 of the last.
        self.inside = self.shown = 0

    def edge(self, gpio, level, ns):
        clock, data, latch = self.watching
        if gpio == data:
            self._bit = level
        elif level and gpio == clock:
            self._take(self._bit, 1)
        elif level and gpio == latch:
            before, self.shown = self.shown, self.inside
            return self.shown != before
        return False

    def see(self, piece, ns):
        if piece.pins != self.watching[:2]:
            return _ignore(self, piece)
        self._take(int.from_bytes(piece.sent, "big"), 8 * len(piece.sent))
        self._bit = piece.sent[-1] & 1
        return False

    def _take(self, bits, count):
        self.inside = (self.inside << count | bits) & self._outputs


# WS2812B data sheet: the line is high for 400 ns for a 0 and for 800 ns for a 1, each within 150
# ns. After 50 us low, the first pixel listens again. Other timings are not documented.
_ONE = 600
_LONGEST = 950
_REST = 50_000


class PixelChain:
    """A chain of WS2812 pixels: each keeps the first bits that reach it, 24 or `bits`, as a
    number, and passes on all other bits."""

    def __init__(self, gpio, count, bits=24):
        self.watching = (gpio,)
        self.colours = [0] * count
        self._of_each = bits
        self._rose = self._fell = 0
        self._bits = self._count = 0  # the bits received by the pixel that listens
        self._next = 0  # the pixel that listens

    def edge(self, gpio, level, ns):
        if level:
            self._rises(ns)
            return False
        self._fell = ns
        high = ns - self._rose
        return high <= _LONGEST and self._take(int(high > _ONE), 1)

    def see(self, piece, ns):
        if piece.pins != self.watching:
            return _ignore(self, piece)
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
        while self._count >= self._of_each and self._next < len(self.colours):
            self._count -= self._of_each
            colour = self._bits >> self._count
            self._bits ^= colour << self._count
            changed = changed or colour != self.colours[self._next]
            self.colours[self._next] = colour
            self._next += 1
        return changed


def _ignore(display, piece):
    """Ignore a piece that is meant for another display."""
    if set(piece.pins) & set(display.watching):
        raise NotModelled("a display that sees only some of the pins %r" % (piece.pins,))
    return False
