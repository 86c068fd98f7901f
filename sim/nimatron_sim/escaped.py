"""Text from a Pico, made safe to print: visitors, other firmware or noise may have made it."""


def escaped(text: str) -> str:
    r"""The text with each character that is not printable as an escape, such as \x1b or \n."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def escaped_lines(text: str) -> str:
    """The text with escapes as above, but its lines stay lines."""
    return "\n".join(map(escaped, text.split("\n")))


def escaped_print(text: str) -> None:
    """Print a line, escaped, at once."""
    print(escaped(text), flush=True)
