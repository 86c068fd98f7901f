"""The kinds of parts: what each is, its pins, and possible replacements."""

from dataclasses import dataclass, field

from nimatron_wiring import pico


@dataclass(frozen=True)
class Kind:
    about: str
    pins: tuple[str, ...]
    instead: str = ""  # what may replace it
    watch: str = ""  # what is easy to get wrong
    numbers: dict[str, int] = field(default_factory=dict)  # pin numbers, for a chip
    optional: tuple[str, ...] = ()  # pins that may stay free


def _chip(about, around, **more):
    """A chip with its pin names from pin 1 on; NC pins are left out."""
    names = around.split()
    numbers = {name: number for number, name in enumerate(names, 1) if name != "NC"}
    return Kind(about, tuple(numbers), numbers=numbers, **more)


def _two(about, first="1", second="2", **more):
    return Kind(about, (first, second), **more)


KINDS = {
    "pico": Kind(
        "Raspberry Pi Pico with its pins soldered",
        tuple(pico.NUMBERS),
        "Pico H, W, WH, 2 or 2 W: [all of them fit](README.md#which-picos-fit)",
        numbers=pico.NUMBERS,
        optional=tuple(pico.NUMBERS),
    ),
    "rail": Kind(
        "rail",
        ("rail",),
        "on a breadboard its long side strips; in a cabinet a row of lever terminals or a bus bar",
    ),
    "resistor": _two(
        "resistor", instead="1 % or 0.5 W types; two in series that add up to the value"
    ),
    "pot": Kind(
        "potentiometer, logarithmic",
        ("1", "wiper", "2"),
        "linear works, too, but crowds the volume at one end",
        "pin 1 is the end with no volume",
    ),
    "capacitor": _two("ceramic capacitor", instead="film, same value"),
    "electrolytic": _two(
        "electrolytic capacitor",
        "+",
        "-",
        instead="more capacity, higher voltage",
        watch="the stripe is minus; the wrong way round it bursts",
    ),
    "led": _two(
        "LED, 5 mm, red, high efficiency (1000 mcd or more at 20 mA)",
        "A",
        "C",
        instead="yellow or amber, any size. Green, blue and white need more voltage than is left",
        watch="A is the longer leg; C the shorter one, at the flat side",
    ),
    "pixel": Kind(
        "WS2812B pixel",
        ("VDD", "DOUT", "VSS", "DIN"),
        "SK6812 (RGB), or pixels cut from a 5 V strip of 30 per metre, whose capacitors are on it",
        "follow the arrow: data enters at DIN, leaves at DOUT. Single pixels, off a strip, need "
        "100 nF each, from VDD to VSS",
        optional=("DOUT",),
    ),
    "npn": Kind(
        "NPN transistor",
        ("B", "C", "E"),
        "BC337-40, BC547B or PN2222A: look up their legs, the order differs",
        "2N3904, flat side to you, legs down: E, B, C from the left",
    ),
    "mosfet": Kind(
        "N-channel MOSFET that conducts at 3.3 V",
        ("G", "D", "S"),
        "one with a gate threshold of at most 2.5 V, 30 V or more, 2 A or more. Not IRF540 or "
        "IRFZ44N: they need 10 V and burn at 3.3 V",
        "label to you, legs down: G, D, S from the left; the tab is D",
    ),
    "tactile": _two(
        "tactile switch, with a cap",
        instead="any push button that closes while pressed",
        watch="its four legs are two pairs: use two legs at opposite corners",
    ),
    "arcade": _two(
        "arcade push button with microswitch",
        instead="any push button that closes while pressed",
        watch="1 is NO and 2 is COM of the microswitch; NC stays free",
    ),
    "switch": _two("power switch, one pole", instead="key switch"),
    "piezo": _two(
        "piezo disc, passive",
        "1",
        "2",
        instead="passive piezo buzzer; not an active one, which has only one tone",
    ),
    "lamp": _two(
        "LED indicator lamp with its resistor built in",
        "+",
        "-",
        instead="filament lamp 12 V up to 1.2 W (100 mA), with supply and fuse F1 for 5 A",
        watch="+ is red or marked; a filament lamp has no + and -",
    ),
    "solenoid": _two(
        "coin chute solenoid",
        "1",
        "2",
        instead="12 V, at most 0.5 A; for others, choose F2 to match",
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
        watch="K, the ring, goes to plus: it clips spikes, and blows F1 if the supply is reversed",
    ),
    "fuse": _two(
        "fuse 5 x 20 mm in a holder", watch="T means slow-blow. Never a bigger one, never foil"
    ),
    "supply": _two(
        "plug-in power supply, safety class II (the double square), SELV",
        "+",
        "-",
        instead="a higher current at the same voltage",
        watch="mains voltage stays inside it",
    ),
    "inlet": _two(
        "DC inlet 5.5 x 2.1 mm, for the panel, 5 A",
        "+",
        "-",
        instead="lever terminals",
        watch="+ is the pin in the middle; measure before you plug in",
    ),
    "regulator": Kind(
        "switching regulator module",
        ("VIN", "GND", "VOUT"),
        "TSR 1-2450, or any 12 V to 5 V buck module for 1 A. Not a 7805: it would burn off 5 W",
    ),
    "amplifier": Kind(
        "audio amplifier module, class D, 2.5 W",
        ("A+", "A-", "SD", "VIN", "GND", "OUT+", "OUT-"),
        "LM386 module at 5 V: quieter; its OUT- is 0 V",
        "OUT- is not ground: never connect it to 0 V",
        optional=("SD",),
    ),
    "speaker": _two("loudspeaker", "+", "-", instead="4 Ω: louder, with the same module"),
    "stud": Kind(
        "earth stud on the metal panel, M4, with toothed washers",
        ("stud",),
        "not needed if the cabinet is all wood and plastic",
    ),
    # TI SN74AHCT125 data sheet, SCLS264: pin functions
    "74AHCT125": _chip(
        "four buffers, 3.3 V in, 5 V out",
        "1OE 1A 1Y 2OE 2A 2Y GND 3Y 3A 3OE 4Y 4A 4OE VCC",
        instead="74HCT125. Not 74HC125: at 5 V it does not take 3.3 V for high",
        watch="pin 1 is at the notch or dot",
        optional=("2Y", "3Y", "4Y"),
    ),
    # TI TPIC6B595 data sheet, SLIS032B: pin functions
    "TPIC6B595": _chip(
        "8 bit shift register with power outputs, 150 mA each",
        "NC VCC SER_IN DRAIN0 DRAIN1 DRAIN2 DRAIN3 SRCLR G GND GND.2 RCK SRCK DRAIN4 DRAIN5 "
        "DRAIN6 DRAIN7 SER_OUT GND.3 NC",
        instead="74HC595 at 3.3 V and ULN2803A behind it, for each row; see the page",
        watch="pins 10, 11 and 19 are ground, all three; pins 1 and 20 stay free",
        optional=("DRAIN7", "SER_OUT"),
    ),
    # TI ULN2803A data sheet, SLRS049: pin functions
    "ULN2803A": _chip(
        "eight Darlington switches, 500 mA each",
        "1B 2B 3B 4B 5B 6B 7B 8B GND COM 8C 7C 6C 5C 4C 3C 2C 1C",
        instead="TBD62083A: the same pins, less heat",
        watch="pin 10, COM, goes to 12 V, pin 9 is ground",
        optional=tuple(f"{n}{end}" for n in range(5, 9) for end in "BC"),
    ),
}
