"""The Pico as an appliance: settings and statistics, crashes, hangs, maintenance."""

import itertools
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typed import move, typed

from miswired import Deaf
from nimatron import VERSION, opponent, protocol
from nimatron.devices import pins
from nimatron_sim import firmware
from nimatron_sim.simulated.chip import NotModelled
from nimatron_sim.simulated.importer import MIRROR
from nimatron_sim.simulated_pico import SimulatedPico
from pico_testbench.models import CAUSE_RESET

# The watchdog's registers, copied again from the data sheets.
WATCHDOG = {"RP2040": 0x40058000, "RP2350": 0x400D8000}
REASON, SCRATCH_WHY, SCRATCH_QUICK = 0x08, 0x0C, 0x10
CRASHED = 0x4E494D03  # a note for the next start, see firmware/nimatron/devices/restart.py


class Scratch:
    """The watchdog's registers, from its base."""

    def __init__(self, pico):
        self._scratch, self._base = pico.core.scratch, WATCHDOG[pico.board.chip]

    def __getitem__(self, offset):
        return self._scratch[self._base + offset]

    def __setitem__(self, offset, value):
        assert self._base + offset in self._scratch
        self._scratch[self._base + offset] = value


def power_cycle(pico):
    pico.power_off()
    pico.run(10)
    pico.power_on()
    pico.run(300)
    return pico.lines()


def stop_maintenance(pico):
    """Press Ctrl-C in maintenance mode, and return the line above the prompt."""
    pico.ask("maintenance")
    pico.run(1000)
    return typed(pico, b"\x03")[-1]


def play_to_the_end(pico, *rows):
    """Let the player take the second-to-last lamp, or the last lamp."""
    pico.start(*rows)
    move(pico, "row1")
    pico.run_until(lambda: pico.state == "verdict")
    pico.run_until(lambda: pico.state == "attract")


# ---------------------------------------------------------------------- settings


def test_a_setting_survives_a_power_cut(pico):
    assert pico.ask("set think_ms 1500") == "ok think_ms=1500 saved=1"
    pico.ask("level easy")
    power_cycle(pico)
    assert 'value=1500 default=2000 allowed="0 to 10000"' in pico.ask("settings think_ms")
    assert "level=easy" in pico.ask("status")


def test_bad_values_are_ignored_with_a_report_and_unknown_keys_kept():
    saved = {"think_ms": 99999, "lamp_ms": 100, "level": None, "future": [1, 2]}
    pico = SimulatedPico(settings=saved)
    pico.settle()
    reports = [line for line in pico.lines() if "setting=" in line]
    assert reports == [
        "event setting=ignored reason=not-allowed key=level got=None"
        f' text="level is {" or ".join(opponent.NAMES)}, not None"',
        "event setting=ignored reason=out-of-range key=think_ms min=0 max=10000 got=99999"
        ' text="think_ms is 0 to 10000, not 99999"',
    ]
    assert "value=2000" in pico.ask("settings think_ms")
    assert "value=100" in pico.ask("settings lamp_ms")
    pico.ask("set idle_ms 30000")
    kept = json.loads(pico.files.contents["/settings.json"])
    assert kept == dict(saved, idle_ms=30000)


def test_the_name_of_a_removed_game_does_not_prevent_a_start():
    pico = SimulatedPico(settings={"game": "circular-12", "games": "nim,say-34"})
    counts = {"since": "may", "games": 2, "player": 2, "played": {"say-34": {"player": 2}}}
    pico.files.contents["/statistics.json"] = json.dumps(counts)
    pico.settle()
    ignored = [line.partition(" text=")[0] for line in pico.lines() if "setting=" in line]
    assert ignored == [
        "event setting=ignored reason=not-allowed key=game got=circular-12",
        "event setting=ignored reason=not-allowed key=games got=nim,say-34",
    ]
    assert "game=nim " in pico.ask("new")
    assert "say-34" in pico.ask("stats")


def test_a_value_of_any_length_and_kind_is_one_short_line():
    saved = {"level": "\nok \x1b" * 900, "mute": [5], "rule": {"a": 1}}
    pico = SimulatedPico(settings=saved)
    pico.settle()
    reports = [line for line in pico.lines() if "setting=" in line]
    assert all(len(line) < 400 for line in reports)
    facts = [protocol.parse(line)[2] for line in reports]
    assert [fact["got"] for fact in facts] == ["dict", ("\nok \x1b" * 9)[:40], "list"]


@pytest.fixture
def unreadable(pico, monkeypatch):
    """Return unreadable(times), after which the statistics cannot be read so many times."""
    read, failures = pico.files.open, []

    def opened(name, mode="r"):
        if failures and (name, mode) == ("statistics.json", "r"):
            raise failures.pop()
        return read(name, mode)

    monkeypatch.setattr(pico.files, "open", opened)
    return lambda times: failures.extend([OSError(5, "EIO")] * times)


def test_a_file_that_could_not_be_read_for_a_moment_is_not_lost(pico, unreadable):
    play_to_the_end(pico, 1)
    unreadable(2)
    power_cycle(pico)
    assert pico.told("stats")["games"] == "1"


def test_a_file_that_cannot_be_read_is_kept_aside_not_overwritten(pico, unreadable):
    play_to_the_end(pico, 1)
    before = pico.files.contents["/statistics.json"]
    pico.power_off()
    unreadable(99)
    pico.power_on()
    pico.run(1000)
    told = "event file=statistics.json unreadable-5=kept-as-statistics.json.bad using=defaults"
    assert told in pico.lines()
    assert pico.files.contents["/statistics.json.bad"] == before
    play_to_the_end(pico, 1)
    assert json.loads(pico.files.contents["/statistics.json"])["games"] == 1


# ---------------------------------------------------------------------- statistics


def test_every_game_is_counted_and_survives_a_power_cut(pico):
    play_to_the_end(pico, 1)
    play_to_the_end(pico, 1, 1)
    for _ in range(2):
        pico.start(3, 4, 5)
        pico.ask("take 1 1")
        pico.settle()
        pico.run(61_000)
    pico.run(60_000)
    power_cycle(pico)
    stats = pico.told("stats")
    assert stats["games"] == "4"
    assert (stats["player"], stats["machine"], stats["abandoned"]) == ("1", "1", "2")
    assert stats["openings.3-4-5-0"] == "0/0/2"
    assert stats["openings.other"] == "1/1/0"
    assert stats["levels.perfect"] == "1/1/2"
    assert stats["resets.power-on"] == "2"


@pytest.fixture
def saves(pico):
    """Return the times in ms when the statistics were saved."""
    moments = []

    class Flash(dict):
        def __setitem__(self, name, text):
            super().__setitem__(name, text)
            if name == "/statistics.json":
                moments.append(pico.ms)

    pico.files.contents = Flash(pico.files.contents)
    return moments


def saved(pico):
    """Return the statistics on flash. Raises AssertionError unless they add up."""
    data = json.loads(pico.files.contents.get("/statistics.json", '{"games": 0}'))
    each = [
        sum(counts.get(outcome, 0) for counts in data.get(group, {}).values())
        for group in ("played", "openings", "levels")
        for outcome in ("player", "machine", "abandoned")
    ]
    total = [data.get(outcome, 0) for outcome in ("player", "machine", "abandoned")]
    assert each == total * 3 and sum(total) == data["games"]
    return data


def abandon(pico):
    """Press ROW 1, GO and NEW, as fast as a child does, to abandon a match."""
    for button in ("row1", "go", "new"):
        pico.tap(button)


def test_a_match_is_saved_at_once_after_a_quiet_minute(pico, saves):
    play_to_the_end(pico, 1)
    assert len(saves) == 1 and saved(pico)["games"] == 1
    pico.run(120_000)
    play_to_the_end(pico, 1, 1)
    assert saved(pico)["games"] == 2


def test_a_child_who_abandons_matches_costs_one_save_a_minute(pico, saves):
    pico.tap("new")
    while pico.ms < 600_000:
        abandon(pico)
    assert int(pico.told("stats")["abandoned"]) >= 1000
    assert len(saves) == 10
    assert min(later - before for before, later in itertools.pairwise(saves)) >= 60_000
    games = pico.told("stats")["games"]
    pico.run(60_000)
    assert str(saved(pico)["games"]) == games


def test_nothing_new_is_not_saved_again(pico, saves):
    play_to_the_end(pico, 1)
    pico.run(3_600_000)
    assert len(saves) == 2  # the match, and the start after its first minute


def test_the_hour_waits_for_the_minute_after_a_match(pico, saves):
    pico.run(3_640_000)
    play_to_the_end(pico, 1)
    pico.run(70_000)
    hour = saved(pico)
    assert (hour["minutes"], hour["games"]) == (60, 1)
    assert saves[-1] - saves[-2] == 60_000


@given(
    pauses=st.lists(st.integers(0, 40_000), min_size=1, max_size=30), cut=st.integers(0, 70_000)
)
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
def test_a_power_cut_costs_the_matches_of_the_last_minute_at_most(pauses, cut):
    pico = SimulatedPico()
    pico.settle()
    pico.tap("new")
    ended = []
    for pause in pauses:
        abandon(pico)
        ended.append(pico.ms)
        pico.run(pause)
    pico.run(cut)
    old = sum(pico.ms - moment > 60_000 for moment in ended)
    pico.power_off()
    assert old <= saved(pico)["games"] <= len(ended)
    games = saved(pico)["games"]
    pico.power_on()
    pico.settle()
    assert pico.told("stats")["games"] == str(games)
    pico.power_off()


@pytest.mark.parametrize("interruption", ["press new", "lamps test", "new 3 4 5"])
def test_a_match_given_up_for_the_test_of_the_lamps_is_abandoned_once(pico, interruption):
    pico.start(3, 4, 5)
    pico.ask("take 1 1")
    pico.settle()
    pico.ask("lamps test")
    pico.run(500)
    pico.send(interruption)
    pico.run(5000)
    assert pico.told("stats")["abandoned"] == "1"
    abandoned = [c for c in pico.trace if "abandoned rows" in c.get("console", "")]
    assert len(abandoned) == 1


def test_looking_at_openings_and_picking_a_lamp_is_no_game(pico):
    pico.tap("new", 4)
    pico.tap("row1")
    pico.tap("new")
    pico.tap("row1")
    pico.run(61_000)
    assert not [line for line in pico.lines() if "abandoned" in line]
    assert pico.told("stats")["games"] == "0"


def test_statistics_can_be_begun_again(pico):
    play_to_the_end(pico, 1)
    assert pico.told("stats begin 2026-11-21") == {
        "since": "2026-11-21",
        "minutes": "0",
        "games": "0",
        "player": "0",
        "machine": "0",
        "abandoned": "0",
    }


@pytest.mark.parametrize(
    "saved",
    [
        {"games": "many", "resets": 5, "openings": {"3-4-5-0": 7}, "levels": None},
        {"resets": {"power-on": "x"}, "levels": {"perfect": {"player": []}}},
        {"games": -1, "player": True, "since": "two words", "played": {"nim ok": {}, "\n": {}}},
    ],
)
def test_statistics_without_numbers_begin_at_zero(saved):
    pico = SimulatedPico()
    pico.files.contents["/statistics.json"] = json.dumps(saved)
    pico.settle()
    play_to_the_end(pico, 1)
    stats = pico.told("stats")
    assert (stats["games"], stats["player"], stats["since"]) == ("1", "0", "unknown")
    assert pico.resets == []


# ---------------------------------------------------------------------- crashes and hangs


@pytest.mark.both_chips
def test_crash_is_logged_and_the_show_continues(pico, monkeypatch):
    pico.start(3, 4, 5)

    def broken(gpio, read=pico.circuit.chip.read):
        if gpio == pins.BUTTONS[0][1]:
            raise OSError(5, "broken wire")
        return read(gpio)

    monkeypatch.setattr(pico.circuit.chip, "read", broken)
    pico.run(3000)
    assert pico.state == "attract" and any(pico.lamps)
    assert f"event boot version={VERSION} mode=exhibit why=crash" in pico.lines()
    assert pico.told("stats")["resets.crash"] == "1"
    entry, answer = typed(pico, "log")
    assert entry.startswith('event log n=1 why=crash text="Traceback (most recent call last):\\n')
    assert protocol.parse(entry)[2]["text"].endswith("broken wire\n")
    assert answer == "ok entries=1"
    assert pico.ask("log clear") == "ok entries=0"
    power_cycle(pico)
    assert pico.ask("log") == "ok entries=0"


def test_the_crash_log_is_bounded(mistaken):
    mistake = mistaken(
        "nimatron/exhibit.py",
        "        self._enter(states.THINKING)\n",
        '        self._enter(states.THINKING)\n        raise ValueError("x" * 5000)\n',
    )
    pico = SimulatedPico(files=mistake)
    for _ in range(7):
        pico.settle()
        pico.run(61_000)  # slow crashes, after which the firmware does not give up
        pico.start(3, 4, 5)
        pico.send("take 1 1")
        pico.run(1000)
    pico.settle()
    assert pico.ask("log") == "ok entries=5"
    assert len(pico.files.contents["/crashes.json"]) < 5 * 800


def test_quick_crashes_stop_at_a_visible_pattern_with_the_console_alive(mistaken):
    mistake = mistaken(
        "nimatron/exhibit.py", "self._enter(states.ATTRACT)", 'raise ValueError("bad")'
    )
    pico = SimulatedPico(files=mistake)
    pico.run(5000)
    assert len(pico.resets) == 3
    assert pico.state == "crashed"
    assert "mode=crashed" in pico.ask("version")
    assert pico.told("status")["reason"] == "crashed-mode"
    pico.lines()
    shown = set()
    for _ in range(8):
        pico.run(250)
        shown.add(tuple(pico.lamps))
    assert shown == {(0b1000001, 0, 0, 0b1000001), (0, 0, 0, 0)}
    pico.run(500_000)
    pico.tap("go")  # a visitor comes
    pico.run(599_000)
    assert len(pico.resets) == 3
    pico.run(2000)
    assert len(pico.resets) > 3  # it tries again automatically


@pytest.mark.both_chips
@pytest.mark.parametrize(
    "hangs",
    [
        "while True:\n            time.sleep_ms(100)",
        "import asyncio; await asyncio.Event().wait()",
    ],
    ids=["the CPU", "one vital part"],
)
def test_a_hang_trips_the_watchdog_and_statistics_are_kept(mistaken, hangs):
    enter = "        self._enter(states.MACHINE)\n"
    mistake = mistaken("nimatron/exhibit.py", enter, f"{enter}        {hangs}\n")
    pico = SimulatedPico(files=mistake)
    pico.settle()
    play_to_the_end(pico, 1)
    pico.start(3, 4, 5)
    pico.ask("take 1 1")
    pico.lines()
    pico.run(15_000)
    assert pico.state == "attract"
    assert f"event boot version={VERSION} mode=exhibit why=hang" in pico.lines()
    stats = pico.told("stats")
    assert (stats["games"], stats["resets.hang"]) == ("1", "1")
    assert pico.ask("log") == "ok entries=1"


# ---------------------------------------------------------------------- maintenance


def power_up_holding(*buttons):
    pico = SimulatedPico()
    for button in buttons:
        pico.press(button)
    return pico


def test_two_buttons_held_at_power_up_for_three_seconds_mean_maintenance():
    pico = power_up_holding("row1", "new")
    pico.run(1700)
    assert pico.lines() == []
    assert pico.rows == (7, 7, 0, 0)
    pico.run(1600)
    assert f"event boot version={VERSION} mode=maintenance why=power-on" in pico.lines()
    pico.release("row1")
    pico.release("new")
    assert pico.told("new 3 4 5")["reason"] == "maintenance-mode"
    pico.run(60_000)
    assert pico.resets == []


def test_two_buttons_released_earlier_mean_the_show():
    pico = power_up_holding("row1", "new")
    pico.run(2500)
    pico.release("row1")
    pico.run(200)
    assert f"event boot version={VERSION} mode=exhibit why=power-on" in pico.lines()
    assert pico.state == "attract" and any(pico.lamps)


@pytest.mark.parametrize(
    "buttons", [["row1"], ["new"], ["row1", "go"], ["row1", "go", "new"], "every contact"]
)
def test_any_other_contacts_stuck_at_power_up_are_reported_and_ignored(buttons):
    buttons = [name for name, _ in pins.BUTTONS] if buttons == "every contact" else buttons
    pico = power_up_holding(*buttons)
    pico.run(500)
    lines = pico.lines()
    assert f"event boot version={VERSION} mode=exhibit why=power-on" in lines
    assert [line for line in lines if "contact=held" in line] == [
        f"event button={name} contact=held" for name in buttons
    ]
    pico.run(900_000)
    assert pico.state == "attract" and pico.resets == []
    for name in buttons:
        pico.release(name)
    pico.run(200)
    assert pico.state == "attract"
    pico.tap(buttons[0])
    assert pico.state == "opening"


@pytest.mark.both_chips
@pytest.mark.parametrize("why", ["crash", "hang", "reset", "reboot"])
def test_no_other_start_leads_into_maintenance_by_buttons(pico, why, monkeypatch):
    pico.press("row1")
    pico.press("new")
    pico.run(100)
    if why == "reboot":
        pico.send("reboot")
    elif why == "reset":
        pico.core.reset(CAUSE_RESET)
    elif why == "hang":
        Scratch(pico)[REASON] = 1
        pico.core.reset(CAUSE_RESET)
    else:
        monkeypatch.setattr(pico.circuit.chip, "read", lambda gpio: 1 / 0)
    pico.run(10_000)
    assert f"event boot version={VERSION} mode=exhibit why={why}" in pico.lines()
    assert pico.resets == [CAUSE_RESET]


def test_idle_maintenance_ends_automatically(pico):
    pico.ask("set maintenance_ms 120000")
    pico.ask("maintenance")
    pico.run(100_000)
    pico.tap("go")
    pico.run(100_000)
    pico.ask("version")
    pico.run(119_000)
    assert "mode=maintenance" in pico.ask("version")
    pico.run(119_000)
    assert len(pico.resets) == 1
    pico.run(1500)
    assert len(pico.resets) == 2 and pico.state == "attract"
    assert f"event boot version={VERSION} mode=exhibit why=reboot" in pico.lines()


def test_a_contact_that_is_stuck_does_not_keep_maintenance_going(pico):
    pico.ask("maintenance")
    pico.press("row1")
    pico.run(601_500)
    assert pico.state == "attract"


def test_the_console_leads_into_maintenance_and_back(pico):
    assert pico.ask("maintenance") == "ok restarting=maintenance"
    pico.run(500)
    assert f"event boot version={VERSION} mode=maintenance why=maintenance" in pico.lines()
    assert pico.ask("reboot") == "ok restarting=reboot"
    pico.run(500)
    assert f"event boot version={VERSION} mode=exhibit why=reboot" in pico.lines()
    assert pico.state == "attract"


@pytest.mark.both_chips
def test_ctrl_c_does_not_stop_the_show_but_ends_maintenance(pico):
    pico.send_bytes(b"\x03")
    assert pico.ask("") == (
        "error reason=control-byte got=0x03 try=maintenance"
        ' text="Ctrl-C works in maintenance mode only"'
    )
    assert "state=attract" in pico.ask("status")
    assert stop_maintenance(pico).startswith("stopped. Ctrl-D starts the show")
    assert pico.rows == (0, 0, 0, 0)
    pico.run(599_000)
    assert len(pico.resets) == 1
    pico.run(2000)
    assert len(pico.resets) == 2 and pico.state == "attract"


@pytest.mark.parametrize("ms", [*range(6), 30, 119, 120, 121])
@pytest.mark.parametrize("again_ms", [None, 0.01, 1])
def test_ctrl_c_leaves_nothing_on(pico, ms, again_ms):
    """The coin chute's solenoid, which would burn, is off. So are the tone, the legends and the
    lamps. mpremote sends Ctrl-C twice."""
    pico.ask("maintenance")
    pico.run(12_000)
    pico.press("new")
    pico.run(ms)
    pico.send_bytes(b"\x03")
    if again_ms:
        pico.run(again_ms)
        pico.send_bytes(b"\x03")
    pico.run(50)
    assert (pico.coin, pico.sound, pico.legends, pico.rows) == (0, 0, set(), (0, 0, 0, 0))
    assert pico.lines()[-1].startswith("stopped.")


def test_the_bench_walks_every_lamp_and_legend_then_follows_the_buttons(pico):
    pico.ask("maintenance")
    before = len(pico.trace)
    pico.run(8000)
    lamps = [tuple(c["lamps"]) for c in pico.trace[before:] if "lamps" in c]
    alone = [tuple((1 << c) * (r == row) for r in range(4)) for row in range(4) for c in range(7)]
    assert [picture for picture in lamps if any(picture)] == alone
    legends = [c["legends"] for c in pico.trace[before:] if c.get("legends")]
    assert legends == [["your-move"], ["machine-move"], ["you-win"], ["machine-wins"]]
    pico.press("row2")
    pico.run(100)
    assert pico.rows == (0, 7, 0, 0)
    pico.release("row2")
    pico.press("go")
    pico.run(100)
    assert pico.rows == (7, 7, 7, 7)
    pico.release("go")
    pico.press("new")
    pico.run(60)
    assert (pico.coin, len(pico.legends)) == (1, 4)


@pytest.mark.parametrize("after_ms", [300, 3300, 8000])
def test_single_devices_can_be_tried_from_the_console(pico, after_ms):
    pico.ask("maintenance")
    pico.run(after_ms)
    assert pico.ask("test lamp 2 7") == "ok test=lamp"
    pico.run(1000)
    assert pico.lamps == [0, 0b1000000, 0, 0]
    pico.ask("test legend you-win")
    assert (pico.legends, pico.rows) == ({"you-win"}, (0, 0, 0, 0))
    pico.ask("test sound 440")
    assert (pico.sound, pico.legends) == (440, set())
    pico.ask("test coin")
    assert pico.sound == 0
    assert [change["coin"] for change in pico.trace if "coin" in change] == [1, 0]
    assert pico.ask("test off") == "ok test=off"


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("test lamp 5 1", 'error reason=out-of-range text="lamps are 1 1 to 4 7"'),
        ("test lamp 1", 'error reason=usage expected="test '),
        (
            "test legend odd",
            'error reason=not-allowed text="legends are your-move machine-move ',
        ),
        (
            "test sound 1",
            'error reason=out-of-range min=20 max=20000 text="tones are 20 to 20000 Hz"',
        ),
        ("test smell", 'error reason=usage expected="test '),
    ],
)
def test_impossible_self_tests_are_refused(pico, line, answer):
    assert pico.told("test coin")["reason"] == "exhibit-mode"
    pico.ask("maintenance")
    pico.run(500)
    assert pico.ask(line).startswith(answer)


def test_lamps_can_be_tested_in_the_show(pico):
    pico.lines()
    pico.start(3, 4, 5)
    assert " state=test rows=0,0,0,0 picked=0,0,0,0" in pico.ask("lamps test")
    pico.run(1000)
    assert " state=test " in pico.ask("status")
    pico.settle()
    assert pico.state == "attract"
    assert " state=attract " in pico.ask("status")


def test_contacts_report_themselves(pico):
    assert pico.ask("buttons") == "ok row1=open row2=open row3=open row4=open go=open new=open"
    pico.ask("buttons on")
    pico.lines()
    pico.press("row2")
    pico.run(100)
    assert "row2=closed" in pico.ask("buttons")
    pico.lines()
    pico.release("row2")
    pico.run(100)
    (line,) = [line for line in pico.lines() if "contact=" in line]
    assert line.startswith("event button=row2 contact=open edges=")
    assert int(line.rpartition("=")[2]) > 2
    pico.ask("buttons off")
    pico.lines()
    pico.tap("row2")
    assert not [line for line in pico.lines() if "contact=" in line]


def test_quiet_leaves_only_answers(pico):
    pico.ask("quiet on")
    pico.lines()
    pico.start(3, 4, 5)
    pico.ask("take 1 1")
    pico.run(5000)
    assert pico.lines() == []
    pico.ask("quiet off")
    pico.start(3)
    assert "event state=player" in [c.get("console") for c in pico.trace]


@pytest.mark.parametrize("ms", [1, 60, 61, 62, 63, 100, 199, 200, 201, 203, 205, 300])
def test_ctrl_c_while_it_boots_does_not_stop_the_show(ms):
    """A terminal or mpremote sends Ctrl-C when a cable is plugged in."""
    pico = SimulatedPico()
    pico.run(ms)
    pico.send_bytes(b"\x03")
    pico.settle()
    assert pico.state == "attract"
    pico.run(1000)
    assert any(pico.lamps)
    pico.send("")  # the byte was part of a line like any other byte
    pico.run(10)
    assert pico.ask("version").startswith("ok name=nimatron")


# ---------------------------------------------------------------------- without some of its parts


def test_failed_device_is_reported_once_and_found_by_the_self_test(pico):
    pico.circuit.chip.pads[pins.SOUNDER].__class__ = Deaf
    for _ in range(2):
        pico.tap("new")
    failed = "event device=sounder failed=\"OSError(5, 'no reed')\""
    assert [line for line in pico.lines() if "device=" in line] == [failed]
    assert pico.state == "opening" and pico.resets == []
    assert 'why=device text="sounder: OSError(' in typed(pico, "log")[0]
    pico.ask("maintenance")
    pico.run(500)
    pico.circuit.chip.pads[pins.SOUNDER].__class__ = Deaf
    assert pico.told("test sound 440")["reason"] == "device-failed"
    assert pico.told("test sound 440")["reason"] == "device-failed"
    assert pico.ask("test lamp 1 1") == "ok test=lamp"
    assert pico.ask("log") == "ok entries=1"


def test_signs_that_a_spike_has_put_out_are_lit_again(pico):
    pico.start(3, 4, 5)
    pico.circuit.chip.drive(dict(pins.LEGENDS)["your-move"], 0)
    assert pico.legends == set()
    pico.run(1000)
    assert pico.legends == {"your-move"}


def test_a_coin_chute_that_would_not_shut_is_shut_by_a_restart(pico, monkeypatch):
    """Otherwise, its solenoid would burn."""

    def stuck(gpio, level, drive=pico.circuit.chip.drive):
        if gpio == pins.COIN and not level:
            raise OSError(5)
        drive(gpio, level)

    pico.start(1, 1)
    monkeypatch.setattr(pico.circuit.chip, "drive", stuck)
    move(pico, "row1")
    pico.run_until(lambda: pico.coin)
    pico.run(1000)
    assert (pico.coin, pico.resets, pico.state) == (0, [3], "attract")


@pytest.mark.parametrize(
    ("module", "before", "mistake", "corners"),
    [
        ("devices/panel", "lamps.driver(settings)", "1 / 0", False),  # it waits at the prompt
        ("devices/panel", "Buttons(settings", "Button(settings", True),
        ("devices/storage", '        damage = "damaged"', "        1 / 0", True),
    ],
)
def test_start_that_always_fails_is_retried(mistaken, module, before, mistake, corners):
    pico = SimulatedPico(files=mistaken(f"nimatron/{module}.py", before, mistake))
    pico.run(60_000)
    assert len(pico.resets) == 6
    if corners:
        assert pico.lamps == [0b1000001, 0, 0, 0b1000001]
    pico.run(600_000)
    assert len(pico.resets) == 13


_PICK = 'self._panel.play("pick")'  # at each press in maintenance


@pytest.mark.parametrize("ms", [1, 50, 99])
def test_ctrl_c_while_a_crash_restarts_the_pico_does_not_stop_that(mistaken, ms):
    """In maintenance mode, nothing else would start the show again."""
    mistake = mistaken("nimatron/maintenance.py", _PICK, "1 / 0")
    pico = SimulatedPico(files=mistake)
    pico.settle()
    pico.ask("maintenance")
    pico.run(1000)
    pico.press("go")
    pico.run(5 + ms)
    pico.send_bytes(b"\x03")
    pico.run(1000)
    assert len(pico.resets) == 2 and pico.state == "attract"


@pytest.mark.both_chips
def test_watchdog_of_maintenance_ends_a_stuck_self_test(mistaken):
    waits = "await asyncio.sleep_ms(1000 * ms)"
    pico = SimulatedPico(
        files=mistaken("nimatron/maintenance.py", "await asyncio.sleep_ms(ms)", waits)
    )
    pico.settle()
    pico.ask("maintenance")
    pico.run(8000)
    assert len(pico.resets) == 1
    pico.run(5000)
    assert len(pico.resets) == 2 and pico.state == "attract"


def test_watchdog_of_maintenance_lets_the_prompt_wait(pico):
    pico.ask("set maintenance_ms 86400000")
    stop_maintenance(pico)
    pico.run(86_399_000)
    assert len(pico.resets) == 1
    pico.run(2000)
    assert len(pico.resets) == 2


# ---------------------------------------------------------------------- before the app


HANGS = "while True: time.sleep_ms(100)"
QUICK, BLINK = "QUICK_MS = 60_000", "BLINK_MS = 250"


@pytest.mark.parametrize(
    ("module", "line", "mistake"),
    [
        ("devices/restart", QUICK, f"{QUICK}\n1 / 0\n"),
        ("devices/restart", QUICK, f"{QUICK}\n{HANGS}\n"),
        ("requests", BLINK, f"{BLINK}\n1 / 0\n"),
        ("requests", BLINK, f"{BLINK}\n{HANGS}\n"),
        ("devices/panel", "self._watchdog = Watchdog(self._fail)", HANGS),
    ],
)
def test_failed_start_is_tried_again_after_ten_minutes(mistaken, module, line, mistake):
    files = mistaken(f"nimatron/{module}.py", line, mistake)
    pico = SimulatedPico(files=files)
    pico.run(599_000)
    assert pico.resets == []
    pico.run(2000)
    assert pico.resets == [CAUSE_RESET]


@pytest.mark.parametrize(
    ("platform", "machine"),
    [("rp2", "Raspberry Pi Pico 9 with RP9999"), ("esp32", "Generic ESP32S3 with ESP32S3")],
)
def test_other_chip_is_reported_and_left_alone(tmp_path, platform, machine):
    """The address of a scratch register on one chip may be the USB clock on another chip."""
    mirrored = (MIRROR / "sys.py").read_text()
    other = tmp_path / "sys.py"
    other.write_text(
        mirrored.replace("_machine = chip.board.machine", f"_machine = {machine!r}").replace(
            'platform = "rp2"', f"platform = {platform!r}"
        )
    )
    pico = SimulatedPico(files={**firmware.files(), "sys.py": other})
    Scratch(pico)[SCRATCH_WHY] = 1
    before = dict(pico.core.scratch)
    pico.run(1000)
    assert pico.lines() == [f"Nimatron runs on an RP2040 or RP2350, not on a {machine}"]
    assert pico.core.scratch == before


def test_the_watchdog_of_the_other_chip_is_a_fault(program):
    for board, other in (("pico", "RP2350"), ("pico2", "RP2040")):
        text = f"import machine\nmachine.mem32[{WATCHDOG[other] + SCRATCH_WHY}] = 0"
        with pytest.raises(NotModelled, match="has no register at"):
            program(text, board=board)


@pytest.mark.parametrize("stays", [True, False])
def test_prompt_command_keeps_the_prompt(pico, program, stays):
    said = stop_maintenance(pico).partition("type: ")[2]
    restarts = "from nimatron.devices import restart as r\nr.restart_in(1000, r.REBOOT)\n"
    pico = program(restarts + said * stays, 1500)
    assert (pico.resets == []) == stays
    assert not any("Error" in line for line in pico.lines())


def test_a_supply_that_hiccups_does_not_wear_out_the_flash(pico):
    pico.files.contents.clear()
    for _ in range(10):
        power_cycle(pico)
    assert pico.files.contents == {}
    pico.run(61_000)
    assert pico.told("stats")["resets.power-on"] == "1"
    assert "/statistics.json" in pico.files.contents


def test_nothing_is_saved_while_the_coin_chute_is_open(pico, saves):
    """A flash write stops the CPU, and the solenoid would stay on."""
    pico.ask("set coin_ms 250")
    pico.start(1, 2)
    move(pico, "row2", 2)
    pico.run_until(lambda: pico.coin)
    before = dict(pico.files.contents)
    pico.send("set think_ms 100")
    pico.run(150)
    assert pico.coin and pico.files.contents == before and saves == []
    pico.run(200)
    assert not pico.coin and pico.lines()[-1] == "ok think_ms=100 saved=1"
    assert len(saves) == 1 and saved(pico)["player"] == 1


@pytest.mark.both_chips
@pytest.mark.parametrize("reason", [1, 2], ids=["watchdog", "machine.reset"])
def test_soft_reset_is_never_a_failure(pico, reason):
    """A soft reset does not change the chip's reset reason."""
    scratch = Scratch(pico)
    scratch[REASON] = reason
    scratch[SCRATCH_QUICK] = 3
    scratch[SCRATCH_WHY] = CRASHED
    pico.core.reset(CAUSE_RESET)
    pico.run(1000)
    assert pico.state == "crashed"
    log = pico.ask("log")
    typed(pico, b"\x03")
    pico.soft_reset()
    pico.run(1000)
    assert f"event boot version={VERSION} mode=exhibit why=reset" in pico.lines()
    assert pico.ask("log") == log
    assert scratch[SCRATCH_QUICK] == 0


def test_ctrl_d_at_the_prompt_of_maintenance_starts_the_show(pico):
    stop_maintenance(pico)
    pico.soft_reset()
    pico.settle()
    pico.run(700_000)
    assert pico.state == "attract" and len(pico.resets) == 1
