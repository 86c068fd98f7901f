"""A match, with the position, the player to move, the draft and the result."""

from nimatron.protocol import IllegalMove
from nimatron.states import MACHINE, PLAYER


class Match:
    """A match of `game` (see games.find) from a position that fits on the panel.

    `seats` are the players in order. `turn` is one of them. `opening` is the first position of the
    match, `position` is the position at the start of the turn, and `draft` is the pick so far.
    Raises ValueError for a position that is not on the board.
    """

    def __init__(self, game, position, misere=True, turn=PLAYER, seats=(PLAYER, MACHINE)):
        self.game = game
        self.position = self.opening = game.placed_on_panel(position)
        self.misere = misere
        self.turn = turn
        self.seats = seats
        self.draft = game.empty_draft(self.position)
        self._taken = [0] * len(seats)  # the prizes of each player

    @property
    def over(self):
        return self.game.over(self.position)

    @property
    def winner(self):
        """The winner, one of `seats`, or None while the match continues. In misère play with more
        than two players, there is a loser but no winner yet (see `without_last`)."""
        if not self.over:
            return None
        return self.turn if self.misere else self.last

    @property
    def last(self):
        """The player who moved last."""
        return self.seats[self.seats.index(self.turn) - 1]

    def without_last(self):
        """Return a match from the same opening between all others. The next player begins."""
        seats = tuple([seat for seat in self.seats if seat != self.last])
        return Match(self.game, self.opening, self.misere, self.turn, seats)

    @property
    def prizes(self):
        """Return the prizes as (key, value) pairs, or no pairs in games without prizes."""
        if not self.game.prize:
            return ()
        return ((self.game.prize, ["%s:%d" % pair for pair in zip(self.seats, self._taken)]),)

    @property
    def remaining(self):
        """The board while the draft is picked."""
        return self.game.remaining(self.position, self.draft)

    @property
    def lamps(self):
        """The picture on the lamps, as a mask for each row with bit 0 for the leftmost lamp."""
        return self.game.picture(self.remaining)

    def press(self, row):
        """Press the button of `row`, counted from 0. See Game.press. Raises IllegalMove."""
        self._pick(self.game.press, row)

    def long_press(self, row):
        """Hold the button of `row`, counted from 0. See Game.long_press. Raises IllegalMove."""
        self._pick(self.game.long_press, row)

    def _pick(self, pick, row):
        draft = pick(self.position, self.draft, row)
        if draft is None:
            self._check_not_over()
            why = "no move takes more of row %d" if self.lamps[row] else "row %d is dark"
            raise IllegalMove(why % (row + 1))
        self.draft = draft

    def pick(self, left):
        """Pick lamps so that `left` remains, in place of any earlier pick. If no move takes these
        lamps, raise IllegalMove and keep the earlier pick."""
        self._check_not_over()
        draft = self.game.draft_of(self.position, left)
        if draft is None:
            raise IllegalMove("no move takes these lamps")
        self.draft = draft

    def hand_over(self):
        """End the turn with the draft. Return the position before the turn. If the draft is not a
        move in this game, raise IllegalMove and keep the draft."""
        self._check_not_over()
        if self.remaining == self.position:
            raise IllegalMove("nothing is picked")
        option = self.game.option_of(self.position, self.draft)
        if option is None:
            raise IllegalMove("that is no move")
        return self._move(option)

    def take(self, row, count):
        """Take `count` lamps from `row`, counted from 0, and hand over, in place of any earlier
        pick. Return the position before the turn. If this is not a legal move, raise IllegalMove
        and leave the match unchanged."""
        self._check_not_over()
        try:
            option = self.game.take(self.position, row, count)
        except ValueError as why:
            raise IllegalMove(str(why)) from None
        return self._move(option)

    def play(self, option):
        """Make the move that leaves `option`, in place of any earlier pick. Return the position
        before the turn. If no move leaves `option`, raise IllegalMove and leave the match
        unchanged."""
        self._check_not_over()
        if option not in self.game.options(self.position):
            raise IllegalMove("no move leaves %s" % self.game.words(option))
        return self._move(option)

    def _move(self, option):
        before = self.position
        self.position = option
        self.draft = self.game.empty_draft(option)
        seat = self.seats.index(self.turn)
        self._taken[seat] += self.game.size(before) - self.game.size(option)
        self.turn = self.seats[(seat + 1) % len(self.seats)]
        return before

    def _check_not_over(self):
        if self.over:
            raise IllegalMove("the match is over")
