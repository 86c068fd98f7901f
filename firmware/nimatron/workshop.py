"""The console's commands for those who set up an exhibit or repair it. Loaded for one answer."""

import sys

from nimatron import loaded, states
from nimatron.board import BUTTONS
from nimatron.console import COMMANDS, is_on, known, misused, unknown
from nimatron.match import OUTCOMES
from nimatron.protocol import Refused, whole_number
from nimatron.statistics import GROUPS

_SEED_DIGITS = 10  # any state of the dice
_BUSY_MS = 5000  # to read one file takes less


class Workshop:
    """The commands, each a method do_NAME that returns the facts of its answer.

    exhibit() returns the Exhibit, or raises Refused if there is none; send(words) sends an event
    as a part of the answer, and `deadline` is to be renewed by an answer that takes long. The rest
    is as for Console; emit(event) sends an event, and hush(on) turns events off or on again.
    """

    def __init__(
        self,
        exhibit,
        send,
        deadline,
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
        self._exhibit = exhibit
        self._send = send
        self._deadline = deadline
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

    async def do_help(self, verb=None):
        manual = loaded("manual")
        if verb:
            return manual.explained(known(verb))
        verbs = COMMANDS.split()
        for verb in verbs:
            await self._send("help", ("name", verb), *manual.explained(verb)[:2])
        return (("commands", verbs), ("more", "help COMMAND"))

    # ------------------------------------------------------------------ settings

    async def do_settings(self, name=None):
        settings = loaded("settings")
        if not name:
            return [(row[0], getattr(self._settings, row[0])) for row in settings.TABLE]
        default, allowed = settings.find(name)
        return (
            ("key", name),
            ("value", getattr(self._settings, name)),
            ("default", default),
            ("allowed", settings.describe(allowed)),
            ("about", loaded("about").SETTINGS[name]),
        )

    async def do_set(self, name, text):
        await self._panel.coin_dropped()
        self._change({name: text})
        return ((name, text), ("saved", int(self._save_settings())))

    async def do_game(self, name):
        return await self._set_for_match("game", name)

    async def do_rule(self, rule):
        return await self._set_for_match("rule", rule)

    async def do_level(self, level):
        return await self.do_set("level", level)

    async def do_machine(self, name=None):
        machines = loaded("machines")
        if not name:
            return (("machines", machines.NAMES),)
        if name not in machines.NAMES:
            raise unknown("machine", name, machines.NAMES)
        await self._panel.coin_dropped()
        self._change(machines.settings(name))
        saved = int(self._save_settings())
        return (("machine", name), ("saved", saved), ("about", loaded("about").MACHINES[name]))

    async def do_seed(self, number):
        self._dice.seed(whole_number(number, _SEED_DIGITS))
        return (("seed", number),)

    async def _set_for_match(self, name, text):
        from_when = "next-match" if self._exhibit().match else "now"
        return await self.do_set(name, text) + (("from", from_when),)

    def _change(self, texts):
        settings = loaded("settings")
        for name, text in texts.items():
            settings.change(self._settings, name, text)
            if self._mode == states.EXHIBIT:
                self._show.chosen.pop(name, None)  # the builder's choice overrides the visitor's

    # ------------------------------------------------------------------ what it remembers

    async def do_installed(self, what=None):
        if what not in (None, "files"):
            raise misused("installed")

        async def each(name, sha256):
            self._deadline.renew(_BUSY_MS)
            if what:
                await self._send("file", ("name", name), ("sha256", sha256))

        count, digest = await loaded("installed").look(each)
        mpy = getattr(sys.implementation, "_mpy", 0)
        return (("files", count), ("digest", digest), ("mpy", mpy))

    async def do_stats(self, begin=None, date=None):
        if begin:
            if begin != "begin" or not date:
                raise misused("stats")
            self._statistics.begin(date)
            self._save_statistics()
        return _tally(self._statistics.data)

    async def do_log(self, what=None, now=None):
        logs = loaded("logs")
        if what == "dump" and now in (None, "now"):
            return await logs.dump(self._send, self._storage, self._recorder, self._mode, now)
        if what == "clear" and not now:
            logs.clear(self._crash_log, self._storage)
        elif what:
            raise misused("log")
        return await logs.entries(self._send, self._crash_log)

    # ------------------------------------------------------------------ the panel

    async def do_buttons(self, on=None):
        if on:
            self._panel.report_buttons(is_on(on))
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
            raise misused("test")
        return (("test", what),)

    async def do_watch(self, on):
        self._panel.report(self._emit if is_on(on) else None)
        return (("watch", on),)

    async def do_quiet(self, on):
        self._hush(is_on(on))
        return (("quiet", on),)


def _tally(data):
    """All statistics as (key, value) pairs."""
    facts = [(name, data[name]) for name in ("since", "minutes", "games") + OUTCOMES]
    facts += [("resets." + why, count) for why, count in sorted(data["resets"].items())]
    for group in GROUPS:
        for name, counts in sorted(data[group].items()):
            each = "/".join([str(counts.get(outcome, 0)) for outcome in OUTCOMES])
            facts.append((group + "." + name, each))
    return facts
