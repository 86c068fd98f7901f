"""Explanations for a Pico's console, which answers in codes. They cover commands, games, settings,
historical machines, and mistyped names."""

import json
from collections.abc import Iterable
from pathlib import Path

from nimatron import games, protocol, settings
from nimatron import settings as table
from nimatron.board import BUTTONS
from nimatron.protocol import Refused
from nimatron_host.spelling import nearest
from nimatron_play import game_texts, words

_TEXTS = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
COMMANDS: dict[str, str] = _TEXTS["commands"]  # verb: the effect of the command
MACHINES: dict[str, str] = _TEXTS["machines"]  # name: the known and unknown facts about it


def explained(line: str) -> str:
    """Return a line from the console, with its meaning in words if it has one."""
    kind, what, facts = protocol.parse(line)
    if kind == protocol.ERROR:
        name = meant(facts)
        return f"{line} {protocol.format(('meant', name))}" if name else line
    about = _about(kind, what, facts)
    return f"{line} {protocol.format(('about', about))}" if about else line


def _about(kind: str, what: str, facts: dict[str, str]) -> str | None:
    plain = words.table(words.PLAIN)
    if what in ("usage", "help") and "usage" in facts:
        return COMMANDS.get(facts["usage"].split(" ")[0])
    if kind == protocol.OK and what == "key":
        return plain.get(f"setting.{facts['key']}")
    if kind == protocol.OK and what == "machine":
        return MACHINES.get(facts["machine"])
    if kind == protocol.OK and what == "game" and "openings" in facts:
        name = facts["game"]
        return plain.get(game_texts.rules(games.find(name))) if name in games.names() else None
    return None


def meant(refused: dict[str, str]) -> str | None:
    """Return the name that the user probably meant, from the facts in a refusal, or None."""
    got = refused.get("got", "").replace("_", "-")
    names = {name.replace("_", "-"): name for name in _known(refused)}
    near = nearest(got, list(names))
    return names[near[0]] if near else None


def _known(facts: dict[str, str]) -> Iterable[str]:
    """Return the known names of the refused kind."""
    if facts.get("reason") == "not-allowed":
        try:
            allowed = table.find(facts.get("key", ""))[1]
        except Refused:
            return ()
        return () if isinstance(allowed, range) else allowed
    return {
        "unknown-command": COMMANDS,
        "unknown-setting": [row[0] for row in table.TABLE],
        "unknown-game": games.names(),
        "unknown-machine": settings.MACHINES,
        "unknown-button": BUTTONS,
    }.get(facts.get("reason", ""), ())
