"""The simulated Pico: CPython, a mirrored `machine` and `rp2`, and virtual time."""
