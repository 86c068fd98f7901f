"""MicroPython's `select` on the simulated chip: who waits for a stream lets virtual time pass."""

import chip

POLLIN = 1
POLLOUT = 4

_POLL = 3  # the ioctl request that asks a stream which of the flags hold


class poll:
    def __init__(self):
        self._streams = []  # [stream, flags], in the order they were registered

    def register(self, stream, flags=POLLIN | POLLOUT):
        self._streams.append([stream, flags])

    def modify(self, stream, flags):
        for known in self._streams:
            if known[0] is stream:
                known[1] = flags

    def unregister(self, stream):
        self._streams = [known for known in self._streams if known[0] is not stream]

    def poll(self, ms=-1):
        """[(stream, flags that hold)] of the streams that are ready; waits up to `ms` for one,
        for ever if negative."""
        ready = self._ready()
        if ready or not ms:
            return ready
        end = chip.us_of(chip.ms() + ms) if ms > 0 else None
        while not ready and (end is None or chip.clock.now < end):
            chip.wait(end)
            ready = self._ready()
        return ready

    ipoll = poll

    def _ready(self):
        ready = []
        for stream, flags in self._streams:
            holds = stream.ioctl(_POLL, flags)
            if holds:
                ready.append((stream, holds))
        return ready
