"""The backend `web`: the simulated chip under MicroPython in WebAssembly, in node or a browser."""
