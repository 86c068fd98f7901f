"""A kiosk on the broker: the same topics, next to its own page."""

import asyncio
import urllib.request

import pytest

from mosquitto import free_port, until
from nimatron_host.fleet import command as fleet_command
from nimatron_host.fleet import topics
from nimatron_sim.errors import UserError
from nimatron_sim.lock_file import hold
from served import Emulator


@pytest.fixture
def kiosk(watched, command, tmp_path):
    """Return kiosk(*words), which starts a kiosk that reports to the broker as kiosk.name."""
    port = free_port()

    def kiosk(*words):
        url = f"mqtt://127.0.0.1:{watched[0].port}"
        words = ("--port", str(port), "--mqtt", url, "--state", str(tmp_path / "state"), *words)
        return command("kiosk", *words)

    kiosk.name = f"{fleet_command.host()}-{port}"
    return kiosk


@pytest.mark.long("4 s: a kiosk in real time")
def test_a_kiosk_joins_with_the_same_option(watched, kiosk):
    watching, name = watched[1], kiosk.name
    serving = kiosk()
    state = until(lambda: watching.of("state", name), "it is there, with its own name")
    assert (state["name"], state["bridge"], state["mode"]) == (name, name, "exhibit")
    watching.say("want", name, "level", text="child", retain=True)
    until(lambda: watching.level(name) == "child", "a wish")
    watching.say("do", name, text="maintenance")
    watching.say("do", name, text="new 3 4 5")
    until(lambda: len(watching.answers(name)) == 3, "an answer to each")
    refused, done = [told for told in watching.answers(name) if told["asked"][:3] != "set"]
    assert (refused["ok"], done["ok"]) == (False, True)
    until(lambda: ("state", {"state": "player"}) in watching.events(name), "its events")
    assert serving.end() == 0
    until(lambda: watching.of("status", name) == topics.OFFLINE, "it says good-bye")
    kiosk()
    until(lambda: watching.online(name), "it is back")
    assert watching.without_gaps(name)


def test_a_kiosk_shows_a_pico_on_a_cable_and_reports_it(watched, kiosk):
    watching, number = watched[1], "e6614103e72b5f2f"
    with Emulator("--sim", "--tcp", "0", "--id", number) as emulator:
        kiosk("--on", emulator.port)
        until(lambda: watching.of("state", number), "it is known by its own number")
        watching.say("do", number, text="new 3 4 5")
        until(lambda: ("state", {"state": "player"}) in watching.events(number), "its events")
        assert {what for what, _ in watching.events(number)}.isdisjoint({"lamps", "legends"})
        emulator.kill()
        until(lambda: not watching.online(number), "its cable is out")


def test_options_of_the_broker_need_one(nimatron):
    for option in ("--ca", "--cert", "--key", "--password-file", "--allow"):
        word = "press" if option == "--allow" else "file"
        status, _, complaint = nimatron("kiosk", option, word)
        assert status == 2 and "are for --mqtt" in complaint


@pytest.mark.parametrize("wrong", ["refused", "unwritable"])
def test_a_kiosk_plays_on_when_nothing_can_be_reported(mosquitto, command, tmp_path, wrong):
    broker, port = mosquitto("allow_anonymous false"), free_port()
    state = tmp_path / "state"
    if wrong == "unwritable":
        state.write_text("a file, in which no folder can be")
    url = f"mqtt://127.0.0.1:{broker.port}"
    log = tmp_path / "complaints"
    with log.open("w") as complaints:
        words = ("--port", str(port), "--mqtt", url, "--state", str(state))
        serving = command("kiosk", *words, stderr=complaints)
        until(lambda: "attempt is in 30 s" in log.read_text(), "it says what is wrong")
        until(lambda: "Nimatron is at http" in serving.said(), "it serves all the same")
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/") as page:
            assert page.status == 200
        assert serving.end() == 0
    told = log.read_text()
    why = "name the user, mqtt" if wrong == "refused" else f"cannot keep events in {state}"
    assert why in told and "Traceback" not in told and "never awaited" not in told


def test_a_bridge_that_fails_is_logged_and_started_again(monkeypatch, caplog):
    monkeypatch.setattr(fleet_command, "AGAIN_S", 0.01)
    stopped, begun = asyncio.Event(), []

    async def run():
        begun.append(1)
        if len(begun) < 3:
            raise [KeyError("games\x1b[2J"), UserError("the disk is full")][len(begun) - 1]

    asyncio.run(fleet_command.supervised(run, stopped))
    assert len(begun) == 3
    first, second = [record.getMessage() for record in caplog.records]
    assert "the bridge failed: KeyError: " in first and "test_fleet_kiosk.py:" in first
    assert "\x1b" not in first and second.startswith("the disk is full. The next attempt is in")
    begun[:] = [1]
    with pytest.raises(UserError):
        asyncio.run(fleet_command.supervised(run, stopped, fatal=(UserError,)))


def test_a_second_kiosk_does_not_share_a_folder(nimatron, tmp_path):
    with hold(tmp_path / "kiosk.lock", "") as _:
        words = ("--port", str(free_port()), "--state", str(tmp_path))
        assert nimatron("kiosk", *words) == (
            1,
            "",
            f"nimatron: another `nimatron kiosk` uses {tmp_path}. Give each a separate --state\n",
        )
