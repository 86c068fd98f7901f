"""The VM as a simulated Pico whose memory can be weighed and taken away, with children who play.
It is vm_main with three more verbs, in MicroPython's Python:

- weigh: report how many bytes are free, as `free`.
- squeeze N: take all the firmware's memory except N bytes, until the next reset or squeeze. With
  0, give it back.
- children N GAME,…: repeatedly play each of the games for N moves, and weigh in between.
"""

import gc

from nimatron.dice import Dice
from nimatron_sim import vm_main
from nimatron_sim.vm_main import VmPico, main

_SIMULATORS = 24  # kB: the firmware shares its heap with the simulator, which must not fail
_CRUMB = 48  # bytes
_PIECES = 4000  # more than the number of holes in the memory
_RULES = b"misere", b"normal"


class WeighedPico(VmPico):
    def __init__(self, *how):
        self._left = 0
        self._ballast, self._reserve = _Ballast(), _Ballast()
        super().__init__(*how)
        self.circuit.weigh = self._weigh
        self.circuit.squeeze = self._squeeze
        self.circuit.children = self._children
        self._wait = self.clock.wait
        self.clock.wait = self._wait_with_memory

    def _weigh(self, where):
        self.circuit._pictures.clear()  # the simulator's own
        for machine in self.circuit.chip.machines.values():
            machine.turns.clear()
        gc.collect()
        vm_main._report({"ms": self.clock.now // 1000, "at": where, "free": gc.mem_free()})

    def _squeeze(self, left):
        self._left = int(left)
        self._ballast.drop()

    def _power_up(self, cause):
        self._squeeze(0)
        super()._power_up(cause)

    def _children(self, what):
        moves, names = what.split()
        self._next(self._visits(int(moves), names.split(",")))

    def _next(self, visits):
        self.clock.call_at(self.clock.now + next(visits) * 1000, lambda: self._next(visits))

    def _visits(self, moves, names):
        """Yield the ms between visits."""
        dice = Dice(1)
        rounds = 0
        while True:
            rounds += 1
            for name in names:
                self._send(b"game %s\nrule %s\nnew\n" % (name.encode(), _RULES[rounds % 2]))
                yield 100
                for _ in range(moves):
                    row = "row%d" % (1 + dice.roll(4))
                    for _ in range(1 + dice.roll(2)):
                        self.circuit.press(row)
                        yield 700 if dice.roll(100) < 15 else 40
                        self.circuit.release(row)
                        yield 60
                    self.circuit.press("go")
                    yield 40
                    self.circuit.release("go")
                    yield 300
                self._send(b"lamps test\n")  # leaves the match, and ends in the attract show
                yield 5000
                self._weigh(name)

    def _wait_with_memory(self, until):
        """Wait, while the firmware hands over to the simulator, and takes over again."""
        self._reserve.drop()
        self._wait(until)
        if self._left:
            gc.collect()
            self._reserve.take(1000 * _SIMULATORS, 1000)
            if not self._ballast.count:
                self._ballast.take(gc.mem_free() - self._left, 100_000)


class _Ballast:
    """The taken memory, in a list, because a word on the stack would keep all of a chain when the
    memory is dropped."""

    def __init__(self):
        self._pieces = [None] * _PIECES
        self.count = 0

    def take(self, size, piece):
        """Take this many bytes if available, in pieces of this size and smaller pieces."""
        while size >= _CRUMB and piece >= _CRUMB:
            try:
                self._pieces[self.count] = bytearray(min(size, piece))
                self.count += 1
                size -= min(size, piece)
            except MemoryError:
                piece //= 2

    def drop(self):
        while self.count:
            self.count -= 1
            self._pieces[self.count] = None


if __name__ == "__main__":
    main(WeighedPico)
