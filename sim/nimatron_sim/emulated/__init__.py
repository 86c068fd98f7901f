"""The emulated Pico: a real MicroPython image on an emulated RP2040."""
