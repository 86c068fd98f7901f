"""What every rule set is: the one interface between a game and everything that plays it.

A position is a tuple or an int that a match only ever hands back; an option is a position that one
move leaves. What the player picks before GO is a draft, just as private. Games of heaps and of
boards have their own bases, heaps.HeapGame and boards.BoardGame, with everything that people see
and press; a rule set then says its options and who wins, and inherits the rest.
"""


class Game:
    name = None  # given by the registry
    sentence = ""  # the rule in one sentence, for whoever has never heard of it
    how = ""  # what the buttons do, in one more
    last, last_done = "puts out the last lamp", "put out the last lamp"  # what decides the match
    rules = ("misere", "normal")  # who makes the last move loses, or wins
    solved = "rule"  # how is_p knows: rule, nimbers, table or search
    theory = ""  # what it knows, in one sentence
    openings = ()  # positions to begin from, easy ones first

    # ------------------------------------------------------------------ the rules

    def options(self, position):
        """Every position that one move can leave, as a generator."""
        raise NotImplementedError

    def is_p(self, position, misere):
        """True if the mover loses against best play."""
        raise NotImplementedError

    def grundy(self, position):
        """The Grundy value, for normal play; None where nobody needs it."""
        return None

    def winning_options(self, position, misere):
        """The options after which the other player loses."""
        return [option for option in self.options(position) if self.is_p(option, misere)]

    def resisting_options(self, position):
        """What to do in a lost position: the options that leave the most on the board."""
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
        """How it knows: (key, value) pairs, with what the console's `why` says."""
        facts = (
            ("solved", self.solved),
            ("outcome", "P" if self.is_p(position, misere) else "N"),
        )
        value = self.grundy(position)
        return facts if value is None else (("grundy", value),) + facts

    def steps(self, position, misere):
        """The working for those who watch: (row masks, (key, value) pairs) for each step."""
        return ()

    # ------------------------------------------------------------------ as people know them

    def size(self, position):
        """How much is on the board."""
        raise NotImplementedError

    def words(self, position):
        """A position as one word, as people type it."""
        raise NotImplementedError

    def parse(self, words):
        """The position that a list of words says; ValueError, in plain words, if they say none."""
        raise NotImplementedError

    def parse_option(self, words):
        """Like `parse`, but an empty board is allowed: what a move may leave."""
        raise NotImplementedError

    def padded(self, position):
        """`position` with the rows that nobody typed added as dark ones; nothing is checked."""
        return position

    def placed_on_panel(self, position):
        """`padded(position)`, checked: raises ValueError, a sentence for the user, if the panel
        has no room for it or no move is left."""
        raise NotImplementedError

    def describe_move(self, before, after):
        """What a move has done: (key, value) pairs."""
        raise NotImplementedError

    # ------------------------------------------------------------------ lamps and buttons

    def picture(self, position):
        """A mask for each row of lamps, bit 0 the leftmost."""
        raise NotImplementedError

    def empty_draft(self, position):
        """The draft of somebody who has not picked anything."""
        raise NotImplementedError

    def press(self, position, draft, row):
        """The draft after a press of a row's button (from 0), or None if it means nothing."""
        raise NotImplementedError

    def long_press(self, position, draft, row):
        """The draft after the row's button has stayed down for `hold_ms`, or None if that means
        nothing."""
        return draft

    def picked_words(self, draft):
        """A draft as one word."""
        raise NotImplementedError

    def remaining(self, position, draft):
        """What is left on the board, to be shown and printed, while the draft is picked."""
        raise NotImplementedError

    def option_of(self, position, draft):
        """The option that a draft amounts to, or None if it is no move."""
        raise NotImplementedError

    def cursor(self, draft):
        """A mask for each row of the lamps that blink, or None."""
        return None

    def take(self, position, row, count):
        """The option in which `count` lamps of a row (from 0) have gone; ValueError if none is."""
        raise ValueError("this game has other moves, use play POSITION")
