"""The kinds of parts, with their descriptions and pins."""

from dataclasses import dataclass, field

from nimatron_wiring import pico


@dataclass(frozen=True)
class Kind:
    about: str
    pins: tuple[str, ...]
    watch: str = ""  # advice against a common mistake
    numbers: dict[str, int] = field(default_factory=dict)  # pin numbers, for a chip
    optional: tuple[str, ...] = ()  # pins that may stay unconnected
    low: tuple[str, ...] = ()  # pins that are active when low


def _chip(about, around, **more):
    """Return a kind of chip. `around` has the pin names from pin 1 on. NC pins are omitted."""
    names = around.split()
    numbers = {name: number for number, name in enumerate(names, 1) if name != "NC"}
    return Kind(about, tuple(numbers), numbers=numbers, **more)


def _two(about, first="1", second="2", **more):
    return Kind(about, (first, second), **more)


KINDS = {
    "pico": Kind(
        "Raspberry Pi Pico with its pins soldered",
        tuple(pico.NUMBERS),
        numbers=pico.NUMBERS,
        optional=tuple(pico.NUMBERS),
    ),
    "rail": Kind(
        "rail",
        ("rail",),
        "on a breadboard, a long strip at its edge. In a cabinet, a row of lever terminals or a "
        "bus bar",
    ),
    "resistor": _two("resistor"),
    "pot": Kind(
        "potentiometer, logarithmic",
        ("1", "wiper", "2"),
        "pin 1 is the end with no volume",
    ),
    "capacitor": _two("ceramic capacitor"),
    "electrolytic": _two(
        "electrolytic capacitor",
        "+",
        "-",
        watch="the stripe marks minus. The wrong way round, the capacitor bursts",
    ),
    "led": _two(
        "LED, 5 mm, red, high efficiency (1000 mcd or more at 20 mA)",
        "A",
        "C",
        watch="A is the longer leg. C is the shorter leg, at the flat side",
    ),
    "pixel": Kind(
        "WS2812B pixel",
        ("VDD", "DOUT", "VSS", "DIN"),
        "follow the arrow: data enters at DIN and leaves at DOUT. Pixels that are not on a strip "
        "need 100 nF each, from VDD to VSS",
        optional=("DOUT",),
    ),
    "npn": Kind(
        "NPN transistor",
        ("B", "C", "E"),
        "2N3904, flat side to you, legs down: E, B, C from the left",
    ),
    "mosfet": Kind(
        "N-channel MOSFET that conducts at 3.3 V",
        ("G", "D", "S"),
        "label to you, legs down: G, D, S from the left. The tab is D",
    ),
    "pmos": Kind(
        "P-channel MOSFET that conducts at 4.5 V",
        ("G", "D", "S"),
        watch="label to you, legs down: G, D, S from the left. D is at the fuse, S at the rail",
    ),
    "tactile": _two(
        "tactile switch",
        watch="the four legs are two pairs, each joined inside. Opposite corners are not joined",
    ),
    "arcade": _two(
        "arcade push button with microswitch",
        watch="1 is NO and 2 is COM of the microswitch. NC stays unconnected",
    ),
    "switch": _two("power switch, one pole"),
    "piezo": _two(
        "piezo buzzer without an oscillator",
        "1",
        "2",
        watch="it has no plus and minus. A buzzer that beeps on DC has an oscillator and "
        "plays only one tone",
    ),
    "lamp": _two(
        "LED indicator lamp with its resistor built in",
        "+",
        "-",
        watch="+ is red or marked",
    ),
    "solenoid": _two(
        "coin chute solenoid",
        "1",
        "2",
    ),
    "diode": _two(
        "diode",
        "A",
        "K",
        watch="K is the end with the ring",
    ),
    "tvs": _two(
        "suppressor diode, unidirectional",
        "A",
        "K",
        watch="K, the end with the ring, goes to plus: the diode clips spikes",
    ),
    "fuse": _two(
        "fuse 5 x 20 mm in a holder",
        watch="T means slow-blow. Never use a bigger fuse, and never use foil",
    ),
    "supply": Kind(
        "plug-in power supply, safety class II (the double square), SELV",
        (),  # the supply has a plug and no wires
        "the supply keeps mains voltage in its case. Its plug goes into J1. Do not cut its wires",
    ),
    "inlet": _two(
        "DC inlet 5.5 x 2.1 mm, for the panel, 5 A",
        "+",
        "-",
        watch="+ is the pin in the middle. Measure before you plug in",
    ),
    "regulator": Kind(
        "switching regulator module",
        ("VIN", "GND", "VOUT"),
    ),
    "amplifier": Kind(
        "audio amplifier module, class D, 2.5 W",
        ("A+", "A-", "SD", "VIN", "GND", "OUT+", "OUT-"),
        "OUT- is not ground: never connect it to 0 V",
        optional=("SD",),
    ),
    "speaker": _two("loudspeaker", "+", "-"),
    "stud": Kind(
        "earth stud on the metal panel, M4, with toothed washers",
        ("stud",),
    ),
    # TI SN74AHCT125 data sheet, SCLS264: pin functions
    "74AHCT125": _chip(
        "four buffers, 3.3 V in, 5 V out",
        "1OE 1A 1Y 2OE 2A 2Y GND 3Y 3A 3OE 4Y 4A 4OE VCC",
        watch="pin 1 is at the notch or dot",
        optional=("2Y", "3Y", "4Y"),
        low=("1OE", "2OE", "3OE", "4OE"),
    ),
    # TI TPIC6B595 data sheet, SLIS032B: pin functions
    "TPIC6B595": _chip(
        "8 bit shift register with power outputs, 150 mA each",
        "NC VCC SER_IN DRAIN0 DRAIN1 DRAIN2 DRAIN3 SRCLR G GND GND.2 RCK SRCK DRAIN4 DRAIN5 "
        "DRAIN6 DRAIN7 SER_OUT GND.3 NC",
        watch="pins 10, 11 and 19 are all ground. Pins 1 and 20 stay unconnected",
        optional=("DRAIN7", "SER_OUT"),
        low=("SRCLR", "G"),
    ),
    # TI ULN2803A data sheet, SLRS049: pin functions
    "ULN2803A": _chip(
        "eight Darlington switches, 500 mA each",
        "1B 2B 3B 4B 5B 6B 7B 8B GND COM 8C 7C 6C 5C 4C 3C 2C 1C",
        watch="pin 10 (COM) goes to 12 V. Pin 9 is ground",
        optional=tuple(f"{n}{end}" for n in range(5, 9) for end in "BC"),
    ),
}
