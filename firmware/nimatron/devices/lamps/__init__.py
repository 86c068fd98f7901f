"""The lamps: one driver for each display that can be wired up, and the seam in front of them.

A driver is made from the settings, dark. show(masks) lights the lamps of the row masks, bit 0 the
leftmost lamp, at `settings.brightness` percent, until told otherwise. To show the same masks again
takes a new brightness over, and repairs what a spike on a cable has spoilt. check(), to be called
about once a second, raises RuntimeError if what refreshes the lamps has stopped.
"""


def driver(settings):
    """The driver of `settings.display`, which is the class Lamps in the file of that name; the
    others take no memory."""
    name = __name__ + "." + settings.display
    return __import__(name, None, None, ("Lamps",)).Lamps(settings)
