"""The displays that can be soldered to the pins, each modelled on its data sheet.

pico_testbench.displays describes how they receive their picture. `scanned` lists the pins whose
levels over a frame decide which lamps are lit. `dimmed_by` lists the pins whose PWM dims the
lamps. `state(chip)` returns everything that the lamps depend on. `brightness(chip)` returns a
number for each lamp, row by row, from 0 for dark to 1 for full brightness.
"""

from nimatron import board
from pico_testbench.displays import CrossedLamps, PixelChain, ShiftChain


class Matrix(CrossedLamps):
    """A matrix of lamps. A lamp is lit while its row's transistor and its column's resistor are
    high."""

    watching = dimmed_by = ()

    def __init__(self, wiring):
        CrossedLamps.__init__(self, wiring.ROWS, wiring.COLUMNS)
        self.scanned = wiring.ROWS + wiring.COLUMNS
        self._pins = sum([1 << gpio for gpio in self.scanned])

    def see(self, piece, ns):
        return False

    def state(self, chip):
        return chip.steady & self._pins, bytes(chip.frame), chip.speed

    def brightness(self, chip):
        frame = chip.driven()
        share = sum([ns for _, ns in frame]) / board.ROWS  # the time for one row in a frame
        return tuple([ns / share for ns in self.lasts(frame)])


class Shift(ShiftChain):
    """A shift register for each row. Outputs 0 to 6 switch the lamps from left to right. A lamp
    can be lit only while `enable` is low."""

    scanned = ()

    def __init__(self, wiring):
        gpio = {name: number for name, number in wiring.SHIFT}
        ShiftChain.__init__(self, gpio["clock"], gpio["data"], gpio["latch"], board.ROWS)
        self._enable = gpio["enable"]
        self.dimmed_by = (self._enable,)

    def state(self, chip):
        high = chip.share(self._enable)
        return self.shown, 0.0 if high is None else 1 - high

    def brightness(self, chip):
        shown, share = self.state(chip)
        outputs = [8 * row + n for row in range(board.ROWS) for n in range(board.LAMPS)]
        return tuple([share * (shown >> output & 1) for output in outputs])


class Pixels(PixelChain):
    """A chain with a pixel for each lamp. It runs through row 1 from left to right, through row 2
    from right to left, and so on."""

    scanned = dimmed_by = ()
    FULL = 78  # the strongest colour of a lamp, which keeps 28 lamps within a USB port's current

    def __init__(self, wiring):
        PixelChain.__init__(self, wiring.PIXELS, board.ROWS * board.LAMPS)

    def state(self, chip):
        return tuple(self.colours)

    def brightness(self, chip):
        placed = []
        for row in range(board.ROWS):
            there = self.colours[row * board.LAMPS : (row + 1) * board.LAMPS]
            placed += there[::-1] if row % 2 else there
        return tuple([max(c >> 16, c >> 8 & 0xFF, c & 0xFF) / self.FULL for c in placed])


DISPLAYS = {"matrix": Matrix, "shift": Shift, "pixels": Pixels}
