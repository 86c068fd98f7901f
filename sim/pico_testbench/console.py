"""The console's lines."""


class Lines:
    """Joins the bytes that a Pico sends to lines."""

    def __init__(self):
        self.rest = b""  # of a line that has not ended yet

    def of(self, sent):
        """The lines that have ended with these bytes."""
        *lines, self.rest = (self.rest + sent.replace(b"\r", b"")).split(b"\n")
        return [line.decode("utf-8", "replace") for line in lines]

    def cut(self):
        """A line that was cut short is lost."""
        self.rest = b""
