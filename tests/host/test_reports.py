"""Statistics, settings and the crash log, as a person reads them."""

import json
from datetime import date

import pytest

from nimatron import games, settings
from nimatron_host.theory.english import PLAIN
from nimatron_wiring.breadboard.layout import layout
from nimatron_wiring.circuits import breadboard
from served import Emulator

HELLO = "ok name=nimatron version=9.9 mode=exhibit"
STATS = (
    "ok since=2026-05-01 minutes=605 games=8 player=1 machine=5 abandoned=2 resets.power-on=3 "
    "openings.3-4-5-0=1/4/2 openings.other=0/1/0 levels.perfect=1/5/2"
)


def test_stats_for_a_person(nimatron, peer):
    status, out, _ = nimatron("stats", peer({"version": HELLO, "stats": STATS}.get))
    assert status == 0
    assert out == (
        "since 2026-05-01: 8 games in 10 h 05 min of service\n"
        "\n"
        "           games\n"
        "player     1      12 %\n"
        "machine    5      62 %\n"
        "abandoned  2      25 %\n"
        "\n"
        "level    player  machine  abandoned\n"
        "perfect  1       5        2\n"
        "\n"
        "opening  player  machine  abandoned\n"
        "3-4-5-0  1       4        2\n"
        "other    0       1        0\n"
        "\n"
        "started by  times\n"
        "power-on    3\n"
    )


def test_stats_for_a_program(nimatron, peer):
    _, out, _ = nimatron("stats", peer({"version": HELLO, "stats": STATS}.get), "--json")
    assert json.loads(out) == {
        "since": "2026-05-01",
        "minutes": 605,
        "games": 8,
        "player": 1,
        "machine": 5,
        "abandoned": 2,
        "resets": {"power-on": 3},
        "openings": {
            "3-4-5-0": {"player": 1, "machine": 4, "abandoned": 2},
            "other": {"player": 0, "machine": 1, "abandoned": 0},
        },
        "levels": {"perfect": {"player": 1, "machine": 5, "abandoned": 2}},
    }


def test_stats_begin_today(nimatron, simulated):
    assert nimatron("stats", simulated, "--begin")[1].startswith(f"since {date.today()}: 0 games")
    assert f"since {date.today()}: 0 games" in nimatron("stats", simulated)[1]


def test_all_settings(nimatron, simulated):
    _, out, _ = nimatron("settings", simulated)
    paragraphs = out.split("\n\n")
    assert len(paragraphs) == len(settings.TABLE)
    assert all(len(line) <= 80 for line in out.splitlines())
    for (_, _, allowed), paragraph in zip(settings.TABLE, paragraphs, strict=True):
        told = " ".join(paragraph.strip().split("\n    allowed")[1].rpartition("\n")[0].split())
        if isinstance(allowed, range):
            assert told == f": {allowed[0]} to {allowed[-1]}"
        else:
            how = ", with commas between them:" if isinstance(allowed, list) else ": one of"
            assert told == " ".join([how, *allowed])
    assert (
        "idle_ms is 60000\n"
        f"    {PLAIN['setting.idle_ms']}\n"
        "    allowed: 15000 to 600000\n"
        "    this is the default"
    ) in paragraphs


def test_one_setting_is_shown_and_set(nimatron, simulated):
    port = simulated
    assert "coin_ms is 150" in nimatron("settings", port, "coin_ms", "150")[1]
    assert nimatron("settings", port, "coin_ms")[1] == (
        "coin_ms is 150\n"
        f"    {PLAIN['setting.coin_ms']}\n"
        "    allowed: 20 to 250\n"
        "    default: 120\n"
    )
    assert "coin_ms is 140" in nimatron("settings", "coin_ms", "140", port)[1]
    assert "coin_ms is 140" in nimatron("settings", "coin_ms", port)[1]
    assert "coin_ms is 120" in nimatron("settings", "coin_ms", port, "120")[1]


def test_a_list_that_is_set_is_shown_as_it_is_typed(nimatron, simulated):
    out = nimatron("settings", simulated, "games", "nim,chomp")[1]
    assert out.startswith("games is nim,chomp\n")
    names = ",".join(games.names())
    told = nimatron("settings", simulated, "games", names)[1].partition(PLAIN["setting.games"])[0]
    assert "".join(line.strip() for line in told.splitlines()[1:]) == names


def test_settings_for_a_program(nimatron, simulated):
    told = json.loads(nimatron("settings", simulated, "--json")[1])
    assert list(told) == [name for name, _, _ in settings.TABLE]
    assert told["think_ms"] == {
        "value": 2000,
        "default": 2000,
        "allowed": {"min": 0, "max": 10000},
        "about": PLAIN["setting.think_ms"],
    }
    assert told["rule"]["allowed"] == {"one_of": list(settings.RULES)}
    assert told["games"]["allowed"] == {"some_of": list(games.names())}
    one = json.loads(nimatron("settings", "rule", simulated, "--json")[1])
    assert one == {"rule": told["rule"]}


def test_a_setting_that_could_not_be_saved(nimatron, peer):
    answers = {
        "version": HELLO,
        "set mute 1": "ok mute=1 saved=0",
        "settings mute": 'ok key=mute value=1 default=0 allowed="0 to 1"',
    }
    port = peer(answers.get)
    out = nimatron("settings", port, "mute", "1")[1]
    assert "like this until the Pico restarts: it could not be saved" in out
    assert json.loads(nimatron("settings", port, "mute", "1", "--json")[1])["mute"] == {
        "value": 1,
        "default": 0,
        "allowed": {"min": 0, "max": 1},
        "about": PLAIN["setting.mute"],
        "saved": False,
    }


def test_a_wrong_setting_is_one_clear_line(nimatron, simulated):
    for words, why in (
        (["coin_ms", "9"], "refuses `set coin_ms 9`: coin_ms is 20 to 250, not 9"),
        (["think_ms", "-1"], "refuses `set think_ms -1`: think_ms is 0 to 10000, not -1"),
        (["colour"], "no setting is called colour"),
        (["colour", "red"], "no setting is called colour"),
        (["brightnes"], "no setting is called brightnes. Did you mean brightness?"),
        (["level", "pefect"], "equalizer, not pefect. Did you mean perfect?"),
        (["games", "nim,foo"], "some of nim subtraction-3 say-21 wythoff"),
    ):
        status, out, error = nimatron("settings", simulated, *words)
        assert (status, out, error.count("\n")) == (1, "", 1)
        assert why in error


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["games", ""], "the value for games is empty"),
        (["games", "nim, kayles"], "the value for games has a space in it. Put only commas"),
        (["level", "a\nreboot"], "the value for level has a character in it that no setting has"),
        (["level", "é"], "the value for level has a character in it that no setting has"),
        ([""], "the key is empty"),
        (["a", "b", "c"], "settings takes at most a PORT, a KEY and a VALUE"),
    ],
)
def test_words_that_cannot_be_sent_to_a_pico(nimatron, words, why):
    status, out, error = nimatron("settings", "/dev/nowhere", *words)
    assert (status, out) == (2, "")
    assert error == f"nimatron: {why}. For help: nimatron settings --help\n" or why in error
    assert error.count("\n") == 1


HEALTH = (
    "ok free=98304 uptime_s=93780 lag_ms=12 failed=coin,sounder stuck=none frames=2000 "
    "lamps=ok flash_free=1048576 celsius=31 crashes=2 version=0.3.0 micropython=1.26.1 "
    'board="Raspberry Pi Pico with RP2040" mood=fine'
)


def test_health_for_a_person(nimatron, peer):
    status, out, error = nimatron("health", peer({"version": HELLO, "health": HEALTH}.get))
    assert (status, error) == (0, "")
    assert out == (
        "free memory      96 KiB\n"
        "running for      1 d 2 h 03 min\n"
        "longest delay    12 ms\n"
        "failed devices   coin,sounder\n"
        "stuck buttons    none\n"
        "lamp frames      2000\n"
        "lamp wires       ok\n"
        "free flash       1024 KiB\n"
        "temperature      31 °C\n"
        "logged failures  2\n"
        "Nimatron         0.3.0\n"
        "MicroPython      1.26.1\n"
        "board            Raspberry Pi Pico with RP2040\n"
        "mood             fine\n"
    )


def test_health_names_the_holes_of_a_wire_fault(nimatron, peer):
    faulty = HEALTH.replace("lamps=ok", "lamps=lamp:3.5:open,row:2:short")
    port = peer({"version": HELLO, "health": faulty}.get)
    lines = nimatron("health", port)[1].splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith("lamp wires"))
    lamp = layout(breadboard()).place(breadboard().by_role("row 3 lamp 5")[0].ref)
    anode, cathode = [str(leg.hole) for leg in lamp.legs]
    assert lines[at].endswith(f"lamp 3.5 is open: look at {lamp.ref} in {anode} and {cathode}")
    assert lines[at + 1].strip().startswith("row 2 is shorted: look at R")
    assert "; Q2 in " in lines[at + 1]
    told = json.loads(nimatron("health", port, "--json")[1])
    assert told["lamps"] == ["lamp:3.5:open", "row:2:short"]


def test_what_the_health_of_a_pico_does_not_tell(nimatron, peer):
    unknown = HEALTH.replace("celsius=31", "celsius=unknown").replace("=1048576", "=unknown")
    port = peer({"version": HELLO, "health": unknown}.get)
    told = json.loads(nimatron("health", port, "--json")[1])
    assert told["celsius"] is None and told["flash_free"] is None
    assert told["failed"] == ["coin", "sounder"] and told["stuck"] == []
    assert (told["free"], told["version"]) == (98304, "0.3.0")
    numbers = {"free", "uptime_s", "lag_ms", "crashes"}
    assert {key for key, value in told.items() if isinstance(value, int)} >= numbers
    out = nimatron("health", port)[1]
    assert "temperature      unknown\n" in out and "free flash       unknown\n" in out


def test_a_terminal_is_told_no_control_characters(nimatron, peer, pico, tmp_path):
    """A visitor's typed text comes back in the log and in a recording."""
    nasty = "\x1b]0;mine\x07\x03\x9b2J"
    log = f'event log n=1 why=crash text="{nasty}\\n{nasty}"\nok entries=1'
    answers = {
        "version": HELLO,
        "log": log,
        "status": f"event {nasty}\nok text={nasty}",
        "stats": f"error reason={nasty}",
        "settings mute": f"ok key=mute value={nasty} default=0 allowed={nasty} about={nasty}",
    }
    port = peer(answers.get)
    pico.send_bytes(b"line \x07\n")
    pico.run(100)
    pico.lines()
    pico.send("log dump now")
    pico.run(100)
    file = tmp_path / "visit.rec"
    file.write_text("\n".join(pico.lines()))
    for words, more in (
        (("logs", port), {}),
        (("logs", port, "--json"), {}),
        (("stats", port), {}),
        (("settings", port, "mute"), {}),
        (("console", port), {"stdin": "status\n"}),
        (("replay", str(file)), {}),
    ):
        _, out, error = nimatron(*words, **more)
        told = out + error
        assert "\\x07" in told or "\\u0007" in told, words
        assert all(char.isprintable() or char == "\n" for char in told), words


def test_the_crash_log_is_readable(nimatron, peer):
    asked = []

    def answer(line):
        asked.append(line)
        log = (
            'event log n=1 why=crash text="Traceback:\\n  File \\"app.py\\"\\nOops\\n"\n'
            "event state=attract\n"
            'event log n=2 why=hang text="the watchdog was not fed"\n'
            "ok entries=2"
        )
        return {"version": HELLO, "log": log}.get(line, "ok entries=0")

    port = peer(answer)
    assert nimatron("logs", port) == (
        0,
        "1. crash\n"
        "    Traceback:\n"
        '      File "app.py"\n'
        "    Oops\n"
        "\n"
        "2. hang\n"
        "    the watchdog was not fed\n",
        "",
    )
    assert "log clear" not in asked
    nimatron("logs", port, "--clear")
    assert asked[-1] == "log clear"


def test_the_crash_log_for_a_program(nimatron, peer):
    log = 'event log n=1 why=crash text="a\\nb"\nok entries=1'
    port = peer({"version": HELLO, "log": log, "log clear": "ok entries=0"}.get)
    told = [{"n": 1, "why": "crash", "text": "a\nb"}]
    assert json.loads(nimatron("logs", port, "--json")[1]) == told
    assert json.loads(nimatron("logs", port, "--json", "--clear")[1]) == told
    port = peer({"version": HELLO, "log": "ok entries=0"}.get)
    assert nimatron("logs", port, "--json")[1] == "[]\n"


def test_a_pico_on_the_cable_is_replayed(nimatron, tmp_path):
    file = tmp_path / "flight.txt"
    with Emulator("--sim", "--tcp", "0") as pico:
        status, out, error = nimatron("replay", pico.port, "--save", str(file))
    assert (status, error) == (0, "no failure is recorded. This is the current session\n")
    first, *_, last = out.splitlines()
    assert first.split() == ["0.000", "scene"]
    assert last.startswith("replayed on the simulated Pico: ")
    assert "line log dump" in out
    assert nimatron("replay", str(file)) == (0, out, "")
    trace = nimatron("replay", str(file), "--trace")[1].splitlines()
    assert "console" in json.loads(trace[-1])


def test_what_cannot_be_replayed_is_one_clear_line_and_replaces_nothing(nimatron, tmp_path):
    kept = tmp_path / "flight.txt"
    kept.write_text("good")
    why = "it contains no flight recording"
    assert nimatron("replay", "README.md", "--save", str(kept)) == (1, "", f"nimatron: {why}\n")
    assert kept.read_text() == "good"
