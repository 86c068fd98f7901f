"""The hours in which pages make no sound."""

import re
from dataclasses import dataclass
from datetime import datetime
from datetime import time as clock


@dataclass(frozen=True)
class Quiet:
    """From one time of the day to another, which may be on the next day."""

    begin: clock
    end: clock

    def __str__(self) -> str:
        return f"{self.begin:%H:%M}-{self.end:%H:%M}"

    def now(self, now: clock | None = None) -> bool:
        """True if it is quiet at this time."""
        now = now or datetime.now().time()
        if self.begin <= self.end:
            return self.begin <= now < self.end
        return now >= self.begin or now < self.end


def parse(text: str) -> Quiet:
    """The hours in a text such as 22:00-08:00; raises ValueError."""
    if not re.fullmatch(r"\d\d:\d\d-\d\d:\d\d", text):
        raise ValueError(f"{text} is not two times such as 22:00-08:00")
    begin, _, end = text.partition("-")
    if begin == end:
        raise ValueError(f"{text} begins and ends at the same time, so it is never quiet")
    try:
        return Quiet(clock.fromisoformat(begin), clock.fromisoformat(end))
    except ValueError:
        raise ValueError(f"{text} has a time in it that no clock shows") from None
