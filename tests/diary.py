"""A simulated Pico that records its inputs as a script (see script.py)."""

from nimatron_sim.simulated_pico import SimulatedPico


class Diary(SimulatedPico):
    """A simulated Pico that records all actions at its buttons, console and power switch."""

    def __init__(self, **how):
        super().__init__(**how)
        self._script = ""
        self._written = 0

    @property
    def script(self):
        """The script so far."""
        return f"{self._script}wait {self.ms - self._written}\n"

    def press(self, button):
        self._write("press", button)
        super().press(button)

    def release(self, button):
        self._write("release", button)
        super().release(button)

    def send(self, line):
        self._write("send", line)
        super().send(line)

    def switch(self, on_or_off):
        """Switch the power "on" or "off"."""
        self._write("power", on_or_off)
        getattr(self, f"power_{on_or_off}")()

    def _write(self, verb, argument):
        self.run(-self.clock.now % 1000 / 1000)  # scripts know whole milliseconds
        self._script += f"wait {self.ms - self._written}\n{verb} {argument}\n"
        self._written = self.ms
