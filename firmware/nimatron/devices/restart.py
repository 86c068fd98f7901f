"""Why the Pico has started, and starting it over: notes in the watchdog's scratch registers.

They survive a reset and not a power cut, and cost no flash (RP2040 datasheet, 4.7.3). So does what
is in memory, until somebody else uses it: MicroPython does not clear its heap.
"""

import time

import machine
import uctypes
from micropython import const

from nimatron.devices import registers

_SCRATCH_WHY, _SCRATCH_QUICK, _SCRATCH_WHERE, _SCRATCH_SIZE = registers.WATCHDOG_SCRATCH
_MOST = const(8192)  # bytes that are kept: more than that somebody else has left there
_MAGIC = const(0x4E494D00)  # "NIM" and an index into WHY, or _AT_PROMPT
_AT_PROMPT = const(0xFF)

POWER_ON, HANG, RESET, CRASH, REBOOT, MAINTENANCE, _ = WHY = (
    "power-on",
    "hang",  # the watchdog was not fed
    "reset",  # somebody called machine.reset(), or pressed Ctrl-D at the prompt
    "crash",
    "reboot",
    "maintenance",
    "deploy",  # what deploy sends has said so
)

QUICK_MS = 60_000  # a crash or hang sooner than this after the start is a quick one
_FAREWELL_MS = const(100)  # the serial line takes this long to send what was printed

_timer = None  # kept: a collected timer rings no more


def why():
    """One of WHY, to be asked once after each start: the note is used up. Counts quick failures,
    see `quick`."""
    note = machine.mem32[_SCRATCH_WHY]
    machine.mem32[_SCRATCH_WHY] = 0
    if note == _MAGIC | _AT_PROMPT:
        reason = RESET
    elif machine.reset_cause() == machine.PWRON_RESET:
        reason = POWER_ON
    elif machine.mem32[registers.WATCHDOG_REASON] & registers.WATCHDOG_TIMER:
        reason = HANG
    elif note & ~0xFF == _MAGIC and note & 0xFF < len(WHY):
        reason = WHY[note & 0xFF]
    else:
        reason = RESET
    machine.mem32[_SCRATCH_QUICK] = quick() + 1 if reason in (CRASH, HANG) else 0
    return reason


def quick():
    """How many crashes and hangs there were with less than QUICK_MS between them."""
    return machine.mem32[_SCRATCH_QUICK]


def at_prompt():
    """Note that people can get to MicroPython's prompt. A soft reset there leaves the reset reason
    as it was, so `why` would take it for one more hang."""
    machine.mem32[_SCRATCH_WHY] = _MAGIC | _AT_PROMPT


def settled():
    """To be called when the Pico has run for QUICK_MS."""
    machine.mem32[_SCRATCH_QUICK] = 0


def keep(memory):
    """Remember where this bytearray is, for `salvage` in the next life."""
    machine.mem32[_SCRATCH_WHERE] = uctypes.addressof(memory)
    machine.mem32[_SCRATCH_SIZE] = len(memory)


def salvage():
    """What the life before this one has kept, or b"" if it has kept nothing; after a power cut it
    may be anything. To be called before anything else takes much memory."""
    where, size = machine.mem32[_SCRATCH_WHERE], machine.mem32[_SCRATCH_SIZE]
    machine.mem32[_SCRATCH_WHERE] = machine.mem32[_SCRATCH_SIZE] = 0
    end = registers.SRAM_END
    if registers.SRAM <= where < end and size <= min(_MOST, end - where):
        return bytes(uctypes.bytearray_at(where, size))
    return b""


def restart(reason):
    """Reset the Pico for one of WHY; does not return."""
    machine.mem32[_SCRATCH_WHY] = _MAGIC | WHY.index(reason)
    time.sleep_ms(_FAREWELL_MS)
    machine.reset()


def later(ms, reason):
    """The same in `ms`, unless somebody calls `stay` or makes a new start before."""
    global _timer
    _timer = machine.Timer(
        mode=machine.Timer.ONE_SHOT, period=ms, callback=lambda timer: restart(reason)
    )


def stay():
    """Do not restart later."""
    if _timer:
        _timer.deinit()
