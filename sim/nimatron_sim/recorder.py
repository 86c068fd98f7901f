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
        self._tones = 0
        self._frame = b""
        self._steady = 0  # the outputs that were high
        self._seen = {"lamps": list(board.DARK), "legends": [], "sound": 0, "coin": 0}
        self._line = b""

    def look(self):
        """Record what has changed since the last look."""
        chip = self._circuit.chip
        if chip is not self._chip:
            self._chip = chip
            self._line = b""  # a line that was cut short is lost
            self._look_closely()
        if chip is None:
            return
        # Most moments change nothing visible: find that out cheaply.
        if chip.changes != self._changes:
            self._changes = chip.changes
            self._tones = chip.tones
            self._frame = bytes(chip.frame)
            self._look_closely()
        else:
            if chip.frame != self._frame:
                self._frame = bytes(chip.frame)
                self._look_at("lamps", self._circuit.lamps())
            if chip.tones != self._tones:
                self._tones = chip.tones
                self._look_at("sound", chip.tone(self._sounder))
        if chip.sent:
            self._read(chip)

    def cut(self):
        """Note a reset of the chip: a line that was cut short is lost."""
        self._line = b""

    def _look_closely(self):
        circuit = self._circuit
        steady = circuit.chip.steady if circuit.chip else 0
        moved = steady != self._steady
        self._steady = steady
        self._look_at("lamps", circuit.lamps())
        if moved:
            self._look_at("legends", circuit.legends())
        self._look_at("sound", circuit.sound())
        if moved:
            self._look_at("coin", circuit.coin())

    def _look_at(self, what, value):
        if self._seen[what] != value:
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
