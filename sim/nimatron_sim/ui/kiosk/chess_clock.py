"""How long people think who play each other. What becomes of the slow is for visit.py to say."""

import time

_MOVES = 2  # times as long, for all moves of a match together


class ChessClock:
    """Counts the seconds of whoever is to move: since the last move, and in the match."""

    def __init__(self) -> None:
        self._thought: dict[int | None, float] = {}  # seconds in this match, by the seat
        self.go_on()

    def begin(self) -> None:
        """Note that a match begins, or is over."""
        self._thought.clear()
        self.go_on()

    def go_on(self) -> None:
        """Count anew for the present move."""
        self._moved_at = time.monotonic()

    def move(self, seat: int | None) -> None:
        """Note that whoever has this seat has made a move."""
        self._thought[seat] = self._thought.get(seat, 0) + self.since_move_s
        self.go_on()

    @property
    def since_move_s(self) -> float:
        """For how many seconds nobody has made a move."""
        return time.monotonic() - self._moved_at

    def late_s(self, seat: int | None) -> float:
        """How many seconds whoever has this seat, and is to move, has thought about the move; or
        half of those in the match, if they are more."""
        in_all = self._thought.get(seat, 0) + self.since_move_s
        return max(self.since_move_s, in_all / _MOVES)
