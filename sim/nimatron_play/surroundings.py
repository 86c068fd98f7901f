"""The surroundings of a machine, which differ between a server, a browser and a test."""

from typing import Callable

from nimatron.opponent import EQUALIZER
from nimatron_play.match_record import ABANDONED, PLAYER

# The defaults that differ from the firmware's, for a Pico whose only panel is a web page.
# On a page, visitors need time to read the result, to find the move that would have won, and to
# answer the warning (20 s in WCAG 2.2.1). A new visitor's machine makes one mistake in each match.
DEFAULTS = {"verdict_ms": 45_000, "warning_ms": 20_000, "level": EQUALIZER}

VOLUMES = range(0, 11)  # the allowed volumes of a page
VOLUME = 6


class Figures:
    """Figures in memory. `today` is the number of matches with a winner, and the number that
    people won against the machine. `edition` changes with the figures."""

    edition = ""

    def __init__(self):
        self.today = {"played": 0, "won": 0}

    def keep(self, match: dict) -> None:
        """Count a match, as in match_record.py."""
        if match["winner"] != ABANDONED and match["players"] == 1:
            played, won = self.today["played"], self.today["won"]
            self.today = {"played": played + 1, "won": won + (match["winner"] == PLAYER)}


class FixedPages:
    """The operator's choices for the pages, which are fixed here.

    language, volume: the language and volume of a new page.
    silent: True in quiet hours.
    saved: True if the last change was kept.
    told: the operator's view of the choices, or None if they are fixed."""

    volume = VOLUME
    silent = saved = False
    told = None

    def __init__(self, language: str = ""):
        self.language = language

    def change(self, name: str, value: str) -> None:
        """Change a choice. Raises ValueError."""
        raise ValueError("the page is fixed")


def at_once(work, then) -> None:
    """Do the work, and pass its result to `then`."""
    then(work())


class Surroundings:
    """The surroundings of a machine, with its Figures and pages.

    note(what, detail) saves an event: a reset of the Pico, or a device that failed. warn(text)
    warns the operator. think(work, then) calls then(work()) after the lamps have been shown.
    reckon(work, then) does the same for quick work that takes a computer a millisecond. soon(show)
    calls show() once for several simultaneous actions.
    """

    def __init__(
        self,
        figures=None,
        pages=None,
        note: Callable[[str, str], object] = lambda what, detail: None,
        warn: Callable[[str], object] = lambda text: None,
        think=at_once,
        reckon=at_once,
        soon: Callable[[Callable[[], None]], object] = lambda show: show(),
    ):
        self.figures = figures or Figures()
        self.pages = pages or FixedPages()
        self.note = note
        self.warn = warn
        self.think = think
        self.reckon = reckon
        self.soon = soon
