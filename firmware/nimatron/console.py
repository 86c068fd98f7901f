"""The serial console: a line in, a line out.

Answers start with `ok` or `error`, lines nobody asked for with `event`; the rest is key=value
words. Rows are counted from 1.
"""

import gc
import sys

from nimatron import VERSION, board, flight, games, machines, opponent, settings, states
from nimatron.board import BUTTONS
from nimatron.devices import restart
from nimatron.devices.watchdog import Deadline
from nimatron.match import MACHINE
from nimatron.numbers import whole_number
from nimatron.requests import LAMP_TEST, LONG_PRESS, PLAY, START, TAKE
from nimatron.settings import RULES

_LONGEST = 400  # bytes in a line
_OPTIONS = 8  # options that `solve` names
_ECHO = 20  # characters of a wrong word that are repeated
_SEED_DIGITS = 10  # any state of the dice
_PIECE = 120  # characters of a recording in a line
_CTRL_C = 3  # of mpremote and its like, to which an exhibit does not listen
_BUSY_MS = 5000  # no answer takes longer, flash and all
_PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:,()<>/'"


class _Refused(Exception):
    """Becomes the one error line."""


class Console:
    """`app` is the App whose parts it tells of and acts on."""

    def __init__(self, serial, app):
        self.deadline = Deadline()
        self._serial = serial
        self._app = app
        self._then = None  # what to do when the answer is out

    async def run(self):
        """Answer for ever."""
        while True:
            self.deadline.suspend()
            line = await self._serial.read_line(_LONGEST)
            self.deadline.renew(_BUSY_MS)
            if line:
                self._app.typed(line)
                await self._serial.send_line(await self.answer(line))
            if self._then:
                restart.restart(self._then)

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
        except Exception as failure:  # whoever types must not stop the show
            return "error reason=failed got=%s" % type(failure).__name__

    # ------------------------------------------------------------------ commands

    async def _help(self, verb=None):
        if not verb:
            return "commands=%s more=help-COMMAND" % ",".join(sorted(_COMMANDS))
        if verb not in _COMMANDS:
            raise _Refused("unknown-command got=%s try=help" % verb[:_ECHO])
        _, usage, _, _, about = _COMMANDS[verb]
        return "usage=%s about=%s" % (usage, _hyphens(about))

    def _exhibit(self):
        """The exhibit, or the one error line if there is none in this mode."""
        if self._app.mode != states.EXHIBIT:
            raise _Refused("%s-mode try=reboot" % self._app.mode)
        return self._app.show

    async def _status(self):
        exhibit = self._exhibit()
        match = exhibit.match
        game, rule = exhibit.game_name, self._app.settings.rule
        rows = picked = _NOTHING
        if match:
            game, rule = match.game.name, "misere" if match.misere else "normal"
            rows, picked = match.game.words(match.remaining), match.game.picked_words(match.draft)
        return "game=%s rule=%s level=%s state=%s rows=%s picked=%s" % (
            game,
            rule,
            self._app.settings.level,
            exhibit.state,
            rows,
            picked,
        )

    async def _new(self, *words):
        if not words:
            return await self._ask(START, states.OPENING)
        game = self._exhibit().load_game()
        return await self._ask(START, game.placed_on_panel(game.parse(words)))

    async def _take(self, row, count):
        return await self._ask(TAKE, whole_number(row) - 1, whole_number(count))

    async def _play(self, *words):
        game = self._match().game
        return await self._ask(PLAY, game.padded(game.parse_option(words)))

    async def _press(self, button):
        return await self._ask(_button(button))

    async def _hold(self, button):
        return await self._ask(LONG_PRESS, _button(button))

    async def _ask(self, *request):
        exhibit = self._exhibit()
        refused = await exhibit.requests.ask(*request)
        if refused:
            raise _Refused("%s state=%s" % (_hyphens(refused), exhibit.state))
        return await self._status()

    def _match(self):
        match = self._exhibit().match
        if not match or match.over:
            raise _Refused("no-match try=new")
        return match

    async def _hint(self):
        match = self._match()
        if match.turn == MACHINE:
            raise _Refused("not-your-turn state=%s" % self._exhibit().state)
        game, position = match.game, match.position
        winning = game.winning_options(position, match.misere)
        option = (winning or game.resisting_options(position))[0]
        return "outcome=%s %s" % ("N" if winning else "P", game.move_words(position, option))

    async def _why(self):
        match = self._match()
        lost = match.game.is_p(match.position, match.misere)
        return "rows=%s %s mover=%s meaning=%s" % (
            match.game.words(match.position),
            match.game.working(match.position, match.misere),
            match.turn,
            "loses-against-best-play" if lost else "can-win",
        )

    async def _solve(self, *words):
        game, words = games.named(words)
        position = game.parse(words)
        rule = self._app.settings.rule
        if rule not in game.rules:
            rule = game.rules[0]
        options = game.winning_options(position, rule == "misere")
        return "game=%s rule=%s rows=%s %s winning=%d options=%s" % (
            game.name,
            rule,
            game.words(position),
            game.working(position, rule == "misere"),
            len(options),
            ";".join([game.words(option) for option in options[:_OPTIONS]]) or "none",
        )

    async def _games(self, name=None):
        if not name:
            return "games=%s" % ",".join(games.NAMES)
        game = games.find(name)
        return "game=%s rules=%s solved=%s rule=%s" % (
            name,
            ",".join(game.rules),
            game.solved,
            _hyphens(game.sentence),
        )

    async def _machine(self, name=None):
        if not name:
            return "machines=%s" % ",".join(machines.NAMES)
        if name not in machines.MACHINES:
            raise _Refused(
                "unknown-machine got=%s known=%s" % (name[:_ECHO], ",".join(machines.NAMES))
            )
        await self._app.panel.coin_dropped()
        for key, value in machines.settings(name).items():
            self._change(key, value)
        about = _hyphens(machines.MACHINES[name][2])
        return "machine=%s saved=%d about=%s" % (name, self._app.save_settings(), about)

    async def _game(self, name):
        from_when = "next-match" if self._exhibit().match else "now"
        return "%s from=%s" % (await self._set("game", name), from_when)

    async def _rule(self, rule):
        from_when = "next-match" if self._exhibit().match else "now"
        return "%s from=%s" % (await self._set("rule", rule), from_when)

    async def _level(self, level):
        return await self._set("level", level)

    async def _set(self, name, text):
        await self._app.panel.coin_dropped()
        self._change(name, text)
        return "%s=%s saved=%d" % (name, text, self._app.save_settings())

    def _change(self, name, text):
        self._app.settings.set(name, text)
        if name == "game" and self._app.mode == states.EXHIBIT:
            self._app.show.chosen = None  # the builder's word goes before the visitor's

    async def _settings(self, name=None):
        if not name:
            return " ".join(
                ["%s=%s" % (row[0], getattr(self._app.settings, row[0])) for row in settings.TABLE]
            )
        default, allowed, about = settings.find(name)
        return "key=%s value=%s default=%s allowed=%s about=%s" % (
            name,
            getattr(self._app.settings, name),
            default,
            _hyphens(settings.describe(allowed)),
            _hyphens(about),
        )

    async def _seed(self, number):
        self._app.dice.seed(whole_number(number, _SEED_DIGITS))
        return "seed=%s" % number

    async def _version(self):
        return "name=nimatron version=%s mode=%s micropython=%s" % (
            VERSION,
            self._app.mode,
            ".".join([str(part) for part in sys.implementation[1][:3]]),
        )

    async def _installed(self, what=None):
        if what not in (None, "files"):
            raise _Refused("usage expected=installed,[files]")
        from nimatron import installed  # which a show that nobody asks has no memory for

        async def each(name, sha256):
            self.deadline.renew(_BUSY_MS)
            if what:
                await self._serial.send_line("event file name=%s sha256=%s" % (name, sha256))

        count, digest = await installed.look(each)
        mpy = getattr(sys.implementation, "_mpy", 0)
        return "files=%d digest=%s mpy=%d" % (count, digest, mpy)

    async def _stats(self, begin=None, date=None):
        if begin:
            if begin != "begin" or not date:
                raise _Refused("usage expected=stats,[begin,DATE]")
            self._app.statistics.begin(date)
            self._app.save_statistics()
        return self._app.statistics.words()

    async def _log(self, what=None, now=None):
        crash_log = self._app.crash_log
        if what == "dump" and now in (None, "now"):
            return await self._dump(now)
        if what == "clear" and not now:
            crash_log.clear()
            self._app.storage.save(flight.FILE, {})
        elif what:
            raise _Refused("usage expected=" + _COMMANDS["log"][1])
        entries = crash_log.entries()
        for number, entry in enumerate(entries, 1):
            await self._serial.send_line(
                "event log n=%d why=%s text=%s"
                % (number, _percent(str(entry.get("why"))), _percent(str(entry.get("text"))))
            )
        return "entries=%d" % len(entries)

    async def _dump(self, now):
        """The flight recorder, of the last failure if there was one; in pieces."""
        failure = {} if now else self._app.storage.load(flight.FILE)
        text = failure.get("flight")
        if not text:
            if not self._app.flight:
                raise _Refused("no-recording mode=%s" % self._app.mode)
            text = flight.encoded(self._app.flight.memory)
        pieces = 0
        for at in range(0, len(text), _PIECE):
            piece = text[at : at + _PIECE]
            if piece.strip("A"):  # what is left out has never been written to
                pieces += 1
                await self._serial.send_line("event flight at=%d data=%s" % (at, piece))
        gc.collect()  # the text was long; now, so that it does not keep a press waiting
        return "flight=%s pieces=%d text=%s" % (
            failure.get("why", "now"),
            pieces,
            _percent(str(failure.get("text", ""))),
        )

    async def _lamps(self, test):
        if test != "test":
            raise _Refused("usage expected=lamps,test")
        return await self._ask(LAMP_TEST)

    async def _buttons(self, on=None):
        if on:
            self._app.panel.report_buttons(_on(on))
        closed = self._app.panel.closed()
        return " ".join(["%s=%s" % (b, "closed" if b in closed else "open") for b in BUTTONS])

    async def _test(self, what, *args):
        if self._app.mode == states.EXHIBIT:
            raise _Refused("exhibit-mode try=maintenance")
        if _TESTS.get(what) != len(args):
            raise _Refused("usage expected=test,lamp,ROW,COLUMN|legend,NAME|sound,HZ|coin|off")
        if what != "legend":
            args = [whole_number(arg) for arg in args]
        await self._app.show.test(what, *args)
        return "test=%s" % what

    async def _watch(self, on):
        self._app.panel.report(self._app.emit if _on(on) else None)
        return "watch=%s" % on

    async def _quiet(self, on):
        self._app.quiet = _on(on)
        return "quiet=%s" % on

    async def _reboot(self):
        self._then = restart.REBOOT
        return "restarting=reboot"

    async def _maintenance(self):
        self._then = restart.MAINTENANCE
        return "restarting=maintenance"


_NOTHING = ",".join(["0"] * board.ROWS)
_MANY = 40  # words of a position, at most

_TESTS = {"lamp": 2, "legend": 1, "sound": 1, "coin": 0, "off": 0}  # how many words follow

# verb: method, usage, fewest and most words after it, what it does
_COMMANDS = {
    "help": (Console._help, "help,[COMMAND]", 0, 1, "list the commands, or explain one"),
    "status": (Console._status, "status", 0, 0, "what is going on"),
    "new": (
        Console._new,
        "new,[ROWS...]",
        0,
        _MANY,
        "offer the openings, or start from ROWS",
    ),
    "take": (Console._take, "take,ROW,N", 2, 2, "put out N lamps of ROW and hand over"),
    "play": (Console._play, "play,ROWS...", 1, _MANY, "make the move that leaves ROWS"),
    "press": (Console._press, "press,BUTTON", 1, 1, "press one of " + " ".join(BUTTONS)),
    "hold": (Console._hold, "hold,BUTTON", 1, 1, "as if BUTTON was held down since its press"),
    "hint": (Console._hint, "hint", 0, 0, "a best move for the player"),
    "why": (Console._why, "why", 0, 0, "the binary working of the position"),
    "solve": (Console._solve, "solve,GAME,ROWS...", 2, _MANY, "what a position is worth"),
    "games": (Console._games, "games,[GAME]", 0, 1, "the games there are, or one's rule"),
    "game": (Console._game, "game,GAME", 1, 1, "play one of the games"),
    "machine": (Console._machine, "machine,[NAME]", 0, 1, "be a machine of history"),
    "rule": (Console._rule, "rule,RULE", 1, 1, "play " + " or ".join(RULES)),
    "level": (Console._level, "level,LEVEL", 1, 1, "one of " + " ".join(opponent.NAMES)),
    "seed": (Console._seed, "seed,N", 1, 1, "replay the same chance from here"),
    "version": (Console._version, "version", 0, 0, "which firmware this is, and its mode"),
    "installed": (
        Console._installed,
        "installed,[files]",
        0,
        1,
        "a digest of the files on flash, or each of them too",
    ),
    "stats": (Console._stats, "stats,[begin,DATE]", 0, 2, "games won and lost, or begin to count"),
    "settings": (Console._settings, "settings,[KEY]", 0, 1, "all settings, or what one means"),
    "set": (Console._set, "set,KEY,VALUE", 2, 2, "change a setting for good"),
    "log": (
        Console._log,
        "log,[clear|dump,[now]]",
        0,
        2,
        "the last crashes and hangs, or what the flight recorder holds of the last one",
    ),
    "lamps": (Console._lamps, "lamps,test", 1, 1, "light one lamp after the other"),
    "buttons": (
        Console._buttons,
        "buttons,[on|off]",
        0,
        1,
        "contacts now, or each time one moves",
    ),
    "test": (Console._test, "test,WHAT,...", 1, 3, "in maintenance mode try one device"),
    "watch": (Console._watch, "watch,on|off", 1, 1, "tell what the panel shows and sounds"),
    "quiet": (Console._quiet, "quiet,on|off", 1, 1, "leave out the events"),
    "reboot": (Console._reboot, "reboot", 0, 0, "start the exhibit over"),
    "maintenance": (Console._maintenance, "maintenance", 0, 0, "start over without the show"),
}


def _split(line):
    """The verb and the other words of a line of bytes."""
    if len(line) > _LONGEST:
        raise _Refused("line-too-long most=%d" % _LONGEST)
    for byte in line:
        if not 32 <= byte < 127:
            hint = " try=maintenance" if byte == _CTRL_C else ""
            raise _Refused("control-byte got=0x%02x%s" % (byte, hint))
    args = bytes(line).decode().split()
    if not args:
        raise _Refused("no-command try=help")
    return args[0], args[1:]


def _button(name):
    if name not in BUTTONS:
        raise _Refused("unknown-button got=%s known=%s" % (name[:_ECHO], ",".join(BUTTONS)))
    return name


def _hyphens(text):
    """Text as one word."""
    return text.replace(",", "").replace(" ", "-")


def _percent(text):
    """Text as one word that can be undone: what is not plain becomes %XX."""
    return "".join([c if c in _PLAIN else "%%%02X" % (ord(c) & 0xFF) for c in text])


def _on(word):
    if word not in ("on", "off"):
        raise ValueError("it is on or off not %s" % word[:_ECHO])
    return word == "on"
