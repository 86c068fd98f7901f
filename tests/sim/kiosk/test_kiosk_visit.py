"""A visit over the WebSocket, with a simulated Pico: touches, choices, seats and cuts."""

import asyncio
import contextlib
import time
from types import SimpleNamespace

import aiohttp
import pytest
from aiohttp import web
from patience import PATIENCE_S
from test_kiosk_server import PROXY, until
from test_kiosk_server import visit as visited

from nimatron_sim.ui.kiosk import machine, pages, visit
from nimatron_sim.ui.kiosk.matches import COLUMNS, Matches
from nimatron_sim.ui.kiosk.pages import Page, Pages
from nimatron_sim.ui.kiosk.tokens import Tokens


class Phone:
    """A page at the other end: `state` is everything it was told."""

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
    """Run story(phone, …) with pages of this kiosk."""

    async def run():
        async with contextlib.AsyncExitStack() as stack:
            session = await stack.enter_async_context(aiohttp.ClientSession())

            async def come():
                line = await stack.enter_async_context(session.ws_connect(f"{served.url}look"))
                phone = Phone(line)
                await phone.until(lambda now: "lamps" in now)
                return phone

            await story(*[await come() for _ in range(count)], come)

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
        await phone.until(lambda now: now["match"])
        move = phone.state["match"][0]
        assert (move["by"], lit(move["before"]), lit(move["after"])) == (
            "player",
            [3, 4, 5, 0],
            [0, 4, 5, 0],
        )
        await phone.until(lambda now: now["match"][0]["better"])
        assert lit(phone.state["match"][0]["better"]) == [1, 4, 5, 0]

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
    assert "no such thing" in caplog.text


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
            served.do(served.kiosk.send, line)
            await phone.until(seen)
        fresh = await come()
        assert fresh.state["game"] == "kayles" and fresh.state["level"] == "child"

    served = serve()
    phones(served, story)


def test_what_another_console_has_set_is_shown():
    async def story(house):
        def asked():
            return [house.session.done.count(f"send {line}") for line in ("status", "settings")]

        await house.done("send settings")
        before = asked()
        house.session.record({"console": "ok rule=normal saved=1"})
        await until(lambda: asked() == [count + 1 for count in before])

    visited(story)


@pytest.mark.parametrize("choice", [{"game": "chomp"}, {"level": "easy"}, {"game": "nim\nreboot"}])
def test_only_what_the_builder_allows_can_be_chosen(serve, choice, caplog):
    async def story(phone, _):
        await phone.until(lambda now: now.get("games") == ["nim", "kayles"])
        await phone.send(**choice)
        await phone.send(game="kayles")
        await phone.is_at("opening", game="kayles", level="perfect")

    phones(serve("set games nim,kayles", "set levels child,perfect"), story)
    assert "no such thing" in caplog.text


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
        await phone.is_at("player")
        await phone.tap("row1")
        await phone.until(lambda now: now["picked"])
        await phone.tap("go")
        await phone.is_at("verdict")

    async def story(phone, _):
        await phone.until(lambda now: now.get("lesson"))
        await phone.send(lesson="1")
        await win(phone)
        await phone.until(lambda now: now["lesson"].get("over") == "won")
        assert (phone.state["tokens"], phone.state["today"]["played"]) == (0, 0)
        await phone.send(lesson="0")
        await phone.is_at("opening", lesson={"steps": 3})
        served._loop.call_soon_threadsafe(served.kiosk.send, "new 1 1")
        await win(phone)
        await phone.is_at("verdict", tokens=1, today={"played": 1, "won": 1})

    served = serve()
    phones(served, story)


@pytest.mark.parametrize(
    ("rule", "row", "over", "then", "go"),
    [("misere", 0, "won", 2, {"press": "go"}), ("normal", 1, "lost", 1, {"touch": "0"})],
)
def test_go_at_the_end_of_a_lesson_does_what_its_button_does(serve, rule, row, over, then, go):
    """The next lesson after a win, the same one after a loss. Any lamp is as good as GO."""

    async def story(phone, _):
        await phone.until(lambda now: now.get("lesson"))
        await phone.send(lesson="1")
        lesson = {"step": 1, "steps": 3, "help": False, "over": ""}
        await phone.is_at("player", lesson=lesson)
        await phone.until(lambda now: now["touch"][7] is not None)
        await phone.send(touch=str(7 * row))
        await phone.until(lambda now: now["picked"])
        await phone.tap("go")
        await phone.is_at("verdict", lesson=lesson | {"over": over})
        await phone.send(**go)
        await phone.is_at("player", lesson=lesson | {"step": then})

    phones(serve(f"set rule {rule}"), story)


def test_a_firmware_that_knows_no_practice_gives_no_lesson(serve, monkeypatch):
    ask = machine.Attendant.ask
    monkeypatch.setattr(
        machine.Attendant,
        "ask",
        lambda self, line, told=None: ask(self, line.replace("practice", "x"), told),
    )

    async def story(phone, _):
        await phone.until(lambda now: now.get("lesson"))
        await phone.send(lesson="1")
        await phone.until(lambda now: now["advice"][0][0] == "seat.old")
        assert phone.state["lesson"] == {"steps": 3} and phone.state["state"] == "attract"

    phones(serve(), story)


def test_whoever_uses_the_page_is_there():
    """A message of the page is a long press of GO, in the player's turn and at most now and then;
    a warning is answered at once."""

    async def story(house):
        page, first = await house.look()
        phone = Phone(page)
        phone.state = first

        def held():
            return house.session.done.count("send hold go")

        async def here():
            await phone.send(here="1", n=phone.state["done"] + 1)
            await phone.until(lambda now, done=phone.state["done"]: now["done"] > done)

        await here()
        assert held() == 0  # nobody plays
        house.session.record({"console": "event state=player"})
        await phone.is_at("player")
        await here()
        await here()
        assert held() == 1
        house.session.record({"console": "event warning=idle ms=10000"})
        await phone.until(lambda now: now["doing"][0][0] == "warning")
        await here()
        assert held() == 2
        await phone.until(lambda now: now["doing"][0][0] != "warning")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(machine, "_HERE_S", 1000)
        visited(story)


@pytest.mark.long("ten seconds of waiting")
def test_a_match_lasts_while_the_page_is_used(serve):
    """The firmware's idle time begins anew, and nothing else happens."""

    async def story(phone, _):
        await phone.is_at("player")
        await phone.until(lambda now: now["doing"][0][0] == "warning")
        await phone.send(here="1")
        await phone.until(lambda now: now["doing"][0][0] != "warning")
        await phone.until(lambda now: now["doing"][0][0] == "warning" or now["state"] != "player")
        assert phone.state["state"] == "player"
        assert not phone.state["picked"] and not phone.state["match"]

    phones(serve("set idle_ms 15000", "set warning_ms 10000", "new 3 4 5"), story)


# ---------------------------------------------------------------------- two people


def test_two_phones_play_each_other(serve):
    async def story(one, two, _):
        await one.until(lambda now: now.get("games"))
        await one.send(seat="take")
        await one.until(lambda now: now["seat"] == 1)
        assert one.advice()[0] == "seat.wait"
        await two.send(seat="take")
        for phone in (one, two):
            await phone.is_at("opening", people=2, seats=[1, 2], turn=1)
        assert two.state["seat"] == 2

        await two.tap("row1")  # too early
        await two.until(lambda now: now["advice"][0] == ["seat.not-yours", {"who": 1}])
        await one.tap("row1")
        await one.until(lambda now: now["picked"])
        await one.tap("go")
        await one.tap("row2")  # too late: it would be the other one's
        await two.is_at("player", turn=2)
        await two.tap("row2")
        await two.until(lambda now: now["picked"])
        await two.tap("go")
        await one.until(lambda now: len(now["match"]) == 2)
        moves = [move["by"] for move in one.state["match"]]
        assert moves == ["player-1", "player-2"]
        before, after = (lit(one.state["match"][1][key]) for key in ("before", "after"))
        assert [a - b for a, b in zip(before, after, strict=True)] == [0, 1, 0, 0]

    phones(serve(), story, 2)


@pytest.mark.long("3 s")
def test_each_phone_is_told_what_is_meant_for_it(serve):
    """In all of it the real lamps' signs stay as they are for a page without a seat."""

    async def story(one, two, third, _):
        await one.until(lambda now: now.get("games"))
        for phone in (one, two):
            await phone.send(seat="take")
            await phone.until(lambda now: now["seat"])
        await two.is_at("opening", waits=True, advice=[])
        assert two.state["doing"] == [["seat.waits", {"who": 1}]]
        served._loop.call_soon_threadsafe(served.kiosk.send, "new 1 1")
        await one.is_at("player")
        await one.until(lambda now: now["touch"][7])  # the position is known
        await one.send(touch="0")
        await two.is_at("player", picked=1)
        await one.is_at("player", picked=1, waits=False)
        assert one.state["doing"][0][0] == "picked.row"
        assert two.state["doing"] == [["seat.waits", {"who": 1}]]
        await third.is_at("player", waits=True, doing=[["seat.moves", {"who": 1}]])
        assert third.advice()[0] == "seat.taken"
        await one.until(lambda now: now["legends"] == ["your-move"])
        await two.until(lambda now: now["legends"] == [])

        await one.tap("go")
        await two.is_at("player", turn=2, waits=False)
        move = {"count": 1, "row": 1, "who": "1"}
        await two.until(lambda now: now["doing"][0] == ["move.row.people", move])
        assert two.state["doing"][1][0] == "state.player"
        await one.is_at("player", waits=True)
        await one.until(lambda now: now["doing"][0] == ["move.row.player", move])
        assert one.state["doing"][1:] == [["seat.waits", {"who": 2}]]

        await two.tap("row2")
        await two.tap("go")  # the last lamp
        await one.is_at("verdict", legends=["you-win"])
        await two.is_at("verdict", legends=[], won=False)
        await third.is_at("verdict", legends=[], won=True)
        for phone, last, wins in (
            (one, "last.people", "wins.player"),
            (two, "last.player", "wins.people"),
            (third, "last.people", "wins.people"),
        ):
            told = [last, wins]
            await phone.until(lambda now, told=told: [said[0] for said in now["doing"]] == told)
        assert third.advice()[0] == "seat.taken"

    served = serve()
    phones(served, story, 3)


def test_neither_of_two_can_end_their_match(serve):
    """By choosing something else; nor can a level, which is the machine's, end it."""

    async def story(one, two, _):
        await _sit(one, two)
        await one.is_at("opening", people=2)
        served._loop.call_soon_threadsafe(served.kiosk.send, "new 3 4 5")
        await one.is_at("player")
        await one.tap("row1")
        await one.until(lambda now: now["picked"])
        await two.is_at("player", turn=1, waits=True)
        await two.send(game="kayles")
        await two.until(lambda now: now["advice"] == [["seat.not-yours", {"who": 1}]])
        await one.send(level="child")
        await one.tap("go")
        await two.is_at("player", turn=2, waits=False, level="perfect", game="nim")
        await two.until(lambda now: len(now["match"]) == 1)
        await two.send(game="kayles")
        await two.until(lambda now: now["advice"] == [["seat.to-the-end", {}]])
        await two.is_at("player", turn=2, game="nim", people=2)

    served = serve("set games nim,kayles", "set levels child,perfect")
    phones(served, story, 2)


def test_a_third_phone_waits(serve):
    async def story(one, two, three, _):
        await one.until(lambda now: now.get("games"))
        for phone in (one, two, three):
            await phone.send(seat="take")
            await phone.until(lambda now: now["seat"] or now["advice"][0][0] == "seat.full")
        assert (two.state["seat"], three.state["seat"]) == (2, None)
        await three.is_at("opening", people=2)
        await three.tap("row1")
        await three.until(lambda now: now["advice"] == [["seat.next", {"count": 1}]])
        await three.send(game="chomp")
        await three.send(lesson="1")
        await three.tap("new")
        await one.tap("row1")
        await one.until(lambda now: now["picked"])
        assert one.state["game"] == "nim"

    phones(serve(), story, 3)


def test_whoever_leaves_gives_the_machine_its_seat_back(serve):
    async def story(one, two, _):
        await one.until(lambda now: now.get("games"))
        for phone in (one, two):
            await phone.send(seat="take")
        await one.is_at("opening", people=2)
        await two.send(seat="leave")
        await one.is_at("opening", people=1, seats=[1])
        await one.until(lambda now: now["advice"][0] == ["seat.left", {"who": 2}])

    phones(serve(), story, 2)


@pytest.mark.parametrize("read_s", [60, 0])
def test_whoever_has_watched_has_neither_won_nor_learnt(serve, monkeypatch, read_s):
    """While the player reads the verdict, and when they may have gone."""
    monkeypatch.setattr(visit, "_READ_S", read_s)

    async def story(one, two, _):
        await one.until(lambda now: now["lesson"] and now["state"] == "attract")
        await one.send(lesson="1")
        await one.is_at("player", waits=False)
        await one.tap("row1")
        await one.until(lambda now: now["picked"])
        await two.until(lambda now: ["watch.lesson", {}] in now["doing"])
        await one.tap("go")
        await one.is_at("verdict", legends=["you-win"], won=True)
        await one.until(lambda now: now["lesson"].get("over") == "won")
        await two.is_at("verdict", legends=[], won=True, lesson={}, waits=read_s > 0)
        told = [key for key, _ in two.state["doing"]]
        assert told == ["last.machine", "watch.wins.player"]
        for phone, watches in ((one, False), (two, True)):
            await phone.until(lambda now: len(now["match"]) == 2)
            why = {key for move in phone.state["match"] for key, _ in move["said"]}
            assert ("watch.why.end.misere.player" in why) == watches
            assert ("why.end.misere.player" in why) == (not watches)
        assert two.advice()[0] == ("seat.read" if read_s else "watch.do.verdict")
        while not read_s and two.state["state"] == "verdict":  # GO counts after a second
            beat = two.state["beat"]
            await two.tap("go")
            await two.until(lambda now, beat=beat: now["beat"] > beat)
        if not read_s:
            await two.is_at("opening")
            assert not two.state["lesson"].get("step")  # it is not their next one

    phones(serve("set verdict_ms 20000"), story, 2)


@pytest.mark.parametrize("sitters", [1, 2])
def test_whoever_has_won_is_told_so_though_others_play_next(serve, sitters):
    async def story(one, *others):
        await one.until(lambda now: now["lesson"] and now["state"] == "attract")
        await one.send(lesson="1")
        await one.is_at("player", waits=False)
        for other in others[:sitters]:
            await other.send(seat="take")
            await other.until(lambda now: now["seat"])
        await one.tap("row1")
        await one.until(lambda now: now["picked"])
        await one.tap("go")
        await one.is_at("verdict", legends=["you-win"], won=True, waits=True)
        assert [key for key, _ in one.state["doing"]] == ["last.machine", "wins.player"]
        assert one.advice()[0] == ("seat.kept" if sitters == 1 else "seat.two")
        if sitters == 2:
            for other in others[:2]:
                ready = ["seat.ready", {"who": other.state["seat"]}]
                await other.is_at("verdict", legends=[], advice=[ready, ["seat.shortly", {}]])
                assert [key for key, _ in other.state["doing"]][1] == "watch.wins.player"

    phones(serve("set verdict_ms 20000"), story, 3)


@pytest.mark.long("3 s")
def test_whoever_waits_long_for_the_other_is_told_of_the_machine(serve, monkeypatch):
    monkeypatch.setattr(visit, "_FLEES_S", 0.0)

    async def story(one, two, _):
        await _sit(one, two)
        told = ["seat.long", {"who": 1, "leave": "page.seat.leave"}]
        await two.is_at("opening", waits=True, advice=[told])
        await two.send(seat="leave")
        await two.is_at("opening", people=1, waits=False)

    phones(serve(), story, 2)


@pytest.mark.long("3 s")
def test_a_phone_that_disappears_is_announced(serve, monkeypatch):
    monkeypatch.setattr(pages, "_MISSED_S", 0.0)
    monkeypatch.setattr(pages, "_CUT_S", float("inf"))

    async def story(one, two, _):
        await one.until(lambda now: now.get("games"))
        for phone in (one, two):
            await phone.send(seat="take")
            await phone.until(lambda now: now["seat"])
        await one.is_at("opening", people=2)
        assert one.advice()[0] != "seat.gone"
        two.line._response.connection.transport.abort()
        gone = ["seat.gone", {"who": 2}]
        await one.until(lambda now: now["advice"] == [gone])
        assert one.state["seats"] == [1, 2]  # it may come back
        await one.send(seat="leave")
        await one.is_at("opening", people=1, seats=[])

    phones(serve(), story, 2)


@pytest.mark.long("5 s")
def test_nobody_waits_for_a_phone_that_disappeared(serve, monkeypatch):
    monkeypatch.setattr(pages, "_MISSED_S", 0.0)
    monkeypatch.setattr(pages, "_CUT_S", float("inf"))

    async def story(one, two, _):
        await _sit(one, two)
        await two.is_at("opening", waits=True, doing=[["seat.waits", {"who": 1}]])
        one.line._response.connection.transport.abort()
        gone = ["seat.gone", {"who": 1}]
        await two.is_at("opening", waits=True, advice=[gone], doing=[])

    phones(serve(), story, 2)


@pytest.mark.long("3 s")
def test_the_seat_of_a_phone_that_disappeared_is_free(serve, monkeypatch):
    monkeypatch.setattr(pages, "_MISSED_S", 0.0)
    monkeypatch.setattr(pages, "_CUT_S", 0.0)

    async def story(one, two, three, _):
        await one.until(lambda now: now.get("games"))
        for phone in (one, two):
            await phone.send(seat="take")
            await phone.until(lambda now: now["seat"])
        await three.is_at("opening", people=2, seats=[1, 2], waits=True)
        two.line._response.connection.transport.abort()
        await one.is_at("opening", people=1, seats=[1], waits=False)
        await three.is_at("opening", people=1, seats=[1], waits=True)
        await three.send(seat="take")
        await three.is_at("opening", seat=2, seats=[1, 2], people=1, waits=True)
        await one.until(lambda now: now["advice"] == [["seat.joined", {"who": 2}]])

    phones(serve(), story, 3)


async def _sit(*seated):
    for phone in seated:
        await phone.until(lambda now: now.get("games"))
        await phone.send(seat="take")
        await phone.until(lambda now: now["seat"] or now["place"])


async def _play(served, first, second):
    """A match of 1-1, which the first player wins."""
    served._loop.call_soon_threadsafe(served.kiosk.send, "new 1 1")
    for phone, row in ((first, "row1"), (second, "row2")):
        await phone.is_at("player", waits=False)
        await phone.tap(row)
        await phone.until(lambda now: now["picked"])
        await phone.tap("go")
    await first.is_at("verdict")


async def _go(phone):
    """Begin the next match. The verdict rests for a second: until then GO does nothing."""
    while phone.state["state"] != "opening":
        await phone.tap("go")
        await phone.until(lambda now, beat=phone.state["beat"]: now["beat"] > beat)


@pytest.mark.long("5 s")
def test_after_a_match_whoever_has_sat_longest_makes_room_for_who_waits(serve, monkeypatch):
    monkeypatch.setattr("nimatron_sim.ui.kiosk.visit._READ_S", 0)

    async def story(one, two, three, _):
        await _sit(one, two, three)
        await three.is_at("opening", seat=None, place=1)
        await three.until(lambda now: now["advice"] == [["seat.next", {"count": 1}]])
        await one.until(lambda now: ["seat.last", {}] in now["advice"])
        await _play(served, one, two)
        await three.is_at("verdict", waits=False, advice=[["seat.begin", {}]])
        await one.is_at("verdict", advice=[["seat.over", {}]])
        assert not {"seat.last", "seat.over"} & {key for key, _ in two.state["advice"]}
        await _go(three)
        for phone, seat in ((one, None), (two, 2), (three, 1)):
            await phone.is_at("opening", seat=seat, place=None, people=2, seats=[1, 2])
        await one.until(lambda now: now["advice"][0] == ["seat.given", {"take": "page.seat.take"}])
        await one.send(seat="take")
        await one.is_at("opening", place=1)
        await _play(served, three, two)
        await _go(two)  # who plays on all the same
        await one.is_at("opening", seat=2, waits=True)
        await two.is_at("opening", seat=None)
        await three.is_at("opening", seat=1, waits=False)

    served = serve()
    phones(served, story, 3)


def test_a_match_that_is_given_up_is_over_too(serve):
    async def story(one, two, three, four, _):
        await _sit(one, two, three, four)
        await four.is_at("opening", place=2)
        await one.send(level="child")  # counts for nobody: no machine plays
        await one.tap("row1")
        await one.is_at("player", seat=1)
        served._loop.call_soon_threadsafe(served.kiosk.send, "new")  # as by the panel's button
        await three.is_at("opening", seat=1, place=None)
        await four.is_at("opening", seat=2, place=None)
        await one.is_at("opening", seat=None)
        await two.is_at("opening", seat=None)

    served = serve()
    phones(served, story, 4)


def test_the_next_in_line_gets_the_seat_of_whoever_leaves(serve):
    async def story(one, two, three, four, _):
        await _sit(one, two, three, four)
        await three.send(seat="leave")  # waits no longer
        await four.until(lambda now: now["place"] == 1)
        await one.tap("row1")
        await one.is_at("player")
        await one.send(seat="leave")
        await four.is_at("opening", seat=1, people=2)
        await two.is_at("opening", seat=2)
        await three.is_at("opening", seat=None, place=None)

    phones(serve(), story, 4)


@pytest.mark.long("3 s")
def test_whoever_waits_plays_when_both_players_have_walked_away(serve):
    """The show returns to the attract picture: then all seats are free."""

    async def story(one, two, three, four, _):
        await _sit(one, two, three, four)
        await four.is_at("opening", place=2)
        served._loop.call_soon_threadsafe(served.kiosk.send, "lamps test")
        await three.is_at("opening", seat=1, people=2)
        await four.is_at("opening", seat=2)
        await one.is_at("opening", seat=None)

    served = serve()
    phones(served, story, 4)


def test_whoever_makes_no_move_for_a_minute_makes_room_for_who_waits(serve, monkeypatch):
    """Scrolling and touching keep the show going, but not a seat."""
    clock = SimpleNamespace(now=0.0, monotonic=lambda: clock.now)
    for module in ("visit", "chess_clock"):
        monkeypatch.setattr(f"nimatron_sim.ui.kiosk.{module}.time", clock)
    monkeypatch.setattr("nimatron_sim.ui.kiosk.visit._MATCH_S", 10_000)
    monkeypatch.setattr("nimatron_sim.ui.kiosk.kiosk._SECOND", 0.02)
    monkeypatch.setattr("nimatron_sim.ui.kiosk.peer.BEAT_S", 0.1)

    async def scroll(phone, now):
        clock.now = now
        await phone.send(here="1", n=phone.state["done"] + 1)
        await phone.until(lambda now, beat=phone.state["beat"]: now["beat"] > beat + 2)

    async def story(one, two, three, _):
        await _sit(one, two)
        await one.is_at("opening", people=2, seat=1)
        await scroll(one, 30)  # nobody waits
        await _sit(three)
        await one.tap("row1")
        await one.until(lambda now: now["state"] == "player" and now["picked"])
        await scroll(one, 89)
        await scroll(two, 89)  # not on turn
        await one.tap("row1")
        await one.until(lambda now: bin(now["picked"]).count("1") == 2)
        assert one.state["seat"] == 1 and two.state["seat"] == 2 and three.state["place"] == 1
        clock.now = 90
        await one.until(lambda now: now["advice"][0][0] == "seat.slow")
        await three.is_at("opening", seat=1, people=2, waits=False)
        await one.is_at("opening", seat=None, people=2)

        await three.tap("row1")
        await three.until(lambda now: now["picked"])
        await three.tap("go")
        await two.is_at("player", turn=2, waits=False)
        await scroll(two, 209)  # nobody is in line any more
        assert two.state["seat"] == 2
        clock.now = 210
        await two.until(lambda now: now["seat"] is None)
        await three.is_at("opening", people=1, seat=1, waits=False)
        await three.tap("row1")
        await three.until(lambda now: now["picked"])
        await three.tap("go")
        await three.until(lambda now: len(now["match"]) == 2)
        assert three.state["match"][1]["by"] == "machine"

    phones(serve(), story, 3)


def test_a_page_that_has_gone_does_not_wait(serve, monkeypatch):
    async def story(one, two, three, four, _):
        await _sit(one, two, three, four)
        await four.is_at("opening", place=2)
        await three.line.close()
        monkeypatch.setattr(pages, "_MISSED_S", 0.0)
        monkeypatch.setattr(pages, "_CUT_S", 0.0)
        await four.until(lambda now: now["place"] == 1)
        await one.tap("row1")
        await one.is_at("player")
        await one.send(seat="leave")
        await four.is_at("opening", seat=1)

    phones(serve(), story, 4)


@pytest.mark.long("a quarter of a minute of waiting")
def test_seats_end_with_the_visit(serve):
    async def story(one, two, _):
        await one.until(lambda now: now.get("games"))
        for phone in (one, two):
            await phone.send(seat="take")
        await one.is_at("opening", people=2)
        await one.is_at("attract", people=1, seats=[], seat=None)

    phones(serve("set idle_ms 15000", "set warning_ms 1000"), story, 2)


# ---------------------------------------------------------------------- cuts


def test_a_press_is_done_once_however_often_it_is_sent():
    async def story(house):
        cut, first = await house.look()
        await cut.send_json({"press": "row1", "n": 1})
        await house.done("press row1")
        cut._response.connection.transport.abort()

        again, _ = await house.look()
        await again.send_json({"again": first["you"]})
        for n, button in enumerate(("row1", "row2"), 1):
            await again.send_json({"press": button, "n": n})
        await house.done("press row2")
        await until(lambda: house.kiosk.state["held"] == ["row2"])
        presses = [what for what in house.session.done if what.startswith("press")]
        assert presses == ["press row1", "press row2"]

    visited(story)


def test_whoever_was_a_watcher_comes_back_as_one():
    async def story(house):
        _, first = await house.look()
        again, second = await house.look()
        await again.send_json({"again": first["you"]})
        phone = Phone(again)
        phone.state = second
        await phone.until(lambda now: now["you"] == first["you"])
        await phone.send(press="go")
        await phone.send(token="open sesame!")
        await phone.until(lambda now: now["control"])
        await phone.send(press="new")
        await house.done("press new")
        assert "press go" not in house.session.done

    visited(story, public=PROXY, tokens=Tokens(visitor="open sesame!"))


@pytest.mark.parametrize(
    ("address", "token", "right"),
    [("192.0.2.8", "open sesame!", True), ("192.0.2.7", "", False), ("192.0.2.8", "", False)],
)
def test_the_id_of_a_page_is_of_no_use_to_others(monkeypatch, address, token, right):
    """It gives nobody a seat from another address, and nobody a right that they have not got."""
    monkeypatch.setattr(web.BaseRequest, "remote", property(lambda asked: asked.headers["From"]))

    async def story(house):
        page, first = await house.look(headers={"From": "192.0.2.7"})
        for message in ({"token": "open sesame!"}, {"seat": "take"}):
            await page.send_json(message)
        await until(lambda: house.kiosk.visit.seats == [1])
        line, second = await house.look(headers={"From": address})
        other = Phone(line)
        other.state = second
        if token:
            await other.send(token=token)
        await other.send(again=first["you"])
        await other.send(language="en", n=1)
        await other.until(lambda now: now["done"] == 1)
        assert other.state["control"] is right and other.state["seat"] is None
        assert other.state["you"] == second["you"] and not page.closed

    visited(story, "0.0.0.0", tokens=Tokens(visitor="open sesame!"))


def test_after_go_a_press_is_not_the_other_players():
    """Between GO and what the machine makes of it, the server does not know whose turn it is."""

    async def story(house):
        one, first = await house.look()
        two, _ = await house.look()
        await one.send_json({"seat": "take"})
        await until(lambda: house.kiosk.visit.seats == [1])
        await two.send_json({"seat": "take"})
        await house.done("send choose players 2")
        status = "ok game=nim rule=misere level=fair state=player rows=3,4,5,0 picked=0,0,0,0"
        house.session.record({"console": f"{status} players=2"})
        house.session.record({"console": "event turn=player-1"})
        await until(lambda: house.kiosk.state["turn"] == 1 and house.kiosk.state["people"] == 2)
        await one.send_json({"press": "go"})
        await one.send_json({"press": "row2", "n": 1})
        phone = Phone(one)
        phone.state = first
        await phone.until(lambda now: now["done"] == 1)
        await phone.until(lambda now: now["advice"][0][0] == "seat.not-yours")
        assert "press row2" not in house.session.done
        house.session.record({"console": "event turn=player-2"})
        await until(lambda: house.kiosk.state["turn"] == 2)
        await two.send_json({"press": "row2"})
        await house.done("press row2")

    visited(story)


def test_a_page_that_comes_back_keeps_its_seat_and_its_right_to_play(serve):
    async def story(one, two, come):
        for phone in (one, two):
            await phone.send(token="open sesame!")
            await phone.until(lambda now: now["control"] and now.get("games"))
            await phone.send(seat="take")
        await one.is_at("opening", people=2)
        you = two.state["you"]
        back = await come()  # while the old line still seems to be there
        assert not back.state["control"]
        await back.send(token="open sesame!")
        await back.send(again=you)
        await back.until(lambda now: now["seat"] == 2 and now["control"])
        while not two.line.closed:
            await two.line.receive(timeout=PATIENCE_S)

    phones(serve(token="open sesame!"), story, 2)


@pytest.mark.sampled("2 s each")
@pytest.mark.parametrize("you", ["", "guess", "x" * 800])
def test_a_made_up_page_gets_nothing(serve, you):
    async def story(phone, _):
        await phone.send(again=you)
        await phone.send(press="go")
        await phone.send(again=phone.state["you"])
        await phone.until(lambda now: now["beat"] >= 2 and now.get("state") == "attract")
        assert not phone.state["control"]

    phones(serve(token="open sesame!"), story)


def test_a_button_that_somebody_holds_is_kept_from_nobody(serve, monkeypatch):
    monkeypatch.setattr("nimatron_sim.ui.kiosk.owner.STILL_S", 0)
    monkeypatch.setattr("nimatron_sim.ui.kiosk.owner._ANSWER_S", 0)

    async def story(one, two, _):
        await one.is_at("player")
        await one.send(press="go")
        await one.until(lambda now: now["held"] == ["go"])
        await two.tap("row1")
        await two.until(lambda now: now["picked"])
        await two.tap("go")
        await two.until(lambda now: now["match"])

    phones(serve("new 3 4 5"), story, 2)


def test_a_crowd_that_watches_makes_nobody_forgotten_who_plays():
    known = Pages()
    player = known.open(Page(control=True, viewer=object()))
    player.viewer, player.left_at = None, time.monotonic()
    for _ in range(3000):
        known.open(Page(control=False, left_at=time.monotonic()))
    assert known.find(player.you) is player


def test_the_seat_of_a_page_that_was_closed_is_free(serve, monkeypatch):
    async def story(one, two, come):
        await one.until(lambda now: now.get("games"))
        await one.send(seat="take")
        await one.until(lambda now: now["seat"] == 1)
        await one.line.close()
        monkeypatch.setattr(pages, "_CUT_S", 0)
        await two.send(seat="take")
        await two.until(lambda now: now["seat"] == 1)

    phones(serve(), story, 2)


def test_what_a_page_holds_is_let_go_when_its_line_is_silent(serve, monkeypatch):
    """The server notices a cut that nobody tells it of."""
    monkeypatch.setattr("nimatron_sim.ui.kiosk.server.PING_S", 3)  # half of it to answer

    async def story(phone, come):
        await phone.is_at("player")
        await phone.send(press="row1")
        await phone.until(lambda now: now["held"] == ["row1"])
        phone.line._response.connection.transport.pause_reading()  # no pong comes
        other = await come()
        await other.until(lambda now: now["held"] == [])
        phone.line._response.connection.transport.abort()  # otherwise the test waits for it

    phones(serve("new 3 4 5"), story)


def test_the_server_gives_signs_of_life(serve, monkeypatch):
    monkeypatch.setattr("nimatron_sim.ui.kiosk.peer.BEAT_S", 0.1)

    async def story(phone, _):
        await phone.until(lambda now: now.get("beat", 0) >= 3)

    phones(serve(), story)


# ---------------------------------------------------------------------- around it


def test_watchers_are_told_that_they_watch(serve):
    async def story(phone, _):
        assert phone.state["control"] is False
        assert phone.advice() == ["seat.scan", {}]
        await phone.send(token="a wrong one indeed")
        await phone.until(lambda now: now.get("denied"))
        await phone.send(token="open sesame!")
        await phone.until(lambda now: now["control"])
        assert phone.advice()[0] != "seat.scan"

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
    async def story(player, watcher, _):
        await player.send(language="es")
        await player.is_at("player")
        await watcher.send(language="fr", n=1)
        await watcher.until(lambda now: now["done"] == 1)
        await player.tap("row1")
        await player.tap("go")
        await watcher.is_at("verdict", today={"played": 1, "won": 1})

    served = serve("new 1 1", matches=Matches(tmp_path / "matches.sqlite"))
    phones(served, story, 2)
    (match,) = served.kiosk.matches.rows()
    assert match[COLUMNS.index("language")] == "es"


def test_an_old_firmware_says_so(serve, monkeypatch):
    """It answers `unknown-command`: then no touch is offered any more."""
    touch = machine.Attendant.touch

    def old(attendant, lamp, answered):
        answered("error reason=unknown-command got=pick")
        return touch(attendant, 27)

    monkeypatch.setattr(machine.Attendant, "touch", old)

    async def story(phone, _):
        await phone.is_at("player")
        await phone.send(touch="0")
        await phone.until(lambda now: now["advice"][0][0] == "seat.old")
        assert phone.state["touch"] == [None] * 28

    phones(serve("new 3 4 5"), story)
