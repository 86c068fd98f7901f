"""Repeatable chance: the same seed gives the same rolls on every tier.

Park and Miller's minimal standard generator with the multiplier 48271 (Communications of the ACM
36:7, 1993): MicroPython's own differs between ports.
"""

MODULUS = 0x7FFFFFFF
MULTIPLIER = 48271


class Dice:
    def __init__(self, seed=1):
        self.seed(seed)

    def seed(self, number):
        """Begin again from any integer. All later rolls follow from `state`."""
        self.state = number % (MODULUS - 1) + 1
        self.roll(1)  # neighbouring seeds have neighbouring first states

    def roll(self, sides):
        """A number from 0 to sides - 1."""
        self.state = self.state * MULTIPLIER % MODULUS
        return (self.state >> 8) % sides

    def pick(self, items):
        """One of the items of a list."""
        return items[self.roll(len(items))]
