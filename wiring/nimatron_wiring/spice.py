"""A build as an input file (deck) for the circuit simulator ngspice, made from the netlist alone.

Each part becomes a model, and each net becomes a node. The caller sets the Pico's pins: each is a
voltage source in series with the resistance of a pad. `run` returns all printed and measured
values.
"""

import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from nimatron_sim.errors import TierUnavailable
from nimatron_wiring import pico
from nimatron_wiring.budget import (
    AMPLIFIER_MILLIAMPS,
    CHIPS,
    IDLE_MILLIAMPS,
    lit_milliamps,
    quantity,
)
from nimatron_wiring.netlist import GROUND, PICO, Build, Part, Signal

COMMAND = "ngspice"
SECONDS = 600  # a timeout. A run takes less than a second, but the computer may be busy

# NPN is the model of the 2N3904 that Fairchild and onsemi published. WEAK is the same model with
# the lowest gain. All others are generic models that we fitted. The LEDs have 1.6 V at 3.6 mA (the
# lowest in common data sheets) and 1.9 V at 10 mA (typical). Each diode has its forward or
# breakdown voltage. The MOSFETs have the highest threshold and resistance in their data sheets.
MODELS = """\
.model NPN NPN(IS=6.734f XTI=3 EG=1.11 VAF=74.03 BF=416.4 NE=1.259 ISE=6.734f IKF=66.78m XTB=1.5
+ BR=.7371 NC=2 RC=1 CJC=3.638p MJC=.3085 VJC=.75 FC=.5 CJE=4.493p MJE=.2593 VJE=.75 TR=239.5n
+ TF=301.2p ITF=.4 VTF=4 XTF=2 RB=10)
.model WEAK NPN(IS=6.734f XTI=3 EG=1.11 VAF=74.03 BF=130 NE=1.259 ISE=6.734f IKF=66.78m
+ BR=.7371 NC=2 RC=1 CJC=3.638p MJC=.3085 VJC=.75 FC=.5 CJE=4.493p MJE=.2593 VJE=.75 TR=239.5n
+ TF=301.2p ITF=.4 VTF=4 XTF=2 RB=10)
.model LEDLOW D(IS=1e-20 N=1.52 RS=2 CJO=30p)
.model LEDUSUAL D(IS=1e-20 N=1.72 RS=3 CJO=30p)
.model D1N5817 D(IS=8u N=1.05 RS=0.09 BV=20 IBV=1m CJO=190p)
.model DSB560 D(IS=12u N=1.1 RS=0.04 BV=60 IBV=0.5m CJO=500p)
.model D1N4007 D(IS=7n RS=0.034 N=1.81 BV=1000 IBV=50n CJO=10p TT=5u)
.model D1_5KE18A D(IS=1f N=1 RS=0.1 BV=18 IBV=1m CJO=1.5n)
.model DP6KE6_8A D(IS=1f N=1 RS=0.059 BV=6.8 IBV=10m CJO=3.5n)
.model BODY D(IS=1n N=1.3 RS=0.1)
.model PAD D(IS=1e-14 N=1.05 RS=2)
.model IDEAL D(IS=1n N=0.02)
.model NMOS VDMOS(VTO=2.35 KP=60 RD=4m RS=2m RG=2 CGS=1n CGDMAX=0.6n CGDMIN=0.1n CJO=0.4n IS=1p
+ RB=3m BV=30 IBV=1m NBV=1 TT=20n)
.model OUTPUT SW(VT=0.5 RON=5 ROFF=1G)
.options cshunt=0.1p
"""
_DIODES = {
    "1N5817": "D1N5817",
    "SB560": "DSB560",
    "1N4007": "D1N4007",
    "1.5KE18A": "D1_5KE18A",
    "P6KE6.8A": "DP6KE6_8A",
}
_FUSE_OHMS = {"T 2.5 A": 0.05, "T 200 mA": 1.5}  # resistance while cold (an estimate)
_SIGNS = str.maketrans("+-", "PM")
_HENRY = 0.06  # inductance of the solenoid (an estimate)
_PIEZO = 20e-9  # farads (an estimate: we have not read the data sheet)

_FAILURES = ("singular matrix", "source stepping failed", "aborted", "no such vector")

# The states of a Pico pin.
HIGH, LOW, PULLED_UP, PULLED_DOWN = "high", "low", "pulled up", "pulled down"


@dataclass(frozen=True)
class Corner:
    """A case for a simulation: how far the parts are from typical."""

    name: str
    pad_ohms: float  # the resistance of a pin that is high or low
    led: str
    transistor: str


# A 4 mA pad loses 0.68 V of 3.3 V at 4 mA in the worst case (RP2040 Datasheet, VOH), which is
# 170 Ω. The typical value is 50 Ω.
BRIGHT = Corner("ideal pins, LEDs with the lowest voltage", 0.01, "LEDLOW", "NPN")
USUAL = Corner("typical", 50, "LEDUSUAL", "NPN")
DIM = Corner("weak pins, transistors with the lowest gain", 170, "LEDUSUAL", "WEAK")
CORNERS = (BRIGHT, USUAL, DIM)


def node(name: str) -> str:
    """Return the node of the net `name`."""
    if name == GROUND:
        return "0"
    return "n_" + re.sub(r"\W", lambda c: f"_{ord(c[0]):x}_", name.lower().replace(" ", "_"))


V33 = node("3V3")


def deck(
    build: Build,
    corner: Corner = USUAL,
    *,
    pins: Mapping[str, str] | None = None,
    closed: Iterable[str] = (),
    supply: str | None = None,
    v33: str = str(pico.IO_VOLTS),
    usb: bool = False,
    loud: bool = True,
    pads: bool = True,
    more: str = "",
) -> str:
    """Return the deck for a build, without an analysis.

    pins: {signal: HIGH, LOW, PULLED_UP, PULLED_DOWN, or a SPICE source such as "PULSE(…)"}. All
    other signals are inputs: pulled up for a button, pulled down otherwise. closed: the roles of
    the pressed buttons. supply: the source at the inlet or at VBUS, or None if nothing is plugged
    in. v33: the 3.3 V source. usb: a USB cable supplies VSYS with 4.7 V. loud: the amplifier or
    the pixels take their largest current. pads: the pins have the diodes of the chip. more: lines
    to add.

    The sources VGP… measure the current out of each pin. The source V with a lamp's ref measures
    the current through the lamp.
    """
    made = _Deck(build, corner, set(closed), loud, pads)
    lines = [f"* {build.name}: {corner.name}", MODELS, f"V3V3 {V33} 0 {v33}"]
    for part in build.parts:
        lines += made.part(part)
    for signal in build.signals:
        lines += made.pin(signal, (pins or {}).get(signal.name, ""))
    for part in build.parts:
        if part.kind == "inlet" and supply is not None:
            lines.append(f"VSUPPLY {made.at(part, '+')} {made.at(part, '-')} {supply}")
    if any((PICO, "VBUS") in net.nodes for net in build.nets):
        vbus = node(build.net_of((PICO, "VBUS")).name)
        milliamps = f"{pico.VSYS_MILLIAMPS / 1000:g} - I(V3V3)"
        lines += [f"VSUPPLY {vbus} 0 {supply or 0}"]
        lines += [f"BVSYS {vbus} 0 I = ({milliamps}) * min(1, max(0, V({vbus})))"]
    if any((PICO, "VSYS") in net.nodes for net in build.nets):
        vsys = node(build.net_of((PICO, "VSYS")).name)
        # the Pico's own current and the load on 3.3 V, or no current if VSYS has no voltage
        milliamps = f"{pico.VSYS_MILLIAMPS / 1000:g} - I(V3V3)"
        lines.append(f"VVSYS {vsys} vsys_in 0")
        lines.append(f"BVSYS vsys_in 0 I = ({milliamps}) * min(1, max(0, V({vsys})))")
        if usb:
            lines.append(f"VUSB {vsys} 0 4.7")
    return "\n".join([*lines, more, ""])


class _Deck:
    def __init__(self, build, corner, closed, loud, pads):
        self._build = build
        self._corner = corner
        self._closed = closed
        self._loud = loud
        self._pads = pads
        self._names = {end: node(net.name) for net in build.nets for end in net.nodes}

    def at(self, part: Part, pin: str) -> str:
        """Return the node of a pin. A pin without a net has a separate node."""
        return self._names.get((part.ref, pin)) or node(f"{part.ref} {pin}")

    def part(self, part: Part) -> list[str]:
        """Return the lines for a part."""
        made = getattr(self, f"_{part.kind.lower()}", None)
        if made is None:
            made = getattr(self, f"_chip_{part.kind.lower()}")
        return made(part)

    def _nothing(self, part):
        return []

    _rail = _pico = _supply = _inlet = _stud = _nothing

    def _resistor(self, part):
        return [self._two("R", part, "1", "2", f"{quantity(part.value, 'Ω'):g}")]

    def _two(self, letter, part, first, second, value):
        return f"{letter}{part.ref} {self.at(part, first)} {self.at(part, second)} {value}"

    def _pot(self, part):
        half = quantity(part.value, "Ω") / 2
        return [
            f"R{part.ref}A {self.at(part, '1')} {self.at(part, 'wiper')} {half:g}",
            f"R{part.ref}B {self.at(part, 'wiper')} {self.at(part, '2')} {half:g}",
        ]

    def _capacitor(self, part):
        return [self._two("C", part, "1", "2", f"{quantity(part.value, 'F'):g}")]

    def _electrolytic(self, part):
        return [self._two("C", part, "+", "-", f"{quantity(part.value, 'F'):g}")]

    def _piezo(self, part):
        return [self._two("C", part, "1", "2", f"{_PIEZO:g}")]

    def _meter(self, part, pin):
        """Return the line of a meter for the current into a part, and the node after the meter."""
        behind = f"{part.ref.lower()}_in"
        return f"V{part.ref} {self.at(part, pin)} {behind} 0", behind

    def _led(self, part):
        meter, anode = self._meter(part, "A")
        return [meter, f"D{part.ref} {anode} {self.at(part, 'C')} {self._corner.led}"]

    def _lamp(self, part):
        """Model a lamp as an LED, with a resistor for the rated current at the rated voltage."""
        meter, plus = self._meter(part, "+")
        ohms = (quantity(part.value, "V") - 2) / quantity(part.value, "A")
        return [
            meter,
            f"R{part.ref} {plus} {part.ref}_led {ohms:g}",
            f"D{part.ref} {part.ref}_led {self.at(part, '-')} LEDUSUAL",
        ]

    def _chain(self, part):
        """Model a chain of pixels as a constant current: each pixel has its own current source."""
        meter, plus = self._meter(part, "+")
        minus, milliamps = self.at(part, "-"), IDLE_MILLIAMPS + self._loud * lit_milliamps()
        return [
            meter,
            f"B{part.ref} {plus} {minus} I = {milliamps / 1000:g} * min(1, max(0, V({plus})))",
            f"R{part.ref}P {plus} {minus} 10k",
            f"R{part.ref}I {self.at(part, 'DIN')} {minus} 10Meg",
        ]

    def _solenoid(self, part):
        meter, plus = self._meter(part, "1")
        ohms = quantity(part.value, "V") / quantity(part.value, "A")
        return [
            meter,
            f"L{part.ref} {plus} {part.ref}_coil {_HENRY:g}",
            f"R{part.ref} {part.ref}_coil {self.at(part, '2')} {ohms:g}",
        ]

    def _diode(self, part):
        return [self._two("D", part, "A", "K", _DIODES[part.value])]

    _tvs = _diode

    def _npn(self, part):
        ends = " ".join(self.at(part, pin) for pin in "CBE")
        return [f"Q{part.ref} {ends} {self._corner.transistor}"]

    def _mosfet(self, part):
        ends = " ".join(self.at(part, pin) for pin in "DGS")
        return [f"M{part.ref} {ends} NMOS"]

    def _tactile(self, part):
        return [self._two("R", part, "1", "2", "0.1" if part.role in self._closed else "1G")]

    _arcade = _tactile

    def _switch(self, part):
        return [self._two("R", part, "1", "2", "0.02")]

    def _fuse(self, part):
        return [self._two("R", part, "1", "2", f"{_FUSE_OHMS[part.value]:g}")]

    def _speaker(self, part):
        return [self._two("R", part, "+", "-", f"{quantity(part.value, 'Ω'):g}")]

    def _regulator(self, part):
        """Model a regulator: 5 V from 6.5 V at its input, less below. Its efficiency is 85 %."""
        vin, out, inside = self.at(part, "VIN"), self.at(part, "VOUT"), f"{part.ref}_5v"
        return [
            f"B{part.ref} {inside} 0 V = min(5, max(0, V({vin}) - 1.5))",
            f"V{part.ref} {inside} {inside}m 0",
            f"D{part.ref} {inside}m {out} IDEAL",
            f"B{part.ref}I {vin} 0 I = I(V{part.ref}) * 5 / 0.85 / max(V({vin}), 5)",
        ]

    def _amplifier(self, part):
        milliamps = AMPLIFIER_MILLIAMPS if self._loud else 10
        return [
            f"R{part.ref} {self.at(part, 'VIN')} 0 {5000 / milliamps:g}",
            f"R{part.ref}I {self.at(part, 'A+')} 0 10k",
            f"R{part.ref}O {self.at(part, 'OUT+')} 0 1k",
            *(
                f"D{part.ref}{n} {low} {high} BODY"  # of the output transistors
                for out in ("OUT+", "OUT-")
                for n, low, high in (
                    (f"{out[-1]}H".translate(_SIGNS), self.at(part, out), self.at(part, "VIN")),
                    (f"{out[-1]}L".translate(_SIGNS), "0", self.at(part, out)),
                )
            ),
        ]

    def _chip_74ahct125(self, part):
        vcc, lines = self.at(part, "VCC"), self._takes(part)
        for gate in range(1, 5):
            enabled = self._names.get((part.ref, f"{gate}OE")) == "0"
            if enabled:
                a, y, inside = (
                    self.at(part, f"{gate}A"),
                    self.at(part, f"{gate}Y"),
                    f"{part.ref}_{gate}",
                )
                high = f"(1 + tanh(50 * (V({a}) - 1.4))) / 2"  # the threshold is 1.4 V
                lines.append(f"B{inside} {inside} 0 V = V({vcc}) * {high}")
                lines.append(f"R{inside} {inside} {y} 40")
        return lines

    def _takes(self, part):
        for_input, besides = CHIPS[part.kind]
        milliamps = for_input * 3 + besides
        return [f"R{part.ref} {self.at(part, 'VCC')} 0 {5000 / milliamps:g}"]

    def _chip_tpic6b595(self, part):
        """Model a register that holds ones, as it may after power-on. The outputs conduct if the
        supply is over 2 V, unless G is at or above the lowest voltage that is certainly high."""
        vcc, enable, control = self.at(part, "VCC"), self.at(part, "G"), f"{part.ref}_on"
        lines = [
            *self._takes(part),
            f"B{part.ref} {control} 0 V = (V({enable}) < 0.85*V({vcc})) && (V({vcc}) > 2) ? 1 : 0",
        ]
        for pin in ("SER_IN", "SRCK", "RCK", "G"):
            end = self.at(part, pin)
            lines += [f"C{part.ref}{pin} {end} 0 15p", f"R{part.ref}{pin} {end} 0 10Meg"]
        for output in range(8):
            if (part.ref, f"DRAIN{output}") in self._names:
                drain = self.at(part, f"DRAIN{output}")
                lines.append(f"S{part.ref}{output} {drain} 0 {control} 0 OUTPUT")
        return lines

    def _chip_uln2803a(self, part):
        lines = []
        for n in range(1, 9):
            if (part.ref, f"{n}C") in self._names:
                name, out = f"{part.ref}{n}", self.at(part, f"{n}C")
                lines += [
                    f"R{name}A {self.at(part, f'{n}B')} {name}b 2.7k",
                    f"Q{name}A {out} {name}b {name}c NPN",
                    f"R{name}B {name}b {name}c 7.2k",
                    f"Q{name}B {out} {name}c 0 NPN",
                    f"R{name}C {name}c 0 3k",
                ]
        return lines

    def pin(self, signal: Signal, does: str) -> list[str]:
        """Return the lines for a pin of the Pico."""
        if not does:
            does = PULLED_UP if signal.name.startswith("button ") else PULLED_DOWN
        name = f"GP{signal.gpio}"
        end = node(self._build.net_of(signal.node).name)
        lines = [f"V{name} {name}_pad {end} 0"]
        if self._pads:
            lines += [f"D{name}H {name}_pad {V33} PAD", f"D{name}L 0 {name}_pad PAD"]
        pull, drive = f"{pico.PULL_UP_OHMS:g}", f"{self._corner.pad_ohms:g}"
        if does == PULLED_UP:
            return [*lines, f"R{name} {V33} {name}_pad {pull}"]
        if does == PULLED_DOWN:
            return [*lines, f"R{name} {name}_pad 0 {pull}"]
        if does in (HIGH, LOW):
            return [*lines, f"R{name} {V33 if does == HIGH else '0'} {name}_pad {drive}"]
        return [*lines, f"V{name}D {name}_d 0 {does}", f"R{name} {name}_d {name}_pad {drive}"]


def run(deck: str, *analysis: str) -> dict[str, float]:
    """Run ngspice on a deck, and return all values that it prints and measures.

    analysis: lines in ngspice's control language. Raise TierUnavailable without ngspice, and
    RuntimeError if ngspice fails.
    """
    command = shutil.which(COMMAND)
    if not command:
        raise TierUnavailable(
            "ngspice is not on the PATH. To install it on Debian: apt install ngspice"
        )
    text = "\n".join([deck, ".control", "set numdgt=6", *analysis, ".endc", ".end", ""])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "deck.cir"
        path.write_text(text)
        done = subprocess.run(
            [command, "-b", str(path)], capture_output=True, text=True, timeout=SECONDS
        )
    told = done.stdout + done.stderr
    found = re.findall(r"^(\S+) += +([-+]?\d\S*)", done.stdout, re.MULTILINE)
    if not found or any(words in told for words in _FAILURES):
        raise RuntimeError(f"{COMMAND} found no solution: {told[-2000:]}")
    return {name: float(value) for name, value in found}
