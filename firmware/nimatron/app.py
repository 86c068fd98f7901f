"""The app: wires everything, and starts over when any part of it fails."""

import asyncio
import os
import sys

from nimatron import VERSION, heartbeat
from nimatron.console import Console
from nimatron.dice import Dice
from nimatron.exhibit import Exhibit
from nimatron.panel import Panel
from nimatron.serial import Serial
from nimatron.settings import Settings


class App:
    def __init__(self):
        self._serial = Serial()
        self._tell("boot version=%s" % VERSION)
        settings = Settings()
        dice = Dice(int.from_bytes(os.urandom(4), "little"))
        self._panel = Panel(settings, self._pressed, self._fault)
        self._exhibit = Exhibit(self._panel, settings, dice, self._tell)
        self._console = Console(self._serial, self._exhibit, settings, dice)
        self._failed = asyncio.Event()
        self._failure = None

    async def run(self):
        """Runs until some part of it fails; raises what that part raised."""
        asyncio.get_event_loop().set_exception_handler(self._fail)
        for part in (self._panel, self._exhibit, self._console):
            asyncio.create_task(part.run())
        try:
            await self._failed.wait()
        finally:
            self._panel.dark()
        raise self._failure

    def _fail(self, loop, context):
        self._failure = context["exception"]
        self._failed.set()

    def _tell(self, event):
        self._serial.write_line("event " + event)

    def _pressed(self, button):
        self._exhibit.press(button)

    def _fault(self, button, what):
        self._tell("button=%s contact=%s" % (button, what))


def run():
    """Runs the app for ever; Ctrl-C on the serial line ends it in the REPL."""
    try:
        asyncio.run(App().run())
    except KeyboardInterrupt:
        sys.stdout.write("stopped; Ctrl-D starts again\n")
    except Exception as failure:
        sys.print_exception(failure)
        heartbeat.start_over()
