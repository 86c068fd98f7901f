"""The first sheet of each build: the Pico and its 28 lamps."""

from nimatron import board
from nimatron_host.wiring import symbols
from nimatron_host.wiring.netlist import PICO, Build
from nimatron_host.wiring.sheet import DOWN, LEFT, RIGHT, UP, Sheet, shift

ROWS, COLUMNS = range(1, board.ROWS + 1), range(1, board.LAMPS + 1)


def matrix(build: Build) -> Sheet:
    """A lamp wherever a column passes a row; a resistor on top of each column, a transistor to the
    left of each row."""
    sheet = Sheet(build, "the lamps", 34, 26)
    sheet.key(_lamps(build))
    level = {row: 16.6 - 3.4 * row for row in ROWS}  # of the row's wire
    column = {number: 12.2 + 2.8 * number for number in COLUMNS}  # of the column's wire
    signals = {name: build.signal(name).node for name in (signal.name for signal in build.signals)}

    places = {f"row {row}": y - 0.9 for row, y in level.items()}
    places |= {f"column {number}": 17.8 + 0.7 * number for number in COLUMNS}
    places = {signals[name][1]: (RIGHT, y) for name, y in places.items()}
    symbols.pico(sheet, ((1, 1.5), (6, 24)), places | {"GND.1": (DOWN, 2.2)})
    sheet.label((PICO, "GND.1"), DOWN)

    for number, x in column.items():
        wire = signals[f"column {number}"]
        (resistor,) = sheet.undrawn(wire)
        sheet.wire(sheet.pins[wire], (x, 17.9))
        symbols.between(sheet, resistor, (x, 17.9), (x, 16.1))
        sheet.wire((x, 16.1), (x, level[ROWS[-1]] + 1.7))

    for row, y in level.items():
        wire = signals[f"row {row}"]
        (resistor,) = sheet.undrawn(wire)
        start = sheet.pins[wire]
        sheet.wire(start, shift(start, RIGHT, 0.6))
        far = symbols.between(sheet, resistor, shift(start, RIGHT, 0.6), shift(start, RIGHT, 2.6))
        (base,) = sheet.undrawn(far)
        collector, emitter = symbols.transistor(sheet, base[0], shift(start, RIGHT, 3.4))
        sheet.wire(sheet.pins[far], sheet.pins[base])
        sheet.label(emitter, DOWN)
        for number, x in column.items():
            (lamp,) = build.by_role(f"row {row} lamp {number}")
            cathode = symbols.between(sheet, (lamp.ref, "A"), (x + 1, y + 1.7), (x + 1, y))
            sheet.wire((x, y + 1.7), (x + 1, y + 1.7))
        x, _ = sheet.pins[collector]
        sheet.wire(sheet.pins[collector], (x, y), sheet.pins[cathode])
    return sheet


def pixels(build: Build) -> Sheet:
    """One chain of pixels, between two supply wires a row; from the end of a row the data wire goes
    back to the beginning of the next."""
    sheet = Sheet(build, "the lamps", 31.5, 25.5)
    lamps = _lamps(build)
    sheet.key(lamps)
    data = build.signal("pixels").node
    symbols.pico(sheet, ((1, 18.8), (6.4, 23.6)), {data[1]: (RIGHT, 21), "GND.1": (RIGHT, 19.6)})
    sheet.label((PICO, "GND.1"), RIGHT)
    (gate,) = sheet.undrawn(data)
    shifter, out = gate[0], _out(gate)
    sides = {gate[1]: (LEFT, 21), out[1]: (RIGHT, 21)}
    symbols.chip(sheet, shifter, ((9.4, 19.4), (16.4, 22.4)), sides)
    sheet.wire(sheet.pins[data], sheet.pins[gate])
    (resistor,) = sheet.undrawn(out)
    end = symbols.between(sheet, resistor, shift(sheet.pins[out], RIGHT, 0.5), (19.5, 21))
    sheet.wire(sheet.pins[out], sheet.pins[resistor])
    stores = build.by_role(f"beside {shifter}") + build.by_role("store for the pixels")
    for n, part in enumerate(stores):
        symbols.upright(sheet, part.ref, (23 + 3.6 * n, 22))

    for row in ROWS:
        y = 19.2 - 3.9 * row  # of the row's data pins
        turn = sheet.pins[end][0] + 0.5, y + 1.95
        sheet.wire(sheet.pins[end], turn, (1.6, turn[1]), (1.6, y), (2.4, y))
        supplies = []
        for number in COLUMNS:
            ref = lamps[len(COLUMNS) * (row - 1) + number - 1]
            x = 0.25 + 3.9 * number  # of the pixel's middle
            places = {"DIN": (LEFT, y), "DOUT": (RIGHT, y), "VDD": (UP, x), "VSS": (DOWN, x)}
            places = {pin: places[pin] for pin in places if (ref, pin) in sheet.net}
            symbols.box(
                sheet, ref, ((x - 1.15, y - 0.8), (x + 1.15, y + 0.8)), places, (x + 0.7, y + 0.9)
            )
            if number > 1:
                sheet.wire(sheet.pins[end], sheet.pins[ref, "DIN"])
            end = ref, "DOUT"
        for pin in ("VDD", "VSS"):
            first, last = sheet.pins[lamps[len(COLUMNS) * (row - 1)], pin], sheet.pins[ref, pin]
            sheet.wire(shift(first, LEFT, 0.5), last)
            sheet.label((ref, pin), LEFT, shift(first, LEFT, 0.5))
    return sheet


def shift_registers(build: Build) -> Sheet:
    """A register a row, with its lamps on its head; clock, latch and enable pass all four, the data
    wire goes from each to the next."""
    sheet = Sheet(build, "the lamps", 40.5, 31.4)
    lamps = _lamps(build)
    sheet.key(lamps)
    level = {row: 33.6 - 7.1 * row for row in ROWS}  # of the data pin of the row's register
    wires = [build.signal(f"shift {name}").node for name in ("data", "clock", "latch", "enable")]
    heights = [level[1] - 0.6 * n for n in range(len(wires))]
    low = heights[-1]
    places = {pin: (RIGHT, y) for (_, pin), y in zip(wires, heights, strict=True)}
    symbols.pico(
        sheet, ((1, low - 2), (6.6, level[1] + 2.4)), places | {"GND.1": (RIGHT, low - 1.4)}
    )
    sheet.label((PICO, "GND.1"), RIGHT)

    gates = [node for wire in wires for node in sheet.undrawn(wire) if node[1].endswith("A")]
    shifter = gates[0][0]
    sides = {pin: (LEFT, y) for (_, pin), y in zip(gates, heights, strict=True)}
    sides |= {_out(gate)[1]: (RIGHT, y) for gate, y in zip(gates, heights, strict=True)}
    symbols.chip(sheet, shifter, ((11.2, low - 1), (16, level[1] + 1)), sides)
    for wire, gate in zip(wires, gates, strict=True):
        sheet.wire(sheet.pins[wire], sheet.pins[gate])
    (dark,) = sheet.undrawn(wires[-1])
    far = symbols.between(sheet, dark, (8.6, low), (8.6, low - 2))
    sheet.label(far, DOWN)
    symbols.upright(sheet, build.by_role(f"beside {shifter}")[0].ref, (12.4, low - 3.2))

    buses = dict(zip(("SRCK", "RCK", "G"), (18.6, 18, 17.4), strict=True))
    starts = dict(zip(buses, (_out(gate) for gate in gates[1:]), strict=True))
    source = _out(gates[0])
    for row, y in level.items():
        (register,) = (part.ref for part in build.by_role(f"row {row}"))
        sides = {pin: (LEFT, y - 0.6 * n) for n, pin in enumerate(("SER_IN", *buses))}
        sides |= {f"DRAIN{n - 1}": (UP, 20.6 + 2.1 * n) for n in COLUMNS}
        if (register, "SER_OUT") in sheet.net:
            sides["SER_OUT"] = (RIGHT, y - 1.2)
        title = (29, y - 0.6)
        symbols.chip(sheet, register, ((20.5, y - 2.2), (36.3, y + 0.55)), sides, title, high=DOWN)
        symbols.upright(sheet, build.by_role(f"beside {register}")[0].ref, (38.2, y + 0.4))
        if row == 1:
            sheet.wire(sheet.pins[source], sheet.pins[register, "SER_IN"])
        else:
            turn = sheet.pins[source][0] + 0.4, y + 3.4
            sheet.wire(
                sheet.pins[source],
                turn,
                (19.2, turn[1]),
                (19.2, y),
                sheet.pins[register, "SER_IN"],
            )
        for pin, x in buses.items():
            end = sheet.pins[register, pin]
            sheet.wire(sheet.pins[starts[pin]] if row == 1 else (x, end[1]), end)
        for n in COLUMNS:
            (lamp,) = build.by_role(f"row {row} lamp {n}")
            foot = sheet.pins[register, f"DRAIN{n - 1}"]
            plus = symbols.between(sheet, (lamp.ref, "-"), foot, shift(foot, UP, 1.9))
        first = sheet.pins[build.by_role(f"row {row} lamp 1")[0].ref, "+"]
        sheet.wire(first, shift(sheet.pins[plus], RIGHT, 0.5))
        sheet.label(plus, RIGHT, shift(sheet.pins[plus], RIGHT, 0.5))
        source = register, "SER_OUT"
    for pin, x in buses.items():
        sheet.wire((x, sheet.pins[starts[pin]][1]), (x, sheet.pins[register, pin][1]))
    return sheet


def _out(gate):
    """The output of a buffer whose input is this pin."""
    return gate[0], gate[1].replace("A", "Y")


def _lamps(build):
    return [build.by_role(f"row {row} lamp {lamp}")[0].ref for row in ROWS for lamp in COLUMNS]


LAYOUTS = {"matrix": matrix, "pixels": pixels, "shift": shift_registers}
