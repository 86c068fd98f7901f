"""Hostile input from a broker or a cable, which neither a bridge nor a Nimatron would send."""

import json
import random

from nimatron import protocol
from nimatron_host.fleet import topics
from nimatron_sim.simulated_pico import SimulatedPico

ESCAPES = "\x1b]0;pwned\x07\x1b[2J"
_STATE = {
    "name": "door",
    "bridge": "desk",
    "version": "1.0",
    "mode": "exhibit",
    "state": "attract",
    "failed": [],
    "stuck": ["go"],
    "settings": {"level": "easy"},
}
VALID = [
    (topics.topic("bridge", "desk"), "online"),
    (topics.topic("state", "door"), json.dumps(_STATE)),
    (topics.topic("do", "door"), "level easy"),
    (topics.topic("do", "away"), "level easy"),
    (topics.topic("want", "door", "level"), "child"),
]
# Findings of a review. Each ended a bridge or a kiosk, or reached a terminal.
REVIEWED = [
    (topics.topic("state", "x"), '{"name":' + 50_000 * "["),
    (topics.topic("state", "x"), '{"settings":[1]}'),
    (topics.topic("state", "x"), '{"bridge":[1]}'),
    (topics.topic("stats", "x"), '{"games":1}'),
    (topics.topic("figures", "x"), '{"exhibits":"x"}'),
    (topics.topic("state", "x"), json.dumps(_STATE | {"name": ESCAPES, "bridge": ESCAPES})),
    (topics.topic("do", "door"), ESCAPES),
    (topics.topic("want", "door", "level"), ESCAPES),
]
_VALUES = [
    *(None, True, -1, 0.5, 10**400, 1e308, float("nan"), "", [], {}, [[]], {"x": {"y": []}}),
    *(ESCAPES, "\0", "\ud800", "é", "9" * 5000, "online", "x" * 70_000, "²", "٣"),
    *([None], [[[[[]]]]], {"": ""}, {ESCAPES: ESCAPES}),
]
_WORDS = [
    *("event", "ok", "error", "state", "lamps", "legends", "over", "boot", "device", "button"),
    *(
        "game",
        "nonce",
        "version",
        "hold_ms",
        "settings",
        "watch",
        "move",
        "cable",
        "stats",
        "=",
        '"',
    ),
    *("rows", "by", "id", "name=nimatron", "failed", "\\u", "\\", "  "),
]


def messages(count, seed):
    """Yield `count` messages, (topic, bytes): damaged copies from VALID, and some valid
    messages."""
    dice = random.Random(seed)
    for _ in range(count):
        topic, text = dice.choice(VALID)
        damage = dice.randrange(8)
        if damage == 0 and text[0] == "{":
            told = json.loads(text)
            told[dice.choice([*told, "new"])] = dice.choice(_VALUES)
            text = json.dumps(told)
        elif damage == 1 and text[0] == "{":
            told = json.loads(text)
            del told[dice.choice([*told])]
            text = json.dumps(told)
        elif damage == 2:
            text = json.dumps(dice.choice(_VALUES))
        elif damage == 3:
            text = dice.choice("[{") * dice.choice([3, 200, 2_000, 60_000, 70_000])
        elif damage == 4:
            at = dice.randrange(len(text))
            text = text[:at] + chr(dice.randrange(0x3000)) + text[at + dice.randrange(3) :]
        elif damage == 5:
            names = topic.split("/")
            names[dice.randrange(2, len(names))] = dice.choice(["", ESCAPES, "ä", "x" * 999, "$"])
            topic = "/".join(names)
        data = text.encode("utf-8", "surrogatepass")
        yield topic, dice.randbytes(dice.randrange(40)) if damage == 6 else data


def lines(count, seed, said):
    """Yield `count` lines of bytes that no Nimatron prints: damaged copies of lines in `said`, and
    words in any order."""
    dice = random.Random(seed)
    for _ in range(count):
        damage = dice.randrange(6)
        line = dice.choice(said)
        kind, what, values = protocol.parse(line)
        if damage == 0:
            line = line[: dice.randrange(len(line) + 1)]
        elif damage == 1:
            line = " ".join(dice.choices(_WORDS, k=dice.randrange(8)))
        elif damage == 2 and values:
            values[dice.choice([*values])] = str(dice.choice(_VALUES))
            line = protocol.format(kind, *([] if what in values else [what]), *values.items())
        elif damage == 3:
            line = f"{kind} {what}"
        elif damage == 4:
            at = dice.randrange(len(line) + 1)
            line = (
                line[:at]
                + dice.choice([ESCAPES, "\0", '"', "=", " ", "²", "9" * 5000])
                + line[at:]
            )
        data = line.encode("utf-8", "replace")
        yield dice.randbytes(dice.randrange(90)) if damage == 5 else data


def said_in_a_match():
    """Return the lines that a Nimatron prints in a short match with `watch on`."""
    sent = []
    pico = SimulatedPico()
    pico.on_sent = sent.append
    pico.settle()
    questions = ("version 123456", "watch on", "settings", "stats", "health", "status")
    for line in (*questions, "new 1 2", "take 2 2"):
        pico.send(line)
        pico.run(1000)
    pico.run(9000)
    pico.power_off()
    return b"".join(sent).decode().splitlines()
