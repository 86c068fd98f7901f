"""Faults of the matrix's wires are found, named, reported and forgotten."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typed import typed

from nimatron import board, diagnosis, wires
from nimatron.devices import pins
from nimatron.diagnosis import diagnose
from nimatron.wires import AMONG_HIGH, AMONG_LOW, NEVER, Survey
from nimatron_sim.cabinet import Circuit
from nimatron_sim.matrix_voltage import GROUND, SUPPLY, Wires, matrix
from nimatron_sim.simulated_pico import SimulatedPico

MINUTE = 60_000
PARTS, PADS = matrix(pins.ROWS, pins.COLUMNS)
COLUMN, ROW = pins.COLUMNS[4], pins.ROWS[2]
LAMP = ("led", f"anodes {COLUMN}", f"cathodes {ROW}")  # 3.5


def without(*parts):
    """Return the wires of a matrix without these parts."""
    return Wires([part for part in PARTS if part not in parts], PADS)


def joined(one, other):
    """Return the wires of a matrix in which two nets are joined."""
    parts = [tuple(other if end == one else end for end in part) for part in PARTS]
    return Wires(parts, {pad: other if net == one else net for pad, net in PADS.items()})


def events(pico):
    return [line for line in pico.lines() if " fault=" in line]


def test_healthy_wires_cause_no_event():
    pico = SimulatedPico(settings={"idle_ms": 5 * MINUTE})
    pico.run(10 * MINUTE)
    pico.start(3, 4, 5)
    pico.run(2 * MINUTE)
    assert "your-move" in pico.legends
    assert events(pico) == []
    assert pico.told("health")["lamps"] == "ok"


@pytest.mark.both_chips
def test_open_lamp_is_reported_logged_once_and_its_repair_too():
    pico = SimulatedPico()
    pico.run(MINUTE)
    for crashes in ("1", "1"):
        pico.lines()
        pico.circuit.wires = without(LAMP)
        pico.run(MINUTE)
        assert events(pico) == ["event lamp=3.5 fault=open"]
        told = pico.told("health")
        assert (told["lamps"], told["crashes"]) == ("lamp:3.5:open", crashes)
        pico.circuit.wires = Wires(PARTS, PADS)
        pico.run(MINUTE)
        assert events(pico) == ["event lamp=3.5 fault=gone"]
        assert pico.told("health")["lamps"] == "ok"
    assert 'why=wire text="lamp=3.5 fault=open"' in typed(pico, "log")[0]


FAULTS = {
    "a shorted lamp": (joined(LAMP[1], LAMP[2]), "lamp:3.5:short"),
    "no transistor": (without(("npn", f"cathodes {ROW}", f"base {ROW}", GROUND)), "row:3:open"),
    "a base without a wire": (without(("resistor", PADS[ROW], f"base {ROW}", 1000)), "row:3:open"),
    "a transistor that conducts": (joined(f"cathodes {ROW}", GROUND), "row:3:short"),
    "a row at ground": (joined(PADS[ROW], GROUND), "row:3:short"),
    "a row at 3.3 V": (joined(PADS[ROW], SUPPLY), "row:3:short"),
    "a column without a wire": (
        without(("resistor", PADS[COLUMN], f"anodes {COLUMN}", 470)),
        "column:5:open",
    ),
    "a column at ground": (joined(PADS[COLUMN], GROUND), "column:5:short"),
    "a column at 3.3 V": (joined(PADS[COLUMN], SUPPLY), "column:5:short"),
    "two columns": (joined(PADS[COLUMN], PADS[COLUMN + 1]), "column:5:short,column:6:short"),
    "no matrix": (Wires([], PADS), "row:all:open"),
    "pull-downs of an RP2350 A2": (Wires(PARTS, PADS, pull_ohms=None), "unknown"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_each_kind_of_fault_has_its_name_within_a_minute(fault):
    wires, name = FAULTS[fault]
    pico = SimulatedPico(Circuit(wires=wires))
    pico.run(MINUTE)
    assert pico.told("health")["lamps"] == name
    assert pico.resets == []


def test_sign_that_is_held_high_is_reported_until_it_is_dark_and_low():
    held = dict(pins.LEGENDS)["your-move"]
    wires = Wires(PARTS, PADS | {held: SUPPLY})
    pico = SimulatedPico(Circuit(wires=wires), settings={"idle_ms": 3 * MINUTE})
    pico.run(MINUTE)
    pico.start(3, 4, 5)
    pico.run(MINUTE)
    assert "your-move" in pico.legends
    assert pico.told("health")["lamps"] == "legend:your-move:short"
    pico.circuit.wires = Wires(PARTS, PADS)
    pico.run(MINUTE)
    assert pico.told("health")["lamps"] == "legend:your-move:short"  # unknown while it is lit
    pico.run(4 * MINUTE)  # the match is abandoned
    assert pico.told("health")["lamps"] == "ok"


def test_chute_that_is_held_open_is_reported():
    pico = SimulatedPico(Circuit(wires=Wires(PARTS, PADS | {pins.COIN: SUPPLY})))
    pico.run(MINUTE)
    assert events(pico) == ["event chute=coin fault=short"]


def test_show_goes_on_when_the_state_machine_stops_measuring():
    pico = SimulatedPico()
    pico.run(MINUTE)
    pico.circuit.chip.machines[1].enable(False)
    pico.run(MINUTE)
    assert pico.told("health")["lamps"] == "unknown"
    assert pico.resets == [] and events(pico) == []


# ---------------------------------------------------------------------- pure

_HEALTHY = [30, 30, 30, 30, 100, 100] * board.LAMPS


class Recording:
    """A probe that answers with these times, round after round."""

    def __init__(self, rounds):
        self.rounds, self.silent = rounds, False
        self._asked = None

    def begin(self, column, way):
        self._asked = 6 * column + way

    def result(self):
        if self.silent:
            return None
        time = self.rounds[0][self._asked]
        if self._asked == 41:
            self.rounds.pop(0)
        return time


def surveyed(rounds):
    """Return the survey after these rounds, and its reports with the number of rounds left."""
    probe, told = Recording(rounds), []
    survey = Survey(probe, tuple, lambda *fault: told.append((len(probe.rounds), *fault)))
    while probe.rounds:
        survey.step()
    return survey, told


def changed(column, **times):
    """Return healthy times with changes, by way, for a column counted from 1."""
    found = list(_HEALTHY)
    for way, time in times.items():
        number = {"high": AMONG_HIGH, "low": AMONG_LOW}.get(way) or int(way[3:]) - 1
        found[6 * (column - 1) + number] = time
    return found


def test_diagnose_compares_times_of_one_column_only():
    slow = [7 * time for time in _HEALTHY[:6]]
    assert diagnose(slow + _HEALTHY[6:], ()) == []


def test_diagnose_does_not_name_a_row_that_it_cannot_know():
    times = changed(2, row1=3, row2=3, row3=3, row4=3, high=NEVER)
    assert diagnose(times, ()) == [("lamp", "?.2", "short")]


def test_diagnose_says_nothing_if_no_column_can_be_measured():
    assert diagnose([0] * 42, ()) is None and diagnose([NEVER] * 42, ()) is None


def test_survey_reports_only_what_two_rounds_in_a_row_have_found():
    open_lamp = changed(5, row3=100)
    rounds = [_HEALTHY, _HEALTHY, open_lamp, _HEALTHY, open_lamp, open_lamp, _HEALTHY, _HEALTHY]
    _, told = surveyed(rounds)
    assert told == [(2, "lamp", "3.5", "open"), (0, "lamp", "3.5", "gone")]


def test_diagnosis_is_loaded_once_for_each_change(monkeypatch):
    names = []
    monkeypatch.setattr(wires, "loaded", lambda name: names.append(name) or diagnosis)
    surveyed([_HEALTHY] * 3 + [changed(5, row3=100)] * 5 + [_HEALTHY] * 3)
    assert names == ["diagnosis"]


def test_survey_knows_the_faults_again_when_the_probe_answers_again():
    probe = Recording([_HEALTHY] * 6)
    survey = Survey(probe, tuple, lambda *fault: None)
    known = []
    for silent in (False, True, False):
        probe.silent = silent
        for _ in range(85):
            survey.step()
        known.append(survey.faults)
    assert known == [[], None, []]


def test_survey_diagnoses_a_slow_drift_again():
    """A lamp fades from closed to open by 3 percent a round. Two rounds in a row differ by less
    than an eighth, but the lamp differs from the last diagnosed round."""
    fading = [changed(5, row3=30 * 103**n // 100**n) for n in range(41)]
    _, told = surveyed([_HEALTHY, *fading, *[changed(5, row3=100)] * 2])
    assert [fault for _, *fault in told] == [["lamp", "3.5", "open"]]


def test_survey_reports_a_pad_that_does_not_read_what_is_driven():
    shorts, told = [], []
    probe = Recording([_HEALTHY] * 6)
    survey = Survey(probe, shorts.copy, lambda *fault: told.append((len(probe.rounds), *fault)))
    while probe.rounds:
        survey.step()
        if len(probe.rounds) == 4:
            shorts[:] = [("legend", "hint", "short")]
    assert told == [(2, "legend", "hint", "short")]


@settings(max_examples=300, derandomize=True)
@given(
    st.dictionaries(
        st.integers(0, 41), st.sampled_from((0, 3, 4, 84, 85, 86, 100, 116, 117, 118, NEVER))
    )
)
def test_survey_takes_for_healthy_only_what_the_diagnosis_does(others):
    times = [others.get(at, time) for at, time in enumerate(_HEALTHY)]
    assert surveyed([times] * 2)[0].faults == diagnose(times, ())


def test_survey_does_not_take_a_column_at_ground_for_healthy():
    at_ground = changed(5, row1=0, row2=0, row3=0, row4=0, high=3, low=3)
    assert surveyed([at_ground] * 2)[0].faults == [("column", "5", "short")]
