"""The interface: its topics, who may say what, and what is written of it."""

import pytest
import yaml

from nimatron_host.fleet import asyncapi, topics


def test_each_topic_is_found_again():
    levels = {"want": ["e6614103e72b5f2f", "level"]}
    for kind in topics.TOPICS:
        given = levels.get(kind, ["one"])
        text = topics.topic(kind, *given)
        assert text.startswith("nimatron/v1/")
        assert topics.parse(text) == (kind, given)


@pytest.mark.parametrize(
    "text", ["nimatron/v1", "nimatron/v2/exhibit/a/do", "nimatron/v1/exhibit/a/want", "x/y", ""]
)
def test_other_topics_are_not_ours(text):
    assert topics.parse(text) is None


@pytest.mark.parametrize(
    "line",
    ["level easy", "set level easy", "stats", "reboot", "new 3 4 5", "settings level", "status"],
)
def test_the_broker_may_give_these(line):
    assert topics.refusal(line) == ""


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("maintenance", "maintenance cannot be given"),
        ("press go", "press cannot be given"),
        ("quiet on", "quiet cannot be given"),
        ("stats begin 2026", "leave out begin"),
        ("set display pixels", "soldered"),
        ("level easy\rmaintenance", "printable ASCII"),
        ("level éasy", "printable ASCII"),
        ("", "printable ASCII"),
        (" ", "cannot be given"),
        ("level " + 400 * "x", "400 characters"),
    ],
)
def test_the_broker_may_not_give_those(line, why):
    assert why in topics.refusal(line)


def test_the_operator_of_the_bridge_may_allow_more():
    assert topics.refusal("maintenance", ["maintenance"]) == ""
    assert "maintenance" in topics.refusal("press go", ["maintenance"])


def test_asyncapi_yaml_is_read_as_the_document():
    assert yaml.safe_load(asyncapi.yaml(asyncapi.document())) == asyncapi.document()


def test_it_is_what_asyncapi_asks_for():
    """What version 3.0.0 of the specification requires of each object that is used here."""
    document = asyncapi.document()
    assert document["asyncapi"] == "3.0.0"
    assert {"title", "version"} <= document["info"].keys()
    for name, channel in document["channels"].items():
        placeholders = {part[1:-1] for part in channel["address"].split("/") if part[0] == "{"}
        assert placeholders == channel["parameters"].keys(), name
        assert all("payload" in message for message in channel["messages"].values())
    for operation in document["operations"].values():
        assert operation["action"] in ("send", "receive")
        assert operation["channel"]["$ref"].removeprefix("#/channels/") in document["channels"]
        assert operation["bindings"]["mqtt"]["qos"] in (0, 1, 2)
