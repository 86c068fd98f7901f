"""A circuit of relays: its coils, contacts, lamps and wires, and their motion.

A wire has a name and joins all the terminals that name it. The wire "+" comes from the battery.
The other end of each coil and each lamp is at the return, so current flows when its wire has a
path of closed contacts to "+".

The simulation of the motion runs many worlds at the same time. Each state is an integer with one
bit for each world, for example the worlds in which an armature is up or a wire has current. Series
is then AND and parallel is OR, as in Shannon's algebra, and one run can settle a circuit from
thousands of positions. A page has one world.

An armature leaves its rest position when its relay has had current for long enough. It arrives a
millisecond later. During this flight, all its contacts are open. Current follows the contacts at
once.
"""

PLUS = "+"
USUAL = 8, 6  # ms to pick up and to drop out
FLIGHT = 1  # ms between leaving one side and arriving at the other. Times must be longer than this
UP, DOWN, OUT = "up", "down", "out"  # how to hold an armature: OUT is a relay that is pulled out


class Contact:
    """The springs of a contact. A make has a common and a front, a break has a common and a back,
    and a change-over has all three springs. A missing spring is ""."""

    def __init__(self, actuator, common, front="", back=""):
        self.actuator = actuator  # a relay, or a key
        self.common = common
        self.front = front  # common touches it when the armature is up
        self.back = back  # common touches it when the armature is down

    @property
    def kind(self):
        if self.front and self.back:
            return "change"
        return "make" if self.front else "break"


class Circuit:
    """The parts of a circuit. Each part is a line of text:

    coil RELAY WIRE
    make ACTUATOR COMMON FRONT
    break ACTUATOR COMMON BACK
    change ACTUATOR COMMON FRONT BACK
    lamp NAME WIRE

    A relay with several coils has a line for each. An actuator without a coil is a key.
    """

    def __init__(self, text=""):
        self.coils = {}  # relay: the wire of each coil
        self.contacts = []
        self.lamps = {}  # lamp: its wire
        for line in text.split("\n"):
            words = line.split("#")[0].split()
            if words:
                self._add(*words)

    def _add(self, what, name, *wires):
        if what == "coil":
            self.coils[name] = self.coils.get(name, []) + [wires[0]]
        elif what == "lamp":
            self.lamps[name] = wires[0]
        elif what == "break":
            self.contacts.append(Contact(name, wires[0], "", wires[1]))
        elif what in ("make", "change"):
            self.contacts.append(Contact(name, *wires))
        else:
            raise ValueError("no such part: %s" % what)

    @property
    def keys(self):
        """The actuators that a hand moves."""
        return sorted({c.actuator for c in self.contacts} - set(self.coils))

    def contacts_of(self, actuator):
        return [c for c in self.contacts if c.actuator == actuator]

    def edges(self):
        """Return each pair of wires that a contact can join, as (actuator, up, wire, wire)."""
        found = []
        for c in self.contacts:
            if c.front:
                found.append((c.actuator, True, c.common, c.front))
            if c.back:
                found.append((c.actuator, False, c.common, c.back))
        return found


class Motion:
    """A circuit in motion.

    `times` are (ms to pick up, ms to drop out) for each relay that is not USUAL. `worlds` is the
    number of worlds.
    """

    def __init__(self, circuit, times=(), worlds=1):
        self.circuit = circuit
        self.every = (1 << worlds) - 1
        self.now = 0  # ms
        self._times = dict(times)
        names = list(circuit.coils) + circuit.keys
        self.up = {name: 0 for name in names}
        self.down = {name: self.every for name in names}
        self.current = {name: 0 for name in circuit.coils}  # in any coil
        self.live = {PLUS: self.every}  # the wires with current
        self.held = {}  # relay: how a fault holds it
        self._pushed = set()  # the relays set by hand since the last flow of current
        self._due = {}  # ms: [relay, arrives, to the front, worlds]
        self._islands = _islands(circuit)
        self._touched = {
            id(island): island for islands in self._islands.values() for island in islands
        }
        self._felt = {}  # wire: the relays with a coil there
        for relay, wires in circuit.coils.items():
            for wire in wires:
                self._felt[wire] = self._felt.get(wire, []) + [relay]
        self._flow()

    # ------------------------------------------------------------------ hands

    def press(self, key, worlds=None):
        """Press a key in these worlds, and release it in all others."""
        self._put(key, self.every if worlds is None else worlds)
        self._flow()

    def release(self, key):
        self.press(key, 0)

    def set(self, relay, worlds=None):
        """Push an armature up by hand in these worlds, and down in all others. It stays there only
        if its coil agrees. Call settle() when all relays are set."""
        if not self.held.get(relay):
            self._stop(relay)
            self._put(relay, self.every if worlds is None else worlds)
            self.current[relay] = self.up[relay]  # until its coil says otherwise
            self._pushed.add(relay)

    def hold(self, relay, how):
        """Hold an armature UP or DOWN from now on, or pull the relay OUT, which opens its
        contacts. None releases the armature, or puts the relay back, with its armature down."""
        self.held[relay] = how
        self._stop(relay)
        self._put(relay, self.every if how == UP else 0)
        if how == OUT:
            self.down[relay] = 0
        self.current[relay] = 0
        self._flow()
        self._feel(relay)

    def _stop(self, relay):
        for events in self._due.values():
            for event in events:
                if event[0] == relay:
                    event[3] = 0

    def _put(self, name, worlds):
        if self.up[name] != worlds or self.down[name] != self.every & ~worlds:
            self.up[name], self.down[name] = worlds, self.every & ~worlds
            self._touch(name)

    # ------------------------------------------------------------------ time

    @property
    def next(self):
        """The time of the next motion, or None if nothing moves."""
        return min(self._due) if self._due else None

    def settle(self, within=20000):
        """Run until nothing moves. Return False if something still moves after `within` ms."""
        self._flow()
        end = self.now + within
        while self._due:
            if min(self._due) > end:
                return False
            self.step()
        return True

    def run(self, ms):
        """Let time pass."""
        self._flow()
        end = self.now + ms
        while self._due and min(self._due) <= end:
            self.step()
        self.now = end

    def step(self):
        """Go to the next motion, and move. Return the names of the relays that moved."""
        self.now = min(self._due)
        moved = []
        for relay, arrives, front, worlds in self._due.pop(self.now):
            leaves, arrived = (self.down, self.up) if front else (self.up, self.down)
            if arrives:
                arrived[relay] |= worlds
            else:
                worlds &= leaves[relay]
                leaves[relay] &= ~worlds
                if worlds:
                    self._plan(FLIGHT, [relay, True, front, worlds])
            if worlds:
                self._touch(relay)
                moved.append(relay)
        self._flow()
        return moved

    def _plan(self, ms, event):
        self._due.setdefault(self.now + ms, []).append(event)

    # ------------------------------------------------------------------ current

    def _touch(self, name):
        for island in self._islands.get(name, ()):
            self._touched[id(island)] = island

    def _flow(self):
        """Let the current follow the contacts, and the coils follow the current."""
        changed = []
        while self._touched:
            _, island = self._touched.popitem()
            changed += self._conduct(island)
        felt = {relay for wire in changed for relay in self._felt.get(wire, ())} | self._pushed
        self._pushed = set()
        for relay in sorted(felt):
            self._feel(relay)

    def _conduct(self, island):
        """Find the current in the wires of an island. Return the wires where it has changed."""
        wires, edges = island
        live = {wire: 0 for wire in wires}
        live[PLUS] = self.every
        closed = []
        for actuator, up, a, b in edges:
            worlds = self.up[actuator] if up else self.down[actuator]
            if worlds:
                closed.append((worlds, a, b))
        more = True
        while more:
            more = False
            for worlds, a, b in closed:
                joined = (live[a] | live[b]) & worlds
                if joined & ~live[a]:
                    live[a] |= joined
                    more = True
                if joined & ~live[b]:
                    live[b] |= joined
                    more = True
        changed = [wire for wire in wires if live[wire] != self.live.get(wire, 0)]
        self.live.update(live)
        return changed

    def _feel(self, relay):
        """Plan the motion of a relay if the current in its coils has changed."""
        on = 0
        for wire in self.circuit.coils[relay]:
            on |= self.live.get(wire, 0)
        gained, lost = on & ~self.current[relay], self.current[relay] & ~on
        self.current[relay] = on
        if self.held.get(relay):
            return
        for events in self._due.values():
            for event in events:
                if event[0] == relay and not event[1]:
                    event[3] &= ~(lost if event[2] else gained)
        pick_up, drop_out = self._times.get(relay, USUAL)
        if gained:
            self._plan(pick_up - FLIGHT, [relay, False, True, gained])
        if lost:
            self._plan(drop_out - FLIGHT, [relay, False, False, lost])


def _islands(circuit):
    """Return {actuator: its islands}. An island consists of wires that contacts can join without
    "+", and of these contacts. A contact changes the current only in its own islands."""
    group = {}  # wire: the wires of its island
    edges = circuit.edges()
    for _, _, a, b in edges:
        for wire in (a, b):
            if wire != PLUS:
                group.setdefault(wire, [wire])
        if PLUS not in (a, b) and group[a] is not group[b]:
            group[a] += group[b]
            for wire in group[b]:
                group[wire] = group[a]
    islands, found = {}, {}
    for wires in group.values():
        islands[wires[0]] = (wires, [])
    for edge in edges:
        actuator, _, a, b = edge
        island = islands[group[b if a == PLUS else a][0]]
        island[1].append(edge)
        if island not in found.setdefault(actuator, []):
            found[actuator].append(island)
    return found
