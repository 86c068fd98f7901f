"""The interface of `nimatron fleet`: each topic on the broker, what it carries, and which commands
it takes. asyncapi.py writes the document for programs from this.
"""

import json
import logging
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

from nimatron import opponent, settings
from nimatron.match import OUTCOMES
from nimatron.protocol import LONGEST
from nimatron_sim.escaped import escaped

VERSION = 1  # of the interface: a change that breaks a reader gets a new one, and new topics
ROOT = f"nimatron/v{VERSION}"
ONLINE, OFFLINE = "online", "offline"
BRIDGE, OPERATOR = "bridge", "operator"  # who sends
QOS = 1  # of all: at least once
LARGEST = 65536  # bytes of a payload
_DEEPEST = 4  # lists and objects inside each other
_LEVEL = 100  # characters of a topic's level
_COMPLAINTS = 100  # topics with a line in the log

log = logging.getLogger("nimatron.fleet")

_TEXT = {"type": "string"}
_COUNT = {"type": "integer", "minimum": 0, "maximum": 2**53}
_VALUES = {"type": "object", "additionalProperties": _TEXT}
_LIST = {"type": "array", "items": _TEXT}
_NUMBERS = {"type": "array", "items": _COUNT}


def _object(
    optional: dict[str, Any] | None = None, **properties: dict[str, Any]
) -> dict[str, Any]:
    """The schema of an object with these properties. optional: its other keywords."""
    found = {"type": "object", "required": list(properties), "properties": properties}
    return found | (optional or {})


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
            {"patternProperties": {"^(board|micropython)$": _TEXT}},
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
        _object(
            {"patternProperties": {"^resets[.]": _COUNT}},
            since=_TEXT,
            minutes=_COUNT,
            games=_COUNT,
            **dict.fromkeys(OUTCOMES, _COUNT),
        ),
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
            level == name or (name == "+" and is_level(level))
            for name, level in zip(names, found, strict=True)
        ):
            return kind, [level for name, level in zip(names, found, strict=True) if name == "+"]
    return None


def is_level(name: str) -> bool:
    """True if this may be a level of a topic."""
    plain = name.isprintable() and name.isascii() and not set(name) & set(" +#/$")
    return 0 < len(name) <= _LEVEL and plain


class Message(NamedTuple):
    """A message of this interface. levels: the variable ones of its topic. payload: a text, or
    what the JSON says; None if it is empty, which ends a retained message."""

    kind: str
    levels: list[str]
    payload: Any


def take(address: str, data: bytes) -> Message | None:
    """Return the message with this topic and payload, or None if it is none of ours.

    Anyone with the broker's password can send anything. So a payload that is too large, too deep
    or not as its schema demands is ignored with one line in the log for its topic, and texts of
    bridges come with their control characters escaped.
    """
    kind, levels = parse(address) or ("", [])
    if not kind:
        return None
    try:
        return Message(kind, levels, _payload(kind, data))
    except ValueError as why:
        if address not in _ignored and len(_ignored) < _COMPLAINTS:
            _ignored.add(address)
            log.warning("%s: a message is ignored: %s", address, escaped(str(why)))
        return None


_ignored: set[str] = set()  # topics


def _payload(kind: str, data: bytes) -> Any:
    if len(data) > LARGEST:
        raise ValueError(f"it has {len(data)} bytes, which is more than {LARGEST}")
    if not data:
        return None
    text = data.decode("utf-8", "replace")
    topic = TOPICS[kind]
    try:
        found = text if topic.schema["type"] == "string" else json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if topic.sender == BRIDGE:
        found = _harmless(found, _DEEPEST)
    _validator(kind)(found)
    return found


def _harmless(value: Any, depth: int) -> Any:
    """The value with escaped texts. Raises ValueError if it is deeper than `depth`."""
    if isinstance(value, str):
        return escaped(value)
    if not isinstance(value, (list, dict)):
        return value
    if not depth:
        raise ValueError("it is nested too deeply")
    if isinstance(value, list):
        return [_harmless(item, depth - 1) for item in value]
    return {escaped(key): _harmless(item, depth - 1) for key, item in value.items()}


@cache
def _validator(kind: str) -> Callable[[object], object]:
    import fastjsonschema  # of the extra `fleet`; options of a kiosk need this file, too

    check: Callable[[object], object] = fastjsonschema.compile(TOPICS[kind].schema)
    return check


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
    """The answer to a command that is not done, without its number."""
    return {
        "asked": escaped(line[:LONGEST]),
        "ok": False,
        "values": {"reason": reason, "text": text} | more,
    }


def want_refusal(key: str) -> str:
    """Why the broker may not change this setting; empty if it may."""
    if key in SOLDERED:
        return f"{key} says what is soldered; change it at the exhibit's own console"
    return ""


def known_settings() -> dict[str, Any]:
    """What each setting of the firmware allows, by name; see nimatron.settings."""
    return {name: allowed for name, _, allowed in settings.TABLE} | {"level": opponent.NAMES}
