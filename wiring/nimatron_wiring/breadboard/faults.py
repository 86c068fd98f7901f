"""Check that the layout matches the netlist and can be plugged in. The checks use only the holes,
not the records from placing the parts."""

from collections import Counter
from itertools import combinations, pairwise

from nimatron import board
from nimatron_wiring.breadboard.footprints import Box
from nimatron_wiring.breadboard.holes import RAILS, SPLIT, Hole
from nimatron_wiring.breadboard.layout import Layout
from nimatron_wiring.breadboard.paths import FLAT
from nimatron_wiring.netlist import GROUND, PICO, Build

IN_A_STRIP = 5  # the number of holes in a strip. Rails have more holes


def faults(made: Layout, build: Build) -> list[str]:
    """Return the faults in the layout of a build, one line each."""
    return [
        f"{build.name}: {fault}: fix it in wiring/nimatron_wiring/breadboard/layout.py"
        for fault in (*_holes(made), *_bodies(made), *_lamps(made, build), *_nets(made, build))
    ]


def _holes(made):
    legs = [(leg.hole, f"{leg.ref} {leg.pin}") for place in made.places for leg in place.legs]
    ends = [(there, _told(w)) for w in made.wires for there in (w.start, w.end)]
    users: dict[Hole, list[str]] = {}
    for there, who in legs + ends:
        users.setdefault(there, []).append(who)
        if not there.exists:
            yield f"{who} is in {there}, which does not exist"
    for there, who in users.items():
        if len(who) > 1:
            yield f"{' and '.join(who)} are both in {there}"
    for strip, count in Counter(there.strip for there in users).items():
        if count > IN_A_STRIP and strip[1] not in RAILS:
            yield f"{count} ends are in the 5 holes {strip[1]} at {strip[2]} of board {strip[0]}"
    for wire in made.wires:
        a, b = sorted((wire.start, wire.end))
        if (a.board, a.line) == (b.board, b.line) and b.number - a.number <= FLAT:
            for number in range(a.number + 1, b.number):
                if (over := Hole(a.board, a.line, number)) in users:
                    yield f"the wire {a} to {b} lies on {over}, where {users[over][0]} is"
    for place in made.places:
        for there, who in users.items():
            if who[0].split(" ")[0] != place.ref and _in(there.xy, place.covered):
                yield f"{who[0]} is in {there}, below {place.ref}"


def _told(wire):
    return f"the wire {wire.start} to {wire.end}"


def _in(point, box: Box):
    return box[0] < point[0] < box[2] and box[1] < point[1] < box[3]


def _bodies(made):
    bodies = [(place.ref, place.box(place.footprint.body)) for place in made.places]
    for (one, a), (other, b) in combinations(bodies, 2):
        if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]:
            yield f"{one} and {other} overlap"


def _lamps(made, build):
    """Yield a fault if the lamps are not in 4 evenly spaced rows of 7."""
    where = {}
    if build.display != "matrix":
        return
    for place in made.places:
        words = build.part(place.ref).role.split(" ")
        if len(words) == 4 and words[2] == "lamp":
            left, top, right, bottom = place.box(place.footprint.body)
            where[int(words[1]), int(words[3])] = (left + right) / 2, (top + bottom) / 2
    rows, lamps = range(1, board.ROWS + 1), range(1, board.LAMPS + 1)
    missing = [(row, lamp) for row in rows for lamp in lamps if (row, lamp) not in where]
    if missing:
        yield f"row {missing[0][0]} lamp {missing[0][1]} has no place"
        return
    steps = {round(where[r, b][0] - where[r, a][0], 3) for r in rows for a, b in pairwise(lamps)}
    down = [where[b, 1][1] - where[a, 1][1] for a, b in pairwise(rows)]
    level = all(where[row, lamp][1] == where[row, 1][1] for row in rows for lamp in lamps)
    upright = all(where[row, lamp][0] == where[1, lamp][0] for row in rows for lamp in lamps)
    if not (level and upright and len(steps) == 1 and min(steps) > 0):
        yield "the lamps are not in straight rows and columns"
    if min(down) <= 0 or max(down) - min(down) > 1:
        yield "the rows of lamps are not evenly spaced from top to bottom"


def _nets(made, build):
    """Yield the differences between the netlist and the connections that strips, wires and parts
    make. They are compared after each step, because each step has a test."""
    wanted = {frozenset(net.nodes) for net in build.nets}
    for step in list(dict.fromkeys(part.step for part in build.parts)):
        yield from _after(made, build, step, wanted)


def _after(made, build, step, wanted):
    names = list(dict.fromkeys(part.step for part in build.parts))
    now = set(names[: names.index(step) + 1])
    there = {part.ref for part in build.parts if part.step in now}
    joints: list[tuple] = [(w.start.strip, w.end.strip) for w in made.wires if w.step in now]
    for place in made.places:
        if place.step in now:
            joints += [(leg.hole.strip, (leg.ref, leg.pin)) for leg in place.legs]
    rails = {
        (which, rail, right)
        for which in range(1, made.boards + 1)
        for rail in made.rails
        for right in (False, True)
    }
    first = Hole(1, made.rails[-1], SPLIT - 1).strip
    joints.append((first, (GROUND, "rail")))
    pieces: dict = {}
    for one, other in joints:
        both = pieces.get(one, {one}) | pieces.get(other, {other})
        pieces.update(dict.fromkeys(both, both))
    if loose := [rail for rail in rails if rail not in pieces.get(first, ())]:
        which, rail, right = min(loose)
        yield f"the {'right' if right else 'left'} half of {which}-{rail} is not joined to 0 V"
    known = {node for net in wanted for node in net}
    found = set()
    for piece in {id(piece): piece for piece in pieces.values()}.values():
        nodes = {end for end in piece if len(end) == 2}
        free = {node for node in nodes if node not in known}
        if free and (len(nodes) > 1 or {ref for ref, _ in free} != {PICO}):
            yield f"{_names(free)} is joined to {_names(nodes - free) or 'no net'}"
        found.add(frozenset(nodes - free))
    for net in wanted:
        placed = frozenset(node for node in net if node[0] in there)
        if placed and placed not in found:
            apart = " | ".join(sorted(_names(piece) for piece in found if piece & placed))
            what = f"{_names(placed)} should be connected, but the layout has {apart or 'nothing'}"
            yield f"after step {step}, {what}"


def _names(nodes):
    return " ".join(sorted(f"{ref}.{pin}" for ref, pin in nodes))
