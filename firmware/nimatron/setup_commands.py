"""The console's commands that set up or repair an exhibit. The module is loaded for one answer."""

import sys

from nimatron import loaded, states
from nimatron.board import BUTTONS
from nimatron.commands import is_on, known, misused, unknown, usage_of, usages
from nimatron.protocol import Refused, whole_number
from nimatron.states import OUTCOMES
from nimatron.statistics import GROUPS

_SEED_DIGITS = 10  # the most digits in a state of the dice
_BUSY_MS = 5000  # reading one file takes less time


class SetupCommands:
    """Additional commands. Each is a method do_NAME that returns the facts for its answer.
    `commands` is the Commands object that these methods extend."""

    def __init__(self, commands):
        self._commands = commands
        self._app = commands.app

    async def do_help(self, verb=None):
        if verb:
            return (("usage", usage_of(known(verb))),)
        serial = self._app.serial
        for usage in usages():
            if serial.echo:  # a person is typing
                name, _, words = usage.partition(" ")
                await serial.send_line(("%-12s%s" % (name, words)).rstrip())
            else:
                await self._commands.send("help", ("usage", usage))
        return (("commands", [usage.split()[0] for usage in usages()]),)

    # ------------------------------------------------------------------ settings

    async def do_settings(self, name=None):
        settings = await self._commands.load("settings")
        now = self._app.settings
        if name and name != "all":
            return settings.facts(now, name)
        names = [row[0] for row in settings.TABLE]
        if name:
            for each in names:
                await self._commands.send("setting", *settings.facts(now, each))
        return [(each, getattr(now, each)) for each in names]

    async def do_set(self, name, text):
        await self._app.panel.coin_dropped()
        self._change(await self._commands.load("settings"), {name: text})
        return ((name, text), ("saved", int(self._app.save_settings())))

    async def do_game(self, name):
        return await self._set_for_match("game", name)

    async def do_rule(self, rule):
        return await self._set_for_match("rule", rule)

    async def do_level(self, level):
        return await self.do_set("level", level)

    async def do_machine(self, name=None):
        settings = await self._commands.load("settings")
        names = settings.MACHINES
        if not name:
            return (("machines", names),)
        if name not in names:
            raise unknown("machine", name, names)
        await self._app.panel.coin_dropped()
        self._change(settings, loaded("machines").settings(name))
        return (("machine", name), ("saved", int(self._app.save_settings())))

    async def do_seed(self, number):
        self._app.dice.seed(whole_number(number, _SEED_DIGITS))
        return (("seed", number),)

    async def _set_for_match(self, name, text):
        from_when = "next-match" if self._commands.exhibit().match else "now"
        return await self.do_set(name, text) + (("from", from_when),)

    def _change(self, settings, texts):
        for name, text in texts.items():
            settings.change(self._app.settings, name, text)
            if self._app.mode == states.EXHIBIT:
                self._app.show.chosen.pop(
                    name, None
                )  # the builder's choice overrides the visitor's

    # ------------------------------------------------------------------ logs and statistics

    async def do_installed(self, what=None):
        if what not in (None, "files"):
            raise misused("installed")

        async def each(name, sha256):
            self._commands.deadline.renew(_BUSY_MS)
            if what:
                await self._commands.send("file", ("name", name), ("sha256", sha256))

        count, digest = await (await self._commands.load("installed")).look(each)
        mpy = getattr(sys.implementation, "_mpy", 0)
        return (("files", count), ("digest", digest), ("mpy", mpy))

    async def do_stats(self, begin=None, date=None):
        if begin:
            if begin != "begin" or not date:
                raise misused("stats")
            self._app.statistics.begin(date)
            self._app.save_statistics()
        return _tally(self._app.statistics.data)

    async def do_log(self, what=None, now=None):
        logs = await self._commands.load("logs")
        if what == "dump" and now in (None, "now"):
            return await logs.dump(
                self._commands.send, self._app.storage, self._app.flight, self._app.mode, now
            )
        if what == "clear" and not now:
            logs.clear(self._app.crash_log, self._app.storage)
        elif what:
            raise misused("log")
        return await logs.entries(self._commands.send, self._app.crash_log)

    # ------------------------------------------------------------------ the panel

    async def do_buttons(self, on=None):
        if on:
            self._app.panel.report_buttons(is_on(on))
        closed = self._app.panel.closed()
        return [(b, "closed" if b in closed else "open") for b in BUTTONS]

    async def do_test(self, what, *args):
        if self._app.mode == states.EXHIBIT:
            raise Refused(
                "exhibit-mode",
                "devices can be tested in maintenance mode only: type maintenance",
                ("try", "maintenance"),
            )
        if not await self._app.show.test(what, *args):
            raise misused("test")
        return (("test", what),)

    async def do_watch(self, on):
        self._app.panel.report(self._app.emit if is_on(on) else None)
        return (("watch", on),)

    async def do_quiet(self, on):
        self._app.hush(is_on(on))
        return (("quiet", on),)


def _tally(data):
    """Return all statistics as (key, value) pairs."""
    facts = [(name, data[name]) for name in ("since", "minutes", "games") + OUTCOMES]
    facts += [("resets." + why, count) for why, count in sorted(data["resets"].items())]
    for group in GROUPS:
        for name, counts in sorted(data[group].items()):
            each = "/".join([str(counts.get(outcome, 0)) for outcome in OUTCOMES])
            facts.append((group + "." + name, each))
    return facts
