"""The interface: its topics, and the allowed senders."""

import re
from pathlib import Path

import pytest

from nimatron_host.fleet import topics

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.parametrize("kind", topics.TOPICS)
def test_each_topic_is_found_again(kind):
    given = ["e6614103e72b5f2f", "level"][: 2 if kind == "want" else 1]
    text = topics.topic(kind, *given)
    assert text.startswith("nimatron/v1/") and topics.parse(text) == (kind, given)


def test_the_page_has_each_topic_and_each_command():
    page = (ROOT / "docs/reference/mqtt.md").read_text(encoding="utf-8")
    (told,) = re.findall(r"exhibit/ID/do.*: (.+) \|", page)
    assert re.findall(r"^\| `(.+?)` ", page, re.M) == [*topics.TOPICS.values()]
    assert re.findall("`(.+?)`", told) == sorted(topics.COMMANDS)


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
        ("stats begin 2026", "Remove begin"),
        ("set display pixels", "depends on the wiring"),
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
