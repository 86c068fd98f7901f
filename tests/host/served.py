"""A Pico in a process of its own, for tests that need the whole way to it."""

import subprocess
import sys


class Emulator:
    """A `nimatron emulate` that serves a port."""

    def __init__(self, *options):
        self._process = subprocess.Popen(
            [sys.executable, "-m", "nimatron_host", "emulate", *options],
            stdout=subprocess.PIPE,
            text=True,
        )
        for line in self._process.stdout:
            if line.startswith(("tcp ", "pty ")):
                self.port = line.split()[1]
                return
        raise RuntimeError("nimatron emulate does not start")

    def kill(self):
        """As a power cut does: nobody is asked."""
        self._process.kill()
        self._process.wait()
        self._process.stdout.close()
