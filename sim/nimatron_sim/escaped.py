"""Escapes that make text from a Pico safe to print, because it may come from visitors, other
firmware or noise."""


def escaped(text: str) -> str:
    r"""Return the text with an escape such as \x1b or \n for each unprintable character."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def escaped_lines(text: str) -> str:
    """Return the text with an escape for each unprintable character except line feeds."""
    return "\n".join(map(escaped, text.split("\n")))


def escaped_print(text: str) -> None:
    """Print a line with escapes, and flush the output."""
    print(escaped(text), flush=True)
