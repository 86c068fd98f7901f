"""Games on heaps in which the lamps do not show the whole position."""

from nimatron.games.heaps import HeapGame
from nimatron.protocol import whole_number


class HeapGameWithState(HeapGame):
    """A game on heaps with state. A position is the counts and one more number, which no lamp
    shows. People type this number after a colon."""

    def counts(self, position):
        return position[:-1]

    def words(self, position):
        return "%s:%d" % (super().words(position), position[-1])

    def parse_option(self, words):
        said = " ".join(words).split(":")
        counts = super().parse_option(said[0].split())
        number = whole_number(":".join(said[1:])) if len(said) > 1 else self.unsaid(counts)
        if number < 0:
            raise ValueError("%d after the colon: it must be 0 or more" % number)
        return counts + (number,)

    def unsaid(self, counts):
        """Return the number to use if the person types no number."""
        raise NotImplementedError
