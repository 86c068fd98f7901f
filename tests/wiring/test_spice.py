"""ngspice runs on the netlist of each build. If ngspice is missing, these tests are skipped."""

import dataclasses
import shutil

import pytest
from altered import changed, moved, without

from nimatron_sim.errors import TierUnavailable, UserError
from nimatron_wiring import current_budget, harness, simulations, spice_deck, write
from nimatron_wiring.circuits import breadboard, builds, exhibit
from nimatron_wiring.netlist import GUARD

BUILDS = {build.name: build for build in builds()}
PIXELS, BREADBOARD, EXHIBIT = BUILDS.values()
LONG = pytest.mark.long("up to 5 s each: ngspice on other circuits")


@pytest.fixture(params=BUILDS)
def build(request):
    return BUILDS[request.param]


def test_every_part_that_has_wires_is_in_the_deck(build):
    deck = spice_deck.deck(build, supply="12" if build.by_role("supply") else None)
    told = [line.split()[0] for line in deck.splitlines() if line and line[0] not in "*.+"]
    for part in build.parts:
        if part.kind not in ("rail", "pico", "supply", "inlet", "stud"):
            assert any(name[1:].startswith(part.ref) for name in told), part.ref
    nodes = set(deck.replace("(", " ").replace(")", " ").split())
    assert {spice_deck.node(net.name) for net in build.nets if len(net.nodes) > 1} <= nodes


def test_two_nets_are_two_nodes(build):
    assert len({spice_deck.node(net.name) for net in build.nets}) == len(build.nets)


@pytest.mark.parametrize("name", ["breadboard", "pixels", pytest.param("exhibit", marks=LONG)])
def test_kept_results_agree_with_ngspice(name):
    build = BUILDS[name]
    kept, now = simulations.kept(build), simulations.simulate(build)
    again = "run: nimatron wiring --simulate"
    assert kept.revision == now.revision, again
    assert kept.currents == pytest.approx(now.currents, rel=0.05, abs=0.01), again
    assert [claim.what for claim in kept.claims] == [claim.what for claim in now.claims], again
    for old, new in zip(kept.claims, now.claims, strict=True):
        # a peak depends on the steps that a version of ngspice takes
        assert old.value == pytest.approx(new.value, rel=0.3, abs=abs(old.limit) / 100), again
        assert new.good


def test_the_budget_and_ngspice_agree(build):
    """The budget is the worst case, except for the curve of an LED, which has 1.6 V at 3.6 mA."""
    kept = simulations.kept(build)
    rows = current_budget.budget(build)
    compared = [row for row in rows if kept.milliamps(row.what) is not None]
    assert len(compared) == len(kept.currents)
    for row in compared:
        assert kept.milliamps(row.what) <= 1.06 * row.milliamps + 0.01, row.what
        assert kept.milliamps(row.what) <= row.limit
    left = {row.what for row in rows} - {row.what for row in compared}
    assert left <= {"a row's current for its base current", "USB cable"}


def unguarded():
    """Return the exhibit with a plain wire in place of the guard against a reversed supply."""
    (guard,) = EXHIBIT.by_role(GUARD)
    wire = dataclasses.replace(guard, ref="SW9", kind="switch")
    build = dataclasses.replace(EXHIBIT, parts=(*EXHIBIT.parts, wire))
    for pin, end in ("A", "1"), ("K", "2"):
        build = moved(build, EXHIBIT.net_of((guard.ref, pin)).name, (wire.ref, end))
    return without(build, guard.ref)


def as_it_was():
    """Return the exhibit with a buffer for enable that gets power before the Pico."""
    build = moved(EXHIBIT, "0V", ("U1", "4OE"))
    build = moved(build, EXHIBIT.net_of(EXHIBIT.signal("shift enable").node).name, ("U1", "4A"))
    build = moved(build, EXHIBIT.net_of(("U2", "G")).name, ("U1", "4Y"))
    return without(build, "Q1", "R1", "R2")


@pytest.mark.parametrize(
    ("build", "claims", "bad"),
    [
        (without(EXHIBIT, "D10"), "_flyback", "drain voltage when the solenoid"),
        (changed(EXHIBIT, "R4", value="47 kΩ"), "_press", "delay of a press or release"),
        (changed(PIXELS, "D1", value="1N5817"), "_pixel_claims", "high level of the data"),
        (changed(EXHIBIT, "H1", value="12 V 30 mA"), "_plugs", "current through a lamp, in the"),
        *(
            pytest.param(*case, marks=LONG)
            for case in (
                (unguarded(), "_shift_claims", "undershoot of the 12V rail below 0 V"),
                (as_it_was(), "_power_up", "current through any lamp while power"),
                (
                    changed(EXHIBIT, "R2", value="1 kΩ"),
                    "_enable",
                    "enable at the registers, lamps lit",
                ),
                (
                    changed(EXHIBIT, "R2", value="100 kΩ"),
                    "_enable",
                    "lit time at 5 % brightness",
                ),
                (without(EXHIBIT, "D4"), "_spark", "voltage at a button's pin with 8 kV"),
                (
                    changed(BREADBOARD, "R9", value="15 kΩ"),
                    "_matrix_claims",
                    "voltage across a row's",
                ),
                (
                    changed(BREADBOARD, "R12", value="1 kΩ"),
                    "_matrix_claims",
                    "current through a sign",
                ),
            )
        ),
    ],
)
def test_a_circuit_that_does_not_keep_its_promise_is_found(build, claims, bad):
    found = (simulations.Claim(*claim) for claim in getattr(simulations, claims)(build))
    assert any(claim.what.startswith(bad) and not claim.good for claim in found)


@LONG
def test_a_display_that_changes_columns_too_early_is_found():
    """Its next columns are set while the previous row is still on."""
    build, frame = BREADBOARD, simulations._frame(100)
    rows = sum(1 << build.signal(f"row {row}").gpio for row in (1, 2, 3, 4))
    columns = sum(1 << build.signal(f"column {n}").gpio for n in range(1, 8))
    early, row = [], 0
    for levels, ns in frame:
        row = levels & rows or row
        early.append((levels | row if levels & columns else levels, ns))
    assert simulations._ghost(build, frame) < 0.001
    assert simulations._ghost(build, early) > 0.01


def test_a_netlist_that_has_changed_since_is_refused():
    build = changed(BREADBOARD, "R12", value="1 kΩ")
    assert list(simulations.problems(BREADBOARD)) == []
    (why,) = simulations.problems(build)
    assert why.startswith("breadboard: its netlist or its plugs have changed since it was simul")


def test_another_pin_is_the_same_circuit(monkeypatch):
    from nimatron.devices import pins

    before = exhibit().revision
    monkeypatch.setattr(pins, "COIN", 28)
    assert exhibit().revision == before != breadboard().revision


def test_a_claim_that_does_not_hold_is_refused(monkeypatch):
    kept = simulations.kept(EXHIBIT)
    hot = dataclasses.replace(kept.claims[0], value=5.0)
    monkeypatch.setattr(
        simulations, "kept", lambda build: dataclasses.replace(kept, claims=(hot,))
    )
    (why,) = simulations.problems(EXHIBIT)
    assert why.startswith("exhibit: undershoot of the 12V rail below 0 V, with plus and minus")
    with pytest.raises(UserError):
        write.generate()


def test_without_ngspice_it_says_what_to_install(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda command: None)
    with pytest.raises(TierUnavailable, match="ngspice is not on the PATH"):
        spice_deck.run(spice_deck.deck(BREADBOARD), "op")


def test_supply_and_loudspeaker_cannot_share_a_kind_of_plug(monkeypatch):
    """In the harness of 0.2.0, ngspice finds 10.7 V on the 5 V rail and in the Pico."""
    series = dict.fromkeys(("inlet", "switch", "speaker", "solenoid"), harness.PLUGGED)
    monkeypatch.setattr(harness, "_SERIES", series)
    monkeypatch.setattr(harness, "_GAPS", {})
    assert "X1 X19" in harness.exchanges(EXHIBIT)
    found = [simulations.Claim(*claim) for claim in simulations._plugs(EXHIBIT)]
    assert [claim.good for claim in found[:2]] == [False, False]
    assert found[0].value > 10 < found[1].value
    (why,) = simulations.problems(EXHIBIT)
    assert "its netlist or its plugs have changed since it was simulated" in why
