"""The Pico's end of the USB cable, and the fate of unread bytes. The line behaves as in
MicroPython 1.24 and newer (shared/tinyusb/mp_usbd_cdc.c). Where versions differ, it behaves like
the worst one: 1.24.0 to 1.26.0 wait forever for a host that is asleep.
"""

from pico_testbench.usb_cable import CLOSED, NOT_READING, READING, STATES, SUSPENDED

_SIZE = 256  # the most bytes that wait for the host (CFG_TUD_CDC_TX_BUFSIZE)
_TIMEOUT_US = 500_000  # how long a write waits for room (MICROPY_HW_USB_CDC_TX_TIMEOUT)
_FRAME_US = 1000
_FRAMES = 1 << 11


class Usb:
    """The chip's end of the cable. Pieces that the host takes, text or bytes, are appended to
    `chip.sent`.

    write(text) writes as MicroPython does. It waits for a host that does not take the bytes, then
    gives up, unless the cable is suspended. For speed, `write` is the list's own append while a
    program reads, because the firmware writes one character at a time.
    """

    def __init__(self, chip):
        self._chip = chip
        self.cable = READING
        self.writable = True  # the answer to POLLOUT, which is always True without a host
        self._waiting = bytearray()
        self.write = chip.sent.append
        self._frame = 0

    def plug(self, cable):
        """Set the state of the cable, one of STATES."""
        if cable not in STATES:
            raise ValueError("no cable is %s" % cable)
        self._frame = self.frame_number
        self.cable = cable
        self.write = self._write
        if cable == READING:
            if self._waiting:
                self._chip.sent.append(bytes(self._waiting))
                self._waiting = bytearray()
            self.write = self._chip.sent.append
        self._look()

    @property
    def frame_number(self):
        """The number of the last start-of-frame packet. An awake host sends one every
        millisecond."""
        if self.cable == SUSPENDED:
            return self._frame
        return self._chip.clock.now // _FRAME_US % _FRAMES

    @property
    def hears(self):
        """True if a program can send something to the Pico."""
        return self.cable in (READING, NOT_READING)

    def _look(self):
        self.writable = self.cable != NOT_READING or len(self._waiting) < _SIZE

    def put(self, data):
        """Send as many bytes as possible at once, and return the remaining bytes."""
        if self.cable == READING:
            self._chip.sent.append(data)
            return b""
        if self.cable == CLOSED:
            self._waiting = (self._waiting + data)[-_SIZE:]  # the next reader gets the latest
            return b""
        room = _SIZE - len(self._waiting)
        self._waiting += data[:room]
        self._look()
        return data[room:]

    def _write(self, text):
        left = self.put(text.encode())
        clock = self._chip.clock
        end = clock.now + _TIMEOUT_US
        while left and clock.now < end:
            self._chip.wait(end)
            left = self.put(left)
            if self.cable == SUSPENDED:
                end = clock.now + _TIMEOUT_US

    def print(self, *values, sep=" ", end="\n"):
        """Print as MicroPython does, with one write per piece."""
        for number, value in enumerate(values):
            if number:
                self.write(sep)
            self.write(str(value))
        self.write(end)

    def print_exception(self, failure):
        """Print a traceback, word by word. MicroPython makes about 45 writes for a traceback."""
        *words, last = self._chip.host.traceback(failure).split(" ")
        for word in words:
            self.write(word + " ")
        self.write(last)
