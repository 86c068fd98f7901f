"""The description of an exhibit for Home Assistant, compared with its published schema."""

import pytest

from nimatron import opponent
from nimatron_host.fleet import home_assistant, topics

ID = "e6614103e72b5f2f"
STATE = {
    "name": "hall-1",
    "bridge": "desk",
    "version": "0.2.0",
    "board": "Raspberry Pi Pico with RP2040",
    "mode": "exhibit",
    "state": "attract",
    "failed": [],
    "stuck": [],
    "settings": {"level": "perfect", "brightness": "100", "mute": "0", "think_ms": "2000"},
}

# The type of each key, copied from homeassistant/components/mqtt in the repository
# home-assistant/core on GitHub: schemas.py (DEVICE_DISCOVERY_SCHEMA and its parts) and the
# DISCOVERY_SCHEMA of each platform. Required keys are in the first part. Home Assistant refuses
# an unlisted key on the device and in its parts, and ignores it in a platform. Here, all unlisted
# keys are refused.
NAMES = ("manufacturer", "model", "name", "hw_version", "serial_number", "sw_version")
DEVICE = {"identifiers": list}, dict.fromkeys((*NAMES, "via_device", "configuration_url"), str)
ORIGIN = {"name": str}, {"sw_version": str, "support_url": str}
AVAILABILITY = (
    {"topic": str},
    dict.fromkeys(("payload_available", "payload_not_available", "value_template"), str),
)
WHOLE = (
    {"device": dict, "components": dict, "origin": dict},
    {"availability": list, "availability_mode": str, "state_topic": str, "command_topic": str}
    | {"qos": int, "encoding": str},
)
ENTITY = {"platform": str, "unique_id": str}  # required in a device's components
NAMED = dict.fromkeys(("name", "icon", "entity_category"), str)
READS = NAMED | {"state_topic": str, "value_template": str}
TAKES = {"command_template": str, "retain": bool}
WRITES = ENTITY | {"command_topic": str}
PLATFORMS = {
    "sensor": (ENTITY | {"state_topic": str}, NAMED | {"value_template": str, "state_class": str}),
    "button": (WRITES, NAMED | TAKES | {"payload_press": str, "device_class": str}),
    "select": (WRITES | {"options": list}, READS | TAKES),
    "number": (WRITES, READS | TAKES | {"min": int, "max": int}),
    "switch": (WRITES, READS | TAKES | {"payload_on": str, "payload_off": str}),
}


def check(value, schema):
    required, optional = schema
    assert required.keys() <= value.keys() <= required.keys() | optional.keys()
    assert {key: type(one) for key, one in value.items()}.items() <= (required | optional).items()


@pytest.fixture
def told():
    return home_assistant.device(ID, "desk", STATE)


def test_it_is_as_the_schema_demands(told):
    check(told, WHOLE)
    check(told["device"], DEVICE)
    check(told["origin"], ORIGIN)
    for one in told["availability"]:
        check(one, AVAILABILITY)
    assert told["availability_mode"] in ("all", "any", "latest")
    for entity in told["components"].values():
        check(entity, PLATFORMS[entity["platform"]])
    assert home_assistant.topic(ID).split("/")[1] == "device"


def test_it_has_each_part_once(told):
    found = {name: entity["platform"] for name, entity in told["components"].items()}
    assert found == {
        **dict.fromkeys(("state", "matches", "wins", "failed"), "sensor"),
        "restart": "button",
        "level": "select",
        "brightness": "number",
        "mute": "switch",
    }
    assert len({entity["unique_id"] for entity in told["components"].values()}) == len(found)
    older = home_assistant.device("a", "desk", STATE | {"settings": {"level": "easy"}})
    assert "mute" not in older["components"] and "level" in older["components"]


def test_each_topic_is_one_that_the_bridge_sends_or_takes(told):
    for entity in told["components"].values():
        if "state_topic" in entity:
            kind, levels = topics.parse(entity["state_topic"])
            assert kind in ("state", "stats") and levels == [ID]
        if "command_topic" in entity:
            kind, levels = topics.parse(entity["command_topic"])
            assert kind in ("want", "do") and levels[0] == ID
            assert entity.get("retain", False) is (kind == "want")
    assert [topics.parse(one["topic"])[0] for one in told["availability"]] == ["bridge", "status"]


def test_each_choice_is_one_that_the_firmware_allows(told):
    parts = told["components"]
    assert parts["level"]["options"] == list(opponent.NAMES)
    assert (parts["brightness"]["min"], parts["brightness"]["max"]) == (5, 100)
    assert topics.refusal(parts["restart"]["payload_press"]) == ""
