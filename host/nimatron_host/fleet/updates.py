"""Bring the exhibits of a bridge to the wanted version, at closing time: one first, the others
when that one has shown for an hour.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, time, timedelta
from typing import Protocol

from nimatron import VERSION

_TRIAL_MIN = 60

log = logging.getLogger("nimatron.fleet")


class Exhibits(Protocol):
    """Those of a bridge, by their ids."""

    def versions(self) -> dict[str, str]:
        """The firmware of each that is online, in the order in which to update them."""

    def runs(self, exhibit: str) -> int | None:
        """How often it has started since the bridge did; None unless it shows."""

    async def update(self, exhibit: str) -> bool:
        """Deploy our firmware; False if that failed, and it shows what it had."""


class Updates:
    """wanted: the version that they shall have, empty if nobody has said. now() and sleep(seconds)
    are those of the wall clock."""

    def __init__(
        self,
        exhibits: Exhibits,
        closing: time,
        now: Callable[[], datetime] = datetime.now,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.wanted = ""
        self._exhibits = exhibits
        self._closing = closing
        self._now = now
        self._sleep = sleep
        self._bad = ""  # a version that did not stand its trial

    async def run(self) -> None:
        """Look each day at closing time, for ever."""
        while True:
            now = self._now()
            end = datetime.combine(now.date(), self._closing)
            if end <= now:
                end += timedelta(days=1)
            await self._sleep((end - now).total_seconds())
            await self._bring_up_to_date()

    async def _bring_up_to_date(self) -> None:
        wanted = self.wanted
        if not wanted or wanted == self._bad:
            return
        if wanted != VERSION:
            log.warning(
                "version %s is wanted, but this bridge has %s; install %s on this computer",
                wanted,
                VERSION,
                wanted,
            )
            return
        older = [name for name, has in self._exhibits.versions().items() if has != wanted]
        for number, exhibit in enumerate(older):
            if self.wanted != wanted:
                return  # somebody has changed their mind
            done = await self._exhibits.update(exhibit)
            if number == 0 and not (done and await self._stands_trial(exhibit)):
                self._bad = wanted
                log.warning(
                    "%s does not show with version %s: the other exhibits keep what they have, "
                    "until another version is wanted or the bridge starts again",
                    exhibit,
                    wanted,
                )
                return

    async def _stands_trial(self, exhibit: str) -> bool:
        """True if it shows for an hour without another start."""
        log.info("%s has version %s; the others follow in an hour", exhibit, self.wanted)
        await self._sleep(60)
        runs = self._exhibits.runs(exhibit)
        for _ in range(_TRIAL_MIN):
            if runs is None or self._exhibits.runs(exhibit) != runs:
                return False
            await self._sleep(60)
        return self._exhibits.runs(exhibit) == runs
