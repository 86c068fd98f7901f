"""Picos on USB: found automatically, and known by their own number at each port."""

from types import SimpleNamespace

import pytest

from mosquitto import bridging, until
from nimatron_host.device import link
from nimatron_host.fleet import bridge as bridges
from nimatron_host.fleet import topics


@pytest.mark.parametrize("hall", [3], indirect=True)
def test_picos_are_found_and_known_by_their_own_number(hall, watched, tmp_path, monkeypatch):
    plugged = {}  # the USB sockets of this computer: {port: serial number}
    monkeypatch.setattr(
        link,
        "picos",
        lambda: [
            SimpleNamespace(device=port, serial_number=number, pid=link.MICROPYTHON)
            for port, number in plugged.items()
        ],
    )
    monkeypatch.setattr(bridges, "_LOOK_S", 0.05)
    broker, watching = watched
    one, two, three = hall.ids()
    first, second, third = (stand.port for stand in hall.stands)
    plugged = {first: one.upper(), second: two.upper()}
    with bridging(broker.port, tmp_path / "state"):
        until(lambda: watching.of("stats", one) and watching.of("stats", two), "two are there")
        assert watching.of("state", one)["name"] == one
        plugged = {second: two.upper()}
        until(lambda: not watching.online(one), "its cable is out")
        hall.replug(1)
        moved = hall.stands[0].port
        plugged = {second: two.upper(), moved: one.upper(), third: three.upper()}
        until(lambda: watching.online(one) and watching.online(three), "at another port")
        hall.visit(1)
        until(lambda: watching.of("stats", one)["games"] == 1, "the same exhibit")
        until(lambda: hall.arrived(watching), "and its events go on")
        assert watching.seqs(one) == [*range(1, len(hall.said(1)) + 1)]

        hall.pull(2)  # another Pico takes its port, before the bridge has looked
        hall.pull(3)
        hall.plug(3, where=2)
        plugged = {second: three.upper(), moved: one.upper()}
        until(lambda: not watching.online(two) and watching.online(three), "it is another")
        until(lambda: watching.of("figures", "the-bridge")["exhibits"] == 2, "two ports")
        assert watching.of("state", three)["name"] == three
    assert not any(map(watching.online, (one, two, three)))
    topic = topics.topic("state", three)
    assert [text for there, text in watching.heard if there == topic and two in text] == []
