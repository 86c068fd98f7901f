"""The settings, as a table of names, defaults and allowed values. The module is loaded at the
start and to change a setting. The show needs only the values.

Times are in milliseconds. A tuple allows one of its words. A list allows several of its words,
with commas between them. A range allows any number in the range.
"""

from nimatron import games, opponent
from nimatron.protocol import Refused, whole_number

RULES = ("misere", "normal")
DISPLAYS = ("matrix", "shift", "pixels")
# The historical machines. Their settings are in machines.py, which the start does not load.
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
_ECHO = 40  # characters of a wrong value that the answer repeats

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
    ("pixel_order", "grb", ("grb", "rgb")),
    ("brightness", 100, range(5, 101)),
    ("think_ms", 2 * SECOND, range(0, 10 * SECOND + 1)),
    ("lamp_ms", 400, range(50, 2 * SECOND + 1)),
    ("idle_ms", MINUTE, range(15 * SECOND, 10 * MINUTE + 1)),
    ("warning_ms", 10 * SECOND, range(1 * SECOND, MINUTE + 1)),
    ("verdict_ms", 8 * SECOND, range(2 * SECOND, MINUTE + 1)),
    ("attract_ms", 250, range(50, SECOND + 1)),
    ("coin_ms", 120, range(20, 251)),
    ("hold_ms", 600, range(200, 3 * SECOND + 1)),
    ("settle_ms", 25, range(5, 101)),
    ("maintenance_ms", 10 * MINUTE, range(MINUTE, 24 * 60 * MINUTE + 1)),
    ("stuck_ms", 30 * SECOND, range(5 * SECOND, 5 * MINUTE + 1)),
)


class Settings:
    """The current settings, each an attribute. `defaults` returns them with their default values.

    `saved` contains the values for flash: the changed settings, and unknown settings from flash,
    which may belong to later firmware. `changed` contains the settings that differ from their
    defaults.

    This class has no methods, because a method would keep the whole table in a Pico's memory.
    """


def defaults():
    """Return new Settings with the default values."""
    settings = Settings()
    settings.saved = {}
    settings.changed = {}
    for name, default, _ in TABLE:
        setattr(settings, name, default)
    return settings


def load(settings, saved):
    """Load saved values. Return a Refused for each value that is not valid."""
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
    """Set the setting called `name` from typed text.

    Raises Refused with the allowed values, and keeps the old value, if the text is not allowed.
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
        return allowed[0] <= value <= allowed[-1]  # `in` takes 2 us for each number in MicroPython
    some = value.split(",") if isinstance(allowed, list) else (value,)
    return all([one in allowed for one in some])


def find(name):
    """Return the default and the allowed values of a setting. Raises Refused if no setting is
    called `name`."""
    for known, default, allowed in TABLE:
        if known == name:
            return default, allowed
    name = name[:_ECHO]
    raise Refused("unknown-setting", "no setting is called %s" % name, ("got", name))


def describe(allowed):
    """Return the allowed values in words."""
    if isinstance(allowed, list):
        return "some of " + " ".join(allowed)
    if isinstance(allowed, tuple):
        return " or ".join(allowed)
    return "%d to %d" % (allowed[0], allowed[-1])


def facts(settings, name):
    """Return (key, value) pairs that describe a setting. Raises Refused for an unknown `name`."""
    default, allowed = find(name)
    value = getattr(settings, name)
    return (("key", name), ("value", value), ("default", default), ("allowed", describe(allowed)))
