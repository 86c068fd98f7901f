"""A queue of limited size in SQLite, which keeps events on disk until the broker confirms them.

Events are written to the disk before they are sent, so they survive if the program ends at any
moment. If the disk fails, the queue keeps events in memory as long as it has room, and the rest of
the bridge continues.

We tried Mosquitto 2.0.11 with a bridge and persistence in its place (`cleansession false`,
`autosave_on_changes true`, QoS 1): with the default `autosave_interval`, a kill lost 200 of 200
events. With 1, 25 kills lost 17 of 1,529 confirmed events, because Mosquitto confirms an event
before saving it, and each save writes all waiting events: 0.9 MB for an event after 4,000.
"""

import json
import logging
import secrets
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, NamedTuple

from nimatron_sim.errors import UserError
from nimatron_sim.lock_file import hold

FILE = "fleet.sqlite"
IN_MEMORY = 20_000  # the most messages in memory while the disk fails
_LOCK = "fleet.lock"
_SHARE = 100  # a full spool drops this fraction at a time: 1/100
_SCHEMA = """
create table if not exists spool (
  n integer primary key,   -- the order in which they came
  exhibit text not null,
  kind text not null,      -- of topic
  payload text not null
)
"""

log = logging.getLogger("nimatron.fleet")


class Entry(NamedTuple):
    """A message in the queue. `n` is its place."""

    n: int
    exhibit: str
    kind: str
    payload: str


def now() -> str:
    """Return the time on this computer, which may be wrong. Use `seq` for the order of events."""
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Spool:
    """The queue, in the folder `where`. `put` numbers an event, `commit` writes it to the disk,
    `batch` returns the messages to send, and `done` marks them as confirmed. Each Spool has its
    own `id` and counts from 1, so each pair of `id` and number is unique.

    Raises UserError if the folder cannot be used, or if another bridge uses it.
    """

    def __init__(self, where: Path, most: int, clock: Callable[[], str] = now) -> None:
        self._path = where / FILE
        self._most = most
        self._clock = clock
        self._new: list[Entry] = []  # messages that are not on disk yet
        self._sent: set[int] = set()  # confirmed messages that may still be on disk
        self._seqs: Counter[str] = Counter()
        self._n = self._on_disk = self.dropped = 0
        self._failing = self._read = False
        self.id = secrets.token_hex(4)
        try:
            where.mkdir(parents=True, exist_ok=True)
            taken = f"another `nimatron fleet` uses {where}. Give each a separate --state"
            self._lock = hold(where / _LOCK, taken)
        except OSError as why:
            raise UserError(f"cannot keep events in {where}: {why.strerror}") from None
        self._db = sqlite3.connect(":memory:")
        try:
            self._open()
        except sqlite3.Error as why:
            passing = any(word in str(why) for word in ("full", "I/O"))
            if isinstance(why, sqlite3.OperationalError) and not passing:
                raise UserError(f"cannot keep events in {self._path}: {why}") from None
            self._fail(why)

    def __len__(self) -> int:
        """Return the number of waiting events."""
        return self._on_disk + len(self._new) - len(self._sent)

    def put(self, exhibit: str, kind: str, body: dict[str, Any]) -> None:
        """Number a message and put it at the end of the queue."""
        self._n += 1
        self._seqs[exhibit] += 1
        told = {"seq": self._seqs[exhibit], "spool": self.id, "at": self._clock()} | body
        payload = json.dumps(told, separators=(",", ":"))
        self._new.append(Entry(self._n, exhibit, kind, payload))
        if len(self._new) > IN_MEMORY:  # the disk has failed for a long time
            excess = IN_MEMORY // _SHARE
            del self._new[:excess]
            self._say_dropped(excess)

    def commit(self) -> bool:
        """Write new messages to the disk, and remove confirmed messages. Return False after a
        failure, so that the caller tries again."""
        if not (self._new or self._sent or self._failing):
            return True
        try:
            self._on_disk, excess = self._write()
        except sqlite3.Error as why:
            self._fail(why)
            return False
        self._new.clear()
        self._sent.clear()
        if self._failing:
            self._failing = False
            log.warning("events are kept in %s again", self._path)
        if excess:
            self._say_dropped(excess)
        return True

    def _write(self) -> tuple[int, int]:
        """Write all changes. Return the number of messages on disk and of dropped messages."""
        with self._transaction() as db:
            if self._failing:
                db.execute("pragma user_version = 1")  # is there room to write anything?
            # A failing disk may already have written some messages.
            new = db.executemany("insert or ignore into spool values (?, ?, ?, ?)", self._new)
            on_disk = self._on_disk + max(new.rowcount, 0)
            gone = db.executemany("delete from spool where n = ?", [(n,) for n in self._sent])
            on_disk -= max(gone.rowcount, 0)
            if on_disk <= self._most:
                return on_disk, 0
            excess = on_disk - self._most + self._most // _SHARE
            db.execute(
                "delete from spool where n in (select n from spool order by n limit ?)", [excess]
            )
            return on_disk - excess, excess

    def batch(self, after: int, count: int) -> list[Entry]:
        """Return the next messages to send, in order: from the disk and, if it fails, from memory
        as well. `after` is the `n` of the last sent message."""
        found: list[Entry] = []
        try:
            rows = self._db.execute(
                "select n, exhibit, kind, payload from spool where n > ? order by n limit ?",
                [after, count],
            )
            found = [Entry(*row) for row in rows]
        except sqlite3.Error as why:
            self._fail(why)
        if self._failing and len(found) < count:
            last = found[-1].n if found else after
            found += [entry for entry in self._new if entry.n > last][: count - len(found)]
        return found

    def done(self, confirmed: Iterable[int]) -> None:
        """Mark these entries as confirmed. The next commit removes them."""
        numbers = set(confirmed)
        in_memory = {entry.n for entry in self._new} & numbers
        self._new = [entry for entry in self._new if entry.n not in in_memory]
        self._sent |= numbers - in_memory

    def close(self) -> None:
        """Write new messages, and release the folder for other bridges."""
        self.commit()
        self._db.close()
        self._lock.release()

    # ------------------------------------------------------------------ the disk

    def _open(self) -> None:
        self._db.close()
        self._db = sqlite3.connect(self._path, isolation_level=None)
        self._db.execute("pragma journal_mode = wal")
        self._db.execute("pragma synchronous = full")  # written data survives a power cut
        self._db.execute(_SCHEMA)
        self._on_disk, last = self._db.execute("select count(*), max(n) from spool").fetchone()
        if not self._read:
            self._read = True
            self._n = last or 0
            self._new = [entry._replace(n=self._n + n) for n, entry in enumerate(self._new, 1)]
            self._n += len(self._new)

    def _set_aside(self, why: sqlite3.Error) -> None:
        """Rename a broken database. The next one begins with the messages in memory."""
        self._db.close()
        aside = self._path.with_name(f"{self._path.stem}-broken-{secrets.token_hex(2)}.sqlite")
        for end in ("", "-wal", "-shm"):
            if (part := Path(f"{self._path}{end}")).exists():
                part.rename(f"{aside}{end}")
        self._read = True
        self._sent.clear()
        log.warning("%s is broken (%s): set aside as %s", self._path, why, aside.name)

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        self._db.execute("begin immediate")
        try:
            yield self._db
            self._db.execute("commit")
        finally:
            if self._db.in_transaction:
                self._db.execute("rollback")

    def _fail(self, why: sqlite3.Error) -> None:
        """Report in one line that the disk has failed, and keep messages in memory."""
        try:
            if type(why) is sqlite3.DatabaseError:
                self._set_aside(why)
            elif not self._failing:
                self._failing = True
                log.warning(
                    "cannot keep events in %s (%s): the newest %d stay in memory. Make "
                    "room, or repair the disk",
                    self._path,
                    why,
                    IN_MEMORY,
                )
            if "full" not in str(why):
                self._open()
        except (OSError, sqlite3.Error):
            self._failing = True  # the next commit tries again

    def _say_dropped(self, count: int) -> None:
        self.dropped += count
        log.warning(
            "too many events wait for the broker: dropped the %d oldest, %d in all",
            count,
            self.dropped,
        )
