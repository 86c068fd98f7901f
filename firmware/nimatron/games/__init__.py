"""The rule sets, by name. A new game is a file in this folder and a line here.

A rule set is imported at its first use, because a Pico plays one game at a time.
"""

import sys

from nimatron.protocol import Refused

_ECHO = 40  # characters of a wrong name that the answer repeats
_TABLES = __name__ + ".tables"

# A line for each rule set, in the order of NEW: its name, its module in this folder and its class.
# Tuples of these words would take another 3 kB of a Pico's memory.
_GAMES = """\
nim nim Nim
subtraction-3 subtraction Subtraction
say-21 subtraction Counting
wythoff wythoff Wythoff
fibonacci fibonacci Fibonacci
square square Square
kayles kayles Kayles
circular-18 circular Circular
chomp chomp Chomp
tactix nim_2d Nim2d
runs runs Runs
grundy grundy Grundy
greedy greedy Greedy
same-number same_number SameNumber
index-2 index Index
index-2-1 index BoundedIndex
building building Building
candy candy Candy"""


def names():
    """Return a tuple with the names of all rule sets."""
    # No partition, which makes three strings. MicroPython compares each with all its known
    # strings.
    return tuple([line[: line.find(" ")] for line in _GAMES.split("\n")])


def find(name):
    """Return the rule set called `name`. Raises Refused with all names if the name is unknown."""
    game = load(name)()
    game.name = name
    return game


def load(name):
    """Import the rule set called `name` and return its class. Raises Refused."""
    for line in _GAMES.split("\n"):
        if line.startswith(name + " "):
            _, module, kind = line.split()
            rules = __import__("nimatron.games." + module, None, None, (kind,))
            return getattr(rules, kind)
    name = name[:_ECHO]
    text = "no game is called %s: choose from %s" % (name, " ".join(names()))
    raise Refused("unknown-game", text, ("got", name))


def forget():
    """Free the memory of all rule sets. `find` imports a rule set again when it is needed."""
    played = [line.split()[1] for line in _GAMES.split("\n")]
    for name in list(sys.modules):
        folder, _, module = name.rpartition(".")
        if folder == _TABLES or folder == __name__ and module in played:
            del sys.modules[name]
            delattr(sys.modules[folder], module)
