"""A real Home Assistant finds the exhibits, shows them, and sets what is wanted of them."""

import pytest

import home_assistant
from hall import Hall
from home_assistant import HomeAssistant
from mosquitto import until
from nimatron import VERSION

AWAY = "unavailable"


@pytest.fixture
def home(tmp_path):
    python = home_assistant.python()
    if not python:
        pytest.skip(
            f"there is no Home Assistant; {home_assistant.VARIABLE} names a Python that has it"
        )
    with HomeAssistant(python, tmp_path / "home") as home:
        yield home


@pytest.mark.long("half a minute with a Home Assistant")
def test_home_assistant_finds_shows_and_sets_the_exhibits(home, mosquitto, reader, bridge):
    broker = mosquitto()
    watching = reader(broker.port)
    with Hall(2) as hall:
        one, other = hall.ids()
        running = bridge("--mqtt", f"mqtt://127.0.0.1:{broker.port}", *hall.words())
        until(lambda: all(watching.of("stats", exhibit) for exhibit in (one, other)), "both")
        home.join(broker.port)

        # What its registries have.
        until(lambda: home.devices().keys() == {one, other}, "it has found both")
        device = home.devices()[one]
        assert (device["name"], device["manufacturer"]) == ("hall-1", "Nimatron")
        assert (device["model"], device["sw_version"]) == (
            watching.of("state", one)["board"],
            VERSION,
        )
        parts = {
            f"nimatron-{exhibit}-{part}"
            for exhibit in (one, other)
            for part in (
                *("state", "matches", "wins", "failed", "restart", "level", "brightness", "mute"),
            )
        }
        until(lambda: home.entities().keys() == parts, "each with all its parts")

        def entity(exhibit, part):
            return home.entities()[f"nimatron-{exhibit}-{part}"]

        def shows(exhibit, part, value):
            def shown():
                return home.states().get(entity(exhibit, part), {}).get("state") == value

            until(shown, f"{part} is {value}")

        for part, value in {
            "state": "attract",
            "matches": "0",
            "wins": "0",
            "failed": "none",
            "level": "perfect",
            "brightness": "100",
            "mute": "off",
            "restart": "unknown",  # it has never been pressed
        }.items():
            shows(one, part, value)

        # What it sets.
        home.call("select.select_option", entity(one, "level"), option="child")
        home.call("number.set_value", entity(one, "brightness"), value=40)
        home.call("switch.turn_on", entity(one, "mute"))
        wanted = {"level": "child", "brightness": "40", "mute": "1"}
        until(lambda: watching.of("state", one)["settings"].items() >= wanted.items(), "it is set")
        for key, value in wanted.items():
            assert hall.told(1, f"settings {key}")["value"] == value
        for part, value in {"level": "child", "brightness": "40", "mute": "on"}.items():
            shows(one, part, value)
        shows(other, "level", "perfect")
        home.call("button.press", entity(one, "restart"))
        until(lambda: watching.answers(one)[-1]["asked"] == "reboot", "it is asked to restart")
        hall.rest(1)
        until(lambda: ("boot", "reboot") in starts(watching, one), "it has restarted")

        # What it shows.
        until(hall.attached, "it is asked anew")
        hall.visit(1, 2)
        for exhibit in (one, other):
            stats = until(lambda who=exhibit: counted(watching, who), "a match is counted")
            shows(exhibit, "matches", "1")
            shows(exhibit, "wins", str(stats["player"]))

        # What it knows to be away.
        hall.pull(2)
        shows(other, "level", AWAY)
        shows(one, "level", "child")
        running.kill()
        for part in ("state", "matches", "failed", "level", "restart"):
            shows(one, part, AWAY)
        running.start()
        shows(one, "level", "child")
        shows(other, "state", AWAY)  # its cable is still out
        hall.plug(2)
        shows(other, "state", "attract")
    complaints = [one for one in home.ask("system_log/list") if "mqtt" in str(one)]
    assert not complaints and "nimatron" not in home.log, home.log


def starts(watching, exhibit):
    return [(what, values.get("why")) for what, values in watching.events(exhibit)]


def counted(watching, exhibit):
    stats = watching.of("stats", exhibit)
    return stats if stats["games"] == 1 else None
