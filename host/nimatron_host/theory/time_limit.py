"""The time limit of one answer. Every long computation calls `check` repeatedly."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from math import inf

SECONDS = 10  # of computing, unless the user sets another limit
_EVERY = 64  # calls of `check` for each look at the clock
_FRAMES = 5000  # the least recursion limit. A move takes several frames


class Spent(Exception):
    """The exception raised when the time is up. Its message contains the result so far."""


class TooLarge(Spent):
    """The exception for a position that is so large that more time would not help."""


clock = time.process_time
_end = inf
_checks = 0


@contextmanager
def limit(seconds: float) -> Iterator[None]:
    """Limit the computing time of a `with` block, in which `check` then raises Spent. Raises
    TooLarge."""
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
    """Limit a `with` block to a part of the remaining time."""
    return limit(part * (SECONDS if _end == inf else _end - clock()))


def check(so_far: Callable[[], str]) -> None:
    """Raise Spent, with the result so far, if the time is up."""
    global _checks
    _checks += 1
    if _checks % _EVERY == 0 and clock() > _end:
        raise Spent(so_far())
