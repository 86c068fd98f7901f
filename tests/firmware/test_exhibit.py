"""The show, as a visitor sees it on the simulated Pico."""

import itertools

import pytest
from typed import move

from nimatron.devices import pins
from nimatron.games import find
from nimatron.settings import TABLE

SETTING = {name: default for name, default, _ in TABLE}
OPENINGS = find("nim").openings


def test_attract_moves_and_lights_no_legend(pico):
    pictures = set()
    for _ in range(20):
        pico.run(SETTING["attract_ms"])
        pictures.add(tuple(pico.lamps))
        assert any(pico.lamps)
    assert len(pictures) > 5
    assert pico.legends == set()
    assert pico.sound == 0


@pytest.mark.parametrize("button", [name for name, _ in pins.BUTTONS])
def test_any_button_leads_from_attract_to_the_first_opening(pico, button):
    pico.tap(button)
    assert pico.state == "opening"
    assert pico.rows == OPENINGS[0]
    assert pico.legends == {"your-move"}
    assert pico.heard("opening")


def test_new_walks_through_the_nine_openings_and_round(pico):
    pico.tap("new")
    for opening in (*OPENINGS, OPENINGS[0]):
        assert pico.rows == opening
        pico.tap("new")


def test_go_with_nothing_picked_is_refused(pico):
    pico.start(3, 4, 5)
    pico.tap("go")
    assert pico.rows == (3, 4, 5, 0)
    assert pico.legends == {"your-move"}
    assert pico.heard("refusal")


def test_the_machine_thinks_for_two_seconds_and_shows_it(pico):
    pico.start(3, 4, 5)
    pico.tap("row1", 2)
    pico.lines()
    began = pico.ms
    pico.press("go")
    pico.run(80)
    pico.release("go")
    blinks = 0
    before = pico.legends
    while pico.state == "thinking":
        assert pico.legends <= {"machine-move"}
        assert pico.rows == (1, 4, 5, 0)
        blinks += pico.legends != before
        before = pico.legends
        pico.run(25)
    assert 1900 <= pico.ms - began <= 2100
    assert blinks >= 8
    assert pico.heard("relay")


def test_the_machines_lamps_go_out_one_by_one(pico):
    pico.ask("seed 1")
    pico.start(1, 2, 7)
    move(pico, "row1")
    seen = [pico.rows]
    times = []
    while pico.state != "player":
        pico.run(1)
        if pico.rows != seen[-1]:
            seen.append(pico.rows)
            times.append(pico.ms)
    assert seen == [(0, 2, n, 0) for n in (7, 6, 5, 4, 3, 2)]
    assert {b - a for a, b in itertools.pairwise(times)} == {SETTING["lamp_ms"]}
    assert pico.lines()[-2:] == [
        "event move by=machine row=3 take=5 rows=0,2,2,0",
        "event state=player",
    ]


def test_a_win_of_the_player_is_unmistakable_and_drops_one_coin(pico):
    pico.start(1, 2)
    move(pico, "row2", 2)
    pico.run_until(lambda: pico.legends & {"you-win", "machine-wins"})
    assert pico.lines()[-2:] == ["event state=verdict", "event over winner=player"]
    assert pico.heard("player-wins")
    assert pico.coin == 1
    pico.run(SETTING["coin_ms"] + 1)
    assert pico.coin == 0
    assert pico.legends == {"you-win"}
    pico.run(SETTING["verdict_ms"])
    assert pico.state == "attract"
    assert sum(change["coin"] for change in pico.trace if "coin" in change) == 1


def test_a_win_of_the_machine_drops_none(pico):
    pico.start(1)
    move(pico, "row1")
    assert pico.legends == {"machine-wins"}
    assert pico.heard("machine-wins")
    assert pico.lines()[-1] == "event over winner=machine"
    pico.run(SETTING["verdict_ms"] + 100)
    assert pico.state == "attract"
    assert not [change for change in pico.trace if "coin" in change]


@pytest.mark.parametrize("picked", [0, 2])
def test_idle_player_is_warned_and_then_abandoned(pico, picked):
    pico.start(3, 4, 5)
    pico.ask("take 1 1")
    pico.settle()
    pico.tap("row2", picked)
    left = pico.ms
    pico.lines()
    pico.run_until(lambda: pico.heard("warning"))
    assert pico.state == "player"
    warned = pico.ms - left
    blinks = {tuple(pico.legends)}
    while pico.state == "player":
        pico.run(100)
        blinks.add(tuple(pico.legends))
    assert {(), ("your-move",)} <= blinks
    assert 49_500 <= warned <= 50_500
    assert 59_500 <= pico.ms - left <= 60_500
    assert pico.lines() == [
        "event warning=idle ms=10000",
        f"event abandoned rows=1,{4 - picked},5,0",
        "event state=attract",
    ]


def test_a_long_warning_begins_at_once_and_the_match_ends_in_time(pico):
    pico.start(3, 4, 5)
    pico.ask("set idle_ms 15000")
    pico.ask("set warning_ms 60000")
    pico.tap("row2")
    left = pico.ms
    pico.run_until(lambda: pico.state == "attract")
    assert 14_500 <= pico.ms - left <= 15_500
    assert "event warning=idle ms=15000" in pico.lines()


def test_press_after_the_warning_continues_the_match(pico):
    pico.start(3, 4, 5)
    pico.run(55_000)
    pico.tap("row1")
    assert pico.rows == (2, 4, 5, 0)
    pico.run(45_000)
    assert (pico.state, pico.legends) == ("player", {"your-move"})


def test_muted_it_plays_without_a_sound(pico):
    pico.ask("set mute 1")
    pico.start(1)
    move(pico, "row1")
    pico.run(2000)
    assert pico.legends == {"machine-wins"}
    assert not any(record.get("sound") for record in pico.trace)


def test_the_heartbeat_blinks_for_ever(pico):
    beats = []
    for _ in range(6):
        beats.append(pico.led)
        pico.run(1000)
    assert beats in ([0, 1] * 3, [1, 0] * 3)
