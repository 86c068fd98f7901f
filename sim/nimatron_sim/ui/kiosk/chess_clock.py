"""How long people keep others waiting. What becomes of the slow is for visit.py to say."""

import time

from nimatron_sim.ui.kiosk.pages import Page

FREE_S = 15  # of each move, which do not count


class ChessClock:
    """Counts the seconds since the last move; and for each device those for which it has kept
    others waiting, but for the first 15 of each move, less those for which it has not, from one
    match to the next. So whoever thinks as long as the others, or for less than 15 seconds, or
    when nobody waits, has all the time."""

    def __init__(self) -> None:
        self._kept_s: dict[str, float] = {}  # by the device
        self._told_at = time.monotonic()
        self.go_on()

    def go_on(self) -> None:
        """Count anew for the present move."""
        self._moved_at = time.monotonic()

    def run(self, keeps: Page | None) -> None:
        """Count the time since the last call for whoever keeps others waiting, if anybody."""
        now = time.monotonic()
        seconds, self._told_at = now - self._told_at, now
        kept_s = self.kept_s(keeps) if keeps else 0
        left = {one: kept - seconds for one, kept in self._kept_s.items()}
        self._kept_s = {one: kept for one, kept in left.items() if kept > 0}
        if keeps:
            self._kept_s[_device(keeps)] = kept_s + (seconds if self.since_move_s > FREE_S else 0)

    def forget(self, page: Page) -> None:
        """Have the device of this page begin anew."""
        self._kept_s.pop(_device(page), None)

    @property
    def since_move_s(self) -> float:
        """For how many seconds nobody has made a move."""
        return time.monotonic() - self._moved_at

    def kept_s(self, page: Page) -> float:
        """For how many seconds more a device has kept others waiting than it has not."""
        return self._kept_s.get(_device(page), 0)

    def late_s(self, page: Page) -> float:
        """How many seconds whoever is to move has thought about it; or for how many others have
        waited for them in all, if these are more."""
        return max(self.since_move_s, self.kept_s(page))


def _device(page: Page) -> str:
    return page.address or page.you
