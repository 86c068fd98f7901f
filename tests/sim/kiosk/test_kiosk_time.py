"""How long a match may last while others wait, with a simulated Pico; the tests have the clock."""

from types import SimpleNamespace

import pytest
from test_kiosk_visit import phones

from nimatron_sim.ui.kiosk import kiosk, owner, pages, visit
from nimatron_sim.ui.kiosk.visit import Visit

ENDS = ["seat.ends", {"count": 30}]


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    stopped = SimpleNamespace(now=1000.0, monotonic=lambda: stopped.now)
    monkeypatch.setattr(owner, "time", stopped)
    monkeypatch.setattr(visit, "time", stopped)
    monkeypatch.setattr(kiosk, "_SECOND", 0.02)
    monkeypatch.setattr("nimatron_sim.ui.kiosk.peer.BEAT_S", 0.1)
    monkeypatch.setattr("nimatron_sim.ui.kiosk.visitor._NOTICE_S", 0)
    return stopped


async def sit(*seated):
    for phone in seated:
        await phone.until(lambda now: now.get("games"))
        await phone.send(seat="take")
        await phone.until(lambda now: now["seat"] or now["place"])


async def beats(phone):
    """Wait until the server has looked at the clock."""
    await phone.until(lambda now, beat=phone.state["beat"]: now["beat"] > beat + 2)


async def picks(phone, number):
    await phone.tap("row1")
    await phone.until(lambda now: bin(now["picked"]).count("1") == number)


def test_while_somebody_waits_a_match_has_three_minutes(serve, clock, monkeypatch):
    """However busily those two play; nobody is in a hurry while nobody waits."""
    monkeypatch.setattr(visit, "_SLOW_S", 10_000)
    monkeypatch.setattr(visit, "_ASLEEP_S", 10_000)

    async def story(one, two, three, _):
        await sit(one, two)
        await one.is_at("opening", people=2, waits=False)
        await picks(one, 1)
        clock.now += 500
        await beats(one)
        await sit(three)
        clock.now += 149
        await beats(one)
        assert one.state["seat"] == 1 and one.advice() != ENDS
        await picks(one, 2)
        clock.now += 1
        for phone in (one, two):
            await phone.until(lambda now: now["advice"] == [ENDS])
        clock.now += 29
        await beats(one)
        assert one.state["seat"] == 1 and bin(one.state["picked"]).count("1") == 2
        clock.now += 1
        await one.is_at("opening", seat=None, people=2)
        await three.is_at("opening", seat=1, people=2, waits=False)
        await two.is_at("opening", seat=2, seats=[1, 2])
        clock.now += 500  # nobody waits
        await beats(two)
        assert two.state["seat"] == 2

    phones(serve(), story, 3)


def test_two_play_each_other_whatever_the_machine_said_before(monkeypatch):
    """How many play, asked for before the second sat down, comes after that."""
    typed = []
    seats = Visit(lambda line, answered: typed.append((line, answered)), dict)
    both = [pages.Page(True, SimpleNamespace(tell=lambda *notice: None)) for _ in range(2)]
    for page in both:
        seats.sit(page)
    [(line, answered)] = typed
    assert line == "choose players 2"
    seats.hear("ok state=attract picked=0 players=1")
    answered("ok")
    seats.hear("event state=opening")
    seats.hear("ok state=opening picked=0 players=2")
    for page in both:
        page.viewer = None
    monkeypatch.setattr(pages, "_CUT_S", 0.0)
    assert seats.keep_time() and typed[-1][0] == "choose players 1"


def test_when_both_players_have_gone_the_machine_plays_again(serve, monkeypatch):
    async def story(one, two, three, _):
        await sit(one, two)
        await three.is_at("opening", people=2, waits=True)
        await one.line.close()
        await two.line.close()
        monkeypatch.setattr(pages, "_MISSED_S", 0.0)
        monkeypatch.setattr(pages, "_CUT_S", 0.0)
        await three.is_at("opening", people=1, seats=[], waits=False)
        await picks(three, 1)
        await three.tap("go")
        await three.until(lambda now: len(now["match"]) == 2)
        assert three.state["match"][1]["by"] == "machine"

    phones(serve(), story, 3)


def test_whoever_sits_alone_gets_the_machine_in_three_minutes(serve, clock, monkeypatch):
    """Even if somebody touches the lamps for ever."""
    monkeypatch.setattr(owner, "STILL_S", 10_000)
    monkeypatch.setattr(owner, "_MOVE_S", 10_000)

    async def story(player, other, _):
        await player.until(lambda now: now.get("games"))
        await player.tap("go")
        await player.is_at("opening")
        await picks(player, 1)
        await sit(other)
        await other.is_at("player", seat=1, waits=True)
        await other.until(lambda now: now["advice"] == [["seat.soon", {}]])
        await beats(other)
        clock.now += 150
        await player.until(lambda now: now["advice"] == [ENDS])
        assert player.state["picked"] and not player.state["waits"]
        clock.now += 30
        await other.is_at("opening", waits=False)
        await player.is_at("opening", waits=True)
        await picks(other, 1)

    phones(serve(), story, 2)
