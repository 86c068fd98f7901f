"""The disk is full, or the spool: how many events there were before and after, with a real
Mosquitto."""

import itertools
import resource

import pytest

from mosquitto import until


def limit(running, size):
    """Let the bridge write no file larger than this."""
    resource.prlimit(running.process.pid, resource.RLIMIT_FSIZE, (size, -1))


@pytest.mark.long("5 s")
def test_a_full_disk_loses_no_event(hall, watched, bridge):
    broker, watching = watched
    running = bridge("--mqtt", f"mqtt://127.0.0.1:{broker.port}", *hall.words())
    until(hall.attached, "both are there")
    hall.visit(1, 2)
    until(lambda: hall.arrived(watching), "the first visits")
    broker.kill()
    limit(running, 64 * 1024)
    for _ in range(60):
        hall.visit(1, 2)
        if "stay in memory" in running.said:
            break
    else:
        pytest.fail("the disk is never full")
    hall.visit(1, 2)
    broker.start()
    until(lambda: hall.arrived(watching), "what was on disk, and what is in memory")
    hall.visit(1, 2)
    until(lambda: hall.arrived(watching), "visits while it is full")
    limit(running, -1)
    until(lambda: "are kept in" in running.said, "there is room again")
    hall.visit(1, 2)
    until(lambda: hall.arrived(watching), "visits after that")
    assert running.end() == 0
    running.start()
    until(hall.attached, "a restart")
    hall.visit(1)
    until(lambda: hall.arrived(watching), "and events go on")
    assert all(map(watching.without_gaps, hall.ids()))
    assert watching.of("figures", running.NAME)["dropped"] == 0


def test_dropped_events_are_logged_and_counted(hall, watched, bridge):
    broker, watching = watched
    running = bridge("--mqtt", f"mqtt://127.0.0.1:{broker.port}", "--keep", "100", *hall.words())
    until(hall.attached, "both are there")
    hall.visit(1, 2)
    until(lambda: hall.arrived(watching), "the first visits")
    before = hall.all_said()
    broker.kill()
    while hall.all_said() < before + 250:
        hall.visit(1, 2)
    last = {exhibit: len(hall.said(n)) for n, exhibit in enumerate(hall.ids(), 1)}
    until(lambda: last.items() <= {(e, n) for e, _, n in running.kept()}, "the newest are on disk")
    broker.start()
    until(lambda: all(watching.seqs(e)[-1] == seq for e, seq in last.items()), "the newest ones")
    arrived = sum(len(watching.events(exhibit)) for exhibit in hall.ids())
    dropped = until(lambda: watching.of("figures", running.NAME)["dropped"], "it is counted")
    assert arrived + dropped == hall.all_said() and arrived <= before + 100
    assert f", {dropped} in all" in running.said
    seqs = map(watching.seqs, hall.ids())
    gaps = sum(b - a - 1 for one in seqs for a, b in itertools.pairwise(one))
    assert gaps == dropped  # so a reader also sees it
