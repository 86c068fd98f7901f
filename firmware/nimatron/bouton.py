"""Nim solved: Bouton's theory in integers, for any number of heaps of any size.

C. L. Bouton, "Nim, a game with a complete mathematical theory", Annals of Mathematics 3 (1901).
A position is P when the previous player wins (the mover loses) and N when the next player wins.
Who cannot move has lost in normal play and has won in misère play.
"""


def nim_sum(heaps):
    """The heaps added in binary without carrying."""
    total = 0
    for n in heaps:
        if n < 0:
            raise ValueError("a heap of %d, a heap has 0 or more" % n)
        total ^= n
    return total


def mex(values):
    """The least number from 0 on that is not among a set: the Grundy value of a position whose
    options have these (Sprague 1935, Grundy 1939)."""
    least = 0
    while least in values:
        least += 1
    return least


def is_p(heaps, misere=True):
    """True if the mover loses against best play.

    Normal play: the nim-sum is 0. Misère play is the same while some heap holds two or more; with
    ones only, an odd number of them loses. The nim-sum of ones is their parity.
    """
    total = nim_sum(heaps)
    return total == (misere and max(heaps, default=0) < 2)


def winning_moves(heaps, misere=True):
    """Every move (index of the heap, how many to take) after which the other player loses.

    Each heap has one size that would leave a P-position: its share of the nim-sum. In misère play
    the ones must be left the other way round, odd, once no other heap has two or more: that is the
    last bit of the nim-sum turned over.
    """
    total = large = 0
    for n in heaps:
        total ^= n
        if n > 1:
            large += 1
    if misere and large < 2:
        total ^= 1
    moves = []
    if total:
        i = 0  # enumerate would make a tuple for each heap
        for n in heaps:
            target = n ^ total
            if target < n:
                moves.append((i, n - target))
            i += 1
    return moves
