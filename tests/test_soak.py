"""The soak: it passes, says the same twice, and a firmware with a mistake does not get through."""

import pickle

import pytest

from nimatron_host import cli
from nimatron_sim import soak
from nimatron_sim.referee import Foul, Referee

SEED = 15  # whose first days have both rules, and no pixels: their simulation is slow
SHORT_MS = 15 * 60_000


@pytest.fixture(autouse=True)
def short_days(monkeypatch):
    monkeypatch.setattr(soak, "DAY_MS", SHORT_MS)


def failure(files):
    """What the soak finds."""
    with pytest.raises(soak.Failed) as failed:
        soak.soak(SEED, [1, 2, 3, 4], files=files)
    return str(failed.value)


@pytest.fixture
def bad_mains(monkeypatch):
    """The power fails often."""
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


def test_the_command_reports(capsys):
    assert cli.main(["soak", "--seed", str(SEED)]) == 0
    report = capsys.readouterr().out
    assert report.startswith("seed            15\nexhibit         1 days, 0.3 h\n")
    assert "0 illegal" in report and "exhibit-seconds a second" in report


@pytest.mark.usefixtures("bad_mains")
def test_a_failure_says_how_to_replay_it(capsys, monkeypatch, mistaken):
    mistake = mistaken("nimatron/match.py", "self.turn if self.misere", "self.last if self.misere")
    day = soak.Day
    monkeypatch.setattr(soak, "Day", lambda random, files: day(random, mistake))
    assert cli.main(["soak", "--seed", str(SEED), "--days", "4"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("nimatron: day ") and "wrong winner" in said
    replay = said.split("replay it: nimatron ")[1].split()
    assert cli.main(replay) == 1
    assert capsys.readouterr().err == said


def test_a_core_for_each_day_changes_nothing(monkeypatch):
    monkeypatch.setattr(soak, "DAY_MS", 120_000)
    assert soak.soak(SEED, [1, 2], jobs=2) == soak.soak(SEED, [1, 2])


def test_a_failure_comes_whole_from_another_process():
    failed = soak.Failed(7, 12, Foul(345, "it is dark"))
    assert str(pickle.loads(pickle.dumps(failed))) == str(failed)
    assert str(failed) == (
        "day 12 of seed 7, at 345 ms: it is dark; replay it: nimatron soak --seed 7 --day 12"
    )


@pytest.mark.parametrize("words", [["--days", "0"], ["--jobs", "0"], ["--day", "-1"]])
def test_there_is_no_soak_of_nothing(capsys, words):
    assert cli.main(["soak", *words]) == 1
    assert "1 or more" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "before", "after", "found"),
    [
        (
            "nimatron/match.py",
            "self.turn if self.misere else self.last",
            "self.turn",
            "wrong winner",
        ),
        (
            "nimatron/exhibit.py",
            'self._panel.light("you-win")',
            'self._panel.light("machine-wins")',
            "the signs say",
        ),
        (
            "nimatron/match.py",
            "        if option not in self.game.options(self.position):",
            "        option = self.game.fit(tuple(0 for _ in self.position))\n        if False:",
            "illegal move",
        ),
        (
            "nimatron/exhibit.py",
            "self._panel.show(match.lamps)\n        await",
            "self._panel.show((0, 0, 0, 0))\n        await",
            "the lamps show [0, 0, 0, 0]",
        ),
        (
            "nimatron/exhibit.py",
            "            self._panel.show(masks)\n            if count",
            "            self._panel.show((0, 0, 0, 0))\n            if count",
            "it has been dark since",
        ),
        (
            "nimatron/app.py",
            "self.settings.level)\n        self.save_statistics()",
            "self.settings.level)",
            "the statistics say games=",
        ),
        (
            "nimatron/exhibit.py",
            "                self._ended(match, ABANDONED)",
            "                pass",
            "the statistics say games=",
        ),
        (
            "nimatron/exhibit.py",
            '        self._enter("machine")\n',
            '        self._enter("machine")\n        1 / self._dice.roll(5)\n',
            "the firmware has had a crash",
        ),
    ],
)
@pytest.mark.usefixtures("bad_mains")
def test_a_mistake_is_found(mistaken, name, before, after, found):
    assert found in failure(mistaken(name, before, after))


def test_the_referee_follows_the_turns():
    referee = Referee("nim", "misere")
    for line in ("boot version=1 mode=exhibit why=power-on", "state=attract", "state=player"):
        referee.see({"ms": 0, "console": f"event {line}"})
    with pytest.raises(Foul, match="not the turn of the machine"):
        referee.see({"ms": 0, "console": "event move by=machine row=1 take=1 rows=2,4,5,0"})
