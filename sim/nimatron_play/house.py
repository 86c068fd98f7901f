"""The surroundings of a machine, which differ between a server, a browser and a test."""

from typing import Callable

from nimatron_play.defaults import VOLUME
from nimatron_play.playing import ABANDONED, PLAYER


class Figures:
    """Figures in memory. today: the number of matches with a winner, and how many people won
    against the machine. edition: changes whenever there are new figures to fetch."""

    edition = ""

    def __init__(self):
        self.today = {"played": 0, "won": 0}

    def keep(self, match: dict) -> None:
        """Count a match, as in playing.py."""
        if match["winner"] != ABANDONED and match["players"] == 1:
            played, won = self.today["played"], self.today["won"]
            self.today = {"played": played + 1, "won": won + (match["winner"] == PLAYER)}


class FixedSound:
    """The sound of pages, which is fixed here. volume: of a new page. silent: true in quiet hours.
    told: the operator's view of the sound, None if it is fixed."""

    volume = VOLUME
    silent = False
    told = None

    def change(self, volume: str, quiet: str) -> None:
        """Set the volume and the quiet hours. Raises ValueError."""
        raise ValueError("the sound is fixed")


def at_once(work, then) -> None:
    """Do the work, and pass on its result."""
    then(work())


class House:
    """figures, sound: as above. language: of a new page, "" for the browser's.

    note(what, detail) keeps an event: a reset of the Pico, or a device that failed. warn(text)
    warns the operator. think(work, then) calls then(work()) after the lamps have been shown.
    reckon(work, then) does the same with work that takes a computer a millisecond. soon(show)
    calls show() once for several actions that come at the same time.
    """

    def __init__(
        self,
        figures=None,
        sound=None,
        language: str = "",
        note: Callable[[str, str], object] = lambda what, detail: None,
        warn: Callable[[str], object] = lambda text: None,
        think=at_once,
        reckon=at_once,
        soon: Callable[[Callable[[], None]], object] = lambda show: show(),
    ):
        self.figures = figures or Figures()
        self.sound = sound or FixedSound()
        self.language = language
        self.note = note
        self.warn = warn
        self.think = think
        self.reckon = reckon
        self.soon = soon
