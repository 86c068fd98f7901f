"""The health of the Pico itself: memory, time, devices, flash and temperature.

The first `health` command loads this module, which stays loaded for later commands.
"""

import gc
import os

import machine

_HOUR_MS = 3_600_000
_COLDEST, _HOTTEST = -40, 125
_SENSOR = getattr(machine.ADC, "CORE_TEMP", 4)

_flash = None  # the time of the last measurement, and the free bytes


def facts(panel):
    """Return (key, value) pairs for the `health` command. `lag_ms` is the longest delay since the
    last call."""
    lag_ms, panel.lag_ms = panel.lag_ms, 0
    return (
        ("free", gc.mem_free()),
        ("uptime_s", panel.uptime_ms // 1000),
        ("lag_ms", lag_ms),
        ("failed", panel.failures or "none"),
        ("stuck", panel.stuck() or "none"),
        ("frames", panel.frames),
        ("lamps", _wires(panel.wires)),
        ("flash_free", _known(_flash_free, panel.uptime_ms)),
        ("celsius", _known(_celsius)),
    )


def _wires(faults):
    """Return `ok`, or a list of faults such as lamp:3.5:open,row:2:short."""
    if faults is None:
        return "unknown"
    return [":".join(fault) for fault in faults] or "ok"


def _known(ask, *args):
    """Return ask(*args), or "unknown" if the call fails, so that other facts are reported."""
    try:
        return ask(*args)
    except Exception:
        return "unknown"


def _flash_free(now_ms):
    """Return the free bytes in the file system. The space is measured once an hour, because
    littlefs must read all files, which takes 20 ms on a Pico."""
    global _flash
    if not _flash or now_ms - _flash[0] >= _HOUR_MS:
        block, _, _, free = os.statvfs("/")[:4]
        _flash = now_ms, max(0, block * free)  # on a full flash, littlefs counts below zero
    return _flash[1]


def _celsius():
    """Return the temperature of the chip: 27 - (V - 0.706) / 0.001721, where V is the voltage of
    the sensor. Raises ValueError for a temperature at which the chip could not work.

    The formula is in the RP2040 Datasheet, 4.9.5 "Temperature Sensor", and the RP2350 Datasheet,
    12.4.6. We know both sections from SDKs and examples that cite them, not from the data sheets.
    """
    microvolts = (machine.ADC(_SENSOR).read_u16() >> 4) * 80586 // 100  # a step is 3.3 V / 4095
    celsius = 27 - (microvolts - 706_000 + 860) // 1721
    if not _COLDEST <= celsius <= _HOTTEST:
        raise ValueError
    return celsius
