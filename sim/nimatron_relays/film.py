"""The film of the relays' motions after a hand's action, for the page at the machine's back."""

from nimatron_relays.algebra import paths
from nimatron_relays.motion import OUT, Motion
from nimatron_relays.nimatron_1940 import TIMES, circuit

_HAND_MS = 100  # how long a hand presses a key
_LONGEST_MS = 6000  # a damaged machine may never settle

REST, RAISED, FLYING, PULLED = range(4)  # where an armature is


def film(up, pulled, misere, press):
    """Return [[ms, {name: state}], ...]. The first item has all states, the others the changes.

    up: the relays that are up at the beginning. pulled: the relays that are pulled out. press: a
    key, or "". The state of a relay is [where its armature is, 1 if its coil has current], and the
    state of a lamp is 1 if it is lit. Raises ValueError.
    """
    machine = circuit()
    for what, names in (("up", up), ("pulled", pulled)):
        if not isinstance(names, list) or not all([isinstance(name, str) for name in names]):
            raise ValueError('"%s" must be a list of relays' % what)
        for name in names:
            if name not in machine.coils:
                raise ValueError('"%s" has no relay "%.20s"' % (what, name))
    if misere not in (True, False):
        raise ValueError('"misere" must be true or false')
    if press and press not in machine.keys:
        raise ValueError('"press" must be "" or one of: %s' % ", ".join(machine.keys))
    motion = Motion(machine, TIMES)
    for relay in pulled:
        motion.hold(relay, OUT)
    for relay in machine.coils:
        motion.set(relay, int(relay in up))
    motion.press("MISERE", int(misere))
    seen = _states(motion)
    frames = [[0, seen]]

    def run(until):
        nonlocal seen
        while True:
            states = _states(motion)
            changed = {name: state for name, state in states.items() if state != seen[name]}
            seen = states
            if changed:
                frames.append([motion.now, changed])
            if motion.next is None or motion.next > until:
                return
            motion.step()

    if press:
        motion.press(press)
        run(_HAND_MS)
        motion.run(_HAND_MS - motion.now)
        motion.release(press)
    run(_LONGEST_MS)
    return frames


def _states(motion):
    states = {}
    for relay in motion.circuit.coils:
        if motion.held.get(relay) == OUT:
            where = PULLED
        elif motion.up[relay]:
            where = RAISED
        else:
            where = REST if motion.down[relay] else FLYING
        states[relay] = [where, int(motion.current[relay])]
    for lamp, wire in motion.circuit.lamps.items():
        states[lamp] = int(motion.live.get(wire, 0))
    return states


def parts():
    """Return {relay: {"contacts": the kind of each, "moves": the relays and lamps whose current
    may pass its contacts}}."""
    machine = circuit()
    wires = dict(machine.coils)
    for lamp, wire in machine.lamps.items():
        wires[lamp] = [wire]
    needs = {}
    for name in wires:
        found = [path for wire in wires[name] for path in paths(machine, wire)]
        needs[name] = {actuator for path in found for actuator, _ in path}
    return {
        relay: {
            "contacts": [contact.kind for contact in machine.contacts_of(relay)],
            "moves": [name for name in wires if relay in needs[name]],
        }
        for relay in machine.coils
    }
