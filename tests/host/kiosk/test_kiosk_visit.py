"""A visit over the WebSocket, with a simulated Pico: touches, choices and cuts."""

import asyncio
import contextlib
import time

import aiohttp
import pytest
from aiohttp import web
from patience import PATIENCE_S
from test_kiosk_server import until
from test_kiosk_server import visit as visited

from nimatron_host.kiosk.matches import COLUMNS, Matches
from nimatron_host.kiosk.tokens import Tokens
from nimatron_play.pages import Page, Pages


class Phone:
    """A page at the other end: `state` is everything it has received."""

    def __init__(self, line):
        self.line = line
        self.state = {}
        self.n = 0

    async def until(self, condition):
        end = time.monotonic() + PATIENCE_S
        while not condition(self.state):
            assert time.monotonic() < end, self.state
            self.state |= await self.line.receive_json(timeout=PATIENCE_S)

    async def send(self, **message):
        await self.line.send_json(message)

    async def tap(self, button):
        await self.send(press=button)
        await self.send(release=button)

    async def is_at(self, state, **more):
        wanted = {"state": state} | more
        await self.until(lambda now: all(now.get(key) == wanted[key] for key in wanted))

    def advice(self):
        return self.state["advice"][0]


def phones(served, story, count=1):
    """Run story(phone, …, come) with pages at the wall's table. come(table): another page, with
    the link to this table, or at its own."""

    async def run():
        async with contextlib.AsyncExitStack() as stack:
            session = await stack.enter_async_context(aiohttp.ClientSession())

            async def come(table="", you=""):
                url = f"{served.url}look?table={table}&you={you}"
                line = await stack.enter_async_context(session.ws_connect(url))
                phone = Phone(line)
                await phone.until(lambda now: now.get("state", "off") not in ("off", "boot"))
                return phone

            await story(*[await come(served.machine.visit.name) for _ in range(count)], come)

    asyncio.run(run())


def lit(mask):
    return [bin(mask >> 7 * row & 127).count("1") for row in range(4)]


def bit(row, column):
    return 1 << 7 * row + column


# ---------------------------------------------------------------------- touching


def test_a_touched_lamp_and_those_to_its_right_are_picked(serve):
    async def story(phone, _):
        await phone.is_at("player")
        await phone.until(lambda now: now["touch"][0])
        touch = phone.state["touch"]
        assert lit(touch[2 * 7 + 1]) == [3, 4, 1, 0]
        assert touch[27] is None
        await phone.send(touch=str(2 * 7 + 1))
        await phone.until(lambda now: lit(now["picked"]) == [0, 0, 4, 0])
        await phone.send(touch=str(2 * 7 + 3))  # gives back this one and those before it
        await phone.until(lambda now: lit(now["picked"]) == [0, 0, 1, 0])
        await phone.send(touch="0")
        await phone.until(lambda now: lit(now["picked"]) == [3, 0, 0, 0])
        await phone.tap("go")
        await phone.until(lambda now: lit(now["insight"].get("lamps", 0)) == [0, 4, 5, 0])

    phones(serve("new 3 4 5"), story)


def test_a_touch_begins_and_a_senseless_one_does_nothing(serve):
    async def story(phone, _):
        await phone.is_at("attract")
        await phone.send(touch="3")
        await phone.is_at("opening")
        await phone.until(lambda now: now["touch"][0])  # the position is known
        await phone.send(touch="27")
        await phone.send(touch="0")
        await phone.is_at("player")

    phones(serve(), story)


@pytest.mark.parametrize("lamp", ["28", "-1", "x", "", "1.0", "٣"])
def test_there_are_28_lamps(serve, lamp, caplog):
    async def story(phone, _):
        await phone.is_at("attract")
        await phone.send(touch=lamp)
        await phone.send(touch="0")
        await phone.is_at("opening")

    phones(serve(), story)
    assert "no such button" in caplog.text


# ---------------------------------------------------------------------- choosing


@pytest.mark.long("a quarter of a minute of waiting")
def test_the_visitor_chooses_game_and_level_until_the_attract_show(serve):
    async def story(phone, _):
        await phone.until(lambda now: now.get("games") == ["nim", "kayles"])
        assert phone.state["levels"] == ["child", "perfect"]
        await phone.send(game="kayles")
        await phone.is_at("opening", game="kayles")
        await phone.send(level="child")
        await phone.is_at("opening", level="child", game="kayles")
        await phone.is_at("attract", game="nim", level="perfect")

    lines = ["set games nim,kayles", "set levels child,perfect", "set idle_ms 15000"]
    phones(serve(*lines, "set warning_ms 1000"), story)


def test_what_the_operator_sets_is_shown_while_nobody_plays(serve):
    async def story(phone, come):
        await phone.is_at("attract", game="nim", level="perfect")
        for line, seen in (
            ("set rule normal", lambda now: now["rule"][-1][0] == "rule.normal"),
            ("set game kayles", lambda now: now["game"] == "kayles"),
            ("set level child", lambda now: now["level"] == "child"),
            ("rule misere", lambda now: now["rule"][-1][0] == "rule.misere"),
            ("set games nim,kayles", lambda now: now["games"] == ["nim", "kayles"]),
        ):
            served.do(served.machine.send, line)
            await phone.until(seen)

    served = serve()
    phones(served, story)


def test_settings_are_saved_at_every_table(serve):
    async def story(wall, come):
        phone = await come()
        for one in (wall, phone):
            await one.is_at("attract", game="nim", level="perfect")
        served.do(served.machine.send, "set game kayles")
        served.do(served.machine.send, "set level child")
        for one in (wall, phone):
            await one.is_at("attract", game="kayles", level="child")

    served = serve()
    phones(served, story)


@pytest.mark.parametrize("choice", [{"game": "chomp"}, {"level": "easy"}, {"game": "nim\nreboot"}])
def test_only_what_the_builder_allows_can_be_chosen(serve, choice, caplog):
    async def story(phone, _):
        await phone.until(lambda now: now.get("games") == ["nim", "kayles"])
        await phone.send(**choice)
        await phone.send(game="kayles")
        await phone.is_at("opening", game="kayles", level="perfect")

    phones(serve("set games nim,kayles", "set levels child,perfect"), story)
    assert "no such button" in caplog.text


def test_a_lesson_is_set_up(serve):
    async def story(phone, _):
        await phone.until(lambda now: now.get("games"))
        await phone.send(game="kayles")
        await phone.is_at("opening", game="kayles")
        await phone.send(lesson="1")
        await phone.until(lambda now: now["state"] == "player" and lit(now["touch"][0] or 0))
        assert phone.state["game"] == "nim"

    phones(serve(), story)


def test_a_lesson_is_not_counted_but_the_match_after_it_is(serve):
    async def win(phone):
        await phone.until(lambda now: now["state"] == "player" and now["touch"][0] is not None)
        await phone.send(touch="0")
        await phone.until(lambda now: now["picked"])
        await phone.tap("go")
        await phone.is_at("verdict")

    async def story(phone, _):
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

    served = serve()
    phones(served, story)


@pytest.mark.parametrize(
    ("rule", "over", "then", "go"),
    [
        ("misere", "won", {"step": 5, "help": True}, {"press": "go"}),
        ("normal", "lost", {}, {"touch": "0"}),
    ],
)
def test_go_at_the_end_of_a_scene_does_what_its_button_does(serve, rule, over, then, go):
    """The next scene after a win, the same one after a loss. Any lamp is as good as GO."""

    async def story(phone, _):
        await phone.until(lambda now: now.get("lesson"))
        await phone.send(lesson="4")
        lesson = {"step": 4, "steps": 7, "help": False, "over": ""}
        await phone.is_at("player", lesson=lesson)
        await phone.until(lambda now: now["touch"][0] is not None)
        await phone.send(touch="0")
        await phone.until(lambda now: now["picked"])
        await phone.tap("go")
        await phone.is_at("verdict", lesson=lesson | {"over": over})
        await phone.send(**go)
        await phone.is_at("player", lesson=lesson | then)

    phones(serve(f"set rule {rule}"), story)


@pytest.mark.long("ten seconds of waiting")
def test_a_match_lasts_while_the_page_is_used(serve):
    """The firmware's idle time begins again, and nothing else happens."""

    async def story(phone, _):
        await phone.is_at("player")
        await phone.until(lambda now: now["doing"][0][0] == "warning")
        await phone.send(here="1")
        await phone.until(lambda now: now["doing"][0][0] != "warning")
        await phone.until(lambda now: now["doing"][0][0] == "warning" or now["state"] != "player")
        assert phone.state["state"] == "player"
        assert not phone.state["picked"] and lit(phone.state["insight"]["lamps"]) == [3, 4, 5, 0]

    phones(serve("set idle_ms 15000", "set warning_ms 10000", "new 3 4 5"), story)


# ---------------------------------------------------------------------- cuts


def test_a_press_is_done_once_however_often_it_is_sent():
    async def story(house):
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

    visited(story)


@pytest.mark.parametrize(
    ("address", "token", "right"),
    [("192.0.2.8", "open sesame!", True), ("192.0.2.7", "", False), ("192.0.2.8", "", False)],
)
def test_the_id_of_a_page_is_of_no_use_to_others(monkeypatch, address, token, right):
    """It gives no place from another address, and no right to a page without one."""
    monkeypatch.setattr(web.BaseRequest, "remote", property(lambda asked: asked.headers["From"]))

    async def story(house):
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

    visited(story, "0.0.0.0", tokens=Tokens(visitor="open sesame!"))


def test_a_page_that_comes_back_keeps_its_place_and_its_right_to_play(serve):
    async def story(one, come):
        await one.send(token="open sesame!")
        await one.until(lambda now: now["control"] and now["table"] != served.machine.visit.name)
        back = await come(one.state["table"], one.state["you"])
        assert not back.state["control"]  # while the old line still seems to be there
        await back.send(token="open sesame!")
        await back.until(lambda now: now["you"] == one.state["you"] and now["control"])
        assert back.state["table"] == one.state["table"] and not back.state["waits"]
        while not one.line.closed:
            await one.line.receive(timeout=PATIENCE_S)

    served = serve(token="open sesame!")
    phones(served, story)


@pytest.mark.sampled("2 s each")
@pytest.mark.parametrize("you", ["", "guess", "x" * 800])
def test_a_made_up_page_gets_nothing(serve, you):
    async def story(_, come):
        phone = await come("", you)
        await phone.send(press="go")
        await phone.until(lambda now: now["beat"] >= 2 and now.get("state") == "attract")
        assert not phone.state["control"]

    phones(serve(token="open sesame!"), story)


def test_a_crowd_that_watches_makes_no_player_forgotten():
    known = Pages()
    player = known.open(Page(control=True, left_at=time.monotonic()))
    for _ in range(3000):
        known.open(Page(control=False, left_at=time.monotonic()))
    known.keep_time()
    assert known.known(player.you) is player and len(known._pages) <= 1000


def test_what_a_page_holds_is_let_go_when_its_line_is_silent(serve, monkeypatch):
    """The server notices a cut without a message."""
    monkeypatch.setattr("nimatron_host.kiosk.server.PING_S", 3)  # half of it to answer

    async def story(phone, come):
        await phone.is_at("player")
        await phone.send(press="row1")
        await phone.until(lambda now: now["held"] == ["row1"])
        phone.line._response.connection.transport.pause_reading()  # no pong comes
        other = await come(served.machine.visit.name)
        await other.until(lambda now: now["held"] == [])
        phone.line._response.connection.transport.abort()  # otherwise the test waits for it

    served = serve("new 3 4 5")
    phones(served, story)


def test_the_server_gives_signs_of_life(serve, monkeypatch):
    monkeypatch.setattr("nimatron_host.kiosk.peer.BEAT_S", 0.1)

    async def story(phone, _):
        await phone.until(lambda now: now.get("beat", 0) >= 3)

    phones(serve(), story)


# ---------------------------------------------------------------------- around it


def test_watchers_are_told_that_they_watch(serve):
    async def story(phone, _):
        assert phone.state["control"] is False
        assert phone.advice() == ["table.scan", {}]
        await phone.send(token="a wrong one indeed")
        await phone.until(lambda now: now.get("denied"))
        await phone.send(token="open sesame!")
        await phone.until(lambda now: now["control"])
        assert phone.advice()[0] != "table.scan"

    phones(serve(token="open sesame!"), story)


def test_today_counts_matches_against_the_machine(serve):
    async def story(phone, _):
        await phone.is_at("player")
        await phone.send(language="es")
        await phone.tap("row1")
        await phone.tap("go")
        await phone.is_at("verdict", today={"played": 1, "won": 1})

    phones(serve("new 1 1"), story)


def test_a_match_is_kept_with_the_language_of_the_page_that_played(serve, tmp_path):
    async def story(wall, come):
        phone = await come()  # whose match counts as well
        await wall.send(language="fr")
        await phone.send(language="es")
        await phone.is_at("player")
        await phone.tap("row1")
        await phone.tap("go")
        await phone.is_at("verdict", today={"played": 1, "won": 1})

    served = serve("new 1 1", matches=Matches(tmp_path / "matches.sqlite"))
    phones(served, story)
    (match,) = served.kiosk.matches.rows()
    assert match[COLUMNS.index("language")] == "es"
