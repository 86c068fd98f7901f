"""Historical machines, as settings.

Similar machines differ only in their openings, their rule or their pace.
"""

# The defaults for everything that is unknown about a machine.
_USUAL = {
    "game": "nim",
    "rule": "normal",
    "level": "perfect",
    "players": "1",
    "think_ms": "2000",
    "working": "off",
}

# name: the differences from the defaults, and any known openings. settings.py lists the other
# names.
MACHINES = {
    "nimrod-1951": ({"working": "slow"}, ((1, 3, 5, 7), (3, 4, 5, 6), (7, 7, 7, 6))),
    "marienbad-1961": ({"rule": "misere"}, ((7, 5, 3, 1),)),
    "dr-nim-1966": ({"game": "subtraction-3", "rule": "misere", "level": "equalizer"}, ((15,),)),
    "android-1978": ({}, ((7, 5, 3),)),
}

_NOTHING = ({}, ())


def settings(name):
    """Return all settings for the machine called `name`, as a dict of texts. They override any
    earlier settings."""
    values = dict(_USUAL)
    values.update(MACHINES.get(name, _NOTHING)[0])
    values["openings"] = name
    return values


def openings(name, game, seat):
    """Return the openings of a machine, or an empty list if it did not play `game` or if its
    openings are unknown."""
    if settings(name)["game"] != game:
        return []
    return [seat(rows) for rows in MACHINES.get(name, _NOTHING)[1]]
