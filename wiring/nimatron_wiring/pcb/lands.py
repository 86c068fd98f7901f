"""The holes, pads and outline for each kind of part, in mm from its first pin, y downwards."""

from dataclasses import dataclass
from math import cos, radians, sin

from nimatron_wiring.breadboard.footprints import FOOTPRINTS

PITCH = 2.54

Point = tuple[float, float]
Stroke = tuple[Point, ...]  # a line from point to point


@dataclass(frozen=True)
class Land:
    """The holes, pads and outline for a kind of part. `leg` is the largest width of a leg: for a
    square leg, its diagonal."""

    package: str
    pins: tuple[tuple[str, float, float], ...]
    leg: float
    hole: float
    pad: float
    middle: Point  # the centre of the body
    size: tuple[float, float]  # the width and height of the body
    outline: tuple[Stroke, ...]
    tall: int  # parts with a lower number are flatter and soldered first


def arc(x: float, y: float, radius: float, start: float, end: float) -> Stroke:
    """Return an arc as a stroke. Angles are in degrees, clockwise from the right."""
    steps = max(2, round(abs(end - start) / 12))
    angles = [radians(start + (end - start) * step / steps) for step in range(steps + 1)]
    return tuple((x + radius * cos(a), y + radius * sin(a)) for a in angles)


def box(left: float, top: float, right: float, bottom: float) -> Stroke:
    return ((left, top), (right, top), (right, bottom), (left, bottom), (left, top))


def _as_plugged(kind):
    """Return the pins of a part whose legs are as far apart as on a breadboard."""
    return tuple((pin, x * PITCH, y * PITCH) for pin, x, y in FOOTPRINTS[kind].legs)


def _pico():
    """Return the land for the Pico in its sockets. The Pico is 51 x 21 mm, its pins are 0.64 mm
    square, and its USB socket projects by 1.3 mm (Raspberry Pi Pico Datasheet, “Mechanical
    specification”)."""
    left, top, right, bottom = -1.37, -19.39, 49.63, 1.61
    outline = (box(left, top, right, bottom), box(left, -12.79, left + 5.6, -4.99))
    middle = (left + right) / 2, (top + bottom) / 2
    pins = _as_plugged("pico")
    return Land("two sockets 1x20, 2.54 mm", pins, 0.91, 1.0, 1.7, middle, (51, 21), outline, 2)


def _resistor():
    """Return the land for a resistor, from KiCad's
    R_Axial_DIN0207_L6.3mm_D2.5mm_P10.16mm_Horizontal. The legs of a Yageo MFR-25 are 0.6 mm."""
    outline = (
        box(1.93, -1.25, 8.23, 1.25),
        ((1.1, 0), (1.93, 0)),
        ((8.23, 0), (9.06, 0)),
    )
    pins = _as_plugged("resistor")
    return Land("axial, 10.16 mm", pins, 0.65, 0.8, 1.6, (5.08, 0), (6.3, 2.5), outline, 0)


def _led():
    """Return the land for an LED, from KiCad's LED_D5.0mm. The flat side is at C."""
    rim, flat = 2.9, 32
    outline = arc(1.27, 0, rim, 180 + flat, 540 - flat)
    return Land(
        "5 mm, 2.54 mm",
        _as_plugged("led"),
        0.71,
        0.9,
        1.7,
        (1.27, 0),
        (5.8, 5.8),
        ((*outline, outline[0]),),
        3,
    )


def _npn():
    """Return the land for a transistor, from KiCad's TO-92_Inline_Wide. The flat side is at the
    bottom. The outline stops at the pads."""
    left = arc(2.54, 0, 2.6, 152, 135)
    right = arc(2.54, 0, 2.6, 45, 28)
    return Land(
        "TO-92, legs bent to 2.54 mm",
        _as_plugged("npn"),
        0.6,
        0.8,
        1.5,
        (2.54, -0.3),
        (5.2, 4.5),
        (arc(2.54, 0, 2.6, 208, 332), (*left, *right)),
        1,
    )


def _tactile():
    """Return the land for an Omron B3F button, from KiCad's SW_PUSH_6mm. The legs of a pin are
    6.5 mm apart, and the pins are 4.5 mm apart."""
    pins = (("1", 0.0, 0.0), ("1", 6.5, 0.0), ("2", 0.0, 4.5), ("2", 6.5, 4.5))
    outline = (
        ((1.2, -0.85), (5.3, -0.85)),
        ((1.2, 5.35), (5.3, 5.35)),
        ((0.15, 1.2), (0.15, 3.3)),
        ((6.35, 1.2), (6.35, 3.3)),
        arc(3.25, 2.25, 1.75, 0, 360),
    )
    return Land("6 x 6 mm", pins, 0.76, 1.1, 1.8, (3.25, 2.25), (6, 6), outline, 1)


def _piezo():
    """Return the land for a TDK PS1720P02 buzzer (PS series, May 2011). It is 17 mm wide, and its
    pins are 10 mm apart."""
    pins = (("1", 0.0, 0.0), ("2", 10.0, 0.0))
    outline = (arc(5, 0, 8.5, 0, 360),)
    return Land("17 mm, 10 mm", pins, 0.8, 1.0, 1.7, (5, 0), (17, 17), outline, 3)


LANDS = {
    "pico": _pico(),
    "resistor": _resistor(),
    "led": _led(),
    "npn": _npn(),
    "tactile": _tactile(),
    "piezo": _piezo(),
}
