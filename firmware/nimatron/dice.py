"""Repeatable random numbers. The same seed gives the same rolls on every backend.

This is Park and Miller's minimal standard generator with the multiplier 48271 (Communications of
the ACM 36:7, 1993). MicroPython's own generator differs between ports.
"""

MODULUS = 0x7FFFFFFF
MULTIPLIER = 48271


class Dice:
    def __init__(self, seed=1):
        self.seed(seed)

    def seed(self, number):
        """Start again from `number`, any integer. It determines all later rolls."""
        self.state = number % (MODULUS - 1) + 1
        self.roll(1)  # similar seeds have similar first states

    def roll(self, sides):
        """Return a number from 0 to sides - 1."""
        self.state = self.state * MULTIPLIER % MODULUS
        return (self.state >> 8) % sides

    def pick(self, items):
        """Return one of `items`, a list."""
        return items[self.roll(len(items))]
