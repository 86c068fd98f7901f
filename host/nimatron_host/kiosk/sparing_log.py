"""A log that visitors cannot make long. It writes at most one line of each kind per minute, with a
count, and truncates long lines, such as lines that quote a visitor's message."""

import logging
import time
from typing import Any

from aiohttp.http_exceptions import HttpProcessingError

WINDOW_S = 60.0
_LONGEST = 2000  # the most characters in a line with its traceback
_SHORT = 200  # the most characters about a cause, if it is a visitor
# A malformed request, or a request whose visitor has gone before the answer was sent.
_VISITORS = (HttpProcessingError, ConnectionError)


class Sparing(logging.Filter):
    """A filter for a handler. Lines from the same place in the code and with the same type of
    exception are of one kind. The first line after a window gives the number of omitted lines of
    its kind."""

    def __init__(self, window_s: float = WINDOW_S) -> None:
        super().__init__()
        self._window_s = window_s
        self._kinds: dict[
            tuple[object, ...], list[Any]
        ] = {}  # kind: the time of the last written line, and the number of lines since then

    def filter(self, record: logging.LogRecord) -> bool:
        kind = record.name, record.pathname, record.lineno, record.levelno, type(_why(record))
        now = time.monotonic()
        last, left_out = self._kinds.get(kind, (None, 0))
        if last is not None and now - last < self._window_s:
            self._kinds[kind][1] += 1
            return False
        self._kinds[kind] = [now, 0]
        if left_out:
            record.msg = f"{record.getMessage()} ({left_out} more like this in the meantime)"
            record.args = ()
        return True


class Brief(logging.Formatter):
    """A formatter that truncates long lines. Lines that a visitor has caused get no traceback."""

    def format(self, record: logging.LogRecord) -> str:
        why = _why(record)
        if isinstance(why, _VISITORS):
            cause = " ".join(f"{type(why).__name__}: {why}".split())[:_SHORT]
            plain = {"msg": f"{record.getMessage()}: {cause}", "args": (), "exc_info": None}
            record = logging.makeLogRecord(record.__dict__ | plain | {"exc_text": None})
        text = super().format(record)
        return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} ..."


def _why(record: logging.LogRecord) -> BaseException | None:
    """Return the exception of a log record, or None."""
    return record.exc_info[1] if record.exc_info else None
