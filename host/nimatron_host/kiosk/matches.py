"""A database of the matches on this kiosk, for a curator's questions.

The Pico's statistics have no dates, because it has no clock. These matches have dates.
"""

import logging
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import astuple, dataclass, fields, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

from nimatron_play.match_record import ABANDONED, PLAYER

FILE = "matches.sqlite"
Error = sqlite3.Error
_WAIT_S = 1.0  # timeout for another program that has locked the file
_SCHEMA = """
create table if not exists matches (
  ended text not null,      -- local time, as 2026-11-22T14:05:09+01:00; until 0.2 without zone
  seconds integer not null, -- from the first move to the last
  game text not null,
  level text not null,      -- the machine's; empty if people played each other
  rule text not null,
  winner text not null,     -- player, machine, abandoned, or player-2 and so on
  moves integer not null,
  players integer not null, -- who played each other; 1 against the machine
  language text not null    -- of the visitor's page, if one was open
);
create index if not exists matches_ended on matches (ended);
create table if not exists events (at text not null, what text not null, detail text not null);
"""

log = logging.getLogger("nimatron.kiosk")


@dataclass(frozen=True)
class Match:
    """A match that has ended. The fields are the columns of the table."""

    ended: str
    seconds: int
    game: str
    level: str
    rule: str
    winner: str
    moves: int
    players: int = 1
    language: str = ""


COLUMNS = tuple(field.name for field in fields(Match))


Done = TypeVar("Done")


class Matches:
    """The database of matches, or counts in memory if there is no database.

    A separate thread does everything that needs the disk. The exhibit continues without a disk.
    Only the first of several consecutive failures is logged. Unwritten matches are lost.
    """

    def __init__(
        self, path: Path | None = None, now: Callable[[], datetime] = datetime.now
    ) -> None:
        self._path = path
        self._now = now
        self._broken = False
        self._writer = ThreadPoolExecutor(1, "matches")
        self._today = self._day()
        self._played = self._won = 0
        self._noted = 0

    @property
    def broken(self) -> bool:
        """Return True if the last attempt to write failed."""
        return self._broken

    @property
    def edition(self) -> str:
        """Return a text that changes whenever the result of `figures` changes."""
        return f"{self._day()} {self._noted}"

    @property
    def today(self) -> dict[str, int]:
        """Return the number of today's matches with a winner, and the number that people won
        against the machine."""
        if self._today != self._day():
            self._today, self._played, self._won = self._day(), 0, 0
        return {"played": self._played, "won": self._won}

    def open(self) -> None:
        """Open the database, and count today's matches before this start."""
        self._writer.submit(self._guard, self._count_today).result()

    def add(self, match: Match) -> None:
        """Store a match, and return at once."""
        if match.winner != ABANDONED and match.players == 1:
            counted = self.today
            self._played = counted["played"] + 1
            self._won = counted["won"] + (match.winner == PLAYER)
        if self._path:
            self._write("matches", astuple(match))

    def keep(self, match: dict[str, Any]) -> None:
        """Store a match that has just ended. See match_record.py."""
        ended = self._now().astimezone().isoformat(timespec="seconds")
        self.add(Match(ended=ended, **match))

    def note(self, what: str, detail: str = "") -> None:
        """Store an event: a reset of the Pico, or a failed device."""
        if self._path:
            at = self._now().isoformat(timespec="seconds")
            self._write("events", (at, what, detail))

    def figures(self) -> dict[str, Any]:
        """Return the result of the function `figures`, or nothing if the database is
        unreadable."""
        if not self._path:
            return {}
        return self._writer.submit(self._guard, self._figures).result() or {}

    def rows(self) -> list[tuple[Any, ...]]:
        """Return every stored match, or an empty list if the matches cannot be read."""
        if not self._path:
            return []
        path = self._path
        return self._writer.submit(self._guard, lambda: list(rows(path))).result() or []

    def close(self) -> None:
        self._writer.shutdown()

    def _day(self) -> str:
        return self._now().date().isoformat()

    def _guard(self, do: Callable[..., Done], *args: Any) -> Done | None:
        try:
            done = do(*args)
        except (sqlite3.Error, OSError) as why:
            if not self._broken:
                log.warning("matches are not being kept in %s: %s", self._path, why)
            self._broken = True
            return None
        if self._broken:
            log.warning("matches are being kept again in %s", self._path)
        self._broken = False
        return done

    def _write(self, table: str, values: tuple[object, ...]) -> None:
        """Write `values` to a table in the thread of the database. A later read includes them."""
        self._noted += 1
        self._writer.submit(self._guard, self._insert, table, values)

    def _insert(self, table: str, values: tuple[object, ...]) -> None:
        assert self._path
        with opened(self._path) as base:
            marks = ",".join("?" * len(values))
            base.execute(f"insert into {table} values ({marks})", values)

    def _count_today(self) -> None:
        if not self._path:
            return
        with opened(self._path) as base:
            played, won = base.execute(
                "select count(*), coalesce(sum(winner = 'player'), 0) from matches "
                "where ended >= ? and winner != 'abandoned' and players = 1",
                (self._today,),
            ).fetchone()
        self._played, self._won = self._played + played, self._won + won

    def _figures(self) -> dict[str, Any]:
        assert self._path
        with opened(self._path) as base:
            return figures(base, self._now())


@contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a transaction on the database at a path. If the database does not exist, create it."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    path.touch(mode=0o600)
    with closing(sqlite3.connect(path, timeout=_WAIT_S)) as base:
        base.execute("pragma journal_mode = wal")
        base.execute("pragma synchronous = normal")
        base.executescript(_SCHEMA)
        with base:
            yield base


def rows(path: Path) -> Iterator[tuple[Any, ...]]:
    """Yield every match that is stored at `path` as a tuple of COLUMNS, the earliest first."""
    with opened(path) as base:
        for row in base.execute(f"select {','.join(COLUMNS)} from matches order by ended"):
            yield astuple(_completed(Match(*row)))


def _completed(match: Match) -> Match:
    """Return a match in the current format. Earlier versions did not store the computer's time
    zone, but stored a level for matches between people."""
    ended = datetime.fromisoformat(match.ended)
    zoned = ended if ended.tzinfo else ended.astimezone()
    level = match.level if match.players == 1 else ""
    return replace(match, ended=zoned.isoformat(timespec="seconds"), level=level)


# ---------------------------------------------------------------------- a curator's questions

_GROUPS = {
    "game": "game",
    "level": "level",
    "hour": "cast(substr(ended, 12, 2) as integer)",
    "day": "substr(ended, 1, 10)",
}
_COUNTED = {  # matches between people do not count for the machine
    "people": "winner = 'player' and players = 1",
    "machine": "winner = 'machine' and players = 1",
    "together": "winner != 'abandoned' and players > 1",
    "abandoned": "winner = 'abandoned'",
}
_AGAINST_MACHINE = "and players = 1"
_COUNTS = ", ".join(f"count(*) filter (where {which})" for which in _COUNTED.values())


def figures(base: sqlite3.Connection, now: datetime) -> dict[str, Any]:
    """Return the figures for today, this week and all time.

    Each period has the counts `people` (won by people against the machine), `machine` (won by the
    machine), `together` (between people) and `abandoned`. These counts are given in `total`, by
    game, hour and day, and, without `together`, by level. The minutes of play, the end of the last
    match, and the events are also included.
    """
    today = now.date()
    since = {
        "today": today.isoformat(),
        "week": (today - timedelta(days=today.weekday())).isoformat(),
        "all": "",
    }
    return {span: _span(base, start) for span, start in since.items()}


def _span(base: sqlite3.Connection, start: str) -> dict[str, Any]:
    def ask(query: str) -> list[Any]:
        return base.execute(query, (start,)).fetchall()

    ((last, seconds, *counts),) = ask(
        f"select max(ended), coalesce(sum(seconds), 0), {_COUNTS} from matches where ended >= ?"
    )
    told = {
        "total": dict(zip(_COUNTED, counts, strict=True)),
        "minutes": seconds // 60,
        "last": last,
        "events": [
            {"what": what, "detail": detail, "count": count}
            for what, detail, count in ask(
                "select what, detail, count(*) from events where at >= ? "
                "group by what, detail order by count(*) desc, what, detail limit 20"
            )
        ],
    }
    for name, key in _GROUPS.items():
        told[name] = [
            {"of": of} | dict(zip(_COUNTED, counts, strict=True))
            for of, *counts in ask(
                f"select {key} as of, {_COUNTS} from matches where ended >= ? "
                f"{_AGAINST_MACHINE if name == 'level' else ''} group by of "
                "order by of desc limit 60"
            )
        ][::-1]
    return told
