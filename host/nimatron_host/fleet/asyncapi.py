"""The interface for programs: `python -m nimatron_host.fleet.asyncapi` prints it as AsyncAPI 3.0.

https://www.asyncapi.com/docs/reference/specification/v3.0.0
"""

import json
import re
from typing import Any

from nimatron_host.fleet import topics

_LEVELS = {
    "bridge": "The name of the bridge, by default that of its computer.",
    "id": "The number that is the Pico's own, in hex; for firmware that does not tell it, the "
    "name that the bridge was given.",
    "key": "A setting: `nimatron settings` lists them.",
}
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_WORDS = ("true", "false", "null", "yes", "no", "on", "off", "y", "n")  # of YAML


def document() -> dict[str, Any]:
    """The interface, as AsyncAPI sees it: from the side of the bridge."""
    channels, operations = {}, {}
    for kind, topic in topics.TOPICS.items():
        kind_of_text = "text/plain" if topic.schema["type"] == "string" else "application/json"
        channels[kind] = {
            "address": topic.pattern,
            "description": topic.about,
            "messages": {kind: {"contentType": kind_of_text, "payload": topic.schema}},
            "parameters": {
                name: {"description": _LEVELS[name]}
                for name in re.findall(r"{(\w+)}", topic.address)
            },
        }
        sends = topic.sender == topics.BRIDGE
        operations[("send-" if sends else "receive-") + kind] = {
            "action": "send" if sends else "receive",
            "channel": {"$ref": f"#/channels/{kind}"},
            "bindings": {"mqtt": {"qos": topics.QOS, "retain": topic.retained}},
        }
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "nimatron fleet",
            "version": str(topics.VERSION),
            "description": "Exhibits on an MQTT broker, as the bridge `nimatron fleet` reports "
            "them. docs/reference/mqtt.md explains it.",
        },
        "channels": channels,
        "operations": operations,
    }


def yaml(value: object, indent: str = "") -> str:
    """A document of dicts, lists and plain values as YAML."""
    if isinstance(value, dict) and value:
        return "".join(
            f"{indent}{_scalar(key)}:{_nested(inner, indent)}" for key, inner in value.items()
        )
    if isinstance(value, list) and value:
        return "".join(f"{indent}-{_nested(inner, indent)}" for inner in value)
    return f"{indent}{_scalar(value)}\n"


def _nested(value: object, indent: str) -> str:
    if isinstance(value, (dict, list)) and value:
        return "\n" + yaml(value, indent + "  ")
    return f" {_scalar(value)}\n"


def _scalar(value: object) -> str:
    if isinstance(value, str) and _PLAIN.fullmatch(value) and value.lower() not in _WORDS:
        return value
    return json.dumps(value)


if __name__ == "__main__":
    print("# From topics.py, by: python -m nimatron_host.fleet.asyncapi")
    print(yaml(document()), end="")
