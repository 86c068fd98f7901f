"""Whose match it is: nobody acts in another's. The machine does what the tests say, and they have
the clock."""

from types import SimpleNamespace

import pytest
from test_kiosk_server import OPERATOR, visit
from test_kiosk_visit import Phone

from nimatron_sim.ui.kiosk import owner, pages
from nimatron_sim.ui.kiosk.tokens import Tokens

PHONE = {"X-Forwarded-For": "192.0.2.7"}  # makes a page one of elsewhere
SETTINGS = "ok games=nim,kayles levels=child,perfect game=nim level=perfect"


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    stopped = SimpleNamespace(now=1000.0, monotonic=lambda: stopped.now)
    monkeypatch.setattr(owner, "time", stopped)
    return stopped


async def look(house, **headers):
    line, first = await house.look(headers=headers)
    phone = Phone(line)
    phone.state = first
    return phone


async def do(phone, **message):
    """Send it, and wait until the server has done it."""
    number = phone.state["done"] + 1
    await phone.send(**message, n=number)
    await phone.until(lambda now: now["done"] == number)


def show(house, state):
    status = f"ok game=nim rule=misere level=fair state={state} rows=3,4,5,0 picked=0,0,0,0"
    house.session.record({"console": f"event state={state}"})
    house.session.record({"console": status})


def done(house):
    """What the pages have had the machine do."""
    asked = ("send status", "send settings", "send level easy", "release")
    return [what for what in house.session.done if not what.startswith(asked)]


async def begin(house):
    """A page that has begun a match, and another one that looks on."""
    house.session.record({"console": SETTINGS})
    house.kiosk.facts.told["settings"] = {"games": "nim,kayles", "levels": "child,perfect"}
    player, other = await look(house), await look(house, **PHONE)
    await do(player, press="go")
    show(house, "opening")
    await player.is_at("opening", waits=False)
    return player, other


def test_nobody_acts_in_anothers_match():
    async def story(house):
        player, other = await begin(house)
        told = [["seat.playing", {"count": 20}], ["seat.offer", {"take": "page.seat.take"}]]
        begun = [["watch.state.opening", {}]]
        await other.is_at("opening", waits=True, doing=begun, advice=told)
        house.session.record({"legends": ["your-move"]})
        show(house, "player")
        await player.is_at("player", waits=False, legends=["your-move"])
        await other.is_at("player", waits=True, doing=[["watch.state.player", {}]], legends=[])
        before = done(house)
        for button in ("row1", "go", "new"):
            await do(other, press=button)
            await do(other, release=button)
        await do(other, touch="0")
        await do(other, game="kayles")
        await do(other, level="child")
        await do(other, lesson="1")
        await do(other, here="1")
        assert done(house) == before
        assert other.state["advice"] == told
        await do(player, press="row1")
        assert done(house) == [*before, "press row1"]

    visit(story)


def test_a_seat_alone_does_not_let_others_in():
    """Nor does it keep out the page that plays."""

    async def story(house):
        player, other = await begin(house)
        await do(player, seat="take")
        await do(other, press="new")
        assert "press new" not in house.session.done
        await do(player, seat="leave")
        await do(other, press="new")
        assert "press new" in house.session.done

    visit(story)


@pytest.mark.parametrize(
    ("state", "free"), [("attract", True), ("verdict", False), ("thinking", False)]
)
def test_a_match_is_its_owners_until_it_is_over(state, free):
    async def story(house):
        _, other = await begin(house)
        show(house, state)
        await do(other, press="go")
        assert (house.session.done.count("press go") == 2) is free

    visit(story)


def test_new_gives_the_match_up():
    """Whoever presses NEW all the time keeps nobody from playing: the next touch counts."""

    async def story(house):
        player, other = await begin(house)
        await do(player, press="new")
        await do(other, press="new")
        await do(other, release="new")
        await do(player, press="row1")
        await do(other, press="new")
        assert done(house)[-3:] == ["press new", "press new", "press row1"]

    visit(story)


def test_whoever_is_still_for_a_while_owns_no_match(clock):
    """Twenty seconds, and then they are asked; using the page counts as playing."""

    async def story(house):
        player, phone = await begin(house)
        wall = await look(house)

        async def asked(newcomer, button, owner):
            await do(newcomer, press=button)
            assert f"press {button}" not in house.session.done
            assert newcomer.advice() == ["seat.wait-a-moment", {}]
            await owner.until(lambda now: now["advice"] == [["seat.wanted", {}]])

        show(house, "player")
        await player.is_at("player")
        clock.now += 5
        await do(player, here="1")
        clock.now += 19.9
        for page in (wall, phone):
            await do(page, press="row2")
        assert "press row2" not in house.session.done
        clock.now += 0.1
        await asked(wall, "row2", player)
        await do(player, here="1")  # they do
        clock.now += 19.9
        await do(wall, press="row2")
        assert wall.advice()[0] == "seat.playing"
        for seconds in (0.1, 3.9):
            clock.now += seconds
            await asked(wall, "row2", player)
        clock.now += 0.1
        await do(wall, press="row2")
        assert "press row2" in house.session.done
        await do(player, press="row3")
        assert "press row3" not in house.session.done
        clock.now += 20
        await asked(phone, "row3", wall)
        clock.now += 4
        await do(phone, press="row3")
        assert "press row3" in house.session.done

    visit(story)


def test_while_the_machine_moves_its_owner_is_not_still(clock):
    async def story(house):
        player, other = await begin(house)
        for state in ("player", "thinking", "machine"):
            show(house, state)
            await player.is_at(state)
        clock.now += 60
        await do(other, press="new")
        show(house, "player")
        await player.is_at("player")
        clock.now += 19
        await do(other, press="new")
        assert "press new" not in house.session.done

    visit(story)


def test_whoever_closes_the_page_gives_the_match_up(monkeypatch):
    monkeypatch.setattr(pages, "_MISSED_S", 0.0)

    async def story(house):
        player, other = await begin(house)
        await player.line.close()
        await other.until(lambda now: not now["waits"])
        await do(other, press="new")
        assert "press new" in house.session.done

    visit(story)


def test_the_operator_is_never_bound():
    async def story(house):
        await begin(house)
        operator = await house.operate()
        await operator.send_json({"send": "new 3 4 5"})
        await house.done("send new 3 4 5")

    visit(story, tokens=Tokens(operator=OPERATOR))
