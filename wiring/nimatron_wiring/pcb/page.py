"""What the page of the board says."""

from nimatron_wiring.netlist import PICO
from nimatron_wiring.pcb import rules
from nimatron_wiring.pcb.design import Design
from nimatron_wiring.pcb.placement import HEIGHT, SCREW, WIDTH
from nimatron_wiring.steps import in_short

NAME = "board.md"

ABOUT = f"""\
The [breadboard build](breadboard.md) on a circuit board of {WIDTH:g} x {HEIGHT:g} mm: the same parts and the same joints, without breadboards
and wires. You have to solder, but nothing can be plugged into a wrong hole. Its safety rules, its parts and its
tests are those of the breadboard's page; in addition you need two sockets for the Pico (1 x 20 pins, 2.54 mm),
and four M3 screws with spacers of 10 mm as feet."""

ORDER = """\
`nimatron wiring --kit FOLDER` writes a folder `board`. Zip it and upload the zip file to a board house; `placement.csv`
says where each part goes, if someone else is to solder it. Choose two layers, 1.6 mm thick, 35 µm of copper; the
colour does not matter. Before you pay, look at the house's preview: it must look like the picture above."""

PROVED = """\
A test reads the Gerber and drill files back with gerbonara, a library that did not write them, and works out from
the shapes of copper and holes which pins are joined: that must be the netlist of the breadboard build, joint for
joint. It measures the gaps, rings, edges and walls of the table above from the same shapes, compares each hole with
the leg that goes into it, and makes sure that no print is on a pad. Nobody has ordered this board yet: whoever
builds the first one should solder the sockets, the resistors, Q1 and one row of lamps, and run `nimatron check
--step 3` before the rest."""

RULES_ABOUT = """\
“Here” is what the test demands of the files; the other columns are the limits of two board houses, as we have read
them in copies of their pages (Eurocircuits, PCB Design Classification, 9-2018 V2, pattern class 3, its coarsest, and
“Copper and the board edge”; JLCPCB, Capabilities). Their pages may have changed since."""

EXHIBIT = """\
There is none for the exhibit. Its 12 V side carries amperes, the pulses of a solenoid and sparks from visitors, on
cables of 10 m: the widths of its copper and its distances need the review of an engineer, and nobody has reviewed them."""


def rows() -> list[list[str]]:
    """The rules, as a table: what, here, Eurocircuits, JLCPCB."""

    def mm(length):
        return f"{length:g} mm"

    return [
        ["width of a track", mm(rules.TRACK), "0.25 mm", "0.10 mm"],
        ["gap between two nets", mm(rules.GAP), "0.25 mm", "0.10 mm"],
        [
            "ring of copper around a hole",
            f"{rules.RING:g} mm around the drill, which is {rules.TOOL:g} mm wider than the hole",
            "0.20 mm, measured so",
            "0.25 mm around the hole of a part",
        ],
        ["copper to the edge", mm(rules.EDGE), "0.25 mm", ""],
        ["wall between two holes", mm(rules.WALL), "", "0.45 mm"],
        ["via: hole and copper", f"{rules.VIA_HOLE:g} and {rules.VIA:g} mm", "", "0.3 and 0.6 mm"],
        [
            "letters: height and line",
            f"{rules.LETTERS:g} and {rules.PEN:g} mm",
            "",
            "1.0 and 0.15 mm",
        ],
    ]


def solder(made: Design) -> list[list[str]]:
    """The work, flat parts first: what, which parts, hole, what to heed."""
    heed = {
        "resistor": "its value is printed between its holes",
        "npn": "flat side as printed",
        "tactile": "push it down until it clicks",
        "pico": "solder them while the Pico is in them, its USB socket at the edge of the board",
        "led": "the flat side, which is the shorter leg, at the flat side of the print",
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
    """What is on the board, in a sentence."""
    tracks, vias = made.routes.tracks, made.routes.vias
    nets = len({track.net for track in tracks})
    return (
        f"It has {nets} nets of copper, {len(tracks)} straight tracks, {len(vias)} vias, {len(made.pads)} plated holes for "
        f"legs, and four holes of {SCREW:g} mm for screws."
    )
