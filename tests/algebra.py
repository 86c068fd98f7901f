"""Shannon's algebra of contacts (1938), in which a path is a product and parallel paths add.

A path is the set of contacts that must be closed, each as (actuator, True if its armature must be
up). C. E. Shannon, "A symbolic analysis of relay and switching circuits", Transactions of the AIEE
57 (1938), writes the opposite: the hindrance, which is 0 where current can flow.
"""

from nimatron_relays.relay_circuit import PLUS


def paths(circuit, wire):
    """Return the paths from the battery to a wire, shortest first. The result omits a path that
    needs one armature both up and down, and a path that contains another."""
    joined = {}
    for actuator, up, a, b in circuit.edges():
        joined.setdefault(a, []).append((actuator, up, b))
        joined.setdefault(b, []).append((actuator, up, a))
    found = set()

    def walk(at, needs, passed):
        if at == PLUS:
            found.add(frozenset(needs))
            return
        for actuator, up, other in joined.get(at, ()):
            if other not in passed and (actuator, not up) not in needs:
                walk(other, needs | {(actuator, up)}, passed | {other})

    walk(wire, frozenset(), frozenset([wire]))
    shortest = sorted(found, key=lambda path: (len(path), sorted(path)))
    return [path for path in shortest if not any([other < path for other in shortest])]
