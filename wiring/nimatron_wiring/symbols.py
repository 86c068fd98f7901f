"""The schematic symbol for each kind of part, with its text."""

from itertools import pairwise

from schemdraw import elements

from nimatron_wiring.kinds import KINDS
from nimatron_wiring.netlist import GROUND, PICO
from nimatron_wiring.sheet import DOWN, GREY, LEFT, LETTERS, RIGHT, UP, shift

# The symbol for each kind of part with two pins, from the first pin to the second.
TWO_PINS = {
    "resistor": elements.ResistorIEC,
    "capacitor": elements.Capacitor,
    "electrolytic": elements.Capacitor2,
    "led": elements.LED,
    "diode": elements.Diode,
    "tvs": elements.Zener,
    "tactile": elements.Button,
    "arcade": elements.Button,
    "switch": elements.Switch,
    "fuse": elements.FuseIEC,
    "piezo": elements.Crystal,
    "lamp": elements.Lamp2,
    "solenoid": elements.Inductor2,
}
HALF = 0.25  # distance from the centre line of a body to its edge. REACH has the exceptions
REACH = {"lamp": 0.5, "electrolytic": 0.35}
GAP = 0.15  # distance between a body and its words
TRANSISTORS = {"npn": elements.BjtNpn, "mosfet": elements.NMos, "pmos": elements.PMos}
ANCHORS = {
    "pmos": {"G": "gate", "D": "drain", "S": "source"},
    "npn": {"B": "base", "C": "collector", "E": "emitter"},
    "mosfet": {"G": "gate", "D": "drain", "S": "source"},
}
# The rotation of a lying transistor, and its pins at the left, at the right, and up or down.
LYING = {"npn": (270, "E", "C", "B"), "pmos": (90, "D", "S", "G")}
STUB = 0.6  # length of a pin of a box
SMALL, TINY = 9.5, 9.2


def words(sheet, ref, point, anchor="start"):
    """Write a part's name, and its value below unless the key of the sheet has the value."""
    sheet.text(point, ref, anchor)
    if ref not in sheet.keyed:
        sheet.text(shift(point, DOWN, 0.4), sheet.build.part(ref).value, anchor, SMALL, GREY)


def between(sheet, node, a, b):
    """Draw a two-pin part with `node` at `a` and the other pin at `b`. Return the other pin."""
    ref, pin = node
    part, far = sheet.build.part(ref), sheet.across(node)
    first, second = KINDS[part.kind].pins
    at = {pin: a, far[1]: b}
    start, end = at[first], at[second]
    symbol = elements.Schottky() if "Schottky" in part.rating else TWO_PINS[part.kind]()
    if end[0] < start[0] or end[1] < start[1]:
        symbol.flip()  # so that arrows and button caps are above the part, or at its left
    sheet.symbol(symbol.endpoints(start, end), ref, {first: "start", second: "end"})
    x, y = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
    reach = REACH.get(part.kind, HALF)
    if a[1] == b[1]:
        words(sheet, ref, (x, y - reach - 0.38), "middle")
    else:
        words(sheet, ref, (x + reach + GAP, y + 0.06))
    if first == "+":
        _plus(sheet, start, end)
    return far


def _plus(sheet, start, end):
    """Draw a plus at the first pin: above a horizontal part, or to the left of an upright part."""
    x, y = start
    if y == end[1]:
        sheet.text((x + 0.1, y + 0.1) if x < end[0] else (x - 0.4, y + 0.1), "+")
    else:
        sheet.text((x - 0.1, y - 0.35 if y > end[1] else y + 0.1), "+", "end")


def upright(sheet, ref, top, length=2.0):
    """Draw an upright part with its plus up, and the names of the rails at both ends."""
    first, second = ((ref, pin) for pin in sheet.wired(ref))
    high, low = (second, first) if sheet.rail(first) == GROUND else (first, second)
    between(sheet, high, top, shift(top, DOWN, length))
    sheet.label(high, UP)
    sheet.label(low, DOWN)
    part = sheet.build.part(ref)
    x, y = top[0] + REACH.get(part.kind, HALF) + GAP, top[1] - length / 2 - 0.74
    sheet.text((x, y), part.role, size=SMALL, colour=GREY)


def stud(sheet, ref, point):
    """Draw an earth stud, which joins 0 V to the metal panel."""
    symbol = elements.GroundChassis().theta(0).at(shift(point, RIGHT, 1.6))
    sheet.symbol(symbol, ref, {"stud": "start"})
    sheet.wire(point, sheet.pins[ref, "stud"])
    sheet.label((ref, "stud"), LEFT, point)
    words(sheet, ref, shift(point, RIGHT, 1.9))


def transistor(sheet, ref, point):
    """Draw a transistor with its base at `point`. Return its collector and its emitter."""
    kind = sheet.build.part(ref).kind
    base, collector, emitter = ANCHORS[kind]
    symbol = TRANSISTORS[kind]().theta(0).anchor(ANCHORS[kind][base]).at(point)
    sheet.symbol(symbol, ref, ANCHORS[kind])
    (x, y), (right, top), (_, bottom) = (sheet.pins[ref, pin] for pin in ANCHORS[kind])
    words(sheet, ref, (right + 0.2, (top + bottom) / 2 + 0.1))
    for pin, spot in (
        (base, (x + 0.05, y + 0.12)),
        (collector, (right + 0.08, top - 0.25)),
        (emitter, (right + 0.08, bottom + 0.02)),
    ):
        sheet.text(spot, pin, "start", TINY, GREY)
    return (ref, collector), (ref, emitter)


def across(sheet, ref, point):
    """Draw a transistor that lies on a wire from the left. Return the pin at its right and its
    control pin, which is up or down."""
    kind = sheet.build.part(ref).kind
    turn, into, out, control = LYING[kind]
    symbol = TRANSISTORS[kind]().theta(turn).anchor(ANCHORS[kind][into]).at(point)
    if kind == "pmos":
        symbol.flip()  # so that the drain is at the left
    sheet.symbol(symbol, ref, ANCHORS[kind])
    (x, y), (middle, end) = sheet.pins[ref, out], sheet.pins[ref, control]
    words(sheet, ref, (middle, y + 0.95 if end < y else y - 0.55), "middle")
    sheet.text((middle + 0.12, end + (0.02 if end < y else -0.3)), control, "start", TINY, GREY)
    sheet.text((point[0] - 0.05, y + 0.12), into, "end", TINY, GREY)
    sheet.text((x + 0.08, y + 0.12), out, "start", TINY, GREY)
    return (ref, out), (ref, control)


def pot(sheet, ref, top):
    """Draw a potentiometer with its second end up. Return its wiper and its lower end."""
    anchors = {"2": "start", "1": "end", "wiper": "tap"}
    symbol = elements.PotentiometerIEC().endpoints(top, shift(top, DOWN, 2.2))
    sheet.symbol(symbol, ref, anchors)
    words(sheet, ref, shift(shift(top, DOWN, 1.05), LEFT, 0.45), "end")
    for pin, down in (("2", 0.45), ("1", 1.95)):
        sheet.text(shift(shift(top, DOWN, down), LEFT, 0.12), pin, "end", TINY, GREY)
    return (ref, "wiper"), (ref, "1")


def speaker(sheet, ends, upper):
    """Draw a loudspeaker, with its upper end at `upper`."""
    ref = ends[0][0]
    anchors = dict(zip((pin for _, pin in ends), ("in1", "in2"), strict=True))
    sheet.symbol(elements.Speaker().theta(0).at(upper), ref, anchors)
    words(sheet, ref, shift(upper, RIGHT, 1.2))


def box(sheet, ref, corners, pins, title=None, buffers=()):
    """Draw a part as a box. `pins` is {pin: (side, position along the side)}. The words are at
    `title`. `buffers` has the outputs of the buffers in the box, opposite their inputs."""
    part = sheet.build.part(ref)
    (left, bottom), (right, top) = corners
    sheet.box(ref, *corners)
    words(sheet, ref, title or ((left + right) / 2, (top + bottom) / 2 + 0.1), "middle")
    for pin, (side, along) in pins.items():
        number = str(KINDS[part.kind].numbers.get(pin, ""))
        name, low = pin.split(".")[0], pin in KINDS[part.kind].low
        if side in (LEFT, RIGHT):
            edge = x, y = (left if side == LEFT else right), along
            raised = 0.08 if pin in buffers or pin.replace("A", "Y") in buffers else -0.12
            anchor = "start" if side == LEFT else "end"
            sheet.text((x - 0.12 * side[0], y + raised), name, anchor, SMALL, bar=low)
            sheet.text((x + STUB / 2 * side[0], y + 0.1), number, "middle", TINY, GREY)
        else:
            edge = x, y = along, (top if side == UP else bottom)
            above = y - 0.42 if side == UP else y + 0.12
            sheet.text((x, above), name, "middle", SMALL, bar=low)
            sheet.text((x + 0.1, y + 0.2 if side == UP else y - 0.42), number, "start", TINY, GREY)
        sheet.line(edge, shift(edge, side, STUB))
        sheet.pin(ref, pin, shift(edge, side, STUB))
    for pin in buffers:
        triangle(sheet, left, right, pins[pin][1])


def triangle(sheet, left, right, y):
    """Draw a buffer between the sides of a box."""
    back, tip = (left + right) / 2 - 0.3, (left + right) / 2 + 0.3
    sheet.line((left, y), (back, y))
    sheet.line((tip, y), (right, y))
    for a, b in pairwise([(back, y - 0.26), (back, y + 0.26), (tip, y), (back, y - 0.26)]):
        sheet.line(a, b)


def pico(sheet, corners, places):
    """Draw the Pico with the pins in `places`: {pin: (side, position along the side)}."""
    (left, _), (right, top) = corners
    box(sheet, PICO, corners, places, title=((left + right) / 2, top - 0.6))
    for signal in sheet.build.signals:
        if signal.node in sheet.pins:
            side, y = places[signal.node[1]]
            x = left + 1.6 if side == LEFT else right - 1.6
            anchor = "start" if side == LEFT else "end"
            sheet.text((x, y - 0.12), signal.name, anchor, SMALL, GREY)
            x, y = shift(sheet.pins[signal.node], side, 0.06)
            anchor = "end" if side == LEFT else "start"
            sheet.text((x, y + 0.12), LETTERS[signal.colour], anchor, TINY, GREY)
    used = [s.colour for s in sheet.build.signals if s.node in sheet.pins]
    told = ", ".join(f"{LETTERS[colour]} {colour}" for colour in dict.fromkeys(used))
    sheet.text((3.2, 0.6), f"wires: {told}", size=SMALL, colour=GREY)


def chip(sheet, ref, corners, sides, title=None, high=UP, buffers=()):
    """Draw a part as a box with the pins in `sides`, {pin: (side, position along the side)}. Other
    pins on rails go to the bottom (0 V) or to the `high` side."""
    (left, _), (right, _) = corners
    others = [pin for pin in sheet.wired(ref) if pin not in sides]
    ends = {pin: DOWN if sheet.rail((ref, pin)) == GROUND else high for pin in others}
    for side in (UP, DOWN):
        pins = [pin for pin in ends if ends[pin] == side]
        for n, pin in enumerate(pins):
            sides = sides | {pin: (side, left + (right - left) * (n + 0.5) / len(pins))}
    box(sheet, ref, corners, sides, title, buffers)
    for pin, side in ends.items():
        sheet.label((ref, pin), side)
