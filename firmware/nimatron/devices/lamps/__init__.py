"""The lamps: one driver for each display that can be wired up, and the seam in front of them.

A driver is made from the settings, and starts dark. show(masks) lights the lamps of the row masks,
bit 0 the leftmost lamp, at `settings.brightness` percent, until told otherwise. Showing the same
masks again applies a new brightness, and repairs a picture that a spike on a cable has spoilt.
check(), to be called about once a second, raises RuntimeError if the refresh has stopped.
`frames` is "alive" if the last check of a refresh found it right, "none" if the lamps hold their
picture, and "unknown" before the first check. `wired` is True if a Probe can measure the lamps.
"""


def driver(settings):
    """The driver for `settings.display`: the class Lamps in the file of that name. Only that file
    is imported, to save memory."""
    name = __name__ + "." + settings.display
    return __import__(name, None, None, ("Lamps",)).Lamps(settings)
