"""The defaults for a Pico whose only panel is a web page, where they differ from the
firmware's."""

# On a page, visitors need time to read the result, the lesson and the moves. The visitor's choice
# lasts until the verdict ends.
DEFAULTS = {"verdict_ms": 45_000}

VOLUMES = range(0, 11)  # the allowed volumes of a page
VOLUME = 6
