"""Multisets of whole numbers, counted: heaps whose order does not matter have one number each.

So a table has one bit for each position that differs, and nothing between them.
"""


class Partitions:
    """The multisets of numbers of `least` and more whose sum is `most` or less."""

    def __init__(self, least, most):
        self._width = width = most + 1
        # At s * width + k: how many have the sum s or less and none above k.
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
        """The number of a multiset, from 0 to size - 1. First come those whose largest part is
        smaller, then those with the same whose rest comes first."""
        number, left = 0, self.most * self._width
        for part in sorted(parts, reverse=True):
            number += self._counts[left + part - 1]
            left -= part * self._width
        return number
