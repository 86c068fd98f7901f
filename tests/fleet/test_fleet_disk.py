"""A full disk or a full spool, with the number of events before and after, and a real
Mosquitto."""

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
