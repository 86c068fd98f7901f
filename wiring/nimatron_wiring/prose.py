"""Texts for the builder that are not in the netlist: safety, advice, and the test of each step."""

# The purpose of each build, and the effort that it takes.
ABOUT = {
    "breadboard": "The smallest machine that plays: loose parts on breadboards, powered by a USB cable. It "
    "takes an evening and no soldering, and nothing on it can hurt you. The lamps are LEDs in a matrix of 4 rows and "
    "7 columns, so eleven wires light 28 lamps.",
    "pixels": "A chain of 28 pixels (lamps with a built-in chip) on one data wire. It has few wires to solder, "
    "and it shows bright colours. It needs a 5 V 3 A supply.",
    "exhibit": "The cabinet for the public: 12 V lamps that you can see across a hall, arcade buttons "
    "on cables up to 10 m long, a loudspeaker, and a coin chute that opens for winners.",
}

SAFETY = {
    "breadboard": [
        "Build with the USB cable unplugged. Plug it in to test a step, then unplug it again.",
        "5 V, the highest voltage here, is harmless to touch. If a part gets hot, it is wired wrongly: "
        "unplug the cable at once, let the part cool, and compare the wiring with the step.",
        "Power this build only through the Pico's USB socket, from a computer or a phone charger. Connect no "
        "other supply or battery to its pins or rails.",
        "Do not look into bright LEDs from close up. Wear safety glasses when you cut wires, and hold the end that "
        "you cut off so that it does not fly away.",
        "The buttons are connected directly to the Pico's pins. That is fine on a desk, but in a hall, sparks from "
        "visitors' fingers would destroy the Pico. For the public, build the exhibit.",
    ],
    "pixels": [
        "Build with the supply and the USB cable unplugged.",
        "5 V is harmless to touch, but in a short circuit a few amperes can make a thin wire glow. The supply "
        "limits the current. With a bigger supply, the fuse F1 opens. Connect F1 first, directly after the "
        "inlet. Never build without it, and never bridge it.",
        "If plus and minus of the supply are swapped, Q1 blocks the current: nothing lights, and nothing is damaged.",
        "Use 0.5 mm² or thicker wires for 5 V and 0 V, and connect them to both ends of the pixel chain.",
        "Never power the pixels from the Pico's own pins: 28 pixels can take 1.7 A.",
        "Pixels at full brightness are glaring: `nimatron settings brightness 30` is plenty.",
        "Solder in fresh air with safety glasses on, and wash your hands afterwards.",
        "The buttons are connected directly to the Pico's pins. That is fine on a desk, but in a hall, sparks from "
        "visitors' fingers would destroy the Pico. For the public, build the exhibit.",
    ],
    "exhibit": [
        "**No mains voltage inside the cabinet.** Buy a supply in its own case, with safety class II "
        "(its label shows a square in a square) and an SELV output. Keep it outside the cabinet.",
        "If the supply must be inside, leave that work to an electrician. Its yellow-green earth wire "
        "then goes to the earth stud E1, before you connect anything else.",
        "Connect all metal that visitors can touch (panel, coin cup, metal buttons) to the earth stud "
        "E1, with wire and toothed washers that cut through the paint.",
        "Visitors may touch button caps, lamp lenses, the front panel and the coin cup. Everything else "
        "must be behind a cover that opens only with a tool and has no gap wide enough for a child's finger.",
        "Unplug the supply **and** the USB cable before you open the cover or solder.",
        "In a short circuit, the supply limits the current. The supply's limit is close to the rating of F1, so F1 "
        "may not open. Only a bigger supply is certain to open it. F2 protects the solenoid. “T” means slow-blow. "
        "Never use a bigger fuse.",
        "If plus and minus of the supply are swapped, D1 blocks the current: nothing lights, and nothing is damaged.",
        "The solenoid is made for short pulses. If it stays on, it gets hot enough to burn you. The firmware "
        "switches it on for half a second at most. If the firmware hangs, its watchdog ends the pulse within 8 "
        "seconds. If Q2 fails, F2 opens within two minutes.",
        "S1 does not switch the Pico off while a USB cable is plugged in.",
        "While a computer is connected by USB, sparks from visitors to the earthed panel can flow through the "
        "computer. Unplug the cable during opening hours, or use an isolated USB hub.",
        "Solder in fresh air with safety glasses on, and wash your hands afterwards.",
        "Clamp every cable within 10 cm of where it enters the cabinet, so that a tug does not pull on a "
        "solder joint. Use flame-retardant cables.",
        "Before you open to the public, have the machine inspected by the person who inspects electrical "
        "devices at your museum. Run it for a day, and check that nothing gets warmer than your hand.",
    ],
}

_CABLE = "a USB cable that carries data, not only charge, with a micro-USB plug for the Pico"
_COMPUTER = "a computer with [Nimatron](../docs/how-to/install.md)"

# Articles to buy that are not in the netlist.
ALSO = {
    "breadboard": [
        "3 breadboards with 830 holes",
        "solid 0.22 mm² (AWG 24) hook-up wire, in the colours that the steps name",
        _CABLE,
        _COMPUTER,
    ],
    "pixels": [
        "a board or panel with 28 holes",
        "stripboard for U1",
        "stranded wire: 0.22 mm² (AWG 24) for data, 0.5 mm² (AWG 20) for 5 V and 0 V",
        "a 14-pin socket for U1",
        _CABLE,
        _COMPUTER,
    ],
    "exhibit": [
        "a cabinet, a panel, stripboard",
        "sockets: one with 14 pins, four with 20, one with 18, and one for the Pico",
        "0.5 mm² (AWG 20) cable for 12 V, 0 V and the solenoid",
        "0.22 mm² (AWG 24) cable: a twisted pair for each button and each lamp",
        "lever terminals or a bus bar for the 0 V, 5 V and 12 V rails",
        "heat-shrink tube, cable clamps, 4.8 mm crimp terminals for the buttons",
        "a clip-on ferrite for the loudspeaker's pair of wires",
        "a cable tie with a base, to hold the USB cable",
        _CABLE,
        _COMPUTER,
    ],
}

_FIRMWARE = (
    "Put the firmware on the Pico first, before you connect any wire to it: "
    "[how](README.md#the-firmware)."
)
_CHECK = "`nimatron check --step {step}`"

# For each step: what to do, and how to test it. {step} is the step's number.
STEPS = {
    "12 V": (
        "All later parts are powered through this fuse, this switch and D1. The plug of PSU1 goes into "
        "J1: do not cut it off. First measure that plug: plus must be in the middle.",
        "Unplug the supply, turn the switch on, and measure from the 12 V rail (red probe) to the 0 V rail. "
        "The value rises while C1 charges: wait until it is more than 1 kΩ. In diode mode, the meter shows 0.1 to "
        "0.5 V from + of J1 to the 12 V rail. With the probes swapped, it shows no reading. Plug in the supply: the "
        "meter shows 11.0 to 12.8 V between the rails. Switch off: the voltage falls to 0 V.",
    ),
    "5 V": {
        "pixels": (
            "All later parts are powered through this fuse and Q1. The plug of PSU1 goes into J1: do not "
            "cut it off. First measure that plug: plus must be in the middle.",
            "Unplug the supply, and measure from the 5 V rail (red probe) to the 0 V rail. The value rises while C1 "
            "charges: wait until it is more than 1 kΩ. Plug in the supply: the meter shows 4.65 to 5.35 V.",
        ),
        "exhibit": (
            "Nothing else is on the 5 V rail yet, so a wrong regulator cannot damage anything.",
            "Switch on: the meter shows 4.75 to 5.25 V between the 5 V and 0 V rails. The regulator stays cool.",
        ),
    },
    "Pico": {
        "breadboard": (
            f"{_FIRMWARE} Place the Pico across the gap of board 1, with the USB socket at the left edge. The wires join "
            "all the blue rails, which are 0 V.",
            "With the USB cable unplugged, the meter shows less than 2 Ω between any two blue rails, at either end. "
            "Its probes do not fit the holes: plug in a wire, and hold the probe to the bare end. Plug in the USB "
            "cable: the LED on the Pico turns on or off once a second, and `nimatron devices` lists the Pico.",
        ),
        "pixels": (
            f"{_FIRMWARE} Set the kind of lamps: `nimatron settings display pixels`. The diode "
            "lets you plug in the USB cable and the supply at the same time.",
            "With the supply and no USB cable, the meter shows 4.2 to 5.2 V at VSYS (pin 39) and 3.15 to 3.45 V at "
            "3V3 (pin 36). The LED on the Pico turns on or off once a second.",
        ),
        "exhibit": (
            f"{_FIRMWARE} Set the kind of lamps: `nimatron settings display shift`. The diode "
            "lets you plug in the USB cable and the supply at the same time.",
            "With the supply and no USB cable, the meter shows 4.3 to 5.1 V at VSYS (pin 39) and 3.15 to 3.45 V at "
            "the 3.3 V rail. The LED on the Pico turns on or off once a second.",
        ),
    },
    "columns": (
        "Place one resistor for each column, from left to right. A wire from the Pico goes to the left end of "
        "each. The right end will feed the column's four lamps.",
        "With the USB cable unplugged, measure from the top of each Pico pin to the right end of its resistor: the "
        "meter shows 440 to 500 Ω. From there to the right end of the next resistor, it shows more than 10 kΩ and "
        "does not beep.",
    ),
    "level shifter": {
        "pixels": (
            "The pixels need 3.5 V for a 1, but the Pico delivers 3.3 V. This chip raises the signal to 5 V. Its "
            "three spare gates are switched off.",
            "With the supply on, the meter shows 4.65 to 5.35 V between pins 14 and 7 of U1, and U1 stays cool.",
        ),
        "exhibit": (
            "The registers need 4.3 V for a 1, but the Pico delivers 3.3 V. This chip raises clock, data and "
            "latch to 5 V. Q1 does the same for enable. It also keeps all lamps dark until the Pico has power and "
            "the firmware has started.",
            "With the supply on, the meter shows 4.75 to 5.25 V between pins 14 and 7 of U1. Hold BOOTSEL while you "
            "switch on: the meter shows 4.5 V or more at C of Q1.",
        ),
    },
    "row": {
        "breadboard": (
            "The transistor switches the row. Place all LEDs the same way round: the shorter leg at the left, the "
            "longer leg at the right.",
            f"{_CHECK} lights the seven lamps of the row one after the other, from left to right.",
        ),
        "pixels": (
            "Follow the arrow on the pixels: data enters at DIN and leaves at DOUT. Each row begins at the "
            "left. The last pixel of a row feeds the first pixel of the next row.",
            f"{_CHECK} lights the seven lamps of the row one after the other, from left to right.",
        ),
        "exhibit": (
            "Put the chip into its socket so that the two notches are at the same end. Seen from above with the "
            "notch up, pin 1 is at the top left. Place the capacitor right next to the chip. One side of each lamp "
            "goes to 12 V. To light a lamp, the register pulls the other side down.",
            f"{_CHECK} lights the seven lamps of the row one after the other, from left to right.",
        ),
    },
    "buttons": {
        "breadboard": (
            "A pressed button connects its pin to 0 V. When you release the button, the Pico pulls the pin up. Each "
            "button has two pairs of legs. The legs of a pair are joined inside: the meter beeps between them "
            "without a press. Straighten the legs, and bend them so that the legs of a pair are 7.6 mm apart and the "
            "pairs are 5.1 mm apart. Plug in all four legs, one pair at the left and one at the right, as the dashed "
            "lines in the picture show.",
            f"{_CHECK} asks you to press each button within 20 seconds and shows how much it bounces.",
        ),
        "tabletop": (
            "A pressed button connects its pin to 0 V. When you release the button, the Pico pulls the pin up. "
            "Solder the wires to two legs at opposite corners.",
            f"{_CHECK} asks you to press each button and shows how much it bounces.",
        ),
        "exhibit": (
            "Run a twisted pair of up to 10 m to each button. The suppressor diode goes at the end of the cable, where "
            "it leads sparks away. Connect its ring to the cable, and its other leg to the 0 V rail by the shortest "
            "path. The resistors and the capacitor go within 5 cm of the Pico's pin. They suppress interference that "
            "long cables pick up, and delay a press by less than a millisecond.",
            f"{_CHECK} asks you to press each button and shows how much it bounces.",
        ),
    },
    "legends": {
        "breadboard": (
            "The legends are four signs that light up. Here each is an LED. Unlike the lamps, these LEDs have the "
            "longer leg at the left: it goes to the resistor.",
            f"{_CHECK} lights each legend in turn.",
        ),
        "tabletop": (
            "Place one LED for each sign, in the order of the table. The longer leg goes to the resistor.",
            f"{_CHECK} lights each sign in turn.",
        ),
        "exhibit": (
            "Place one lamp behind each sign. COM of the chip goes to 12 V.",
            f"{_CHECK} lights each sign in turn.",
        ),
    },
    "sounder": {
        "breadboard": (
            "The buzzer has no plus and minus. It is made for 2 kHz, so low notes are quiet.",
            f"{_CHECK} plays a steady tone (A, 440 Hz) and asks whether you hear it.",
        ),
        "tabletop": (
            "The buzzer has no plus and minus. It is made for 2 kHz, so low notes are quiet.",
            f"{_CHECK} plays a steady tone (A, 440 Hz).",
        ),
        "exhibit": (
            "Turn the volume down before the first test. Connect the loudspeaker's wires to the module and to "
            "nothing else.",
            f"{_CHECK} plays a steady tone (A, 440 Hz). Turn the volume up to taste.",
        ),
    },
    "coin": {
        "breadboard": (
            "Here an LED replaces the coin chute. It is lit while the chute would be open. As with the legends, the "
            "longer leg is at the left.",
            f"{_CHECK} flashes the LED once, and asks whether the coin chute opened. Answer `y` if the LED flashed.",
        ),
        "tabletop": (
            "Here an LED replaces the coin chute. It is lit while the chute would be open.",
            f"{_CHECK} flashes the LED once.",
        ),
        "exhibit": (
            "Check the flyback diode twice: its ring points to the fuse. The other way round, it short-circuits "
            "the 12 V supply. Without the diode, each pulse drives Q2 into breakdown.",
            "Before you connect the solenoid, measure the voltage at G of Q2 with the Pico running: it must be less "
            f"than 0.1 V. Then connect the solenoid. {_CHECK} opens the chute once, for an instant.",
        ),
    },
}


def step(build: str, name: str, number: int) -> tuple[str, str]:
    """Return the instructions for a step of a build, and the instructions for its test."""
    told = STEPS["row" if name.startswith("row ") else name]
    if isinstance(told, dict):
        told = told.get(build) or told["tabletop"]
    do, test = told
    return do, test.format(step=number)


CABLES = """\
## Cables

Each cable ends in a plug on the board, so that a lamp or button can be replaced without soldering at the
board. If a step's table has a wire to a part on the panel, the wire goes through the plug of that part.

{picture}

{plugs}
| from, to | wire | at most |
|---|---|---|
| supply, F1, switch, rails | 0.5 mm² (AWG 20) | 2 m |
| from the Pico to U1, from U1 to U2, and so on up to U5 | 0.22 mm² (AWG 24), with a 0 V wire next to it | 30 cm |
| lamps | 0.22 mm², one pair each. At 20 mA the drop is 20 mA x 2 x 5 m x 0.08 Ω/m = 16 mV | 5 m |
| buttons | 0.22 mm², one twisted pair each. 10 m of cable have 1.6 Ω and 1 nF. The filter has 1 kΩ and 100 nF | 10 m |
| solenoid | 0.5 mm². At 0.5 A the drop is 0.5 A x 2 x 3 m x 0.035 Ω/m = 0.1 V | 3 m |
| loudspeaker | 0.5 mm², a twisted pair, away from the buttons' cables | 1 m |

The 0 V rail is a single point: run every 0 V wire to it separately. In particular, the solenoid and the
Pico must not share a 0 V wire.

## Instead of TPIC6B595

In each row, use a 74HC595 at 3.3 V followed by a ULN2803A. Omit U1: clock, data, latch and enable
come straight from the Pico. Also omit Q1 and the two resistors at its base and collector. Keep the resistor
at its emitter.

| 74HC595 | connect to |
|---|---|
| VCC (16), SRCLR (10) | 3.3 V rail |
| GND (8) | 0 V rail |
| SER (14) | in row 1: data from the Pico. In the other rows: QH' (9) of the previous row |
| SRCLK (11), RCLK (12), OE (13) | clock, latch, enable from the Pico |
| QA (15), QB to QG (1 to 6) | 1B to 7B (1 to 7) of the row's ULN2803A |

Connect 1C to 7C (18 to 12) of the ULN2803A to the lamps, leftmost first. Connect GND (9) to the 0 V rail and
COM (10) to the 12 V rail. The inputs of the four rows take 4 x 7 x 1.35 mA = 38 mA. The 3.3 V rail can deliver 300 mA.
"""

# The document and its section, the figures that we use, and whether we have read the document.
SOURCES = [
    (
        "RP2350 Datasheet, appendix E, RP2350-E9",
        "when a pull-down is needed, and its value",
        "read",
    ),
    ("RP2350 Datasheet, 9.11.3, table 853", "inputs are disabled after reset", "read"),
    (
        "RP2040 Datasheet, Pin Specifications, table “Digital IO characteristics”",
        "levels at 4 mA, 50 mA for all pins, pull resistors of 50 to 80 kΩ",
        "quoted",
    ),
    ("RP2040 Datasheet, 1.4.3", "the functions of each pin", "quoted"),
    (
        "Raspberry Pi Pico Datasheet, 2.1 and 4.5, figure “The pinout”",
        "pin numbers, 300 mA from the 3.3 V pin",
        "quoted",
    ),
    ("Raspberry Pi Pico W and Pico 2 W Datasheets, 2.1", "the pins that the radio uses", "quoted"),
    (
        "TI SLIS032B (TPIC6B595), page 1",
        "150 mA, limit 500 mA, clamp 50 V, G high is dark",
        "read",
    ),
    (
        "TI SLIS032B (TPIC6B595), recommended operating conditions",
        "VIH 85 %, VIL 15 % of VCC",
        "quoted",
    ),
    (
        "TI SCLS264 (SN74AHCT125), absolute maximum ratings",
        "inputs tolerate 7 V without a supply",
        "read in SCLS508A, for the automotive version of this chip",
    ),
    (
        "TI SCLS264 (SN74AHCT125), electrical characteristics",
        "VIH 2 V, ΔICC 1.5 mA",
        "from memory",
    ),
    ("TI SLRS049 (ULN2803A)", "500 mA, input current", "from memory"),
    ("Traco Power TSR 1, Output Specifications", "±2 %, 470 µF at most", "read"),
    ("Recom R-78B-1.0, REV 4/2019", "470 µF at most", "read"),
    (
        "Infineon IPP80P03P4L-07, rev. 1.0",
        "-2 V threshold, gate limits of +5 and -16 V, made for protection against a reversed supply",
        "read",
    ),
    ("General Semiconductor SB520 to SB560", "5 A, 60 V", "read"),
    ("Taiwan Semiconductor P6KE6V8A, B1910", "6.45 to 7.14 V, 10.5 V at 57 A", "read"),
    ("TDK PS series, May 2011", "PS1720P02: no oscillator, pins 10 mm apart, 2 kHz", "read"),
    ("Omron D3V, model number legend", "D3V-01: gold contacts, 0.1 A", "read"),
    ("International Rectifier PD-97390 (IRLB8721PbF)", "30 V, 62 A, threshold 2.35 V", "read"),
    ("STMicroelectronics DocID1536 rev. 4 (ULN2803A)", "500 mA, 50 V, order codes", "read"),
    (
        "Littelfuse 218 series, June 2018",
        "fuses to IEC 60127-2, sheet 3: hold for an hour at 150 %, open within 2 minutes at 210 %",
        "read",
    ),
    ("Omron B3F, List of models", "B3F-1050: 6 x 6 mm, plunger for a cap", "read"),
    (
        "TI SCLS264O, Yageo CFR (April 2024), Kemet Goldmax X7R, Panasonic, Explanation of part numbers",
        "how part numbers are formed",
        "read",
    ),
    (
        "Eurocircuits, PCB Design Classification, 9-2018 V2, and “Copper and the board edge”, and JLCPCB, Capabilities",
        "the limits of board houses",
        "read",
    ),
    (
        "KiCad footprint library: R_Axial_DIN0207, LED_D5.0mm, TO-92_Inline_Wide, SW_PUSH_6mm",
        "holes and pads of the circuit board",
        "read",
    ),
    ("WS2812B, 2N3904, 1N5817, 1N4007, 1.5KE18A", "limits of these parts", "from memory"),
    (
        "IEC 61000-4-2, IEC 60757, IEC 60062",
        "electrostatic sparks, letters for colours, colour rings of resistors",
        "from memory",
    ),
]

TROUBLE = {
    "breadboard": [
        ("nothing works", "the USB cable only charges, or the Pico is not pushed in: see step 1"),
        ("one lamp is dark", "the LED is the wrong way round, or a leg is in the wrong strip"),
        (
            "a lamp glows dimly",
            "a leg touches its neighbour, or a column's wire is one strip too far to the left or right",
        ),
        ("the wrong row is lit", "two row wires are swapped at the Pico"),
        (
            "a button always seems pressed",
            "its wires are on two legs of the same pair: turn the button by 90 degrees",
        ),
        (
            "all lamps glow, even lamps that must be off",
            "check the four transistors and their wires first: the rows conduct all the time. `nimatron health` "
            "then shows `row:1:short`, or `row:all:open` for all four rows",
        ),
        (
            "one press sometimes counts twice",
            "the button bounces: raise `settle_ms`, for example `nimatron settings settle_ms 40`",
        ),
        (
            "more than 2 Ω between two blue rails",
            "a wire from step 1 is missing, or in a red rail: measure from 1-bottom3 to one rail after the other",
        ),
        (
            "a legend or the coin LED is dark",
            "the longer leg must be at the left, in the resistor's strip",
        ),
        ("no tone", "a leg of the buzzer or of its resistor is in the wrong strip"),
        ("every tone is the same beep", "the buzzer has a built-in oscillator: use one without"),
        ("a column is dark", "check its resistor, and the wire from the Pico to it"),
        (
            "a row is dark",
            "its transistor is the wrong way round, or its base resistor is missing",
        ),
        ("two lamps instead of one", "two column wires or two row wires touch"),
    ],
    "pixels": [
        (
            "all pixels are dark from one pixel on",
            "check DIN, DOUT, 5 V and 0 V of that pixel and of the previous one",
        ),
        (
            "all pixels are dark",
            "set `display` to `pixels`. Check that pin 1 of the level shifter is at 0 V",
        ),
        (
            "wrong colours, flicker",
            "the 0 V wire is too thin, or the data wire is longer than 50 cm",
        ),
    ],
    "exhibit": [
        ("one lamp is dark", "the lamp is the wrong way round, or its wire is loose"),
        ("a row and all rows after it are dark", "check SER IN and SER OUT between the registers"),
        (
            "all rows are dark",
            "set `display` to `shift`. Check clock, latch and enable, through U1 to all four registers",
        ),
        (
            "rows are shifted by one lamp",
            "noise on the clock: run a 0 V wire next to it, and put 100 nF at each chip",
        ),
        (
            "the coin never drops, and F2 is open",
            "the solenoid stayed on because Q2 is short-circuited: replace Q2 and F2",
        ),
    ],
}

PANEL = """\
The panel is a {width} x {height} mm sheet, {thick} thick. All dimensions are in
`wiring/nimatron_wiring/panel/dimensions.py`. `nimatron wiring --kit FOLDER` makes a DXF file for a laser or a drill, with the
centre of each hole, and artwork to print and glue on. The lamps are panel lamps for a 22 mm hole. Behind each sign are a
printed foil and its lamp, in a separate box so that no light strays. Break the edges of all holes with a file. Before
you cut, try a button and a lamp in holes of that size, and measure the loudspeaker and the coin chute: their screws are
not on the drawing.
"""
