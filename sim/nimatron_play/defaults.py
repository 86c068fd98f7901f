"""The defaults for a Pico whose only panel is a web page, if they differ from the firmware's
defaults."""

from nimatron.opponent import EQUALIZER

# On a page, visitors need time to read the result and to find the move that would have won. A new
# visitor's machine makes one mistake in each match.
DEFAULTS = {"verdict_ms": 45_000, "level": EQUALIZER}

VOLUMES = range(0, 11)  # the allowed volumes of a page
VOLUME = 6
