"""The lines on a console."""


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
