"""The builds behave as the firmware expects, lamp by lamp and button by button."""

import pytest
from electricity import Electricity

from miswired import other_pins
from nimatron.devices import pins
from nimatron_wiring import steps
from nimatron_wiring.circuits import breadboard, builds, exhibit
from nimatron_wiring.kinds import KINDS

BUILDS = {build.name: build for build in builds()}
LAMPS = [(row, lamp) for row in range(4) for lamp in range(7)]


def role(row, lamp):
    return f"row {row + 1} lamp {lamp + 1}"


@pytest.fixture(params=BUILDS)
def build(request):
    return BUILDS[request.param]


def test_a_row_pin_and_a_column_pin_light_their_lamp_and_no_other():
    flow = Electricity(breadboard())
    for row, lamp in LAMPS:
        assert flow.shining(pins.ROWS[row], pins.COLUMNS[lamp]) == {role(row, lamp)}
    for gpio in (*pins.ROWS, *pins.COLUMNS):
        assert flow.shining(gpio) == set()


def test_the_registers_show_what_the_firmware_shifts_out():
    """The firmware sends row 4's byte first and row 1's last, each with its highest bit first."""
    gpio = dict(pins.SHIFT)
    chain = Electricity(exhibit()).registers(
        gpio["data"], gpio["clock"], gpio["latch"], gpio["enable"]
    )
    assert len(chain) == 4
    for row, lamp in LAMPS:
        masks = [0] * 4
        masks[row] = 1 << lamp
        bits = [byte >> n & 1 for byte in reversed(masks) for n in range(7, -1, -1)]
        held = list(reversed(bits))  # the last bit is in the first output of the first register
        shown = {chain[n // 8][n % 8] for n, bit in enumerate(held) if bit}
        assert shown == {role(row, lamp)}


def test_a_button_grounds_its_pin_while_it_is_pressed(build):
    flow = Electricity(build)
    assert flow.grounded() == set()
    for name, gpio in pins.BUTTONS:
        assert flow.grounded(f"button {name}") == {gpio}


def test_a_pin_lights_its_legend_or_opens_the_chute(build):
    flow = Electricity(build)
    for name, gpio in pins.LEGENDS if build.display != "pixels" else ():
        assert flow.shining(gpio) == {f"legend {name}"}
    if build.display != "pixels":
        assert flow.shining(pins.COIN) == {"coin"}
    if build.display != "shift":  # this signal has an amplifier in between
        assert flow.shining(pins.SOUNDER) == {"sounder"}


def test_the_loudspeaker_hangs_on_the_sounder_pin():
    build = exhibit()
    path = [(("PICO", f"GP{pins.SOUNDER}"), ("R16", "1")), (("R16", "2"), ("RV1", "2"))]
    path += [(("RV1", "wiper"), ("C14", "1")), (("C14", "2"), ("U7", "A+"))]
    path += [(("U7", "OUT+"), ("LS1", "+")), (("U7", "OUT-"), ("LS1", "-"))]
    assert all(end in build.net_of(start).nodes for start, end in path)


def test_every_pin_of_the_pin_map_is_wired_where_it_is_used():
    shared = [gpio for _, gpio in pins.BUTTONS] + [pins.SOUNDER]
    signs = [gpio for _, gpio in pins.LEGENDS] + [pins.COIN]
    lamps = {
        "breadboard": [*pins.ROWS, *pins.COLUMNS, *signs],
        "pixels": [pins.PIXELS],
        "exhibit": [*(gpio for _, gpio in pins.SHIFT), *signs],
    }
    for name, build in BUILDS.items():
        wired = {pin for net in build.nets for ref, pin in net.nodes if ref == "PICO"}
        assert {pin for pin in wired if pin.startswith("GP")} == {
            f"GP{gpio}" for gpio in shared + lamps[name]
        }


@pytest.mark.parametrize("pin_map", [pins, other_pins()], ids=["ours", "others"])
def test_each_pin_of_each_part_is_in_one_net(pin_map):
    for build in builds(pin_map):
        parts = {part.ref: KINDS[part.kind] for part in build.parts}
        assert len(parts) == len(build.parts) and all(part.value for part in build.parts)
        joints = [node for net in build.nets for node in net.nodes]
        assert len(set(joints)) == len(joints)
        there = {(ref, pin) for ref, kind in parts.items() for pin in kind.pins}
        optional = {(ref, pin) for ref, kind in parts.items() for pin in kind.optional}
        assert there - optional <= {*joints} <= there
        assert all(net.colour for net in build.nets)
        assert [net.name for net in build.nets if len(net.nodes) == 1] == []


def test_each_part_is_in_one_step(build):
    placed = [part.ref for step in steps.steps(build) for part in step.parts]
    assert placed == [part.ref for part in build.parts]


def test_every_part_that_check_tests_has_its_step(build):
    tested = [role(*where) for where in LAMPS] + ["sounder"]
    if build.display != "pixels":
        tested += ["coin", *(f"legend {name}" for name, _ in pins.LEGENDS)]
    tested += [f"button {name}" for name, _ in pins.BUTTONS]
    assert sorted(tested) == sorted(name for step in steps.steps(build) for name in step.tests)
    for name in tested:
        assert name in steps.step_of(build, name).tests
