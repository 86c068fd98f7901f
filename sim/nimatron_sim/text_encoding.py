"""Text from outside. Files and pipes are decoded: Windows may write UTF-8 with a byte order mark,
or UTF-16 from PowerShell's `>`. Text from a Pico is escaped, which makes it safe to print, because
it may come from visitors, other firmware or noise."""

import codecs
import io
from collections.abc import Iterator
from typing import BinaryIO, TextIO

_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def decoded(content: bytes) -> str:
    """Return the text in a file, with \\n at the end of each line. Raises UnicodeDecodeError if
    the file is not text."""
    encoding = "utf-16" if content.startswith(_UTF_16) else "utf-8-sig"
    return content.decode(encoding).replace("\r\n", "\n")


def lines(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the lines from a stream in UTF-8, each as soon as it arrives. Bytes that are not valid
    text are passed on unchanged."""
    first = stream.readline()
    if first.startswith(_UTF_16):  # in UTF-16, a line feed is only half a character
        whole = first + stream.read()
        yield from io.BytesIO(whole.decode("utf-16", "replace").encode())
        return
    yield first.removeprefix(codecs.BOM_UTF8)
    yield from stream


def escaped(text: str) -> str:
    r"""Return the text with an escape such as \x1b or \n for each unprintable character."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def escaped_lines(text: str) -> str:
    """Return the text with an escape for each unprintable character except line feeds."""
    return "\n".join(map(escaped, text.split("\n")))


def escaped_print(text: str, file: TextIO | None = None) -> None:
    """Print a line with escapes, by default to standard output, and flush the output."""
    print(escaped(text), file=file, flush=True)
