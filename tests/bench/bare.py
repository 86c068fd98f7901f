"""The firmware alone: its coroutines, driven by a bare loop over a heap of wake-ups.

It is what the simulated Pico is measured against. The firmware's files are the same, and they get
the same bytes and the same edges at the same microseconds. There is no chip, no circuit and no
recorder: each device is the least that lets the firmware run.
"""

import types
from collections.abc import Iterable
from heapq import heappop, heappush

from nimatron.dice import Dice
from nimatron_sim import firmware
from nimatron_sim.circuit import Circuit
from nimatron_sim.simulated.pico import SimulatedPico
from pico_testbench.boards import BOARDS, PICO, UNIQUE_ID
from pico_testbench.simulated.chip import BOOT_MS, CAUSE_POWER_ON
from pico_testbench.simulated.files import Files
from pico_testbench.simulated.loader import Loader

_MASK = (1 << 30) - 1
_HALF = 1 << 29
_MS = 1000  # us
_EDGE, _BYTES = "edge", "bytes"

Happening = tuple[int, str, object]


class Bare:
    """The firmware, booted. `happenings` come from outside, sorted: (us, "edge", (GPIO, level))
    and (us, "bytes", bytes). `said` is what it has written since somebody took it."""

    def __init__(self, happenings: Iterable[Happening]):
        self.now = 0
        self.said: list[str] = []
        self._heap: list[tuple] = []  # (us, number, task)
        self._number = 0
        self._coming = list(happenings)[::-1]
        self._task = None  # whose turn it is
        self._levels = [1] * 31
        self._pins: dict[int, object] = {}  # those with an interrupt handler
        self._received = bytearray()
        self._reader = None  # the task that waits for bytes
        files = firmware.files()
        flash = Files(files)
        loader = Loader(files, self._modules(flash), print=print, open=flash.open)
        self.now = BOOT_MS * _MS
        loader.run("main.py")  # as far as asyncio.run, which only notes the coroutine

    def run_to(self, until: int) -> None:
        """Run until the clock shows `until` microseconds."""
        heap, coming = self._heap, self._coming
        while True:
            due = heap[0][0]
            if due > self.now:
                if coming and coming[-1][0] <= due:
                    if coming[-1][0] > until:
                        break
                    self._happen()
                    continue
                if due > until:
                    break
                self.now = due
            _, number, task = heappop(heap)
            if task.number != number:
                continue  # it was cancelled
            self._task = task
            try:
                if task.thrown:
                    thrown, task.thrown = task.thrown, None
                    task.coroutine.throw(thrown)
                else:
                    task.coroutine.send(None)
            except (StopIteration, _CancelledError):
                task.number = -1
        self.now = until

    def _happen(self):
        us, what, value = self._coming.pop()
        self.now = max(self.now, us)
        if what == _BYTES:
            self._received += value
            if self._reader:
                task, self._reader = self._reader, None
                self._wake(task, self.now // _MS)
        else:
            gpio, self._levels[gpio] = value[0], value[1]
            pin = self._pins[gpio]
            pin.handler(pin)

    def _wake(self, task, ms):
        """Give a task a turn at `ms`, after those that are due then already."""
        self._number += 1
        task.number = self._number
        heappush(self._heap, (ms * _MS, self._number, task))

    def _sleep_us(self, us):
        """Halt the firmware; only interrupts are served."""
        end = self.now + us
        while self._coming and self._coming[-1][0] <= end:
            self._happen()
        self.now = max(self.now, end)

    # ------------------------------------------------------------------ what it imports

    def _modules(self, flash):
        bare = self
        dice = Dice(0)  # as the simulated Pico's
        board = BOARDS[PICO]

        def ticks_ms():
            return bare.now // _MS & _MASK

        def module(name, **contents):
            made[name] = types.ModuleType(name)
            vars(made[name]).update(contents)

        made: dict[str, types.ModuleType] = {}
        module(
            "time",
            ticks_ms=ticks_ms,
            ticks_us=lambda: bare.now & _MASK,
            ticks_add=lambda ticks, delta: ticks + delta & _MASK,
            ticks_diff=lambda end, start: (end - start + _HALF & _MASK) - _HALF,
            sleep_us=self._sleep_us,
            sleep_ms=lambda ms: bare._sleep_us(ms * _MS),
        )
        module("chip", work=lambda what: None)  # for the loader
        module("micropython", const=lambda value: value, kbd_intr=lambda key: None)
        module("gc", collect=lambda: None, mem_free=lambda: 150_000)
        module(
            "os",
            urandom=lambda n: bytes([dice.roll(256) for _ in range(n)]),
            rename=flash.rename,
            remove=flash.remove,
            stat=flash.stat,
        )
        module("uctypes", addressof=lambda buffer: _SRAM, bytearray_at=None)
        module("rp2", asm_pio=lambda **how: lambda function: function)
        vars(made["rp2"]).update(PIO=_Pio, StateMachine=_StateMachine, DMA=_Dma)
        self._asyncio(module)
        self._serial_line(module, board)
        self._machine(module, board)
        return made

    def _asyncio(self, module):
        bare = self

        class Sleep:
            def __init__(self, ms):
                self.due = bare.now // _MS + max(ms, 0)

            def __await__(self):
                bare._wake(bare._task, self.due)
                return iter(_ONCE)

        class Event:
            def __init__(self):
                self._set = False
                self._waiting = []

            def set(self):
                self._set = True
                for task in self._waiting:
                    bare._wake(task, bare.now // _MS)
                self._waiting = []

            def clear(self):
                self._set = False

            async def wait(self):
                if not self._set:
                    self._waiting.append(bare._task)
                    await _park()

        class ThreadSafeFlag(Event):
            async def wait(self):
                await Event.wait(self)
                self._set = False

        class StreamReader:
            def __init__(self, stream):
                self._stream = stream

            async def read(self, count):
                if bare._received:
                    bare._wake(bare._task, bare.now // _MS)
                else:
                    bare._reader = bare._task
                await _park()
                return self._stream.read(count)

        def create_task(coroutine):
            task = _Task(bare, coroutine)
            bare._wake(task, bare.now // _MS)
            return task

        module(
            "asyncio",
            sleep_ms=Sleep,
            Event=Event,
            ThreadSafeFlag=ThreadSafeFlag,
            StreamReader=StreamReader,
            CancelledError=_CancelledError,
            create_task=create_task,
            run=create_task,
            current_task=lambda: bare._task,
            get_event_loop=lambda: _Loop,
        )

    def _serial_line(self, module, board):
        bare = self
        received = self._received

        class Input:
            def read(self, count):
                data = bytes(received[:count])
                del received[:count]
                return data

        class Output:
            write = bare.said.append

        class poll:
            def register(self, stream, flags):
                self._input = isinstance(stream, Input)

            def poll(self, ms):
                return received if self._input else _READY

            ipoll = poll

        class implementation(tuple):
            _machine = board.machine

        module("select", poll=poll, POLLIN=1, POLLOUT=4)
        module(
            "sys",
            implementation=implementation(("micropython", (1, 26, 1))),
            platform="rp2",
            path=[],
            modules={},
            stdin=types.SimpleNamespace(buffer=Input()),
            stdout=Output(),
            print_exception=_print_exception,
        )

    def _machine(self, module, board):
        bare = self

        class Pin:
            IN, OUT, PULL_UP, IRQ_FALLING, IRQ_RISING = 0, 1, 1, 4, 8

            def __init__(self, gpio, mode=None, pull=None, value=0):
                self._gpio = board.led if gpio == "LED" else gpio

            def value(self, level=None):
                if level is None:
                    return bare._levels[self._gpio]
                bare._levels[self._gpio] = level

            def init(self, pull):
                pass

            def toggle(self):
                self.value(not self.value())

            def irq(self, handler, trigger):
                self.handler = handler
                bare._pins[self._gpio] = self

        class Registers(dict):
            def __missing__(self, address):
                return bare.now // _MS  # USB frames, and whatever else counts on

        module(
            "machine",
            Pin=Pin,
            PWM=_Pwm,
            WDT=_Watchdog,
            Timer=_Timer,
            mem32=Registers(),
            freq=lambda: board.hertz,
            reset_cause=lambda: CAUSE_POWER_ON,
            unique_id=lambda: UNIQUE_ID,
            PWRON_RESET=CAUSE_POWER_ON,
            reset=_reset,
        )


_SRAM = 0x20000000
_ONCE = (None,)
_READY = ((None, 4),)


def _print_exception(failure):
    raise failure  # the firmware would save it and go on


def _reset():
    raise AssertionError("the firmware has reset the Pico")


@types.coroutine
def _park():
    yield


class _CancelledError(BaseException):
    pass


class _Loop:
    @staticmethod
    def set_exception_handler(handler):
        """What fails here fails the bench."""


class _Task:
    """`number` is of its next turn; -1 after its end."""

    def __init__(self, bare, coroutine):
        self._bare = bare
        self.coroutine = coroutine
        self.number = 0
        self.thrown = None

    def cancel(self):
        if self.number >= 0:
            self.thrown = _CancelledError
            self._bare._wake(self, self._bare.now // _MS)


class _Device:
    """It takes everything and does nothing."""

    def __init__(self, *args, **how):
        pass


class _Pio:
    OUT_LOW = 2
    SHIFT_RIGHT = 1


class _StateMachine(_Device):
    def active(self, on):
        pass

    def put(self, word):
        pass

    def rx_fifo(self):
        return 0  # it never answers


class _Dma(_Device):
    channel = 0

    def pack_ctrl(self, **how):
        pass

    def config(self, **how):
        pass


class _Pwm(_Device):
    def freq(self, hertz):
        pass

    def duty_u16(self, duty):
        pass


class _Watchdog(_Device):
    def feed(self):
        pass


class _Timer(_Device):
    ONE_SHOT = 0

    def deinit(self):
        pass


# ---------------------------------------------------------------------- what comes from outside


class _Watched(Circuit):
    """A circuit that notes how its contacts move."""

    def __init__(self, happenings):
        self._happenings = happenings
        super().__init__()

    def set_contact(self, name, closed):
        level = 0 if closed else 1
        self._happenings.append((self.clock.now, _EDGE, (self._contacts[name], level)))
        super().set_contact(name, closed)


class Watched(SimulatedPico):
    """A simulated Pico that notes what happens to it from outside."""

    def __init__(self):
        self.happenings: list[Happening] = []
        super().__init__(_Watched(self.happenings))

    def send_bytes(self, data: bytes) -> None:
        self.happenings.append((self.clock.now, _BYTES, data))
        super().send_bytes(data)
