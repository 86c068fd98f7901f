"""The kiosk without a browser: the rights to press and to look, and the pages that make room."""

import asyncio
import json
import logging
import socket

import aiohttp
import pytest
from aiohttp import web
from patience import PATIENCE_S

from nimatron_host.kiosk import server
from nimatron_host.kiosk.served_table import Kiosk
from nimatron_host.kiosk.tables import Tables
from nimatron_host.kiosk.tokens import Tokens
from nimatron_sim.errors import UserError
from served_kiosk import PROXY, FakeSession, until

# ---------------------------------------------------------------------- seeing and pressing


async def test_a_viewer_gets_everything_then_only_what_changes(open_house):
    house = await open_house()
    await house.done("send level easy")
    viewer, first = await house.look()
    assert first["state"] == "attract" and len(first["lamps"]) == 28
    assert first["languages"].items() >= {"en": "English", "es": "Español"}.items()
    house.session.lit(0b101)
    assert await viewer.receive_json() == {"lamps": [1, 0, 1] + [0] * 25}


async def test_a_closed_page_lets_go_of_what_it_holds(open_house):
    house = await open_house()
    one, _ = await house.look()
    await one.send_json({"press": "go"})
    await one.send_json({"release": "go"})
    await one.send_json({"press": "new"})
    await house.done("press new")
    assert house.session.done.count("release go") == 1
    await one.close()
    await house.done("release new")


async def test_a_slow_viewer_keeps_nobody_waiting_and_then_sees_the_latest(
    open_house, monkeypatch
):
    """The buffers of two sockets take a few messages, and further messages are never made."""
    monkeypatch.setattr(server, "PING_S", 600)  # it answers no ping, however long this takes
    house = await open_house()
    made, dumps = [], json.dumps

    def count(*args, **options):
        made.append(dumps(*args, **options))
        return made[-1]

    slow, _ = await house.look()
    slow._response.connection.transport.pause_reading()
    monkeypatch.setattr(json, "dumps", count)
    for mask in range(20_000):
        house.session.lit(mask % 127 + 1)
        house.session.record({"legends": ["x" * 2000] if mask % 2 else []})
        await asyncio.sleep(0)
    assert 0 < len(made) < 10_000
    viewer = next(iter(house.machine.viewers))
    assert viewer.peer._socket._writer.transport.get_write_buffer_size() < 300_000
    quick, _ = await house.look()
    house.session.lit(0b101)
    await sees(quick, [1, 0, 1])
    slow._response.connection.transport.resume_reading()
    await sees(slow, [1, 0, 1])


async def sees(viewer, lamps):
    while (await viewer.receive_json(timeout=PATIENCE_S)).get("lamps", [])[:3] != lamps:
        pass


# ---------------------------------------------------------------------- who may


async def test_spectators_cannot_press_or_talk(open_house, caplog):
    house = await open_house(spectate=True)
    viewer, first = await house.look()
    assert first["control"] is False and "said" not in first
    await viewer.send_json({"press": "go"})
    await viewer.send_json({"send": "reboot"})
    await viewer.send_json({"token": "any"})
    await until(lambda: len(caplog.records) == 2)
    assert not {"press go", "send reboot"} & set(house.session.done)
    assert "this viewer may only look" in caplog.text


async def test_from_elsewhere_a_token_is_needed(open_house, caplog):
    house = await open_house("192.0.2.1", PROXY, tokens=Tokens(visitor="open sesame!"))
    viewer, first = await house.look()
    assert first["control"] is False
    await viewer.send_json({"press": "go"})
    await viewer.send_json({"token": "open sesam\ud800"})
    await viewer.send_json({"token": "open sesame!"})
    while not (await viewer.receive_json()).get("control"):
        pass
    await viewer.send_json({"press": "new"})
    await house.done("press new")
    assert "press go" not in house.session.done
    assert "a wrong token" in caplog.text
    assert "sesam" not in caplog.text


@pytest.mark.parametrize(
    ("public", "headers", "plays"),
    [
        (None, {}, True),
        (None, {"Host": "localhost:PORT"}, True),
        (None, {"Host": "192.0.2.1:PORT"}, False),  # perhaps an address of this computer
        (None, {"Host": f"{socket.gethostname()}:PORT"}, False),
        (None, {"X-Forwarded-For": "192.0.2.7"}, False),
        ("http://nim.example.org/", {}, False),
        ("http://127.0.0.1:8000/", {}, False),
    ],
)
async def test_pages_of_this_computer_itself_need_no_token(open_house, public, headers, plays):
    house = await open_house("0.0.0.0", public, tokens=Tokens(visitor="open sesame!"))
    port = str(house.client.port)
    asked = {name: text.replace("PORT", port) for name, text in headers.items()}
    viewer, first = await house.look(headers=asked)
    assert first["control"] is plays
    await viewer.send_json({"token": "open sesame!"})
    await viewer.send_json({"press": "go"})
    await house.done("press go")


async def test_a_loopback_name_alone_lets_nobody_play(open_house, monkeypatch):
    """Any client can send any Host header, so only the address counts."""
    monkeypatch.setattr(web.BaseRequest, "remote", "192.0.2.7")
    house = await open_house("0.0.0.0", tokens=Tokens(visitor="open sesame!"))
    _, first = await house.look(headers={"Host": f"127.0.0.1:{house.client.port}"})
    assert first["control"] is False


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "http://127.0.0.1:1", "", "https://OURS", "ws://OURS"],
)
async def test_other_pages_are_refused(open_house, origin):
    house = await open_house(tokens=Tokens(operator="the-operators"))
    origin = origin.replace("OURS", house.client.make_url("/").authority)
    for path in ("/look", "/operator/look"):
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await house.client.ws_connect(path, headers={"Origin": origin})
        assert refused.value.status == 403
    await house.look(headers={"Origin": str(house.client.make_url("/"))[:-1]})


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
async def test_a_name_that_somebody_gave_our_address_is_refused(open_house, host, monkeypatch):
    monkeypatch.setattr(socket, "gethostname", lambda: "wall")
    house = await open_house(host, "https://nim.example.org/")

    async def status(name, path="/"):
        return (await house.client.get(path, headers={"Host": name})).status

    for path in ("/", "/look"):
        assert await status("evil.example", path) == 403
    everywhere = 403 if host == "127.0.0.1" else 200
    port = house.client.port
    for name in ("192.0.2.7", "[2001:db8::7]", "wall", "Wall.local"):
        assert await status(f"{name}:{port}") == everywhere
    for name in (f"localhost:{port}", "nim.example.org", "nim.example.org:443"):
        assert await status(name) == 200
    for name in (
        f"a@127.0.0.1:{port}",
        f"127.0.0.1.:{port}",
        f"127.0.0.1:{port + 1}",
        "127.0.0.1",
        f"127.0.0.1:{port}:{port}",
        "nim.example.org:8000",
    ):
        assert await status(name) == 403


# ---------------------------------------------------------------------- hostile messages


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nonsense",
        "[]",
        "null",
        "{}",
        '{"press": "coin"}',
        '{"press": ["go"]}',
        '{"press": "go", "release": "go"}',
        '{"reboot": "now"}',
        '{"send": "help"}',
        '{"press": "go", "n": 0}',
        '{"press": "go", "n": "1"}',
        '{"press": "go", "n": true}',
        '[["press", "go"]]',
        "[" * 900,
        *(json.dumps({"touch": lamp}) for lamp in ("28", "-1", "x", "", "1.0", "٣")),
        '{"game": "chomp"}',
        '{"level": "easy"}',
        json.dumps({"game": "nim\nreboot"}),
    ],
)
async def test_a_message_without_sense_is_dropped_with_one_line(open_house, text, caplog):
    house = await open_house()
    viewer, _ = await house.look()
    house.machine.facts.told["settings"] = {"games": "nim,kayles", "levels": "child,perfect"}
    before = list(house.session.done)
    await viewer.send_str(text)
    await viewer.send_json({"press": "go"})  # and later ones are received
    await house.done("press go")
    assert house.session.done == [*before, "press go"]
    (record,) = caplog.records
    assert record.levelno == logging.WARNING and "\n" not in record.getMessage()


@pytest.mark.parametrize("message", ["x" * 1001, b"bytes"])
async def test_who_sends_what_no_page_does_is_shown_out(open_house, message):
    house = await open_house()
    viewer, _ = await house.look()
    await (viewer.send_str if isinstance(message, str) else viewer.send_bytes)(message)
    await closed(viewer)
    await house.look()


@pytest.mark.parametrize(
    "send",
    [lambda to: to.send_json({"press": "row1"}), lambda to: to.ping(), lambda to: to.pong()],
)
async def test_who_never_stops_is_shown_out_and_leaves_no_button_down(open_house, caplog, send):
    house = await open_house()
    viewer, _ = await house.look()
    await viewer.send_json({"press": "row1"})
    for _ in range(200):
        await send(viewer)
    await closed(viewer)
    await house.done("release row1")
    assert [r.getMessage().partition(": ")[2] for r in caplog.records] == [
        "disconnected: message rate exceeded"
    ]


async def test_a_ping_is_answered(open_house):
    house = await open_house()
    viewer, _ = await house.look(autoping=False)
    await viewer.ping(b"there?")
    while (await viewer.receive(timeout=PATIENCE_S)).type is not aiohttp.WSMsgType.PONG:
        pass


async def closed(viewer):
    while not viewer.closed:
        await viewer.receive(PATIENCE_S)


async def test_files_come_with_strict_headers_and_nothing_else_comes(open_house):
    house = await open_house()
    page = await house.client.get("/")
    policy = page.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy
    assert page.headers["X-Content-Type-Options"] == "nosniff"
    assert page.headers["X-Frame-Options"] == "DENY"
    assert page.headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert page.headers["Permissions-Policy"]
    assert page.headers["Server"] == "Nimatron"  # without versions
    assert "http" not in (await page.text()).replace("http-equiv", "")  # it works offline
    for name in ("kiosk.css", "kiosk.js", "fair.svg", "words/es.json"):
        assert (await house.client.get(f"/{name}")).status == 200
    font = await house.client.get("/jost.woff2", headers={"Accept-Encoding": "gzip"})
    assert font.headers["Content-Type"] == "font/woff2"
    assert "Content-Encoding" not in font.headers
    for name in ("server.py", "..%2fserver.py", "words/__init__.py", "words/%2e%2e/live.py"):
        assert (await house.client.get(f"/{name}")).status == 404


# ---------------------------------------------------------------------- the command


async def test_a_pico_that_fails_ends_the_kiosk():
    def connect(record, failed):
        session = FakeSession(record, failed)
        session.start = lambda: failed(ZeroDivisionError("by zero"))
        return session

    kiosk = Kiosk(connect, [])
    with pytest.raises(UserError, match="the Pico has stopped: ZeroDivisionError"):
        await server.serve(Tables(kiosk, kiosk.__class__), "127.0.0.1", 0)
