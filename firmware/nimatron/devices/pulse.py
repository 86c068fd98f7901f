"""The pulse of a vital part: it says when it will be back, and is missed when it is not."""

import time

_GRACE_MS = 2000  # garbage collection and flash writes make everybody late


class Pulse:
    def __init__(self):
        self._due = None

    def back_in(self, ms):
        """I shall check in again within `ms`."""
        self._due = time.ticks_add(time.ticks_ms(), ms + _GRACE_MS)

    def at_ease(self):
        """I wait for something that may never come, and have nothing else to do."""
        self._due = None

    def missed(self):
        return self._due is not None and time.ticks_diff(time.ticks_ms(), self._due) > 0
