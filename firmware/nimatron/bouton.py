"""Nim solved: Bouton's theory in integers, for any number of heaps of any size.

C. L. Bouton, "Nim, a game with a complete mathematical theory", Annals of Mathematics 3 (1901).
A position is P if the previous player wins, so that the mover loses. It is N if the next player
wins. A player who cannot move has lost in normal play and has won in misère play.
"""


def nim_sum(heaps):
    """Return the sum of the heaps in binary, added without carrying."""
    total = 0
    for n in heaps:
        if n < 0:
            raise ValueError("a heap of %d: a heap has 0 or more" % n)
        total ^= n
    return total


def mex(values):
    """Return the least number, from 0, that is not in the set `values`. If the set contains the
    Grundy values of a position's options, the result is the Grundy value of the position (Sprague
    1935, Grundy 1939)."""
    least = 0
    while least in values:
        least += 1
    return least


def is_p(heaps, misere=True):
    """Return True if the mover loses against best play.

    In normal play, the mover loses if the nim-sum is 0. The same rule holds in misère play while
    some heap has two or more lamps. If all heaps have one lamp, the mover loses if the number of
    heaps is odd, so the nim-sum is 1.
    """
    total = nim_sum(heaps)
    return total == (misere and max(heaps, default=0) < 2)


def winning_moves(heaps, misere=True):
    """Return every move after which the other player loses, as (index of a heap, count to take).

    Only one new size of a heap leaves a P-position: the old size XORed with the nim-sum. In misère
    play, if no other heap has two or more lamps, the move must leave an odd number of heaps of one
    instead of an even number. To do this, flip the last bit of the usual new size.
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
        i = 0  # no enumerate, which would make a tuple for each heap
        for n in heaps:
            target = n ^ total
            if target < n:
                moves.append((i, n - target))
            i += 1
    return moves
