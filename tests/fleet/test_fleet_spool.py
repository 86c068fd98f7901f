"""Events on disk: in order, once, bounded, and safe from accidents of the disk."""

import json
import sqlite3
from contextlib import closing

import pytest

from nimatron_host.fleet.spool import FILE, Spool
from nimatron_sim.errors import UserError

MANY = 1000


@pytest.fixture
def spool(tmp_path):
    opened = []

    def spool(most=MANY):
        for one in opened:
            one.close()
        opened.append(Spool(tmp_path, most, clock=lambda: "now"))
        return opened[-1]

    yield spool
    for one in opened:
        one.close()


def happen(spool, count, exhibit="a"):
    for number in range(count):
        spool.put(exhibit, "event", {"what": "move", "values": {"n": str(number)}})
    return spool.commit()


def seqs(spool, after=0, count=MANY):
    return [json.loads(entry.payload)["seq"] for entry in spool.batch(after, count)]


def numbers(spool):
    """Return [(spool, seq), …]."""
    told = [json.loads(entry.payload) for entry in spool.batch(0, MANY)]
    return [(one["spool"], one["seq"]) for one in told]


def fill(spool):
    """Fill its disk, so that it has no room for an event."""
    pages = spool._db.execute("pragma page_count").fetchone()[0]
    spool._db.execute(f"pragma max_page_count = {pages}")
    spool.put("a", "event", {"what": "x" * 5000})
    assert not spool.commit()


def make_room(spool):
    spool._db.execute("pragma max_page_count = 1000000")
    assert spool.commit()


def test_each_start_numbers_from_one_under_its_own_id(spool):
    first = spool()
    happen(first, 3)
    first.done(entry.n for entry in first.batch(0, 2))
    first.commit()
    second = spool()
    happen(second, 2)
    assert numbers(second) == [(first.id, 3), (second.id, 1), (second.id, 2)]
    assert first.id != second.id


def test_nothing_is_sent_before_it_is_on_disk(spool):
    one = spool()
    one.put("a", "event", {})
    assert one.batch(0, 9) == []
    one.commit()
    assert seqs(one) == [1]


def test_a_wrong_clock_changes_no_order(tmp_path):
    years = iter(["2026", "2282", "1970", "2026"])
    with closing(Spool(tmp_path, MANY, clock=lambda: next(years))) as one:
        happen(one, 4)
        told = [json.loads(entry.payload) for entry in one.batch(0, 9)]
    assert [(one["seq"], one["at"]) for one in told] == [
        *((1, "2026"), (2, "2282"), (3, "1970"), (4, "2026"))
    ]


def test_each_exhibit_counts_for_itself(spool):
    one = spool()
    happen(one, 2, "a")
    happen(one, 1, "b")
    assert [(entry.exhibit, json.loads(entry.payload)["seq"]) for entry in one.batch(0, 9)] == [
        ("a", 1),
        ("a", 2),
        ("b", 1),
    ]


def test_the_oldest_are_dropped_and_counted(spool, caplog):
    one = spool(most=100)
    happen(one, 250)
    assert seqs(one) == [*range(152, 251)] and one.dropped == 151
    assert "dropped the 151 oldest, 151 in all" in caplog.text


def test_a_full_disk_loses_nothing(spool, caplog):
    one = spool()
    happen(one, 10)
    fill(one)
    assert not one.commit()
    assert [message for message in caplog.messages if "Make room" in message] == caplog.messages
    one.put("a", "event", {"what": "more"})
    assert not one.commit()
    assert seqs(one) == [*range(1, 13)]
    one.done([entry.n for entry in one.batch(0, 11)])
    make_room(one)
    assert "again" in caplog.text
    assert seqs(one) == [12]
    happen(one, 1)
    assert seqs(spool()) == [12, 13]


def test_room_is_noticed_even_if_nothing_is_left_to_write(spool, caplog):
    one = spool()
    fill(one)
    one.done([entry.n for entry in one.batch(0, 9)])
    make_room(one)
    assert "again" in caplog.text and len(one) == 0


def test_a_disk_that_fails_and_has_written_after_all_gives_nothing_twice(spool, monkeypatch):
    """SQLite reports a failure when the events are on disk."""
    one = spool()
    happen(one, 2)
    real = one._write

    def write():
        real()
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(one, "_write", write)
    assert not happen(one, 1)
    monkeypatch.setattr(one, "_write", real)
    assert one.commit()
    assert seqs(one) == [1, 2, 3] and len(one) == 3


@pytest.mark.parametrize("running", [False, True])
def test_broken_file_is_set_aside(spool, tmp_path, caplog, running):
    one = spool()
    happen(one, 500)
    one._db.execute("pragma wal_checkpoint(truncate)")
    if not running:
        one.close()
    (tmp_path / FILE).write_text("no database, but a text of some length\n" * 1000)
    if running:
        one._db.execute("pragma cache_size = 0")
        one._db.execute("pragma shrink_memory")
    else:
        one = Spool(tmp_path, MANY)
    happen(one, 1)
    assert one.commit()
    (said,) = caplog.messages
    assert "is broken" in said
    assert seqs(one) == [501 if running else 1] and len(one) == 1
    assert len(list(tmp_path.glob("fleet-broken-*.sqlite"))) == 1
    if not running:
        one.close()


def test_two_bridges_do_not_share_a_folder(spool, tmp_path):
    spool()
    with pytest.raises(UserError, match="another `nimatron fleet` uses"):
        Spool(tmp_path, MANY)


def test_a_folder_that_cannot_be_used_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="cannot keep events in"):
        Spool(tmp_path / "file", MANY)


def test_kill_keeps_committed_events(spool, tmp_path):
    one = spool()
    happen(one, 3)
    one.put("a", "event", {})
    copy = sqlite3.connect(f"file:{tmp_path / FILE}?mode=ro", uri=True)
    assert copy.execute("select count(*) from spool").fetchone() == (3,)
    copy.close()
