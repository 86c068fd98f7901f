"""The VM as a simulated Pico whose allocations fail after a chosen allocation: vm_main with three
more verbs. Runs on MicroPython.

starve N: each time that the firmware wakes, it may allocate N bytes until it sleeps again, and no
garbage is collected. A request for more fails, and so do all later requests. starve_at_open N: do
so once, from the next file that the firmware opens until it sleeps. feed: end the shortage, also
after a reset.
"""

import gc

from nimatron_sim.vm_main import VmPico, main

_PIECES = 20_000  # more than the number of holes in the memory


class StarvedPico(VmPico):
    def __init__(self, *how):
        self._famine = _Famine()
        self.feed()
        super().__init__(*how)
        self.circuit.starve = self._starve
        self.circuit.starve_at_open = self._starve_at_open
        self.circuit.feed = self.feed
        self._open = self.files.open
        self.files.open = self._opened
        self._wait = self.clock.wait
        self.clock.wait = self._wait_with_memory

    def feed(self, _=None):
        self._ration = self._at_open = None

    def _starve(self, ration):
        self._ration = ration

    def _starve_at_open(self, ration):
        self._at_open = ration

    def _power_up(self, cause):
        self.feed()
        super()._power_up(cause)

    def _opened(self, *args):
        if self._at_open is not None:
            self._famine.begin(self._at_open)
            self._at_open = None
        return self._open(*args)

    def _wait_with_memory(self, until):
        """Wait, while the firmware hands over to the simulator, and takes over again."""
        self._famine.end()
        self._wait(until)
        if self._ration is not None:
            self._famine.begin(self._ration)


class _Famine:
    """A famine takes all memory except some bytes in one piece, exact to a block, so that they
    last until the same allocation whatever holes exist. Its memory is in a list, not in a chain,
    because a word on the stack would keep all of a chain."""

    def __init__(self):
        self._taken = [None] * _PIECES
        self._count = 0

    def begin(self, left):
        gc.collect()
        gc.disable()
        room = bytearray(left)
        for size in (100_000, 10_000, 1000, 100):
            self._take(lambda: bytearray(size))
        gc.collect()  # the failures
        self._take(lambda: (self,))  # the smallest there is
        room = None  # noqa: F841
        gc.collect()

    def _take(self, piece):
        try:
            while True:
                self._taken[self._count] = piece()
                self._count += 1
        except MemoryError:
            pass

    def end(self):
        for number in range(self._count):
            self._taken[number] = None
        self._count = 0
        gc.enable()


if __name__ == "__main__":
    main(StarvedPico)
