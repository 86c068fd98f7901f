"""The console's help texts: each command, setting and machine of history, in words.

This is loaded only when somebody asks or mistypes a command: it takes memory that a show needs.
"""

from nimatron import opponent
from nimatron.board import BUTTONS
from nimatron.settings import RULES

# name: how to type it, what it does
COMMANDS = {
    "help": ("help [COMMAND]", "list the commands, or explain one"),
    "status": ("status", "what is going on"),
    "new": ("new [ROWS...]", "offer the openings, or start from ROWS"),
    "take": ("take ROW N", "put out N lamps of ROW and hand over"),
    "play": ("play ROWS...", "make the move that leaves ROWS"),
    "press": ("press BUTTON", "press one of " + " ".join(BUTTONS)),
    "hold": ("hold BUTTON", "as if BUTTON had been held down since it was pressed"),
    "hint": ("hint", "a best move for the player"),
    "why": ("why", "the binary working of the position"),
    "solve": ("solve GAME ROWS...", "what a position is worth"),
    "games": ("games [GAME]", "list the games, or explain one"),
    "game": ("game GAME", "play one of the games"),
    "machine": ("machine [NAME]", "list the machines of history, or be one"),
    "rule": ("rule RULE", "play " + " or ".join(RULES)),
    "level": ("level LEVEL", "one of " + " ".join(opponent.NAMES)),
    "seed": ("seed N", "replay the same chance from here"),
    "version": ("version [NONCE]", "firmware, mode, board; repeats 9 digits"),
    "installed": ("installed [files]", "a digest of the files on flash, or each of them too"),
    "stats": ("stats [begin DATE]", "games won and lost, or begin to count"),
    "settings": ("settings [KEY]", "all settings, or what one means"),
    "set": ("set KEY VALUE", "change a setting for good"),
    "log": (
        "log [clear|dump [now]]",
        "the last crashes and hangs, or what the flight recorder holds of the last one",
    ),
    "lamps": ("lamps test", "light one lamp after the other"),
    "buttons": ("buttons [on|off]", "contacts now, or each time one moves"),
    "test": (
        "test lamp ROW COLUMN|legend NAME|sound HZ|coin|off",
        "in maintenance mode try one device",
    ),
    "watch": ("watch on|off", "tell what the panel shows and sounds"),
    "quiet": ("quiet on|off", "leave out the events"),
    "echo": ("echo on|off", "send back what is typed, for a plain terminal"),
    "reboot": ("reboot", "start the exhibit over"),
    "maintenance": ("maintenance", "start over without the show"),
}

SETTINGS = {
    "game": "the game that is played",
    "games": "the games that holding NEW offers",
    "rule": "whether the last lamp loses (misere) or wins (normal)",
    "level": "how often the machine slips",
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
        "1940. The visitor began, from one of nine openings; which nine is not known, these "
        "are our own."
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
