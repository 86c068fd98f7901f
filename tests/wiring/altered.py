"""A build with a change, as a reader or a careless edit would make it."""

import dataclasses


def changed(build, ref, **changes):
    """Return the build with changes to one part."""
    parts = [dataclasses.replace(p, **changes) if p.ref == ref else p for p in build.parts]
    return dataclasses.replace(build, parts=tuple(parts))


def without(build, *refs):
    """Return the build without these parts."""
    parts = tuple(part for part in build.parts if part.ref not in refs)
    return dataclasses.replace(_joined(build, lambda node: node[0] not in refs), parts=parts)


def moved(build, to, *nodes):
    """Return the build with these pins moved to the net of this name."""
    return _joined(build, lambda node: node not in nodes, {to: nodes})


def _joined(build, stays, more=()):
    """Return the build with only the pins that stay. `more` are {net: other pins}."""
    nets = [
        dataclasses.replace(net, nodes=(*filter(stays, net.nodes), *dict(more).get(net.name, ())))
        for net in build.nets
    ]
    return dataclasses.replace(build, nets=tuple(nets))


def pieces(joints):
    """Return the sets of ends that the joints, each of two ends, connect."""
    found = {}
    for one, other in joints:
        both = found.get(one, {one}) | found.get(other, {other})
        found.update(dict.fromkeys(both, both))
    return {frozenset(both) for both in found.values()}
