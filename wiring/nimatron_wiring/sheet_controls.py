"""The second sheet of each build: the Pico, and everything that is not on the first sheet."""

from nimatron_wiring import symbols
from nimatron_wiring.netlist import GROUND, PICO, Build
from nimatron_wiring.sheet import DOWN, LEFT, RIGHT, UP, Sheet, shift

SUPPLIED = "buttons, legends, sounder, coin and supply"
ASIDE = ("resistor", "capacitor", "tvs")  # kinds of parts that do not end a strand


def tabletop(build: Build, lamps: Sheet) -> Sheet:
    """Draw the buttons at the left of the Pico, and the signs and the sounder at its right."""
    supplied = bool(build.by_role("supply"))
    sheet = Sheet(
        build,
        SUPPLIED if supplied else "buttons, legends, sounder and coin",
        30,
        26 if supplied else 20.4,
    )
    top = sheet.height - 4
    inputs, outputs = _signals(build)
    places = {pin: (LEFT, top - 2.1 * n) for n, (_, pin) in enumerate(inputs)}
    places |= {pin: (RIGHT, top - 2.1 * n) for n, (_, pin) in enumerate(outputs)}
    low = top - 2.1 * len(inputs)
    for n, pin in enumerate(_supply_pins(sheet, lamps)):
        places[pin] = (LEFT, low - 1.2 * n)
    symbols.pico(sheet, ((9.5, low - 1.8), (20, top + 1.8)), places)
    for pin, (side, _) in places.items():
        strand(sheet, (PICO, pin), side)
    if supplied:
        power(sheet, lamps, 4.6)
    return sheet


def exhibit(build: Build, lamps: Sheet) -> Sheet:
    """Draw the buttons at the left of the Pico, the drivers at its right, the supply below."""
    sheet = Sheet(build, SUPPLIED, 46, 31)
    inputs, outputs = _signals(build)
    legends, (sounder, coin) = outputs[:-2], outputs[-2:]
    places = {pin: (LEFT, 27 - 2.9 * n) for n, (_, pin) in enumerate(inputs)}
    places |= {pin: (RIGHT, 27 - 2.1 * n) for n, (_, pin) in enumerate(legends)}
    places |= {sounder[1]: (RIGHT, 17.2), coin[1]: (RIGHT, 9.2)}
    for n, pin in enumerate(_supply_pins(sheet, lamps)):
        places[pin] = (LEFT, 9.4 - 1.2 * n)
    symbols.pico(sheet, ((15.4, 6.2), (24.9, 28.8)), places)
    drivers(sheet, legends)
    amplifier(sheet, sounder)
    for pin, (side, _) in places.items():
        if (PICO, pin) not in (*legends, sounder):
            strand(sheet, (PICO, pin), side)
    power(sheet, lamps, 4.6)
    return sheet


def _signals(build):
    """Return the Pico's pins for the buttons, and its output pins."""
    panel = ("button", "legend", "sounder", "coin")
    nodes = [s.node for s in build.signals if s.name.startswith(panel)]
    inputs = [s.node for s in build.signals if s.name.startswith("button")]
    return inputs, [node for node in nodes if node not in inputs]


def _supply_pins(sheet, lamps):
    """Return the Pico's pins that are not signals and not on the other sheet."""
    signals = [signal.node for signal in sheet.build.signals]
    nodes = [(PICO, pin) for pin in reversed(sheet.wired(PICO))]
    return [node[1] for node in nodes if node not in signals and node not in lamps.pins]


def strand(sheet, node, way):
    """Draw the parts from a pin to the rail where the strand ends. Parts in the strand are drawn
    in line. Parts that lead from the strand to a rail go up or down."""
    while not sheet.rail(node):
        beside = sheet.undrawn(node)
        hanging = [
            n for n in beside if len(sheet.wired(n[0])) == 2 and sheet.rail(sheet.across(n))
        ]
        onward = [n for n in beside if n not in hanging] or [
            n for n in hanging if sheet.build.part(n[0]).kind not in ASIDE
        ]
        point = sheet.pins[node]
        for other in hanging:
            if other not in onward:
                wide = (
                    sheet.build.part(other[0]).kind == "tvs"
                )  # the value of a suppressor diode is long
                point = sheet.wire(point, shift(point, way, 2.2 if wide else 1.4))
                hang(sheet, other, point)
        (ahead,) = onward
        start = sheet.wire(point, shift(point, way, 1.5 if hanging else 1))
        if sheet.build.part(ahead[0]).kind == "pmos":
            node, gate = symbols.across(sheet, ahead[0], start)
            sheet.label(gate, DOWN)
            continue
        if sheet.build.part(ahead[0]).kind in symbols.TRANSISTORS:
            coil(sheet, ahead[0], start)
            return
        node = symbols.between(sheet, ahead, start, shift(start, way, 2))
    sheet.label(node, way, sheet.wire(sheet.pins[node], shift(sheet.pins[node], way, 0.3)))


def hang(sheet, node, point):
    """Draw a part that leads from a strand to a rail: down to ground, up to any other rail."""
    way = DOWN if sheet.rail(sheet.across(node)) == GROUND else UP
    far = symbols.between(sheet, node, point, shift(point, way, 1.6))
    sheet.label(far, way)


def coil(sheet, ref, point):
    """Draw a transistor that switches a coil, and its flyback diode."""
    drain, source = symbols.transistor(sheet, ref, point)
    sheet.label(source, DOWN)
    (coil,) = (
        node for node in sheet.undrawn(drain) if sheet.build.part(node[0]).kind == "solenoid"
    )
    (diode,) = (node for node in sheet.undrawn(drain) if node[0] != coil[0])
    x, y = sheet.pins[drain]
    left, right = (x + 1.6, y + 0.5), (x + 4.2, y + 0.5)
    sheet.wire((x, y), (x, left[1]), left)
    far = symbols.between(sheet, coil, left, right)
    over, end = shift(left, UP, 1.9), shift(right, UP, 1.9)
    cathode = symbols.between(sheet, diode, over, end)
    sheet.wire(left, over)
    sheet.wire(right, end)
    assert sheet.net[far] == sheet.net[cathode]
    strand(sheet, far, RIGHT)


def drivers(sheet, legends):
    """Draw a chip with a channel for each legend lamp."""
    channels = [node for legend in legends for node in sheet.undrawn(legend)]
    ref = channels[0][0]
    levels = [sheet.pins[legend][1] for legend in legends]
    outs = [(ref, pin.replace("B", "C")) for _, pin in channels]
    sides = {pin: (LEFT, y) for (_, pin), y in zip(channels, levels, strict=True)}
    sides |= {pin: (RIGHT, y) for (_, pin), y in zip(outs, levels, strict=True)}
    symbols.chip(sheet, ref, ((28, levels[-1] - 1.2), (32.5, levels[0] + 1.2)), sides)
    for legend, channel, out in zip(legends, channels, outs, strict=True):
        sheet.wire(sheet.pins[legend], sheet.pins[channel])
        strand(sheet, out, RIGHT)


def amplifier(sheet, pin):
    """Draw a volume control, an amplifier and a loudspeaker."""
    (series,) = sheet.undrawn(pin)
    x, y = sheet.wire(sheet.pins[pin], shift(sheet.pins[pin], RIGHT, 0.6))
    far = symbols.between(sheet, series, (x, y), (x + 2, y))
    (upper,) = sheet.undrawn(far)
    wiper, ground = symbols.pot(sheet, upper[0], (x + 4.2, y))
    sheet.wire(sheet.pins[far], sheet.pins[upper])
    sheet.label(ground, DOWN)
    start = sheet.pins[wiper]
    (block,) = sheet.undrawn(wiper)
    far = symbols.between(sheet, block, shift(start, RIGHT, 0.8), shift(start, RIGHT, 2.8))
    sheet.wire(start, sheet.pins[block])
    (ahead,) = sheet.undrawn(far)
    module = ahead[0]
    x, y = shift(sheet.pins[far], RIGHT, 0.6 + symbols.STUB)
    outputs = [pin for pin in sheet.wired(module) if pin.startswith("OUT")]
    sides = {ahead[1]: (LEFT, y)} | {pin: (RIGHT, y - 0.5 * n) for n, pin in enumerate(outputs)}
    symbols.chip(sheet, module, ((x, y - 1.6), (x + 5, y + 1.2)), sides)
    sheet.wire(sheet.pins[far], sheet.pins[ahead])
    inputs = [sheet.undrawn((module, pin))[0] for pin in outputs]
    symbols.speaker(sheet, inputs, shift(sheet.pins[module, outputs[0]], RIGHT, 0.5))
    for pin, end in zip(outputs, inputs, strict=True):
        sheet.wire(sheet.pins[module, pin], sheet.pins[end])


def power(sheet, lamps, y):
    """Draw the supply, and the parts between its rails. `y` is the height of the plus."""
    supply, inlet = sheet.build.by_role("supply")[:2]
    symbols.box(sheet, supply.ref, ((1, y - 1.4), (4, y + 0.7)), {})
    sheet.text((4.6, y - 1.9), "its plug", "middle", symbols.SMALL, symbols.GREY)
    sheet.line((4, y - 0.35), (5.2, y - 0.35))
    symbols.chip(sheet, inlet.ref, ((5.2, y - 1.4), (8.8, y + 0.7)), {"+": (RIGHT, y)})
    strand(sheet, (inlet.ref, "+"), RIGHT)
    drawn = {ref for ref, _ in (*lamps.pins, *sheet.pins)}
    x = sheet.labels[-1][1][0] + 3.2
    for part in sheet.build.parts:
        if part.ref in drawn or part.kind in ("rail", "supply"):
            continue
        if part.kind == "regulator":
            sides = {"VIN": (LEFT, y), "VOUT": (RIGHT, y)}
            symbols.chip(sheet, part.ref, ((x, y - 1.4), (x + 4, y + 0.7)), sides)
            for pin, (side, _) in sides.items():
                sheet.label((part.ref, pin), side)
            x += 7.2
        elif part.kind == "stud":
            symbols.stud(sheet, part.ref, (x, y))
            x += 3
        else:
            symbols.upright(sheet, part.ref, (x, y + 0.4))
            x += 4.4


LAYOUTS = {"matrix": tabletop, "pixels": tabletop, "shift": exhibit}
