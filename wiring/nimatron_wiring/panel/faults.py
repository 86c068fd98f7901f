"""Check that the panel can be made and has a place for each part of the build."""

from collections import Counter
from itertools import combinations

from nimatron_wiring.netlist import Build
from nimatron_wiring.panel.dimensions import HEIGHT, WIDTH, Panel

EDGE, BETWEEN = 6.0, 3.0  # mm of material to leave at the edge, and between two cuts
# The kinds of parts that need a hole or window with their role, and the largest sheet for a laser
FRONT, BACK = ("lamp", "arcade", "stud"), ("inlet", "switch", "fuse", "pot")
BED = 600.0, 400.0


def faults(panel: Panel, build: Build, kinds: tuple[str, ...] = FRONT) -> list[str]:
    """Return the faults of the front panel or of the back, one line each."""
    where = "fix it in wiring/nimatron_wiring/panel/dimensions.py"
    cuts = [*panel.holes, *panel.windows]
    there = Counter(cut.role for cut in cuts if cut.role)
    wanted = Counter(part.role for part in build.parts if part.kind in kinds)
    wanted["coin"] += kinds == FRONT
    found = [
        f"{role} has {there[role]} places on the panel, not {wanted[role]}"
        for role in sorted(there | wanted)
        if there[role] != wanted[role]
    ]
    if BED[0] < WIDTH or BED[1] < HEIGHT:
        found.append(f"{WIDTH:g} x {HEIGHT:g} mm is too large for a laser")
    for cut in cuts:
        left, low, right, high = _box(cut)
        if min(left, low, WIDTH - right, HEIGHT - high) < EDGE:
            found.append(f"{_name(cut)} is less than {EDGE:g} mm from the edge")
    for a, b in combinations(cuts, 2):
        if _apart(a, b) < BETWEEN:
            found.append(f"{_name(a)} and {_name(b)} are less than {BETWEEN:g} mm apart")
    return [f"the panel: {fault}: {where}" for fault in found]


def _box(cut):
    width, height = cut.size
    return cut.x - width / 2, cut.y - height / 2, cut.x + width / 2, cut.y + height / 2


def _apart(a, b):
    """Return the width of material between two cuts. Round holes are measured from the circle."""
    if a.size[0] == a.size[1] and b.size[0] == b.size[1]:
        return ((a.x - b.x) ** 2 + (a.y - b.y) ** 2) ** 0.5 - (a.size[0] + b.size[0]) / 2
    (al, ab, ar, at), (bl, bb, br, bt) = _box(a), _box(b)
    return max(bl - ar, al - br, bb - at, ab - bt)


def _name(cut):
    return f"{cut.role or cut.what} at {cut.x:g}, {cut.y:g}"
