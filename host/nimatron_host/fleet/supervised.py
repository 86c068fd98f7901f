"""Restarts of a failed bridge."""

import asyncio
import contextlib
import logging
import traceback
from collections.abc import Awaitable, Callable
from pathlib import Path

from nimatron_sim.errors import UserError
from nimatron_sim.text_encoding import escaped

AGAIN_S = 30.0

log = logging.getLogger("nimatron.fleet")


async def supervised(
    run: Callable[[], Awaitable[None]],
    stopped: asyncio.Event,
    fatal: tuple[type[Exception], ...] = (),
) -> None:
    """Call run() until it returns or `stopped` is set. After a failure, log it in one line and
    call run() again. Exceptions in `fatal` are raised."""
    while not stopped.is_set():
        try:
            return await run()
        except fatal:
            raise
        except Exception as why:  # a bug in the bridge must not end the kiosk
            log.warning("%s. The next attempt is in %d s", _told(why), AGAIN_S)
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(stopped.wait(), AGAIN_S)


def _told(why: Exception) -> str:
    if isinstance(why, UserError):
        return str(why)
    place = traceback.extract_tb(why.__traceback__)[-1]
    where = f"{Path(place.filename).name}:{place.lineno}"
    return f"the bridge failed: {type(why).__name__}: {escaped(str(why))} ({where})"
