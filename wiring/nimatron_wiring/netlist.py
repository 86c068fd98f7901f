"""Parts, nets and builds, with every joint. Voltages and drawings are in other modules."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

PICO = "PICO"  # the ref of the Pico itself
GROUND = "0V"  # the ref of the 0 V rail, and the name of its net
GUARD = "guard against a reversed supply"  # the role of the part that blocks a reversed supply

Node = tuple[str, str]  # a part's ref, and the name of one of its pins


@dataclass(frozen=True)
class Part:
    """A part to buy and place."""

    ref: str  # R1, Q1 and so on. The ref of a rail is its voltage. The Pico's ref is PICO
    kind: str  # a key of kinds.KINDS
    value: str
    rating: str = ""
    role: str = ""  # the purpose of the part: "row 2 lamp 3", "button go"
    step: str = ""  # the name of the step that places the part


@dataclass(frozen=True)
class Net:
    """Pins that are connected to each other. If the net has a rail, the rail is the first pin."""

    name: str
    colour: str  # of the wires
    nodes: tuple[Node, ...]


@dataclass(frozen=True)
class Signal:
    """The purpose of a GPIO in a build."""

    name: str  # the purpose of the GPIO: "row 1", "button go"
    gpio: int
    colour: str

    @property
    def node(self) -> Node:
        return PICO, f"GP{self.gpio}"


@dataclass(frozen=True)
class Build:
    """One way to build the machine."""

    name: str  # also the name of the page and the pictures
    display: str  # the value of the setting `display` for this build
    title: str
    signals: tuple[Signal, ...]
    parts: tuple[Part, ...]  # in the order of placement
    nets: tuple[Net, ...]

    @property
    def revision(self) -> str:
        """A digest of all parts, values and joints, but not of GPIO numbers."""
        names = {signal.node: signal.name for signal in self.signals}
        parts = [(part.ref, part.kind, part.value, part.rating) for part in self.parts]
        nets = [(net.name, sorted(str(names.get(n, n)) for n in net.nodes)) for net in self.nets]
        return hashlib.sha256(repr((parts, nets)).encode()).hexdigest()[:7]

    def part(self, ref: str) -> Part:
        return next(part for part in self.parts if part.ref == ref)

    def by_role(self, role: str) -> list[Part]:
        """Return the parts with a role, in the order of placement."""
        return [part for part in self.parts if part.role == role]

    def of_kind(self, kind: str) -> list[Part]:
        """Return the parts of a kind, in the order of placement."""
        return [part for part in self.parts if part.kind == kind]

    def net_of(self, node: Node) -> Net:
        return next(net for net in self.nets if node in net.nodes)

    def neighbours(self, node: Node) -> list[Node]:
        """Return the other pins on the net of `node`."""
        return [other for other in self.net_of(node).nodes if other != node]

    def signal(self, name: str) -> Signal:
        return next(signal for signal in self.signals if signal.name == name)


class NetlistBuilder:
    """A builder that collects the parts and nets of a build, and numbers the parts."""

    def __init__(self):
        self.parts: list[Part] = []
        self._nets: dict[str, tuple[str, list[Node]]] = {}
        self._numbers: dict[str, int] = {}
        self._step = ""

    def step(self, name: str) -> None:
        """Begin a step. The next parts belong to this step."""
        self._step = name

    def place(self, ref: str, kind: str, value: str, **more: str) -> str:
        """Place a part and return its ref. The next number replaces a "?" at its end."""
        if ref.endswith("?"):
            prefix = ref[:-1]
            self._numbers[prefix] = self._numbers.get(prefix, 0) + 1
            ref = f"{prefix}{self._numbers[prefix]}"
        self.parts.append(Part(ref, kind, value, step=self._step, **more))
        return ref

    def join(self, name: str, colour: str, *nodes: Node) -> None:
        """Add nodes to the net `name`, which is created if it does not exist."""
        there = self._nets.setdefault(name, (colour, []))[1]
        there.extend(node for node in nodes if node not in there)

    def nets(self) -> Iterator[Net]:
        rails = {part.ref for part in self.parts if part.kind == "rail"}
        for name, (colour, nodes) in self._nets.items():
            yield Net(name, colour, tuple(sorted(nodes, key=lambda node: node[0] not in rails)))
