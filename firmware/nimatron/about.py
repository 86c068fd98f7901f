"""What the console says about each setting and each machine of history. Loaded for one answer."""

SETTINGS = {
    "game": "the game that is played",
    "games": "the games that visitors may choose",
    "rule": "whether the last lamp loses (misere) or wins (normal)",
    "level": "how often the machine slips",
    "levels": "the levels that visitors may choose",
    "players": "1 plays the machine, 2 to 6 play each other",
    "openings": "whose openings are offered",
    "working": "the machine shows how it decides",
    "mute": "1 silences the sounder",
    "display": "the lamps that are wired up, from the next start on",
    "brightness": "of the lamps, in percent",
    "think_ms": "how long the machine thinks",
    "lamp_ms": "between two of the machine's lamps",
    "idle_ms": "without a press before the match ends",
    "warning_ms": "warning before the match ends",
    "verdict_ms": "how long the result is shown",
    "attract_ms": "between two attract pictures",
    "coin_ms": "how long the coin chute opens",
    "hold_ms": "a longer press counts as holding",
    "settle_ms": "open this long, a button is released",
    "maintenance_ms": "untouched so long, maintenance ends",
    "stuck_ms": "held longer, a button is stuck",
}

# name: what is known of it, and what is not
MACHINES = {
    "nimatron-1940": (
        "Westinghouse; Condon, Tawney and Derr, US patent 2215544. New York World's Fair "
        "1940. The visitor began. One source says that there were nine openings, but not "
        "which; these are our own."
    ),
    "redheffer-1941": "Redheffer's machine. Its heaps, openings and pace are not known to us.",
    "nimrod-1951": (
        "Ferranti, Festival of Britain. Four heaps of up to seven, normal or reverse rules; a "
        "panel showed the working, slowly or step by step. Its openings are not known; these "
        "are ours."
    ),
    "maxson-1952": (
        "Koppel, Grant and Bailer at Maxson; 23 kg. Its openings and rule are not known to us."
    ),
    "marienbad-1961": (
        "Last Year at Marienbad, the film: rows of 7, 5, 3 and 1, who takes the last one "
        "loses. Whoever begins has lost."
    ),
    "dr-nim-1966": (
        "Dr. Nim: one pile of 15 marbles, take 1 to 3, the last one loses; its equalizer "
        "makes the machine slip once."
    ),
    "tinkertoy": "Cohen's machine of Tinkertoy. What it played and how is not known to us.",
    "android-1978": "Android Nim: rows of 7, 5 and 3, the last one wins.",
}
