"""The app, which connects all parts of the firmware, and starts again if any part fails."""

import asyncio
import os

import micropython
import nimatron_boot
from micropython import const

from nimatron import VERSION, board, crash_log, flight, loaded, pictures, protocol, states
from nimatron.console import Console
from nimatron.devices import restart
from nimatron.devices.panel import Panel
from nimatron.devices.serial import Serial
from nimatron.devices.storage import Storage
from nimatron.dice import Dice
from nimatron.exhibit import Exhibit
from nimatron.flight import Flight
from nimatron.requests import Requests
from nimatron.states import CRASHED, EXHIBIT, MACHINE, MAINTENANCE
from nimatron.statistics import OTHER, Statistics

_MAINTENANCE_BUTTONS = [board.ROW_BUTTONS[0], board.NEW]  # hold these two at power-up
_MAINTENANCE_MS = const(3000)
_QUICK = const(3)
_HOPELESS = const(6)
_SETTINGS = const("settings.json")
_STATISTICS = const("statistics.json")
_SETTLE_MS = const(3)  # until the pull-ups have charged the cables
_MINUTE_MS = const(60_000)
_HOUR_MS = const(3_600_000)
_CTRL_C = const(3)

_kept = None  # the app


class App:
    """The app. `why` is the reason for this start, one of restart.WHY. `salvaged` is the memory of
    the flight recorder from the previous run, or b"" if there is no such memory."""

    def __init__(self, why, salvaged):
        self._why = why
        self.serial = Serial()
        self.mode = None  # unknown until the boot line
        self._quiet = False
        self._wires = []  # logged faults, because a loose contact must not wear the flash
        self._pending = []
        self.storage = Storage(self.emit)
        self._load(salvaged)
        self.dice = Dice(int.from_bytes(os.urandom(4), "little"))
        self.panel = Panel(
            self.settings,
            self._pressed,
            self._released,
            self._long_pressed,
            self._fault,
            self._wired,
            self._device,
        )
        self.show = None  # the Exhibit, or the SelfTest
        self._pressable = None  # the receiver of the presses: the Requests, or the SelfTest
        self.flight = None  # the exhibit's flight recorder
        self._unsaved = asyncio.Event()  # the statistics have changed
        self._failed = asyncio.Event()
        self._failure = None

    async def run(self):
        """Run until a part fails, and raise its exception."""
        asyncio.get_event_loop().set_exception_handler(self._fail)
        await asyncio.sleep_ms(_SETTLE_MS)
        if self._why == restart.MAINTENANCE:
            self.mode = MAINTENANCE
        elif restart.quick() >= _QUICK:
            if nimatron_boot.on_trial():
                restart.restart(restart.REBOOT)  # returns to the previous firmware
            self.mode = CRASHED
        elif self._why == restart.POWER_ON and await self._wants_maintenance():
            self.mode = MAINTENANCE
        else:
            self.mode = EXHIBIT
        self.emit("boot version=%s mode=%s why=%s" % (VERSION, self.mode, self._why))
        for event in self._pending:
            self.emit(event)
        if nimatron_boot.undone():
            self.emit("update=undone")
            self.crash_log.add_once("update", "a new firmware crashed, the one before is back")
        if self.mode == EXHIBIT:
            self._pressable = requests = Requests(self.panel, self.settings, self.emit)
            self.show = Exhibit(
                self.panel,
                self.settings,
                self.dice,
                requests,
                self.emit,
                self._entered,
                self._ended,
            )
            deadline = requests.deadline
            self.flight = Flight(self._scene({"state": states.BOOT}))
            if not restart.remember(self.flight.memory):
                self.emit("recorder=not-in-sram")
        else:
            micropython.kbd_intr(_CTRL_C)
            from nimatron.maintenance import SelfTest  # the show has no memory for it

            self._pressable = self.show = SelfTest(
                self.panel, self.settings, self.mode == CRASHED, self._leave
            )
            deadline = self.show.deadline
            self.emit("state=%s" % self.mode)
        console = Console(self)
        asyncio.create_task(self.panel.run((deadline, console.deadline)))
        asyncio.create_task(self.show.run())
        asyncio.create_task(console.run())
        asyncio.create_task(self._keep_time())
        asyncio.create_task(self._keep_statistics())
        await self._failed.wait()
        raise self._failure

    async def _wants_maintenance(self):
        """Return True if only these two buttons are held until all lamps are lit. Neither a
        visitor who leans on the panel nor a wet cable does this."""
        for masks in pictures.filling():
            if self.panel.closed() != _MAINTENANCE_BUTTONS:
                self.panel.dark()
                return False
            self.panel.show(masks)
            await asyncio.sleep_ms(_MAINTENANCE_MS // (board.ROWS * board.LAMPS))
        return True

    def _load(self, salvaged):
        """Load the crash log, the settings and the statistics from flash."""
        self.crash_log = crash_log.CrashLog(self.storage)
        if self._why == restart.HANG:
            self.crash_log.add(self._why, "the watchdog was not fed")
        if restart.quick() == 1:  # keep only the first of several failures in a row
            noted = [{"why": self._why}] + self.crash_log.entries()
            flight.save(
                self.storage, salvaged, [e for e in noted if e.get("why") == self._why][-1]
            )
        table = loaded("settings")
        self.settings = table.defaults()
        for problem in table.load(self.settings, self.storage.load(_SETTINGS)):
            self.emit(protocol.format(("setting", "ignored"), *problem.words()))
        self.statistics = Statistics(self.storage.load(_STATISTICS))
        self.statistics.reset(self._why)
        if self._why in (restart.CRASH, restart.HANG):  # the crash log was written anyway
            self.save_statistics()

    async def _keep_time(self):
        await asyncio.sleep_ms(restart.QUICK_MS)
        restart.settled()
        if nimatron_boot.keep():
            self.emit("update=kept")
        self._unsaved.set()  # not earlier, because a supply that hiccups would wear the flash out
        while True:
            await asyncio.sleep_ms(_HOUR_MS)
            self.statistics.hour()
            self._unsaved.set()

    async def _keep_statistics(self):
        """Save the statistics when they have changed, but at most once a minute. A child can end
        three matches in a second, which would wear the flash out."""
        while True:
            await self._unsaved.wait()
            self._unsaved.clear()
            await self.panel.coin_dropped()
            self.save_statistics()
            await asyncio.sleep_ms(_MINUTE_MS)

    def save_settings(self):
        """Save the settings to flash. If that fails, report it and return False."""
        return self.storage.save(_SETTINGS, self.settings.saved)

    def save_statistics(self):
        """Save the statistics to flash. If that fails, report it and return False."""
        return self.storage.save(_STATISTICS, self.statistics.data)

    # ------------------------------------------------------------------ reports from the parts

    def emit(self, event):
        """Send an event to the console. Until the boot line is sent, events wait."""
        if self.mode is None:
            self._pending.append(event)
        elif not self._quiet:
            self.serial.write_line("event " + event)

    def hush(self, on):
        """Stop sending events to the console, or resume."""
        self._quiet = on

    def _pressed(self, button):
        if self.flight:
            self.flight.press(button)
        if self._pressable:
            self._pressable.press(button)

    def _released(self, button):
        if self.flight:
            self.flight.release(button)
            if self.show.state == states.OPENING and not self.panel.closed():
                self._begin_half()

    def _long_pressed(self, button):
        if self.mode == EXHIBIT and self._pressable:
            self._pressable.long_press(button)

    def _fault(self, button, what):
        self.emit("button=%s contact=%s" % (button, what))

    def _wired(self, what, where, how):
        """Report that a fault in the lamps' wiring has come or gone. Log each fault once."""
        event = protocol.format((what, where), ("fault", how))
        self.emit(event)
        if how != "gone" and event not in self._wires:
            self._wires.append(event)
            self.crash_log.add_once("wire", event)

    def _device(self, name, why):
        """Report the failure of a device that the show does not need."""
        why = repr(why)
        self.emit(protocol.format(("device", name), ("failed", why)))
        self.crash_log.add_once("device", "%s: %s" % (name, why))

    def _entered(self):
        state = self.show.state
        if state == states.ATTRACT:
            self._begin_half()
        self.flight.state(state, self.panel.lamps)
        self.emit("state=%s" % state)

    def _begin_half(self):
        scene = self.show.scene() if self.flight.due else None
        if scene:
            self.flight.begin(self._scene(scene))

    def _scene(self, scene):
        """Return `scene` with all other facts that a replay needs to start from it."""
        scene["settings"] = self.settings.changed
        scene["dice"] = self.dice.state
        scene["closed"] = self.panel.closed()
        scene["version"] = VERSION
        return scene

    def _ended(self, match, outcome):
        if MACHINE not in match.seats or "practice" in self.show.chosen:
            return
        game = match.game
        opening = OTHER
        if match.opening in game.openings:
            opening = game.words(match.opening).replace(",", "-")
        self.statistics.game(outcome, game.name, opening, self.show.level)
        self._unsaved.set()

    def _leave(self):
        restart.restart(restart.REBOOT)

    def _fail(self, loop, context):
        self._failure = context["exception"]
        self._failed.set()


def run(salvaged):
    """Run the app forever. In maintenance mode, Ctrl-C on the serial line ends it. Firmware that
    has crashed six times in a row gives up. For `salvaged`, see App. In a browser, where nothing
    may run forever, `run` returns whenever the app waits, and is called again."""
    global _kept
    if not _kept:
        why = restart.why()
        if restart.quick() >= _HOPELESS:
            nimatron_boot.give_up()
            return
    try:
        _kept = _kept or App(why, salvaged)
        asyncio.run(_kept.run())
    except KeyboardInterrupt:
        micropython.kbd_intr(-1)  # mpremote sends Ctrl-C twice
        from nimatron import maintenance  # already loaded: Ctrl-C works in maintenance mode only

        maintenance.stopped(_kept.panel, _kept.settings.maintenance_ms)
    except Exception as failure:
        crash_log.crashed(failure, _kept and _kept.panel, _kept and _kept.serial)
