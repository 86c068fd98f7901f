"""The interface of `nimatron fleet`: its topics, their payloads, and the allowed commands."""

import json
from collections.abc import Collection
from typing import Any, NamedTuple

from nimatron.protocol import LONGEST
from nimatron_sim.text_encoding import escaped

ROOT = "nimatron/v1"  # an incompatible change needs a new number
ONLINE, OFFLINE = "online", "offline"
QOS = 1  # for all messages: at least once
LARGEST = 65536  # the most bytes in a payload
_LEVEL = 100  # the most characters in a level of a topic

# The commands that the broker may send, and the largest number of words that may follow each.
# `stats begin`, which resets the statistics, has one word too many.
COMMANDS = (
    dict.fromkeys(("health", "reboot", "stats", "status", "version"), 0)
    | dict.fromkeys(("game", "lamps", "level", "machine", "rule", "settings"), 1)
    | {"set": 2, "new": 8}
)
# Settings that describe the hardware, which the broker cannot change.
SOLDERED = ("display", "pixel_order")

# The part of each topic below ROOT, with variable levels in capitals. docs/reference/mqtt.md
# describes the payloads.
TOPICS = {
    "bridge": "bridge/BRIDGE/status",
    "figures": "bridge/BRIDGE/figures",
    "status": "exhibit/ID/status",
    "state": "exhibit/ID/state",
    "stats": "exhibit/ID/stats",
    "event": "exhibit/ID/event",
    "answer": "exhibit/ID/answer",
    "do": "exhibit/ID/do",
    "want": "exhibit/ID/want/KEY",
}


def topic(kind: str, *levels: str) -> str:
    """Return the topic of this kind, with the variable levels in order."""
    left = iter(levels)
    names = TOPICS[kind].split("/")
    return "/".join([ROOT, *(next(left) if name.isupper() else name for name in names)])


def retained_of(exhibit: str) -> list[str]:
    """Return the topics that a bridge retains for an exhibit."""
    return [topic(kind, exhibit) for kind in ("status", "state", "stats")]


def subscription(kind: str) -> str:
    """Return the filter for all topics of a kind."""
    return topic(kind, "+", "+")


def parse(text: str) -> tuple[str, list[str]] | None:
    """Return the kind of a topic and its variable levels, or None for any other topic."""
    for kind in TOPICS:
        names, found = subscription(kind).split("/"), text.split("/")
        if len(names) == len(found):
            pairs = [*zip(names, found, strict=True)]
            if all(level == name or (name == "+" and is_level(level)) for name, level in pairs):
                return kind, [level for name, level in pairs if name == "+"]
    return None


def is_level(name: str) -> bool:
    """Return True if `name` may be a level of a topic."""
    plain = name.isprintable() and name.isascii() and not set(name) & set(" +#/$")
    return 0 < len(name) <= _LEVEL and plain


class Message(NamedTuple):
    """A message in this interface. `levels` are the variable levels of its topic."""

    kind: str
    levels: list[str]
    text: str


def take(address: str, data: bytes) -> Message | None:
    """Return the message with this topic and payload, or None if the interface has no such
    message.

    Every client with the broker's password can send anything.
    """
    found = parse(address)
    if not found or len(data) > LARGEST:
        return None
    return Message(*found, data.decode("utf-8", "replace").strip())


def owner(state: str) -> str:
    """Return the name of the bridge in the payload of `state`, or "" if it names no bridge."""
    try:
        found = json.loads(state)
    except (ValueError, RecursionError):
        return ""
    name = found.get("bridge") if isinstance(found, dict) else ""
    return name if isinstance(name, str) else ""


def refusal(line: str, allowed: Collection[str] = ()) -> str:
    """Return a sentence with the reason why the broker may not send this command, or "" if it may.
    `allowed` lists additional commands that the operator of the bridge allows."""
    if not (line.isascii() and line.isprintable() and 0 < len(line) <= LONGEST):
        return f"a command is one line of printable ASCII with {LONGEST} characters at most"
    verb, *words = line.split() or [""]
    if verb in allowed:
        return ""
    if verb not in COMMANDS:
        known = " ".join(sorted({*COMMANDS, *allowed}))
        return f"{verb} cannot be given by the broker. It may give {known}"
    if len(words) > COMMANDS[verb]:
        return f"{line} cannot be given by the broker. Remove {words[COMMANDS[verb]]}"
    if verb == "set" and words:
        return want_refusal(words[0])
    return ""


def refused(line: str, reason: str, text: str, **more: str) -> dict[str, Any]:
    """Return the answer to a refused command, without its number."""
    return {
        "asked": escaped(line[:LONGEST]),
        "ok": False,
        "values": {"reason": reason, "text": text} | more,
    }


def want_refusal(key: str) -> str:
    """Return the reason why the broker may not change this setting, or "" if it may."""
    if key in SOLDERED:
        return f"{key} depends on the wiring. Change it at the exhibit's own console"
    return ""
