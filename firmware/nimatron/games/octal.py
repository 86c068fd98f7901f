"""Octal games, by their code 0.d1d2d3…: a digit for each number of lamps that a move may take.

Digit k says what a move that takes k may leave of a heap: 1 for nothing, 2 for one heap, 4 for
two, or a sum of these. 0.77 is Kayles, 0.07 Dawson's game, 0.137 Dawson's chess.
"""

from nimatron import bouton
from nimatron.games.game import Game
from nimatron.games.partitions import Partitions
from nimatron.protocol import whole_number

_DIGITS = 9
_LARGEST = 100  # heap
_SEARCHED = 12  # in all heaps together
_LOST, _WON = 1, 2  # for the mover; 0 is unknown


class Octal(Game):
    """A position is a tuple of heaps, all of them 1 or more. The game is solved but never played:
    the lamps have no room for it."""

    sentence = "Take from one heap as many as the code allows, and leave what it allows."
    solved = "nimbers"
    theory = (
        "Guy and Smith 1956: each heap is worth a heap of Nim. If the last move loses, a search"
        " decides, up to 12 in all heaps."
    )

    def __init__(self, code):
        digits = code[2:]
        if code[:2] != "0." or not 1 <= len(digits) <= _DIGITS or digits.strip("01234567"):
            raise ValueError("%s is no code, 0. and up to 9 digits of 0 to 7" % code)
        self._digits = [int(digit) for digit in digits]
        self._values = [0]
        self._partitions = None
        self._known = None  # by the number of the heaps: _LOST, _WON or 0

    def options(self, position):
        for i, heap in enumerate(position):
            for left in self._moves(heap):
                yield position[:i] + left + position[i + 1 :]

    def _moves(self, heap):
        """What a move can leave of one heap."""
        for k, digit in enumerate(self._digits, 1):
            left = heap - k
            if digit & 1 and left == 0:
                yield ()
            if digit & 2 and left > 0:
                yield (left,)
            if digit & 4:
                for smaller in range(1, left // 2 + 1):
                    yield smaller, left - smaller

    # ------------------------------------------------------------------ who wins

    def is_p(self, position, misere):
        if not misere:
            return not self.grundy(position)
        if sum(position) > _SEARCHED:
            raise ValueError("misere play is searched up to %d in all heaps" % _SEARCHED)
        return self._search(position)

    def working(self, position, misere):
        facts = super().working(position, misere)
        return (("solved", "search"),) + facts[1:] if misere else facts

    def grundy(self, position):
        values = self._values
        while len(values) <= max(position, default=0):
            moves = self._moves(len(values))
            values.append(bouton.mex({self._sum(left) for left in moves}))
        return self._sum(position)

    def _sum(self, heaps):
        return bouton.nim_sum([self._values[heap] for heap in heaps])

    def _search(self, position):
        """Follow one line of play for as long as it reaches unknown positions. It is kept in a
        list, because a Pico has little stack for recursion."""
        if not self._partitions:
            self._partitions = Partitions(1, _SEARCHED)
            self._known = bytearray(self._partitions.size)
        known, rank = self._known, self._partitions.rank
        line = [position]
        while line:
            mover = line[-1]
            outcome = _WON if self.over(mover) else _LOST
            for option in self.options(mover):
                found = known[rank(option)]
                if not found:
                    line.append(option)
                    break
                if found == _LOST:
                    outcome = _WON
                    break
            if line[-1] is mover:
                known[rank(mover)] = outcome
                line.pop()
        return known[rank(position)] == _LOST

    # ------------------------------------------------------------------ as people know them

    def words(self, position):
        return ",".join(map(str, position)) or "0"

    def parse(self, words):
        position = self.parse_option(words)
        if self.over(position):
            raise ValueError("no move takes anything from these heaps")
        return position

    def parse_option(self, words):
        heaps = [whole_number(n) for word in words for n in word.split(",")]
        for heap in heaps:
            if not 0 <= heap <= _LARGEST:
                raise ValueError("a heap of %d, a heap has 0 to %d" % (heap, _LARGEST))
        return tuple([heap for heap in heaps if heap])
