"""The console's help texts: each command, setting and machine of history, in words.

This is loaded only when somebody asks or mistypes a command: it takes memory that a show needs.
"""

from nimatron import opponent, settings
from nimatron.board import GO, NEW, ROW_BUTTONS

# name: how to type it, what it does; `help` shows each in a line of 80 characters
COMMANDS = {
    "help": ("help [COMMAND]", "explain all, or one"),
    "status": ("status", "what is going on"),
    "new": ("new [ROWS...]", "offer openings, or start ROWS"),
    "take": ("take ROW N", "put out N of ROW; hand over"),
    "play": ("play ROWS...", "make the move that leaves ROWS"),
    "press": ("press BUTTON", "%s to %s, %s or %s" % (ROW_BUTTONS[0], ROW_BUTTONS[-1], GO, NEW)),
    "hold": ("hold BUTTON", "a long press of BUTTON"),
    "hint": ("hint", "a best move for the player"),
    "why": ("why", "the binary working of the position"),
    "solve": ("solve [GAME] ROWS...", "analyse a position"),
    "games": ("games [GAME]", "list games, or explain one"),
    "game": ("game GAME", "play one of the games"),
    "machine": ("machine [NAME]", "be a machine of history"),
    "rule": ("rule RULE", "play " + " or ".join(settings.RULES)),
    "level": ("level LEVEL", "how well the machine plays"),
    "seed": ("seed N", "replay the same chance from here"),
    "version": ("version [NONCE]", "firmware, mode and board"),
    "health": ("health", "how the Pico itself is"),
    "installed": ("installed [files]", "digest of the files"),
    "stats": ("stats [begin DATE]", "games won and lost"),
    "settings": ("settings [KEY]", "list all, or explain one"),
    "set": ("set KEY VALUE", "change a setting for good"),
    "log": ("log [clear|dump [now]]", "the last failures"),
    "lamps": ("lamps test", "light one lamp after the other"),
    "buttons": ("buttons [on|off]", "state of the contacts"),
    "test": ("test DEVICE [WHICH]", "try one device"),
    "watch": ("watch on|off", "report what the panel shows"),
    "quiet": ("quiet on|off", "leave out the events"),
    "echo": ("echo on|off", "send back what is typed"),
    "reboot": ("reboot", "start the exhibit over"),
    "maintenance": ("maintenance", "restart without the show"),
}

# name: what `help NAME` says besides
MORE = {
    "buttons": "on reports each press and release of a contact, the release with its edges",
    "echo": "Backspace takes back a character, arrow up brings back the last line",
    "health": "lag_ms: how late the panel was at worst since the last `health`; stuck: buttons; "
    "frames: alive if the lamps are refreshed and that is checked each second; crashes: how many "
    "are in the log; flash_free is measured once an hour",
    "hold": "as if BUTTON had been held down since it was pressed",
    "installed": "files lists the digest of each file",
    "level": "LEVEL is one of " + " ".join(opponent.NAMES),
    "log": "the last crashes and hangs; dump sends what the flight recorder kept of the last one, "
    "dump now what it holds at the moment; clear forgets them",
    "machine": "without NAME, lists the machines",
    "maintenance": "the panel then tests itself, and Ctrl-C leads to MicroPython's prompt",
    "solve": "without GAME, the game that is set",
    "stats": "begin starts again from zero; DATE is any word",
    "test": "in maintenance mode: test lamp ROW COLUMN, legend NAME, sound HZ, coin or off",
    "version": "NONCE, up to 9 digits, is repeated in the answer",
    "watch": "lamps are a number for each row: 1 for the leftmost lamp, then 2, 4, 8, 16, 32 and "
    "64, added up",
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


def explained(verb):
    """The (key, value) pairs that explain a command."""
    usage, about = COMMANDS[verb]
    more = (("more", MORE[verb]),) if verb in MORE else ()
    return (("usage", usage), ("about", about)) + more
