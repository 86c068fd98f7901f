"""Instruments for an emulated Pico, and accidents that happen to it."""

import contextlib
import json
import random
import struct
from collections.abc import Callable, Iterator

from littlefs import LittleFSError
from rp2040py.gpio_pin import GPIOPinState

from nimatron.devices.pins import COLUMNS, ROWS
from nimatron_sim.emulated import pico_flash
from nimatron_sim.emulated.emulated_pico import EmulatedPico

IN_A_ROW = len(COLUMNS)  # presses of one button, for all its lamps
_CYCLE_NS = 8  # at 125 MHz
_BREATH_MS = 0.05  # a longer pause ends the message
_BEFORE_MS, _AFTER_MS = 3.5, 1.0  # the chores begin, and a press then meets them
_RAM = 0x20000000
_RAM_SIZE = 264 * 1024
_BLOCK = 16  # bytes, of MicroPython's heap
_NEVER, _MUCH = 0xFFFFFFFF, 1 << 30
_STATE_WORDS = 100  # at most, from the heap's description to the collector's settings
_PROGRAM, _ERASE = 0x02, 0x20
_TAKES_MS = {_PROGRAM: 0.4, _ERASE: 45.0}  # W25Q16JV, typically


def _mcu(pico):
    return pico.circuit.chip._mcu


def now_ms(pico: EmulatedPico) -> float:
    """Return the emulated chip's own time, to the nanosecond."""
    return _mcu(pico).clock.nanos / 1e6


@contextlib.contextmanager
def listening(
    pico: EmulatedPico, gpios: tuple[int, ...], moved: Callable[[int, bool], None]
) -> Iterator[None]:
    """Call moved(gpio, is high) for each edge at these pins."""

    def listener(gpio):
        return lambda new, old: moved(gpio, new == GPIOPinState.HIGH)

    removers = [_mcu(pico).gpio[gpio].add_listener(listener(gpio)) for gpio in gpios]
    try:
        yield
    finally:
        for remove in removers:
            remove()


def went_out_after(pico: EmulatedPico, row: int, column: int, button: str) -> float:
    """Press the button. Return the ms until the lamp, counted from 0, is out."""
    pins = ROWS[row], COLUMNS[column]
    high = {gpio: _mcu(pico).gpio[gpio].value == GPIOPinState.HIGH for gpio in pins}
    last = [0.0]

    def moved(gpio, is_high):
        if all(high.values()):
            last[0] = now_ms(pico)
        high[gpio] = is_high

    pressed = now_ms(pico)
    with listening(pico, pins, moved):
        pico.press(button)
        pico.run(40)
    assert last[0] > pressed, "the lamp was not lit"
    return last[0] - pressed


def press(pico: EmulatedPico, number: int) -> float:
    """Press the button of this lamp, counted from 0 in reading order. Return the ms until it is
    out."""
    row, picked = number // IN_A_ROW % len(ROWS), number % IN_A_ROW
    button = f"row{row + 1}"
    took = went_out_after(pico, row, IN_A_ROW - 1 - picked, button)
    pico.release(button)
    return took


def plays(pico: EmulatedPico) -> bool:
    """Return whether a match can be played."""
    pico.start(3, 4, 5)
    pico.tap("row2")
    pico.tap("go")
    return pico.rows == (3, 3, 5, 0)


def presses(pico: EmulatedPico, count: int) -> list[float]:
    """Press the buttons row after row, for all lamps, at all phases of a millisecond. Return the
    sorted ms until each lamp was out."""
    dice = random.Random(4)
    pico.start(7, 7, 7, 7)
    took = []
    for number in range(count):
        pico.run(130 + 7 * dice.random())
        took.append(press(pico, number))
    pico.run(120)
    return sorted(took)


def presses_at_chores(pico: EmulatedPico, count: int) -> list[float]:
    """Press buttons around the panel's once-a-second task, which begins with the toggle of the
    LED. Return the same times."""
    toggles = []
    pico.start(7, 7, 7, 7)
    took = []
    for number in range(count):
        with listening(
            pico,
            (pico.circuit.chip.board.led,),
            lambda gpio, is_high: toggles.append(now_ms(pico)),
        ):
            pico.run(2500)  # for two toggles, with no press before the first of them
        every = toggles[-1] - toggles[-2]
        aim = toggles[-1] - _BEFORE_MS + number / (count - 1) * (_BEFORE_MS + _AFTER_MS)
        pico.run((aim - now_ms(pico)) % every)
        took.append(press(pico, number))
    pico.run(120)
    return sorted(took)


def presses_amid_bytes(pico: EmulatedPico) -> list[float]:
    """Press ROW 1 while long lines arrive. Return the sorted ms of all presses. Six such lines
    would use up the memory and start a garbage collection of 20 ms, but these three do not."""
    pico.start(7, 7, 7, 7)
    collect(pico)
    pico.run(120)
    took = []
    for picked in range(3):
        pico.send_bytes(b"x" * 200 + b"\n")
        pico.run(5 + picked)
        took.append(press(pico, picked))
        pico.run(120)
    return sorted(took)


def changed_after(pico: EmulatedPico, button: str) -> float:
    """Press the button. Return the ms until the change is sent to the display."""
    chip, display = pico.circuit.chip, pico.circuit.display
    before = display.state(chip)
    sent = []

    def moved(gpio, is_high):
        now = now_ms(pico)
        if display.state(chip) != before and (not sent or now - sent[-1] < _BREATH_MS):
            sent.append(now)

    pressed = now_ms(pico)
    with listening(pico, display.watching, moved):
        pico.press(button)
        pico.run(40)
    assert sent, "the display has not changed"
    return sent[-1] - pressed


def low_share(pico: EmulatedPico, gpio: int, ms: float) -> float:
    """Let `ms` pass. Return the fraction, between two falling edges, for which a pin is low."""
    edges = []
    with listening(pico, (gpio,), lambda gpio, is_high: edges.append((now_ms(pico), is_high))):
        pico.run(ms)
    falls = [i for i, (_, is_high) in enumerate(edges) if not is_high]
    low = sum([edges[i + 1][0] - edges[i][0] for i in falls[:-1]])
    return low / (edges[falls[-1]][0] - edges[falls[0]][0])


@contextlib.contextmanager
def row_gaps(pico: EmulatedPico) -> Iterator[list[float]]:
    """Return the ms from the start of each row to the start of the next row."""
    gaps = []
    since = {}

    def moved(gpio, is_high):
        if is_high:
            now = now_ms(pico)
            if gpio in since:
                gaps.append(now - since[gpio])
            since[gpio] = now

    with listening(pico, ROWS, moved):
        yield gaps


def busy(pico: EmulatedPico, ms: float) -> float:
    """Let `ms` pass. Return the percentage of this time in which the CPU did not sleep."""
    core = _mcu(pico).core
    cycles, begin = core.cycles, now_ms(pico)
    pico.run(ms)
    return (core.cycles - cycles) * _CYCLE_NS / 1e4 / (now_ms(pico) - begin)


def shares(pico: EmulatedPico, busy: Callable = busy) -> dict[str, float]:
    """Play from player to attract. Return the percentage of time in which the CPU was busy, by
    state."""
    share = {}
    pico.ask("set verdict_ms 2000")
    pico.start(1, 3)
    pico.run(300)
    share["waiting for a person"] = busy(pico, 500)
    pico.send("take 1 1")
    pico.run_until(lambda: pico.state == "thinking")
    share["thinking"] = busy(pico, 1800)
    pico.run_until(lambda: pico.state == "machine")
    share["the machine's turn"] = busy(pico, 700)
    pico.run_until(lambda: pico.state == "player")
    pico.send("take 2 1")
    pico.run_until(lambda: pico.state == "verdict")
    pico.run(100)  # it may write its statistics
    share["verdict"] = busy(pico, 800)
    pico.run_until(lambda: pico.state == "attract")
    pico.run(20)
    share["attract"] = busy(pico, 1000)
    pico.ask("set verdict_ms 8000")
    return share


def freeze(pico: EmulatedPico) -> None:
    """Put the CPU to sleep until a reset."""
    core = _mcu(pico).core
    core.enabled_interrupts = 0
    core.waiting = True


def read_register(pico: EmulatedPico, address: int) -> int:
    mcu = _mcu(pico)
    return int(type(mcu).read_uint32(mcu, address))


def write_register(pico: EmulatedPico, address: int, word: int) -> None:
    """Write a register, as a spike or a faulty program would."""
    mcu = _mcu(pico)
    type(mcu).write_uint32(mcu, address, word)  # the instance's attribute is not a method


def forget_failures(pico: EmulatedPico) -> None:
    """Forget failures, as the firmware does after a minute, so that the next failure is the
    first."""
    _mcu(pico).watchdog.scratch_data[1] = 0


def pretend_hang(pico: EmulatedPico, quick: int) -> None:
    """Make a new Pico believe that the watchdog has reset it after `quick` failures in a row,
    which the firmware counts in scratch register 1."""
    watchdog = _mcu(pico).watchdog
    watchdog.scratch_data[1] = quick
    watchdog._reason = 1  # its timer


# ---------------------------------------------------------------------- heap


def to_attract(pico: EmulatedPico) -> None:
    """Bring the Pico to the attract show, whatever the last test has left."""
    if pico.state != "attract":
        pico.send("reboot")
        pico.run_until(lambda: pico.state == "attract")


def collect(pico: EmulatedPico) -> int:
    """Return the free bytes of heap after a garbage collection.

    The deployed firmware has no command for this. However, MicroPython collects after a certain
    amount of allocations, and we set its counter to this amount.
    """
    (table, size), allocated = _find_heap(pico)
    threshold = allocated + 4
    _poke(pico, threshold, _MUCH)
    _poke(pico, allocated, 2 * _MUCH)  # even if it is just allocating, and adds to the counter
    pico.run_until(lambda: _word(pico, allocated) < _MUCH, 2000)
    _poke(pico, threshold, _NEVER)
    pico.run(50)  # the collection takes a while
    entries = bytes(_mcu(pico).sram[table - _RAM : table - _RAM + size])
    free = sum([(byte >> shift & 3) == 0 for byte in entries for shift in (0, 2, 4, 6)])
    return free * _BLOCK


def _word(pico, address):
    return int.from_bytes(_mcu(pico).sram[address - _RAM : address - _RAM + 4], "little")


def _poke(pico, address, word):
    start = address - _RAM
    _mcu(pico).sram[start : start + 4] = word.to_bytes(4, "little")


def _find_heap(pico):
    """Return ((address, bytes) of the heap's allocation table, address of the counter of
    allocations since the last collection), from MicroPython's mp_state_mem_t (py/mpstate.h)."""
    words = struct.unpack(f"<{_RAM_SIZE // 4}I", _mcu(pico).sram[:_RAM_SIZE])
    for i in range(len(words) - 5):
        table, size, finalisers, pool, end = words[i : i + 5]
        inside = _RAM <= table < finalisers < pool < end <= _RAM + _RAM_SIZE
        if inside and end - pool == 4 * _BLOCK * size:
            for j in range(i + 5, i + _STATE_WORDS):
                if words[j] == _NEVER:  # the threshold, for no automatic collection
                    return (table, size), _RAM + 4 * (j - 1)
    raise AssertionError("MicroPython's heap is not where it should be")


# ---------------------------------------------------------------------- flash


@contextlib.contextmanager
def slow_flash(pico: EmulatedPico) -> Iterator[None]:
    """Make the flash chip busy after each command, like a real flash chip. The emulator's chip
    never is."""
    bus = pico.circuit.chip.flash_bus
    bus.takes_ms = _TAKES_MS
    try:
        yield
    finally:
        bus.takes_ms = {}


@contextlib.contextmanager
def cuts(pico: EmulatedPico) -> Iterator[list[tuple[str, bytes]]]:
    """Yield (what, the flash) for a power cut in the middle of each flash command and after it."""
    flashes = [("before", pico.flash)]
    content = bytearray(pico.flash)
    commands = []
    pico.on_flash = lambda offset, piece: commands.append((offset, piece))
    try:
        yield flashes
    finally:
        pico.on_flash = None
        for number, (offset, piece) in enumerate(commands, 1):
            what = f"{len(piece)} bytes of command {number} of {len(commands)}"
            moved = [i for i, byte in enumerate(piece) if content[offset + i] != byte]
            for i in moved[: len(moved) // 2]:
                content[offset + i] = piece[i]
            flashes.append((f"half the {what}", bytes(content)))
            content[offset : offset + len(piece)] = piece
            flashes.append((f"all {what}", bytes(content)))


@contextlib.contextmanager
def torn(pico: EmulatedPico) -> Iterator[None]:
    """Freeze the CPU in the middle of the first flash command, when half of it is done."""
    before = pico.flash

    def command(offset, piece):
        pico.on_flash = None
        old = before[offset : offset + len(piece)]
        moved = [i for i, byte in enumerate(piece) if old[i] != byte]
        start = pico_flash.START + offset
        for i in moved[len(moved) // 2 :]:
            _mcu(pico).flash[start + i] = old[i]
        freeze(pico)

    pico.on_flash = command
    yield
    assert pico.on_flash is None, "nothing was written"


def files(image: bytes) -> dict[str, bytes]:
    """Return the contents of a file system, by name. Assert that all of it can be read."""
    try:
        mounted = pico_flash.mount(image)
        content = {}
        for folder, _, names in mounted.walk("/"):
            for name in names:
                path = f"{folder.rstrip('/')}/{name}"[1:]
                with mounted.open(path, "rb") as file:
                    content[path] = file.read()
    except LittleFSError as why:
        raise AssertionError(f"the file system cannot be read: {why}") from None
    return content


def saved(image: bytes, name: str) -> dict:
    """Return a JSON object on flash, or an empty object if the file does not exist."""
    return json.loads(files(image).get(name, b"{}"))
