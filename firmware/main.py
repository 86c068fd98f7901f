"""The Pico runs this at power-up: it starts the app and does nothing else."""

import sys

import machine
import micropython

chip = None
if sys.platform == "rp2":
    # Ignore Ctrl-C from the cable until the mode is known.
    micropython.kbd_intr(-1)

    # If the firmware cannot be loaded, the prompt is open for a new deploy for ten minutes; then
    # the Pico tries again.
    retry = machine.Timer(
        mode=machine.Timer.ONE_SHOT, period=600_000, callback=lambda timer: machine.reset()
    )

    from nimatron.devices import registers

    chip = registers.find(sys.implementation._machine)

if chip:
    from nimatron.devices import restart

    salvaged = restart.recover()  # before the rest of the firmware is loaded over it

    from nimatron import app

    retry.deinit()
    app.run(salvaged)
else:
    print("Nimatron runs on an RP2040 or RP2350, not on a %s" % sys.implementation._machine)
