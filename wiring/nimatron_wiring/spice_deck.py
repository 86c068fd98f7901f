"""A build as an input file (deck) for the circuit simulator ngspice, made from the netlist alone.

Each part becomes the lines for its kind in models.cir, and each net becomes a node. The caller
sets the Pico's pins, each a voltage source in series with the resistance of a pad.
"""

import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from nimatron_sim.errors import TierUnavailable
from nimatron_wiring import pico
from nimatron_wiring.current_budget import (
    AMPLIFIER_MILLIAMPS,
    CHIPS,
    IDLE_MILLIAMPS,
    lit_milliamps,
    quantity,
)
from nimatron_wiring.netlist import GROUND, PICO, Build, Part, Signal

COMMAND = "ngspice"
SECONDS = 600  # a timeout. A run takes less than a second, but the computer may be busy

_MODELS, *_sections = re.split(
    r"^= (.+) =\n", Path(__file__).with_name("models.cir").read_text("utf-8"), flags=re.M
)
_LINES = {
    kind: lines
    for kinds, lines in zip(_sections[::2], _sections[1::2], strict=True)
    for kind in kinds.split()
}
_FUSE_OHMS = {"T 2.5 A": 0.05, "T 200 mA": 1.5}  # resistance while cold (an estimate)
_FAILURES = ("singular matrix", "source stepping failed", "aborted", "no such vector")

# The states of a Pico pin.
HIGH, LOW, PULLED_UP, PULLED_DOWN = "high", "low", "pulled up", "pulled down"


@dataclass(frozen=True)
class Corner:
    """A case for a simulation, with parts that are more or less typical."""

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
        other signals are inputs, pulled up for a button and pulled down otherwise.
    closed: the roles of the pressed buttons.
    supply: the source at the inlet or at VBUS, or None if nothing is plugged in.
    v33: the 3.3 V source.
    usb: True if a USB cable supplies VSYS with 4.7 V.
    loud: True if the amplifier or the pixels take their largest current.
    pads: True if the pins have the diodes of the chip.
    more: lines to add.

    The sources VGP… measure the current out of each pin. The source V with a lamp's ref measures
    the current through the lamp.
    """
    nodes = {end: node(net.name) for net in build.nets for end in net.nodes}
    lines = [f"* {build.name}: {corner.name}", _MODELS, f"V3V3 {V33} 0 {v33}"]
    for part in build.parts:
        state = {
            "led": corner.led,
            "npn": corner.transistor,
            "contact": "0.1" if part.role in closed else "1G",
            "load": f"{_load(part.kind, loud):g}",
        }
        lines.append(_part(part, nodes, state))
        if part.kind == "inlet" and supply is not None:
            lines.append(f"VSUPPLY {nodes[part.ref, '+']} {nodes[part.ref, '-']} {supply}")
    for signal in build.signals:
        does = (pins or {}).get(signal.name, "")
        lines += _pin(signal, does, nodes[signal.node], corner, pads)
    for pin in ("VBUS", "VSYS"):
        if there := nodes.get((PICO, pin)):
            # the Pico's own current and the load on 3.3 V, or no current without a voltage
            amps = f"({pico.VSYS_MILLIAMPS / 1000:g} - I(V3V3)) * min(1, max(0, V({there})))"
            lines += [f"VVSYS {there} vsys_in 0", f"BVSYS vsys_in 0 I = {amps}"]
            if pin == "VBUS":
                lines.append(f"VSUPPLY {there} 0 {supply or 0}")
            elif usb:
                lines.append(f"VUSB {there} 0 4.7")
    return "\n".join([*lines, more, ""])


def _load(kind, loud):
    """Return the current that a part takes from its supply, in mA."""
    if kind == "chain":
        return IDLE_MILLIAMPS + loud * lit_milliamps()
    if kind == "amplifier":
        return AMPLIFIER_MILLIAMPS if loud else 10
    for_input, besides = CHIPS.get(kind, (0, 0))
    return for_input * 3 + besides


def _part(part: Part, nodes: Mapping, state: dict[str, str]) -> str:
    """Return the lines for a part. A pin without a net has a separate node."""
    known = state | {"ref": part.ref, "value": part.value}
    for unit in "VAFΩ":
        with suppress(ValueError):
            known[unit] = f"{quantity(part.value, unit):g}"
    if part.kind == "fuse":
        known["cold"] = f"{_FUSE_OHMS[part.value]:g}"

    def filled(found):
        name = found[1]
        return known.get(name) or nodes.get((part.ref, name)) or node(f"{part.ref} {name}")

    lines = _LINES[part.kind].splitlines(keepends=True)
    channel = "".join(line for line in lines if "#" in line)
    text = "".join(line for line in lines if "#" not in line)
    needed = re.findall(r"{([^{}]*#[^{}]*)}", channel)
    for number in "012345678" if channel else "":
        if all((part.ref, pin.replace("#", number)) in nodes for pin in needed):
            text += channel.replace("#", number)
    return re.sub(r"{(.+?)}", filled, text)


def _pin(signal: Signal, does: str, end: str, corner: Corner, pads: bool) -> list[str]:
    """Return the lines for a pin of the Pico that leads to the node `end`."""
    does = does or (PULLED_UP if signal.name.startswith("button ") else PULLED_DOWN)
    name = f"GP{signal.gpio}"
    lines = [f"V{name} {name}_pad {end} 0"]
    if pads:
        lines += [f"D{name}H {name}_pad {V33} PAD", f"D{name}L 0 {name}_pad PAD"]
    rails = {HIGH: V33, LOW: "0", PULLED_UP: V33, PULLED_DOWN: "0"}
    ohms = pico.PULL_UP_OHMS if does in (PULLED_UP, PULLED_DOWN) else corner.pad_ohms
    if does not in rails:
        lines.append(f"V{name}D {name}_d 0 {does}")
    return [*lines, f"R{name} {rails.get(does, f'{name}_d')} {name}_pad {ohms:g}"]


def run(deck: str, *analysis: str) -> dict[str, float]:
    """Run ngspice on a deck with `analysis`, lines in ngspice's control language.

    Return all values that ngspice prints and measures. Raises TierUnavailable if ngspice is
    missing, and RuntimeError if it fails.
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


def solved(deck: str) -> dict[str, float]:
    """Return all voltages and currents of a deck at rest: {"v(node)": V, "i(source)": A}."""
    found = run(deck, "op", "print all")
    branch = "#branch"
    return {
        f"i({name.removesuffix(branch)})" if name.endswith(branch) else f"v({name})": value
        for name, value in found.items()
    }
