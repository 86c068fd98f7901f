"""What somebody probably meant who mistyped a name. Loaded for one answer."""

import asyncio

from nimatron import games, loaded
from nimatron.board import BUTTONS
from nimatron.protocol import Refused

_NEAR = 2  # changes at most from what was typed to what is suggested
_INSERT, _REPLACE = 4, 5  # what a change costs


async def suggest(refused, commands):
    """The refusal with the name that was probably meant as `try`, if just one name is near enough
    to what was typed."""
    facts = dict(refused.facts)
    names = commands if refused.reason == "unknown-command" else _known(refused.reason, facts)
    if not isinstance(names, (tuple, list)):  # a range of numbers
        return refused
    got = facts.get("got", "")
    name = await _nearest(got, names)
    text = str(refused)
    if names is commands:
        name = name or _without_hyphen(got, names)
        if name:
            text = text.partition(";")[0] + "; type " + name
    if not name:
        return refused
    others = [fact for fact in refused.facts if fact[0] != "try"]
    return Refused(refused.reason, text, *others + [("try", name)])


def _known(reason, facts):
    """The names that were to choose from."""
    if reason == "unknown-setting":
        return [row[0] for row in loaded("settings").TABLE]
    if reason == "unknown-machine":
        return loaded("machines").NAMES
    if reason == "unknown-game":
        return games.names()
    if reason == "unknown-button":
        return BUTTONS
    if "key" in facts:
        return loaded("settings").find(facts["key"])[1]
    return ()


def _without_hyphen(typed, commands):
    """help take for help-take; None unless it begins with a command."""
    verb, _, rest = _folded(typed).partition("_")
    return verb + " " + rest if rest and verb in commands else None


async def _nearest(typed, names):
    """The one name that is nearest to what was typed, None if none or several are near enough.

    Only those that begin alike: all of them would take a Pico 0.1 s.
    """
    typed = _folded(typed)
    changes = min(_NEAR, len(typed) // 2)
    near, least = None, changes * _REPLACE + 1
    for name in names:
        if name[0] == typed[:1] and abs(len(name) - len(typed)) <= changes:
            cost = await distance(typed, _folded(name))
            if cost < least:
                near, least = name, cost
            elif cost == least:
                near = None
    return near


def _folded(name):
    return name.lower().replace("-", "_")


async def distance(a, b):
    """The least cost of getting from one text to the other, one character at a time. To forget
    one is the usual mistake, so a character more or less costs a little less than another one.

    Other tasks get a turn after each row: a cell takes a Pico 0.2 ms."""
    row = [_INSERT * j for j in range(len(b) + 1)]
    for i in range(len(a)):
        await asyncio.sleep_ms(0)
        before, row[0] = row[0], _INSERT * (i + 1)
        for j in range(len(b)):
            cost = before if a[i] == b[j] else before + _REPLACE
            before = row[j + 1]
            row[j + 1] = min(cost, before + _INSERT, row[j] + _INSERT)
    return row[-1]
