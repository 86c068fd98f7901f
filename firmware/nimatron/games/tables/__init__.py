"""Tables of the games that have no simple rule: a bit for each position, 1 if the mover loses."""


def bit(table, number):
    """True if the bit of this number is set."""
    return table[number >> 3] >> (number & 7) & 1 == 1
