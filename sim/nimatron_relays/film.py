"""The film of the relays' motions after a hand's action, for the page at the machine's back."""

import json

from nimatron_relays.nimatron_1940 import LAMPS, TIMES, armatures, circuit
from nimatron_relays.relay_circuit import DOWN, OUT, UP, Motion

_HAND_MS = 100  # how long a hand presses a key
_LONGEST_MS = 6000  # a damaged machine may never settle

_COUNTS = range(LAMPS + 1)  # lamps in a row

REST, RAISED, FLYING, PULLED = range(4)  # where an armature is


def film(up, faults, misere, press):
    """Return [[ms, {name: state}, [wire, ...]], ...]. The first item has all states, and the wires
    with current. All other items have the changes.

    The relays in `up` are up at the beginning. `press` is a key, or "". A fault is a held relay,
    [UP, DOWN or OUT, relay], the cut wire of its coil, ["cut", relay], or a contact that no longer
    touches its front or its back, ["front" or "back", relay, number among its contacts]. The state
    of a relay is [position of its armature, 1 if its coil has current], and the state of a lamp is
    1 if the lamp is lit. Raises ValueError.
    """
    machine = circuit()
    if not isinstance(up, list) or not isinstance(faults, list):
        raise ValueError('"up" and "faults" must be lists')
    _check(machine, "up", up)
    if misere not in (True, False):
        raise ValueError('"misere" must be true or false')
    if press != "" and press not in machine.keys:
        raise ValueError('"press" must be "" or one of: %s' % ", ".join(machine.keys))
    held = []
    for fault in faults:
        if not isinstance(fault, list) or not 1 < len(fault) < 4:
            raise ValueError('"faults" must be lists of [how, relay] or [how, relay, number]')
        _check(machine, "faults", fault[1:2])
        if fault[0] in (UP, DOWN, OUT):
            held.append(fault)
        else:
            _damage(machine, *fault)
    motion = Motion(machine, TIMES)
    for how, relay in held:
        motion.hold(relay, how)
    for relay in machine.coils:
        motion.set(relay, int(relay in up))
    motion.press("MISERE", int(misere))
    seen, live = _states(motion), _live(motion)
    frames = [[0, seen, sorted(live)]]

    def run(until):
        nonlocal seen, live
        while True:
            states, now = _states(motion), _live(motion)
            changed = {name: state for name, state in states.items() if state != seen[name]}
            if changed or now != live:
                frames.append([motion.now, changed, sorted(now ^ live)])
            seen, live = states, now
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


def _check(machine, what, names):
    for name in names:
        if not isinstance(name, str) or name not in machine.coils:
            raise ValueError('"%s" has no relay "%.20s"' % (what, name))


def _damage(machine, how, relay, number=0):
    contacts = machine.contacts_of(relay)
    if how == "cut":
        machine.coils[relay] = [""] + machine.coils[relay][1:]
    elif how in ("front", "back") and number in range(len(contacts)):
        setattr(contacts[number], how, "")
    else:
        raise ValueError('"faults" has no fault "%.20s"' % how)


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


def _live(motion):
    return {wire for wire, worlds in motion.live.items() if worlds}


def answer(question):
    """Return a film as JSON. `question` contains the arguments of film() by name, as JSON. In
    place of "up", it may contain "rows", the number of lamps in each row. Raises ValueError."""
    asked = json.loads(question)
    if not isinstance(asked, dict):
        raise ValueError("it is not an object")
    rows = asked.get("rows")
    if rows is not None:
        if not isinstance(rows, list) or len(rows) != 4 or any([n not in _COUNTS for n in rows]):
            raise ValueError('"rows" must be four numbers from 0 to 7')
        asked["up"] = armatures(rows)
    for name in ("up", "faults", "misere", "press"):
        if name not in asked:
            raise ValueError('"%s" is missing' % name)
    return json.dumps(film(asked["up"], asked["faults"], asked["misere"], asked["press"]))


def parts():
    """Return the circuit as JSON, for a page that draws it: {relay: the wire of each coil},
    [[actuator, common, front, back], ...], and {lamp: its wire}."""
    machine = circuit()
    contacts = [[c.actuator, c.common, c.front, c.back] for c in machine.contacts]
    return json.dumps({"coils": machine.coils, "contacts": contacts, "lamps": machine.lamps})
