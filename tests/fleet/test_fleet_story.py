"""A hall, a real Mosquitto and a bridge, which all fail. Each event still arrives, once."""

import json
import random

import pytest

from mosquitto import until
from nimatron_host.fleet import topics


@pytest.fixture
def bridging(hall, watched, bridge):
    """Return a bridge of the hall, whose exhibits are online."""
    broker, watching = watched
    running = bridge("--mqtt", f"mqtt://127.0.0.1:{broker.port}", *hall.words())
    until(lambda: all(map(watching.online, hall.ids())), "all are online")
    return running


def on_disk(hall, bridging, watching):
    return len(bridging.kept() | watching.numbers()) == hall.all_said()


def counted(hall, watching):
    """Return the exhibits' own counts, when the broker has them."""
    games = [int(hall.told(stand.number, "stats")["games"]) for stand in hall.stands]
    until(lambda: [watching.of("stats", e)["games"] for e in hall.ids()] == games, "their counts")
    return games


def test_broker_and_bridge_are_killed_and_cables_pulled(hall, watched, bridging):
    broker, watching = watched
    hall.visit(1, 2)
    until(lambda: hall.arrived(watching), "two visits")
    broker.kill()
    hall.visit(1)
    until(lambda: on_disk(hall, bridging, watching), "what happens is on disk")
    bridging.kill()
    until(hall.unread, "it is dead")
    hall.visit(2)  # no bridge reads it, but the exhibit counts it
    bridging.start()
    until(lambda: "hall-1: Nim" in bridging.said.rpartition("waits")[2], "it is back")
    until(hall.attached, "both cables are read again")
    hall.pull(1)
    hall.plug(1)
    until(hall.attached, "the cable is in again")
    hall.visit(1, 2)
    until(lambda: on_disk(hall, bridging, watching), "what happens is on disk")
    broker.start()
    until(lambda: hall.arrived(watching), "all visits")
    assert all(map(watching.without_gaps, hall.ids()))
    assert counted(hall, watching) == [3, 3]
    assert bridging.end() == 0
    until(lambda: watching.of("bridge", bridging.NAME) == topics.OFFLINE, "it says good-bye")
    assert json.loads(watching.latest[f"homeassistant/device/nimatron-{hall.ids()[0]}/config"])


def test_a_bridge_killed_while_it_sends_repeats_the_same_numbers(hall, watched, bridging):
    broker, watching = watched
    broker.kill()
    for _ in range(20):
        hall.visit(1, 2)
    until(lambda: on_disk(hall, bridging, watching), "all of it is on disk")
    broker.start()
    for more in (20, 150, 350):
        heard = len(watching.heard) + more
        until(lambda heard=heard: len(watching.heard) > heard, "it sends")
        bridging.kill()
        bridging.start()
    until(lambda: hall.arrived(watching), "all visits")


@pytest.mark.long("a minute")
@pytest.mark.parametrize("hall", [12], indirect=True)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_day_on_which_everything_fails(hall, watched, bridging, seed):
    chance = random.Random(seed)
    broker, watching = watched
    up = True
    for trouble in chance.sample(["broker"] * 6 + ["bridge"] * 2 + ["cable"] * 30, k=38):
        hall.visit(*chance.sample(range(1, 13), 3))
        if trouble == "cable":
            number = chance.randint(1, 12)
            hall.pull(number)
            hall.visit(number)
            hall.plug(number)
            continue
        until(lambda: on_disk(hall, bridging, watching), "what was heard is on disk")
        if trouble == "bridge":
            bridging.kill()
            until(hall.unread, "it is dead")
            hall.visit(chance.randint(1, 12))
            bridging.start()
            until(hall.attached, "all cables are read again")
        elif up:  # Mosquitto would lose messages that it has confirmed but not passed on
            until(lambda: hall.arrived(watching), "all visits until now")
            broker.remember(watching.CLIENT)
            broker.kill()
            up = False
        else:
            broker.start()
            up = True
    if not up:
        broker.start()
    until(lambda: hall.arrived(watching), "all visits that a bridge could hear")
    counted(hall, watching)
