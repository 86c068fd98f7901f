"""The console's help texts: each command in words.

This is loaded only when somebody asks or mistypes a command: it takes memory that a show needs.
"""

from nimatron import opponent, settings
from nimatron.board import GO, NEW, ROW_BUTTONS
from nimatron.protocol import Refused

# name: how to type it, what it does; `help` shows each in a line of 80 characters
COMMANDS = {
    "help": ("help [COMMAND]", "explain all, or one"),
    "status": ("status", "what is going on"),
    "new": ("new [ROWS...]", "offer openings, or start ROWS"),
    "take": ("take ROW N", "put out N of ROW; hand over"),
    "play": ("play ROWS...", "make the move that leaves ROWS"),
    "pick": ("pick ROWS...", "pick lamps so that ROWS remain"),
    "press": ("press BUTTON", "%s to %s, %s or %s" % (ROW_BUTTONS[0], ROW_BUTTONS[-1], GO, NEW)),
    "hold": ("hold BUTTON", "a long press of BUTTON"),
    "hint": ("hint", "a best move for the player"),
    "why": ("why", "who can win, and how that is known"),
    "solve": ("solve [GAME] ROWS...", "analyse a position"),
    "games": ("games [GAME]", "list games, or explain one"),
    "choose": ("choose WHAT NAME", "for this visit"),
    "game": ("game GAME", "play one of the games"),
    "machine": ("machine [NAME]", "be a machine of history"),
    "rule": ("rule RULE", "play " + " or ".join(settings.RULES)),
    "level": ("level LEVEL", "how well the machine plays"),
    "seed": ("seed N", "replay the same chance from here"),
    "version": ("version [NONCE]", "firmware, mode and id"),
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
    "choose": "WHAT is game, level or players, 1 to 6; until the next attract show; out of the "
    "settings games and levels",
    "echo": "Backspace takes back a character",
    "health": "lag_ms: how late the panel was at worst since the last `health`; stuck: ignored "
    "buttons; frames: alive if their words are sent and their pins move, checked each second; "
    "crashes: how many are in the log; flash_free is measured once an hour",
    "hold": "as if BUTTON had been held down since it was pressed",
    "hint": "lamps: ROW.LAMP of each that the move changes; rows: what play makes the move with",
    "installed": "files lists the digest of each file",
    "level": "LEVEL is one of " + " ".join(opponent.NAMES),
    "log": "the last crashes and hangs; dump sends what the flight recorder kept of the last one, "
    "dump now what it holds at the moment; clear forgets them",
    "machine": "without NAME, lists the machines",
    "maintenance": "the panel then tests itself, and Ctrl-C leads to MicroPython's prompt",
    "new": "new practice ROWS... starts a match that is not counted and pays no token",
    "pick": "like play, but the turn goes on until press go; ROWS as they were when it began give "
    "everything back",
    "solve": "without GAME, the game that is set",
    "stats": "begin starts again from zero; DATE is any word",
    "test": "in maintenance mode: test lamp ROW COLUMN, legend NAME, sound HZ, coin or off",
    "version": "for programs: NONCE, up to 9 digits, is repeated in the answer; ends the echo",
    "watch": "lamps are a number for each row: 1 for the leftmost lamp, then 2, 4, 8, 16, 32 and "
    "64, added up",
}


def explained(verb):
    """The (key, value) pairs that explain a command."""
    usage, about = COMMANDS[verb]
    more = (("more", MORE[verb]),) if verb in MORE else ()
    return (("usage", usage), ("about", about)) + more


def misused(verb):
    """The Refused for a command that was not typed as it should be."""
    usage = COMMANDS[verb][0]
    more = (("try", "help " + verb),) if verb in MORE else ()
    return Refused("usage", "type it like this: " + usage, ("expected", usage), *more)
