"""The backend `web`: the simulated chip under the real MicroPython in WebAssembly, in node or in a
browser."""
