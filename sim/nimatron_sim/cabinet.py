"""The cabinet: a display, contacts that bounce, a sounder and a coin solenoid at a Pico's pins.

It models the wiring and the physics, and shares no code with the firmware. Only the pads decide
which lamps are lit. Each display is modelled on its data sheet, and pico_testbench.displays
describes how it receives its picture. `scanned` lists the pins whose
levels over a frame decide which lamps are lit. `dimmed_by` lists the pins whose PWM dims the
lamps. `state(chip)` returns everything that the lamps depend on. `brightness(chip)` returns a
number for each lamp, row by row, from 0 for dark to 1 for full brightness.
"""

from nimatron import board
from nimatron.devices import pins
from nimatron_sim.matrix_voltage import Wires, matrix
from pico_testbench.bounce import Bounce
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


LIT = 0.01  # a fraction of full brightness. A brighter lamp counts as lit, even a ghost
_WHOLE = {}  # the cache for _whole
_ALL_DARK = (0,) * board.ROWS * board.LAMPS


class Circuit:
    """A circuit, wired according to a pin map such as nimatron.devices.pins.

    display: the wired display, one of DISPLAYS.
    bounce_ms: how long a contact bounces when it is pressed or released, or 0 for an ideal
        contact.
    seed: the seed for the bouncing.
    remember: how many pictures to cache. A picture takes a long time to compute and occupies 200
        bytes.
    wires: the electrical model of the matrix, which you can replace at any time. It does not
        change the lamps.
    """

    def __init__(
        self, wiring=pins, bounce_ms=3, seed=1, remember=400, display="matrix", wires=None
    ):
        self.wiring = wiring
        self.bounce = Bounce(bounce_ms * 1000, seed)
        self.clock = None  # the virtual clock
        self.chip = None  # the chip that has power, or None
        self._contacts = {name: gpio for name, gpio in wiring.BUTTONS}
        self.presses = 0
        self.moves = 0  # how often a contact has moved
        self.closed = {}  # GPIO number: name of the contact that grounds it
        self.raised = ()  # the GPIOs at 3.3 V
        self._legends = {}  # mask of the high outputs: names of the lit legends
        self._legend_pins = sum([1 << gpio for _, gpio in wiring.LEGENDS])
        self._remember = remember
        self._pictures = {}  # state of the display: the lit lamps
        self._display = display
        self.wires = wires or _whole(wiring, display)
        self.power_up()

    # ------------------------------------------------------------------ contacts

    def press(self, name):
        """Close a contact, which bounces first."""
        self.presses += 1
        self._move(name, True)

    def release(self, name):
        """Open a contact, which bounces first."""
        self._move(name, False)

    def set_contact(self, name, closed):
        """Close or open a contact immediately, without a bounce."""
        gpio = self._contacts[name]
        self.moves += 1
        if closed:
            self.closed[gpio] = name
        else:
            self.closed.pop(gpio, None)
        if self.chip:
            self.chip.moved(gpio)

    def _move(self, name, closed):
        if name not in self._contacts:
            raise ValueError("no button is called %s" % name)
        self.bounce.move(self.clock, lambda closed: self.set_contact(name, closed), closed)

    # ------------------------------------------------------------------ the visible and audible

    def power_up(self):
        """Start with dark lamps. A reset does not change the lamps."""
        self.display = DISPLAYS[self._display](self.wiring)

    def brightness(self):
        """Return a number for each lamp, row by row: 0 for dark, 1 for full brightness."""
        return self.display.brightness(self.chip) if self.chip else _ALL_DARK

    def lamps(self):
        """Return a mask of the visibly lit lamps for each row. Bit 0 is the leftmost lamp."""
        key = self.display.state(self.chip) if self.chip else None
        masks = self._pictures.get(key)
        if masks is None:
            if len(self._pictures) >= self._remember:
                self._pictures.clear()
            masks = self._pictures[key] = self._masks()
        return masks

    def _masks(self):
        brightness = self.brightness()
        masks = []
        for first in range(0, len(brightness), board.LAMPS):
            row = brightness[first : first + board.LAMPS]
            masks.append(sum([1 << bit for bit, value in enumerate(row) if value > LIT]))
        return masks

    def legends(self):
        """Return the names of the lit legends, in the order of the wiring."""
        high = self.chip.steady & self._legend_pins if self.chip else 0
        names = self._legends.get(high)
        if names is None:
            names = [name for name, gpio in self.wiring.LEGENDS if high >> gpio & 1]
            self._legends[high] = names
        return names

    def sound(self):
        """Return the frequency of the tone in Hz, or 0 for silence."""
        return self.chip.tone(self.wiring.SOUNDER) if self.chip else 0

    def coin(self):
        """Return 1 while the chute is open, else 0."""
        return self.chip.steady >> self.wiring.COIN & 1 if self.chip else 0

    def led(self):
        """Return 1 while the LED on the Pico itself is lit, else 0."""
        return self.chip.steady >> self.chip.board.led & 1 if self.chip else 0


def _whole(wiring, display):
    """Return the wires of a matrix without a fault. All circuits share these wires and the
    measurements on them."""
    made = tuple(wiring.ROWS), tuple(wiring.COLUMNS), display
    if made not in _WHOLE:
        parts, pads = matrix(wiring.ROWS, wiring.COLUMNS)
        _WHOLE[made] = Wires(parts if display == "matrix" else [], pads)
    return _WHOLE[made]
