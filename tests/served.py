"""A Pico in its own process: `nimatron emulate`, which serves its serial line."""

import signal
import subprocess
import sys

PATIENCE_S = 10


class Emulator:
    """A context manager for `nimatron emulate` with these words on the command line."""

    def __init__(self, *words):
        command = [sys.executable, "-m", "nimatron_host", "emulate", *words]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.said = [self.process.stdout.readline()]
        while self.said[-1] and not self.said[-1].startswith("Talk to it"):
            self.said.append(self.process.stdout.readline())
        self.ports = dict(line.split() for line in self.said if line.startswith(("pty", "tcp")))
        if not self.ports:
            raise RuntimeError("nimatron emulate does not start")

    @property
    def port(self):
        """The name of the first printed port."""
        return next(iter(self.ports.values()))

    @property
    def tcp(self):
        """The host and number of the TCP port."""
        host, _, number = self.ports["tcp"].removeprefix("socket://").partition(":")
        return host, int(number)

    def end(self, number=signal.SIGTERM):
        """End the process, and return its exit status. You may call this again."""
        self.process.send_signal(number)
        with self.process:
            return self.process.wait(PATIENCE_S)

    def kill(self):
        """Kill the process without warning, like a power cut."""
        self.end(signal.SIGKILL)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()
