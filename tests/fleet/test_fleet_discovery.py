"""What Home Assistant is told of an exhibit, held against its published schema."""

import pytest

from nimatron import opponent
from nimatron_host.fleet import home_assistant, topics

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

# What homeassistant/components/mqtt has in schemas.py (DEVICE_DISCOVERY_SCHEMA and its parts) and
# in the DISCOVERY_SCHEMA of each platform, typed in from the repository home-assistant/core on
# GitHub: key, (required, type). A key that is not listed is refused on the device and in its
# parts, as there; a platform ignores it there, but here it is refused, too.
DEVICE = {
    "identifiers": (True, list),
    "connections": (False, list),
    "manufacturer": (False, str),
    "model": (False, str),
    "name": (False, str),
    "hw_version": (False, str),
    "serial_number": (False, str),
    "sw_version": (False, str),
    "via_device": (False, str),
    "suggested_area": (False, str),
    "configuration_url": (False, str),
}
ORIGIN = {"name": (True, str), "sw_version": (False, str), "support_url": (False, str)}
AVAILABILITY = {
    "topic": (True, str),
    "payload_available": (False, str),
    "payload_not_available": (False, str),
    "value_template": (False, str),
}
WHOLE = {
    "device": (True, dict),
    "components": (True, dict),
    "origin": (True, dict),
    "availability": (False, list),
    "availability_mode": (False, str),
    "state_topic": (False, str),
    "command_topic": (False, str),
    "qos": (False, int),
    "encoding": (False, str),
}
ENTITY = {
    "platform": (True, str),
    "unique_id": (True, str),  # in a device's components
    "name": (False, str),
    "icon": (False, str),
    "entity_category": (False, str),
}
READS = {"state_topic": (False, str), "value_template": (False, str)}
WRITES = {"command_topic": (True, str), "command_template": (False, str), "retain": (False, bool)}
PLATFORMS = {
    "sensor": ENTITY
    | {"state_topic": (True, str), "value_template": (False, str), "state_class": (False, str)},
    "button": ENTITY | WRITES | {"payload_press": (False, str), "device_class": (False, str)},
    "select": ENTITY | READS | WRITES | {"options": (True, list)},
    "number": ENTITY | READS | WRITES | {"min": (False, int), "max": (False, int)},
    "switch": ENTITY | READS | WRITES | {"payload_on": (False, str), "payload_off": (False, str)},
}


def check(value, schema):
    for key, (required, kind) in schema.items():
        assert key in value or not required, f"{key} is missing"
        assert key not in value or type(value[key]) is kind, key
    assert value.keys() <= schema.keys(), value.keys() - schema.keys()


@pytest.fixture
def told():
    return home_assistant.device("e6614103e72b5f2f", "desk", STATE)


def test_it_is_what_the_schema_asks_for(told):
    check(told, WHOLE)
    check(told["device"], DEVICE)
    check(told["origin"], ORIGIN)
    for one in told["availability"]:
        check(one, AVAILABILITY)
    assert told["availability_mode"] in ("all", "any", "latest")
    for entity in told["components"].values():
        check(entity, PLATFORMS[entity["platform"]])
    assert home_assistant.topic("e6614103e72b5f2f").split("/")[1] == "device"


def test_there_is_everything_that_a_house_wants_to_see(told):
    found = {name: entity["platform"] for name, entity in told["components"].items()}
    assert found == {
        "state": "sensor",
        "matches": "sensor",
        "wins": "sensor",
        "failed": "sensor",
        "restart": "button",
        "level": "select",
        "brightness": "number",
        "mute": "switch",
    }
    assert len({entity["unique_id"] for entity in told["components"].values()}) == len(found)


def test_each_topic_is_one_that_the_bridge_speaks_or_takes(told):
    for entity in told["components"].values():
        if "state_topic" in entity:
            kind, levels = topics.parse(entity["state_topic"])
            assert kind in ("state", "stats") and levels == ["e6614103e72b5f2f"]
        if "command_topic" in entity:
            kind, levels = topics.parse(entity["command_topic"])
            assert kind in ("want", "do") and levels[0] == "e6614103e72b5f2f"
            assert entity.get("retain", False) is topics.TOPICS[kind].retained
    assert [topics.parse(one["topic"])[0] for one in told["availability"]] == ["bridge", "status"]


def test_what_can_be_chosen_is_what_the_firmware_allows(told):
    parts = told["components"]
    assert parts["level"]["options"] == list(opponent.NAMES)
    assert (parts["brightness"]["min"], parts["brightness"]["max"]) == (5, 100)
    assert topics.refusal(parts["restart"]["payload_press"]) == ""


def test_an_exhibit_without_a_setting_has_nothing_to_turn(told):
    older = home_assistant.device("a", "desk", STATE | {"settings": {"level": "easy"}})
    assert "mute" not in older["components"] and "level" in older["components"]
