"""Events on disk: in order, once, bounded, and whatever happens to the disk."""

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
    """[(spool, seq), …]"""
    told = [json.loads(entry.payload) for entry in spool.batch(0, MANY)]
    return [(one["spool"], one["seq"]) for one in told]


def fill(spool):
    """Fill its disk: an event has no room."""
    pages = spool._db.execute("pragma page_count").fetchone()[0]
    spool._db.execute(f"pragma max_page_count = {pages}")
    spool.put("a", "event", {"what": "x" * 5000})
    assert not spool.commit()


def make_room(spool):
    spool._db.execute("pragma max_page_count = 1000000")
    assert spool.commit()


def test_unconfirmed_events_survive_a_restart(spool):
    first = spool()
    happen(first, 5)
    first.done(entry.n for entry in first.batch(0, 2))
    first.commit()
    assert (seqs(spool()), len(spool())) == ([3, 4, 5], 3)


def test_numbers_go_on_where_they_were_even_if_nothing_waits(spool):
    first = spool()
    happen(first, 3)
    first.done(entry.n for entry in first.batch(0, 3))
    first.commit()
    second = spool()
    happen(second, 1)
    assert second.id == first.id and seqs(second) == [4]


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
    assert spool(most=100).dropped == 151


def test_a_full_disk_loses_nothing(spool, caplog):
    one = spool()
    happen(one, 10)
    before = one.id
    fill(one)
    assert not one.commit()
    assert [message for message in caplog.messages if "Make room" in message] == caplog.messages
    one.put("a", "event", {"what": "more"})
    assert not one.commit()
    # The broker may still have them. The events in memory are a separate spool: if this computer
    # stops now, the numbers continue after the last event on disk.
    assert numbers(one) == [(before, n) for n in range(1, 11)] + [(one.id, 1), (one.id, 2)]
    one.done([entry.n for entry in one.batch(0, 11)])
    make_room(one)
    assert "again" in caplog.text
    assert numbers(one) == numbers(spool()) == [(one.id, 2)]
    happen(again := spool(), 1)
    assert numbers(again) == [(one.id, 2), (one.id, 3)]


def test_numbers_of_events_from_memory_are_not_reused(spool, tmp_path):
    """The disk is full until the end. All of it was sent, and nothing is left to write."""
    one = Spool(tmp_path, MANY)
    happen(one, 3)
    before = one.id
    fill(one)
    sent = numbers(one)
    one.done([entry.n for entry in one.batch(0, 9)])
    one._db.close()  # it is killed
    one._lock.release()
    again = spool()
    happen(again, 1)
    assert (before, 4) not in sent and (before, 4) in numbers(again)


def test_room_is_noticed_even_if_nothing_is_left_to_write(spool, caplog):
    one = spool()
    happen(one, 3)
    fill(one)
    one.done([entry.n for entry in one.batch(3, 9)])
    make_room(one)
    assert "again" in caplog.text
    happen(again := spool(), 1)
    assert numbers(again)[3:] == [(one.id, 2)]


def test_a_new_spool_begins_with_one_for_each_exhibit(spool):
    one = spool()
    happen(one, 5, "b")
    fill(one)
    make_room(one)
    happen(again := spool(), 1, "b")
    assert numbers(again)[-1] == (one.id, 1)


def test_a_disk_that_fails_and_has_written_after_all_gives_nothing_twice(spool, monkeypatch):
    """SQLite says that it has failed, when the events are on disk."""
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
    assert [seq for _, seq in numbers(one)] == [1, 2, 1]


@pytest.mark.parametrize("running", [False, True])
def test_broken_file_is_set_aside_and_salvaged(spool, tmp_path, caplog, running):
    one = spool(most=10 * MANY)
    happen(one, 3000)
    number = one.id
    path = tmp_path / FILE
    one._db.execute("pragma wal_checkpoint(truncate)")
    root = one._db.execute("select rootpage from sqlite_master where name = 'seqs'").fetchone()[0]
    if not running:
        one._db.close()
        one._lock.release()
    content = bytearray(path.read_bytes())
    content[(root - 1) * 4096 : root * 4096] = bytes(4096)
    path.write_bytes(content)
    if running:
        one._db.execute("pragma cache_size = 0")
        one._db.execute("pragma shrink_memory")
        happen(one, 1)
        assert one.commit()
    else:
        one = Spool(tmp_path, 10 * MANY)
        one.commit()
    found = [json.loads(entry.payload) for entry in one.batch(0, 10 * MANY)]
    assert [told["seq"] for told in found if told["spool"] == number][:3000] == [*range(1, 3001)]
    assert len(list(tmp_path.glob("fleet-broken-*.sqlite"))) == 1
    (said,) = caplog.messages
    assert "is broken" in said and "3000 events read" in said
    happen(one, 1)
    (last,) = [json.loads(entry.payload) for entry in one.batch(0, 10 * MANY)][-1:]
    assert last["spool"] == one.id != number  # so that no number comes twice
    if not running:
        one.close()


def test_a_file_of_something_else_is_set_aside(tmp_path, caplog):
    (tmp_path / FILE).write_text("no database, but a text of some length\n" * 100)
    one = Spool(tmp_path, MANY)
    assert happen(one, 1) and seqs(one) == [1]
    assert "0 events read" in caplog.text
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
