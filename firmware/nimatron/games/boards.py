"""Games on a board of lamps, where it matters which lamps are switched off, not just how many.

All these games work the same way. If you press a row's button, the light moves to the next lamp in
that row, which then blinks. If you hold the button, that lamp goes out. If you hold it again, the
next lamp goes out. The light also stops at lamps that you have picked, where holding the button
gives the lamp back. If no move takes all the picked lamps together, the earlier lamps come back,
and only the last lamp stays picked.
"""

from nimatron import board
from nimatron.games.game import Game

_NONE = -1


class BoardGame(Game):
    """A game on a board. A position is an int, in which bit LAMPS * row + column is a lit lamp. A
    draft is the picked lamps, as such an int, and the lamp where the light is, or -1. If the light
    has just switched off lamp n, the light is hidden, as -2 - n, until it moves."""

    shape = (board.ROWS, board.LAMPS)  # rows and columns of the board in use

    def lamps(self, position):
        """Return the lamps in a position. Other bits of a position are state that no lamp
        shows."""
        return position

    def size(self, position):
        return bin(self.lamps(position)).count("1")

    # ------------------------------------------------------------------ as people know them

    def words(self, position):
        """Return the rows as digits 1 and 0, joined by /."""
        return self._rows(self.lamps(position))

    def picked_words(self, draft):
        return self._rows(draft[0])

    def columns(self, row):
        """Return the number of lamps in use in a row."""
        return self.shape[1]

    def _rows(self, mask):
        return "/".join(
            [
                "".join(["%d" % (mask >> lamp & 1) for lamp in self._lamps_of(row)])
                for row in range(self.shape[0])
            ]
        )

    def _lamps_of(self, row):
        return [lamp_at(row, column) for column in range(self.columns(row))]

    def parse(self, words):
        position = self.parse_option(words)
        if not self.lamps(position):
            raise ValueError("the board is empty: at least one lamp must be lit")
        return position

    def parse_option(self, words):
        rows, columns = self.shape
        given = "/".join(words).split("/")
        if len(given) != rows or any([len(r) != self.columns(i) for i, r in enumerate(given)]):
            raise ValueError(
                "this board has %d rows of %d lamps: 1 or 0 for each, / between rows"
                % (rows, columns)
            )
        position = 0
        for row in range(rows):
            for lamp, lit in zip(self._lamps_of(row), given[row]):
                if lit not in "01":
                    raise ValueError("%s is not 1 or 0" % lit)
                position |= (lit == "1") << lamp
        return position

    def placed_on_panel(self, position):
        return position

    def describe_move(self, before, after):
        return (("take", self.size(before) - self.size(after)),)

    # ------------------------------------------------------------------ lamps and buttons

    def picture(self, position):
        return _masks(self.lamps(position))

    def empty_draft(self, position):
        return 0, _NONE

    def press(self, position, draft, row):
        picked, light = draft
        lamp = self.step(self.lamps(position), light, row)
        return None if lamp is None else (picked, lamp)

    def step(self, lamps, light, row):
        """Return the next of these lamps in `row`, or None if the lamp has no number yet."""
        if light < _NONE:
            light = hidden(light)
        first = lamp_at(row, 0)
        start = light + 1 if light // board.LAMPS == row else first
        for step in range(board.LAMPS):
            lamp = first + (start - first + step) % board.LAMPS
            if lamps >> lamp & 1:
                return lamp
        return None

    def long_press(self, position, draft, row):
        picked, light = draft
        if light // board.LAMPS != row:
            return None
        lamp = 1 << light
        if picked & lamp:
            return picked ^ lamp, light
        for taken in (picked | lamp, lamp):
            if self.allows(position, taken):
                return taken, hidden(light)
        return None

    def draft_of(self, position, left):
        lamps, left = self.lamps(position), self.lamps(left)
        picked = lamps & ~left
        if left & ~lamps or picked and not self.allows(position, picked):
            return None
        return picked, _NONE

    def allows(self, position, picked):
        """Return True if some move takes the lamps in `picked`, and possibly more."""
        left = self.lamps(position) & ~picked
        for option in self.options(position):
            if not self.lamps(option) & ~left:
                return True
        return False

    def remaining(self, position, draft):
        return position & ~draft[0]

    def option_of(self, position, draft):
        left = self.lamps(self.remaining(position, draft))
        for option in self.options(position):
            if self.lamps(option) == left:
                return option
        return None

    def cursor(self, draft):
        return _masks(1 << draft[1]) if draft[1] > _NONE else None


def _masks(lamps):
    return tuple([lamps >> row * board.LAMPS & board.FULL for row in range(board.ROWS)])


def hidden(light):
    """Return -2 - n, a hidden light for lamp n. This function is its own inverse."""
    return -2 - light


def lamp_at(row, column):
    """Return the index of a lamp's bit in a position."""
    return row * board.LAMPS + column
