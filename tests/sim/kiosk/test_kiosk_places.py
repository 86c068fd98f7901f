"""Places: one for each device, few in the line, and one for the exhibit's own screen."""

import aiohttp
import pytest
from aiohttp import web
from test_kiosk_owner import do
from test_kiosk_server import until, visit
from test_kiosk_visit import Phone

from nimatron_sim.ui.kiosk import pages
from nimatron_sim.ui.kiosk.tokens import Tokens

TOKEN = "open sesame!"
HERE = "127.0.0.1"


@pytest.fixture(autouse=True)
def addresses(monkeypatch):
    """A page comes from where it says."""
    monkeypatch.setattr(web.BaseRequest, "remote", property(lambda asked: asked.headers["From"]))


async def look(house, address):
    line, first = await house.look(headers={"From": address})
    phone = Phone(line)
    phone.state = first
    await phone.send(token=TOKEN)
    await phone.until(lambda now: now["control"])
    return phone


async def sit(house, address):
    phone = await look(house, address)
    await do(phone, seat="take")
    return phone


def place(phone):
    return phone.state["seat"], phone.state["place"]


def hall(story):
    visit(story, "0.0.0.0", tokens=Tokens(visitor=TOKEN))


def test_a_device_has_one_place():
    async def story(house):
        pages = [await sit(house, "192.0.2.7") for _ in range(3)]
        assert [place(page) for page in pages] == [(1, None), (None, None), (None, None)]
        assert pages[1].advice() == ["seat.one", {}]
        other = await sit(house, "192.0.2.8")
        assert place(other) == (2, None)

    hall(story)


def test_a_page_that_is_loaded_again_is_no_second_one(monkeypatch):
    """The first one has just been closed, and could still come back."""
    monkeypatch.setattr(pages, "_CUT_S", 600)

    async def story(house):
        page = await sit(house, "192.0.2.7")
        other = await look(house, "192.0.2.8")
        await page.line.close()
        await until(lambda: len(house.kiosk.viewers) == 1)
        page = await sit(house, "192.0.2.7")
        assert place(page) == (1, None)
        await do(other, seat="take")
        assert place(other) == (2, None)

    hall(story)


def test_whoever_goes_on_as_another_page_leaves_no_seat_behind(monkeypatch):
    """For nobody's page could ever give it back."""

    async def story(house):
        before = await look(house, HERE)
        other = await sit(house, HERE)
        assert place(other) == (1, None)
        await before.line.close()
        await other.send(again=before.state["you"])
        await other.until(lambda now: now["you"] == before.state["you"])
        monkeypatch.setattr(pages, "_CUT_S", 0)
        assert other.state["seat"] is None and place(await sit(house, "192.0.2.7")) == (1, None)

    hall(story)


def test_four_wait_at_most_and_one_at_the_exhibits_own_screen():
    async def story(house):
        phones = [await sit(house, f"192.0.2.{number}") for number in range(1, 8)]
        assert [phone.state["place"] for phone in phones[2:]] == [1, 2, 3, 4, None]
        assert phones[-1].advice() == ["seat.come-back", {}]
        own = await sit(house, HERE)
        assert place(own) == (None, 1)
        assert place(await sit(house, HERE)) == (None, None)

    hall(story)


def test_in_a_full_house_a_page_of_whoever_has_most_makes_room(monkeypatch):
    """Rather one without the token; and nobody's only page."""
    monkeypatch.setattr("nimatron_sim.ui.kiosk.server._VIEWERS", 14)  # 8 of them for this computer

    async def story(house):
        await look(house, "192.0.2.1")
        for _ in range(5):
            await house.look(headers={"From": "192.0.2.1"})
        for number in (2, 3):
            await look(house, f"192.0.2.{number}")
            may = [viewer.page.control for viewer in house.kiosk.viewers]
            assert (may.count(True), may.count(False)) == (number, 6 - number)
        with pytest.raises(aiohttp.WSServerHandshakeError):
            await look(house, "192.0.2.4")
        await look(house, HERE)

    hall(story)
