"""The base of every rule set: the one interface between a game and everything that plays it.

A position is a tuple or an int, which a match passes back without looking inside. An option is a
position that one move leaves. The player's pick before GO is a draft, just as opaque. Games on
heaps and on boards have their own bases, heaps.HeapGame and boards.BoardGame, with everything that
people see and press. A rule set then defines its options and who wins, and inherits the rest.
"""


class Game:
    name = ""  # set by the registry
    rules = ("misere", "normal")  # the player who makes the last move loses, or wins
    solved = "rule"  # how is_p decides: by rule, nimbers, table or search
    openings = ()  # positions to begin from, easy ones first
    whole = False  # the draft can only be given back as a whole
    prize = None  # the value of each lamp for the player who puts it out, if that is counted

    # ------------------------------------------------------------------ the rules

    def options(self, position):
        """Every position that one move can leave, as a generator."""
        raise NotImplementedError

    def is_p(self, position, misere):
        """True if the mover loses against best play."""
        raise NotImplementedError

    def grundy(self, position):
        """The Grundy value in normal play, or None if the game does not need it."""
        return None

    def winning_options(self, position, misere):
        """The options after which the other player loses."""
        return [option for option in self.options(position) if self.is_p(option, misere)]

    def resisting_options(self, position):
        """The options to choose from in a lost position: the options that leave the most on the
        board."""
        best, most = [], -1
        for option in self.options(position):
            size = self.size(option)
            if size > most:
                best, most = [], size
            if size == most:
                best.append(option)
        return best

    def any_option(self, position, dice):
        """One of the options, all equally likely."""
        number = dice.roll(sum([1 for _ in self.options(position)]))
        for option in self.options(position):
            if not number:
                return option
            number -= 1

    def over(self, position):
        """True if there is no move."""
        for _ in self.options(position):
            return False
        return True

    def working(self, position, misere):
        """The reason for its decision: (key, value) pairs for the console's `why`."""
        facts = (
            ("solved", self.solved),
            ("outcome", "P" if self.is_p(position, misere) else "N"),
        )
        value = None if misere else self.grundy(position)  # it would not decide misère play
        return facts if value is None else (("grundy", value),) + facts

    def steps(self, position, misere):
        """The working for spectators: (row masks, (key, value) pairs) for each step."""
        return ()

    # ------------------------------------------------------------------ as people know them

    def size(self, position):
        """How much is on the board."""
        raise NotImplementedError

    def words(self, position):
        """A position as one word, as people type it."""
        raise NotImplementedError

    def parse(self, words):
        """The position given by a list of words. Raises ValueError, with a plain message, if they
        give none."""
        raise NotImplementedError

    def parse_option(self, words):
        """Like `parse`, but an empty board is allowed, because a move can leave one."""
        raise NotImplementedError

    def padded(self, position):
        """`position`, padded with a dark row for each row not typed. Nothing is checked."""
        return position

    def placed_on_panel(self, position):
        """`padded(position)`, checked: raises ValueError, a sentence for the user, if the panel
        has no room for it or no move is left."""
        raise NotImplementedError

    def describe_move(self, before, after):
        """The effect of a move: (key, value) pairs."""
        raise NotImplementedError

    # ------------------------------------------------------------------ lamps and buttons

    def picture(self, position):
        """A mask for each row of lamps, bit 0 the leftmost."""
        raise NotImplementedError

    def empty_draft(self, position):
        """The draft of a player who has not picked anything."""
        raise NotImplementedError

    def press(self, position, draft, row):
        """The draft after a press of a row's button (from 0), or None if it has no meaning."""
        raise NotImplementedError

    def long_press(self, position, draft, row):
        """The draft after the row's button has been held for `hold_ms`, or None if that has no
        meaning."""
        return draft

    def picked_words(self, draft):
        """A draft as one word."""
        raise NotImplementedError

    def draft_of(self, position, left):
        """The draft while which `left` remains, or None if no move takes these lamps, and
        possibly more. If `left` is the position, nothing is picked. Only what lamps show counts,
        not the state besides."""
        raise NotImplementedError

    def remaining(self, position, draft):
        """The board, for showing and printing, while the draft is picked."""
        raise NotImplementedError

    def option_of(self, position, draft):
        """The option that a draft amounts to, or None if it is not a move."""
        raise NotImplementedError

    def cursor(self, draft):
        """The lamps that blink, as a mask for each row, or None."""
        return None

    def take(self, position, row, count):
        """The option without `count` lamps of a row (from 0). Raises ValueError if none exists."""
        raise ValueError("this game has other moves: use play POSITION")
