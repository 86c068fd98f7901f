"""A hall, a real Mosquitto and a bridge, all of which fail: each event arrives, once."""

import json

import pytest

from hall import Hall
from mosquitto import until
from nimatron_host.fleet import topics


@pytest.fixture
def hall():
    with Hall(2) as hall:
        yield hall


def all_arrived(hall, reader):
    """Each number has come, up to the last; and they are the events that were sent."""
    return all(
        reader.events(exhibit) == hall.said(number) for number, exhibit in enumerate(hall.ids(), 1)
    )


def on_disk(hall, bridge, answers=0):
    sent = sum(len(hall.said(number)) for number in range(1, len(hall.stands) + 1))
    return bridge.numbered() == sent + answers


def test_broker_and_bridge_are_killed_and_cables_pulled(hall, mosquitto, reader, bridge):
    broker = mosquitto()
    watching = reader(broker.port)
    broker.remember(watching.CLIENT)
    one, other = hall.ids()
    bridging = bridge("--mqtt", f"mqtt://127.0.0.1:{broker.port}", *hall.words())
    until(lambda: watching.online(one) and watching.online(other), "both are online")
    hall.visit(1, 2)
    until(lambda: all_arrived(hall, watching), "two visits")

    broker.kill()
    hall.visit(1)
    until(lambda: on_disk(hall, bridging), "what happens meanwhile is on disk")
    bridging.kill()
    hall.visit(2)  # nobody sees it, but the exhibit counts it
    before = len(hall.said(1)), len(hall.said(2))
    bridging.start()
    until(lambda: "hall-1: Nim" in bridging.said.rpartition("waits")[2], "it is back")
    until(lambda: hall.attached(), "both cables are read again")
    hall.pull(1)
    hall.plug(1)
    until(lambda: hall.attached(), "the cable is in again")
    hall.visit(1, 2)
    assert (len(hall.said(1)), len(hall.said(2))) > before
    until(lambda: on_disk(hall, bridging), "what happens meanwhile is on disk")

    broker.start()
    until(lambda: all_arrived(hall, watching), "all visits")
    for number, exhibit in enumerate((one, other), 1):
        seqs = [told["seq"] for _, told in watching.numbered(exhibit)]
        assert seqs == [*range(1, len(seqs) + 1)]
        games = int(hall.told(number, "stats")["games"])
        assert games == 3
        until(
            lambda exhibit=exhibit, games=games: watching.of("stats", exhibit)["games"] == games,
            "the exhibit's own count",
        )
    assert bridging.end() == 0
    until(lambda: watching.of("bridge", bridging.NAME) == topics.OFFLINE, "it says good-bye")
    assert json.loads(watching.latest[f"homeassistant/device/nimatron-{one}/config"])
