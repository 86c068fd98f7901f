"""The record of the matches, in a database that may be full, locked or gone."""

import asyncio
import json
import sqlite3
import threading
from datetime import datetime

import pytest

from nimatron_host.cli import main
from nimatron_host.kiosk import matches
from nimatron_host.kiosk.matches import COLUMNS, Match, Matches, opened
from served_kiosk import until

NOW = datetime(2026, 11, 22, 15, 0)  # a Sunday


def match(ended, winner="machine", **more):
    known = {"seconds": 90, "game": "nim", "level": "fair", "rule": "misere", "moves": 6}
    return Match(ended=ended, winner=winner, **(known | more))


def counts(people=0, machine=0, together=0, abandoned=0):
    return {"people": people, "machine": machine, "together": together, "abandoned": abandoned}


@pytest.fixture
def kept(tmp_path):
    kept = Matches(tmp_path / "deep" / matches.FILE, now=lambda: NOW)
    yield kept
    kept.close()


def test_figures_of_today_this_week_and_all_time(kept):
    for ended, winner in (
        ("2026-11-22T00:00:00", "player"),
        ("2026-11-22T14:59:59", "machine"),
        ("2026-11-22T14:01:00", "abandoned"),
        ("2026-11-16T00:00:00", "player-2"),  # Monday
        ("2026-11-15T23:59:59", "machine"),
        ("2025-11-22T12:00:00", "player"),
    ):
        two = {"players": 2, "level": "child"} if "-" in winner else {}
        kept.add(match(ended, winner, **two))
    kept.note("reset", "power")
    kept.note("reset", "power")
    kept.note("failed", "sounder")
    told = kept.figures()
    assert told["today"]["total"] == counts(people=1, machine=1, abandoned=1)
    assert told["week"]["total"] == counts(people=1, machine=1, together=1, abandoned=1)
    assert told["all"]["total"] == counts(people=2, machine=2, together=1, abandoned=1)
    assert [row["of"] for row in told["all"]["level"]] == ["fair"]
    assert told["all"]["game"] == [{"of": "nim"} | told["all"]["total"]]
    assert told["all"]["minutes"] == 9
    assert [(row["of"], row["machine"]) for row in told["today"]["hour"]] == [(0, 0), (14, 1)]
    assert [row["of"] for row in told["week"]["day"]] == ["2026-11-16", "2026-11-22"]
    assert told["week"]["events"] == [
        {"what": "reset", "detail": "power", "count": 2},
        {"what": "failed", "detail": "sounder", "count": 1},
    ]


def test_today_goes_on_after_a_restart_and_ends_at_midnight(tmp_path):
    now = NOW

    def start():
        kept = Matches(tmp_path / matches.FILE, now=lambda: now)
        kept.open()
        return kept

    kept = start()
    kept.add(match("2026-11-22T10:00:00", "player"))
    kept.add(match("2026-11-22T10:00:00", "abandoned"))
    kept.add(match("2026-11-22T10:00:00", "player-1", players=2))
    kept.close()
    kept = start()
    kept.add(match("2026-11-22T15:00:00"))
    assert kept.today == {"played": 2, "won": 1}
    now = datetime(2026, 11, 23, 0, 0)
    assert kept.today == {"played": 0, "won": 0}
    kept.close()


def test_a_file_that_is_locked_is_said_once_and_nothing_waits(kept, caplog, monkeypatch):
    monkeypatch.setattr(matches, "_WAIT_S", 0.01)
    kept.add(match("2026-11-22T10:00:00"))
    assert kept.figures()
    with opened(kept._path) as base:
        base.execute("begin immediate")
        for _ in range(3):
            kept.add(match("2026-11-22T11:00:00"))
        kept._writer.submit(int).result()
        assert kept.broken and kept.today["played"] == 4
    kept.add(match("2026-11-22T12:00:00"))
    assert kept.figures()["all"]["total"]["machine"] == 2
    assert not kept.broken
    said = [record.getMessage() for record in caplog.records]
    assert len(said) == 2 and "database is locked" in said[0] and "again" in said[1]


@pytest.mark.parametrize("failure", ["database or disk is full", "disk I/O error"])
def test_a_full_disk_is_said_once(kept, failure, caplog, monkeypatch):
    def full(*_):
        raise sqlite3.OperationalError(failure)

    monkeypatch.setattr(matches, "opened", full)
    for _ in range(3):
        kept.add(match("2026-11-22T11:00:00"))
    assert kept.figures() == {} and kept.rows() == []
    assert [failure in record.getMessage() for record in caplog.records] == [True]
    assert kept.today == {"played": 3, "won": 0}


def test_a_file_that_is_no_database_stops_nobody(tmp_path, caplog):
    (tmp_path / matches.FILE).write_text("not a database, but long enough to look like one" * 30)
    kept = Matches(tmp_path / matches.FILE)
    kept.open()
    kept.add(match("2026-11-22T11:00:00"))
    assert kept.figures() == {}
    kept.close()
    assert "matches are not being kept" in caplog.text


async def test_the_kiosk_keeps_what_is_played(open_house, tmp_path):
    kept = Matches(tmp_path / matches.FILE)
    house = await open_house(matches=kept)
    for line in (
        "ok game=nim rule=misere level=fair state=player rows=1,1,0,0 picked=0,0,0,0",
        "event move by=player row=1 take=1 rows=0,1,0,0",
        "event move by=machine row=2 take=1 rows=0,0,0,0",
        "event state=verdict",
        "event over winner=player",
        "event boot version=1 mode=exhibit why=watchdog",
        "event over winner=player",  # without a move, this is not a match
        "event state=player",
        "ok level=easy saved=1",
        "ok game=nim rule=misere level=fair state=player rows=1,1,0,0 picked=0 players=2",
        "event move by=player-1 row=1 take=1 rows=0,1,0,0",
        "event move by=player-2 row=2 take=1 rows=0,0,0,0",
        "event over winner=player-1",
    ):
        house.session.record({"console": line})
    await until(lambda: house.machine.playing.resets == 1)
    told = await asyncio.to_thread(kept.figures)
    assert told["all"]["events"] == [{"what": "reset", "detail": "watchdog", "count": 1}]
    (ended, seconds, *row), (*_, people, _) = await asyncio.to_thread(kept.rows)
    assert row == ["nim", "fair", "misere", "player", 2, 1, ""] and seconds == 0
    with opened(kept._path) as base:
        stored = base.execute("select ended, level, players from matches").fetchall()
    assert stored[0] == (ended, "fair", 1) and stored[1][1:] == ("", people) == ("", 2)
    assert datetime.fromisoformat(ended).tzinfo


def test_what_earlier_versions_kept_is_completed(kept):
    """They omitted the time zone, and gave a level to matches between people."""
    kept.add(match("2026-11-22T10:00:00", "player"))
    kept.add(match("2026-11-22T11:00:00", "player-1", players=2))
    one, two = (Match(*row) for row in kept.rows())
    for row, hour in ((one, 10), (two, 11)):
        ended = datetime.fromisoformat(row.ended)
        assert ended.tzinfo and ended.replace(tzinfo=None) == datetime(2026, 11, 22, hour)
    assert (one.level, two.level) == ("fair", "")


def test_nobody_waits_for_the_disk(kept, monkeypatch):
    """The writing thread may hang, but `add` returns."""
    released = threading.Event()
    monkeypatch.setattr(matches, "opened", lambda _: released.wait(30))
    for _ in range(100):
        kept.add(match("2026-11-22T11:00:00"))
    assert kept.today["played"] == 100
    monkeypatch.undo()
    released.set()


# ---------------------------------------------------------------------- the command


def test_matches_are_printed(tmp_path, capsys):
    kept = Matches(tmp_path / matches.FILE)
    kept.add(match("2026-11-22T10:00:00+01:00", "player", language="es"))
    kept.close()
    assert main(["matches", "--state", str(tmp_path), "--csv"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        ",".join(COLUMNS),
        "2026-11-22T10:00:00+01:00,90,nim,fair,misere,player,6,1,es",
    ]
    assert main(["matches", "--state", str(tmp_path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["winner"] == "player"
    assert main(["matches", "--state", str(tmp_path)]) == 0
    assert "ended" in capsys.readouterr().out
    assert main(["matches", "--state", str(tmp_path / "none")]) == 1
    assert "no matches are kept in" in capsys.readouterr().err
    assert not (tmp_path / "none").exists()


def test_nobody_else_on_the_computer_can_read_them(kept):
    kept.open()
    kept.add(match("2026-11-22T12:00:00"))
    kept.close()
    (path,) = [p for p in kept._path.parent.iterdir() if p.name == matches.FILE]
    assert path.stat().st_mode & 0o777 == 0o600
