"""The messages that let Home Assistant discover the exhibits automatically.

https://www.home-assistant.io/integrations/mqtt/#device-discovery-payload
"""

from typing import Any

from nimatron import VERSION, opponent, settings
from nimatron_host.fleet import topics

_SETTINGS = ("level", "volume", "brightness", "mute")  # offered if the exhibit has them
_ALL = "{{ (value_json.failed + value_json.stuck) | join(', ') or 'none' }}"
_COUNTED = {"state_class": "total_increasing"}


def topic(exhibit: str) -> str:
    """Return the topic for the description of an exhibit."""
    return f"homeassistant/device/nimatron-{exhibit}/config"


def device(exhibit: str, bridge: str, state: dict[str, Any]) -> dict[str, Any]:
    """Return the description of an exhibit, made from its state."""

    def entity(platform: str, key: str, name: str, **more: Any) -> dict[str, Any]:
        return {
            "platform": platform,
            "unique_id": f"nimatron-{exhibit}-{key}",
            "name": name,
        } | more

    def sensor(key: str, name: str, kind: str, template: str, **more: Any) -> dict[str, Any]:
        where = topics.topic(kind, exhibit)
        return entity("sensor", key, name, state_topic=where, value_template=template, **more)

    components = {
        "state": sensor("state", "State", "state", "{{ value_json.state }}"),
        "matches": sensor("matches", "Matches", "stats", "{{ value_json.games }}", **_COUNTED),
        "wins": sensor("wins", "Wins", "stats", "{{ value_json.player }}", **_COUNTED),
        "failed": sensor("failed", "Failed devices", "state", _ALL),
        "restart": entity(
            "button",
            "restart",
            "Restart",
            command_topic=topics.topic("do", exhibit),
            payload_press="reboot",
            device_class="restart",
        ),
    }
    known = {name: allowed for name, _, allowed in settings.TABLE} | {"level": opponent.NAMES}
    for key in _SETTINGS:
        if key in known and key in state["settings"]:
            components[key] = entity(
                command_topic=topics.topic("want", exhibit, key),
                retain=True,
                state_topic=topics.topic("state", exhibit),
                value_template=f"{{{{ value_json.settings.{key} }}}}",
                key=key,
                name=key.capitalize(),
                **_control(known[key]),
            )
    return {
        "device": {
            "identifiers": [f"nimatron-{exhibit}"],
            "name": state["name"],
            "manufacturer": "Nimatron",
            "model": state["board"],
            "sw_version": state["version"],
            "serial_number": exhibit,
        },
        "origin": {"name": "nimatron fleet", "sw_version": VERSION},
        "availability": [
            {"topic": topics.topic("bridge", bridge)},
            {"topic": topics.topic("status", exhibit)},
        ],
        "availability_mode": "all",
        "qos": topics.QOS,
        "components": components,
    }


def _control(allowed: Any) -> dict[str, Any]:
    """Return the control for the allowed values. See nimatron.settings."""
    if isinstance(allowed, tuple):
        return {"platform": "select", "options": list(allowed)}
    if allowed == range(2):
        return {"platform": "switch", "payload_on": "1", "payload_off": "0"}
    return {"platform": "number", "min": allowed[0], "max": allowed[-1]}
