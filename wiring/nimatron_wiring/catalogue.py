"""What to order for each part: a manufacturer's part number, a substitute, and spares.

If a number has a `source`, we have seen it in that data sheet or catalogue, or derived it from
its scheme for part numbers. All other numbers are from memory: check them with the distributor
before you order.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from nimatron_wiring.kinds import KINDS
from nimatron_wiring.netlist import Build, Part

_WHERE = "wiring/nimatron_wiring/catalogue.py"


@dataclass(frozen=True)
class Article:
    maker: str
    number: str  # "" if we name no number: the reader then chooses by the rating
    instead: str  # a substitute: maker and number, or required properties
    spare: int = 0  # number of spares to order
    source: str = ""  # the document that has the number, or "" if it is from memory
    rating: str = ""  # the rating of the substitute, if it differs
    remark: str = ""


def _resistor(code: str) -> Article:
    """Return a carbon film resistor, with a metal film resistor as its substitute."""
    return Article(
        "Yageo",
        f"CFR-25JB-52-{code}",
        f"Yageo MFR-25FBF52-{code}",
        spare=2,
        source="scheme in Yageo CFR, April 2024",
    )


def _electrolytic(panasonic: str, nichicon: str) -> Article:
    scheme = "scheme in Panasonic, Explanation of part numbers"
    return Article("Panasonic", panasonic, f"Nichicon {nichicon}", source=scheme)


# What to order, by (kind, value).
ARTICLES = {
    ("pico", "Raspberry Pi Pico"): Article(
        "Raspberry Pi",
        "SC0917",
        "Pico, W, WH, 2 or 2 W: [all of them fit](README.md#which-picos-fit)",
        remark="SC0917 is the Pico H, which comes with its pins soldered",
    ),
    ("resistor", "470 Ω"): _resistor("470R"),
    ("resistor", "1 kΩ"): _resistor("1K"),
    ("resistor", "2.2 kΩ"): _resistor("2K2"),
    ("resistor", "4.7 kΩ"): _resistor("4K7"),
    ("resistor", "47 kΩ"): _resistor("47K"),
    ("pot", "10 kΩ"): Article(
        "Bourns",
        "PDB181-K420K-103A2",
        "Bourns PDB181-K420K-103B (linear: most of the change is at the low end)",
    ),
    ("capacitor", "100 nF"): Article(
        "Kemet",
        "C320C104K5R5TA",
        "Vishay K104K15X7RF5TH5",
        spare=2,
        source="scheme in Kemet Goldmax X7R, Ordering information",
    ),
    ("electrolytic", "100 µF"): _electrolytic("EEU-FR1E101", "UHE1E101MED"),
    ("electrolytic", "1000 µF"): _electrolytic("EEU-FR1E102", "UHE1E102MHD"),
    ("led", "red"): Article(
        "Cree LED",
        "C503B-RAN-CZ0C0AA1",
        "any 5 mm red LED, 1000 mcd or more at 20 mA, 1.6 to 2.2 V. Do not use green, blue or "
        "white LEDs: they need a higher voltage",
        spare=3,
    ),
    ("pixel", "WS2812B"): Article(
        "Worldsemi",
        "WS2812B",
        "Opsco SK6812 (RGB)",
        spare=2,
        remark="cut them from a 5 V strip with 30 pixels per metre and its own capacitors",
    ),
    ("npn", "2N3904"): Article(
        "onsemi",
        "2N3904BU",
        "onsemi PN2222ABU, with the legs in the same order (E, B, C). BC337 and BC547 have C, B, "
        "E: place them with the flat side away from you",
        spare=1,
        rating="40 V 600 mA",
    ),
    ("mosfet", "IRLB8721"): Article(
        "Infineon",
        "IRLB8721PBF",
        "Infineon IRLB8743PBF. Do not use IRF540 or IRFZ44N: they need 10 V and burn at 3.3 V",
        source="PD-97390, 2009",
        rating="30 V 150 A",
    ),
    ("pmos", "IPP80P03P4L-07"): Article(
        "Infineon",
        "IPP80P03P4L-07",
        "onsemi NDP6020P",
        source="Infineon IPP80P03P4L-07, rev. 1.0",
        rating="20 V 24 A",
    ),
    ("tactile", "12 mm"): Article(
        "Omron",
        "B3F-4055",
        "C&K PTS125SM73-2 LFS",
        spare=1,
        remark="also order Omron B32-1600 caps",
    ),
    ("tactile", "6 mm"): Article(
        "Omron",
        "B3F-1050",
        "Würth Elektronik 430182043816, which does not take a cap",
        spare=1,
        remark="its plunger projects and takes a cap from the Omron B32 series",
        source="Omron B3F, List of models",
    ),
    ("arcade", "30 mm"): Article(
        "Omron",
        "D3V-01-1A3",
        "ZF DC3C-H1AA, or another miniature 0.1 A microswitch with gold contacts",
        spare=1,
        source="Omron D3V, Model number legend",
        remark="this is the microswitch. Its gold contacts suit 0.7 mA at 3.3 V. Also order a "
        "30 mm push button without a switch, for a miniature (V) microswitch",
    ),
    ("switch", "on/off"): Article(
        "", "", "any panel switch or key switch, one pole, 5 A or more at 12 V DC"
    ),
    ("piezo", "PS1720P02"): Article(
        "TDK",
        "PS1720P02",
        "Murata PKM22EPPH2001-B0 (22 mm wide, a tight fit)",
        source="TDK PS series, May 2011",
    ),
    ("lamp", "12 V 20 mA"): Article(
        "",
        "",
        "any LED indicator lamp for 12 V DC with its resistor built in, 20 mA at most. "
        "No filament lamps: while cold, they take ten times their rated current",
        spare=2,
    ),
    ("solenoid", "12 V 0.5 A"): Article(
        "",
        "",
        "the solenoid of the coin chute: 12 V, 0.5 A at most. If it takes less, choose a "
        "smaller F2",
    ),
    ("diode", "1N5817"): Article("onsemi", "1N5817G", "onsemi 1N5819G", spare=1),
    ("diode", "SB560"): Article(
        "Vishay", "SB560-E3/54", "onsemi 1N5822G", rating="Schottky, 40 V 3 A"
    ),
    ("diode", "1N4007"): Article("onsemi", "1N4007G", "Vishay 1N4007-E3/54", spare=1),
    ("tvs", "1.5KE18A"): Article("Littelfuse", "1.5KE18A", "STMicroelectronics 1.5KE18A"),
    ("tvs", "P6KE6.8A"): Article(
        "Littelfuse", "P6KE6.8A", "Taiwan Semiconductor P6KE6V8A", spare=1
    ),
    ("fuse", "T 2.5 A"): Article(
        "Littelfuse",
        "021802.5MXP",
        "any 5 x 20 mm fuse to IEC 60127-2 sheet 3, T 2.5 A",
        spare=5,
        remark="also order a holder for 5 x 20 mm fuses",
    ),
    ("fuse", "T 200 mA"): Article(
        "Littelfuse",
        "0218.200MXP",
        "any 5 x 20 mm fuse to IEC 60127-2 sheet 3, T 200 mA",
        spare=5,
        remark="also order a holder for 5 x 20 mm fuses",
    ),
    ("supply", "5 V 3 A"): Article(
        "Mean Well", "GST18B05-P1J", "Mean Well GST25B05-P1J", remark="also order a C7 mains cable"
    ),
    ("supply", "12 V 3 A"): Article(
        "Mean Well", "GST36B12-P1J", "Mean Well GST40A12-P1J", remark="also order a C7 mains cable"
    ),
    ("inlet", "5.5 x 2.1 mm"): Article(
        "Switchcraft", "722A", "any 5.5 x 2.1 mm DC inlet for the panel, 5 A, with lever terminals"
    ),
    ("regulator", "TSR 1-2450"): Article(
        "Traco Power",
        "TSR 1-2450",
        "Recom R-78B5.0-1.0 (the same pins, also for 470 µF). No 7805: it would waste 5 W as heat",
        source="Traco Power TSR 1, Models",
    ),
    ("amplifier", "PAM8302A"): Article(
        "Adafruit",
        "2130",
        "SparkFun BOB-11044 (TPA2005D1, 1.4 W. Its IN+ is A+, and its IN- is A-)",
    ),
    ("speaker", "8 Ω"): Article("Visaton", "FR 7, 8 Ω", "any 8 Ω, 3 W or more"),
    ("stud", "M4"): Article(
        "",
        "",
        "any M4 brass screw with toothed washers. A cabinet of wood and plastic needs no stud",
    ),
    ("74AHCT125", "SN74AHCT125N"): Article(
        "Texas Instruments",
        "SN74AHCT125N",
        "Nexperia 74AHCT125D on an SO14 adapter. Do not use a 74HC125: 3.3 V is not high enough "
        "for it. Do not use a 74HCT125: with USB alone, the Pico feeds 5 V through its inputs",
        source="TI SCLS264O, Ordering information",
    ),
    ("TPIC6B595", "TPIC6B595N"): Article(
        "Texas Instruments",
        "TPIC6B595N",
        "for each row, a 74HC595 at 3.3 V and a ULN2803A after it (see the page)",
        spare=1,
        source="TI SLIS032B",
    ),
    ("ULN2803A", "ULN2803A"): Article(
        "STMicroelectronics",
        "ULN2803A",
        "Toshiba TBD62083APG (the same pins, less heat)",
        source="DocID1536 rev. 4, Order codes",
    ),
}

TOOLS = {
    "breadboard": [
        "side cutters",
        "wire stripper for AWG 24",
        "multimeter with leads",
        "tweezers",
        "safety glasses",
    ],
    "pixels": ["soldering iron, solder, sponge", "solder wick", "helping hands", "hot glue"],
    "exhibit": [
        "drill with 3 to 10 mm bits, 28 to 30 mm step drill or hole saw",
        "crimping tool for JST XH and VH contacts",
        "crimping tool for 4.8 mm tabs",
        "label printer for the cables",
        "screwdrivers, pliers",
    ],
}


def tools(build: Build) -> list[str]:
    """Return the tools for a build. It needs all tools of the simpler builds, and more."""
    names = list(TOOLS)
    return [tool for name in names[: names.index(build.name) + 1] for tool in TOOLS[name]]


def article(part: Part) -> Article:
    return ARTICLES[part.kind, part.value]


def problems(build: Build) -> Iterator[str]:
    """Yield a line for each part that has no article."""
    for part in build.parts:
        if part.kind != "rail" and part.kind in KINDS and (part.kind, part.value) not in ARTICLES:
            yield (
                f"{build.name}: no article is known for {part.ref} ({part.kind} "
                f"{part.value}): add one in {_WHERE}"
            )


def substituted(build: Build) -> Build:
    """Return a copy of the build in which each part has the rating of its substitute."""
    parts = []
    for part in build.parts:
        there = ARTICLES.get((part.kind, part.value))
        parts.append(replace(part, rating=there.rating) if there and there.rating else part)
    return replace(build, parts=tuple(parts))
