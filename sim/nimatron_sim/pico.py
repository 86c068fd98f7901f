"""A Pico as its visitors know it, and SimulatedPico: boot the firmware folder, press, look, let
time pass."""

import json
import os
import traceback
import weakref
from collections import deque
from collections.abc import Callable
from functools import partial
from pathlib import Path

from greenlet import getcurrent, greenlet

from nimatron.dice import Dice
from nimatron.tunes import TUNES
from nimatron_sim import firmware, script, usb
from nimatron_sim.simulated.chip import BOOT_MS, CAUSE_POWER_ON, Chip, Fault
from nimatron_sim.circuit import Circuit
from nimatron_sim.clock import Clock
from nimatron_sim.darkness import Darkness
from nimatron_sim.simulated.files import Files
from nimatron_sim.simulated.loader import Loader
from nimatron_sim.recorder import Recorder

_PATIENCE_MS = 120_000
_KEPT = 1000  # console lines and tones that nobody has asked for
SETTINGS = "settings.json"  # on its flash
_MOMENT_MS = 10
_SOFT_BOOT_MS = 20
_CTRL_C, _CTRL_D = 3, 4
_NO_KEY = -1
_WAITING = ("attract", "opening", "player")  # the states in which a person has the next word


class Pico:
    """A Pico soldered into a circuit, whatever is underneath; each kind adds `power_on`,
    `power_off`, `run_to(us)`, `send_bytes(data)`, `_plug(state)` and `next_moment(end)`.

    Whoever runs it gets a Dark (see darkness.py) if lamps that should be lit are dark: at the end
    of run_to() each kind calls `judge`. A test that breaks the display on purpose says
    `pico.darkness.may_be_dark = True`.

    circuit: what it is soldered into; by default what nimatron.pins says.
    record: called with each trace record (see recorder.py); by default they collect in `trace`.
    """

    def __init__(self, circuit: Circuit | None, record: Callable[[dict], None] | None):
        self.trace: list[dict] = []
        self.state = "off"
        self.resets: list[int] = []  # causes
        self.clock = Clock()
        self.circuit = circuit or Circuit()
        self.circuit.clock = self.clock
        self._record = record or self.trace.append
        self._cable = usb.READING
        self.darkness = Darkness()
        self._power = None, 0  # the chip that is powered, how many resets there were
        self._touched = 0, 0  # how often contacts have moved, lines were typed
        self._typed = 0
        self.on_sent: Callable[[bytes], None] | None = None  # called with what the firmware sends
        self._recorder = Recorder(self.clock, self.circuit, self._changed, self._sent)
        self._lines: deque[str] = deque(maxlen=_KEPT)
        self._sounds: deque[int] = deque(maxlen=_KEPT)

    def reset_button(self) -> None:
        """Ground the RUN pin for a moment: to the firmware it is a power cut."""
        self.power_off()
        self.power_on()

    # ------------------------------------------------------------------ time

    @property
    def ms(self) -> int:
        """Milliseconds since power was first there."""
        return self.clock.now // 1000

    def run(self, ms: float) -> None:
        """Let time pass, and all that happens in it."""
        self.run_to(self.clock.now + round(ms * 1000))

    def run_until(self, condition: Callable[[], object], patience_ms: int = _PATIENCE_MS) -> None:
        """Run, event by event, until the condition holds.

        Raises TimeoutError if it does not within `patience_ms`.
        """
        end = self.clock.now + patience_ms * 1000
        holds = condition()
        while not holds:
            if self.clock.now >= end:
                raise TimeoutError(
                    f"not within {patience_ms} ms; the last lines: {list(self._lines)[-5:]}"
                )
            holds = self._run_on(condition, end)

    def _run_on(self, condition, end):
        """Run for a moment, or on until `end` or until the condition holds; does it?"""
        self.run_to(self.next_moment(end))
        return condition()

    def settle(self) -> None:
        """Run until the exhibit waits for a person, and a moment more, for its contacts too."""
        self.run_until(lambda: self.state in _WAITING)
        self.run(_MOMENT_MS)

    # ------------------------------------------------------------------ judgement

    def judge(self) -> None:
        """Raises Dark if lamps are dark that should be lit."""
        self._tell_darkness()
        self.darkness.check(self.ms)

    def _tell_darkness(self):
        """What no record tells."""
        power = self.circuit.chip, len(self.resets)
        if power != self._power:
            self._power = power
            self.darkness.power(power[0] is not None, self.ms)
        if (self.circuit.moves, self._typed) != self._touched:
            typed = self._typed != self._touched[1]
            self._touched = self.circuit.moves, self._typed
            self.darkness.touch(self.ms, typed)

    # ------------------------------------------------------------------ hands

    def press(self, button: str) -> None:
        """Push a button down, and keep it there."""
        self.circuit.press(button)

    def release(self, button: str) -> None:
        self.circuit.release(button)

    def tap(self, button: str, times: int = 1) -> None:
        """Press and release as a person does, 80 ms down and 120 ms up each time."""
        for _ in range(times):
            self.press(button)
            self.run(script.TAP_DOWN_MS)
            self.release(button)
            self.run(script.TAP_UP_MS)

    def hold(self, button: str) -> None:
        """The same, held down long enough to mean something else."""
        self.press(button)
        self.run(script.HOLD_DOWN_MS)
        self.release(button)
        self.run(script.TAP_UP_MS)

    def start(self, *rows: int) -> None:
        """Start a match from a position, by the console."""
        self.settle()
        answer = self.ask("new " + " ".join(map(str, rows)))
        if not answer.startswith("ok "):
            raise ValueError(answer)

    def play(self, text: str) -> None:
        """Run a script (see script.py)."""
        moments, end = script.timeline(text, [name for name, _ in self.circuit.wiring.BUTTONS])
        do = {
            "press": self.press,
            "release": self.release,
            "send": self.send,
            "power": self._switch,
        }
        start = self.clock.now
        for ms, verb, argument in moments:
            self.clock.call_at(start + ms * 1000, partial(do[verb], argument))
        self.run_to(start + end * 1000)

    def _switch(self, on_or_off: str) -> None:
        (self.power_on if on_or_off == "on" else self.power_off)()

    # ------------------------------------------------------------------ eyes and ears

    @property
    def lamps(self) -> list[int]:
        """Four masks of lit lamps, bit 0 the leftmost."""
        return self.circuit.lamps()

    @property
    def rows(self) -> tuple[int, ...]:
        """How many lamps of each row are lit."""
        return tuple(bin(mask).count("1") for mask in self.lamps)

    @property
    def legends(self) -> set[str]:
        return set(self.circuit.legends())

    @property
    def sound(self) -> int:
        """Hz, 0 for silence."""
        return self.circuit.sound()

    @property
    def coin(self) -> int:
        return self.circuit.coin()

    @property
    def led(self) -> int:
        return self.circuit.led()

    def heard(self, tune: str) -> bool:
        """Has this tune begun since the last time anybody asked?"""
        heard = TUNES[tune][0][0] in self._sounds
        self._sounds.clear()
        return heard

    def _changed(self, record: dict) -> None:
        self._tell_darkness()
        self.darkness.see(record)
        self._record(record)
        if "sound" in record:
            self._sounds.append(record["sound"])
        elif "console" in record:
            self._lines.append(record["console"])
            if record["console"].startswith("event state="):
                self.state = record["console"].partition("=")[2]

    # ------------------------------------------------------------------ console

    @property
    def cable(self) -> str:
        """What the USB cable does, one of usb.STATES. A reset ends what goes on there, as it takes
        the serial line from a program that has it open."""
        return self._cable

    @cable.setter
    def cable(self, state: str) -> None:
        if state != self._cable:
            self._cable = state
            self._plug(state)
            self.darkness.deafen(self.ms)

    def send(self, line: str) -> None:
        """Type a line at the console."""
        self.send_bytes(line.encode() + b"\n")

    def soft_reset(self) -> None:
        """Press Ctrl-D, which at MicroPython's prompt makes a soft reset."""
        self.send_bytes(bytes([_CTRL_D]))

    def _sent(self, data: bytes) -> None:
        if self.on_sent:
            self.on_sent(data)

    def lines(self) -> list[str]:
        """What the console has said since the last time anybody asked."""
        lines = list(self._lines)
        self._lines.clear()
        return lines

    def ask(self, line: str) -> str:
        """Type a line and return its answer; the events before it are dropped."""
        self.lines()
        self.send(line)
        self.run_until(lambda: any(map(_is_answer, self._lines)))
        return next(filter(_is_answer, self.lines()))


def _is_answer(line):
    return line.split(" ")[0] in ("ok", "error")


class SimulatedPico(Pico):
    """A Pico with the firmware on its flash, on a simulated chip.

    files: its flash, name: file; by default what package.json lists.
    entropy: the seed of its os.urandom; None for the real thing.
    settings: what has been set on it, name: value.
    erase_ms: how long an erase of its flash takes, in which the CPU serves no interrupt: 45 is
        typical, 400 the most (W25Q16JV data sheet). A save makes two here, 1.4 to 3.4 on average
        with littlefs on a real flash.

    Nothing happens, not even power-up, until `run` or something that runs is called.
    """

    def __init__(
        self,
        circuit: Circuit | None = None,
        files: dict[str, Path] | None = None,
        entropy: int | None = 0,
        record: Callable[[dict], None] | None = None,
        settings: dict | None = None,
        erase_ms: int = 0,
    ):
        super().__init__(circuit, record)
        self.erase_ms = erase_ms
        self._files = files or firmware.files()
        self.files = Files(self._files, self._erase)
        if settings:
            self.files.contents["/" + SETTINGS] = json.dumps(settings)
        self.scratch: dict[int, int] = {}  # the watchdog's registers
        self.memory: list[tuple] = []  # the buffers in its SRAM, see mirror/uctypes.py
        self._dice = Dice(entropy) if entropy is not None else None
        self._chip: Chip | None = None
        self._cpu: greenlet | None = None
        self._host = getcurrent()
        self._then: Callable[[], None] | None = None
        self._fault: BaseException | None = None
        self.clock.pause = lambda: self._host.switch()
        self.clock.settled = self._recorder.look
        self._record = partial(self._outside, self._record)
        self._awaited: Callable[[], object] | None = None
        self.power_on()

    # ------------------------------------------------------------------ power

    def power_on(self) -> None:
        if self._cpu is None:
            self.scratch.clear()
            self.memory = []
            self._boot(CAUSE_POWER_ON)

    def power_off(self) -> None:
        """Cut the power, whatever the firmware is doing."""
        self._from_outside(self._die)

    def reset(self, cause: int) -> None:
        """What machine.reset() and the watchdog do; the chip's CPU never returns from it."""
        self.resets.append(cause)
        self._from_outside(partial(self._boot, cause))

    def _from_outside(self, action):
        """Do to the CPU what it cannot do to itself."""
        if getcurrent() is self._cpu:
            self._then = action
            self._host.switch()
        else:
            action()

    def _boot(self, cause):
        self._die()
        self._chip = Chip(self.clock, self.circuit, cause, self)
        if self._cable in (usb.NOT_READING, usb.SUSPENDED):
            self._cable = usb.CLOSED  # a serial line that begins anew is open at neither end
        self._chip.usb.plug(self._cable)
        self._cpu = greenlet(self._execute)
        self.clock.next = self.clock.now

    def _die(self):
        if self._chip:
            self._chip.alive = False
        self._chip = self.circuit.chip = None
        cpu, self._cpu = self._cpu, None
        if cpu is not None:
            cpu.throw()

    def _execute(self):
        """The CPU, from the boot ROM to the end of time."""
        chip = self._chip
        chip.interrupt_key = _NO_KEY  # the boot ROM knows none
        chip.sleep(BOOT_MS * 1000)
        while True:
            loader = Loader(
                self._files, {"chip": chip}, print=chip.usb.print, open=self.files.open
            )
            if not self._run_main(chip, loader):
                self._prompt(chip)
            chip.soft_reset()
            chip.usb.print("MPY: soft reboot")
            chip.sleep(_SOFT_BOOT_MS * 1000)

    def _run_main(self, chip, loader):
        """Run main.py; true if it wants to be run again."""
        chip.interrupt_key = _CTRL_C
        try:
            loader.run("main.py")
        except Fault as fault:
            self._fault = fault
        except SystemExit:
            return True
        except (Exception, KeyboardInterrupt) as failure:
            chip.interrupt_key = _NO_KEY
            chip.usb.print_exception(failure)
        return False

    def _prompt(self, chip):
        """MicroPython waits at its prompt, of which Ctrl-D is all that this one knows; Ctrl-C is
        an ordinary key there (shared/runtime/pyexec.c)."""
        chip.interrupt_key = _NO_KEY
        chip.heed_no_interrupt()
        while _CTRL_D not in chip.received:
            chip.received.clear()
            self.clock.wait(None)
        chip.received.clear()

    def _erase(self):
        if self.erase_ms:
            self._chip.stall(self.erase_ms * 1000)

    def _settled(self):
        """A moment is over; true if the host has waited for what it has brought."""
        self._recorder.look()
        if self._awaited and self._outside(self._awaited):
            self._awaited = None
        return self._awaited is None

    def _outside(self, function, *args):
        """Call a function of the host's; what it raises is no business of the firmware's, in whose
        midst we may be."""
        try:
            return function(*args)
        except BaseException as failure:
            if getcurrent() is not self._cpu:
                raise
            self._fault = failure
            self._host.switch()

    # ------------------------------------------------------------------ what the chip asks of us

    def entropy(self, n: int) -> bytes:
        if self._dice is None:
            return os.urandom(n)
        return bytes([self._dice.roll(256) for _ in range(n)])

    def view(self, buffer) -> memoryview:
        return memoryview(buffer).cast("B")

    def traceback(self, failure: BaseException) -> str:
        return "".join(traceback.format_exception(failure))

    weak = staticmethod(weakref.ref)

    # ------------------------------------------------------------------ time

    def run_to(self, us: int) -> None:
        """Run until the clock shows `us` microseconds.

        Raises the Fault if the firmware does to the hardware what cannot be, and whatever
        `record` raises.
        """
        self._host = getcurrent()
        while True:
            if self._cpu is not None:
                self.clock.limit = us
                self._cpu.switch()
                if self._fault:
                    fault, self._fault = self._fault, None
                    raise fault
                if not self._then:
                    break
                then, self._then = self._then, None
                then()
            else:
                alarm = self.clock.next_alarm()
                if alarm is None or alarm > us:
                    self.clock.pass_to(us)
                    break
                if not self.clock.pass_to(alarm):
                    break
        self._recorder.look()
        self.judge()

    def _run_on(self, condition, end):
        self._awaited = condition
        self.clock.settled = self._settled
        try:
            self.run_to(end)
            return self._awaited is None or condition()
        finally:
            self.clock.settled = self._recorder.look

    def next_moment(self, end):
        """When, at `end` at the latest, it is worth looking again."""
        return end if self.clock.next is None else min(end, self.clock.next)

    # ------------------------------------------------------------------ console

    def send_bytes(self, data: bytes) -> None:
        self._typed += 1
        if self._chip:
            self._chip.receive(data)

    def _plug(self, state):
        if self._chip:
            self._chip.usb.plug(state)
