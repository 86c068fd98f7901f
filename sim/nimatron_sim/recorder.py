"""The trace: everything a person at the panel could notice, and when.

A record is a dict with `ms` since power-on and one change: `lamps` (a mask for each row, bit 0 the
leftmost lamp), `legends` (names lit), `sound` (Hz, 0 for silence), `coin` (1 while the chute is
open) or `console` (a line).
"""

from nimatron import board


class Recorder:
    """A recorder, which looks at a circuit whenever a moment is over. It passes each change to
    `record(dict)`, and the bytes that the firmware sends to `sent(bytes)`, if given."""

    def __init__(self, clock, circuit, record, sent=None):
        self._clock = clock
        self._circuit = circuit
        self._record = record
        self._sent = sent
        self._sounder = circuit.wiring.SOUNDER
        self._chip = None
        self._changes = 0
        self._tones = None
        self._frame, self._frame_memory = b"", None
        self._frame_now = None  # returns the bytes that are in that memory now
        self._steady = 0  # the outputs that were high
        self._seen = {"lamps": list(board.DARK), "legends": [], "sound": 0, "coin": 0}
        self._line = b""

    def look(self):
        """Record what has changed since the last look."""
        chip = self._circuit.chip
        if chip is not self._chip:
            self._chip = chip
            self._tones = None
            self._line = b""  # a line that was cut short is lost
            self._look_closely()
        if chip is None:
            return
        # Most moments change nothing visible: find that out cheaply.
        if chip.changes != self._changes or self._frame_now() != self._frame:
            self._look_closely()
        elif chip.tones != self._tones:
            self._listen()
        if chip.sent:
            self._read(chip)

    def cut(self):
        """Note a reset of the chip: a line that was cut short is lost."""
        self._line = b""

    def _look_closely(self):
        circuit, chip, seen = self._circuit, self._chip, self._seen
        steady = 0
        if chip:
            self._changes = chip.changes
            self._frame = bytes(chip.frame)
            if chip.frame is not self._frame_memory:
                self._frame_memory = chip.frame
                self._frame_now = _reader(chip.frame)
            steady = chip.steady
        moved, self._steady = steady != self._steady, steady
        lamps = circuit.lamps()
        if lamps != seen["lamps"]:
            self._note("lamps", lamps)
        if moved and circuit.legends() != seen["legends"]:
            self._note("legends", circuit.legends())
        if not chip or chip.tones != self._tones:
            self._listen()
        if moved and circuit.coin() != seen["coin"]:
            self._note("coin", circuit.coin())

    def _listen(self):
        chip = self._chip
        self._tones = chip and chip.tones
        sound = chip.tone(self._sounder) if chip else 0
        if sound != self._seen["sound"]:
            self._note("sound", sound)

    def _note(self, what, value):
        self._seen[what] = value
        self._record({"ms": self._clock.now // 1000, what: value})

    def _read(self, chip):
        """Record console lines as they are completed."""
        sent = chip.take_sent()
        if self._sent:
            self._sent(sent)
        *lines, rest = (self._line + sent.replace(b"\r", b"")).split(b"\n")
        self._line = rest
        ms = self._clock.now // 1000
        for line in lines:
            self._record({"ms": ms, "console": line.decode("utf-8", "replace")})


def _reader(memory):
    """A function that returns the bytes which are in that memory now. CPython compares these four
    times as fast as the memory itself."""
    if hasattr(memory, "tobytes"):  # a memoryview's, which MicroPython lacks
        return memory.tobytes
    return lambda: bytes(memory)
