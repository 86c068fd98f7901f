"""One look at all exhibits: the table, the page and the figures for Prometheus."""

import io
import json
import re
import subprocess
from datetime import datetime, timedelta
from pathlib import Path

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families
from rich.console import Console

import needs
from nimatron_host.fleet import topics
from nimatron_host.fleet.metrics import Figures
from nimatron_host.fleet.overview import Overview
from nimatron_host.fleet.status import table
from nimatron_host.kiosk.metrics import written
from nimatron_sim import firmware

ALERTS = Path(__file__).parents[2] / "docs/reference/fleet-alerts.yml"


FIGURES = {"version": "1.0", "exhibits": 2, "online": 2, "waiting": 0, "dropped": 0}


class Told:
    """An overview, which is told what a broker would."""

    def __init__(self):
        self.time = datetime(2026, 11, 22, 9, 30)
        self.overview = Overview(now=lambda: self.time)
        self.overview.connected = True
        self.say("bridge", "desk", told="online")
        self.say("figures", "desk", told=FIGURES)

    def say(self, kind, *levels, told):
        text = told if isinstance(told, str) else json.dumps(told)
        self.overview.take(topics.topic(kind, *levels), text.encode())

    def exhibit(self, name, **state):
        usual = {
            "name": name,
            "bridge": "desk",
            "version": "1.0",
            "board": "a Pico",
            "mode": "exhibit",
            "state": "attract",
            "failed": [],
            "stuck": [],
            "settings": {"level": "easy"},
        }
        self.say("status", f"id-{name}", told="online")
        self.say("state", f"id-{name}", told=usual | state)

    def count(self, name, games, won, **more):
        counts = {"since": "x", "minutes": 0, "games": games, "player": won}
        rest = {"machine": games - won, "abandoned": 0}
        self.say("stats", f"id-{name}", told=counts | rest | more)

    def row(self, name):
        rows = {row["name"]: row for row in self.overview.report()["exhibits"]}
        return rows[name]


@pytest.fixture
def told():
    told = Told()
    told.exhibit("door")
    told.exhibit("stairs")
    return told


def test_what_is_wrong_is_said_in_words(told):
    assert told.row("door")["trouble"] == []
    told.exhibit("door", failed=["sounder"], stuck=["row1"])
    assert told.row("door")["trouble"] == ["sounder has failed", "row1 is stuck"]
    told.exhibit("door", mode="crashed")
    assert told.row("door")["trouble"] == ["crashed"]
    told.say("status", "id-door", told="offline")
    assert told.row("door")["trouble"] == ["offline"] and not told.row("door")["online"]
    told.say("bridge", "desk", told="offline")
    for exhibit in ("stairs", "door"):
        assert told.row(exhibit)["trouble"] == ["its bridge desk is offline"]
    told.overview.connected = False
    assert told.row("stairs")["trouble"] == ["unknown: no connection to the broker"]


def test_a_day_counts_what_was_missed_and_begins_at_midnight(told):
    told.count("door", 100, 10)  # before anybody listened
    assert told.row("door")["today"] == 0
    told.count("door", 103, 11)
    told.time += timedelta(hours=2)
    told.count("door", 110, 12)  # while the cable was out
    row = told.row("door")
    assert (row["today"], row["won_today"], row["matches"]) == (10, 2, 110)
    assert (row["hours"][9], row["hours"][11]) == (3, 7)
    told.time += timedelta(days=1)
    told.count("stairs", 1, 0)
    assert told.row("door")["today"] == 0
    told.count("door", 2, 0)  # begun again at the exhibit
    told.count("door", 3, 1)
    assert (told.row("door")["today"], told.row("door")["won_today"]) == (1, 1)


@pytest.mark.parametrize("text", ["", "nonsense", "[]", "3"])
def test_what_is_no_message_of_ours_changes_nothing(told, text):
    for kind in ("state", "stats"):
        told.overview.take(topics.topic(kind, "id-door"), text.encode())
    told.overview.take("nimatron/v1/something/else", text.encode())
    told.overview.take(topics.topic("figures", "desk"), text.encode())
    assert told.row("door")["state"] == "attract"


def printed(overview):
    console = Console(file=io.StringIO(), width=120)
    console.print(table(overview))
    return console.file.getvalue().splitlines()


def test_the_table_has_a_row_for_each_and_trouble_first(told):
    told.count("stairs", 12, 3, **{"resets.power-on": 2, "resets.hang": 1})
    told.exhibit("stairs", stuck=["go"])
    head, first, second, last = printed(told.overview)
    assert head.split() == [
        *("exhibit", "state", "level", "matches", "won", "today", "resets", "trouble")
    ]
    assert first.split() == ["stairs", "attract", "easy", "12", "3", "0", "3", "go", "is", "stuck"]
    assert second.split() == ["door", "attract", "easy", "0", "0", "0", "0"]
    assert last == "2 of 2 exhibits online; bridges: 1"
    told.say("bridge", "attic", told="offline")
    told.say("bridge", "cellar", told="offline")
    assert printed(told.overview)[-1] == (
        "2 of 2 exhibits online; bridges: 3; offline: attic, cellar"
    )
    told.say("bridge", "attic", told="online")
    told.say("bridge", "cellar", told="online")
    told.say("figures", "desk", told=FIGURES | {"waiting": 7, "dropped": 2})
    told.overview.connected = False
    assert printed(told.overview)[-1] == (
        "no connection to the broker; 0 of 2 exhibits online; bridges: 3; 7 events wait; "
        "2 events were dropped"
    )


def figures(text):
    """{(name, labels): value} of what Prometheus would read."""
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_prometheus_reads_each_figure(told):
    told.count("door", 12, 3, **{"resets.power-on": 2, "resets.hang": 1})
    told.exhibit("stairs", mode="maintenance", stuck=["go"], failed=["coin", "sounder"])
    found = figures(written(Figures(told.overview)).decode())

    def figure(name, exhibit, **labels):
        who = {"exhibit": f"id-{exhibit}", "name": exhibit}
        return found[f"nimatron_{name}", frozenset((who | labels).items())]

    assert figure("exhibit_matches_total", "door", outcome="player") == 3
    assert figure("exhibit_matches_total", "door", outcome="machine") == 9
    assert figure("exhibit_resets_total", "door", why="hang") == 1
    assert (figure("exhibit_showing", "door"), figure("exhibit_showing", "stairs")) == (1, 0)
    assert (figure("exhibit_up", "stairs"), figure("exhibit_stuck_buttons", "stairs")) == (1, 1)
    assert figure("exhibit_failed_devices", "stairs") == 2
    desk = frozenset({("bridge", "desk")})
    assert found["nimatron_bridge_up", desk] == 1
    assert found["nimatron_bridge_events_dropped_total", desk] == 0
    assert found["nimatron_fleet_connected", frozenset()] == 1


# ---------------------------------------------------------------------- alerts


def names_in(expression):
    return set(re.findall(r"\bnimatron_\w+", expression))


def known():
    told = Told()
    told.exhibit("door")
    told.count("door", 1, 0, **{"resets.hang": 1})
    text = written(Figures(told.overview)).decode()
    return {name for name, _ in figures(text)}


def rules():
    (group,) = yaml.safe_load(ALERTS.read_text())["groups"]
    return {rule["alert"]: rule for rule in group["rules"]}


def expressions():
    for rule in rules().values():
        yield rule["expr"]


def test_each_metric_of_the_alerts_exists():
    assert set().union(*map(names_in, expressions())) <= known()


def test_each_reason_that_an_alert_leaves_out_is_one_of_the_firmwares():
    restart = firmware.files()["nimatron/devices/restart.py"].read_text()
    known = re.search(r"WHY = \((.+?)\n\)", restart, re.S)[1]  # it runs on a Pico only
    for expression in expressions():
        for left_out in re.findall(r'why!~"([^"]+)"', expression):
            assert all(f'"{why}"' in known for why in left_out.split("|"))


@pytest.mark.parametrize("which", ["rules", "tests"])
def test_promtool_finds_nothing_wrong(which):
    """Prometheus's own tool reads the rules, and raises each alert in a made-up hall."""
    promtool = needs.program("promtool", "prometheus")
    if which == "rules":
        command = [promtool, "check", "rules", ALERTS]
    else:
        command = [promtool, "test", "rules", Path(__file__).parent / "alerts.yml"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_each_alert_is_tried():
    tried = yaml.safe_load((Path(__file__).parent / "alerts.yml").read_text())["tests"]
    assert {
        one["alertname"]
        for test in tried
        for one in test["alert_rule_test"]
        if one.get("exp_alerts")
    } == set(rules())
