"""The files that `nimatron wiring` writes, and the builds that it refuses."""

import re
from pathlib import Path

import altered
import pytest
import sight

from miswired import wiring
from nimatron import settings
from nimatron.devices import pins
from nimatron_sim.errors import UserError
from nimatron_wiring import builder_texts, checks, current_budget, harness, kicad, pico, write
from nimatron_wiring.circuits import builds
from nimatron_wiring.steps import spoken
from pico_testbench.models import BOARDS

FOLDER = Path(__file__).parent.parent.parent / "wiring"
BUILDS = PIXELS, BREADBOARD, EXHIBIT = builds()
USED = {signal.gpio for build in BUILDS for signal in build.signals}
FREE = [gpio for gpio in (*range(23), 26, 27, 28) if gpio not in USED]
SHIFT = dict(pins.SHIFT)


@pytest.fixture(scope="module")
def made():
    return write.generate()


# ---------------------------------------------------------------------- written files


def test_the_edge_of_a_drawing_cuts_nothing_off(made):
    drawings = {name: svg for name, svg in made.items() if name.endswith(".svg")}
    assert len(drawings) == 25
    assert {name: cut for name, svg in drawings.items() if (cut := sight.outside(svg))} == {}


def test_committed_files_agree_with_the_pin_map(made):
    assert write.differing(FOLDER, made) == [], f"run: {write.COMMAND}"
    there = {path.name for path in FOLDER.iterdir() if path.is_file() and path.suffix != ".uf2"}
    there |= {f"kicad/{path.name}" for path in FOLDER.glob("kicad/*.kicad_sch")}
    assert there == set(made), f"delete by hand what {write.COMMAND} does not make"


@pytest.mark.long("3 s")
def test_another_pin_changes_every_page_drawing_and_diagram_that_has_it(made):
    coin, pixels_ = FREE[-2:]
    other = write.generate(wiring(COIN=coin, PIXELS=pixels_))
    pages = {"README.md", "breadboard.md", "pixels.md", "exhibit.md", "diagram.json"}
    drawn = {name for name in made if name.endswith("-controls.svg")}
    drawn |= {"pixels.svg", "board.md", "electrical.md"}
    the_pico = "breadboard-", "pixels-", "kicad/"  # it is in each
    drawn |= {"exhibit-legs.svg", *(name for name in made if name.startswith(the_pico))}
    assert {name for name in made if made[name] != other[name]} == pages | drawn
    page = other["README.md"].decode()
    assert f"| GP{coin} |  | coin | coin |" in page and f"| GP{pins.COIN} |" not in page
    assert "not for your pin map" in other["exhibit.md"].decode()


def test_every_picture_and_link_leads_somewhere_and_every_picture_is_described(made):
    for name, page in made.items():
        if name.endswith(".md"):
            text = page.decode()
            for target in re.findall(r"\]\((?!http)([^)#]+)", text):
                assert target in made or (FOLDER / target).exists(), f"{name}: {target}"
            assert all(len(alt) > 20 for alt in re.findall(r"!\[([^]]*)\]", text))


def test_every_step_has_parts_wires_and_a_test(made):
    for build in (BREADBOARD, EXHIBIT):
        page = made[f"{build.name}.md"].decode()
        steps = (
            page.partition("## Steps")[2].partition("## If something")[0].split("### Step ")[1:]
        )
        assert len(steps) >= 10
        for step in steps:
            assert "| solder | part |" in step or "| from | to | wire |" in step
            assert "**Test.**" in step


def test_the_steps_of_the_exhibit_have_each_part_of_its_board_and_each_wire_of_its_cables(made):
    """A reader who knows only the page joins the plugs' pins to the parts outside the board."""
    build, page = EXHIBIT, made["exhibit.md"].decode()
    steps = page.partition("### Step 1")[2].partition("## If something")[0]
    soldered, wires = [], {}
    for row in re.findall(r"^\| (.+) \|$", steps, flags=re.M):
        cells = row.split(" | ")
        if len(cells) == 2:
            soldered += in_full(cells[0])
        else:
            for end in in_full(re.sub(", .*| \\(0 V\\)", "", cells[3])):
                wires[end] = f"{cells[0].split()[0]} pin {cells[1]}"
    on_board = {ref for ref, _ in kicad.on_board(build)}
    assert sorted(set(soldered) - {"solder", "---"}) == sorted(on_board)
    wanted = {spoken(build, end): pin for end, pin in harness.pins(build).items()}
    assert {end: wires.get(end) for end in wanted} == wanted


def in_full(told):
    """Return the names in a list such as "R1 to R3, R5", or "H1 + to H3 +"."""
    names = []
    for piece in re.split(", | and ", told):
        if found := re.fullmatch(r"([A-Z]+)(\d+)(.*) to [A-Z]+(\d+)(.*)", piece):
            numbers = range(int(found[2]), int(found[4]) + 1)
            names += [f"{found[1]}{number}{found[3]}" for number in numbers]
        else:
            names.append(piece)
    return names


def test_the_materials_are_all_parts(made):
    for build in (BREADBOARD, EXHIBIT):
        page = made[f"{build.name}.md"].decode()
        there = page.partition("## What to buy")[2].partition("## Safety")[0]
        numbers = map(int, re.findall(r"^- \*\*(\d+)(?: \+ \d+)?\*\* ", there, flags=re.M))
        assert sum(numbers) == sum(part.kind != "rail" for part in build.parts)


def test_the_page_of_the_one_hour_build_has_five_pictures_and_at_most_800_words(made):
    page = made["pixels.md"].decode().partition("-->")[2]
    pictures = re.findall(r"!\[[^]]*\]\(([^)]+)\)", page)
    assert len(pictures) == 5 and pictures[0] == "pixels-finished.svg"
    words = re.sub(r"!\[[^]]*\]|\]\([^)]*\)|^\|[- |]*$", " ", page, flags=re.M)
    assert len(re.findall(r"[^\s|*#`-][^\s|]*", words)) <= 800


def test_the_page_of_the_one_hour_build_has_each_wire_in_order_and_each_part(made):
    """A reader who knows only the page joins just the pins that the netlist joins."""
    page, build = made["pixels.md"].decode(), PIXELS
    wires = re.findall(r"^(\d+)\. \w+: (.+) to (.+)$", page, flags=re.M)
    assert [int(number) for number, *_ in wires] == list(range(1, 22))
    joints = [(strip(one), strip(other)) for _, one, other in wires]
    joints += [(("top", False), ("0V", "rail"))]
    joints += [(strip(f"plug {name}"), ("LED1", pin)) for name, pin in PLUG.items()]
    ends = {"D1": ["A", "K"], "R1": "12", "R2": "12", "LS1": "12"} | {
        f"S{n}": "2211" for n in range(1, 7)
    }
    for ref, holes in re.findall(r"^- ([A-Z]+\d+)(?:, .*?)?: (.+)$", page, flags=re.M):
        found = [hole.split(" in ")[-1] for hole in holes.split(", ")]
        joints += [(strip(h), (ref, pin)) for h, pin in zip(found, ends[ref], strict=True)]
    for number in range(1, 41):
        name = next(name for name, n in pico.NUMBERS.items() if n == number)
        hole = f"c{number}" if number <= 20 else f"h{41 - number}"
        joints.append((strip(hole), ("PICO", name)))
    names = {part.ref for part in build.parts}
    made_ = {
        frozenset(end for end in piece if end[0] in names) for piece in altered.pieces(joints)
    }
    assert {frozenset(net.nodes) for net in build.nets} <= made_


PLUG = {"+": "+", "data": "DIN", "-": "-"}


def strip(hole):
    """Return the metal strip of a hole on the page."""
    if hole.startswith("plug"):
        return (hole,)
    line, number = re.fullmatch(r"(top|[a-j])(\d+)", hole).groups()
    if line == "top":
        return "top", int(number) > 32
    return "upper" if line in "fghij" else "lower", int(number)


@pytest.fixture
def quick(monkeypatch, made):
    """Do not make the drawings again, because they take seconds."""
    monkeypatch.setattr(write, "generate", lambda: made)


def test_the_command_writes_once_and_finds_what_differs(nimatron, quick, tmp_path):
    status, out, error = nimatron("wiring", "--to", str(tmp_path))
    assert (status, error) == (0, "") and "breadboard.md" in out
    assert nimatron("wiring", "--to", str(tmp_path)) == (0, "", "")
    assert nimatron("wiring", "--check", "--to", str(tmp_path)) == (0, "", "")
    (tmp_path / "pixels.md").write_text("")
    (tmp_path / "board.md").unlink()
    status, out, error = nimatron("wiring", "--check", "--to", str(tmp_path))
    assert (status, out) == (1, "")
    assert error == (
        "nimatron: board.md, pixels.md: out of date with the pin map. To update: nimatron wiring\n"
    )


def test_a_folder_that_cannot_be_written_is_one_line(nimatron, quick, tmp_path):
    (tmp_path / "file").write_text("")
    status, _, error = nimatron("wiring", "--to", str(tmp_path / "file"))
    assert status == 1 and error.startswith("nimatron: cannot write ") and error.count("\n") == 1


def test_a_mistaken_pin_map_is_a_line_and_nothing_is_written(nimatron, tmp_path, monkeypatch):
    monkeypatch.setattr(pins, "SOUNDER", pins.COIN)
    status, out, error = nimatron("wiring", "--to", str(tmp_path / "new"))
    assert (status, out) == (1, "")
    why = f"GP{pins.COIN} is used by sounder and by coin: give each its own pin in firmware/"
    assert why in error
    assert "Traceback" not in error and not (tmp_path / "new").exists()


# ---------------------------------------------------------------------- refused builds


@pytest.mark.parametrize(
    ("numbers", "why"),
    [
        (
            {"SOUNDER": pins.COIN},
            f"GP{pins.COIN} is used by sounder and by coin: give each its own",
        ),
        ({"COIN": 29}, "coin is on GP29, which does not exist: choose one of GP0 to GP22 and"),
        ({"COIN": 25}, "coin is on GP25, which is the LED on the Pico: choose"),
        ({"PIXELS": pins.SOUNDER}, f"pixels: GP{pins.SOUNDER} is used by pixels and by sounder"),
        ({"COLUMNS": pins.COLUMNS[::-1]}, "needs them consecutive and in order"),
        ({"ROWS": pins.ROWS[1:]}, "ROWS has 3 pins, but the board has 4"),
        (
            {"SHIFT": tuple({**SHIFT, "clock": 4}.items())},
            "shift clock is on GP4, which SPI 0 cannot use: choose GP2, GP6, GP18, GP22 in",
        ),
        (
            {"SHIFT": tuple({**SHIFT, "data": 5}.items())},
            "shift data is on GP5, which SPI 0 cannot use: choose GP3, GP7, GP19 in",
        ),
        ({"SHIFT": pins.SHIFT[:3]}, "must name clock, data, latch, en"),
    ],
)
def test_a_wrong_pin_map_is_refused(numbers, why):
    with pytest.raises(UserError) as refused:
        write.generate(wiring(**numbers))
    told = str(refused.value).split("; ")
    assert why in str(refused.value) and len(told) <= 3  # one for each build
    assert all(
        " in firmware/nimatron/devices/pins.py" in line or "/circuits.py" in line for line in told
    )


def test_every_pin_and_every_display_is_in_a_build():
    maps = [repr(value) for name, value in vars(pins).items() if name.isupper()]
    numbers = {int(number) for text in maps for number in re.findall(r"(?<!\w)\d+", text)}
    assert len(numbers) > 20 and numbers <= USED | {*pico.ON_BOARD}
    assert {build.display for build in BUILDS} == {*settings.DISPLAYS}


@pytest.mark.parametrize(
    ("build", "why"),
    [
        (
            altered.changed(BREADBOARD, "R1", value="330 Ω"),
            " column 1 takes 5.2 mA, but only 4 mA are allowed (output levels are guaranteed",
        ),
        (altered.changed(BREADBOARD, "R17", value="10 Ω"), "all pins together takes"),
        (altered.changed(BREADBOARD, "D1", rating="2 mA"), "each lamp, while its"),
        (altered.changed(PIXELS, "D1", rating="1000 V 0.3 A"), "D1 1N4007 takes"),
        (altered.changed(EXHIBIT, "F1", value="T 1 A"), "F1 T 1 A takes 1"),
        (
            altered.changed(EXHIBIT, "H1", value="12 V 200 mA"),
            "each output of the registers takes 200.0 mA",
        ),
        (altered.changed(EXHIBIT, "H29", value="12 V 600 mA"), "U6, each output takes 600.0 mA"),
        (altered.changed(EXHIBIT, "L1", value="12 V 3 A"), "Q2 coin takes 3000.0 mA"),
        (altered.changed(EXHIBIT, "PS1", rating="5 V 0.5 A"), "PS1, 5 V takes"),
        (altered.changed(EXHIBIT, "R17", value="100 Ω"), " coin takes 33.0 mA"),
        (altered.changed(EXHIBIT, "R2", value="1 kΩ"), " shift enable takes 6.5 mA"),
        (altered.changed(EXHIBIT, "D1", rating="Schottky, 60 V 1 A"), "D1 SB560 takes"),
        (
            altered.moved(EXHIBIT, "12V", ("F1", "1"), ("J1", "+")),
            "and F1: put a fuse there, and nothing else",
        ),
        (
            altered.moved(EXHIBIT, "switched", ("D2", "K")),
            "nothing behind F1 blocks a reversed",
        ),
        (
            altered.changed(EXHIBIT, "D4", kind="diode"),
            "nothing suppresses sparks on the cable of S2: add a suppressor diode to 0 V",
        ),
        (altered.moved(EXHIBIT, "12V", ("D10", "K")), "L1 has no flyback diode, K at its plus"),
        (
            altered.changed(EXHIBIT, "C2", value="470 µF"),
            "PS1 must charge 575 µF, but it can start only 470 µF (TSR 1 data sheet",
        ),
        (
            altered.without(EXHIBIT, "R18"),
            "exhibit: nothing pulls coin down, so its transistor can conduct before",
        ),
    ],
)
def test_a_mistaken_build_is_refused(build, why):
    problems = checks.of_build(build)
    assert any(why in problem for problem in problems), problems
    assert all("\n" not in problem for problem in problems)


@pytest.mark.parametrize(
    ("ref", "value", "why"),
    [
        ("R18", "8.2 kΩ", None),
        ("R18", "10 kΩ", "down has 10000 Ω, but an RP2350 needs 8200 Ω or less (RP2350 Datasheet"),
        ("R3", "30 kΩ", None),
        ("R3", "33 kΩ", "pulls shift enable up has 33000 Ω, too high for the pull-down"),
        ("R4", "47 kΩ", "pulls button row1 up has 48000 Ω, too high"),
    ],
)
def test_a_pull_that_is_too_weak_for_either_chip_is_refused(ref, value, why):
    problems = checks.of_build(altered.changed(EXHIBIT, ref, value=value))
    assert [why in problem for problem in problems] == [True] * bool(why), problems


def test_the_pages_know_every_pico(made):
    page = made["README.md"].decode()
    for board in BOARDS.values():
        led = "on the radio chip" if board.title.endswith("W") else "on GP25"
        assert f"| {board.title} | {board.chip} | {led} |\n" in page
    assert not {*pico.RADIO} & USED and "GP23, GP24, GP25 and GP29 belong to the radio" in page
    assert not any(b"Not the Pico W" in content for content in made.values())


# ---------------------------------------------------------------------- the tests of the steps

METER = 0.01  # the error of a cheap multimeter
SUPPLY = 0.05  # a plug-in supply
REGULATOR = 0.03  # R-78B-1.0, the substitute. TSR 1: 2 %
OF_5V, OF_3V3 = (5 * (1 - REGULATOR), 5 * (1 + REGULATOR)), (3.2, 3.4)


def less(limits, least, most):
    """Return the limits behind a diode with such a drop."""
    return limits[0] - most, limits[1] - least


@pytest.mark.parametrize(
    ("build", "step", "unit", "least", "most"),
    [
        ("breadboard", "columns", "Ω", 470 * 0.95, 470 * 1.05),
        ("exhibit", "12 V", "V", *less((12 * (1 - SUPPLY), 12 * (1 + SUPPLY)), 0, 0.2)),
        ("exhibit", "5 V", "V", *OF_5V),
        ("exhibit", "level shifter", "V", *OF_5V),
        ("exhibit", "Pico", "V", *less(OF_5V, 0.15, 0.45)),
    ],
)
def test_a_good_part_passes_the_test_of_its_step(build, step, unit, least, most):
    _, told = builder_texts.step(build, step, 1)
    limits = re.findall(rf"([\d.]+) to ([\d.]+) {unit}", told)
    wanted = {"Pico": [(least, most), OF_3V3], "12 V": [(0.15, 0.45), (least, most)]}
    for (low, high), (lowest, highest) in zip(
        limits, wanted.get(step, [(least, most)]), strict=True
    ):
        assert float(low) <= lowest * (1 - METER) < highest * (1 + METER) <= float(high)
        assert float(high) - float(low) < 1.2 * (highest - lowest) + 3 * METER * highest + 0.3


# ---------------------------------------------------------------------- the budget


def test_quantities_are_read_as_people_write_them():
    assert current_budget.quantity("4.7 kΩ", "Ω") == 4700
    assert current_budget.quantity("12 V 20 mA", "A") == pytest.approx(0.02)
    assert current_budget.quantity("12 V 20 mA", "V") == 12
    with pytest.raises(ValueError, match="no number of A in '12 V'"):
        current_budget.quantity("12 V", "A")
