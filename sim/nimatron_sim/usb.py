"""The USB cable as the Pico's serial line knows it: what it may be doing, and what becomes of
bytes that nobody takes. It is MicroPython's from 1.24 on (shared/tinyusb/mp_usbd_cdc.c).
"""

READING = "reading"  # a program has the port open, and reads
NOT_READING = "not reading"  # it has it open, and does not
SUSPENDED = "suspended"  # it has, but the cable is pulled or the computer asleep
CLOSED = "closed"  # the computer is there, and no program has the port open
STATES = (READING, NOT_READING, SUSPENDED, CLOSED)

_SIZE = 256  # bytes that wait for the host (CFG_TUD_CDC_TX_BUFSIZE)
_TIMEOUT_US = 500_000  # a write waits so long for room (MICROPY_HW_USB_CDC_TX_TIMEOUT)
_FRAME_US = 1000
_FRAMES = 1 << 11


class Usb:
    """The chip's end of the cable. What the host takes goes to `chip.sent`."""

    def __init__(self, chip):
        self._chip = chip
        self.cable = READING
        self._waiting = bytearray()
        self._frame = 0

    def plug(self, cable):
        """From now on the cable does one of STATES."""
        if cable not in STATES:
            raise ValueError("no cable is %s" % cable)
        self._frame = self.frame_number
        self.cable = cable
        if cable == READING:
            self._chip.sent += self._waiting
            self._waiting = bytearray()

    @property
    def frame_number(self):
        """Of the last start-of-frame packet: a host that is awake sends one each millisecond."""
        if self.cable == SUSPENDED:
            return self._frame
        return self._chip.clock.now // _FRAME_US % _FRAMES

    @property
    def hears(self):
        """A program can send something to the Pico."""
        return self.cable in (READING, NOT_READING)

    @property
    def writable(self):
        """What POLLOUT says. Of a host that is not there it always says yes."""
        return self.cable != NOT_READING or len(self._waiting) < _SIZE

    def put(self, data):
        """Send what goes at once; returns what does not."""
        if self.cable == READING:
            self._chip.sent += data
            return b""
        if self.cable == CLOSED:
            self._waiting = (self._waiting + data)[-_SIZE:]  # those who come see the latest
            return b""
        room = _SIZE - len(self._waiting)
        self._waiting += data[:room]
        return data[room:]

    def write(self, text):
        """One write of MicroPython's, which waits for a host that does not take it, and gives
        up."""
        left = self.put(text.encode())
        end = self._chip.clock.now + _TIMEOUT_US
        while left and self._chip.clock.now < end:
            self._chip.wait(end)
            left = self.put(left)

    def print(self, *values, sep=" ", end="\n"):
        """MicroPython's, a write for each piece."""
        for number, value in enumerate(values):
            if number:
                self.write(sep)
            self.write(str(value))
        self.write(end)

    def print_exception(self, failure):
        """Likewise: a traceback is some 45 writes, here one for each word."""
        for word in self._chip.host.traceback(failure).split(" "):
            self.write(word + " ")
