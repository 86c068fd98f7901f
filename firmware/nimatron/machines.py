"""Machines of history, as settings: what is known of how each played.

A machine that is said to be like another differs in its openings, its rule or its pace only.
"""

OWN = "own"  # the openings that the rule set itself has

# What a machine plays like where nothing else is known of it.
_USUAL = {
    "game": "nim",
    "rule": "normal",
    "level": "perfect",
    "players": "1",
    "think_ms": "2000",
    "working": "off",
}

# name: what differs from that, the openings if they are known, what is known and what is not
MACHINES = {
    "nimatron-1940": (
        {},
        (),
        "Westinghouse; Condon, Tawney and Derr, US patent 2215544. New York World's Fair 1940. The"
        " visitor began, from one of nine openings; which nine is not known, these are our own.",
    ),
    "redheffer-1941": (
        {},
        (),
        "Redheffer's machine. Its heaps, openings and pace are not known to us.",
    ),
    "nimrod-1951": (
        {"working": "slow"},
        ((1, 3, 5, 7), (3, 4, 5, 6), (7, 7, 7, 6)),
        "Ferranti, Festival of Britain. Four heaps of up to seven, normal or reverse rules; a"
        " panel showed the working, slowly or step by step. Its openings are not known;"
        " these are ours.",
    ),
    "maxson-1952": (
        {},
        (),
        "Koppel, Grant and Bailer at Maxson; 23 kg. Its openings and rule are not known to us.",
    ),
    "marienbad-1961": (
        {"rule": "misere"},
        ((7, 5, 3, 1),),
        "Last Year at Marienbad, the film: rows of 7, 5, 3 and 1, who takes the last one loses."
        " Whoever begins has lost.",
    ),
    "dr-nim-1966": (
        {"game": "subtraction-3", "rule": "misere", "level": "equalizer"},
        ((15,),),
        "Dr. Nim: one pile of 15 marbles, take 1 to 3, the last one loses; its equalizer makes the"
        " machine slip once.",
    ),
    "tinkertoy": (
        {},
        (),
        "Cohen's machine of Tinkertoy. What it played and how is not known to us.",
    ),
    "android-1978": (
        {},
        ((7, 5, 3),),
        "Android Nim: rows of 7, 5 and 3, the last one wins.",
    ),
}

NAMES = tuple(sorted(MACHINES))


def settings(name):
    """All the settings, as text by their names, that make a machine of it, whatever was before."""
    values = dict(_USUAL)
    values.update(MACHINES[name][0])
    values["openings"] = name
    return values


def openings(name, game, seat):
    """The openings of a machine, if it played this game and they are known; else none."""
    if name == OWN or settings(name)["game"] != game:
        return []
    return [seat(rows) for rows in MACHINES[name][1]]
