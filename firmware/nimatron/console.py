"""The serial console: a line in, a line out.

Answers start with `ok` or `error`, lines nobody asked for with `event`; the rest is key=value
words. Rows are counted from 1.
"""

from nimatron import VERSION, board, opponent
from nimatron.exhibit import BUTTONS, words
from nimatron.match import PLAYER, difference
from nimatron.settings import RULES, whole_number

_LONGEST = 80  # bytes in a line
_ECHO = 20  # characters of a wrong word that are repeated


class _Refused(Exception):
    """Becomes the one error line."""


class Console:
    def __init__(self, serial, exhibit, settings, dice):
        self._serial = serial
        self._exhibit = exhibit
        self._settings = settings
        self._dice = dice

    async def run(self):
        """Answer for ever."""
        while True:
            line = await self._read_line()
            if line:
                self._serial.write_line(await self.answer(line))

    async def _read_line(self):
        """The bytes up to the next CR or LF; of a longer line the first _LONGEST + 1."""
        line = bytearray()
        while True:
            byte = await self._serial.read()
            if byte in b"\r\n":
                return line
            if len(line) <= _LONGEST:
                line.append(byte)

    async def answer(self, line):
        """The answer to one line of bytes."""
        try:
            verb, args = _split(line)
            command = _COMMANDS.get(verb)
            if not command:
                raise _Refused("unknown-command got=%s try=help" % verb[:_ECHO])
            method, usage, fewest, most, _ = command
            if not fewest <= len(args) <= most:
                raise _Refused("usage expected=%s" % usage)
            try:
                return "ok " + await method(self, *args)
            except ValueError as why:
                raise _Refused(_hyphens(str(why))) from None
        except _Refused as why:
            return "error reason=%s" % why

    # ------------------------------------------------------------------ commands

    async def _help(self, verb=None):
        if not verb:
            return "commands=%s more=help-COMMAND" % ",".join(sorted(_COMMANDS))
        if verb not in _COMMANDS:
            raise _Refused("unknown-command got=%s try=help" % verb[:_ECHO])
        _, usage, _, _, about = _COMMANDS[verb]
        return "usage=%s about=%s" % (usage, _hyphens(about))

    async def _status(self):
        match = self._exhibit.match
        rule = self._settings.rule
        lit = picked = board.DARK
        if match:
            rule = "misere" if match.misere else "normal"
            lit, picked = match.lit, match.picked
        return "game=%s rule=%s level=%s state=%s rows=%s picked=%s" % (
            match.game.name if match else self._settings.game,
            rule,
            self._settings.level,
            self._exhibit.state,
            words(lit),
            words(picked),
        )

    async def _new(self, *counts):
        rows = ()
        if counts:
            rows = board.position([whole_number(count) for count in counts])
        return await self._ask("start", rows)

    async def _take(self, row, count):
        return await self._ask("take", whole_number(row) - 1, whole_number(count))

    async def _press(self, button):
        if button not in BUTTONS:
            raise _Refused("unknown-button got=%s known=%s" % (button[:_ECHO], ",".join(BUTTONS)))
        return await self._ask(button)

    async def _ask(self, *wish):
        refused = await self._exhibit.ask(*wish)
        if refused:
            raise _Refused("%s state=%s" % (_hyphens(refused), self._exhibit.state))
        return await self._status()

    def _match(self):
        match = self._exhibit.match
        if not match or match.over:
            raise _Refused("no-match try=new")
        return match

    async def _hint(self):
        match = self._match()
        if match.turn != PLAYER:
            raise _Refused("not-your-turn state=%s" % self._exhibit.state)
        winning = match.game.winning_options(match.rows, match.misere)
        after = (winning or match.game.resisting_options(match.rows))[0]
        row, count = difference(match.rows, after)
        return "outcome=%s row=%d take=%d" % ("N" if winning else "P", row + 1, count)

    async def _why(self):
        match = self._match()
        lost = match.game.is_p(match.rows, match.misere)
        return "rows=%s %s mover=%s meaning=%s" % (
            words(match.rows),
            match.game.working(match.rows, match.misere),
            match.turn,
            "loses-against-best-play" if lost else "can-win",
        )

    async def _rule(self, rule):
        return self._set("rule", rule) + (
            " from=next-match" if self._exhibit.match else " from=now"
        )

    async def _level(self, level):
        return self._set("level", level)

    def _set(self, name, text):
        self._settings.set(name, text)
        return "%s=%s" % (name, text)

    async def _seed(self, number):
        self._dice.seed(whole_number(number))
        return "seed=%s" % number

    async def _version(self):
        return "name=nimatron version=%s" % VERSION


_ROW_COUNTS = board.ROWS

# verb: method, usage, fewest and most words after it, what it does
_COMMANDS = {
    "help": (Console._help, "help,[COMMAND]", 0, 1, "list the commands, or explain one"),
    "status": (Console._status, "status", 0, 0, "what is going on"),
    "new": (
        Console._new,
        "new,[ROWS...]",
        0,
        _ROW_COUNTS,
        "offer the openings, or start from ROWS",
    ),
    "take": (Console._take, "take,ROW,N", 2, 2, "put out N lamps of ROW and hand over"),
    "press": (Console._press, "press,BUTTON", 1, 1, "press one of " + " ".join(BUTTONS)),
    "hint": (Console._hint, "hint", 0, 0, "a best move for the player"),
    "why": (Console._why, "why", 0, 0, "the binary working of the position"),
    "rule": (Console._rule, "rule,RULE", 1, 1, "play " + " or ".join(RULES)),
    "level": (Console._level, "level,LEVEL", 1, 1, "one of " + " ".join(sorted(opponent.LEVELS))),
    "seed": (Console._seed, "seed,N", 1, 1, "replay the same chance from here"),
    "version": (Console._version, "version", 0, 0, "which firmware this is"),
}


def _split(line):
    """The verb and the other words of a line of bytes."""
    if len(line) > _LONGEST:
        raise _Refused("line-too-long most=%d" % _LONGEST)
    for byte in line:
        if not 32 <= byte < 127:
            raise _Refused("control-byte got=0x%02x" % byte)
    args = bytes(line).decode().split()
    if not args:
        raise _Refused("no-command try=help")
    return args[0], args[1:]


def _hyphens(text):
    """Text as one word."""
    return text.replace(",", "").replace(" ", "-")
