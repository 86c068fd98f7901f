"""A kiosk on the broker: the same topics, beside its own page."""

import subprocess
import sys

import pytest

from mosquitto import free_port, until
from nimatron_host.fleet import command as commands
from nimatron_host.fleet import topics
from served import Emulator


@pytest.mark.long("4 s: a kiosk in real time")
def test_a_kiosk_joins_with_the_same_option(mosquitto, reader, command, tmp_path):
    broker, port = mosquitto(), free_port()
    watching = reader(broker.port)
    url = f"mqtt://127.0.0.1:{broker.port}"
    words = ("--port", str(port), "--mqtt", url, "--state", str(tmp_path / "state"))
    serving = command("kiosk", *words)
    name = f"{commands.host()}-{port}"
    state = until(lambda: watching.of("state", name), "it is there, by its own name")
    assert (state["name"], state["bridge"], state["mode"]) == (name, name, "exhibit")
    watching.say("want", name, "level", text="child", retain=True)
    until(lambda: watching.of("state", name)["settings"]["level"] == "child", "a wish")
    watching.say("look", name, text="look")
    until(lambda: watching.of("panel", name), "its panel")
    watching.say("do", name, text="maintenance")
    watching.say("do", name, text="new 3 4 5")
    until(lambda: watching.of("panel", name)["lamps"] == [7, 15, 31, 0], "its lamps")
    until(lambda: watching.of("panel", name)["legends"] == ["your-move"], "its sign")
    until(lambda: len(watching.answers(name)) == 3, "an answer to each")
    refused, done = [told for told in watching.answers(name) if told["asked"][:3] != "set"]
    assert (refused["ok"], done["ok"]) == (False, True)
    until(lambda: ("state", {"state": "player"}) in watching.events(name), "its events")
    assert not [what for what, _ in watching.events(name) if what in ("lamps", "legends")]
    assert serving.end() == 0
    until(lambda: watching.of("status", name) == topics.OFFLINE, "it says good-bye")
    serving = command("kiosk", *words)
    until(lambda: watching.online(name), "it is back")
    seqs = [told["seq"] for _, told in watching.numbered(name)]
    assert seqs == [*range(1, len(seqs) + 1)]


@pytest.mark.long("6 s: a kiosk that shows a Pico in another process")
def test_a_kiosk_shows_a_pico_on_a_cable_and_reports_it(mosquitto, reader, command, tmp_path):
    broker, port, number = mosquitto(), free_port(), "e6614103e72b5f2f"
    watching = reader(broker.port)
    words = ("--port", str(port), "--mqtt", f"mqtt://127.0.0.1:{broker.port}")
    with Emulator("--sim", "--tcp", "0", "--id", number) as emulator:
        command("kiosk", "--on", emulator.port, *words, "--state", str(tmp_path / "state"))
        until(lambda: watching.of("state", number), "it is known by its own number")
        watching.say("look", number, text="look")
        until(lambda: watching.of("panel", number), "its panel")
        watching.say("do", number, text="new 3 4 5")
        until(lambda: watching.of("panel", number)["lamps"] == [7, 15, 31, 0], "its lamps")
        emulator.kill()
        until(lambda: not watching.online(number), "its cable is out")


def test_options_of_the_broker_need_one(nimatron):
    for option in ("--ca", "--cert", "--key", "--password-file", "--allow"):
        word = "press" if option == "--allow" else "file"
        status, _, complaint = nimatron("kiosk", option, word)
        assert status == 2 and "are for --mqtt" in complaint


@pytest.mark.long("3 s: a kiosk that has started")
def test_a_broker_that_refuses_ends_the_kiosk_with_a_line(mosquitto, tmp_path):
    broker = mosquitto("allow_anonymous false")
    url = f"mqtt://127.0.0.1:{broker.port}"
    words = ("--port", str(free_port()), "--mqtt", url, "--state", str(tmp_path / "state"))
    done = subprocess.run(
        [sys.executable, "-m", "nimatron_host", "kiosk", *words],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1 and done.stderr.count("\n") == 1
    assert "name the user, mqtt://USER@" in done.stderr
