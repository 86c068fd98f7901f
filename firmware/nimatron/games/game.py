"""The base of every rule set, and the only interface between a game and the code that plays it.

A position is a tuple or an int. A match passes it back without reading it. An option is a position
that you can reach with one move. The player's pick before GO is called a draft. A match does not
read drafts either. Games on heaps and games on boards have their own bases, heaps.HeapGame and
boards.BoardGame, which define the lamps and the buttons. A rule set then defines its options and
who wins, and inherits the rest.
"""


class Game:
    name = ""  # set by the registry
    rules = ("misere", "normal")  # the player who makes the last move loses, or wins
    solved = "rule"  # the method of is_p: rule, nimbers, table or search
    openings = ()  # positions at the start of a match, easy ones first
    whole = False  # True if the draft can only be given back as a whole
    prize = None  # the value of a lamp for the player who puts it out, or None

    # ------------------------------------------------------------------ the rules

    def options(self, position):
        """Return a generator of every position that one move can reach."""
        raise NotImplementedError

    def is_p(self, position, misere):
        """Return True if the mover loses against best play."""
        raise NotImplementedError

    def grundy(self, position):
        """Return the Grundy value in normal play, or None if the game does not need it."""
        return None

    def winning_options(self, position, misere):
        """Return the options after which the other player loses."""
        return [option for option in self.options(position) if self.is_p(option, misere)]

    def resisting_options(self, position):
        """Return the best options in a lost position, which leave the most on the board."""
        best, most = [], -1
        for option in self.options(position):
            size = self.size(option)
            if size > most:
                best, most = [], size
            if size == most:
                best.append(option)
        return best

    def any_option(self, position, dice):
        """Return one of the options, all equally likely."""
        number = dice.roll(sum([1 for _ in self.options(position)]))
        for option in self.options(position):
            if not number:
                return option
            number -= 1

    def over(self, position):
        """Return True if there is no move."""
        for _ in self.options(position):
            return False
        return True

    def working(self, position, misere):
        """Return (key, value) pairs with the reason for the decision in `is_p`, for the `why`
        command.
        """
        facts = (
            ("solved", self.solved),
            ("outcome", "P" if self.is_p(position, misere) else "N"),
        )
        value = None if misere else self.grundy(position)  # it does not decide misère play
        return facts if value is None else (("grundy", value),) + facts

    def steps(self, position, misere):
        """Return the working for spectators: (row masks, (key, value) pairs) for each step."""
        return ()

    # ------------------------------------------------------------------ as people know them

    def size(self, position):
        """Return a measure of how much is on the board."""
        raise NotImplementedError

    def words(self, position):
        """Return a position as one word, in the form that people type."""
        raise NotImplementedError

    def parse(self, words):
        """Return the position in `words`, a list. Raises ValueError with a message for people if
        the words are not a position."""
        raise NotImplementedError

    def parse_option(self, words):
        """Return the position in `words` like `parse`, but also accept an empty board, because a
        move can take the last lamp."""
        raise NotImplementedError

    def padded(self, position):
        """Return `position` with a dark row for each missing row, without any check."""
        return position

    def placed_on_panel(self, position):
        """Return `padded(position)`. Raises ValueError with a sentence for the user if the panel
        has no room for the position or no move is left."""
        raise NotImplementedError

    def describe_move(self, before, after):
        """Return the effect of a move as (key, value) pairs."""
        raise NotImplementedError

    # ------------------------------------------------------------------ lamps and buttons

    def picture(self, position):
        """Return a mask for each row of lamps, with bit 0 for the leftmost lamp."""
        raise NotImplementedError

    def empty_draft(self, position):
        """Return the draft of a player who has not picked anything."""
        raise NotImplementedError

    def press(self, position, draft, row):
        """Return the draft after the button of `row` is pressed, or None if this has no effect.
        Rows are counted from 0."""
        raise NotImplementedError

    def long_press(self, position, draft, row):
        """Return the draft after the button of `row` is held for `hold_ms`, or None if this has no
        effect."""
        return draft

    def picked_words(self, draft):
        """Return a draft as one word."""
        raise NotImplementedError

    def draft_of(self, position, left):
        """Return the draft that leaves `left`, or None if no move takes all the other lamps. If
        `left` is the position itself, the draft is empty. Only the lamps of `left` count, not its
        other state.
        """
        raise NotImplementedError

    def remaining(self, position, draft):
        """Return the board to show and print while the draft is picked."""
        raise NotImplementedError

    def option_of(self, position, draft):
        """Return the option that `draft` makes, or None if it is not a move."""
        raise NotImplementedError

    def cursor(self, draft):
        """Return the blinking lamps as a mask for each row, or None if no lamp blinks."""
        return None

    def take(self, position, row, count):
        """Return the option that takes `count` lamps from `row`, counted from 0. Raises ValueError
        if this is not a move."""
        raise ValueError("this game has other moves: use play POSITION")
