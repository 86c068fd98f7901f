"""Updates of a hall, in virtual time; and that a bridge lends its port to the deploy."""

import asyncio
from datetime import datetime, time, timedelta

import pytest

from hall import Hall
from mosquitto import bridging, until
from nimatron import VERSION
from nimatron_host.device.link import SerialLink
from nimatron_host.fleet import bridge as bridges
from nimatron_host.fleet import updates
from nimatron_host.fleet.updates import Updates
from nimatron_sim.errors import UserError

OLD = "0.1.0"


class House:
    """Exhibits with old firmware, a clock that stands still unless somebody sleeps, and what
    happened when. happens: {minutes after closing time: what to do then}."""

    def __init__(self, *names):
        self.now = datetime(2026, 11, 22, 9, 0)
        self.has = dict.fromkeys(names, OLD)
        self.starts = dict.fromkeys(names, 1)
        self.fails = set()
        self.dark = set()
        self.done = []
        self.happens = {}
        self.updates = Updates(self, time(18, 30), lambda: self.now, self._sleep)
        self.updates.wanted = VERSION

    async def _sleep(self, seconds):
        if self.now >= self._end:
            raise asyncio.CancelledError
        self.now += timedelta(seconds=seconds)
        for minutes in sorted(self.happens):
            if self.now >= datetime(2026, 11, 22, 18, 30) + timedelta(minutes=minutes):
                self.happens.pop(minutes)()

    def versions(self):
        return self.has

    def runs(self, exhibit):
        return None if exhibit in self.dark else self.starts[exhibit]

    async def update(self, exhibit):
        self.done.append((exhibit, self.now.strftime("%d. %H:%M")))
        if exhibit in self.fails:
            return False
        self.has[exhibit] = VERSION
        return True

    def live(self, hours):
        self._end = self.now + timedelta(hours=hours)
        with pytest.raises(asyncio.CancelledError):
            asyncio.run(self.updates.run())


def test_one_exhibit_goes_first_and_the_others_after_it_has_shown_for_an_hour():
    house = House("a", "b", "c")
    house.live(24)
    assert house.done == [("a", "22. 18:30"), ("b", "22. 19:31"), ("c", "22. 19:31")]
    assert set(house.has.values()) == {VERSION}
    house.live(72)
    assert len(house.done) == 3  # nothing is left to do


@pytest.mark.parametrize("minutes", [2, 59])
@pytest.mark.parametrize("what", ["dark", "blinks", "restart"])
def test_if_the_first_one_does_not_show_the_others_keep_what_they_have(minutes, what, caplog):
    house = House("a", "b")

    def restart():
        house.starts["a"] += 1

    if what == "blinks":
        house.happens[minutes + 1] = house.dark.clear
    house.happens[minutes] = restart if what == "restart" else lambda: house.dark.add("a")
    house.live(24 * 5)
    assert [name for name, _ in house.done] == ["a"] and house.has["b"] == OLD
    (said,) = [line for line in caplog.messages if "keep what they have" in line]
    assert said.startswith("a does not show")


def test_a_deploy_that_fails_at_first_stops_it_and_later_leaves_one_out():
    house = House("a", "b", "c")
    house.fails = {"a"}
    house.live(24)
    assert [name for name, _ in house.done] == ["a"]
    house = House("a", "b", "c")
    house.fails = {"b"}
    house.live(24)
    assert house.has == {"a": VERSION, "b": OLD, "c": VERSION}


def test_nothing_happens_unless_somebody_wants_just_our_version(caplog):
    house = House("a")
    house.updates.wanted = ""
    house.live(24)
    assert not house.done and not caplog.messages
    house.updates.wanted = "99.0"
    house.live(24)
    assert not house.done and "this bridge has" in caplog.text


def test_whoever_changes_their_mind_in_time_is_heard():
    house = House("a", "b")
    house.happens[30] = lambda: setattr(house.updates, "wanted", "")
    house.live(48)
    assert [name for name, _ in house.done] == ["a"] and house.has["b"] == OLD


@pytest.mark.long("6 s: a broker, a bridge and two deploys")
def test_the_bridge_lends_its_port_to_the_deploy(mosquitto, reader, tmp_path, monkeypatch):
    """The deploy itself is tested in tests/host."""
    broker = mosquitto()
    watching = reader(broker.port)
    deployed, night, back, slept = [], asyncio.Event(), asyncio.Event(), []

    def deploy(port, say):
        with SerialLink(port) as line:  # nobody else reads it now
            assert line.hello()
        deployed.append(port)
        if len(deployed) == 2:
            raise UserError(f"{port}: the flash is worn out; the show is running again")

    async def sleep(seconds):
        slept.append(seconds)
        if len(slept) == 1:
            await night.wait()
        elif seconds == 60:
            await back.wait()
        else:
            await asyncio.Event().wait()  # the next night

    monkeypatch.setattr(bridges, "deploy", deploy)
    monkeypatch.setattr(updates, "VERSION", "9.0")
    monkeypatch.setattr(bridges, "VERSION", "9.0")
    monkeypatch.setattr(Updates, "__init__", _with(sleep))
    with Hall(2) as hall:
        one, other = hall.ids()
        watching.say("release", "the-bridge", text="9.0", retain=True)
        with bridging(broker.port, tmp_path, hall.words(), closing=time(18, 30)) as loop:
            until(lambda: all(map(watching.online, hall.ids())), "both are online")
            assert not deployed
            loop.call_soon_threadsafe(night.set)
            until(lambda: watching.answers(one), "the first one is deployed")
            until(hall.attached, "it is back")
            until(lambda: all(map(watching.online, hall.ids())), "it shows")
            assert len(deployed) == 1
            loop.call_soon_threadsafe(back.set)
            until(lambda: watching.answers(one) and watching.answers(other), "two answers")
            until(lambda: all(map(watching.online, hall.ids())), "both are back")
            until(hall.attached, "their cables are read")
            hall.visit(1, 2)
            until(lambda: watching.events(other) == hall.said(2), "they go on")
    assert deployed == [stand.port for stand in hall.stands]
    (done,), (failed,) = watching.answers(one), watching.answers(other)
    assert (done["asked"], done["ok"]) == ("update 9.0", True)
    assert not failed["ok"] and "worn out" in failed["values"]["text"]


def _with(sleep):
    begin = Updates.__init__

    def __init__(self, exhibits, closing):
        begin(self, exhibits, closing, sleep=sleep)

    return __init__


@pytest.mark.long("3 s")
def test_without_the_option_nobody_is_updated(mosquitto, reader, bridge):
    broker = mosquitto()
    watching = reader(broker.port)
    with Hall(1) as hall:
        running = bridge("--mqtt", f"mqtt://127.0.0.1:{broker.port}", *hall.words())
        watching.say("release", running.NAME, text="9.0\n\x1b", retain=True)
        until(lambda: "allow that with --update-at" in running.said, "a line")
        assert "\x1b" not in running.said


@pytest.mark.parametrize("word", ["25:00", "noon", ""])
def test_closing_time_is_a_time(nimatron, word):
    status, _, complaint = nimatron("fleet", "--mqtt", "local", "--update-at", word)
    assert status == 2 and "is not a time such as 18:30" in complaint
