"""The trace: everything that a person at the panel could notice, with its time.

A record is a dict with `ms` since power-on and one change: `lamps` (a mask for each row, with bit
0 for the leftmost lamp), `legends` (the names of the lit legends), `sound` (in Hz, or 0 for
silence), `coin` (1 while the chute is open) or `console` (a line).
"""

from nimatron import board
from pico_testbench.usb_cable import Lines


class Recorder:
    """A recorder, which looks at a circuit at the end of each moment. It passes each change to
    record(dict), and the bytes from the firmware to sent(bytes), if given."""

    def __init__(self, clock, circuit, record, sent=None):
        self._clock = clock
        self._circuit = circuit
        self._record = record
        self._sent = sent
        self._chip = None
        self._changes = self._tones = 0
        self._frame, self._frame_memory = b"", None
        self._frame_now = None  # a function that returns the current bytes in that memory
        self._looks = (
            ("lamps", circuit.lamps),
            ("legends", circuit.legends),
            ("sound", circuit.sound),
            ("coin", circuit.coin),
        )
        self._seen = {"lamps": list(board.DARK), "legends": [], "sound": 0, "coin": 0}
        self._lines = Lines()

    def look(self):
        """Record the changes since the last look."""
        chip = self._circuit.chip
        if chip is not self._chip:
            self._chip = chip
            self._lines.cut()
            self._look_closely()
        if chip is None:
            return
        # Most moments change nothing visible. This check is cheap.
        if (
            chip.changes != self._changes
            or chip.tones != self._tones
            or self._frame_now() != self._frame
        ):
            self._look_closely()
        if chip.sent:
            sent = chip.take_sent()
            if self._sent:
                self._sent(sent)
            for line in self._lines.of(sent):
                self._note("console", line)

    def cut(self):
        """Handle a reset of the chip, in which an incomplete line is lost."""
        self._lines.cut()

    def _look_closely(self):
        chip, seen = self._chip, self._seen
        if chip:
            self._changes, self._tones = chip.changes, chip.tones
            self._frame = bytes(chip.frame)
            if chip.frame is not self._frame_memory:
                self._frame_memory = chip.frame
                self._frame_now = _reader(chip.frame)
        for what, look in self._looks:
            now = look()
            if now != seen[what]:
                seen[what] = now
                self._note(what, now)

    def _note(self, what, value):
        self._record({"ms": self._clock.now // 1000, what: value})


def _reader(memory):
    """Return a function that returns the current bytes in this memory. In CPython, comparing bytes
    is four times as fast as comparing the memory itself."""
    if hasattr(memory, "tobytes"):  # a method of memoryview that MicroPython lacks
        return memory.tobytes
    return lambda: bytes(memory)
