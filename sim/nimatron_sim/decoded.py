"""Decoding of text that people have saved or piped. Windows may write UTF-8 with a byte order
mark, or UTF-16 from PowerShell's `>`."""

import codecs
import io
from collections.abc import Iterator
from typing import BinaryIO

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
