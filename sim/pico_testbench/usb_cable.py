"""A USB cable: its states, and the lines on the console at its end."""

READING = "reading"  # a program has the port open, and reads
NOT_READING = "not reading"  # a program has it open but does not read
SUSPENDED = "suspended"  # a program has it open, but the cable is pulled or the computer asleep
CLOSED = "closed"  # the computer is connected, but no program has the port open
STATES = (READING, NOT_READING, SUSPENDED, CLOSED)


class Lines:
    """A buffer that joins the bytes from a Pico into lines."""

    def __init__(self):
        self.rest = b""  # the start of an incomplete line

    def of(self, sent):
        """Return the lines that these bytes complete."""
        *lines, self.rest = (self.rest + sent.replace(b"\r", b"")).split(b"\n")
        return [line.decode("utf-8", "replace") for line in lines]

    def cut(self):
        """Drop an incomplete line."""
        self.rest = b""
