"""Explanations for a Pico's console, which answers in codes. They cover commands, games, settings,
historical machines, and mistyped names."""

from collections.abc import Iterable

from nimatron import games, protocol, settings
from nimatron import settings as table
from nimatron.board import BUTTONS
from nimatron.protocol import Refused
from nimatron_host.spelling import nearest
from nimatron_play import texts, words

# verb: the effect of the command
COMMANDS = {
    "buttons": "show which contacts are closed. With on, report each press and release",
    "choose": "choose for this visit, from the settings games and levels, or 1 to 6 players",
    "echo": "send back your keystrokes",
    "game": "play one of the games",
    "games": "list the games, or describe one",
    "health": "show the state of the Pico. lag_ms: the longest delay of the panel since the last "
    "health. stuck: the buttons that are ignored. frames: alive if the lamps are refreshed. "
    "crashes: the number of failures in the log. flash_free: free bytes, measured once an hour",
    "help": "list the commands, or describe one",
    "hint": "show a best move. lamps: each lamp that changes, as ROW.LAMP. To make the move, use "
    "play with these rows",
    "hold": "press and hold BUTTON: row1 to row4, go or new",
    "installed": "show the digest of the files, or of each file",
    "lamps": "light one lamp after the other",
    "level": "choose how well the machine plays: perfect, strong, fair, easy, child or equalizer",
    "log": "show the last crashes and hangs. With dump, send the recording of the last failure. "
    "With dump now, send the current recording. With clear, delete the log and the recording",
    "machine": "play like a historical machine, or list these machines",
    "maintenance": "restart without the show: the panel tests itself, and Ctrl-C leads to "
    "MicroPython's prompt",
    "new": "offer the starting positions, or start from ROWS. A practice match is not counted and "
    "pays no token, and the machine makes no mistake in it. With second, the machine moves first. "
    "With normal, the last lamp wins",
    "pick": "pick lamps so that ROWS remain. The turn continues until press go. To take all lamps "
    "back, give ROWS as at the beginning of the turn",
    "play": "make the move that leaves ROWS",
    "press": "press BUTTON: row1 to row4, go or new",
    "quiet": "send no events",
    "reboot": "start the show again",
    "rule": "play misere or normal",
    "seed": "start the random numbers at N. With the same N, the machine chooses the same moves",
    "set": "change a setting and save it",
    "settings": "show the values of all settings. With all, also show the allowed values. "
    "With KEY, describe this setting",
    "solve": "analyse a position, by default of the current game",
    "stats": "show the matches won and lost. With begin, start again from zero. DATE is any word",
    "status": "show the state of the match",
    "take": "switch off N lamps of ROW and hand over",
    "test": "in maintenance mode, test one device: lamp ROW COLUMN, legend NAME, sound HZ, coin "
    "or off",
    "version": "show the firmware, its mode and the board. For programs: repeat a NONCE of up to "
    "9 digits, and end the echo",
    "watch": "report every change of the panel: for each row the sum of its lamps, with 1 for the "
    "leftmost, then 2, 4, 8, 16, 32 and 64",
    "why": "show who can win the match, and why",
}

# name: the known and unknown facts about the machine
MACHINES = {
    "nimatron-1940": "Westinghouse; Condon, Tawney and Derr, US patent 2215544. New York World's "
    "Fair 1940. The visitor began. One source says that there were nine openings, but does not "
    "list them: these are our own.",
    "redheffer-1941": "Redheffer's machine. Its heaps, openings and pace are not known to us.",
    "nimrod-1951": "Ferranti, Festival of Britain. Four heaps of up to seven, normal or reverse "
    "rules. A panel showed the working, slowly or step by step. Its openings are not known: these "
    "are ours.",
    "maxson-1952": "Koppel, Grant and Bailer at Maxson, 23 kg. Its openings and rule are not "
    "known to us.",
    "marienbad-1961": "Last Year at Marienbad, the film: rows of 7, 5, 3 and 1. If you take the "
    "last lamp, you lose. The player who begins loses against best play.",
    "dr-nim-1966": "Dr. Nim: one pile of 15 marbles. Take 1 to 3 marbles. The last marble "
    "loses. Its equalizer causes one mistake of the machine.",
    "tinkertoy": "Cohen's machine of Tinkertoy. Its game and its openings are not known to us.",
    "android-1978": "Android Nim: rows of 7, 5 and 3. If you take the last piece, you win.",
}


def explained(line: str) -> str:
    """Return a line from the console, with its meaning in words if it has one."""
    kind, what, facts = protocol.parse(line)
    if kind == protocol.ERROR:
        name = meant(facts)
        return f"{line} {protocol.format(('meant', name))}" if name else line
    about = _about(kind, what, facts)
    return f"{line} {protocol.format(('about', about))}" if about else line


def _about(kind: str, what: str, facts: dict[str, str]) -> str | None:
    plain = words.table(words.PLAIN)
    if what in ("usage", "help") and "usage" in facts:
        return COMMANDS.get(facts["usage"].split(" ")[0])
    if kind == protocol.OK and what == "key":
        return plain.get(f"setting.{facts['key']}")
    if kind == protocol.OK and what == "machine":
        return MACHINES.get(facts["machine"])
    if kind == protocol.OK and what == "game" and "openings" in facts:
        name = facts["game"]
        return plain.get(texts.rules(games.find(name))) if name in games.names() else None
    return None


def meant(refused: dict[str, str]) -> str | None:
    """Return the name that the user probably meant, from the facts in a refusal, or None."""
    got = refused.get("got", "").replace("_", "-")
    names = {name.replace("_", "-"): name for name in _known(refused)}
    near = nearest(got, list(names))
    return names[near[0]] if near else None


def _known(facts: dict[str, str]) -> Iterable[str]:
    """Return the known names of the refused kind."""
    if facts.get("reason") == "not-allowed":
        try:
            allowed = table.find(facts.get("key", ""))[1]
        except Refused:
            return ()
        return () if isinstance(allowed, range) else allowed
    return {
        "unknown-command": COMMANDS,
        "unknown-setting": [row[0] for row in table.TABLE],
        "unknown-game": games.names(),
        "unknown-machine": settings.MACHINES,
        "unknown-button": BUTTONS,
    }.get(facts.get("reason", ""), ())
