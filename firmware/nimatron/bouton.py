"""Nim solved: Bouton's theory in integers, for any number of heaps of any size.

C. L. Bouton, "Nim, a game with a complete mathematical theory", Annals of Mathematics 3 (1901).
A position is P when the previous player wins (the mover loses) and N when the next player wins.
A player who cannot move has lost in normal play and has won in misère play.
"""


def nim_sum(heaps):
    """The heaps added in binary without carrying."""
    total = 0
    for n in heaps:
        if n < 0:
            raise ValueError("a heap of %d: a heap has 0 or more" % n)
        total ^= n
    return total


def mex(values):
    """The least number, from 0, that is not in a set. If the set holds the Grundy values of a
    position's options, this is the position's own (Sprague 1935, Grundy 1939)."""
    least = 0
    while least in values:
        least += 1
    return least


def is_p(heaps, misere=True):
    """True if the mover loses against best play.

    In normal play that is so if the nim-sum is 0. Misère play is the same while some heap holds
    two or more. With ones only, an odd number of them loses. The nim-sum of ones is their parity.
    """
    total = nim_sum(heaps)
    return total == (misere and max(heaps, default=0) < 2)


def winning_moves(heaps, misere=True):
    """Every move (index of the heap, how many to take) after which the other player loses.

    Only one size of a heap leaves a P-position: the heap XORed with the nim-sum. In misère play,
    if no other heap has two or more, the move must leave an odd number of ones instead of an even
    one: that flips the last bit of the size.
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
