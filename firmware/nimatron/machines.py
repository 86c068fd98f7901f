"""Machines of history, as settings.

A machine said to be like another differs only in its openings, its rule or its pace.
"""

# How a machine plays unless something else is known of it.
_USUAL = {
    "game": "nim",
    "rule": "normal",
    "level": "perfect",
    "players": "1",
    "think_ms": "2000",
    "working": "off",
}

# name: what differs from that, and the openings if known. settings.py has the other names.
MACHINES = {
    "nimrod-1951": ({"working": "slow"}, ((1, 3, 5, 7), (3, 4, 5, 6), (7, 7, 7, 6))),
    "marienbad-1961": ({"rule": "misere"}, ((7, 5, 3, 1),)),
    "dr-nim-1966": ({"game": "subtraction-3", "rule": "misere", "level": "equalizer"}, ((15,),)),
    "android-1978": ({}, ((7, 5, 3),)),
}

_NOTHING = ({}, ())


def settings(name):
    """All settings of this machine, as text by their names. They override any earlier ones."""
    values = dict(_USUAL)
    values.update(MACHINES.get(name, _NOTHING)[0])
    values["openings"] = name
    return values


def openings(name, game, seat):
    """The openings of a machine, or none if it did not play this game or they are unknown."""
    if settings(name)["game"] != game:
        return []
    return [seat(rows) for rows in MACHINES.get(name, _NOTHING)[1]]
