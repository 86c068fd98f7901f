"""The app: wires everything, and starts over when any part of it fails."""

import asyncio
import io
import os
import sys

import micropython

from nimatron import VERSION, board, flight, pictures, protocol
from nimatron.bench import CORNERS, Bench
from nimatron.console import Console
from nimatron.devices import lamps, restart
from nimatron.devices.panel import Panel
from nimatron.devices.serial import Serial
from nimatron.devices.storage import Storage
from nimatron.dice import Dice
from nimatron.exhibit import Exhibit
from nimatron.flight import Flight
from nimatron.journal import Journal
from nimatron.settings import MINUTE, Settings
from nimatron.states import CRASHED, EXHIBIT, MAINTENANCE
from nimatron.statistics import OTHER, Statistics

_MAINTENANCE_BUTTONS = ["row1", "new"]  # held at power-up, and no others
_MAINTENANCE_MS = 3000
_QUICK = 3
_HOPELESS = 6
_SETTINGS = "settings.json"
_STATISTICS = "statistics.json"
_SETTLE_MS = 3  # for the pull-ups to charge the cables
_HOUR_MS = 3_600_000
_CTRL_C = 3

_display = None  # kept when the app has given up: a collected display stops


class App:
    """`why` is the reason of this start, one of restart.WHY; `left` is what the life before has
    kept, see restart.py."""

    def __init__(self, why, left):
        self._why = why
        self._serial = Serial()
        self.mode = None  # until it is told, on the boot line
        self._quiet = False
        self._untold = []
        self.storage = Storage(self.tell)
        self.settings = Settings()
        self._load(left)
        self.dice = Dice(int.from_bytes(os.urandom(4), "little"))
        self.panel = Panel(
            self.settings, self._pressed, self._released, self._held, self._fault, self._device
        )
        self.show = None  # the Exhibit, or the Bench
        self.flight = None  # the recorder of the exhibit
        self._failed = asyncio.Event()
        self._failure = None

    async def run(self):
        """Runs until some part of it fails; raises what that part raised."""
        asyncio.get_event_loop().set_exception_handler(self._fail)
        await asyncio.sleep_ms(_SETTLE_MS)
        if self._why == restart.MAINTENANCE:
            self.mode = MAINTENANCE
        elif restart.quick() >= _QUICK:
            self.mode = CRASHED
        elif self._why == restart.POWER_ON and await self._wants_maintenance():
            self.mode = MAINTENANCE
        else:
            self.mode = EXHIBIT
        self.tell("boot version=%s mode=%s why=%s" % (VERSION, self.mode, self._why))
        for event in self._untold:
            self.tell(event)
        if self.mode == EXHIBIT:
            self.show = Exhibit(
                self.panel, self.settings, self.dice, self.tell, self._entered, self._ended
            )
            self.flight = Flight(self._scene({"state": "boot"}))
            restart.keep(self.flight.memory)
            self.panel.watch()
        else:
            restart.at_prompt()
            micropython.kbd_intr(_CTRL_C)
            self.show = Bench(self.panel, self.settings, self.mode == CRASHED, self._leave)
            self.tell("state=%s" % self.mode)
        console = Console(
            self._serial,
            self.mode,
            self.show,
            self.panel,
            self.dice,
            self.settings,
            self.statistics,
            self.journal,
            self.storage,
            self.flight,
            self.save_settings,
            self.save_statistics,
            self.tell,
            self.hush,
        )
        asyncio.create_task(self.panel.run((self.show.pulse, console.pulse)))
        asyncio.create_task(self.show.run())
        asyncio.create_task(console.run())
        asyncio.create_task(self._keep_time())
        await self._failed.wait()
        raise self._failure

    async def _wants_maintenance(self):
        """Does somebody hold both buttons until all lamps are lit? Nobody who leans on the panel
        does, and no wet cable."""
        for masks in pictures.filling():
            if self.panel.closed() != _MAINTENANCE_BUTTONS:
                self.panel.dark()
                return False
            self.panel.show(masks)
            await asyncio.sleep_ms(_MAINTENANCE_MS // (board.ROWS * board.LAMPS))
        return True

    def _load(self, left):
        """What the flash knows: the crash log, settings and statistics."""
        self.journal = Journal(self.storage)
        if self._why == restart.HANG:
            self.journal.add(self._why, "the watchdog was not fed")
        if restart.quick() == 1:  # of failures in a row the first is the one to look into
            noted = [{"why": self._why}] + self.journal.entries()
            flight.save(self.storage, left, [e for e in noted if e.get("why") == self._why][-1])
        for problem in self.settings.load(self.storage.load(_SETTINGS)):
            self.tell(protocol.format(("setting", "ignored"), *problem.words()))
        self.statistics = Statistics(self.storage.load(_STATISTICS))
        self.statistics.reset(self._why)
        if self._why in (restart.CRASH, restart.HANG):  # the journal was written anyway
            self.save_statistics()

    async def _keep_time(self):
        await asyncio.sleep_ms(restart.QUICK_MS)
        restart.settled()
        self.save_statistics()  # not earlier: a supply that hiccups would wear the flash out
        while True:
            await asyncio.sleep_ms(_HOUR_MS)
            self.statistics.hour()
            self.save_statistics()

    def save_settings(self):
        """Settings to flash; False, and reported, if it does not take them."""
        return self.storage.save(_SETTINGS, self.settings.saved)

    def save_statistics(self):
        return self.storage.save(_STATISTICS, self.statistics.data)

    # ------------------------------------------------------------------ what the parts tell

    def tell(self, event):
        """Say on the console what nobody has asked for; nothing comes before the boot line."""
        if self.mode is None:
            self._untold.append(event)
        elif not self._quiet:
            self._serial.write_line("event " + event)

    def hush(self, on):
        """Tell no more events, or tell them again."""
        self._quiet = on

    def _pressed(self, button):
        if self.flight:
            self.flight.press(button)
        if self.show:
            self.show.press(button)

    def _released(self, button):
        if self.flight:
            self.flight.release(button)
            if self.show.state == "opening" and not self.panel.closed():
                self._begin_half()

    def _held(self, button):
        if self.mode == EXHIBIT and self.show:
            self.show.hold(button)

    def _fault(self, button, what):
        self.tell("button=%s contact=%s" % (button, what))

    def _device(self, name, why):
        """A device has failed that the show can do without."""
        why = repr(why)
        self.tell(protocol.format(("device", name), ("failed", why)))
        self.journal.note("device", "%s: %s" % (name, why))

    def _entered(self):
        state = self.show.state
        if state == "attract":
            self._begin_half()
        self.flight.state(state, self.panel.lamps)
        self.tell("state=%s" % state)

    def _begin_half(self):
        scene = self.show.scene() if self.flight.due else None
        if scene:
            self.flight.begin(self._scene(scene))

    def _scene(self, scene):
        """With it, what else a replay needs to start from there."""
        scene["settings"] = self.settings.changed()
        scene["dice"] = self.dice.state
        scene["closed"] = self.panel.closed()
        scene["version"] = VERSION
        return scene

    def _ended(self, match, outcome):
        game = match.game
        opening = OTHER
        if match.opening in game.openings:
            opening = game.words(match.opening).replace(",", "-")
        self.statistics.game(outcome, game.name, opening, self.settings.level)
        self.save_statistics()

    def _leave(self):
        restart.restart(restart.REBOOT)

    def _fail(self, loop, context):
        self._failure = context["exception"]
        self._failed.set()


def run(left):
    """Runs the app for ever; in maintenance mode Ctrl-C on the serial line ends it. `left` is what
    the life before has kept."""
    why = restart.why()
    if restart.quick() >= _HOPELESS:
        _give_up()
        return
    app = None
    try:
        app = App(why, left)
        asyncio.run(app.run())
    except KeyboardInterrupt:
        _stopped(app)
    except Exception as failure:
        _crashed(failure, app)


def _stopped(app):
    """Everything off, and the prompt; the show comes back by itself."""
    micropython.kbd_intr(-1)  # mpremote sends Ctrl-C twice
    app.panel.dark()
    ms = app.settings.maintenance_ms
    restart.later(ms, restart.REBOOT)
    sys.stdout.write(
        "stopped. Ctrl-D starts the show, and in %d minutes it starts by itself, unless you type:"
        " from nimatron import restart; restart.stay()\n" % (ms // MINUTE)
    )
    micropython.kbd_intr(_CTRL_C)


def _crashed(failure, app):
    """Note why, everything off, say why, as far as each still works; then start over. The line
    comes last: whoever is at its other end may not read."""
    try:
        text = io.StringIO()
        sys.print_exception(failure, text)
        text = text.getvalue()
        try:
            Journal(Storage(_say)).add(restart.CRASH, text)
        except Exception:
            pass
        try:
            app.panel.dark()
        except Exception:  # so early that there is no app, too
            pass
        serial = Serial()
        for line in text.split("\n"):
            serial.write_line(line)
    finally:
        restart.restart(restart.CRASH)


def _say(event):
    """Say it on the console, which may be what has failed."""
    try:
        Serial().write_line("event " + event)
    except Exception:
        pass


def _give_up():
    """Not even the crashed mode works: four lamps, which need nobody, and the prompt, for a new
    deploy or for better times."""
    global _display
    restart.at_prompt()
    micropython.kbd_intr(_CTRL_C)
    settings = Settings()
    settings.load(Storage(_say).load(_SETTINGS))
    restart.later(settings.maintenance_ms, restart.REBOOT)
    _display = lamps.driver(settings)
    _display.show(CORNERS)
