"""The texts in plain words, with a table for each language: a JSON file in this folder.

A message is a key and the values for the {gaps} in its text. If `count` is 1, KEY.one is used if
it exists. If no table contains a key, the key itself is the text. game_texts.py contains the keys
of each game. nimatron_host/kiosk/page/words.js does the same on the page.
"""

import json
import os
import re
from typing import Dict, Mapping, Tuple

FOLDER = __file__.replace("\\", "/").rpartition("/")[0]
PLAIN = "en"

Message = Tuple[str, dict]
Table = Dict[str, str]


def codes() -> list[str]:
    """Return the code of every language that has a table."""
    return sorted([name[:-5] for name in os.listdir(FOLDER) if name.endswith(".json")])


def tables() -> dict[str, Table]:
    """Return the tables of all languages, by code."""
    return {code: _table(code) for code in codes()}


def table(code: str) -> Table:
    """Return the table for one language. Missing texts are taken from the table of plain words."""
    plain = _table(PLAIN)
    return plain if code == PLAIN else plain | _table(code)


def spoken(environ: Mapping[str, str]) -> str:
    """Return the language code from a terminal's environment variables, which follow POSIX. If
    that language has no table, return the code of the plain words."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := environ.get(name):
            code = re.split(r"[_.@]", value.lower())[0]
            return code if code in codes() else PLAIN
    return PLAIN


def _table(code):
    with open(f"{FOLDER}/{code}.json", encoding="utf-8") as file:
        return json.load(file)


def message(key: str, **gaps) -> Message:
    return key, gaps


def say(messages: list[Message], table: Table) -> str:
    """Return the texts of the messages, joined by spaces. Empty messages are omitted."""
    return " ".join(filter(None, [_say(key, gaps, table) for key, gaps in messages]))


def _say(key, gaps, table):
    text = table.get(key, key)
    if gaps.get("count") == 1:
        text = table.get(f"{key}.one", text)
    for name, value in gaps.items():
        text = text.replace(f"{{{name}}}", table.get(str(value), str(value)))
    return text
