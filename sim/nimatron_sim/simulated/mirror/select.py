"""MicroPython's `select` on the simulated chip: waiting for a stream lets virtual time pass."""

import chip

POLLIN = 1
POLLOUT = 4

_POLL = 3  # the ioctl request that asks a stream which flags hold


class poll:
    def __init__(self):
        self._streams = []  # [stream, flags], in the order they were registered
        self._usb = None  # if only the serial line's end for writing is registered
        self._ready = None  # what poll then returns while it is writable

    def register(self, stream, flags=POLLIN | POLLOUT):
        self._streams.append([stream, flags])
        self._look()

    def modify(self, stream, flags):
        for known in self._streams:
            if known[0] is stream:
                known[1] = flags
        self._look()

    def unregister(self, stream):
        self._streams = [known for known in self._streams if known[0] is not stream]
        self._look()

    def _look(self):
        self._usb = None
        if len(self._streams) == 1 and self._streams[0][1] == POLLOUT:
            stream = self._streams[0][0]
            self._usb = getattr(stream, "usb", None)
            self._ready = [(stream, POLLOUT)]

    def poll(self, ms=-1):
        """Return [(stream, its set flags)] for the streams that are ready. Wait up to `ms` until a
        stream is ready, or forever if `ms` is negative."""
        if self._usb and self._usb.writable:
            return self._ready
        end = None
        while True:
            ready = []
            for stream, flags in self._streams:
                holds = stream.ioctl(_POLL, flags)
                if holds:
                    ready.append((stream, holds))
            if ready or not ms or (end and chip.clock.now >= end):
                return ready
            if ms > 0 and end is None:
                end = chip.booted_at + (chip.ms() + ms) * 1000
            # The VM's own flags do not stir the CPU: look after each alarm.
            alarm = chip.clock.next_alarm()
            chip.wait(alarm if end is None else min(end, alarm))

    ipoll = poll
