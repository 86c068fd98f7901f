"""The diagrams of the site, as SVG: boxes on a grid, and arrows between them."""

from xml.sax.saxutils import escape

import relay_drawings

CELL_W, CELL_H, BOX_W, BOX_H, EDGE = 190, 92, 158, 56, 16
_STYLE = """
text { font: 14px system-ui, sans-serif; fill: #3a2410; text-anchor: middle }
.small { font-size: 12px; fill: #6b5138 }
.box { fill: #fff; stroke: #b98a3c; stroke-width: 1.5 }
.main { fill: #fbe7bd; stroke: #b98a3c; stroke-width: 2 }
.arrow { fill: none; stroke: #8a6a3a; stroke-width: 1.5; marker-end: url(#head) }
"""


class Diagram:
    """A drawing with boxes at (column, row), which may be fractions."""

    def __init__(self, columns, rows, title):
        self._width = int(columns * CELL_W + 2 * EDGE)
        self._height = int(rows * CELL_H + 2 * EDGE)
        self._title = title
        self._parts = []

    def box(self, column, row, name, about="", main=False, columns=1):
        x = EDGE + column * CELL_W + (CELL_W - BOX_W) / 2
        y = EDGE + row * CELL_H + (CELL_H - BOX_H) / 2
        width = BOX_W + (columns - 1) * CELL_W
        style = "main" if main else "box"
        middle = x + width / 2
        self._parts.append(
            f'<rect class="{style}" x="{x:g}" y="{y:g}" width="{width:g}" '
            f'height="{BOX_H}" rx="8"/>'
        )
        name_y = y + (24 if about else BOX_H / 2 + 5)
        self._parts.append(f'<text x="{middle:g}" y="{name_y:g}">{escape(name)}</text>')
        if about:
            self._parts.append(
                f'<text class="small" x="{middle:g}" y="{y + 43:g}">{escape(about)}</text>'
            )

    def arrow(self, start, end):
        """Draw an arrow from the box of the cell `start` to the box of the cell `end`."""
        ends = []
        for (x, y), (to_x, to_y), gap in ((start, end, 2), (end, start, 7)):
            across, down = to_x - x, to_y - y
            at_x, at_y = EDGE + (x + 0.5) * CELL_W, EDGE + (y + 0.5) * CELL_H
            if across:
                at_x += (BOX_W / 2 + gap) * (1 if across > 0 else -1)
            else:
                at_y += (BOX_H / 2 + gap) * (1 if down > 0 else -1)
            ends.append(f"{at_x:g} {at_y:g}")
        self._parts.append(f'<path class="arrow" d="M{ends[0]} L{ends[1]}"/>')

    def svg(self):
        size = f'width="{self._width}" height="{self._height}"'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} '
            f'viewBox="0 0 {self._width} {self._height}" role="img">\n'
            f"<title>{escape(self._title)}</title>\n<style>{_STYLE}</style>\n"
            '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" '
            'markerHeight="8" orient="auto"><path d="M0 0 L8 4 L0 8 z" fill="#8a6a3a"/>'
            "</marker></defs>\n"
            f'<rect width="{self._width}" height="{self._height}" rx="12" fill="#fdf8ee"/>\n'
            + "\n".join(self._parts)
            + "\n</svg>\n"
        )


def backends():
    drawing = Diagram(5, 3.2, "The same firmware on five backends, with one trace")
    drawing.box(0, 0.1, "firmware/", "the same files on each", main=True, columns=5)
    for column, (name, about) in enumerate(
        (
            ("sim", "CPython, simulated"),
            ("vm", "MicroPython VM"),
            ("web", "WebAssembly"),
            ("emulator", ".uf2 on rp2040py"),
            ("rp2040js", ".uf2 on rp2040js"),
        )
    ):
        drawing.arrow((column, 0.1), (column, 1.1))
        drawing.box(column, 1.1, name, about)
        drawing.arrow((column, 1.1), (column, 2.1))
    drawing.box(0, 2.1, "trace", "the same changes, compared by the tests", columns=5)
    return drawing.svg()


def house():
    drawing = Diagram(5, 4, "The packages: imports point down")
    drawing.box(0, 0, "host", "the command nimatron", columns=4)
    drawing.box(4, 0, "wiring", "pages, drawings")
    drawing.box(0, 1, "nimatron_play", "the visitor's view")
    drawing.box(2, 1, "nimatron_sim", "backends, trace")
    drawing.box(1, 2, "nimatron_relays", "the circuit of 1940")
    drawing.box(3, 2, "pico_testbench", "a Pico for any firmware")
    drawing.box(0, 3, "firmware", "rules, devices, the show", main=True, columns=5)
    for start, end in (
        ((0, 0), (0, 1)),
        ((1, 0), (1, 2)),
        ((2, 0), (2, 1)),
        ((3, 0), (3, 2)),
        ((2, 1), (1, 2)),
        ((2, 1), (3, 2)),
        ((0, 1), (0, 3)),
        ((1, 2), (1, 3)),
        ((2, 1), (2, 3)),
        ((4, 0), (4, 3)),
    ):
        drawing.arrow(start, end)
    return drawing.svg()


def press():
    drawing = Diagram(4, 2.2, "The life of a press, from the contact to the lamp")
    upper = (
        ("contact", "bounces"),
        ("buttons.py", "debounces"),
        ("requests.py", "one queue"),
        (
            "exhibit.py",
            "takes the request",
        ),
    )
    lower = (
        ("lamps", "2,500 frames a second"),
        ("DMA and PIO", "without the CPU"),
        (
            "picture",
            "four words of memory",
        ),
        ("game", "generates options"),
    )
    for row, names in ((0.1, upper), (1.1, lower)):
        for column, (name, about) in enumerate(names):
            drawing.box(column, row, name, about, main=name in ("contact", "lamps"))
            if column:
                pair = (column - 1, row), (column, row)
                drawing.arrow(*(pair if row < 1 else pair[::-1]))
    drawing.arrow((3, 0.1), (3, 1.1))
    return drawing.svg()


def fleet():
    drawing = Diagram(4, 3, "Exhibits, their bridge, the broker, and its readers")
    for row, (name, about) in enumerate(
        (("cabinet", "on a USB cable"), ("cabinet", "rfc2217://HOST:PORT"), ("kiosk", "--mqtt"))
    ):
        drawing.box(0, row, name, about)
    drawing.box(1, 0.5, "bridge", "nimatron fleet")
    drawing.box(2, 1, "broker", "Mosquitto", main=True)
    for row, (name, about) in enumerate(
        (
            ("Node-RED", "your own rules"),
            ("Home Assistant", "automatically"),
            ("your programs", "any MQTT client"),
        )
    ):
        drawing.box(3, row, name, about)
    for start, end in (
        ((0, 0), (1, 0.5)),
        ((0, 1), (1, 0.5)),
        ((1, 0.5), (2, 1)),
        ((0, 2), (2, 1)),
        ((2, 1), (3, 0)),
        ((2, 1), (3, 1)),
        ((2, 1), (3, 2)),
    ):
        drawing.arrow(start, end)
    return drawing.svg()


ALL = backends, fleet, house, press, relay_drawings.parity, relay_drawings.choice


def write(folder):
    """Write all diagrams into a folder."""
    for draw in ALL:
        (folder / f"{draw.__name__}.svg").write_text(draw(), encoding="utf-8")
