"""Restarts and their reasons, as notes in the watchdog's scratch registers.

The notes survive a reset but not a power cut, and do not wear out the flash (RP2040 datasheet,
4.7, and RP2350 datasheet, 12.9). The contents of memory also survive a reset, because MicroPython
does not clear its heap.
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
_MOST = const(8192)  # the most bytes to recover: `remember` never notes a larger size
_MAGIC = const(0x4E494D00)  # "NIM" and an index into WHY, or _AT_PROMPT
_AT_PROMPT = const(0xFF)

POWER_ON, HANG, RESET, CRASH, REBOOT, MAINTENANCE, _ = WHY = (
    "power-on",
    "hang",  # a task missed its deadline, so the watchdog was not fed
    "reset",  # a call to machine.reset(), or Ctrl-D at the prompt
    "crash",
    "reboot",
    "maintenance",
    "deploy",  # requested by `nimatron deploy`
)

QUICK_MS = 60_000  # a crash or hang within this time after the start counts as quick
_FLUSH_MS = const(100)  # the time that the serial line needs to send its output

timer = None  # the timer for the planned restart. Kept, because a collected timer never fires


def why():
    """Return the reason for this start, one of WHY. Call this once per start, because it clears
    the note and counts quick failures (see `quick`)."""
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
    """Return the number of crashes and hangs in a row that came within QUICK_MS of their start."""
    return machine.mem32[_SCRATCH_QUICK]


def at_prompt():
    """Stop the watchdog, which is not fed at MicroPython's prompt. `machine.WDT` cannot do this.

    Also record that the Pico is at the prompt. Without this record, `why` would report another
    hang, because a soft reset does not change the reset reason."""
    machine.mem32[_CTRL] = 0
    machine.mem32[_SCRATCH_WHY] = _MAGIC | _AT_PROMPT


def settled():
    """Forget the quick failures, because the Pico has now run for QUICK_MS."""
    machine.mem32[_SCRATCH_QUICK] = 0


def remember(memory):
    """Record the address of `memory`, a bytearray, so that `recover` finds its bytes after a
    reset. Return False if `memory` is outside the SRAM, where `recover` cannot find it."""
    machine.mem32[_SCRATCH_WHERE] = uctypes.addressof(memory)
    machine.mem32[_SCRATCH_SIZE] = len(memory)
    return in_sram(memory)


def in_sram(memory):
    """Return True if `memory`, a bytearray or array, is in the SRAM. MicroPython's heap may be in
    PSRAM, which DMA cannot read while flash is written, and which may lose its contents at a
    reset.
    """
    return registers.SRAM <= uctypes.addressof(memory) < _SRAM_END


def recover():
    """Return the bytes that the previous run passed to `remember`, or b"" if it passed no bytes.
    After a power cut, the bytes are random. Call this before the firmware uses much memory."""
    where, size = machine.mem32[_SCRATCH_WHERE], machine.mem32[_SCRATCH_SIZE]
    machine.mem32[_SCRATCH_WHERE] = machine.mem32[_SCRATCH_SIZE] = 0
    if registers.SRAM <= where < _SRAM_END and size <= min(_MOST, _SRAM_END - where):
        return bytes(uctypes.bytearray_at(where, size))
    return b""


def restart(reason):
    """Reset the Pico for a reason from WHY. This call does not return."""
    try:
        machine.mem32[_SCRATCH_WHY] = _MAGIC | WHY.index(reason)
        time.sleep_ms(_FLUSH_MS)
    finally:  # restart even after Ctrl-C, or without memory for the note
        machine.reset()


def restart_in(ms, reason):
    """Schedule a restart for `reason` in `ms`, in place of any earlier restart. A timer restarts
    the Pico, so this also works from the prompt. `stay` and a soft reset cancel the restart."""
    global timer
    stay()
    timer = machine.Timer(
        mode=machine.Timer.ONE_SHOT, period=ms, callback=lambda timer: restart(reason)
    )


def stay():
    """Cancel the planned restart."""
    if timer:
        timer.deinit()
