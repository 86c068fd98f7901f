"""A visit over the WebSocket, with a simulated Pico: touches, choices and cuts."""

import time

import pytest
from aiohttp import web
from patience import PATIENCE_S

from nimatron_host.kiosk.matches import COLUMNS, Matches
from nimatron_host.kiosk.tokens import Tokens
from nimatron_play.pages import Page, Pages
from served_kiosk import Phone, until


def lit(mask):
    return [bin(mask >> 7 * row & 127).count("1") for row in range(4)]


def bit(row, column):
    return 1 << 7 * row + column


# ---------------------------------------------------------------------- touching


# ---------------------------------------------------------------------- choosing


async def test_what_the_operator_sets_is_shown_at_every_table_while_nobody_plays(phones, serve):
    served = serve()
    wall, come = await phones(served)
    phone = await come()
    for one in (wall, phone):
        await one.is_at("attract", game="nim", level="perfect")
    for line, seen in (
        ("set rule normal", lambda now: now["rule"][-1][0] == "rule.normal"),
        ("set game kayles", lambda now: now["game"] == "kayles"),
        ("set level child", lambda now: now["level"] == "child"),
        ("rule misere", lambda now: now["rule"][-1][0] == "rule.misere"),
        ("set games nim,kayles", lambda now: now["games"] == ["nim", "kayles"]),
    ):
        served.do(served.machine.send, line)
        await wall.until(seen)
    await phone.is_at("attract", game="kayles", level="child")


async def test_a_lesson_is_not_counted_but_the_match_after_it_is(phones, serve):
    async def win(phone):
        await phone.until(lambda now: now["state"] == "player" and now["touch"][0] is not None)
        await phone.send(touch="0")
        await phone.until(lambda now: now["picked"])
        await phone.tap("go")
        await phone.is_at("verdict")

    served = serve()
    phone, _ = await phones(served)
    await phone.until(lambda now: now.get("lesson"))
    await phone.send(lesson="4")
    await win(phone)
    await phone.until(lambda now: now["lesson"].get("over") == "won")
    assert (phone.state["tokens"], phone.state["today"]["played"]) == (0, 0)
    await phone.send(lesson="0")
    await phone.is_at("opening", lesson={"steps": 7})
    served._loop.call_soon_threadsafe(served.machine.send, "new 1 1")
    await win(phone)
    await phone.is_at("verdict", tokens=1, today={"played": 1, "won": 1})


# ---------------------------------------------------------------------- cuts


async def test_a_press_is_done_once_however_often_it_is_sent(open_house):
    house = await open_house()
    cut, first = await house.look()
    await cut.send_json({"press": "row1", "n": 1})
    await house.done("press row1")
    cut._response.connection.transport.abort()

    again, _ = await house.look(you=first["you"])
    for n, button in enumerate(("row1", "row2"), 1):
        await again.send_json({"press": button, "n": n})
    await house.done("press row2")
    await until(lambda: house.machine.state["held"] == ["row2"])
    presses = [what for what in house.session.done if what.startswith("press")]
    assert presses == ["press row1", "press row2"]


@pytest.mark.parametrize(
    ("address", "token", "right"),
    [("192.0.2.8", "open sesame!", True), ("192.0.2.7", "", False), ("192.0.2.8", "", False)],
)
async def test_the_id_of_a_page_is_of_no_use_to_others(
    open_house, monkeypatch, address, token, right
):
    """The ID gives no place from another address, and no rights to a page without a place."""
    monkeypatch.setattr(web.BaseRequest, "remote", property(lambda asked: asked.headers["From"]))
    house = await open_house("0.0.0.0", tokens=Tokens(visitor="open sesame!"))
    page, _ = await house.look(headers={"From": "192.0.2.7"})
    await page.send_json({"token": "open sesame!"})
    await until(lambda: house.machine.visit.table.places[0])
    (you, _) = house.machine.visit.table.places
    line, second = await house.look(you=you, headers={"From": address})
    other = Phone(line)
    other.state = second
    if token:
        await other.send(token=token)
    await other.send(language="en", n=1)
    await other.until(lambda now: now["done"] == 1)
    assert other.state["control"] is right and other.state["you"] != you
    assert house.machine.visit.table.places[0] == you and not page.closed


async def test_a_page_that_comes_back_keeps_its_place_and_its_right_to_play(phones, serve):
    served = serve(token="open sesame!")
    one, come = await phones(served)
    await one.send(token="open sesame!")
    await one.until(lambda now: now["control"] and now["table"] != served.machine.visit.name)
    back = await come(one.state["table"], one.state["you"])
    assert not back.state["control"]  # while the old line still seems to exist
    await back.send(token="open sesame!")
    await back.until(lambda now: now["you"] == one.state["you"] and now["control"])
    assert back.state["table"] == one.state["table"] and not back.state["waits"]
    while not one.line.closed:
        await one.line.receive(timeout=PATIENCE_S)


def test_a_crowd_that_watches_makes_no_player_forgotten():
    known = Pages()
    player = known.open(Page(control=True, left_at=time.monotonic()))
    for _ in range(3000):
        known.open(Page(control=False, left_at=time.monotonic()))
    known.keep_time()
    assert known.known(player.you) is player and len(known._pages) <= 1000


async def test_what_a_page_holds_is_let_go_when_its_line_is_silent(phones, serve, monkeypatch):
    """The server notices a cut without a message."""
    monkeypatch.setattr("nimatron_host.kiosk.server.PING_S", 3)  # half of it to answer
    served = serve("new 3 4 5")
    phone, come = await phones(served)
    await phone.is_at("player")
    await phone.send(press="row1")
    await phone.until(lambda now: now["held"] == ["row1"])
    phone.line._response.connection.transport.pause_reading()  # no pong comes
    other = await come(served.machine.visit.name)
    await other.until(lambda now: now["held"] == [])
    phone.line._response.connection.transport.abort()  # otherwise the test waits for it


async def test_the_server_gives_signs_of_life(phones, serve, monkeypatch):
    monkeypatch.setattr("nimatron_host.kiosk.peer.BEAT_S", 0.1)
    phone, _ = await phones(serve())
    await phone.until(lambda now: now.get("beat", 0) >= 3)


# ---------------------------------------------------------------------- around it


async def test_a_match_is_kept_with_the_language_of_the_page_that_played(phones, serve, tmp_path):
    served = serve("new 1 1", matches=Matches(tmp_path / "matches.sqlite"))
    wall, come = await phones(served)
    phone = await come()  # whose match also counts
    await wall.send(language="fr")
    await phone.send(language="es")
    await phone.is_at("player")
    await phone.tap("row1")
    await phone.tap("go")
    await phone.is_at("verdict", today={"played": 1, "won": 1})
    (match,) = served.kiosk.matches.rows()
    assert match[COLUMNS.index("language")] == "es"
