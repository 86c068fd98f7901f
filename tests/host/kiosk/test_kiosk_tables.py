"""Tables: a table for each page, a friend opposite, and a machine that exists once."""

import aiohttp
import pytest
from aiohttp import web
from test_kiosk_visit import lit

from nimatron_host.kiosk import tables
from nimatron_host.kiosk.tokens import Tokens
from nimatron_play import pages, table
from served_kiosk import Phone, until

# ---------------------------------------------------------------------- each page


async def test_strangers_share_no_machine(phones, serve):
    wall, come = await phones(serve("new 3 4 5"))
    one, two = await come(), await come()
    assert len({phone.state["table"] for phone in (wall, one, two)}) == 3
    for phone in (one, two):
        await phone.is_at("player", waits=False, offer="")
        await phone.until(lambda now: now["touch"][0])
    await one.send(touch="0")
    await one.until(lambda now: lit(now["picked"]) == [3, 0, 0, 0])
    await two.send(touch="7")
    await two.until(lambda now: lit(now["picked"]) == [0, 4, 0, 0])
    assert lit(one.state["picked"]) == [3, 0, 0, 0] and not wall.state["picked"]


async def test_the_first_page_on_this_computer_is_the_wall(phones, serve):
    served = serve()
    (come,) = await phones(served, 0)
    wall = await come()
    assert wall.state["table"] == served.machine.visit.name
    await wall.line.close()
    await until(lambda: not served.machine.viewers)
    again = await come()
    assert again.state["table"] == served.machine.visit.name and not again.state["waits"]


async def test_an_empty_table_is_cleared(phones, serve, monkeypatch):
    monkeypatch.setattr(tables, "_SECOND", 0.02)
    served = serve()
    _wall, come = await phones(served)
    phone = await come()
    assert len(served.tables.all) == 2
    await phone.line.close()
    monkeypatch.setattr(tables, "_EMPTY_S", 0.1)
    await until(lambda: served.tables.all == [served.kiosk])


@pytest.mark.parametrize("limits", [{"most": 3}, {"each": 2}])
async def test_a_page_without_a_table_is_told_so_until_one_is_empty(
    phones, serve, monkeypatch, limits
):
    monkeypatch.setattr(web.BaseRequest, "remote", "192.0.2.7")
    served = serve(**limits)
    (come,) = await phones(served, 0)
    one, two, three = await come(), await come(), await come()
    assert three.state["control"] is False and three.state["table"] == served.machine.visit.name
    assert three.state["advice"] == [["table.full", {}]] and three.state["offer"] == "table"
    await three.send(press="go")  # which counts nowhere
    await three.send(table="", n=1)
    await three.until(lambda now: now["done"] == 1)
    assert three.state["control"] is False

    def viewers():
        return sum(len(table.machine.viewers) for table in served.tables.all)

    await one.line.close()
    await until(lambda: viewers() == 2)
    await two.line.close()
    await until(lambda: viewers() == 1)
    await three.send(table="", n=2)
    await three.until(lambda now: now["control"])
    back = await come(two.state["table"], two.state["you"])  # the oldest empty table was closed
    assert back.state["you"] == two.state["you"]
    assert len(served.tables.all) == 3


async def test_a_page_without_the_token_gets_no_table_and_invites_nobody(phones, serve):
    served = serve(token="open sesame!")
    phone, come = await phones(served)
    await come()
    assert served.tables.all == [served.kiosk] and phone.state["control"] is False
    assert phone.advice() == ["table.scan", {}]
    await phone.send(token="a wrong one indeed")
    await phone.until(lambda now: now["denied"])
    assert served.tables.all == [served.kiosk]
    await phone.send(invite="1")  # which is refused
    await phone.send(token="open sesame!")
    await phone.until(lambda now: now["control"])
    assert len(served.tables.all) == 2 and phone.state["invitation"] is None
    await phone.send(invite="1")
    await phone.until(lambda now: now["invitation"])
    assert "#token=open sesame!&table=" in phone.state["invitation"]["link"]


async def test_a_table_whose_pico_stops_is_cleared(phones, serve, caplog, monkeypatch):
    monkeypatch.setattr(tables, "_SECOND", 0.02)
    served = serve()
    wall, come = await phones(served)
    await come()
    _, other = served.tables.all
    served.do(other._fail, ZeroDivisionError("by zero"))
    await until(lambda: served.tables.all == [served.kiosk])
    assert wall.state["state"] == "attract"
    assert "table 2 has stopped: the Pico has stopped: ZeroDivisionError" in caplog.text


# ---------------------------------------------------------------------- a friend


async def test_a_friends_link_leads_to_the_place_opposite(phones, serve):
    served = serve()
    host, come = await phones(served)
    await host.send(invite="1")
    await host.until(lambda now: now["invitation"])
    link, code = (host.state["invitation"][key] for key in ("link", "code"))
    assert link == f"{served.url}#table={host.state['table']}" and code.startswith("<svg")
    guest = await come(host.state["table"])
    for phone, who in ((host, 1), (guest, 2)):
        await phone.is_at("opening", people=2, waits=who == 2)
        await phone.until(lambda now, who=who: ["table.you", {"who": who}] in now["advice"])


async def test_two_friends_play_each_other(phones, serve):
    one, two, _ = await phones(serve(), 2)
    for phone in (one, two):
        await phone.is_at("opening", people=2)
    await two.tap("row1")  # too early
    await two.until(lambda now: now["advice"] == [["table.waits", {"who": 1}]])
    await one.tap("row1")
    await one.until(lambda now: now["picked"])
    await one.tap("go")
    await one.tap("row2")  # too late, because it would be the other player's turn
    await two.is_at("player", waits=False)
    await two.tap("row2")
    await two.until(lambda now: now["picked"])
    await two.tap("go")
    move = ["move.row.people", {"count": 1, "row": 2, "who": "2"}]
    await one.until(lambda now: now["doing"][0] == move)


async def test_a_third_page_and_a_player_open_their_own_tables_with_one_tap(phones, serve):
    served = serve()
    one, two, three, _ = await phones(served, 3)
    await three.is_at("opening", people=2, waits=True, offer="table")
    for message in ({"press": "row1"}, {"game": "chomp"}, {"lesson": "1"}, {"touch": "0"}):
        await three.send(**message)
    await one.tap("row1")
    await one.until(lambda now: now["picked"])
    assert one.state["game"] == "nim" and sum(lit(one.state["picked"])) == 1
    await three.send(table="", n=1)
    await three.until(lambda now: now["table"] != served.machine.visit.name)
    await three.is_at("attract", people=1, waits=False, offer="", picked=0)
    await two.until(lambda now: now["picked"] == one.state["picked"])
    await two.send(table="")
    await one.until(lambda now: ["table.left", {"who": 2}] in now["doing"])
    await one.send(alone="1")
    await one.is_at("opening", people=1, waits=False, offer="")


@pytest.mark.parametrize("returns", [True, False])
async def test_a_player_who_is_cut_off_keeps_the_place_for_a_minute(
    phones, serve, monkeypatch, returns
):
    monkeypatch.setattr(pages, "_MISSED_S", 0.0)
    monkeypatch.setattr(tables, "_SECOND", 0.02)
    served = serve()
    one, two, come = await phones(served, 2)
    await one.is_at("opening", people=2)
    await two.until(lambda now: now["waits"])
    two.line._response.connection.transport.abort()
    await one.until(lambda now: ["table.away", {"who": 2}] in now["doing"])
    assert one.state["offer"] == "machine" and not one.state["waits"]
    if not returns:
        monkeypatch.setattr(pages, "_KEPT_S", 0.0)
        await one.until(lambda now: ["table.left", {"who": 2}] in now["doing"])
        two = await come(served.machine.visit.name)  # a player who has the link
    else:
        two = await come(served.machine.visit.name, two.state["you"])
    await one.until(lambda now: not now["offer"])
    await one.tap("row1")
    await two.until(lambda now: now["picked"])
    await one.tap("go")
    await two.is_at("player", people=2, waits=False)


# ---------------------------------------------------------------------- a machine that exists once


async def strangers(house):
    """Return two pages at a machine that exists only once. The first page plays."""
    found = []
    for _ in range(2):
        line, first = await house.look(own=True)
        found.append(Phone(line))
        found[-1].state = first
    one, two = found
    assert one.state["table"] == two.state["table"] and not one.state["invites"]
    await one.send(press="go")
    await house.done("press go")
    house.session.record({"console": "event state=player"})
    await two.is_at("player", offer="table", advice=[["table.taken", {"who": 0}]])
    return found


async def test_the_first_press_has_the_lease_until_the_verdict(open_house):
    house = await open_house(places=1)
    one, two = await strangers(house)
    assert not two.state["waits"]  # its buttons look as if they could be pressed
    await two.send(press="row1")
    await two.until(lambda now: now["advice"] == [["table.next", {"who": 0}]])
    await one.until(lambda now: now["advice"] == [["table.wanted", {"who": 0}]])
    assert "press row1" not in house.session.done
    house.session.record({"console": "event over winner=machine"})
    house.session.record({"console": "event state=verdict"})
    await two.is_at("verdict", offer="")
    await two.send(press="row2")
    await house.done("press row2")


async def test_a_page_opens_a_simulated_table_beside_a_machine_that_exists_once(open_house):
    house = await open_house(places=1)
    _, two = await strangers(house)
    await two.send(table="", n=1)
    await two.is_at("attract", invites=True)
    await two.send(press="go")
    await until(lambda: "press go" in house.sessions[1].done)
    assert house.session.done.count("press go") == 1


@pytest.mark.parametrize(("still", "most", "touches"), [(0, 10**9, False), (10**9, 0, True)])
async def test_who_wants_the_lease_gets_it(open_house, monkeypatch, still, most, touches):
    """The lease moves on, with a new match, if its holder is inactive or has had it for long."""
    monkeypatch.setattr(tables, "_SECOND", 0.02)
    house = await open_house(places=1)
    one, two = await strangers(house)
    await two.send(press="row1")
    await two.until(lambda now: now["advice"] == [["table.next", {"who": 0}]])
    if touches:
        await one.send(here="1")
    monkeypatch.setattr(table, "STILL_MS", still)
    monkeypatch.setattr(table, "MOST_MS", most)
    await house.done("send new")
    await two.until(lambda now: now["advice"] == [["table.yours", {"who": 0}]])
    await one.until(lambda now: now["advice"] == [["table.lost", {"who": 0}]])
    await two.send(press="row2")
    await house.done("press row2")


# ---------------------------------------------------------------------- what counts them


async def test_the_operator_sees_all_tables_and_closes_one(open_house):
    house = await open_house(tokens=Tokens(operator="the-operators"))
    await house.look(own=True)
    phone, _ = await house.look(own=True)
    operator = Phone(await house.operate("the-operators"))
    await operator.until(lambda now: now.get("tables"))
    (seen,) = operator.state["tables"]
    assert (seen["number"], seen["pages"], seen["state"]) == (2, 1, "attract")
    await operator.send(close="2")
    await operator.until(lambda now: not now["tables"])
    while not phone.closed:
        await phone.receive()
    answer = await house.client.get("/health")
    assert (await answer.json())["tables"] == 1
    await operator.send(close="1")  # the first one stays
    await house.look()


async def test_health_and_metrics_count_all_tables(phones, serve):
    """A broker also gets the results from all tables."""
    served = serve("new 1 1")
    wall, come = await phones(served)
    told = []
    served.tables.told = told.append
    phone = await come()
    await phone.is_at("player")
    await phone.tap("row1")
    await phone.tap("go")
    for one in (phone, wall):
        await one.until(lambda now: now["today"] == {"played": 1, "won": 1})
    async with aiohttp.ClientSession() as session:
        health = await (await session.get(f"{served.url}health")).json()
        metrics = await (await session.get(f"{served.url}metrics")).text()
    assert (health["tables"], health["viewers"], health["today"]["played"]) == (2, 2, 1)
    assert "nimatron_tables 2.0" in metrics and "nimatron_matches_today 1.0" in metrics
    assert [line.split()[:2] for line in told] == [["event", "over"]]
