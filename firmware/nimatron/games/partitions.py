"""Numbers for multisets of whole numbers, that is, for heaps whose order does not matter.

They are consecutive, so a table needs just one bit per distinct position.
"""


class Partitions:
    """The multisets of numbers from `least` up whose sum is at most `most`."""

    def __init__(self, least, most):
        self._width = width = most + 1
        # At s * width + k: how many have a sum of at most s and no part above k.
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
        """The number of a multiset, from 0 to size - 1. They are ordered by their largest part,
        then by the rest in the same way."""
        number, left = 0, self.most * self._width
        for part in sorted(parts, reverse=True):
            number += self._counts[left + part - 1]
            left -= part * self._width
        return number
