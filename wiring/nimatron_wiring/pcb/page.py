"""The texts for the page about the circuit board."""

from nimatron_wiring.netlist import PICO
from nimatron_wiring.pcb import rules
from nimatron_wiring.pcb.design import Design
from nimatron_wiring.pcb.placement import HEIGHT, SCREW, WIDTH
from nimatron_wiring.steps import in_short

NAME = "board.md"

ABOUT = f"""\
This is the [breadboard build](breadboard.md) on a circuit board of {WIDTH:g} x {HEIGHT:g} mm. It has the same parts and connections, but no
breadboards and wires. You have to solder, but you cannot plug a part into the wrong hole. The safety rules, the parts
and the tests are on the breadboard's page. You also need two sockets for the Pico (1 x 20 pins, 2.54 mm),
and four M3 screws with 10 mm spacers as feet."""

ORDER = """\
`nimatron wiring --kit FOLDER` writes a folder `board`. Zip the folder and upload the zip file to a board house. If the
house also solders the parts, `placement.csv` has their places. Choose a board with two layers, 1.6 mm thick, with 35 µm
of copper, in any colour. Before you pay, look at the house's preview: it must look like the picture above."""

PROVED = """\
A test reads the Gerber and drill files back with gerbonara, a library that did not write them. From the shapes of
the copper and the holes, the test finds which pins are joined, and compares every joint with the netlist of the
breadboard build. It measures the gaps, rings and distances in the table above. It compares each hole
with the leg that goes into it, and checks that no print is on a pad.

This board has not been ordered yet. If you build the first one, solder the sockets, the resistors, Q1 and one row of
lamps. Run `nimatron check --step 3` before you solder the rest."""

RULES_ABOUT = """\
The column “here” has the limits that a test applies to the files. The other columns have the limits of two board
houses, from copies of their pages:

- Eurocircuits: PCB Design Classification, 9-2018 V2, pattern class 3 (the coarsest), and “Copper and the board edge”
- JLCPCB: Capabilities

Their pages may have changed since."""

EXHIBIT = """\
The exhibit has no circuit board. Its 12 V side carries several amperes, solenoid pulses, and sparks from visitors on
10 m cables. An engineer would have to review its track widths and clearances, and no such review has been done."""


def rows() -> list[list[str]]:
    """Return the rows of the table of rules: what, here, Eurocircuits, JLCPCB."""

    def mm(length):
        return f"{length:g} mm"

    return [
        ["width of a track", mm(rules.TRACK), "0.25 mm", "0.10 mm"],
        ["gap between two nets", mm(rules.GAP), "0.25 mm", "0.10 mm"],
        [
            "ring of copper around a hole",
            f"{rules.RING:g} mm around the drill, which is {rules.TOOL:g} mm wider than the hole",
            "0.20 mm around the drill",
            "0.25 mm around the hole of a part",
        ],
        ["copper to the edge", mm(rules.EDGE), "0.25 mm", ""],
        ["material between two holes", mm(rules.WALL), "", "0.45 mm"],
        ["via: hole and copper", f"{rules.VIA_HOLE:g} and {rules.VIA:g} mm", "", "0.3 and 0.6 mm"],
        [
            "letters: height and line",
            f"{rules.LETTERS:g} and {rules.PEN:g} mm",
            "",
            "1.0 and 0.15 mm",
        ],
    ]


def solder(made: Design) -> list[list[str]]:
    """Return the parts to solder, flat parts first: names, package, hole and advice."""
    heed = {
        "resistor": "the value is printed between the holes",
        "npn": "turn the flat side as printed",
        "tactile": "push it down until it clicks",
        "pico": "plug in the Pico before you solder them, its USB socket at the edge of the board",
        "led": "the flat side, with the shorter leg, goes at the flat side of the print",
        "piezo": "either way round",
    }
    names: dict[str, list[str]] = {}
    for place in sorted(made.places, key=lambda place: place.land.tall):
        names.setdefault(place.part.kind, []).append(place.part.ref)
    lands = {place.part.kind: place.land for place in made.places}
    return [
        [
            "two sockets" if refs == [PICO] else in_short(refs),
            lands[kind].package.removeprefix("two sockets "),
            f"{lands[kind].hole:g} mm",
            heed[kind],
        ]
        for kind, refs in names.items()
    ]


def count(made: Design) -> str:
    """Return a sentence with the number of nets, tracks, vias and holes."""
    tracks, vias = made.routes.tracks, made.routes.vias
    nets = len({track.net for track in tracks})
    return (
        f"It has {nets} nets, {len(tracks)} straight tracks, {len(vias)} vias, {len(made.pads)} plated holes for "
        f"legs, and four {SCREW:g} mm holes for screws."
    )
