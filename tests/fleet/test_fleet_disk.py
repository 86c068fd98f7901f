"""The disk is full, the clock is wrong, the spool is at its end: how many events there were before
and after, with a real Mosquitto."""

import itertools
import resource
import subprocess
from datetime import datetime, timedelta, timezone

import pytest

from hall import Hall
from mosquitto import bridging, until

EXHIBITS = (1, 2)


@pytest.fixture
def hall():
    with Hall(len(EXHIBITS)) as hall:
        yield hall


def said(hall):
    return sum(len(hall.said(number)) for number in EXHIBITS)


def all_arrived(hall, watching):
    return all(
        watching.events(exhibit) == hall.said(number)
        for number, exhibit in enumerate(hall.ids(), 1)
    )


def limited(folder):
    """No file may become larger than this; returns what lifts that."""
    size = 64 * 1024

    def full(bridging):
        resource.prlimit(bridging.process.pid, resource.RLIMIT_FSIZE, (size, -1))

    def room(bridging):
        resource.prlimit(bridging.process.pid, resource.RLIMIT_FSIZE, (-1, -1))

    return full, room


def small(folder):
    """A disk of its own, which somebody else fills."""
    where = folder / "state"
    where.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=400k", "none", where], capture_output=True
    )
    if mounted.returncode:
        pytest.skip("this user cannot mount a disk")
    ballast = where / "ballast"

    def full(bridging):
        with ballast.open("wb", buffering=0) as file:
            try:
                while file.write(bytes(4096)):
                    pass
            except OSError as why:
                assert why.errno == 28

    def room(bridging):
        ballast.unlink()

    return full, room


@pytest.fixture(params=[limited, small])
def disk(request, tmp_path):
    yield request.param(tmp_path)
    subprocess.run(["umount", "-l", tmp_path / "state"], capture_output=True)


@pytest.mark.long("5 s each")
def test_a_full_disk_loses_no_event(hall, mosquitto, reader, bridge, disk):
    full, room = disk
    broker = mosquitto()
    watching = reader(broker.port)
    broker.remember(watching.CLIENT)
    running = bridge("--mqtt", f"mqtt://127.0.0.1:{broker.port}", *hall.words())
    until(lambda: all(map(watching.online, hall.ids())), "both are online")
    hall.visit(*EXHIBITS)
    until(lambda: all_arrived(hall, watching), "the first visits")
    broker.kill()
    full(running)
    for _ in range(60):
        hall.visit(*EXHIBITS)
        if "stay in memory" in running.said:
            break
    else:
        pytest.fail("the disk is never full")
    hall.visit(*EXHIBITS)
    broker.start()
    until(lambda: all_arrived(hall, watching), "what was on disk, and what is in memory")
    before = said(hall)
    hall.visit(*EXHIBITS)
    until(lambda: all_arrived(hall, watching), "visits while it is full")
    room(running)
    until(lambda: "are kept in" in running.said, "there is room again")
    hall.visit(*EXHIBITS)
    until(lambda: all_arrived(hall, watching), "visits after that")
    assert said(hall) > before
    assert running.end() == 0
    running.start()
    until(hall.attached, "a restart")
    hall.visit(1)
    until(lambda: all_arrived(hall, watching), "and its numbers go on")
    for exhibit in hall.ids():
        told = [one for _, one in watching.numbered(exhibit)]
        for _, spool in itertools.groupby(told, lambda one: one["spool"]):
            seqs = [one["seq"] for one in spool]
            assert seqs == [*range(1, len(seqs) + 1)]
        assert len({one["spool"] for one in told}) >= 2  # on disk; from memory, and after that
    assert watching.of("figures", running.NAME)["dropped"] == 0


def test_what_the_spool_drops_is_said_and_counted(hall, mosquitto, reader, bridge):
    broker = mosquitto()
    watching = reader(broker.port)
    broker.remember(watching.CLIENT)
    running = bridge("--mqtt", f"mqtt://127.0.0.1:{broker.port}", "--keep", "100", *hall.words())
    until(lambda: all(map(watching.online, hall.ids())), "both are online")
    hall.visit(*EXHIBITS)
    until(lambda: all_arrived(hall, watching), "the first visits")
    before = said(hall)
    broker.kill()
    while said(hall) < before + 250:
        hall.visit(*EXHIBITS)
    until(lambda: running.numbered() == said(hall), "all of it was on disk")
    broker.start()
    last = {exhibit: len(hall.said(n)) for n, exhibit in enumerate(hall.ids(), 1)}
    until(
        lambda: all(
            told and told[-1][1]["seq"] == last[exhibit]
            for exhibit, told in ((e, watching.numbered(e)) for e in hall.ids())
        ),
        "the newest event of each",
    )
    arrived = sum(len(watching.events(exhibit)) for exhibit in hall.ids())
    dropped = until(lambda: watching.of("figures", running.NAME)["dropped"], "it is counted")
    assert arrived + dropped == said(hall) and arrived <= before + 100
    assert f", {dropped} in all" in running.said
    gaps = sum(
        after[1]["seq"] - now[1]["seq"] - 1
        for exhibit in hall.ids()
        for now, after in itertools.pairwise(watching.numbered(exhibit))
    )
    assert gaps == dropped  # so whoever reads along sees it, too


def test_a_wrong_clock_changes_no_order(hall, mosquitto, reader, tmp_path):
    """It jumps into another year with each event, forwards and backwards."""
    told, jumps = [], itertools.cycle([0, 400, -7000, 90000, -400])

    def clock():
        now = datetime(2026, 11, 22, tzinfo=timezone.utc) + timedelta(days=next(jumps))
        told.append(now.isoformat())
        return told[-1]

    broker = mosquitto()
    watching = reader(broker.port)
    broker.remember(watching.CLIENT)
    with bridging(broker.port, tmp_path / "state", hall.words(), clock):
        until(hall.attached, "both are there")
        hall.visit(*EXHIBITS)
        until(lambda: all_arrived(hall, watching), "visits")
        broker.kill()
        hall.visit(*EXHIBITS)
        hall.pull(1)
        hall.plug(1)
        until(hall.attached, "the cable is in again")
        hall.visit(1)
        broker.start()
        until(lambda: all_arrived(hall, watching), "visits while the broker was away")
    arrived = [one for exhibit in hall.ids() for _, one in watching.numbered(exhibit)]
    assert len(arrived) == said(hall) == len(told)
    assert {one["at"] for one in arrived} == set(told)
