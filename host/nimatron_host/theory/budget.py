"""The time that one answer may take. Everything that may take long calls `check` as it works."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from math import inf

SECONDS = 10  # of computing, unless the user says
_EVERY = 64  # checks between two looks at the clock
_FRAMES = 5000  # of a recursion, some for each move


class Spent(Exception):
    """The time is up. In words: the result so far."""


class TooLarge(Spent):
    """More time would not help."""


clock = time.process_time
_end = inf
_checks = 0


@contextmanager
def limit(seconds: float) -> Iterator[None]:
    """Give everything in here so many seconds together. Raises Spent when they are over."""
    global _end
    frames, before = sys.getrecursionlimit(), _end
    sys.setrecursionlimit(max(frames, _FRAMES))
    _end = min(before, clock() + seconds)
    try:
        yield
    except RecursionError:
        raise TooLarge("a match has too many moves for a search") from None
    except MemoryError:
        raise TooLarge("the memory is full") from None
    finally:
        _end = before
        sys.setrecursionlimit(frames)


def share(part: float) -> AbstractContextManager[None]:
    """Give everything in here a part of the time that is left."""
    return limit(part * (min(_end, clock() + SECONDS) - clock()))


def check(so_far: Callable[[], str]) -> None:
    """Raise Spent, with the result so far, if the time is up."""
    global _checks
    _checks += 1
    if _checks % _EVERY == 0 and clock() > _end:
        raise Spent(so_far())
