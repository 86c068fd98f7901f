"""A replacement for CPython's `secrets` on MicroPython in WebAssembly."""

from binascii import b2a_base64

from js import Uint8Array, crypto


def token_urlsafe(count):
    drawn = crypto.getRandomValues(Uint8Array.new(count))
    text = b2a_base64(bytes([drawn[at] for at in range(count)])).decode().strip()
    return text.replace("+", "-").replace("/", "_").replace("=", "")
