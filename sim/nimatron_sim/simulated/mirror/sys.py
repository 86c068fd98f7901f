"""MicroPython's `sys` on the simulated chip: the serial line as standard input and output."""

import chip

_usb = chip.usb


class _Implementation(tuple):
    _machine = chip.board.machine


_release = getattr(chip.host, "micropython", (1, 26, 1))
implementation = _Implementation(("micropython", _release))
platform = "rp2"
path = ["", ".frozen", "/lib"]
modules = {}  # the simulated Pico has enough memory for all its imports


class _Input:
    """Bytes from the host. A read blocks everything until all requested bytes have arrived."""

    def read(self, count):
        chip.work("read")
        while len(chip.received) < count:
            chip.wait(None)
        data = bytes(chip.received[:count])
        chip.received[:count] = b""
        return data

    def ioctl(self, request, flags):
        """Answer MicroPython's poll. Request 3 asks for the flags that are set. Flag 1 means
        readable."""
        return flags & 1 if request == 3 and chip.received else 0


class _Output:
    usb = _usb  # for `select`, which looks at it before each character

    @property
    def write(self):
        return _usb.write

    def ioctl(self, request, flags):
        return flags & 4 if request == 3 and _usb.writable else 0  # 4 is writable


class _Stdin:
    buffer = _Input()


stdin = _Stdin()
stdout = stderr = _Output()


def print_exception(failure, file=stdout):
    if file is stdout:
        chip.usb.print_exception(failure)
    else:
        file.write(chip.host.traceback(failure))
