"""The house where a machine stands: what differs between a server, a browser and a test."""

from typing import Callable

from nimatron_play.defaults import VOLUME
from nimatron_play.playing import ABANDONED, PLAYER


class Figures:
    """Figures in memory. today: how many matches ended with a winner, and how many of those people
    won, against the machine. edition: changes whenever there are new figures to fetch."""

    edition = ""

    def __init__(self):
        self.today = {"played": 0, "won": 0}

    def keep(self, match: dict) -> None:
        """Count a match; see playing.py."""
        if match["winner"] != ABANDONED and match["players"] == 1:
            played, won = self.today["played"], self.today["won"]
            self.today = {"played": played + 1, "won": won + (match["winner"] == PLAYER)}


class FixedSound:
    """The sound of pages, which nobody can change here. volume: of a fresh page. silent: true in
    quiet hours. told: what the operator's page shows, None if the sound is fixed."""

    volume = VOLUME
    silent = False
    told = None

    def change(self, volume: str, quiet: str) -> None:
        """Set the volume and the quiet hours; raises ValueError."""
        raise ValueError("the sound is fixed")


def at_once(work, then) -> None:
    """Do the work, and pass on what it gives."""
    then(work())


class House:
    """figures, sound: as above. language: of a fresh page, "" for the browser's.

    note(what, detail) keeps an event: a reset of the Pico, or a device that failed. warn(text)
    tells whoever looks after the machine. think(work, then) calls then(work()) when the lamps have
    been shown; so does reckon(work, then), with work that takes a computer a millisecond.
    soon(show) shows what several people have just done; it takes as long as for one of them.
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
