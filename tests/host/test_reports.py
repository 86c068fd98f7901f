"""Statistics, settings and the crash log, as a person reads them."""

import json
from datetime import date

import pytest

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
    head, *rows = out.splitlines()
    assert head.split() == ["setting", "value", "default", "allowed"]
    assert any(
        row.split()[:6] == ["idle_ms", "60000", "60000", "15000", "to", "600000"] for row in rows
    )


def test_one_setting_is_shown_and_set(nimatron, simulated):
    port = simulated
    assert "coin_ms is 150" in nimatron("settings", port, "coin_ms", "150")[1]
    assert nimatron("settings", port, "coin_ms")[1] == (
        "coin_ms is 150: how long the coin chute opens\nallowed: 20 to 500; default: 120\n"
    )
    assert "coin_ms is 120" in nimatron("settings", port, "coin_ms", "120")[1]


def test_a_wrong_setting_is_one_clear_line(nimatron, simulated):
    for words, why in (
        (["coin_ms", "9"], "refuses `set coin_ms 9`: coin_ms is 20 to 500, not 9"),
        (["think_ms", "-1"], "refuses `set think_ms -1`: think_ms is 0 to 10000, not -1"),
        (["level", "x y"], "type it like this: set KEY VALUE"),
        (["colour"], "no setting is called colour"),
    ):
        status, out, error = nimatron("settings", simulated, *words)
        assert (status, out, error.count("\n")) == (1, "", 1)
        assert why in error


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


def test_an_empty_crash_log(nimatron, simulated):
    assert nimatron("logs", simulated) == (0, "no failures\n", "")


def test_a_pico_on_the_cable_is_replayed(nimatron, simulated, tmp_path):
    file = tmp_path / "flight.txt"
    status, out, error = nimatron("replay", simulated, "--save", str(file))
    assert (status, error) == (0, "no failure is recorded; this is the current session\n")
    first, *_, last = out.splitlines()
    assert first.split() == ["0.000", "scene"]
    assert last.startswith("replayed on the simulated Pico: ")
    assert "line log dump" in out
    assert nimatron("replay", str(file)) == (0, out, "")
    trace = nimatron("replay", str(file), "--trace")[1].splitlines()
    assert "console" in json.loads(trace[-1])


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["nowhere.json"], "cannot read nowhere.json: No such file or directory"),
        (["README.md"], "it contains no flight recording"),
    ],
)
def test_what_cannot_be_replayed_is_one_clear_line(nimatron, words, why):
    assert nimatron("replay", *words) == (1, "", f"nimatron: {why}\n")


def test_what_is_no_recording_does_not_replace_one(nimatron, tmp_path):
    kept = tmp_path / "flight.txt"
    kept.write_text("good")
    assert nimatron("replay", "README.md", "--save", str(kept))[0] == 1
    assert kept.read_text() == "good"
