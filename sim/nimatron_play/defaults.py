"""The defaults of a Pico whose only panel is a page, where the firmware has different ones."""

# On a page the result, the lesson and the moves are read, and the visitor's choice lasts until the
# verdict is over.
DEFAULTS = {"verdict_ms": 45_000}

VOLUMES = range(0, 11)  # of a page
VOLUME = 6
