"""Drawings of the circuit that plays Nim, as SVG. Their lines are the contacts of the netlist."""

from nimatron_relays.nimatron_1940 import COLUMNS, ROWS, circuit

EXAMPLE = (3, 4, 6, 5)  # lamps in each row
# The drawing omits the contacts that have current only in a lost position or in a damaged machine.
_OMITTED = {("seek14", "seek21"), ("seek24", "seek41"), ("lost", "seek11")}
_STYLE = """
text { font: 14px system-ui, sans-serif; fill: #3a2410; text-anchor: middle }
.up { fill: none; stroke: #8a6a3a; stroke-width: 2 }
.down { fill: none; stroke: #8a6a3a; stroke-width: 2; stroke-dasharray: 5 5 }
.light { stroke: #ffb53c; stroke-width: 8; stroke-linecap: round; fill: none }
.coil { fill: #fbe7bd; stroke: #b98a3c; stroke-width: 2 }
circle { fill: #3a2410 }
"""


def parity():
    """The chain of change-overs that adds up column 4."""
    places = {"+": (60, 60), "sum4": (660, 110)}
    for row in ROWS[:-1]:
        places |= {f"even4{row}": (60 + 150 * row, 60), f"odd4{row}": (60 + 150 * row, 160)}
    texts = [(150 * row - 15, 28, _state(f"B{row}4")) for row in ROWS]
    texts += [(22, 65, "even"), (22, 165, "odd"), (700, 115, "SUM4")]
    return _drawing("The sum of column 4", 740, 190, places, "+", texts)


def choice():
    """The search for a row with a lamp in the highest odd column."""
    heights = dict(zip(COLUMNS, (60, 150, 240), strict=True))
    places = {"decide": (60, 60), "decide2": (60, 150), "decide1": (60, 240), "lost": (60, 330)}
    places |= {f"seek{n}{row}": (60 + 140 * row, heights[n]) for n in COLUMNS for row in ROWS}
    places |= {f"choose{row}": (120 + 140 * row, 330) for row in ROWS}
    texts = [(x, y + 38, f"ROW{row}") for row in ROWS for x, y in [places[f"choose{row}"]]]
    texts += [(130, heights[n] - 12, _state(f"SUM{n}")) for n in COLUMNS] + [(60, 368, "LOST")]
    for n in COLUMNS:
        texts += [(62 + 140 * row, heights[n] - 12, _state(f"B{row}{n}")) for row in ROWS]
    return _drawing("The choice of the row", 740, 385, places, "decide", texts)


def _raised():
    """The relays that are up in the example."""
    up = {
        f"B{row}{n}"
        for row, lamps in zip(ROWS, EXAMPLE, strict=True)
        for n in COLUMNS
        if lamps & n
    }
    return up | {f"SUM{n}" for n in COLUMNS if sum(f"B{row}{n}" in up for row in ROWS) % 2}


def _state(relay):
    return f"{relay} {'↑' if relay in _raised() else '↓'}"


def _drawing(title, width, height, places, source, texts):
    """Draw the contacts between these places: solid if a raised armature closes them."""
    edges = [edge for edge in circuit().edges() if set(edge[2:]) <= set(places)]
    edges = [edge for edge in edges if edge[2:] not in _OMITTED]
    live, lines = {source}, []
    for _ in edges:
        for relay, up, a, b in edges:
            if (relay in _raised()) == up and live & {a, b}:
                live |= {a, b}
    for closed in (True, False):
        for relay, up, a, b in edges:
            kind = "light" if closed else "up" if up else "down"
            if not closed or ((relay in _raised()) == up and live >= {a, b}):
                (x, y), (to_x, to_y) = places[a], places[b]
                lines.append(f'<path class="{kind}" d="M{x} {y}L{to_x} {to_y}"/>')
    lines += [f'<circle cx="{x}" cy="{y}" r="4"/>' for x, y in places.values()]
    lines += [f'<text x="{x}" y="{y}">{text}</text>' for x, y, text in texts]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img">\n<title>{title}</title>\n'
        f'<style>{_STYLE}</style>\n<rect width="100%" height="100%" rx="12" fill="#fdf8ee"/>\n'
        + "\n".join(lines)
        + "\n</svg>\n"
    )
