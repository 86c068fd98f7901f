"""Two roles: the limits of a visitor's page, and the rights of the operator's."""

import asyncio
import csv
import io
import json
import re

import aiohttp
import pytest
from patience import PATIENCE_S
from test_kiosk_server import closed

from nimatron_host.kiosk import connections, server, tokens
from nimatron_host.kiosk.matches import COLUMNS, Match, Matches
from nimatron_host.kiosk.tokens import Tokens
from nimatron_play import pico_reports, words
from served_kiosk import OPERATOR, PROXY, until

BOTH = Tokens(visitor="the-visitors'", operator=OPERATOR)
ONLY_OPERATOR = Tokens(operator=OPERATOR)
BEARER = {"Authorization": f"Bearer {OPERATOR}"}
GUARDED = ("/operator/figures.json", "/operator/matches.csv", "/operator/matches.json")


async def trusted(operator):
    """Return the first state after the token."""
    while not (news := await operator.receive_json(timeout=PATIENCE_S)).get("trusted"):
        pass
    return news


async def test_a_console_line_and_its_answer_are_the_operators(open_house):
    house = await open_house(tokens=ONLY_OPERATOR)
    operator = await house.operate()
    assert (await trusted(operator))["state"] == "attract"
    await operator.send_json({"send": "version"})
    await house.done("send version")
    for _ in range(house.session.done.count("send version") + 10):
        house.session.record({"console": "ok name=nimatron"})
    await until(lambda: "ok name=nimatron" in house.machine.said)
    assert "> version" in house.machine.said


@pytest.mark.parametrize("tokens", [ONLY_OPERATOR, BOTH])
@pytest.mark.parametrize("verb", ["send", "ask", "set", "operator"])
async def test_no_visitor_reaches_the_console(open_house, verb, tokens, caplog):
    house = await open_house(tokens=tokens)
    viewer, _ = await house.look()
    await viewer.send_json({"token": BOTH.visitor})
    before = [what for what in house.session.done if what.startswith("send")]
    await viewer.send_json({verb: "reboot"})
    await viewer.send_json({"press": "go"})
    await house.done("press go")
    assert [what for what in house.session.done if what.startswith("send")] == before
    assert "unknown kind of message" in caplog.text


async def test_the_operators_token_opens_nothing_on_the_visitors_socket(open_house, caplog):
    house = await open_house("192.0.2.1", PROXY, tokens=BOTH)
    viewer, _ = await house.look()
    await viewer.send_json({"token": OPERATOR})
    await until(lambda: "a wrong token" in caplog.text)
    await viewer.send_json({"press": "go"})
    await until(lambda: "may only look" in caplog.text)
    assert "press go" not in house.session.done


async def test_no_visitor_sees_what_the_console_says(open_house):
    house = await open_house(tokens=ONLY_OPERATOR)
    viewer, first = await house.look()
    house.session.record({"console": "event secret=1"})
    house.session.lit(1)
    seen = first | await viewer.receive_json()
    assert not {"said", "pico", "trusted", "operator"} & set(seen)
    assert "secret" not in json.dumps(seen)


def test_no_file_of_the_visitors_page_knows_the_operator():
    words = re.compile(r"operator/|console|maintenance\b.*send|\bsend:|Bearer", re.I)
    page = [path for path in server.PAGE.iterdir() if path.suffix in (".html", ".js")]
    assert page
    for path in page:
        assert not words.search(path.read_text()), path.name


async def test_nothing_happens_before_the_token(open_house, caplog):
    house = await open_house(tokens=ONLY_OPERATOR)
    operator = await house.client.ws_connect("/operator/look")
    await operator.send_json({"send": "reboot"})
    await until(lambda: "not the operator" in caplog.text)
    message = await operator.receive_json(timeout=PATIENCE_S)
    assert set(message) == {"beat"}
    assert "send reboot" not in house.session.done


@pytest.mark.sampled("a second each")
@pytest.mark.parametrize("token", ["", "x" * 900, "the-operator", OPERATOR + "x", BOTH.visitor])
async def test_a_wrong_token_is_shown_out(open_house, token, caplog):
    house = await open_house(tokens=BOTH)
    operator = await house.operate(token)
    await closed(operator)
    assert operator.close_code == 1008
    assert "a wrong token" in caplog.text
    assert not token or token not in caplog.text


async def test_whoever_never_sends_a_token_is_shown_out(open_house, monkeypatch):
    monkeypatch.setattr(connections, "LOGIN_S", 0.05)
    house = await open_house(tokens=ONLY_OPERATOR)
    await closed(await house.client.ws_connect("/operator/look"))


async def test_strangers_do_not_keep_the_operator_out(open_house, monkeypatch):
    monkeypatch.setattr(connections, "LOGIN_S", 600)  # they would continue their own match
    house = await open_house(tokens=ONLY_OPERATOR)
    strangers = [await house.client.ws_connect("/operator/look") for _ in range(20)]
    operator = await house.operate()
    await trusted(operator)
    await closed(strangers[0])
    assert not operator.closed
    assert len(house.machine.operators) <= 8 + 1


async def test_guessing_takes_ages(open_house, monkeypatch):
    slept = []
    sleep = asyncio.sleep

    async def see(seconds, *rest):
        slept.append(seconds)
        await sleep(0)

    house = await open_house(tokens=ONLY_OPERATOR)
    monkeypatch.setattr(server.asyncio, "sleep", see)
    answer = await house.client.get(GUARDED[0], headers={"Authorization": "Bearer guess"})
    monkeypatch.undo()
    assert answer.status == 401 and slept.count(tokens.WRONG_S) == 1


async def test_a_visitor_cannot_bury_the_console(open_house, caplog):
    """A Pico answers only a few lines each second. Visitors cannot type more."""
    house = await open_house()
    for line in (
        "event state=opening",
        "ok level=easy saved=1",
        "ok game=nim rule=misere level=fair state=opening rows=3,4,5,0 picked=0,0,0,0",
    ):
        house.session.record({"console": line})
    await until(lambda: house.machine.state["touch"][0])
    viewer, _ = await house.look()
    for _ in range(100):
        await viewer.send_json({"touch": "0"})
    await viewer.send_json({"press": "go"})
    await house.done("press go")
    typed = [what for what in house.session.done if what.startswith("send pick")]
    assert 0 < len(typed) <= 24


async def test_without_a_token_there_is_no_operator(open_house):
    house = await open_house()
    with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
        await house.client.ws_connect("/operator/look")
    assert refused.value.status == 404
    for path in GUARDED:
        for headers in ({}, {"Authorization": "Bearer None"}, {"Authorization": "Bearer "}):
            assert (await house.client.get(path, headers=headers)).status == 401


async def test_without_its_slash_the_operators_page_is_found_too(open_house):
    house = await open_house(tokens=ONLY_OPERATOR)
    answer = await house.client.get("/operator?token=x", allow_redirects=False)
    assert (answer.status, answer.headers["Location"]) == (302, "operator/")
    page = await house.client.get("/operator")
    assert page.status == 200 and page.url.path == "/operator/"
    assert await page.text() == (server._FOLDERS["/operator/"] / "index.html").read_text()


@pytest.mark.long("3 s")
async def test_figures_need_the_operators_token(open_house, tmp_path):
    matches = Matches(tmp_path / "matches.sqlite")
    matches.add(Match("2026-11-22T10:00:00", 60, "nim", "fair", "misere", "player", 5))
    house = await open_house(tokens=BOTH, matches=matches)
    for path in GUARDED:
        for wrong in (
            {},
            {"Authorization": f"Bearer {BOTH.visitor}"},
            {"Authorization": OPERATOR},
        ):
            assert (await house.client.get(path, headers=wrong)).status == 401
    figures, text, rows = [
        await (await house.client.get(path, headers=BEARER)).read() for path in GUARDED
    ]
    assert json.loads(figures)["all"]["total"] == {
        "people": 1,
        "machine": 0,
        "together": 0,
        "abandoned": 0,
    }
    header, row = csv.reader(io.StringIO(text.decode()))
    assert tuple(header) == COLUMNS and row[2:6] == ["nim", "fair", "misere", "player"]
    assert json.loads(rows)[0]["moves"] == 5


async def test_the_poster_is_of_this_exhibit(open_house):
    house = await open_house(tokens=BOTH)
    path, headers = "/operator/poster", {"headers": BEARER}
    assert (await house.client.get(path)).status == 401
    assert (await house.client.get(path, **headers)).status == 404  # no phone can reach it
    house.tables.link = "http://192.0.2.7:8000/"
    house.machine.facts.told["settings"] = {"game": "kayles", "rule": "normal"}
    page = await (await house.client.get(f"{path}?language=es", **headers)).text()
    assert f"http://192.0.2.7:8000/#token={BOTH.visitor}<".replace("'", "&#x27;") in page
    assert page.index('lang="es"') < page.index('lang="de"')
    assert sorted(re.findall(r'lang="(\w+)"', page)) == words.codes()
    spanish = words.table("es")
    assert spanish["rules.kayles"] in page and spanish["rule.normal"][-6:] in page
    house.machine.surroundings.pages.change("language", "de")
    page = await (await house.client.get(f"{path}?language=es", **headers)).text()
    assert page.index('lang="de"') < page.index('lang="es"')


async def test_health_and_metrics_are_for_this_computer_or_the_operator(open_house):
    house = await open_house("192.0.2.1", tokens=ONLY_OPERATOR)
    for path in ("/health", "/metrics"):
        assert (await house.client.get(path)).status == 200
        for proxied in ("X-Forwarded-For", "Forwarded", "Via"):
            headers = {proxied: "192.0.2.7"}
            assert (await house.client.get(path, headers=headers)).status == 401
            headers |= BEARER
            assert (await house.client.get(path, headers=headers)).status == 200
        rebound = {"Host": "evil.example"}
        assert (await house.client.get(path, headers=rebound)).status == 403
    health = await (await house.client.get("/health")).json()
    assert health["ok"] and health["state"] == "attract" and health["matches_kept"]
    house.session.record({"console": "event boot version=1 mode=exhibit why=watchdog"})
    house.session.record({"cable": 0})
    await until(lambda: house.machine.state["state"] == "away")
    answer = await house.client.get("/health")
    assert answer.status == 503 and (await answer.json())["resets"] == 1
    text = await (await house.client.get("/metrics")).text()
    assert "nimatron_up 0.0" in text and "nimatron_resets_total 1.0" in text


async def test_a_fault_is_noticed_and_shown_with_its_place(open_house, caplog):
    house = await open_house(tokens=ONLY_OPERATOR, place="at {}".format)
    operator = await house.operate()
    await trusted(operator)
    assert "send health" in house.session.done
    house.session.record({"console": "ok level=easy saved=1"})
    house.session.record({"console": "error reason=unknown-command"})  # of status
    house.session.record({"console": "ok uptime_s=9 failed=coin lamps=lamp:3.5:open celsius=31"})
    while "places" not in (news := await operator.receive_json(timeout=PATIENCE_S)):
        pass
    assert news["failures"] == ["coin", "lamp:3.5:open"]
    assert news["places"] == {"lamp:3.5:open": "at lamp:3.5:open"}
    answer = await house.client.get("/health")
    assert answer.status == 503
    assert (await answer.json())["failures"] == ["coin", "lamp:3.5:open"]
    assert "nimatron_pico_celsius 31.0" in await (await house.client.get("/metrics")).text()
    assert "coin has failed" in caplog.text


async def test_an_idle_pico_is_asked_now_and_then(open_house, monkeypatch):
    monkeypatch.setattr(pico_reports, "EVERY_S", 0.02)
    house = await open_house()
    await until(lambda: house.session.done.count("send health") > 3)


async def test_whoever_asks_before_the_pico_has_started_is_answered_when_it_has(serve):
    """Otherwise, answers to lines from before the start would seem to answer later lines."""
    served = serve()
    facts = served.machine.facts
    served.do(facts.ask)
    await until(lambda: set(facts.told) == {"health", "stats", "settings", "version"})


async def test_the_first_start_is_no_reset(serve):
    served = serve()
    machine = served.machine
    await until(lambda: machine.state["state"] == "attract")
    assert machine.playing.resets == 0
    served.do(machine.send, "reboot")
    await until(lambda: machine.playing.resets == 1)


@pytest.mark.parametrize(
    ("state", "said"), [("maintenance", "do.serviced"), ("crashed", "do.crashed")]
)
async def test_visitors_drop_no_tokens_in_maintenance(open_house, state, said):
    house = await open_house(tokens=ONLY_OPERATOR)
    viewer, _ = await house.look()
    operator = await house.operate()
    await trusted(operator)
    await viewer.send_json({"press": "row1"})
    await house.done("press row1")
    house.session.record({"console": f"event state={state}"})
    while (news := await viewer.receive_json(timeout=PATIENCE_S)).get("state") != state:
        pass
    assert news["advice"] == [[said, {}]]
    await viewer.send_json({"press": "new"})
    await viewer.send_json({"touch": "0"})
    await viewer.send_json({"release": "row1"})
    await house.done("release row1")
    assert "press new" not in house.session.done
    await operator.send_json({"send": "test coin"})
    await house.done("send test coin")
