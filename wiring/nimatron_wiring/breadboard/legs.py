"""A picture of the Pico's pins, and of the legs of each part."""

from nimatron_wiring import pico
from nimatron_wiring.breadboard.footprints import rings
from nimatron_wiring.breadboard.picture import RINGS, printed
from nimatron_wiring.kinds import KINDS
from nimatron_wiring.netlist import PICO, Build
from nimatron_wiring.svg import INK, Canvas

ABOUT = "The pins of the Pico, the legs of each part, and the colour rings of the resistors"
GREY = "#777777"
_WIDTH, _HEIGHT = 71, {"matrix": 28, "shift": 33}
_LEFT, _RIGHT, _TOP = 13, 20, 2.4  # x of the Pico's two rows of pins, and y of its pin 1
_BESIDE, _WORDS = 42, 47  # x of the other parts, and x of their captions


def file_name(build: Build) -> str:
    return f"{build.name}-legs.svg"


def legs(build: Build) -> bytes:
    """Return the picture as an SVG file."""
    title = f"Nimatron {build.title.lower()}: pins and legs"
    canvas = Canvas(title, f"{ABOUT}.", (0, 0, _WIDTH, _HEIGHT[build.display]))
    _pico(canvas, build)
    y = 1.4
    resistors = dict.fromkeys((part.value, part.rating) for part in build.of_kind("resistor"))
    for value, rating in resistors:
        y = _resistor(canvas, y, value, rings(value, rating))
    drawn = {"led": _led, "npn": _npn, "tactile": _tactile, "diode": _diode}
    for kind, draw in (drawn | {"regulator": _upright, "mosfet": _upright}).items():
        for part in build.of_kind(kind)[:1]:
            y = draw(canvas, y, part)
    return canvas.svg()


def _pico(canvas, build):
    used = {signal.node[1]: signal.name for signal in build.signals}
    used |= {
        pin: build.part(net.name).value
        for net in build.nets
        for ref, pin in net.nodes
        if ref == PICO and pin not in used and net.name in {part.ref for part in build.parts}
    }
    canvas.box(
        _LEFT - 0.63, _TOP - 0.54, _RIGHT + 0.63, _TOP + 19.54, "#2f7d4f", "#1d5233", 0.3, 0.5
    )
    middle = (_LEFT + _RIGHT) / 2
    canvas.box(middle - 1.5, _TOP - 1.3, middle + 1.5, _TOP + 0.9, "#c9ccd0", GREY, 0.2, 0.3)
    canvas.text(middle, _TOP - 0.2, "USB")
    for pin, number in pico.NUMBERS.items():
        left = number <= 20
        x, y = (_LEFT, _TOP + number - 1) if left else (_RIGHT, _TOP + 40 - number)
        canvas.circle(x, y, 0.34, "#e8c65a", "#7a6520", 0.15)
        side = -1 if left else 1
        inner, outer = ("start", "end") if left else ("end", "start")
        canvas.text(x - side * 0.6, y, str(number), inner, "#ffffff")
        name = printed(pin)
        words = [used[pin], name] if pin in used else [name]
        told = " · ".join(words if left else words[::-1])
        canvas.text(x + side * 0.9, y, told, outer, INK if pin in used else "#9a9a9a")


def _resistor(canvas, y, value, bands):
    canvas.line([(_BESIDE - 3.4, y), (_BESIDE + 3.4, y)], "#9a9a9a", 0.7)
    canvas.box(_BESIDE - 2, y - 0.6, _BESIDE + 2, y + 0.6, "#e2c69a", "#8d6f3f", 0.2, 1)
    share = (-1.45, -0.7, 0.05, 1.35) if len(bands) == 4 else (-1.55, -0.95, -0.35, 0.25, 1.45)
    for at, colour in zip(share, bands, strict=True):
        canvas.box(_BESIDE + at - 0.2, y - 0.6, _BESIDE + at + 0.2, y + 0.6, RINGS[colour])
    canvas.text(_WORDS, y - 0.5, value, "start", bold=True)
    canvas.text(_WORDS, y + 0.55, ", ".join(bands), "start")
    return y + 2.9


def _caption(canvas, y, name, *lines):
    canvas.text(_WORDS, y, name, "start", bold=True)
    for n, line in enumerate(lines, 1):
        canvas.text(_WORDS, y + 1.1 * n, line, "start")


def _led(canvas, y, part):
    x = _BESIDE
    canvas.box(x - 1, y - 0.2, x + 1, y + 1.6, "#ff9a8c", "#a8281c", 0.3, 2.5)
    canvas.box(x - 1.05, y + 1.5, x + 1.25, y + 1.9, "#ff9a8c", "#a8281c", 0.3)
    canvas.line([(x - 0.5, y + 1.9), (x - 0.5, y + 4.2)], GREY, 0.6)
    canvas.line([(x + 0.5, y + 1.9), (x + 0.5, y + 5.2)], GREY, 0.6)
    canvas.text(x - 1.1, y + 3.9, "C")
    canvas.text(x + 1.2, y + 4.9, "A")
    _caption(canvas, y + 1.0, "LED", "C: shorter leg, flat side of the rim", "A: longer leg")
    return y + 6.4


def _npn(canvas, y, part):
    x = _BESIDE
    canvas.box(x - 1, y, x + 1, y + 1.9, "#4a4a4a", "#000000", 0.3, 0.2)
    for n, pin in enumerate("EBC"):
        at = x + (n - 1) * 1.0
        canvas.line([(x + (n - 1) * 0.55, y + 1.9), (at, y + 2.6), (at, y + 4.2)], GREY, 0.6)
        canvas.text(at, y + 4.9, pin)
    lines = "flat side with the label towards you:", "E, B, C from left to right"
    _caption(canvas, y + 1.0, part.value, *lines)
    return y + 6.4


def _diode(canvas, y, part):
    x = _BESIDE
    canvas.line([(x - 3.4, y + 0.5), (x + 3.4, y + 0.5)], "#9a9a9a", 0.7)
    canvas.box(x - 1.4, y - 0.1, x + 1.4, y + 1.1, "#2b2b2b", "#000000", 0.2, 0.2)
    canvas.box(x + 0.7, y - 0.1, x + 1.1, y + 1.1, "#e4e4e4")
    for at, pin in ((x - 3.4, "A"), (x + 3.4, "K")):
        canvas.text(at, y + 1.9, pin)
    _caption(canvas, y, "Diode or suppressor diode", "K is at the ring")
    return y + 4


def _upright(canvas, y, part):
    """Draw a part with its label towards the reader and its three legs down."""
    x, pins = _BESIDE, KINDS[part.kind].pins
    canvas.box(x - 2, y, x + 2, y + 2.2, "#4a4a4a", "#000000", 0.3, 0.2)
    canvas.text(x, y + 1.1, "label", colour="#ffffff")
    for at, pin in zip((x - 3.2, x, x + 3.2), pins, strict=True):
        leg = x + (at - x) / 3.2
        canvas.line([(leg, y + 2.2), (leg, y + 4)], GREY, 0.6)
        canvas.text(at, y + 4.7, pin)
    lines = "label towards you, legs down:", f"{', '.join(pins)} from left to right"
    _caption(canvas, y + 1.0, f"{part.ref}, {part.value}", *lines)
    return y + 6.4


def _tactile(canvas, y, part):
    x, middle = _BESIDE, y + 1.6
    for side in (-1, 1):
        canvas.line([(x + side, middle - 1.5), (x + side, middle + 1.5)], GREY, 0.9)
    canvas.box(x - 1.2, middle - 1.2, x + 1.2, middle + 1.2, "#55585c", "#222222", 0.3, 0.3)
    for side in (-1, 1):
        ends = [(x + side * 0.95, middle - 1.1), (x + side * 0.95, middle + 1.1)]
        canvas.line(ends, "#f2f2f2", 0.35, stroke_dasharray="0.8 0.4")
    canvas.circle(x, middle, 0.8, "#dfe3e6", "#222222", 0.2)
    lines = (
        "a dashed line: two legs that are always",
        "joined (the meter beeps). A press joins",
        "one pair to the other",
    )
    _caption(canvas, middle - 1.2, "Button, from above", *lines)
    return y + 5
