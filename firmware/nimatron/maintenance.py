"""Maintenance mode, in which the panel tests each device separately, and no game is played.

First, every lamp and legend lights in turn. Then a row's button lights its row while you hold it.
GO lights all lamps. NEW lights all legends and drops a coin. Each press sounds a tone. From the
console, you can test one lamp, legend or tone at a time.
"""

import asyncio
import sys
import time

import micropython

from nimatron import board, pictures
from nimatron.devices import restart
from nimatron.devices.watchdog import Deadline
from nimatron.protocol import Refused, whole_number

_STEP_MS = 100
_LOOK_MS = 50
_MINUTE_MS = 60_000
_CTRL_C = 3
_BLINK_MS = 500
_LOWEST, _HIGHEST = 20, 20_000  # Hz: the range of tones
_TESTS = {"lamp": 2, "legend": 1, "sound": 1, "coin": 0, "off": 0}  # test: number of arguments
_DEVICES = {"legend": "legends", "sound": "sounder", "coin": "coin"}  # test: device that may fail


class SelfTest:
    """The self-test. If `crashed` is true, the exhibit has failed several times in a row, and the
    corners blink. If no button or key is pressed for `settings.maintenance_ms`, the mode calls
    `leave()`, so that the show does not wait for a technician."""

    def __init__(self, panel, settings, crashed, leave):
        self.deadline = Deadline()
        self._panel = panel
        self._settings = settings
        self._crashed = crashed
        self._leave = leave
        self._by_hand = False  # True after a command from the console
        self.touch()

    async def run(self):
        if self._crashed:
            await self._blink()
        await self._walk()
        while True:
            if not self._by_hand:
                self._follow(self._panel.closed())
            await self._sleep(_LOOK_MS)

    def touch(self):
        """Record that a person has pressed a button or typed a line."""
        self._touched = time.ticks_ms()

    def press(self, button):
        """Respond to a button press."""
        self.touch()
        self._panel.play("pick")
        if button == board.NEW and not self._crashed:
            asyncio.create_task(self._panel.drop_coin())

    async def test(self, what, *args):
        """Test one device, given by the arguments of the console's `test` command. Return False if
        they do not name a test. Raises Refused if the lamp, legend or tone does not exist, or if
        the device fails.
        """
        if _TESTS.get(what) != len(args):
            return False
        if what != "legend":
            args = [whole_number(arg) for arg in args]
        self._by_hand = what != "off"
        self._panel.failures.clear()
        self._panel.dark()
        if what == "lamp":
            row, column = args
            if not (1 <= row <= board.ROWS and 1 <= column <= board.LAMPS):
                raise Refused("out-of-range", "lamps are 1 1 to %d %d" % (board.ROWS, board.LAMPS))
            masks = list(board.DARK)
            masks[row - 1] = 1 << column - 1
            self._panel.show(masks)
        elif what == "legend":
            if args[0] not in self._panel.legends:
                raise Refused("not-allowed", "legends are %s" % " ".join(self._panel.legends))
            self._panel.light(args[0])
        elif what == "sound":
            if not _LOWEST <= args[0] <= _HIGHEST:
                limits = ("min", _LOWEST), ("max", _HIGHEST)
                text = "tones are %d to %d Hz" % (_LOWEST, _HIGHEST)
                raise Refused("out-of-range", text, *limits)
            self._panel.tone(args[0])
        elif what == "coin":
            await self._panel.drop_coin()
        if _DEVICES.get(what) in self._panel.failures:
            device = _DEVICES[what]
            raise Refused("device-failed", "%s has failed" % device, ("device", device))
        return True

    async def _blink(self):
        while True:
            for masks in pictures.CORNERS, board.DARK:
                if not self._by_hand:
                    self._panel.show(masks)
                await self._sleep(_BLINK_MS)

    async def _walk(self):
        for masks in pictures.each_lamp():
            await self._sleep(_STEP_MS)
            if self._by_hand:
                return
            self._panel.show(masks)
        for name in self._panel.legends:
            await self._sleep(4 * _STEP_MS)
            if self._by_hand:
                return
            self._panel.show(board.DARK)
            self._panel.light(name)
        await self._sleep(4 * _STEP_MS)

    def _follow(self, closed):
        rows = tuple(
            [board.FULL * (board.GO in closed or button in closed) for button in board.ROW_BUTTONS]
        )
        self._panel.show(rows)
        self._panel.light(*self._panel.legends if board.NEW in closed else ())

    async def _sleep(self, ms):
        self.deadline.renew(ms)
        await asyncio.sleep_ms(ms)
        if time.ticks_diff(time.ticks_ms(), self._touched) >= self._settings.maintenance_ms:
            self._leave()


def stopped(panel, ms):
    """Switch everything off and leave the user at MicroPython's prompt. The show starts again
    automatically in `ms`."""
    try:
        panel.dark()
    finally:
        restart.restart_in(ms, restart.REBOOT)
        restart.at_prompt()
    sys.stdout.write(
        "stopped. Ctrl-D starts the show, and in %d minutes it starts by itself, unless you type:"
        " from nimatron.devices import restart; restart.stay()\n" % (ms // _MINUTE_MS)
    )
    micropython.kbd_intr(_CTRL_C)
