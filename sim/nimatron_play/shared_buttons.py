"""The machine's buttons and lamps, as several pages press and touch them."""

import time

from nimatron import board, states
from nimatron_play import words

_HERE_S = 10  # seconds between two reports of a visitor, except after a warning
# The states in which presses would drop tokens and delay the attract mode, and their messages.
CLOSED = {
    states.MAINTENANCE: words.message("do.serviced"),
    states.CRASHED: words.message("do.crashed"),
}


class SharedButtons:
    """The buttons, the viewers who hold them, and touches of lamps. show() updates the pages."""

    def __init__(self, attendant, visit, insight, show):
        self._attendant = attendant
        self._visit = visit
        self._insight = insight
        self._show = show
        self._holders: dict[str, set] = {button: set() for button in board.BUTTONS}
        self._here_at = -_HERE_S
        self._first: tuple | None = None  # the viewer and the lamp of a touch that begins a match

    @property
    def held(self) -> list[str]:
        return sorted(button for button, holders in self._holders.items() if holders)

    def press(self, viewer, button: str) -> None:
        if not self._passes(viewer, button):
            return
        if button == board.GO and self._insight.teach_on(viewer.page):
            return
        holders = self._holders[button]
        if holders and viewer not in holders:  # another viewer still holds the button
            self._attendant.session.order("release", button)
            holders.clear()
        if not holders:
            self._attendant.session.order("press", button)
            self._attendant.display.touched()
        holders.add(viewer)
        self._show()

    def _passes(self, viewer, button):
        """Return True if the machine accepts a viewer's press now."""
        if closed := CLOSED.get(self._attendant.display.state):
            viewer.tell(closed)
            return False
        passes = self._visit.happen("press", viewer.page.you, button)
        if passes:
            self._visit.language = viewer.page.language
        self._show()
        return passes

    def release(self, viewer, button: str) -> None:
        holders = self._holders[button]
        if viewer in holders:
            holders.remove(viewer)
            if not holders:
                self._attendant.session.order("release", button)
            self._show()

    def touch(self, viewer, lamp: int) -> None:
        """Touch a lamp, counted from 0, to pick it or give it back. Between matches, a touch
        begins a match and counts as its first pick."""
        if not self._passes(viewer, board.ROW_BUTTONS[lamp // board.LAMPS]):
            return
        if self._attendant.display.state in (states.ATTRACT, states.VERDICT):
            if not self._insight.teach_on(viewer.page):
                self._attendant.session.order("tap", board.GO)
                self._first = viewer, lamp
        elif not self._attendant.busy:
            self._attendant.touch(lamp)

    def begin(self) -> None:
        """Pick the lamp whose touch began the match. Call this after the machine's messages."""
        display = self._attendant.display
        if not self._first or display.state in (states.ATTRACT, states.VERDICT):
            return
        if display.state != states.OPENING:
            self._first = None
        elif display.position is not None:
            first, self._first = self._first, None
            self.pick(*first)

    def pick(self, viewer, lamp: int) -> None:
        """Touch a lamp in a match that has just begun, or the last lamp of its row."""
        while not self._attendant.display.touches[lamp] and lamp % board.LAMPS:
            lamp -= 1
        self.touch(viewer, lamp)

    def here(self, page) -> None:
        """Report that a visitor uses the page, by a long press of GO. The firmware restarts its
        idle time and otherwise ignores the press."""
        display = self._attendant.display
        now = time.monotonic()
        self._visit.happen("touch", page.you)
        if display.state not in (states.PLAYER, states.OPENING) or self._attendant.busy:
            return
        if not self._visit.seat(page):
            return  # the match belongs to another page
        if display.warned or now >= self._here_at + _HERE_S:
            self._here_at = now
            display.noticed()
            self._attendant.ask(f"hold {board.GO}")
            self._show()
