"""The serial console: a line in, a line out.

Answers start with `ok` or `error`, unsolicited lines with `event`; protocol.py has the grammar,
manual.py what can be typed. Rows are counted from 1.
"""

import sys

from micropython import const

from nimatron import VERSION, board, games, machines, settings, states
from nimatron.board import BUTTONS
from nimatron.devices import restart
from nimatron.devices.watchdog import Deadline
from nimatron.match import MACHINE
from nimatron.protocol import ERROR, EVENT, LONGEST, OK, Refused, format, whole_number
from nimatron.requests import LAMP_TEST, LONG_PRESS, PICK, PLAY, START, TAKE

_ECHO = const(20)  # characters of a wrong word to repeat in the answer
_SEED_DIGITS = const(10)  # any state of the dice
_SHORT = const(40)  # a line of noise is longer: it may have no time to look for near misses
_NONCE = const(9)  # digits
_CTRL_C = const(3)  # sent by mpremote and the like; ignored in exhibit mode
_BUSY_MS = const(5000)  # no answer takes longer, even with flash writes

# Each is a method of Console, do_NAME, which returns the facts of its answer. One text takes a
# fifth of a tuple's memory.
COMMANDS = (
    " buttons choose echo game games health help hint hold installed lamps level log machine"
    " maintenance new pick play press quiet reboot rule seed set settings solve stats status take"
    " test version watch why "
)


class Console:
    """The console, which answers each line typed on the serial line.

    mode: one of states.py; show: the Exhibit in exhibit mode, else the SelfTest;
    recorder: the flight recorder, or None. emit(event) sends an event, hush(on) turns events off
    or on again.
    """

    def __init__(
        self,
        serial,
        mode,
        show,
        panel,
        dice,
        settings,
        statistics,
        crash_log,
        storage,
        recorder,
        save_settings,
        save_statistics,
        emit,
        hush,
    ):
        self.deadline = Deadline()
        self._serial = serial
        self._mode = mode
        self._show = show
        self._panel = panel
        self._dice = dice
        self._settings = settings
        self._statistics = statistics
        self._crash_log = crash_log
        self._storage = storage
        self._recorder = recorder
        self._save_settings = save_settings
        self._save_statistics = save_statistics
        self._emit = emit
        self._hush = hush
        self._then = None  # what to do once the answer is sent

    async def run(self):
        """Answer for ever."""
        while True:
            self.deadline.suspend()
            line = await self._serial.read_line(LONGEST)
            self.deadline.renew(_BUSY_MS)
            if line:
                if self._recorder:
                    self._recorder.line(line)
                else:
                    self._show.touch()
                await self._serial.send_line(await self.answer(line))
            if self._then:
                restart.restart(self._then)

    async def answer(self, line):
        """The answer to one line of bytes."""
        try:
            verb, args = _split(line)
            try:
                doing = getattr(self, "do_" + _known(verb))(*args)
            except TypeError:
                raise _misused(verb) from None
            return format(OK, *await doing)
        except Refused as why:
            refused = why
            mistyped = why.reason.startswith("unknown-") or why.reason == "not-allowed"
            if mistyped and len(line) <= _SHORT:
                refused = await _loaded("spelling").suggest(why, COMMANDS.split())
        except Exception as failure:  # a command must not stop the show
            refused = Refused("failed", "the command failed", ("got", type(failure).__name__))
        return format(ERROR, *refused.words())

    # ------------------------------------------------------------------ what is going on

    async def do_help(self, verb=None):
        manual = _loaded("manual")
        if verb:
            return manual.explained(_known(verb))
        verbs = COMMANDS.split()
        for verb in verbs:
            await self._send("help", ("name", verb), *manual.explained(verb)[:2])
        return (("commands", verbs), ("more", "help COMMAND"))

    async def do_version(self, nonce=None):
        if nonce and (len(nonce) > _NONCE or not nonce.isdigit()):
            raise _misused("version")
        facts = (("name", "nimatron"), ("version", VERSION), ("mode", self._mode)) + _platform()
        facts += (("id", self._serial.number()),)
        if nonce:  # a program has come
            self._serial.set_echo(False)
            facts += (("nonce", nonce),)
        return facts

    async def do_health(self):
        from nimatron.devices import health

        crashes = len(self._crash_log.entries())
        facts = health.facts(self._panel) + (("crashes", crashes), ("version", VERSION))
        return facts + _platform()

    async def do_status(self):
        exhibit = self._exhibit()
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
            misere = exhibit.misere  # not during a match: it loads the next one's game
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

    def _exhibit(self):
        if self._mode != states.EXHIBIT:
            raise Refused(
                self._mode + "-mode",
                "there is no show in %s mode; reboot starts it" % self._mode,
                ("try", "reboot"),
            )
        return self._show

    def _match(self):
        match = self._exhibit().match
        if not match or match.over:
            raise Refused("no-match", "there is no match; new starts one", ("try", "new"))
        return match

    # ------------------------------------------------------------------ what a visitor can do

    async def do_new(self, *words):
        if not words:
            return await self._ask(START, states.OPENING)
        game = self._exhibit().load_game()
        choice = ()
        if words[0] == "practice":
            choice = ("practice", "on")
            words = words[1:]
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
            offered = list(map(str, settings.find(what)[1]))
        elif what in ("game", "level"):
            offered = getattr(self._settings, what + "s").split(",")
        else:
            raise _misused("choose")
        if name not in offered:
            name = name[:_ECHO]
            text = "%s is not on offer, there are %s" % (name, " ".join(offered))
            raise Refused("not-offered", text, ("got", name))
        return await self._ask(START, states.OPENING, what, name)

    async def do_lamps(self, test):
        if test != "test":
            raise _misused("lamps")
        return await self._ask(LAMP_TEST)

    async def _ask(self, *request):
        exhibit = self._exhibit()
        refused = await exhibit.requests.ask(*request)
        if refused:
            raise Refused(refused.reason, str(refused), ("state", exhibit.state))
        return await self.do_status()

    # ------------------------------------------------------------------ the theory

    async def do_hint(self):
        match = self._match()
        if match.turn == MACHINE:
            raise Refused("not-your-turn", "it is not your turn", ("state", self._exhibit().state))
        return _loaded("advice").hint(match)

    async def do_why(self):
        return _loaded("advice").why(self._match())

    async def do_solve(self, *words):
        if words and words[0] < ":":  # not a name: those begin with a letter
            words = (self._settings.game,) + words
        if len(words) < 2:
            raise _misused("solve")
        return _ruled(_loaded("solving").solve, words, self._settings.rule)

    async def do_games(self, name=None):
        if not name:
            return (("games", games.NAMES),)
        return _ruled(_loaded("solving").explain, name)

    # ------------------------------------------------------------------ settings

    async def do_settings(self, name=None):
        if not name:
            return [(row[0], getattr(self._settings, row[0])) for row in settings.TABLE]
        default, allowed = settings.find(name)
        return (
            ("key", name),
            ("value", getattr(self._settings, name)),
            ("default", default),
            ("allowed", settings.describe(allowed)),
            ("about", _loaded("about").SETTINGS[name]),
        )

    async def do_set(self, name, text):
        await self._panel.coin_dropped()
        self._change(name, text)
        return ((name, text), ("saved", int(self._save_settings())))

    async def do_game(self, name):
        return await self._set_for_match("game", name)

    async def do_rule(self, rule):
        return await self._set_for_match("rule", rule)

    async def do_level(self, level):
        return await self.do_set("level", level)

    async def do_machine(self, name=None):
        if not name:
            return (("machines", machines.NAMES),)
        if name not in machines.MACHINES:
            raise _unknown("machine", name, machines.NAMES)
        await self._panel.coin_dropped()
        for key, value in machines.settings(name).items():
            self._change(key, value)
        saved = int(self._save_settings())
        return (("machine", name), ("saved", saved), ("about", _loaded("about").MACHINES[name]))

    async def do_seed(self, number):
        self._dice.seed(whole_number(number, _SEED_DIGITS))
        return (("seed", number),)

    async def _set_for_match(self, name, text):
        from_when = "next-match" if self._exhibit().match else "now"
        return await self.do_set(name, text) + (("from", from_when),)

    def _change(self, name, text):
        self._settings.set(name, text)
        if self._mode == states.EXHIBIT:
            self._show.chosen.pop(name, None)  # the builder's choice overrides the visitor's

    # ------------------------------------------------------------------ what it remembers

    async def do_installed(self, what=None):
        if what not in (None, "files"):
            raise _misused("installed")

        async def each(name, sha256):
            self.deadline.renew(_BUSY_MS)
            if what:
                await self._send("file", ("name", name), ("sha256", sha256))

        count, digest = await _loaded("installed").look(each)
        mpy = getattr(sys.implementation, "_mpy", 0)
        return (("files", count), ("digest", digest), ("mpy", mpy))

    async def do_stats(self, begin=None, date=None):
        if begin:
            if begin != "begin" or not date:
                raise _misused("stats")
            self._statistics.begin(date)
            self._save_statistics()
        return self._statistics.facts()

    async def do_log(self, what=None, now=None):
        logs = _loaded("logs")
        if what == "dump" and now in (None, "now"):
            return await logs.dump(self._send, self._storage, self._recorder, self._mode, now)
        if what == "clear" and not now:
            logs.clear(self._crash_log, self._storage)
        elif what:
            raise _misused("log")
        return await logs.entries(self._send, self._crash_log)

    async def _send(self, *words):
        await self._serial.send_line(format(EVENT, *words))

    # ------------------------------------------------------------------ the panel, and the Pico

    async def do_buttons(self, on=None):
        if on:
            self._panel.report_buttons(_on(on))
        closed = self._panel.closed()
        return [(b, "closed" if b in closed else "open") for b in BUTTONS]

    async def do_test(self, what, *args):
        if self._mode == states.EXHIBIT:
            raise Refused(
                "exhibit-mode",
                "devices are tested in maintenance mode; maintenance goes there",
                ("try", "maintenance"),
            )
        if not await self._show.test(what, *args):
            raise _misused("test")
        return (("test", what),)

    async def do_watch(self, on):
        self._panel.report(self._emit if _on(on) else None)
        return (("watch", on),)

    async def do_echo(self, on):
        self._serial.set_echo(_on(on))
        return (("echo", on),)

    async def do_quiet(self, on):
        self._hush(_on(on))
        return (("quiet", on),)

    async def do_reboot(self):
        self._then = restart.REBOOT
        return (("restarting", "reboot"),)

    async def do_maintenance(self):
        self._then = restart.MAINTENANCE
        return (("restarting", "maintenance"),)


def _split(line):
    """The verb and the other words of a line of bytes."""
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
        raise Refused("no-command", "type a command; help lists them", ("try", "help"))
    return args[0], args[1:]


def _platform():
    """The MicroPython and the board that this runs on."""
    release = ".".join(map(str, sys.implementation[1][:3]))
    return (("micropython", release), ("board", sys.implementation._machine))


def _known(verb):
    """The verb, if it is a command. No other word may become an attribute name: MicroPython
    stores each new name and never frees it."""
    if " %s " % verb not in COMMANDS:
        verb = verb[:_ECHO]
        text = "there is no command %s; help lists them" % verb
        raise Refused("unknown-command", text, ("got", verb), ("try", "help"))
    return verb


def _ruled(ask, *args):
    """The result of ask(*args), a call into a rule set; its ValueError becomes a Refused."""
    try:
        return ask(*args)
    except Refused:
        raise
    except ValueError as why:
        raise Refused("bad-position", str(why)) from None


def _loaded(name):
    """A module of the package that is wanted for one answer only: its memory is then free."""
    module = __import__("nimatron." + name, None, None, (name,))
    if sys.modules.pop("nimatron." + name, None):  # a simulated Pico keeps its imports
        delattr(sys.modules["nimatron"], name)
    return module


def _misused(verb):
    return _loaded("manual").misused(verb)


def _unknown(what, name, known):
    name = name[:_ECHO]
    text = "no %s is called %s, there are %s" % (what, name, " ".join(known))
    return Refused("unknown-" + what, text, ("got", name))


def _button(name):
    if name not in BUTTONS:
        raise _unknown("button", name, BUTTONS)
    return name


def _on(word):
    if word not in ("on", "off"):
        word = word[:_ECHO]
        raise Refused("not-allowed", "it is on or off, not %s" % word, ("got", word))
    return word == "on"
