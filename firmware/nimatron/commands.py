"""The console's commands. Rows are counted from 1.

The commands that set up or repair an exhibit are in setup_commands.py.
"""

import asyncio
import sys

from micropython import const

from nimatron import VERSION, board, loaded, states
from nimatron.board import BUTTONS
from nimatron.devices import restart
from nimatron.protocol import ERROR, EVENT, LONGEST, OK, Refused, format, whole_number
from nimatron.requests import LAMP_TEST, LONG_PRESS, PICK, PLAY, START, TAKE
from nimatron.states import MACHINE

_ECHO = const(20)  # characters of a wrong word that the answer repeats
_NONCE = const(9)  # the most digits in a nonce
_PRACTICE = "second", "normal"  # the machine moves first, the last lamp wins
_CTRL_C = const(3)  # sent by mpremote and other tools. Ignored in exhibit mode

# The usage of each command. The method do_NAME of Commands or SetupCommands returns its answer.
_USAGES = """
buttons [on|off]
choose game|level|players NAME
echo on|off
game GAME
games [GAME]
health
help [COMMAND]
hint
hold BUTTON
installed [files]
lamps test
level LEVEL
log [clear|dump [now]]
machine [NAME]
maintenance
new [[practice [second] [normal]] ROWS...]
pick ROWS...
play ROWS...
press BUTTON
quiet on|off
reboot
rule RULE
seed N
set KEY VALUE
settings [all|KEY]
solve [GAME] ROWS...
stats [begin DATE]
status
take ROW N
test DEVICE [WHICH]
version [NONCE]
watch on|off
why
"""


class Commands:
    """The commands for one line that is typed to the App. A slow answer renews `deadline`. `then`
    is the restart after the answer, or None."""

    def __init__(self, app, deadline):
        self.app = app
        self.deadline = deadline
        self.then = None

    async def answer(self, line):
        """Return the answer to `line`, which is bytes."""
        try:
            verb, args = _split(line)
            command = await self._command(known(verb))
            try:
                doing = command(*args)
            except TypeError:
                raise misused(verb) from None
            return format(OK, *await doing)
        except Refused as why:
            refused = why
        except Exception as failure:  # a command must not stop the show
            refused = Refused("failed", "the command failed", ("got", type(failure).__name__))
        return format(ERROR, *refused.words())

    async def _command(self, verb):
        """Return the method that carries out a command, from here or from a SetupCommands."""
        name = "do_" + verb
        command = getattr(self, name, None)
        return command or getattr((await self.load("setup_commands")).SetupCommands(self), name)

    async def load(self, name):
        """Return a module of this package, loaded for one answer. On a Pico, this takes up to 60
        ms. Other tasks run before and after the load, so a press waits for at most one load."""
        await asyncio.sleep_ms(0)
        module = loaded(name)
        await asyncio.sleep_ms(0)
        return module

    async def send(self, *words):
        """Send an event as part of the answer."""
        await self.app.serial.send_line(format(EVENT, *words))

    # ------------------------------------------------------------------ the match

    async def do_version(self, nonce=None):
        if nonce and (len(nonce) > _NONCE or not nonce.isdigit()):
            raise misused("version")
        facts = (("name", "nimatron"), ("version", VERSION), ("mode", self.app.mode)) + _platform()
        facts += (("id", self.app.serial.number()),)
        if nonce:  # a program is talking to the Pico
            self.app.serial.echo = False
            facts += (("nonce", nonce),)
        return facts

    async def do_health(self):
        from nimatron.devices import health

        crashes = len(self.app.crash_log.entries())
        facts = health.facts(self.app.panel) + (("crashes", crashes), ("version", VERSION))
        return facts + _platform()

    async def do_status(self):
        exhibit = self.exhibit()
        match = exhibit.match
        game = exhibit.game_name
        rows = picked = board.DARK
        players = exhibit.players
        more = ()
        if match:
            game, misere = match.game.name, match.misere
            rows, picked = match.game.words(match.remaining), match.game.picked_words(match.draft)
            players = 1 if MACHINE in match.seats else len(match.seats)
            more = match.prizes
            if match.remaining != match.position:
                more += (("position", match.game.words(match.position)),)
        else:
            misere = exhibit.misere  # not during a match: it loads the game of the next match
        if players > 1:
            more += (("players", players),)
        return (
            ("game", game),
            ("rule", "misere" if misere else "normal"),
            ("level", exhibit.level),
            ("state", exhibit.state),
            ("rows", rows),
            ("picked", picked),
        ) + more

    def exhibit(self):
        if self.app.mode != states.EXHIBIT:
            raise Refused(
                self.app.mode + "-mode",
                "there is no show in %s mode: type reboot to start it" % self.app.mode,
                ("try", "reboot"),
            )
        return self.app.show

    def _match(self):
        match = self.exhibit().match
        if not match or match.over:
            raise Refused("no-match", "there is no match: new starts one", ("try", "new"))
        return match

    # ------------------------------------------------------------------ a visitor's commands

    async def do_new(self, *words):
        if not words:
            return await self._ask(START, states.OPENING)
        game = self.exhibit().load_game()
        choice = ()
        if words[0] == "practice":
            how = [word for word in words if word in _PRACTICE]
            choice = ("practice", ",".join(how) or "on")
            words = words[1 + len(how) :]
            if not words:
                raise Refused("bad-position", "practice needs a position: new practice ROWS...")
        position = _ruled(game.placed_on_panel, _ruled(game.parse, words))
        return await self._ask(START, position, *choice)

    async def do_take(self, row, count):
        return await self._ask(TAKE, whole_number(row) - 1, whole_number(count))

    async def do_play(self, first, *words):
        return await self._ask_for(PLAY, (first,) + words)

    async def do_pick(self, first, *words):
        return await self._ask_for(PICK, (first,) + words)

    async def _ask_for(self, verb, words):
        game = self._match().game
        return await self._ask(verb, _ruled(game.padded, _ruled(game.parse_option, words)))

    async def do_press(self, button):
        return await self._ask(_button(button))

    async def do_hold(self, button):
        return await self._ask(LONG_PRESS, _button(button))

    async def do_choose(self, what, name):
        if what == "players":
            offered = list(map(str, (await self.load("settings")).find(what)[1]))
        elif what in ("game", "level"):
            offered = getattr(self.app.settings, what + "s").split(",")
        else:
            raise misused("choose")
        if name not in offered:
            name = name[:_ECHO]
            text = "%s is not on offer: choose from %s" % (name, " ".join(offered))
            raise Refused("not-offered", text, ("got", name))
        return await self._ask(START, states.OPENING, what, name)

    async def do_lamps(self, test):
        if test != "test":
            raise misused("lamps")
        return await self._ask(LAMP_TEST)

    async def _ask(self, *request):
        exhibit = self.exhibit()
        refused = await exhibit.requests.ask(*request)
        if refused:
            raise Refused(refused.reason, str(refused), ("state", exhibit.state))
        return await self.do_status()

    # ------------------------------------------------------------------ the theory

    async def do_hint(self):
        match = self._match()
        if match.turn == MACHINE:
            raise Refused("not-your-turn", "it is not your turn", ("state", self.exhibit().state))
        return (await self.load("advice")).hint(match)

    async def do_why(self):
        match = self._match()
        facts = (await self.load("advice")).why(match)
        return facts + (await self.load("worth")).facts(match)

    async def do_solve(self, *words):
        if words and words[0] < ":":  # not a name: names begin with a letter
            words = (self.app.settings.game,) + words
        if len(words) < 2:
            raise misused("solve")
        advice = await self.load("advice")
        try:
            return await advice.solve(words, self.app.settings.rule)
        except Refused:
            raise
        except ValueError as why:
            raise Refused("bad-position", str(why)) from None

    async def do_games(self, name=None):
        return await (await self.load("advice")).explain(name)

    # ------------------------------------------------------------------ the panel, and the Pico

    async def do_echo(self, on):
        self.app.serial.echo = is_on(on)
        return (("echo", on),)

    async def do_reboot(self):
        self.then = restart.REBOOT
        return (("restarting", "reboot"),)

    async def do_maintenance(self):
        self.then = restart.MAINTENANCE
        return (("restarting", "maintenance"),)


def _split(line):
    """Return the verb and the other words in `line`, which is bytes."""
    if len(line) > LONGEST:
        text = "a line has %d characters at most" % LONGEST
        raise Refused("line-too-long", text, ("most", LONGEST))
    for byte in line:
        if not 32 <= byte < 127:
            text, hint = "only printable ASCII characters can be typed", ()
            if byte == _CTRL_C:
                text, hint = "Ctrl-C works in maintenance mode only", (("try", "maintenance"),)
            raise Refused("control-byte", text, ("got", "0x%02x" % byte), *hint)
    args = bytes(line).decode().split()
    if not args:
        raise Refused("no-command", "type a command, or help for a list", ("try", "help"))
    return args[0], args[1:]


def _platform():
    """Return the version of MicroPython and the name of the board."""
    release = ".".join(map(str, sys.implementation[1][:3]))
    return (("micropython", release), ("board", sys.implementation._machine))


def usages():
    """Return a tuple with the usage of every command."""
    return tuple(_USAGES.strip().split("\n"))


def known(verb):
    """Return `verb` if it is a command. No other word may become an attribute name, because
    MicroPython stores each new name and never frees it."""
    if verb not in [usage.split()[0] for usage in usages()]:
        verb = verb[:_ECHO]
        text = "there is no command %s: type help for a list" % verb
        raise Refused("unknown-command", text, ("got", verb), ("try", "help"))
    return verb


def _ruled(ask, *args):
    """Return ask(*args), a call into a rule set. Raises Refused if the call raises ValueError."""
    try:
        return ask(*args)
    except Refused:
        raise
    except ValueError as why:
        raise Refused("bad-position", str(why)) from None


def usage_of(verb):
    """Return the usage of a command."""
    for usage in usages():
        if usage.split()[0] == verb:
            return usage


def misused(verb):
    """Return the Refused for a command with wrong usage."""
    usage = usage_of(verb)
    return Refused("usage", "type it like this: " + usage, ("expected", usage))


def unknown(what, name, known):
    """Return the Refused for a `name` that is not one of `known`."""
    name = name[:_ECHO]
    text = "no %s is called %s: choose from %s" % (what, name, " ".join(known))
    return Refused("unknown-" + what, text, ("got", name))


def _button(name):
    if name not in BUTTONS:
        raise unknown("button", name, BUTTONS)
    return name


def is_on(word):
    """Return True for "on" and False for "off". Raises Refused for any other word."""
    if word not in ("on", "off"):
        word = word[:_ECHO]
        raise Refused("not-allowed", "type on or off, not %s" % word, ("got", word))
    return word == "on"
