"""SVG drawings of tables, legible at a width of 80 mm. All lengths are in millimetres."""

from collections.abc import Iterator
from itertools import permutations
from xml.sax.saxutils import escape

from nimatron.games.wythoff import Wythoff
from nimatron_host.theory.table import Table

WIDTH = 80
_LEFT, _RIGHT, _TOP, _BOTTOM = 9, 3, 13, 9
_LETTER = 2.6  # height of the letters, about seven points
_TICKS = 6
_GOLDEN = (1 + 5**0.5) / 2
_INK, _RULE, _SHADE = "#222", "#bbb", "#9a3412"
_GRID = _TOP + WIDTH - _LEFT - _RIGHT + _BOTTOM  # height of a drawing with a grid
_CELLS = 16  # the most cells of a grid in each direction


def svg(table: Table) -> str:
    """Return the drawing of a table. Raises ValueError if the table cannot be drawn."""
    if table.heaps == 1 and not table.misere:
        parts, height = _values(table), 60
    elif table.heaps == 2:
        parts, height = _pairs(table), WIDTH
    elif table.heaps == 3 and table.most < _CELLS:
        parts, height = _triples(table), _GRID
    else:
        raise ValueError(
            "a drawing is of the Grundy values of one heap in normal play, of the lost positions "
            f"of two heaps, or of three of at most {_CELLS - 1}: see --heaps, --max and --rule"
        )
    rule = "misère" if table.misere else "normal"
    title, what = f"{table.game.name}, {rule} play", parts.pop(0)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}mm" height="{height}mm" '
            f'viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="{_LETTER}" '
            f'fill="{_INK}">',
            f"<title>{escape(title)}: {escape(what)}</title>",
            f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
            f'<text x="{_LEFT}" y="4" font-weight="bold">{escape(title)}</text>',
            _text(_LEFT, 7.2, what),
            *parts,
            "</svg>",
        ]
    )


class _Frame:
    """Two axes that begin at 0, and the places of points between them."""

    def __init__(self, across: int, up: int, height: int) -> None:
        self.across, self.up = max(across, 1), max(up, 1)
        self._bottom = height - _BOTTOM
        self._width, self._height = WIDTH - _LEFT - _RIGHT, self._bottom - _TOP

    def at(self, x: float, y: float) -> tuple[float, float]:
        return (
            round(_LEFT + self._width * x / self.across, 2),
            round(self._bottom - self._height * y / self.up, 2),
        )

    def axes(self, across: str, up: str) -> Iterator[str]:
        for x in _ticks(self.across):
            a, b = self.at(x, 0)
            yield _line((a, b), self.at(x, self.up), _RULE)
            yield _text(a, b + 3.2, str(x), "middle")
        for y in _ticks(self.up):
            a, b = self.at(0, y)
            yield _line((a, b), self.at(self.across, y), _RULE)
            yield _text(a - 1, b + 0.9, str(y), "end")
        yield _text(WIDTH - _RIGHT, self._bottom + 7, across, "end")
        yield _text(1, _TOP - 1.8, up)

    def dot(self, x: int, y: int) -> str:
        a, b = self.at(x, y)
        return f'<circle cx="{a}" cy="{b}" r="0.6" fill="{_SHADE}" data-at="{x} {y}"/>'


def _values(table: Table) -> list[str]:
    values = [table.value((heap,)) for heap in range(table.most + 1)]
    frame = _Frame(table.most, max(values), 60)
    what = f"Grundy values, {table.period}" if table.period else "Grundy values"
    dots = [frame.dot(heap, value) for heap, value in enumerate(values)]
    return [what, *frame.axes("heap", "value"), *dots]


def _pairs(table: Table) -> list[str]:
    frame = _Frame(table.most, table.most, WIDTH)
    parts = ["lost positions", *frame.axes("one heap", "the other")]
    if isinstance(table.game, Wythoff):
        for x, y in ((table.most, table.most / _GOLDEN), (table.most / _GOLDEN, table.most)):
            parts.append(_line(frame.at(0, 0), frame.at(x, y), _SHADE, 'stroke-dasharray="1"'))
    both = {heaps for pair in table.lost for heaps in permutations(pair)}
    return parts + [frame.dot(*heaps) for heaps in sorted(both)]


def _triples(table: Table) -> list[str]:
    """Return a grid, in which the cell of two heaps shows the third heap of a lost position."""
    side = (WIDTH - _LEFT - _RIGHT) / (table.most + 1)
    parts = ["the third heap of the lost positions", _text(1, _TOP - 1.8, "the second heap")]
    parts.append(_text(WIDTH - _RIGHT, _GRID - 1.5, "the first heap", "end"))
    third: dict[tuple[int, int], set[int]] = {}
    for triple in table.lost:
        for a, b, c in permutations(triple):
            third.setdefault((a, b), set()).add(c)
    for n in range(table.most + 1):
        parts.append(_text(_LEFT + (n + 0.5) * side, _GRID - 5.5, str(n), "middle"))
        parts.append(_text(_LEFT - 1, _row(n, side) + side / 2 + 0.9, str(n), "end"))
    for (a, b), heaps in sorted(third.items()):
        x, y = round(_LEFT + a * side, 2), _row(b, side)
        shade = round(0.08 + 0.5 * min(heaps) / (table.most + 1), 2)
        parts.append(
            f'<rect x="{x}" y="{y}" width="{side:.2f}" height="{side:.2f}" fill="{_SHADE}" '
            f'fill-opacity="{shade}" data-at="{a} {b}"/>'
        )
        number = str(min(heaps)) if len(heaps) == 1 else f"{min(heaps)}…"
        parts.append(_text(round(x + side / 2, 2), round(y + side / 2 + 0.9, 2), number, "middle"))
    return parts


def _row(n: int, side: float) -> float:
    return round(_GRID - _BOTTOM - (n + 1) * side, 2)


def _ticks(most: int) -> range:
    """Return round numbers from 0 to at most `most`, for the labels of an axis."""
    step = 1
    while most / step > _TICKS:
        step = {"1": 2, "2": 5, "5": 10}[str(step)[0]] * 10 ** (len(str(step)) - 1)
    return range(0, most + 1, step)


def _line(
    start: tuple[float, float], end: tuple[float, float], colour: str, more: str = ""
) -> str:
    (a, b), (c, d) = start, end
    return (
        f'<line x1="{a}" y1="{b}" x2="{c}" y2="{d}" stroke="{colour}" stroke-width="0.2" {more}/>'
    )


def _text(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{x:.4g}" y="{y:.4g}" text-anchor="{anchor}">{escape(text)}</text>'
