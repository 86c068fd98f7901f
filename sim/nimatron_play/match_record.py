"""The current match, recorded for the figures."""

import time

from nimatron import protocol, states

PLAYER, MACHINE, ABANDONED = "player", "machine", "abandoned"


class MatchRecord:
    """The current match, and the number of restarts of the Pico in `resets`."""

    def __init__(self, surroundings, view, visit):
        self.resets = 0
        self._surroundings = surroundings
        self._view = view
        self._visit = visit
        self._seen_on = False
        self._begin()

    def _begin(self, practice=False):
        self._practice = practice  # practice matches are not kept
        self._begun_at: float | None = None
        self._moves = 0

    def hear(self, kind: str, what: str, values: dict[str, str]) -> None:
        """Handle a console line."""
        if "state" in values:
            self._seen_on = True
            if values["state"] in (states.ATTRACT, states.OPENING):
                self._begin()
        elif kind != protocol.EVENT:
            return
        elif what == "boot":
            self._begin()
            self.resets += self._seen_on
            self._surroundings.note("reset", values.get("why", ""))
        elif what == "practice":
            self._begin(practice=True)
        elif what == "move":
            self._begun_at = self._begun_at or time.monotonic()
            self._moves += 1
        elif what == "over":
            self._end(values["winner"])
        elif what == "abandoned":
            self._end(ABANDONED)

    def _end(self, winner):
        """Keep the facts about the match, with the `seconds` from the first move to the last move.
        Drop matches without a move and practice matches."""
        view, people = self._view, self._visit.people
        if self._begun_at is not None and not self._practice:
            self._surroundings.figures.keep(
                {
                    "seconds": round(time.monotonic() - self._begun_at),
                    "moves": self._moves,
                    "game": view.game.name if view.game else "",
                    "level": view.level if people == 1 else "",  # the level is the machine's
                    "rule": view.rule,
                    "winner": winner,
                    "players": people,
                    "language": self._visit.language,
                }
            )
        self._begin()
