"""The match that is being played, for whoever keeps matches."""

import time

PLAYER, MACHINE, ABANDONED = "player", "machine", "abandoned"


class Playing:
    """The match. practice: it is not kept."""

    def __init__(self, practice: bool = False):
        self._practice = practice
        self._begun_at: float | None = None
        self._moves = 0

    def moved(self) -> None:
        if self._begun_at is None:
            self._begun_at = time.monotonic()
        self._moves += 1

    def ended(self, **known) -> dict | None:
        """What is known of the match, which is over: `seconds`, from the first move to the last,
        `moves`, and what is given. None if nobody has moved in it, or it was practice."""
        begun_at, moves, practice = self._begun_at, self._moves, self._practice
        self.__init__()
        if begun_at is None or practice:
            return None
        return {"seconds": round(time.monotonic() - begun_at), "moves": moves} | known
