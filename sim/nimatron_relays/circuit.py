"""A circuit of relays as data: coils, contacts, lamps, and the wires between them.

A wire has a name and joins all the terminals that name it. The wire "+" comes from the battery.
The other end of each coil and each lamp is at the return, so current flows when its wire has a
path of closed contacts to "+".
"""

PLUS = "+"


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
