"""A sleep that somebody else can end."""

import asyncio


class Nap:
    """For one task. Cancelling its sleep costs a Pico a tenth of what wait_for_ms does."""

    def __init__(self):
        self._sleeper = None

    async def sleep(self, ms):
        """Sleep for `ms`, or until somebody calls `wake`."""
        self._sleeper = asyncio.current_task()
        try:
            await asyncio.sleep_ms(ms)
        except asyncio.CancelledError:
            if self._sleeper:  # cancelled by somebody else, and for good
                raise
        finally:
            self._sleeper = None

    def wake(self):
        sleeper, self._sleeper = self._sleeper, None
        if sleeper:
            sleeper.cancel()
