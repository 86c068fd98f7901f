"""The interface of `nimatron fleet`: each topic on the broker, what it carries, and which commands
it takes. docs/fleet.asyncapi.yaml says the same to programs; asyncapi.py writes it from this.
"""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from nimatron import opponent, settings
from nimatron.match import OUTCOMES
from nimatron.protocol import LONGEST

VERSION = 1  # of the interface: a change that breaks a reader gets a new one, and new topics
ROOT = f"nimatron/v{VERSION}"
ONLINE, OFFLINE = "online", "offline"
BRIDGE, OPERATOR = "bridge", "operator"  # who sends
QOS = 1  # of all: at least once

_TEXT = {"type": "string"}
_COUNT = {"type": "integer", "minimum": 0}
_VALUES = {"type": "object", "additionalProperties": _TEXT}
_LIST = {"type": "array", "items": _TEXT}
_NUMBERS = {"type": "array", "items": _COUNT}


def _object(**properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "required": list(properties), "properties": properties}


_PRESENCE = {"type": "string", "enum": [ONLINE, OFFLINE]}
_SPOOLED: dict[str, dict[str, Any]] = {
    "seq": {"type": "integer", "minimum": 1},
    "spool": _TEXT,
    "at": {"type": "string", "format": "date-time"},
}


@dataclass(frozen=True)
class Topic:
    """A kind of topic. address: below ROOT, with its variable levels in braces. schema: the JSON
    Schema of its payload; plain text for one of type string."""

    address: str
    sender: str
    retained: bool
    about: str
    schema: dict[str, Any] = field(hash=False)

    @property
    def pattern(self) -> str:
        """The address as a whole, as AsyncAPI writes it."""
        return f"{ROOT}/{self.address}"


TOPICS = {
    "bridge": Topic(
        "bridge/{bridge}/status",
        BRIDGE,
        True,
        "Whether the bridge runs; its last will says offline.",
        _PRESENCE,
    ),
    "figures": Topic(
        "bridge/{bridge}/figures",
        BRIDGE,
        True,
        "What the bridge has to do: its version, how many exhibits it knows and how many are "
        "online, how many events wait for the broker, and how many it had to drop.",
        _object(version=_TEXT, exhibits=_COUNT, online=_COUNT, waiting=_COUNT, dropped=_COUNT),
    ),
    "status": Topic(
        "exhibit/{id}/status",
        BRIDGE,
        True,
        "Whether the exhibit answers. It counts only while its bridge is online, too.",
        _PRESENCE,
    ),
    "state": Topic(
        "exhibit/{id}/state",
        BRIDGE,
        True,
        "What the exhibit is and does: its name and bridge, firmware, mode, the state of the "
        "show, failed devices, stuck buttons, and all its settings.",
        _object(
            name=_TEXT,
            bridge=_TEXT,
            version=_TEXT,
            mode=_TEXT,
            state=_TEXT,
            failed=_LIST,
            stuck=_LIST,
            settings=_VALUES,
        ),
    ),
    "stats": Topic(
        "exhibit/{id}/stats",
        BRIDGE,
        True,
        "The exhibit's own counts since they were begun, after each match, every hour, and "
        "whenever it comes back: they include what no bridge has seen. `player`, `machine` and "
        "`abandoned` say how the games ended.",
        _object(since=_TEXT, minutes=_COUNT, games=_COUNT, **dict.fromkeys(OUTCOMES, _COUNT)),
    ),
    "event": Topic(
        "exhibit/{id}/event",
        BRIDGE,
        False,
        "What happens at the exhibit, in order. It may come twice: the same `spool` and `seq` are "
        "the same event. A gap in `seq` is a loss.",
        _object(**_SPOOLED, what=_TEXT, values=_VALUES),
    ),
    "answer": Topic(
        "exhibit/{id}/answer",
        BRIDGE,
        False,
        "What became of a command or a wanted setting; numbered together with the events.",
        _object(**_SPOOLED, asked=_TEXT, ok={"type": "boolean"}, values=_VALUES),
    ),
    "do": Topic(
        "exhibit/{id}/do",
        OPERATOR,
        False,
        "A console command of the list of those allowed. Do not retain it.",
        _TEXT,
    ),
    "panel": Topic(
        "exhibit/{id}/panel",
        BRIDGE,
        False,
        "What people see at the exhibit, while somebody looks: `lamps` has a number for each row, "
        "1 for the leftmost lamp, then 2, 4 and so on, added up; `legends` are the lit signs.",
        _object(lamps=_NUMBERS, legends=_LIST),
    ),
    "look": Topic(
        "exhibit/{id}/look",
        OPERATOR,
        False,
        "Asks for `panel` during the next minute; any text. Do not retain it.",
        _TEXT,
    ),
    "want": Topic(
        "exhibit/{id}/want/{key}",
        OPERATOR,
        True,
        "The value that a setting shall have, whenever exhibit and bridge are there. Retain it; "
        "an empty message ends it, and changes nothing at the exhibit.",
        _TEXT,
    ),
}

# The commands that the broker may give, with the most words that may follow each. `stats begin`,
# which forgets, has one word too many.
COMMANDS = {
    "game": 1,
    "health": 0,
    "lamps": 1,
    "level": 1,
    "machine": 1,
    "new": 8,
    "reboot": 0,
    "rule": 1,
    "set": 2,
    "settings": 1,
    "stats": 0,
    "status": 0,
    "version": 0,
}
SOLDERED = ("display",)  # settings that say what is built in: the broker cannot change that


def topic(kind: str, *levels: str) -> str:
    """The topic of this kind, with its variable levels in order."""
    names = TOPICS[kind].address.split("/")
    left = iter(levels)
    return "/".join([ROOT, *(next(left) if name[0] == "{" else name for name in names)])


def subscription(kind: str) -> str:
    """The filter for all topics of a kind."""
    levels = TOPICS[kind].address.count("{")
    return topic(kind, *["+"] * levels)


def parse(text: str) -> tuple[str, list[str]] | None:
    """The kind of a topic and its variable levels; None if it is none of ours."""
    for kind in TOPICS:
        names, found = subscription(kind).split("/"), text.split("/")
        if len(names) == len(found) and all(
            name in ("+", level) for name, level in zip(names, found, strict=True)
        ):
            return kind, [level for name, level in zip(names, found, strict=True) if name == "+"]
    return None


def is_level(name: str) -> bool:
    """True if this may be a level of a topic."""
    return bool(name) and name.isprintable() and name.isascii() and not set(name) & set(" +#/$")


def refusal(line: str, allowed: Collection[str] = ()) -> str:
    """Why the broker may not give this command, in a sentence; empty if it may. allowed: the
    commands that the operator of the bridge allows besides."""
    if not (line.isascii() and line.isprintable() and 0 < len(line) <= LONGEST):
        return f"a command is one line of printable ASCII with {LONGEST} characters at most"
    verb, *words = line.split() or [""]
    if verb in allowed:
        return ""
    if verb not in COMMANDS:
        known = " ".join(sorted({*COMMANDS, *allowed}))
        return f"{verb} cannot be given by the broker; it may give {known}"
    if len(words) > COMMANDS[verb]:
        return f"{line} cannot be given by the broker; leave out {words[COMMANDS[verb]]}"
    if verb == "set" and words:
        return want_refusal(words[0])
    return ""


def refused(line: str, reason: str, text: str, **more: str) -> dict[str, Any]:
    """The answer to a command that is not done, but for its number."""
    return {"asked": line, "ok": False, "values": {"reason": reason, "text": text} | more}


def want_refusal(key: str) -> str:
    """Why the broker may not change this setting; empty if it may."""
    if key in SOLDERED:
        return f"{key} says what is soldered; change it at the exhibit's own console"
    return ""


def known_settings() -> dict[str, Any]:
    """What each setting of the firmware allows, by name; see nimatron.settings."""
    return {name: allowed for name, _, allowed in settings.TABLE} | {"level": opponent.NAMES}
