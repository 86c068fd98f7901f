"""Nim: put out one or more lamps of one row."""

from nimatron import board, nim


class Nim:
    name = "nim"
    sentence = "Put out one or more lamps of one row."

    # Nine, as in 1940; which nine the original had is not known, these are our own choice, from
    # easy to hard. Whoever moves first can win each of them under both rules.
    openings = (
        (3, 4, 5, 0),
        (1, 2, 3, 4),
        (1, 3, 5, 6),
        (2, 3, 5, 7),
        (1, 4, 5, 7),
        (2, 4, 6, 7),
        (3, 4, 6, 7),
        (3, 5, 6, 7),
        (7, 7, 7, 6),
    )

    def options(self, rows):
        """Every position that one move can leave."""
        for row, n in enumerate(rows):
            for take in range(1, n + 1):
                yield board.leave(rows, row, take)

    def any_option(self, rows, dice):
        """One of the options, all equally likely; made alone, for to make them all takes a Pico
        two milliseconds."""
        number = dice.roll(sum(rows))
        for row, n in enumerate(rows):
            if number < n:
                return board.leave(rows, row, number + 1)
            number -= n

    def is_p(self, rows, misere):
        """True if the mover loses against best play."""
        return nim.is_p(rows, misere)

    def winning_options(self, rows, misere):
        """The options after which the other player loses."""
        return [board.leave(rows, row, take) for row, take in nim.winning_moves(rows, misere)]

    def resisting_options(self, rows):
        """The options that put a lost game off the longest: one lamp, from a row whose count ends
        in the fewest binary zeros. Exhaustive search finds none longer from any of the P-positions
        on this board, under either rule (tests/test_opponent.py)."""
        lowest = min([n & -n for n in rows if n], default=0)
        return [board.leave(rows, row, 1) for row, n in enumerate(rows) if n and n & -n == lowest]

    def working(self, rows, misere):
        """The machine's working, as key=value words: each row in binary, the nim-sum, what it
        means for the mover."""
        return "binary=%s nim_sum=%s outcome=%s" % (
            ",".join([_binary(n) for n in rows]),
            _binary(nim.nim_sum(rows)),
            "P" if self.is_p(rows, misere) else "N",
        )


def _binary(n):
    return "".join(["1" if n >> bit & 1 else "0" for bit in (2, 1, 0)])
