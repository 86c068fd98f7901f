"""A reader who has the breadboard page and three paper breadboards, but not the generator.

It follows the page hole by hole, and then shows which pins are one piece of metal. It imports
nothing from nimatron, so it does not repeat a mistake in the generator.
"""

import re

HOLE = re.compile(r"([123])-([a-j]|top|bottom)(\d+)")


class Paper:
    """The breadboards after the page's steps. `until` stops after a step. `index` is the page that
    has the table of pins."""

    def __init__(self, page, index, until=99):
        self.plugged = {}  # hole: the leg or wire in it
        self.joined = {}  # a strip or a pin: the set that contains it
        self.placed = set()
        self.pins = {  # number on the Pico's edge: name, from the table of pins
            int(number): name for number, name, _, used, _ in table(index, "## Pins") if used
        }
        steps = re.split(r"^### Step (\d+): .*$", page.partition("## Steps")[2], flags=re.M)
        for number, text in zip(steps[1::2], steps[2::2], strict=True):
            if int(number) <= until:
                self._do(text.partition("## Currents")[0])

    def _do(self, text):
        for name, what, where in table(text, "Place "):
            self.placed.add(name)
            for pin, hole in self._legs(name, what, where):
                self._plug(hole, f"{name} {pin}")
                self._join((name, pin), strip(hole))
        for start, end, colour, length in table(text, "Then the wires"):
            assert colour.isalpha() and re.fullmatch(r"\d+ mm", length)
            for hole in (start, end):
                self._plug(hole, f"the wire from {start} to {end}")
            self._join(strip(start), strip(end))

    def _legs(self, name, what, where):
        if name == "PICO":
            return self._pico(where)
        holes = HOLE.findall(where)
        if where.startswith("one pair of legs in"):
            return list(zip("1122", map("".join, _names(holes)), strict=True))
        named = re.findall(r"\b([A-Z])(?: \([^)]*\))? in (\d-\w+)", where)
        return named or list(zip("12", map("".join, _names(holes)), strict=True))

    def _pico(self, where):
        """Plug in forty legs in two lines, whose corners are on the page."""
        corner = {int(n): hole for n, hole in re.findall(r"pin (\d+) in (\d-\w+)", where)}
        (_, low, first), (_, low2, last) = (parts(corner[n]) for n in (1, 20))
        (_, high, first2), (board, high2, last2) = (parts(corner[n]) for n in (40, 21))
        assert (low, first, last) == (low2, first2, last2) and high == high2
        assert last - first == 19
        assert low in "abcde" and high in "fghij"  # seen from above, USB left: 1 to 20 below
        for number in range(1, 41):
            line, at = (low, first + number - 1) if number <= 20 else (high, first + 40 - number)
            yield f"pin {number}", f"{board}-{line}{at}"

    def _plug(self, hole, what):
        board, _, number = parts(hole)
        assert 1 <= board <= 3 and 1 <= number <= 63, f"{what}: no hole {hole}"
        assert hole not in self.plugged, f"{what} and {self.plugged[hole]}: both in {hole}"
        self.plugged[hole] = what

    def _join(self, one, other):
        both = self.joined.get(one, {one}) | self.joined.get(other, {other})
        self.joined.update(dict.fromkeys(both, both))

    @property
    def nets(self):
        """The sets of pins that are one piece of metal, with only those pins of the Pico that the
        page uses. The blue rail is ("0V", "rail")."""
        found = []
        for joined in {id(joined): joined for joined in self.joined.values()}.values():
            net = {self._called(end) for end in joined if len(end) == 2} - {None}
            if ("rail", 1, "bottom", "left") in joined:
                net.add(("0V", "rail"))
            found.append(net)
        return sorted(filter(None, found), key=sorted)

    def _called(self, end):
        name, pin = end
        if name != "PICO":
            return end
        number = int(pin.removeprefix("pin "))
        return (name, f"{self.pins[number]} {number}") if number in self.pins else None

    def most_in_a_strip(self):
        """Return the largest number of ends in one strip of five holes."""
        strips = [strip(hole) for hole in self.plugged]
        return max(strips.count(one) for one in strips if one[0] != "rail")

    def rails_apart(self):
        """Return the halves of blue rails that are not joined to the first."""
        halves = [
            ("rail", board, edge, half)
            for board in (1, 2, 3)
            for edge in ("top", "bottom")
            for half in ("left", "right")
        ]
        return [half for half in halves if half not in self.joined.get(halves[2], ())]


def table(text, after):
    """Return the rows of the first table after some words, without its head."""
    lines = text.partition(after)[2].splitlines()
    rows = []
    for line in lines:
        if line.startswith("|"):
            rows.append([cell.strip() for cell in line.strip("|").split("|")])
        elif rows:
            break
    return rows[2:]


def parts(hole):
    board, line, number = HOLE.fullmatch(hole).groups()
    return int(board), line, int(number)


def strip(hole):
    """Return the piece of metal below a hole, on a breadboard with 830 holes."""
    board, line, number = parts(hole)
    if line in ("top", "bottom"):
        return "rail", board, line, "left" if number < 32 else "right"
    return "strip", board, "a to e" if line in "abcde" else "f to j", number


def _names(found):
    return [f"{board}-{line}{number}" for board, line, number in found]
