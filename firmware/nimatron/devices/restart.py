"""Restarts and their reasons: notes in the watchdog's scratch registers.

They survive a reset but not a power cut, and do not wear out the flash (RP2040 datasheet, 4.7, and
RP2350 datasheet, 12.9). The same is true of memory until it is used again: MicroPython does not
clear its heap.
"""

import sys
import time

import machine
import uctypes
from micropython import const

from nimatron.devices import registers

_WATCHDOG, _SRAM_END, _ = registers.find(sys.implementation._machine)
_CTRL = _WATCHDOG + registers.WATCHDOG_CTRL
_REASON = _WATCHDOG + registers.WATCHDOG_REASON
_SCRATCH_WHY, _SCRATCH_QUICK, _SCRATCH_WHERE, _SCRATCH_SIZE = [
    _WATCHDOG + offset for offset in registers.WATCHDOG_SCRATCH
]
_MOST = const(8192)  # bytes to recover: `remember` never notes a larger size
_MAGIC = const(0x4E494D00)  # "NIM" and an index into WHY, or _AT_PROMPT
_AT_PROMPT = const(0xFF)

POWER_ON, HANG, RESET, CRASH, REBOOT, MAINTENANCE, _ = WHY = (
    "power-on",
    "hang",  # the watchdog was not fed
    "reset",  # a call of machine.reset(), or Ctrl-D at the prompt
    "crash",
    "reboot",
    "maintenance",
    "deploy",  # requested by `nimatron deploy`
)

QUICK_MS = 60_000  # a crash or hang sooner than this after the start is a quick one
_FLUSH_MS = const(100)  # the serial line takes this long to send its output

timer = None  # of the planned restart. Kept, because a collected timer never fires


def why():
    """The reason for this start, one of WHY. Call it once per start: it clears the note, and
    counts quick failures (see `quick`)."""
    note = machine.mem32[_SCRATCH_WHY]
    machine.mem32[_SCRATCH_WHY] = 0
    if note == _MAGIC | _AT_PROMPT:
        reason = RESET
    elif machine.reset_cause() == machine.PWRON_RESET:
        reason = POWER_ON
    elif machine.mem32[_REASON] & registers.WATCHDOG_TIMER:
        reason = HANG
    elif note & ~0xFF == _MAGIC and note & 0xFF < len(WHY):
        reason = WHY[note & 0xFF]
    else:
        reason = RESET
    if reason in (CRASH, HANG):
        machine.mem32[_SCRATCH_QUICK] += 1
    elif reason != RESET or note:  # nimatron_boot.py counts failed starts, then resets
        machine.mem32[_SCRATCH_QUICK] = 0
    return reason


def quick():
    """How many crashes and hangs in a row came less than QUICK_MS after their start."""
    return machine.mem32[_SCRATCH_QUICK]


def at_prompt():
    """Stop the watchdog, which nothing feeds at MicroPython's prompt. `machine.WDT` cannot.

    Also note that visitors are present. A soft reset does not change the reset reason, so `why`
    would otherwise take it for another hang."""
    machine.mem32[_CTRL] = 0
    machine.mem32[_SCRATCH_WHY] = _MAGIC | _AT_PROMPT


def settled():
    """Forget the quick failures: the Pico has now run for QUICK_MS."""
    machine.mem32[_SCRATCH_QUICK] = 0


def remember(memory):
    """Note where this bytearray is, so that `recover` finds its bytes after a reset. Return False
    if it will not, because they are not in the SRAM."""
    machine.mem32[_SCRATCH_WHERE] = uctypes.addressof(memory)
    machine.mem32[_SCRATCH_SIZE] = len(memory)
    return in_sram(memory)


def in_sram(memory):
    """True if this bytearray or array is in the SRAM. MicroPython's heap may be in PSRAM, which
    DMA cannot read while flash is written, and which may lose its contents at a reset."""
    return registers.SRAM <= uctypes.addressof(memory) < _SRAM_END


def recover():
    """The bytes that the previous run remembered, b"" if none. After a power cut they may be
    anything. Call it before anything else takes much memory."""
    where, size = machine.mem32[_SCRATCH_WHERE], machine.mem32[_SCRATCH_SIZE]
    machine.mem32[_SCRATCH_WHERE] = machine.mem32[_SCRATCH_SIZE] = 0
    if registers.SRAM <= where < _SRAM_END and size <= min(_MOST, _SRAM_END - where):
        return bytes(uctypes.bytearray_at(where, size))
    return b""


def restart(reason):
    """Reset the Pico, for a reason out of WHY. Does not return."""
    try:
        machine.mem32[_SCRATCH_WHY] = _MAGIC | WHY.index(reason)
        time.sleep_ms(_FLUSH_MS)
    finally:  # even without memory for the note, or after Ctrl-C
        machine.reset()


def restart_in(ms, reason):
    """Restart for `reason` in `ms`, in place of any restart planned before. A timer does it, so it
    also works from the prompt. `stay` cancels it, and so does a soft reset."""
    global timer
    stay()
    timer = machine.Timer(
        mode=machine.Timer.ONE_SHOT, period=ms, callback=lambda timer: restart(reason)
    )


def stay():
    """Cancel the planned restart."""
    if timer:
        timer.deinit()
