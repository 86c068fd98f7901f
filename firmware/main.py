"""What the Pico runs at power-up: it starts the app, nothing else."""

import micropython

micropython.kbd_intr(-1)  # no Ctrl-C from the cable, until it is known in which mode this starts

from nimatron import restart  # noqa: E402

left = restart.salvage()  # before the rest of the firmware is loaded over it

from nimatron import app  # noqa: E402

app.run(left)
