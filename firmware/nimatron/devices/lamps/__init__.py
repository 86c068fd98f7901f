"""The lamps: a driver for each kind of display, and their common interface.

A driver is created from the settings, and starts dark. show(masks) lights the lamps in the row
masks, at `settings.brightness` percent, until the next call. Bit 0 is the leftmost lamp. If you
show the same masks again, the driver applies a new brightness and repairs a picture that a spike
on a cable has corrupted. Call check() about once a second. It raises RuntimeError if the refresh
has stopped. `frames` is "alive" if the last check of the refresh passed, "none" if the lamps hold
their picture without a refresh, and "unknown" before the first check. `wired` is True if a Probe
can measure the lamps.
"""


def driver(settings):
    """Return the driver for `settings.display`: the class Lamps in the file with that name. Only
    this file is imported, to save memory."""
    name = __name__ + "." + settings.display
    return __import__(name, None, None, ("Lamps",)).Lamps(settings)
