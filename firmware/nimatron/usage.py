"""What can be typed at the console: each command, how to type it and what it does.

Only `help`, and whoever mistypes a command, has this loaded: it takes memory that a show needs.
"""

from nimatron import opponent
from nimatron.board import BUTTONS
from nimatron.settings import RULES

USAGE = {
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
    "version": ("version", "which firmware this is, and its mode"),
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
    "reboot": ("reboot", "start the exhibit over"),
    "maintenance": ("maintenance", "start over without the show"),
}
