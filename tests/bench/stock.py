"""rp2040py as it comes from the registry, running the same image and the same file system.

Nothing of nimatron_sim is in the program below, so any Python that has some rp2040py can run it:
its own simulator, its own host at the other end of the USB cable, which presses return once, as
rp2040py's does. It runs for as long as it is told on standard input, and says what that took.
"""

import contextlib
import json
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator
from pathlib import Path

OLD = "rp2040py==0.3.6"  # the last before its C++ core
_PIP_S = 120


class Stock:
    """A running rp2040py. `heard` is what the firmware has sent."""

    def __init__(self, process: subprocess.Popen):
        self._process = process
        self.heard = ""

    def run(self, ms: float) -> float:
        """Run for emulated ms; returns the CPU seconds it took."""
        return self._do("run", ms)["cpu"]

    def rises(self, gpio: int, ms: float) -> int:
        """Run for emulated ms; returns how often the pin rose."""
        return self._do("rises", ms, gpio)["rises"]

    def _do(self, *command):
        self._process.stdin.write(json.dumps(command) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("rp2040py has ended: its clock stood still")
        told = json.loads(line)
        self.heard += told["heard"]
        return told


@contextlib.contextmanager
def running(image: bytes, start: int, files: bytes, python: str = sys.executable) -> Iterator:
    """A Stock in a process of its own. start: where the file system begins on the flash."""
    with tempfile.TemporaryDirectory() as folder:
        flash = Path(folder) / "flash"
        flash.write_bytes(image.ljust(start, b"\xff") + files)
        process = subprocess.Popen(
            [python, __file__, str(flash)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        try:
            yield Stock(process)
        finally:
            process.kill()
            process.communicate()


@contextlib.contextmanager
def old_python() -> Iterator[str | None]:
    """A Python with OLD, in a virtual environment of its own; None if pip cannot get it."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = str(Path(folder) / "bin" / "python")
        done = subprocess.run(
            [python, "-m", "pip", "install", "--quiet", OLD], timeout=_PIP_S, capture_output=True
        )
        yield None if done.returncode else python


# ---------------------------------------------------------------------- the program


def _main(file):
    import resource
    import time

    from rp2040py.device.bootrom import BOOTROM_B1
    from rp2040py.execute_batch import execute_batch
    from rp2040py.gpio_pin import GPIOPinState
    from rp2040py.memory_map import FLASH_START_ADDRESS
    from rp2040py.simulator import Simulator
    from rp2040py.usb.cdc import USBCDC
    from rp2040py.utils.logging import ConsoleLogger, LogLevel

    resource.setrlimit(resource.RLIMIT_CPU, (120, -1))  # its clock may stand still for ever
    simulator = Simulator()
    chip = simulator.rp2040
    chip.logger = ConsoleLogger(LogLevel.ERROR)
    chip.load_bootrom(BOOTROM_B1)
    flash = Path(file).read_bytes()
    chip.flash[: len(flash)] = flash
    heard = bytearray()
    host = USBCDC(chip.usb_ctrl)
    host.on_serial_data = heard.extend
    host.on_device_connected = lambda: [host.send_serial_byte(byte) for byte in b"\r\n"]
    chip.core.pc = FLASH_START_ADDRESS

    def stop(*_):
        simulator.stopped = True

    rises = []
    end = simulator.clock.create_alarm(stop)
    for line in sys.stdin:
        _, ms, *gpio = json.loads(line)
        for pin in gpio:
            chip.gpio[pin].add_listener(
                lambda new, old: rises.append(1) if new == GPIOPinState.HIGH else None
            )
        begin = time.process_time()
        end.schedule(ms * 1e6)
        simulator.stopped = False
        while not simulator.stopped:
            execute_batch(simulator, 1)
        spent = time.process_time() - begin
        told = {"cpu": spent, "rises": len(rises), "heard": heard.decode("ascii", "replace")}
        rises.clear()
        heard.clear()
        print(json.dumps(told), flush=True)


if __name__ == "__main__":
    _main(sys.argv[1])
