"""What a person has to be told and no netlist knows: safety, advice and tests of the steps."""

# What a build is for, and what it asks of who builds it.
ABOUT = {
    "breadboard": "The smallest machine that plays: loose parts on breadboards, run from a USB cable. "
    "An evening's work; nothing on it can hurt you. The lamps are LEDs in a matrix of 4 rows and "
    "7 columns, so eleven wires light 28 lamps.",
    "pixels": "28 pixels, lamps with a chip inside, which hang on one data wire. Few wires to solder, "
    "bright colours; it needs a supply of 5 V 3 A.",
    "exhibit": "The cabinet for the public: 12 V lamps that are seen across a hall, arcade buttons "
    "on cables up to 10 m long, a loudspeaker, and a coin chute that opens for who wins.",
}

SAFETY = {
    "breadboard": [
        "Build with the USB cable unplugged. Plug it in for the test of a step, then unplug it again.",
        "Its voltage, 5 V at most, is harmless to touch. What gets hot is wired wrongly: unplug at "
        "once, let it cool, compare with the step.",
        "Never connect a supply or battery to this build: the USB cable is its supply.",
        "Do not look straight into bright LEDs from near by; cut wire ends fly: cover them.",
    ],
    "pixels": [
        "Build with the supply and the USB cable unplugged.",
        "5 V are harmless to touch, but 3 A make a thin wire glow when something is shorted. The "
        "fuse F1 comes first, right behind the inlet: build nothing without it, never bridge it.",
        "Wires of 5 V and 0 V: 0.5 mm² or thicker, to both ends of the chain of pixels.",
        "The pixels never hang on the Pico's own pins for power: 28 of them can take 1.7 A.",
        "All pixels at full brightness are glaring: `nimatron settings brightness 30` is plenty.",
    ],
    "exhibit": [
        "**No mains voltage inside the cabinet.** The supply is a bought one in its own case, of "
        "safety class II (a square in a square on its label) and SELV, and stays outside.",
        "Should your house insist on a supply inside: that is an electrician's work, and its "
        "yellow-green earth wire then goes to the earth stud E1, before anything else.",
        "All metal that visitors can touch (panel, coin cup, metal buttons) is joined to the earth "
        "stud E1, by wire and tooth washers, not by paint.",
        "Visitors may touch: button caps, lamp lenses, front panel, coin cup. Everything else is "
        "behind a cover that needs a tool to open. No gap a child's finger fits into.",
        "Unplug the supply **and** the USB cable before you open the cover or solder.",
        "F1 keeps the wires from burning, F2 the solenoid: T means slow. Never a bigger one.",
        "The solenoid is made for short pulses. Held on, it gets hot enough to burn; the firmware "
        "holds it half a second at most, and if ever it stays on F2 opens within two minutes.",
        "Every cable is clamped within 10 cm of where it enters the cabinet, so that a tug pulls on "
        "no solder joint; all cables are of the flame-retardant kind.",
        "Before the public comes: have it inspected by whoever inspects electrical devices in your "
        "house, run it for a day, and feel that nothing is more than hand-warm.",
    ],
}

# What no part list knows of.
ALSO = {
    "breadboard": [
        "2 breadboards of 830 holes",
        "solid hook-up wire 0.22 mm² (AWG 24) in the colours of the steps",
        "a USB cable that carries data, not only charge",
        "a multimeter",
    ],
    "pixels": [
        "a board or panel with 28 holes; stripboard for U1",
        "stranded wire 0.22 mm² (AWG 24) for data, 0.5 mm² (AWG 20) for 5 V and 0 V",
        "a 14 pin socket for U1",
        "a USB cable that carries data, not only charge",
        "a multimeter",
    ],
    "exhibit": [
        "a cabinet, a panel, stripboard; sockets: 1 of 14, 4 of 20, 1 of 18 pins, and for the Pico",
        "cable 0.5 mm² (AWG 20) for 12 V, 0 V and the solenoid",
        "cable 0.22 mm² (AWG 24), a twisted pair for each button and each lamp",
        "lever terminals or a bus bar for the rails 0 V, 5 V and 12 V",
        "heat-shrink tube, cable clamps, crimps 4.8 mm for the buttons",
        "a USB cable that carries data, not only charge",
        "a multimeter",
    ],
}

_FIRMWARE = (
    "Put the firmware on the Pico first, on its own, before any wire is at it: "
    "[how](README.md#the-firmware)."
)
_CHECK = "`nimatron check --step {step}`"

# Step: what to do, and how to test it. {step} is the step's number.
STEPS = {
    "12 V": (
        "Everything that follows takes its power from behind this fuse and this switch. Measure "
        "the plug of the supply first: plus is in the middle.",
        "Supply unplugged, switch on: from the 12 V rail to the 0 V rail the meter shows more than "
        "1 kΩ. Plug in: 11.4 to 12.6 V between the rails, 0 V when switched off.",
    ),
    "5 V": {
        "pixels": (
            "Everything that follows takes its power from behind this fuse. Measure the plug of "
            "the supply first: plus is in the middle.",
            "Supply unplugged: from the 5 V rail to the 0 V rail the meter shows more than 100 Ω. "
            "Plug in: 4.75 to 5.25 V between the rails.",
        ),
        "exhibit": (
            "Nothing else is on the 5 V rail yet, so a wrong regulator can spoil nothing.",
            "Switch on: 4.85 to 5.15 V between the 5 V and 0 V rails, and the regulator stays cool.",
        ),
    },
    "Pico": {
        "breadboard": (
            f"{_FIRMWARE} Set it astride the gap of the breadboard, USB socket at the edge.",
            "Plug in the USB cable: the LED on the Pico changes once a second. `nimatron devices` "
            "names it.",
        ),
        "pixels": (
            f"{_FIRMWARE} Tell it which lamps it has: `nimatron settings display pixels`. The diode "
            "lets USB cable and supply be plugged in at the same time.",
            "With the supply alone, no USB cable: 4.4 to 5.0 V at VSYS (pin 39), 3.2 to 3.4 V at "
            "3V3 (pin 36), and the LED on the Pico changes once a second.",
        ),
        "exhibit": (
            f"{_FIRMWARE} Tell it which lamps it has: `nimatron settings display shift`. The diode "
            "lets USB cable and supply be plugged in at the same time.",
            "With the supply alone, no USB cable: 4.4 to 5.0 V at VSYS (pin 39), 3.2 to 3.4 V at "
            "the 3.3 V rail, and the LED on the Pico changes once a second.",
        ),
    },
    "columns": (
        "A resistor for each column, left to right. One end in a breadboard strip with the Pico's "
        "pin, the other in a strip of its own that will feed the column's four lamps.",
        "Unplugged, measure from each pin of the Pico to the free end of its resistor: 450 to "
        "490 Ω. To the next column: no connection.",
    ),
    "level shifter": {
        "pixels": (
            "The pixels want 3.5 V for a 1 and the Pico gives 3.3 V; this chip makes 5 V of it. "
            "Its three spare gates are switched off.",
            "Supply on, 5 V between pins 14 and 7 of U1. U1 stays cool.",
        ),
        "exhibit": (
            "The registers want 4.3 V for a 1 and the Pico gives 3.3 V; this chip makes 5 V of it. "
            "The 10 kΩ resistor keeps all lamps dark until the firmware has started.",
            "Supply on, 5 V between pins 14 and 7 of U1. Press and hold BOOTSEL while you switch "
            "on: 4.5 V or more at pin 11 of U1.",
        ),
    },
    "row": {
        "breadboard": (
            "The transistor switches the row. All LEDs the same way round: the longer leg to the "
            "column, the shorter to the transistor.",
            f"{_CHECK} lights the row's seven lamps one after the other, left to right.",
        ),
        "pixels": (
            "Follow the arrow on the pixels: data comes in at DIN and goes on from DOUT. Each "
            "row begins at the left; the last pixel of the row feeds the first of the next.",
            f"{_CHECK} lights the row's seven lamps one after the other, left to right.",
        ),
        "exhibit": (
            "Chip in its socket, notch as in the picture, capacitor right beside it. The lamps go "
            "to 12 V on one side; the register pulls the other side down to light them.",
            f"{_CHECK} lights the row's seven lamps one after the other, left to right.",
        ),
    },
    "buttons": {
        "tabletop": (
            "Each button joins its pin to 0 V while it is pressed; the Pico pulls it up by itself.",
            f"{_CHECK} asks for one button after the other and says how much it bounces.",
        ),
        "exhibit": (
            "A twisted pair to each button, up to 10 m. Resistors and capacitor sit at the Pico's "
            "end of the cable, within 5 cm of the pin. They pull up against what long cables pick "
            "up, and keep sparks off the pin; they delay a press by less than a millisecond.",
            f"{_CHECK} asks for one button after the other and says how much it bounces.",
        ),
    },
    "legends": {
        "tabletop": (
            "One LED for each sign, in the order of the table.",
            f"{_CHECK} lights one sign after the other.",
        ),
        "exhibit": (
            "One lamp behind each sign. COM of U6 goes to 12 V.",
            f"{_CHECK} lights one sign after the other.",
        ),
    },
    "sounder": {
        "tabletop": (
            "The disc sounds louder stuck on the lid of a box.",
            f"{_CHECK} sounds a steady tone, an A of 440 Hz.",
        ),
        "exhibit": (
            "Turn the volume down before the first test. The loudspeaker's wires go to the module "
            "and nowhere else.",
            f"{_CHECK} sounds a steady tone, an A of 440 Hz: turn the volume up to taste.",
        ),
    },
    "coin": {
        "tabletop": (
            "The LED shines while a coin chute would be open.",
            f"{_CHECK}: the LED flashes once.",
        ),
        "exhibit": (
            "Look twice at the flyback diode: ring to the fuse's side. The other way round it "
            "shorts the 12 V, and left out, the solenoid kills Q1.",
            "Before the solenoid is on: 0 V at G of Q1 with the Pico running. "
            f"Then {_CHECK}: the chute opens once, for an instant, and closes.",
        ),
    },
}


def step(build: str, name: str, number: int) -> tuple[str, str]:
    """What to do in this step of a build, and how to test it."""
    told = STEPS["row" if name.startswith("row ") else name]
    if isinstance(told, dict):
        told = told.get(build) or told["tabletop"]
    do, test = told
    return do, test.format(step=number)


CABLES = """\
## Cables

| from, to | wire | at most |
|---|---|---|
| supply, F1, switch, rails | 0.5 mm² (AWG 20) | 2 m |
| Pico, U1, U2 to U5, each to the next | 0.22 mm² (AWG 24), with a 0 V wire beside it | 30 cm |
| lamps | 0.22 mm², a pair each; 20 mA lose 20 mA x 2 x 5 m x 0.08 Ω/m = 16 mV | 5 m |
| buttons | 0.22 mm², a twisted pair each; 10 m have 1.6 Ω and 1 nF, the filter 1 kΩ and 100 nF | 10 m |
| solenoid | 0.5 mm²; 0.5 A lose 0.5 A x 2 x 3 m x 0.035 Ω/m = 0.1 V | 3 m |
| loudspeaker | 0.5 mm², a twisted pair, away from the buttons' cables | 1 m |

The 0 V rail is one point: every 0 V wire goes to it by itself, and the solenoid's does not share a
wire with the Pico's.

## Instead of TPIC6B595

In each row a 74HC595 at 3.3 V and behind it a ULN2803A. U1 then goes: clock, data, latch and enable
come straight from the Pico. The 10 kΩ resistor stays.

| 74HC595 | goes to |
|---|---|
| VCC (16), SRCLR (10) | 3.3 V rail |
| GND (8) | 0 V rail |
| SER (14) | row 1: data of the Pico; else QH' (9) of the row before |
| SRCLK (11), RCLK (12), OE (13) | clock, latch, enable of the Pico |
| QA (15), QB to QG (1 to 6) | 1B to 7B (1 to 7) of the row's ULN2803A |

ULN2803A: 1C to 7C (18 to 12) to the lamps, leftmost first; GND (9) to the 0 V rail, COM (10) to the
12 V rail. The inputs take 7 x 1.35 mA a row, 38 mA of the 300 mA that the 3.3 V rail can give.
"""

TROUBLE = {
    "breadboard": [
        ("one lamp dark", "the LED is the wrong way round, or its leg is in the wrong strip"),
        ("a column dark", "its resistor, or the wire from the Pico to it"),
        ("a row dark", "its transistor is the wrong way round, or its base resistor is missing"),
        ("two lamps instead of one", "two columns or two rows touch"),
    ],
    "pixels": [
        ("all dark from one pixel on", "that pixel or the one before: DIN and DOUT, 5 V, 0 V"),
        ("all dark", "display is not `pixels`, or the level shifter: its pin 1 to 0 V"),
        ("wrong colours, flicker", "0 V wire too thin, or the data wire longer than 50 cm"),
    ],
    "exhibit": [
        ("one lamp dark", "the lamp is the wrong way round, or its wire"),
        ("a row dark, and all rows after it", "SER IN and SER OUT between the registers"),
        (
            "all rows dark",
            "display is not `shift`, or clock, latch, enable: through U1 to all four",
        ),
        ("rows shifted by a lamp", "noise on clock: 0 V wire beside it, 100 nF at each chip"),
        ("coin never drops, F2 is open", "the solenoid stayed on: Q1 is shorted, replace both"),
    ],
}
