"""A hall, a real Mosquitto and a bridge, all of which fail: each event arrives, once."""

import json
import random

import pytest

from hall import Hall
from mosquitto import until
from nimatron_host.fleet import topics
from nimatron_host.fleet.overview import Overview


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
    until(hall.unread, "it is dead")
    hall.visit(2)  # nobody sees it, but the exhibit counts it
    before = len(hall.said(1)), len(hall.said(2))
    bridging.start()
    until(lambda: "hall-1: Nim" in bridging.said.rpartition("waits")[2], "it is back")
    until(hall.attached, "both cables are read again")
    hall.pull(1)
    hall.plug(1)
    until(hall.attached, "the cable is in again")
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


def test_the_bridge_is_killed_while_it_sends(hall, mosquitto, reader, bridge):
    """What it has sent but not crossed off comes twice, with the same numbers."""
    broker = mosquitto()
    watching = reader(broker.port)
    broker.remember(watching.CLIENT)
    bridging = bridge("--mqtt", f"mqtt://127.0.0.1:{broker.port}", *hall.words())
    until(lambda: all(map(watching.online, hall.ids())), "both are online")
    broker.kill()
    for _ in range(20):
        hall.visit(1, 2)
    until(lambda: on_disk(hall, bridging), "all of it is on disk")
    broker.start()
    for more in (20, 150, 350):
        heard = len(watching.heard) + more
        until(lambda heard=heard: len(watching.heard) > heard, "it sends")
        bridging.kill()
        bridging.start()
    until(lambda: all_arrived(hall, watching), "all visits")


@pytest.mark.long("a minute")
@pytest.mark.parametrize("seed", [1, 2])
def test_a_day_on_which_everything_fails(mosquitto, reader, bridge, seed):
    chance = random.Random(seed)
    broker = mosquitto()
    watching = reader(broker.port)
    broker.remember(watching.CLIENT)
    with Hall(12) as hall:
        bridging = bridge("--mqtt", f"mqtt://127.0.0.1:{broker.port}", *hall.words())
        until(lambda: all(map(watching.online, hall.ids())), "all are online")
        up = True
        for trouble in chance.sample(["broker"] * 6 + ["bridge"] * 2 + ["cable"] * 30, k=38):
            hall.visit(*chance.sample(range(1, 13), 3))
            if trouble == "cable":
                number = chance.randint(1, 12)
                hall.pull(number)
                hall.visit(number)
                hall.plug(number)
                continue
            until(lambda: on_disk(hall, bridging), "what was heard is on disk")
            if trouble == "bridge":
                bridging.kill()
                until(hall.unread, "it is dead")
                hall.visit(chance.randint(1, 12))
                bridging.start()
                until(hall.attached, "all cables are read again")
            elif up:  # what Mosquitto has confirmed but not passed on, it would lose
                until(lambda: all_arrived(hall, watching), "all visits until now")
                broker.remember(watching.CLIENT)
                broker.kill()
                up = False
            else:
                broker.start()
                up = True
        if not up:
            broker.start()
        until(lambda: all_arrived(hall, watching), "all visits that a bridge could hear")
        for number, exhibit in enumerate(hall.ids(), 1):
            games = int(hall.told(number, "stats")["games"])
            until(
                lambda exhibit=exhibit, games=games: (
                    watching.of("stats", exhibit)["games"] == games
                ),
                "the exhibit's own count, of all visits",
            )


HALL, VISITS, IDLE_MIN = 100, 3, 60


@pytest.mark.long("five minutes: an hour of 100 Picos, and 400 visits to them")
@pytest.mark.timeout(3600)
def test_a_day_of_a_hundred_exhibits(mosquitto, reader, bridge):
    """Three broker restarts, two bridge kills and a hundred pulled cables, in any order; at the
    end, each match is counted once."""
    chance = random.Random(21)
    broker = mosquitto()
    watching = reader(broker.port)
    everybody = range(1, HALL + 1)
    with Hall(HALL) as hall:
        bridging = bridge("--mqtt", f"mqtt://127.0.0.1:{broker.port}", *hall.words())
        until(
            lambda: all(watching.of("stats", exhibit) for exhibit in hall.ids()), "all are there"
        )
        visits = 0
        troubles = ["broker"] * 3 + ["bridge"] * 2 + ["cable"] * 100
        idle = iter([*everybody, *[None] * len(troubles)])
        for trouble in chance.sample(troubles, k=len(troubles)):
            if number := next(idle):
                hall.wait(number, IDLE_MIN)
            hall.visit(*chance.choices(everybody, k=VISITS))
            visits += VISITS
            number = chance.choice(everybody)
            if trouble == "broker":
                broker.end()
                hall.visit(*chance.choices(everybody, k=VISITS))
                visits += VISITS
                broker.start()
                continue
            if trouble == "cable":
                hall.pull(number)
            else:
                until(lambda: on_disk(hall, bridging), "what was heard is on disk")
                bridging.kill()
                until(hall.unread, "it is dead")
            if chance.random() < 0.5:
                hall.visit(number)  # heard by nobody
                visits += 1
            if trouble == "cable":
                hall.plug(number)
            else:
                bridging.start()
            until(hall.attached, "all cables are read again", 300)
        until(lambda: all_arrived(hall, watching), "all events that a bridge could hear", 300)
        until(lambda: on_disk(hall, bridging), "no number was given twice")
        games = [int(hall.told(number, "stats")["games"]) for number in everybody]
        assert sum(games) == visits and hall.unheard > 10
        until(
            lambda: [watching.of("stats", exhibit)["games"] for exhibit in hall.ids()] == games,
            "each exhibit's own count",
        )
        ended = [
            what
            for exhibit in hall.ids()
            for what, _ in watching.events(exhibit)
            if what in ("over", "abandoned")
        ]
        assert len(ended) == visits - hall.unheard
        overview = Overview()
        for topic, text in watching.heard:
            overview.take(topic, text.encode())
        rows = overview.report()["exhibits"]
        assert sum(row["matches"] for row in rows) == visits
        assert sum(row["today"] for row in rows) == visits
        assert watching.of("figures", bridging.NAME)["dropped"] == 0
        print(f"{visits} visits, {len(watching.heard)} messages, {watching.twice} of them twice")
