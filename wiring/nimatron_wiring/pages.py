"""The pages of wiring/: for a person with a soldering iron."""

from collections.abc import Iterable, Sequence

from nimatron_wiring import prose, wokwi
from nimatron_wiring.budget import DROPS, BudgetRow, budget
from nimatron_wiring.builds import RAIL_NAMES
from nimatron_wiring.kinds import KINDS
from nimatron_wiring.netlist import PICO, Build
from nimatron_wiring.pico import NUMBERS, PICO_SOURCE, RP2040_SOURCE
from nimatron_wiring.steps import Step, spoken, steps

_MADE = "<!-- Made by `nimatron wiring` from firmware/nimatron/devices/pins.py: change that, not this. -->\n"


def files(builds: Sequence[Build], pictures: Iterable[str]) -> dict[str, bytes]:
    """Every page. pictures: the names of the drawings that there are."""
    pages = {f"{build.name}.md": _page(build, sorted(pictures)) for build in builds}
    return {name: text.encode() for name, text in {"README.md": _index(builds), **pages}.items()}


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(map(str, line)) + " |\n" for line in lines)


def _list(items: Iterable[str]) -> str:
    return "".join(f"- {item}\n" for item in items)


# The index


def _index(builds):
    return f"""\
{_MADE}
# Wiring

Everything here is made from the firmware's own pin map, so it cannot differ from what the firmware
does. Choose one of three builds, and follow its page from step 1 on; each step ends with a test.

{_table(["build", "what it is"], [[f"[{b.title}]({b.name}.md)", prose.ABOUT[b.name]] for b in builds])}
## Before you begin

- You need to solder, to tell a resistor's value, and to use a multimeter. You need not program.
- Wire with everything unplugged. Look twice, then plug in, then test, then go on.
- Wires have the colour of the step's table, or at least not the colour of another rail: black is
  0 V, orange 3.3 V, red 5 V, brown 12 V, and nothing else is.
- The Pico's pins take 3.3 V. Five volts on one of them destroy it.
- Touch something earthed before you touch a chip.

## The firmware

On a computer with `nimatron` (the README of the whole says how to get it), once:

    $ nimatron image --with-firmware {wokwi.FIRMWARE}

Hold BOOTSEL on the Pico, plug in its USB cable, let go, and copy `{wokwi.FIRMWARE}` onto the drive that
appears. It is MicroPython and Nimatron in one; settings and statistics on the Pico are erased. The
LED on the Pico then changes once a second. A Pico that already has MicroPython can also get the
firmware by `nimatron deploy`.

`nimatron check` tests the whole machine, `nimatron check --step 3` what step 3 of its page has wired.
What fails is named together with the page and the step to look at.

## Pins

Seen from above, USB socket up: pin 1 is at the top left, pin 20 at the bottom left, pin 21 at the
bottom right, pin 40 at the top right.

{_all_pins(builds)}
## Try it without soldering

[diagram.json](diagram.json) and [wokwi.toml](wokwi.toml) are the breadboard build for the simulator
[Wokwi](https://docs.wokwi.com/vscode/getting-started) in Visual Studio Code: put `{wokwi.FIRMWARE}` beside
them, open this folder, choose “Wokwi: Start Simulator”. Keys 1 to 4, Enter and N are the buttons.
Wokwi has no transistor: a NOT gate stands in for each, which does the same, row pin high to cathodes
low. Wokwi needs an account of yours; nothing here depends on it.

## Another pin

Change its number in `firmware/nimatron/devices/pins.py`, then

    $ nimatron wiring

which checks the map and writes this folder anew. `make test` fails until that is done.

## Sources

{RP2040_SOURCE}; its 1.4.3 for what a pin can do.
{PICO_SOURCE}; its figure “The pinout”. Data sheets of TPIC6B595 (TI SLIS032B),
ULN2803A (TI SLRS049), SN74AHCT125 (TI SCLS264), WS2812B (Worldsemi), 2N3904, 1N5817, IRLB8721.
IEC 60127-2 for fuses.
"""


def _all_pins(builds):
    used = {}
    for build in builds:
        for name in NUMBERS:
            used[build.name, name] = _use(build, name)
    names = [name for name in NUMBERS if any(used[build.name, name] for build in builds)]
    head = ["pin", "name", *(build.name for build in builds)]
    return _table(
        head,
        (
            [NUMBERS[name], name.split(".")[0], *(used[build.name, name] for build in builds)]
            for name in names
        ),
    )


def _use(build, pin):
    """What a pin of the Pico is for, "" if nothing."""
    for signal in build.signals:
        if signal.node == (PICO, pin):
            return signal.name
    names = [net.name for net in build.nets if (PICO, pin) in net.nodes]
    return " ".join(RAIL_NAMES.get(name, name) for name in names)


# A build


def _page(build, pictures):
    return f"""\
{_MADE}
# {build.title}

{prose.ABOUT[build.name]}

{_pictures(build, pictures)}## Safety

{_list(prose.SAFETY[build.name])}
## What to buy

{_materials(build)}
And: {"; ".join(prose.ALSO[build.name])}.

## Pins

{_pins(build)}
## Steps

Each table says which two points a wire joins. “Pico GP2 (pin 4)” is the pin marked GP2, the fourth of
the forty.

{"".join(_step(build, step) for step in steps(build))}\
{prose.CABLES if build.name == "exhibit" else ""}
## What flows where

At worst: everything lit that can be lit at once, full supply, the least voltage across each lamp. Each
line must stay below its limit, or `nimatron wiring` refuses to write this page.

{_budget(budget(build))}
{_sources(build)}
## If something is wrong

{_table(["what you see", "where to look"], prose.TROUBLE[build.name])}"""


def _pictures(build, pictures):
    told = {
        f"{build.name}.svg": f"Schematic of the lamps: {_lamps(build)}",
        f"{build.name}-controls.svg": "Schematic of buttons, legends, sounder, coin and power",
    }
    there = [name for name in told if name in pictures]
    return "".join(f"![{told[name]}]({name})\n\n" for name in there)


def _lamps(build):
    signals = [
        signal
        for signal in build.signals
        if signal.name.split(" ")[0] in ("row", "column", "shift", "pixels")
    ]
    return ", ".join(f"{signal.name} on GP{signal.gpio}" for signal in signals)


def _materials(build):
    groups: dict = {}
    for part in build.parts:
        if part.kind != "rail":
            groups.setdefault((part.kind, part.value, part.rating), []).append(part.ref)
    rows = []
    for (kind, value, rating), refs in groups.items():
        about = KINDS[kind]
        rows.append(
            [len(refs), about.about, value, rating, _refs(refs), about.instead, about.watch]
        )
    head = ["number", "part", "value", "rating", "called", "what may replace it", "mind"]
    return _table(head, rows)


def _refs(refs: Sequence[str]) -> str:
    """R1, R2, R3, R5 in few words: "R1 to R3, R5"."""
    runs: list[list[str]] = []
    for ref in refs:
        if runs and _next(runs[-1][-1]) == ref:
            runs[-1].append(ref)
        else:
            runs.append([ref])
    return ", ".join(run[0] if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs)


def _next(ref):
    prefix = ref.rstrip("0123456789")
    number = ref[len(prefix) :]
    return f"{prefix}{int(number) + 1}" if number else ""


def _pins(build):
    rows = [
        [
            signal.name,
            f"GP{signal.gpio}",
            NUMBERS[signal.node[1]],
            signal.colour,
            "; ".join(spoken(build, node) for node in build.neighbours(signal.node)),
        ]
        for signal in build.signals
    ]
    return _table(["signal", "GPIO", "pin", "wire", "goes to"], rows)


def _step(build, step: Step):
    do, test = prose.step(build.name, step.name, step.number)
    wires = _table(
        ["from", "to", "wire"],
        ([spoken(build, wire.start), spoken(build, wire.end), wire.colour] for wire in step.wires),
    )
    return f"""\
### Step {step.number}: {step.name}

{do}

Place {_placed(step)}.

{wires}
**Test.** {test}

"""


def _placed(step: Step):
    groups: dict = {}
    for part in step.parts:
        if part.kind == "rail":
            groups.setdefault(("rail", part.value), []).append("")
        else:
            groups.setdefault((part.kind, part.value), []).append(part.ref)
    told = []
    for (kind, value), refs in groups.items():
        name = KINDS[kind].about.split(",")[0]
        if kind == "rail":
            told.append(f"the {value} rail")
        elif kind == "pico":
            told.append("the Pico")
        else:
            told.append(f"{_refs(refs)} ({name}, {value})" if value != name else _refs(refs))
    return _and(told) + _roles(step)


def _roles(step):
    """Who is who, where several parts of a kind serve different things."""
    named = [part for part in step.parts if part.kind in ("tactile", "arcade", "led", "lamp")]
    if step.name not in ("buttons", "legends"):
        return ", lamps from left to right" if step.name.startswith("row ") else ""
    return ": " + ", ".join(
        f"{part.ref} is {part.role.split(' ', 1)[1].upper()}" for part in named
    )


def _and(items):
    return " and ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)


def _budget(rows: Sequence[BudgetRow]):
    return _table(
        ["what", "how", "at worst", "limit", "who says so"],
        (
            [row.what, row.how, f"{row.milliamps:.1f} mA", f"{row.limit:g} mA", row.source]
            for row in rows
        ),
    )


def _sources(build):
    there = {part.kind for part in build.parts}
    told = [
        f"{KINDS[kind].about.split(',')[0]}: {drop:g} V ({why})"
        for kind, (drop, why) in DROPS.items()
        if kind in there and why
    ]
    return "Voltages that were reckoned with: " + "; ".join(told) + ".\n"
