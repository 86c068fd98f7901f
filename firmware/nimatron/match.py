"""One match: the position, whose turn it is, the lamps picked so far, the result."""

from nimatron import board

PLAYER = "player"
MACHINE = "machine"


class IllegalMove(ValueError):
    """What was asked is not a move; the match is as it was."""


class Match:
    """A match of `game` (one of games.GAMES) from the position `rows`.

    `opening` is the position it began from, `rows` that at the start of the turn, `picked` the
    lamps put out since, and `lit` what the lamps show: the one minus the other.
    """

    def __init__(self, game, rows, misere=True, turn=PLAYER):
        self.game = game
        self.rows = self.opening = board.position(rows)
        self.misere = misere
        self.turn = turn
        self._row = 0
        self._count = 0

    @property
    def over(self):
        for _ in self.game.options(self.rows):
            return False
        return True

    @property
    def winner(self):
        """PLAYER, MACHINE, or None while the match goes on.

        Whoever is to move on a finished board did not make the last move.
        """
        if not self.over:
            return None
        return self.turn if self.misere else _other(self.turn)

    @property
    def lit(self):
        return board.leave(self.rows, self._row, self._count)

    @property
    def picked(self):
        return board.leave(board.DARK, self._row, -self._count)

    def pick(self, row):
        """One press: put out one lamp of `row` (from 0). Picking in another row gives the lamps
        picked so far back. Raises IllegalMove if that row has no lamp left to put out."""
        count = self._count if row == self._row else 0
        if self.rows[row] <= count:
            self._check_not_over()
            raise IllegalMove("row %d is dark" % (row + 1))
        self._row = row
        self._count = count + 1

    def hand_over(self):
        """End the turn with the lamps picked; returns the move (row from 0, take).

        Raises IllegalMove, and keeps the lamps picked, if they are no move of this game.
        """
        self._check_not_over()
        if not self._count:
            raise IllegalMove("nothing is picked")
        after = self.lit
        if after not in self.game.options(self.rows):
            raise IllegalMove("%d of row %d is no move" % (self._count, self._row + 1))
        self.rows = after
        self.turn = _other(self.turn)
        move = self._row, self._count
        self._count = 0
        return move

    def take(self, row, count):
        """Pick `count` lamps of `row` (from 0) and hand over. Raises IllegalMove, and changes
        nothing, if that is no move."""
        self._check_not_over()
        if row < 0 or row >= board.ROWS:
            raise IllegalMove("row %d, rows are 1 to %d" % (row + 1, board.ROWS))
        if count < 1 or count > self.rows[row]:
            raise IllegalMove("%d of the %d in row %d" % (count, self.rows[row], row + 1))
        before = self._row, self._count
        self._row, self._count = row, count
        try:
            return self.hand_over()
        except IllegalMove:
            self._row, self._count = before
            raise

    def _check_not_over(self):
        if self.over:
            raise IllegalMove("the match is over")


def _other(turn):
    return MACHINE if turn == PLAYER else PLAYER


def difference(before, after):
    """The move (row from 0, take) that leads from one position to its option."""
    for row in range(len(before)):
        if before[row] != after[row]:
            return row, before[row] - after[row]
