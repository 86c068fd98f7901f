"""The soak test passes, gives the same result twice, and finds mistakes in firmware."""

import gc
import json
import pickle
import re
import signal
import weakref

import pytest

from nimatron_host import cli
from nimatron_sim.soak import soak
from nimatron_sim.soak.referee import LOST, Foul, Referee

SEED = 15  # whose first days have both rules, and no pixels, whose simulation is slow
SHORT_MS = 15 * 60_000


@pytest.fixture(autouse=True)
def short_days(monkeypatch):
    """Make each day a quarter of an hour with no gap between visitors."""
    monkeypatch.setattr(soak, "DAY_MS", SHORT_MS)
    monkeypatch.setattr(soak, "_BETWEEN_MS", (10_000,))


def failure(files):
    """Return the finding of the soak test."""
    with pytest.raises(soak.Failed) as failed:
        soak.soak(SEED, [1, 2, 3, 4], files=files)
    return str(failed.value)


@pytest.fixture
def bad_mains(monkeypatch):
    monkeypatch.setattr(soak, "_CUT", 0.3)


@pytest.mark.usefixtures("bad_mains")
def test_a_day_passes_and_is_the_same_day_each_time():
    days = []
    first = soak.soak(SEED, [1, 2], progress=days.append)
    assert first.tally["games"] == sum(first.tally[o] for o in ("player", "machine", "abandoned"))
    assert first.tally["games"] > 10 and first.presses > 200
    assert first.days == 2 and first.ms >= 2 * SHORT_MS
    assert days == sorted(days) and days[-1] == 2
    again = soak.soak(SEED, [2])
    again.add(soak.soak(SEED, [1]))
    assert again == first
    assert str(again) == str(first)


def test_the_command_reports_to_people_and_programs(nimatron, monkeypatch):
    counted = soak.soak(SEED, [1])
    monkeypatch.setattr(soak, "soak", lambda *_, **__: counted)
    status, report, _ = nimatron("soak", "--seed", str(SEED))
    assert status == 0
    assert report.startswith("seed            15\ndays            1\n")
    moves = re.search(r"^moves +(\d+)$", report, re.MULTILINE)[1]
    found = f"nothing found: in 1 day and {moves} moves the referee saw no fault"
    assert report.splitlines()[-1] == found
    for line in ("time_in .*attract ", "machine ", "starts .*power-on ", "speed "):
        assert re.search(f"^{line}", report, re.MULTILINE), line

    status, report, _ = nimatron("soak", "--seed", str(SEED), "--json")
    told = json.loads(report)
    assert (status, told["seed"], told["days"], told["fault"]) == (0, SEED, 1, None)
    assert told["games"] == told["player"] + told["machine"] + told["abandoned"] > 0
    assert told["moves"] > 0 and told["visits"]["expert"] and told["starts"]["power-on"]


@pytest.fixture
def mistake(monkeypatch, mistaken):
    """Install firmware that names the wrong winner."""
    files = mistaken("nimatron/match.py", "self.turn if self.misere", "self.last if self.misere")
    day = soak.Day
    monkeypatch.setattr(soak, "Day", lambda random, _, board: day(random, files, board))


@pytest.mark.usefixtures("bad_mains", "mistake")
def test_a_failure_says_how_to_replay_it(nimatron):
    status, _, said = nimatron("soak", "--seed", str(SEED), "--days", "4")
    assert status == 1 and said.startswith("nimatron: day ") and "wrong winner" in said
    replay, _, tail = said.partition("Replay it: nimatron ")[2].partition("\n")
    records = [json.loads(line) for line in tail.splitlines()[1:]]
    assert len(records) == 40
    assert "event over winner=" in records[-1]["console"]
    status, out, error = nimatron(*replay.split(), "--json")
    assert (status, error) == (1, said)
    told = json.loads(out)
    assert told["seed"] == SEED and "wrong winner" in told["fault"].pop("what")
    assert told["fault"].keys() == {"day", "ms", "trace"} and told["fault"]["trace"] == records


def test_a_day_that_is_over_takes_no_memory(monkeypatch):
    picos = []

    class Noted(soak.Day):
        def __init__(self, *args):
            super().__init__(*args)
            picos.append(weakref.ref(self.pico))

    monkeypatch.setattr(soak, "Day", Noted)
    monkeypatch.setattr(soak, "DAY_MS", 60_000)
    soak.soak(SEED, [1, 2])
    gc.collect()
    assert [pico() for pico in picos] == [None, None]


def test_a_core_for_each_day_changes_nothing(monkeypatch):
    monkeypatch.undo()  # the other processes have only the usual gaps
    monkeypatch.setattr(soak, "DAY_MS", 120_000)
    assert soak.soak(SEED, [1, 2], jobs=2) == soak.soak(SEED, [1, 2])


def test_a_failure_comes_whole_from_another_process():
    failed = soak.Failed(7, 12, Foul(345, "it is dark"), [{"ms": 344, "sound": 0}])
    assert str(pickle.loads(pickle.dumps(failed))) == str(failed)
    assert str(failed) == (
        "day 12 of seed 7, at 345 ms: it is dark. Replay it: nimatron soak --seed 7 --day 12\n"
        'the last records of the trace:\n{"ms": 344, "sound": 0}'
    )
    on_another = soak.Failed(7, 12, Foul(345, "it is dark"), [], "pico2")
    assert "--seed 7 --day 12 --board pico2\n" in str(pickle.loads(pickle.dumps(on_another)))


def test_ctrl_c_ends_it_and_is_no_failure(monkeypatch, capsys):
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    seen = []

    class Interrupted(soak.Day):
        def __init__(self, *args):
            super().__init__(*args)
            self.pico.clock.call_at(100_000_000, signal.raise_signal, signal.SIGINT)
            seen.append(self.tail)

    monkeypatch.setattr(soak, "Day", Interrupted)
    try:
        assert cli.main(["soak", "--seed", str(SEED)]) == 130
    finally:
        signal.signal(signal.SIGINT, before)
    assert capsys.readouterr() == (f"seed            {SEED}\n", "")
    assert seen[0][-1]["ms"] <= 100_000


def test_a_firmware_that_computes_for_ever_is_a_failure(monkeypatch, mistaken):
    monkeypatch.setattr(soak, "_STUCK_S", 0.4)
    mistake = mistaken("nimatron/opponent.py", "if slip", "while slip == 0: pass\n    if slip")
    assert "the firmware computes forever in mistaken.py, line 2" in failure(mistake)


def test_a_mistake_of_its_own_is_found_too(monkeypatch):
    monkeypatch.setitem(soak._VISITORS, "leaner", (10**6, lambda *args: 1 // 0))
    assert "ZeroDivisionError in test_soak.py, line " in failure(None)


DARK, COUNTS = "the lamps have been dark since", "the statistics say "
UNASKED = "it is in maintenance without a request"
MISTAKES = [
    ("the signs say", "exhibit", '_panel.light("you-win")', '_panel.light("machine-wins")'),
    (
        "illegal move",
        "match",
        "        if option not in self.game.options(self.position):",
        "        option = tuple(0 for _ in self.position)\n        if False:",
    ),
    (DARK, "exhibit", "show(match.lamps)\n        await", "show((0,) * 4)\n        await"),
    (DARK, "exhibit", "show(masks)\n            if count", "show((0,) * 4)\n            if count"),
    (COUNTS, "app", "_MINUTE_MS = const(60_000)", "_MINUTE_MS = const(180_000)"),
    (COUNTS, "statistics", "get(outcome, 0) + 1", 'get(outcome, 0) + (name != "easy")'),
    (COUNTS, "exhibit", "            self._ended(match, ABANDONED)", "            pass"),
    (UNASKED, "app", "self.panel.dark()\n                return False", "return True"),
    (
        "the firmware has had a crash",
        "exhibit",
        "        self._enter(states.MACHINE)\n",
        "        self._enter(states.MACHINE)\n        1 / self._dice.roll(5)\n",
    ),
]


@pytest.mark.parametrize(("found", "module", "before", "after"), MISTAKES)
@pytest.mark.usefixtures("bad_mains")
def test_a_mistake_is_found(mistaken, found, module, before, after):
    assert found in failure(mistaken(f"nimatron/{module}.py", before, after))


# ---------------------------------------------------------------------- the referee


class Told:
    """A referee that gets lines at the moment `ms`."""

    def __init__(self, **settings):
        self.referee = Referee(settings)
        self.ms = 0
        self.hear(BOOT, "event state=attract")

    def hear(self, *lines):
        for line in lines:
            self.referee.see({"ms": self.ms, "console": line})

    def match(self, *lines):
        """Type a match from 1-0-0-0, with its first lines."""
        self.hear("event state=player")
        self.hear("ok game=nim rule=misere level=perfect state=player rows=1,0,0,0 picked=0,0,0,0")
        self.hear(*lines)

    def won(self):
        """Let the player switch off the last lamp and lose."""
        self.match("event move by=player row=1 take=1 rows=0,0,0,0")
        self.referee.see({"ms": self.ms, "legends": ["machine-wins"]})
        self.hear("event state=verdict", "event over winner=machine")

    def stats(self, games=0, since="unknown", more="resets.power-on=1"):
        words = f"ok since={since} minutes=0 games={games} player=0 machine={games}"
        if games:
            more += f" played.nim=0/{games}/0 openings.other=0/{games}/0"
            more += f" levels.perfect=0/{games}/0"
        self.hear(f"{words} abandoned=0 {more}".strip())


BOOT = "event boot version=1 mode=exhibit why=power-on"


@pytest.fixture
def told():
    return Told()


def test_the_referee_follows_the_turns(told):
    told.hear("event state=player")
    with pytest.raises(Foul, match="not the turn of the machine"):
        told.hear("event move by=machine row=1 take=1 rows=2,4,5,0")


def test_a_level_that_the_visitor_chose_counts_for_the_visit(told):
    told.hear("event level=child", "event state=opening", "event state=player")
    told.hear("ok game=nim rule=misere level=child state=player rows=3,4,5,0 picked=0,0,0,0")
    told.hear("event state=attract")
    with pytest.raises(Foul, match="it says that its level is child, it is perfect"):
        told.hear("ok game=nim rule=misere level=child state=attract rows=0,0,0,0 picked=0,0,0,0")


@pytest.mark.parametrize(
    ("wrong", "found"),
    [
        ("levels.perfect=0/1/0", "openings.machine=0, there were 1"),
        ("openings.other=0/1/0 levels.easy=0/1/0", "levels.easy.machine=1, there were 0"),
        ("openings.3-4-5-0=0/0/1 levels.perfect=0/1/0", "openings.abandoned=1, there were 0"),
    ],
)
def test_each_group_of_the_statistics_adds_up(told, wrong, found):
    told.won()
    with pytest.raises(Foul, match=f"the statistics say {found}"):
        told.hear(
            "ok since=unknown minutes=0 games=1 player=0 machine=1 abandoned=0 "
            f"resets.power-on=1 played.nim=0/1/0 {wrong}"
        )


def test_a_power_cut_costs_the_match(told):
    told.won()
    told.match("event move by=player row=1 take=1 rows=0,0,0,0")
    told.referee.power(False)
    told.ms = 3_700_000
    told.referee.look(told.ms)
    told.referee.power(True)
    told.hear(BOOT, "event state=attract")
    told.stats(1, more="resets.power-on=2")
    assert told.referee.tally["cut short"] == 1


@pytest.mark.parametrize("stop", ["power cut", "reset"])
@pytest.mark.parametrize(("ms", "lost"), [(30_000, 1), (60_900, 1), (61_000, 0)])
def test_a_stop_may_cost_the_matches_of_the_minute_before(told, stop, ms, lost):
    told.won()
    told.ms += ms
    told.referee.look(told.ms)
    if stop == "power cut":
        told.referee.power(False)
        told.ms += 300_000
        told.referee.look(told.ms)
        told.referee.power(True)
    told.hear(BOOT)
    if lost:
        told.stats(0, more="resets.power-on=2")
        assert told.referee.tally[LOST] == 1
    else:
        with pytest.raises(Foul, match="the statistics say games=0, there were 1"):
            told.stats(0, more="resets.power-on=2")


def test_partial_loss_is_found(told):
    told.won()
    told.hear(BOOT)
    with pytest.raises(Foul, match="the statistics say games=0, and 1 by levels"):
        told.stats(0, more="resets.power-on=2 levels.perfect=0/1/0")


def test_a_match_is_lost_only_by_a_stop(told):
    told.won()
    told.ms += 100
    with pytest.raises(Foul, match="the statistics say games=0, there were 1"):
        told.stats(0)


def test_a_start_that_was_cut_off_before_it_was_told_may_count(told):
    told.referee.power(False)
    told.referee.power(True)
    told.referee.power(False)
    told.referee.power(True)
    told.hear(BOOT)
    told.stats(more="resets.power-on=3")
    with pytest.raises(Foul, match=r"resets.power-on=4, there were 3"):
        told.stats(more="resets.power-on=4")


def test_statistics_that_are_begun_again_begin_at_nothing(told):
    told.won()
    told.stats(since="1940-05-11", more="")
    told.won()
    told.stats(1, since="1940-05-11", more="")
    with pytest.raises(Foul, match="the statistics since 1940-05-11 are lost"):
        told.stats()


def test_what_it_does_not_say_it_may_count_and_must_not_forget(told):
    told.won()
    told.hear("ok quiet=on")
    told.stats(3)
    told.stats(4)
    told.hear("ok quiet=off", "event over winner=player")  # of a match without its beginning
    told.hear("event state=opening", "event state=player")  # of a game without its choice
    told.hear("event move by=player row=1 take=1 rows=11111")
    told.ms += 1
    told.stats(5)
    told.hear("event state=attract")
    told.stats(6)
    with pytest.raises(Foul, match="games=7, there were 6"):
        told.stats(7)


def test_a_rule_that_is_set_in_the_opening_is_for_the_next_one(told):
    told.referee.see({"ms": 0, "lamps": [0b111, 0b1111, 0b11111, 0]})
    told.hear("event state=opening", "ok rule=normal saved=1 from=next-match")
    told.match("event move by=player row=1 take=1 rows=0,0,0,0")  # typed: by the new rule
    told.referee.see({"ms": 0, "legends": ["you-win"]})
    with pytest.raises(Foul, match="wrong winner: the player"):
        told.hear("event over winner=player")


def test_what_was_set_and_set_back_in_the_opening_may_be_what_is_played(told):
    told.referee.see({"ms": 0, "lamps": [0b111, 0b1111, 0b11111, 0]})
    told.hear("event state=opening", "ok rule=normal saved=1", "ok rule=misere saved=1")
    told.hear("event state=player")
    told.hear("ok game=nim rule=normal level=perfect state=player rows=3,4,5,0 picked=0,0,0,0")
    with pytest.raises(Foul, match="it says that it plays kayles"):
        told.hear("ok game=kayles rule=normal level=perfect state=player rows=1 picked=0")


def test_people_among_themselves_are_not_counted(told):
    told.hear("ok players=2 saved=1")
    told.match("event move by=player-1 row=1 take=1 rows=0,0,0,0")
    told.referee.see({"ms": 0, "legends": ["you-win"]})
    told.hear("event over winner=player-2")
    told.stats()
    assert told.referee.tally["among people"] == 1


def test_its_level_is_the_one_that_was_set(told):
    told.hear("ok machine=dr-nim-1966 saved=1 about=it")
    with pytest.raises(Foul, match="its level is perfect, it is equalizer"):
        told.hear(
            "ok game=nim rule=misere level=perfect state=attract rows=0,0,0,0 picked=0,0,0,0"
        )


MAINTAINED = "event boot version=1 mode=maintenance why="


def test_the_console_asks_for_it_once(told):
    told.hear("ok restarting=maintenance", MAINTAINED + "maintenance")
    with pytest.raises(Foul, match="maintenance without a request"):
        told.hear(MAINTAINED + "maintenance")


def test_maintenance_may_be_dark_from_its_first_moment_and_the_show_may_not(told):
    """The console may test the coin chute before any lamp has been lit."""
    told.hear("ok restarting=maintenance")
    told.referee.see({"ms": told.ms, "lamps": [0, 0, 0, 0]})
    told.hear(BOOT.replace("exhibit", "maintenance").replace("power-on", "maintenance"))
    told.ms += 600_000
    told.hear(BOOT.replace("power-on", "maintenance"))
    told.ms += 60_000
    with pytest.raises(Foul, match="it has been dark since 600000 ms"):
        told.referee.look(told.ms)
