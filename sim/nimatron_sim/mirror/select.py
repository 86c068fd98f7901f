"""MicroPython's `select` on the simulated chip: is the serial line writable?"""

import chip
from nimatron_sim.chip import NotModelled

POLLIN = 1
POLLOUT = 4


class poll:
    def __init__(self):
        self._streams = []

    def register(self, stream, events):
        if events != POLLOUT:
            raise NotModelled("the simulated poll knows POLLOUT")
        self._streams.append(stream)

    def poll(self, timeout):
        """The streams that can be written to, at once."""
        if timeout != 0:
            raise NotModelled("the simulated poll does not wait")
        return [(stream, POLLOUT) for stream in self._streams if chip.writable]
