"""The serial console: a line in, a line out.

Answers start with `ok` or `error`, unsolicited lines with `event`. protocol.py describes the
grammar. The commands are in commands.py, which is loaded with the first line and stays in memory.
"""

from micropython import const

from nimatron.devices import restart
from nimatron.devices.watchdog import Deadline
from nimatron.protocol import LONGEST

_BUSY_MS = const(5000)  # no answer takes longer, even with flash writes


class Console:
    """The console, which answers each line from the serial port of the App."""

    def __init__(self, app):
        self.deadline = Deadline()
        self._app = app

    async def run(self):
        """Answer lines forever."""
        app = self._app
        while True:
            self.deadline.suspend()
            line = await app.serial.read_line(LONGEST)
            self.deadline.renew(_BUSY_MS)
            if line:
                if app.flight:
                    app.flight.line(line)
                else:
                    app.show.touch()
                from nimatron.commands import Commands

                commands = Commands(app, self.deadline)
                await app.serial.send_line(await commands.answer(line))
                if commands.then:
                    restart.restart(commands.then)
