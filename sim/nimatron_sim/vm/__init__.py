"""The VM tier: the simulated chip under the real MicroPython VM."""
