"""The start of the firmware in /nimatron, which main.py runs at power-up.

This module also moves new firmware to /nimatron, and keeps the old firmware until the new firmware
has run for a minute. If the new firmware crashes three times in a row, the old firmware comes
back. After a power cut at any moment, the next start finishes the update.

It imports no module of the firmware until it has decided which firmware to start.
"""

# ruff: noqa: E402
import sys

_path = sys.path[:]
sys.path[:] = (".frozen",)  # these are built in. Do not look for them on flash first
import os
import time

import machine
import micropython
from micropython import const

sys.path[:] = _path

_HOME, _OLD = "nimatron", "nimatron.old"
_READY = "nimatron.ready"  # new firmware that has arrived complete (see `nimatron deploy`)
_BAD = "nimatron.bad"  # new firmware that has crashed
_QUICK = const(3)  # quick crashes in a row
_RETRY_MS = const(600_000)
_FLUSH_MS = const(100)  # the time that the serial line needs to send its output
_FOLDER = const(0x4000)

# The scratch register of the watchdog in which devices/restart.py counts quick crashes in a row.
# It is repeated here, because devices/registers.py may be the module that cannot be loaded.
CRASHES = {"RP2040": 0x40058010, "RP2350": 0x400D8010}

_retry = None  # the timer is kept, because a collected timer never fires


def on_trial():
    """Return True until the running firmware is kept."""
    return _is_there(_OLD)


def undone():
    """Return True after new firmware has crashed, until the old firmware is kept."""
    return _is_there(_BAD)


def keep():
    """Keep the running firmware and remove all other firmware. Return True if it was on trial."""
    was_on_trial = on_trial()
    _remove(_BAD)
    _remove(_OLD)
    return was_on_trial


def give_up():
    """Light the corners and leave the prompt open for a new deploy. Try to start again later."""
    machine.mem32[_count()] = 0
    _try_later()
    import nimatron_failed

    nimatron_failed.main()


def main():
    """Start the firmware. When this call returns, MicroPython shows its prompt."""
    if sys.platform != "rp2" or not _count():
        print("Nimatron runs on an RP2040 or RP2350, not on a %s" % sys.implementation._machine)
        return
    micropython.kbd_intr(-1)  # ignore Ctrl-C from the cable until the mode is known
    _try_later()  # in case the firmware cannot be loaded
    try:
        if machine.reset_cause() == machine.PWRON_RESET:
            machine.mem32[_count()] = 0
        _place()
        _start()
    except Exception as failure:
        sys.print_exception(failure)
        if on_trial():
            machine.mem32[_count()] += 1
            time.sleep_ms(_FLUSH_MS)
            machine.reset()
        give_up()


def _count():
    """Return the address of the crash count, or None on another chip."""
    for chip in CRASHES:
        if chip in sys.implementation._machine:
            return CRASHES[chip]


def _place():
    """Move the firmware that should start to /nimatron."""
    if _is_there(_READY):
        if on_trial():
            _remove(_HOME)  # this firmware has not run for a minute
        elif _is_there(_HOME):
            os.rename(_HOME, _OLD)
        os.rename(_READY, _HOME)
    elif machine.mem32[_count()] >= _QUICK and on_trial() and _is_there(_HOME):
        _remove(_BAD)
        os.rename(_HOME, _BAD)
    if on_trial() and not _is_there(_HOME):
        machine.mem32[_count()] = 0
        os.rename(_OLD, _HOME)


def _start():
    if _is_there("nimatron/bundle"):
        sys.path.insert(0, "/nimatron")
        import loader  # noqa: F401
    from nimatron.devices import restart

    restart.timer = _retry  # until the watchdog runs
    salvaged = restart.recover()  # before the rest of the firmware is loaded over it

    from nimatron import app

    app.run(salvaged)


def _try_later():
    """Schedule a reset of the Pico in ten minutes."""
    global _retry
    _retry = machine.Timer(
        mode=machine.Timer.ONE_SHOT, period=_RETRY_MS, callback=lambda timer: machine.reset()
    )


def _is_there(name):
    try:
        os.stat(name)
    except OSError:
        return False
    return True


def _remove(name):
    """Remove a file, or a folder with its contents. Do nothing if it does not exist."""
    if _is_there(name):
        if os.stat(name)[0] == _FOLDER:
            for entry in list(os.ilistdir(name)):  # list everything before anything changes
                _remove(name + "/" + entry[0])
            os.rmdir(name)
        else:
            os.remove(name)
