"""The VM as a simulated Pico with children who play, whose free memory is weighed. It is vm_main
with one more verb, in MicroPython's Python:

children N GAME,…: repeatedly play each of the games for N moves, and report in between how many
bytes are free, as `free`.
"""

import gc

from nimatron.dice import Dice
from nimatron_sim import vm_main
from nimatron_sim.vm_main import VmPico, main

_RULES = b"misere", b"normal"


class WeighedPico(VmPico):
    def __init__(self, *how):
        super().__init__(*how)
        self.circuit.children = self._children

    def _weigh(self, where):
        self.circuit._pictures.clear()  # the simulator's own
        for machine in self.circuit.chip.machines.values():
            machine.turns.clear()
        gc.collect()
        vm_main._report({"ms": self.clock.now // 1000, "at": where, "free": gc.mem_free()})

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


if __name__ == "__main__":
    main(WeighedPico)
