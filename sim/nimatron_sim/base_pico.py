"""The visitor's view of every kind of Pico: press, look, let time pass."""

from collections import deque
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from nimatron import protocol, states
from nimatron.tunes import TUNES
from nimatron_sim import script
from nimatron_sim.cabinet import Circuit
from nimatron_sim.darkness import Darkness, matters
from nimatron_sim.trace import Recorder
from pico_testbench.clock import Clock

if TYPE_CHECKING:
    from nimatron_sim.simulated.core import SimulatedCore
    from pico_testbench.emulated_core import EmulatedCore

_PATIENCE_MS = 120_000
_KEPT = 1000  # console lines and tones kept until they are read
SETTINGS = "settings.json"  # a file on the Pico's flash
_MOMENT_MS = 10
_CTRL_D = 4
# The states in which the exhibit waits for a person.
_WAITING = (states.ATTRACT, states.OPENING, states.PLAYER)


class Pico:
    """A Pico soldered into a circuit: the base class of every kind of Pico, which adds its `core`.

    While it runs, it raises Dark (see darkness.py) if lamps that should be lit are dark. Each kind
    of Pico calls `judge` for this at the end of run_to(). A test that breaks the display on
    purpose sets `pico.darkness.may_be_dark = True`.

    By default, `circuit` follows nimatron.devices.pins. record() is called with each trace record
    (see trace.py). By default, the records collect in `trace`.
    """

    core: "EmulatedCore[Any] | SimulatedCore"

    def __init__(
        self, circuit: Circuit | None, record: Callable[[dict[str, Any]], object] | None
    ) -> None:
        self.trace: list[dict[str, Any]] = []
        self.state = "off"
        self._asked = False  # True while a step in the machine's working waits for GO
        self.resets: list[int] = []  # the cause of each reset
        self.clock = Clock()
        self.circuit = circuit or Circuit()
        self.circuit.clock = self.clock
        self._record: Callable[[dict[str, Any]], object] = record or self.trace.append
        self.darkness = Darkness()
        self._typed = 0  # the number of typed lines
        self._moved = self._last_typed = 0  # the values at the last report to darkness
        # A function for each piece of output from the firmware.
        self.on_sent: Callable[[bytes], None] | None = None
        self._recorder = Recorder(self.clock, self.circuit, self._changed, self._sent)
        self._lines: deque[str] = deque(maxlen=_KEPT)
        self._sounds: deque[int] = deque(maxlen=_KEPT)

    def power_on(self) -> None:
        self.core.power_on()

    def power_off(self) -> None:
        """Cut the power, even in the middle of a step of the firmware."""
        self.core.power_off()

    def _restarted(self, cause: int | None) -> None:
        """Handle a reset, or a change of the power, for which `cause` is None."""
        if cause is not None:
            self.resets.append(cause)
            self._recorder.cut()
        self.darkness.power(self.circuit.chip is not None, self.ms)

    def reset_button(self) -> None:
        """Ground the RUN pin for a moment. For the firmware, this is a power cut."""
        self.power_off()
        self.power_on()

    # ------------------------------------------------------------------ time

    @property
    def ms(self) -> int:
        """The number of milliseconds since the first power-on."""
        return self.clock.now // 1000

    def run_to(self, us: int) -> None:
        """Run until the clock shows `us` microseconds. Raises Dark, see darkness.py."""
        self.core.run_to(us)
        self.judge()

    def next_moment(self, end: int) -> int:
        """Return the time of the next event, or `end` if that is earlier."""
        return min(end, self.core.next_moment())

    def run(self, ms: float) -> None:
        """Let `ms` milliseconds pass."""
        self.run_to(self.clock.now + round(ms * 1000))

    def run_until(self, condition: Callable[[], object], patience_ms: int = _PATIENCE_MS) -> None:
        """Run, event by event, until the condition holds.

        Raises TimeoutError if the condition does not hold within `patience_ms`.
        """
        end = self.clock.now + patience_ms * 1000
        holds = condition()
        while not holds:
            if self.clock.now >= end:
                raise TimeoutError(
                    f"not within {patience_ms} ms. The last lines: {list(self._lines)[-5:]}"
                )
            holds = self._run_on(condition, end)

    def _run_on(self, condition: Callable[[], object], end: int) -> object:
        """Run to the next event, at most to `end`, and return whether the condition holds."""
        self.run_to(self.next_moment(end))
        return condition()

    def settle(self) -> None:
        """Run until the exhibit waits for a person and its contacts have settled."""
        self.run_until(lambda: self._asked or self.state in _WAITING)
        self.run(_MOMENT_MS)

    # ------------------------------------------------------------------ judgement

    def judge(self) -> None:
        """Raise Dark if lamps that should be lit are dark."""
        self._tell_darkness()
        self.darkness.check(self.ms)

    def _tell_darkness(self) -> None:
        """Report facts that are not in the trace to the darkness referee."""
        circuit = self.circuit
        if circuit.moves != self._moved or self._typed != self._last_typed:
            typed = self._typed != self._last_typed
            self._moved, self._last_typed = circuit.moves, self._typed
            self.darkness.touch(self.ms, typed)

    # ------------------------------------------------------------------ hands

    def press(self, button: str) -> None:
        """Push a button down, and keep it down."""
        self.circuit.press(button)

    def release(self, button: str) -> None:
        self.circuit.release(button)

    def tap(self, button: str, times: int = 1) -> None:
        """Press and release a button like a person, 80 ms down and 120 ms up each time."""
        for _ in range(times):
            self.press(button)
            self.run(script.TAP_DOWN_MS)
            self.release(button)
            self.run(script.TAP_UP_MS)

    def hold(self, button: str) -> None:
        """Press and release a button like `tap`, but slowly enough for a long press."""
        self.press(button)
        self.run(script.HOLD_DOWN_MS)
        self.release(button)
        self.run(script.TAP_UP_MS)

    def start(self, *rows: int) -> None:
        """Start a match from a position, through the console."""
        self.settle()
        answer = self.ask("new " + " ".join(map(str, rows)))
        if protocol.parse(answer)[0] != protocol.OK:
            raise ValueError(answer)

    def play(self, text: str) -> None:
        """Run a script (see script.py)."""
        moments, end = script.timeline(text, [name for name, _ in self.circuit.wiring.BUTTONS])
        start = self.clock.now
        for ms, verb, argument in moments:
            power = getattr(self, f"power_{argument}") if verb == "power" else None
            act = power or partial(getattr(self, verb), argument)
            self.clock.call_at(start + ms * 1000, act)
        self.run_to(start + end * 1000)

    # ------------------------------------------------------------------ eyes and ears

    @property
    def lamps(self) -> list[int]:
        """The lit lamps, as a mask for each of four rows. Bit 0 is the leftmost lamp."""
        return self.circuit.lamps()

    @property
    def rows(self) -> tuple[int, ...]:
        """The number of lit lamps in each row."""
        return tuple(bin(mask).count("1") for mask in self.lamps)

    @property
    def legends(self) -> set[str]:
        return set(self.circuit.legends())

    @property
    def sound(self) -> int:
        """The frequency of the tone in Hz, or 0 for silence."""
        return self.circuit.sound()

    @property
    def coin(self) -> int:
        return self.circuit.coin()

    @property
    def led(self) -> int:
        return self.circuit.led()

    def heard(self, tune: str) -> bool:
        """Return True if this tune has begun since the last call."""
        heard = TUNES[tune][0] in self._sounds
        self._sounds.clear()
        return heard

    def _changed(self, record: dict[str, Any]) -> None:
        if "sound" in record:
            self._sounds.append(record["sound"])
        elif "console" in record:
            self._tell_darkness()
            line = record["console"]
            if matters(line):
                words = kind, what, said = protocol.parse(line)
                self.darkness.hear(words, record["ms"])
                if kind == protocol.EVENT and "state" in said:
                    self.state = said["state"]
                    self._asked = False
                elif kind == protocol.EVENT and what == "working":
                    self._asked = "waits" in said
            self._lines.append(line)
        elif "lamps" in record:
            self._tell_darkness()
            self.darkness.see(record)
        self._record(record)

    # ------------------------------------------------------------------ console

    @property
    def cable(self) -> str:
        """The state of the USB cable, one of usb.STATES. A reset changes the state to closed,
        because a program that has the serial line open loses it."""
        return self.core.cable

    @cable.setter
    def cable(self, state: str) -> None:
        if state != self.core.cable:
            self.core.plug(state)
            self.darkness.deafen(self.ms)

    def send(self, line: str) -> None:
        """Type a line at the console."""
        self.send_bytes(line.encode() + b"\n")

    def send_bytes(self, data: bytes) -> None:
        """Send these bytes to the Pico's serial line."""
        self._typed += 1
        if self.circuit.chip:
            self.circuit.chip.receive(data)

    def soft_reset(self) -> None:
        """Press Ctrl-D, which does a soft reset at MicroPython's prompt."""
        self.send_bytes(bytes([_CTRL_D]))

    def _sent(self, data: bytes) -> None:
        if self.on_sent:
            self.on_sent(data)

    def lines(self) -> list[str]:
        """Return the console lines since the last call."""
        lines = list(self._lines)
        self._lines.clear()
        return lines

    def ask(self, line: str) -> str:
        """Type a line, and return the answer. Drop events that come before the answer."""
        self.lines()
        self.send(line)
        self.run_until(lambda: any(map(protocol.is_answer, self._lines)))
        return next(filter(protocol.is_answer, self.lines()))

    def told(self, line: str) -> dict[str, str]:
        """Type a line, and return the values in the answer, by key."""
        return protocol.parse(self.ask(line))[2]
