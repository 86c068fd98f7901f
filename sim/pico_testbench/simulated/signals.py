"""Signals that a peripheral of the simulated chip sends. Each has its `pins`, the bytes `sent` and
the `edges` on the wire.
"""


class Spi:
    """Bytes on SPI in mode 0, each with its highest bit first."""

    def __init__(self, clock, data, sent):
        self.pins = clock, data
        self.sent = sent

    def edges(self, ns):
        """Yield (gpio, level, ns) for each edge, if the first edge comes at `ns`."""
        clock, data = self.pins
        for byte in self.sent:
            for bit in range(7, -1, -1):
                yield data, byte >> bit & 1, ns
                yield clock, 1, ns
                yield clock, 0, ns


class Pulses:
    """Bytes for WS2812 pixels, each with its highest bit first. timing: the ns for which the pin
    is high and low for a 0, then for a 1."""

    def __init__(self, gpio, timing, sent):
        self.gpio = gpio
        self.sent = sent
        self._timing = timing

    def edges(self, ns):
        """Yield (gpio, level, ns) for each edge, if the first edge comes at `ns`."""
        for byte in self.sent:
            for bit in range(7, -1, -1):
                high, low = self._timing[2:] if byte >> bit & 1 else self._timing[:2]
                yield self.gpio, 1, ns
                yield self.gpio, 0, ns + high
                ns += high + low

    def end(self, ns):
        """Return the time when the last bit ends, including its low part."""
        ones = bin(int.from_bytes(self.sent, "big")).count("1")
        zeros = 8 * len(self.sent) - ones
        return ns + zeros * sum(self._timing[:2]) + ones * sum(self._timing[2:])

    def last_edge(self, ns):
        one = self.sent[-1] & 1
        return self.end(ns) - self._timing[2 * one + 1]
