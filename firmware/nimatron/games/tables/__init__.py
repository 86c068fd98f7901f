"""Tables of the games that have no simple rule. They contain a bit for each position, 1 if the
mover loses. The bit of position number n is bit n % 8 of byte n // 8.

Positions are numbered without gaps, so a table needs only one bit per position.
"""

# The number of positions before each count of the smallest, second, third and largest heap.
_BELOW = (
    (0, 1, 2, 3, 4, 5, 6, 7),
    (0, 1, 3, 6, 10, 15, 21, 28),
    (0, 1, 4, 10, 20, 35, 56, 84),
    (0, 1, 5, 15, 35, 70, 126, 210),
)


def bit(table, number):
    """Return True if the bit with this number is set."""
    return table[number >> 3] >> (number & 7) & 1 == 1


def rank(heaps):
    """Return the number, 0 to 329, of a position with up to four heaps of 0 to 7, whose order does
    not matter."""
    number = 0
    for below, n in zip(_BELOW, sorted(heaps)):
        number += below[n]
    return number


def has(table, heaps):
    """Return True if the bit of these heaps, up to four of 0 to 7, is set."""
    return bit(table, rank(heaps))


class Partitions:
    """Numbers for multisets, such as heaps whose order does not matter. Members are whole
    numbers of at least `least`, and their sum is at most `most`."""

    def __init__(self, least, most):
        self._width = width = most + 1
        # At s * width + k: the number of multisets with a sum up to s and parts up to k.
        self._counts = counts = [1] * (width * width)
        for total in range(width):
            for part in range(least, width):
                at = total * width + part
                counts[at] = counts[at - 1]
                if part <= total:
                    counts[at] += counts[at - part * width]
        self.most = most
        self.size = counts[-1]

    def rank(self, parts):
        """Return the number of a multiset, from 0 to size - 1. Multisets are ordered by their
        largest part, then by their second largest part, and so on."""
        number, left = 0, self.most * self._width
        for part in sorted(parts, reverse=True):
            number += self._counts[left + part - 1]
            left -= part * self._width
        return number
