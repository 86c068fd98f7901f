"""Nimatron: misère Nim on a Raspberry Pi Pico, after the relay machine of 1940."""

import sys

VERSION = "0.2.0"


def loaded(name):
    """Return a module of this package that is loaded only for a moment. After that, the memory of
    this module and of all modules that it imports becomes free."""
    name = "nimatron." + name
    before = set(sys.modules) - {name}
    try:
        module = __import__(name, None, None, (name,))
    finally:
        for new in set(sys.modules) - before:  # empty on a simulated Pico, which keeps its imports
            if new.startswith("nimatron."):
                parent, _, child = new.rpartition(".")
                delattr(sys.modules[parent], child)
                del sys.modules[new]
    return module  # not in the try: MicroPython 1.22.0 and 1.22.1 then spoil a local variable
