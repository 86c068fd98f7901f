"""Numbers, 0 to 329, for up to four heaps of 0 to 7 whose order does not matter.

A table has one bit for each: bit number % 8 of byte number // 8.
"""

# How many come before each count of the smallest heap, the second, the third and the largest.
_BELOW = (
    (0, 1, 2, 3, 4, 5, 6, 7),
    (0, 1, 3, 6, 10, 15, 21, 28),
    (0, 1, 4, 10, 20, 35, 56, 84),
    (0, 1, 5, 15, 35, 70, 126, 210),
)


def rank(heaps):
    """The number of these heaps, among all positions with as many heaps."""
    number = 0
    for below, n in zip(_BELOW, sorted(heaps)):
        number += below[n]
    return number


def has(table, heaps):
    """True if the bit of these heaps is set."""
    number = rank(heaps)
    return table[number >> 3] >> (number & 7) & 1 == 1
