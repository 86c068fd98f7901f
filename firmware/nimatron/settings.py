"""The settings: one table of names, defaults, allowed values and what they mean.

Times are in milliseconds. A choice allows one of the words of a tuple, a choice of many some of
the words of a list, with commas between them, and a number an inclusive range.
"""

from nimatron import games, machines, opponent
from nimatron.numbers import whole_number
from nimatron.protocol import Refused

RULES = ("misere", "normal")
DISPLAYS = ("matrix", "shift", "pixels")
SECOND, MINUTE = 1000, 60_000
_ECHO = 40  # characters of a wrong value that are repeated

TABLE = (
    # name, default, allowed, what it is
    ("game", "nim", games.NAMES, "the game that is played"),
    ("games", ",".join(games.PANEL), list(games.PANEL), "the games that holding NEW offers"),
    ("rule", "misere", RULES, "whether the last lamp loses (misere) or wins (normal)"),
    ("level", "perfect", opponent.NAMES, "how often the machine slips"),
    ("players", 1, range(1, 7), "1 plays the machine, 2 to 6 play each other"),
    ("openings", machines.OWN, (machines.OWN,) + machines.NAMES, "whose openings are offered"),
    ("working", "off", ("off", "slow", "step"), "the machine shows how it decides"),
    ("mute", 0, range(0, 2), "1 silences the sounder"),
    ("display", "matrix", DISPLAYS, "the lamps that are wired up, from the next start on"),
    ("brightness", 100, range(5, 101), "of the lamps, in percent"),
    ("think_ms", 2 * SECOND, range(0, 10 * SECOND + 1), "how long the machine thinks"),
    ("lamp_ms", 400, range(50, 2 * SECOND + 1), "between two of the machine's lamps"),
    (
        "idle_ms",
        MINUTE,
        range(15 * SECOND, 10 * MINUTE + 1),
        "without a press before the match ends",
    ),
    (
        "warning_ms",
        10 * SECOND,
        range(1 * SECOND, 10 * SECOND + 1),
        "warning before the match ends",
    ),
    ("verdict_ms", 8 * SECOND, range(2 * SECOND, MINUTE + 1), "how long the result is shown"),
    ("attract_ms", 250, range(50, SECOND + 1), "between two attract pictures"),
    ("coin_ms", 120, range(20, 501), "how long the coin chute opens"),
    ("hold_ms", 600, range(200, 3 * SECOND + 1), "a longer press counts as holding"),
    ("settle_ms", 25, range(5, 101), "open this long, a button is released"),
    (
        "maintenance_ms",
        10 * MINUTE,
        range(MINUTE, 60 * MINUTE + 1),
        "untouched so long, maintenance ends",
    ),
    ("stuck_ms", 30 * SECOND, range(5 * SECOND, 5 * MINUTE + 1), "held longer, a button is stuck"),
)


class Settings:
    """Each setting is an attribute; `set` is the only way to change one.

    `saved` is what goes to flash: the settings that somebody has set, and whatever else was found
    there, which may be a later firmware's.
    """

    def __init__(self):
        self.saved = {}
        for name, default, _, _ in TABLE:
            setattr(self, name, default)

    def load(self, saved):
        """Take what was saved; returns what was wrong with it, a Refused for each value."""
        problems = []
        self.saved = saved
        for name, _, _, _ in TABLE:
            if name in saved:
                value = saved[name]
                if isinstance(value, (dict, list)):
                    value = type(value).__name__
                try:
                    self._set(name, str(value))
                except Refused as why:
                    problems.append(why)
        return problems

    def changed(self):
        """Those that are not what they are by default."""
        return {row[0]: getattr(self, row[0]) for row in TABLE if getattr(self, row[0]) != row[1]}

    def set(self, name, text):
        """Set one from the text a person typed.

        Raises Refused, saying what is allowed, and keeps the old value if the text is not.
        """
        self._set(name, text)
        self.saved[name] = getattr(self, name)

    def _set(self, name, text):
        _, allowed, _ = find(name)
        value = whole_number(text) if isinstance(allowed, range) else text
        some = value.split(",") if isinstance(allowed, list) else (value,)
        if not all([one in allowed for one in some]):
            text = text[:_ECHO]
            why = "%s is %s, not %s" % (name, describe(allowed), text)
            if isinstance(allowed, range):
                limits = ("min", allowed[0]), ("max", allowed[-1])
                raise Refused("out-of-range", why, ("key", name), *limits + (("got", text),))
            raise Refused("not-allowed", why, ("key", name), ("got", text))
        setattr(self, name, value)


def find(name):
    """Default, allowed values and meaning of a setting; Refused if there is none."""
    for known, default, allowed, about in TABLE:
        if known == name:
            return default, allowed, about
    name = name[:_ECHO]
    raise Refused("unknown-setting", "no setting is called %s" % name, ("got", name))


def describe(allowed):
    """The allowed values in words."""
    if isinstance(allowed, list):
        return "some of " + " ".join(allowed)
    if isinstance(allowed, tuple):
        return " or ".join(allowed)
    return "%d to %d" % (allowed[0], allowed[-1])
