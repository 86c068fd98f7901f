"""The settings: one table of names, defaults and allowed values. Loaded at the start, and whenever
one is set. The show needs only the values.

Times are in milliseconds. A tuple allows one of its words, a list allows some of its words, with
commas between them, and a range allows a number in it.
"""

from nimatron import games, opponent
from nimatron.protocol import Refused, whole_number

RULES = ("misere", "normal")
DISPLAYS = ("matrix", "shift", "pixels")
# The historical machines. How they play is in machines.py, which the start does not load.
MACHINES = (
    "android-1978",
    "dr-nim-1966",
    "marienbad-1961",
    "maxson-1952",
    "nimatron-1940",
    "nimrod-1951",
    "redheffer-1941",
    "tinkertoy",
)
OWN = "own"  # the rule set's own openings
SECOND, MINUTE = 1000, 60_000
_ECHO = 40  # characters of a wrong value to repeat in the answer

_GAMES = games.names()

TABLE = (
    # name, default, allowed
    ("game", "nim", _GAMES),
    ("games", ",".join(_GAMES), list(_GAMES)),
    ("rule", "misere", RULES),
    ("level", "perfect", opponent.NAMES),
    ("levels", ",".join(opponent.NAMES), list(opponent.NAMES)),
    ("players", 1, range(1, 7)),
    ("openings", OWN, (OWN,) + MACHINES),
    ("working", "off", ("off", "slow", "step")),
    ("mute", 0, range(0, 2)),
    ("display", "matrix", DISPLAYS),
    ("brightness", 100, range(5, 101)),
    ("think_ms", 2 * SECOND, range(0, 10 * SECOND + 1)),
    ("lamp_ms", 400, range(50, 2 * SECOND + 1)),
    ("idle_ms", MINUTE, range(15 * SECOND, 10 * MINUTE + 1)),
    ("warning_ms", 10 * SECOND, range(1 * SECOND, 10 * SECOND + 1)),
    ("verdict_ms", 8 * SECOND, range(2 * SECOND, MINUTE + 1)),
    ("attract_ms", 250, range(50, SECOND + 1)),
    ("coin_ms", 120, range(20, 501)),
    ("hold_ms", 600, range(200, 3 * SECOND + 1)),
    ("settle_ms", 25, range(5, 101)),
    ("maintenance_ms", 10 * MINUTE, range(MINUTE, 24 * 60 * MINUTE + 1)),
    ("stuck_ms", 30 * SECOND, range(5 * SECOND, 5 * MINUTE + 1)),
)


class Settings:
    """The settings in force, each an attribute, with the defaults at first. See `defaults`.

    `saved` has the values for flash: the changed settings, and any unknown ones from flash, which
    may belong to later firmware. `changed` are the settings that differ from their defaults.

    It has no methods: any would keep the whole table in a Pico's memory.
    """


def defaults():
    """New Settings."""
    settings = Settings()
    settings.saved = {}
    settings.changed = {}
    for name, default, _ in TABLE:
        setattr(settings, name, default)
    return settings


def load(settings, saved):
    """Load saved values. Returns a Refused for each value that is not valid."""
    problems = []
    settings.saved = saved
    for name, _, _ in TABLE:
        if name in saved:
            value = saved[name]
            if isinstance(value, (dict, list)):
                value = type(value).__name__
            try:
                _change(settings, name, str(value))
            except Refused as why:
                problems.append(why)
    return problems


def change(settings, name, text):
    """Set one from typed text.

    If the text is not allowed, raises Refused with the allowed values, and keeps the old value.
    """
    _change(settings, name, text)
    settings.saved[name] = getattr(settings, name)


def _change(settings, name, text):
    default, allowed = find(name)
    value = whole_number(text) if isinstance(allowed, range) else text
    if not _allows(allowed, value):
        text = text[:_ECHO]
        why = "%s is %s, not %s" % (name, describe(allowed), text)
        if isinstance(allowed, range):
            limits = ("min", allowed[0]), ("max", allowed[-1])
            raise Refused("out-of-range", why, ("key", name), *limits + (("got", text),))
        raise Refused("not-allowed", why, ("key", name), ("got", text))
    setattr(settings, name, value)
    settings.changed[name] = value
    if value == default:
        del settings.changed[name]


def _allows(allowed, value):
    if isinstance(allowed, range):
        return allowed[0] <= value <= allowed[-1]  # `in` takes MicroPython 2 us for each number
    some = value.split(",") if isinstance(allowed, list) else (value,)
    return all([one in allowed for one in some])


def find(name):
    """The default and the allowed values of a setting. Raises Refused if none exists."""
    for known, default, allowed in TABLE:
        if known == name:
            return default, allowed
    name = name[:_ECHO]
    raise Refused("unknown-setting", "no setting is called %s" % name, ("got", name))


def describe(allowed):
    """The allowed values in words."""
    if isinstance(allowed, list):
        return "some of " + " ".join(allowed)
    if isinstance(allowed, tuple):
        return " or ".join(allowed)
    return "%d to %d" % (allowed[0], allowed[-1])


def facts(settings, name):
    """The (key, value) pairs that describe a setting. Raises Refused if none exists."""
    default, allowed = find(name)
    value = getattr(settings, name)
    return (("key", name), ("value", value), ("default", default), ("allowed", describe(allowed)))
