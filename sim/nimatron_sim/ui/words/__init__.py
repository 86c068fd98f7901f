"""Plain words in every language: one table each, a JSON file in this folder.

A message is a key and the values for the {gaps} in its text; if `count` is 1, KEY.one comes first.
A key that is in no table is used as the text itself: so a text of the firmware, such as a game's
sentence, is its own key, and a table may translate it. kiosk/page/words.js does the same on the
page.
"""

import json
from pathlib import Path

FOLDER = Path(__file__).parent
PLAIN = "en"

Message = tuple[str, dict]
Table = dict[str, str]


def tables() -> dict[str, Table]:
    """Every language by its code."""
    return {
        path.stem: json.loads(path.read_text(encoding="utf-8"))
        for path in sorted(FOLDER.glob("*.json"))
    }


def message(key: str, **gaps) -> Message:
    return key, gaps


def say(messages: list[Message], table: Table) -> str:
    """The messages one after another; empty ones are left out."""
    return " ".join(filter(None, [_say(key, gaps, table) for key, gaps in messages]))


def _say(key, gaps, table):
    text = table.get(key, key)
    if gaps.get("count") == 1:
        text = table.get(f"{key}.one", text)
    for name, value in gaps.items():
        text = text.replace(f"{{{name}}}", table.get(str(value), str(value)))
    return text
