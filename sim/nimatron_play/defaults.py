"""The defaults that differ from the firmware's, for a Pico whose only panel is a web page."""

from nimatron.opponent import EQUALIZER

# On a page, visitors need time to read the result, to find the move that would have won, and to
# answer the warning (20 s in WCAG 2.2.1). A new visitor's machine makes one mistake in each match.
DEFAULTS = {"verdict_ms": 45_000, "warning_ms": 20_000, "level": EQUALIZER}

VOLUMES = range(0, 11)  # the allowed volumes of a page
VOLUME = 6
