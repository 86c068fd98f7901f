"""The backend `vm`: the simulated chip under the real MicroPython VM."""
