"""The first sheet of each build: the Pico and its 28 lamps."""

from nimatron import board
from nimatron_wiring import symbols
from nimatron_wiring.netlist import PICO, Build
from nimatron_wiring.sheet import DOWN, LEFT, RIGHT, UP, Sheet, shift

ABOUT = "the lamps"
ROWS, COLUMNS = range(1, board.ROWS + 1), range(1, board.LAMPS + 1)


def matrix(build: Build) -> Sheet:
    """Draw a lamp where each column crosses each row, a resistor at the top of each column, and a
    transistor at the left of each row."""
    sheet = Sheet(build, ABOUT, 34.4, 26)
    sheet.key(_lamps(build))
    level = {row: 16.6 - 3.4 * row for row in ROWS}  # the height of each row's wire
    column = {number: 12.2 + 2.8 * number for number in COLUMNS}  # the x of each column's wire
    places = {f"row {row}": y - 0.9 for row, y in level.items()}
    places |= {f"column {number}": 17.4 + 0.7 * number for number in COLUMNS}
    places = {build.signal(name).node[1]: (RIGHT, y) for name, y in places.items()}
    symbols.pico(sheet, ((1, 1.5), (6, 24)), places | {"GND.1": (DOWN, 2.2)})
    sheet.label((PICO, "GND.1"), DOWN)
    for number, x in column.items():
        wire = build.signal(f"column {number}").node
        (resistor,) = sheet.undrawn(wire)
        sheet.wire(sheet.pins[wire], (x, 17.7))
        symbols.between(sheet, resistor, (x, 17.7), (x, 15.9))
        sheet.wire((x, 15.9), (x, level[ROWS[-1]] + 1.7))
    for row, y in level.items():
        collector = _driver(sheet, build.signal(f"row {row}").node)
        for lamp, x in zip(_row(build, row), column.values(), strict=True):
            cathode = symbols.between(sheet, (lamp, "A"), (x + 1, y + 1.7), (x + 1, y))
            sheet.wire((x, y + 1.7), (x + 1, y + 1.7))
        x, _ = sheet.pins[collector]
        sheet.wire(sheet.pins[collector], (x, y), sheet.pins[cathode])
    return sheet


def _driver(sheet, wire):
    """Draw the base resistor and the transistor for a row. Return the collector."""
    (resistor,) = sheet.undrawn(wire)
    begin = sheet.wire(sheet.pins[wire], shift(sheet.pins[wire], RIGHT, 0.6))
    far = symbols.between(sheet, resistor, begin, shift(begin, RIGHT, 2))
    (base,) = sheet.undrawn(far)
    end = sheet.wire(sheet.pins[far], shift(sheet.pins[far], RIGHT, 0.8))
    collector, emitter = symbols.transistor(sheet, base[0], end)
    sheet.label(emitter, DOWN)
    return collector


def pixels(build: Build) -> Sheet:
    """Draw one chain of pixels, with two supply wires per row. From the end of a row, the data
    wire returns to the beginning of the next row."""
    sheet = Sheet(build, ABOUT, 31.5, 25.5)
    sheet.key(_lamps(build))
    data = build.signal("pixels").node
    symbols.pico(sheet, ((1, 18.8), (6.4, 23.6)), {data[1]: (RIGHT, 21), "GND.1": (RIGHT, 19.6)})
    sheet.label((PICO, "GND.1"), RIGHT)
    (out,) = _level_shifter(sheet, [data], ((9.4, 20.2), (16.4, 23)))
    (resistor,) = sheet.undrawn(out)
    end = symbols.between(sheet, resistor, shift(sheet.pins[out], RIGHT, 0.5), (19.5, 21))
    sheet.wire(sheet.pins[out], sheet.pins[resistor])
    for x, role in ((23, f"next to {out[0]}"), (26.6, "pixel reservoir")):
        symbols.upright(sheet, build.by_role(role)[0].ref, (x, 22))
    for row in ROWS:
        y = 19.2 - 3.9 * row  # the height of the row's data pins
        turn = sheet.pins[end][0] + 0.5, y + 1.95
        sheet.wire(sheet.pins[end], turn, (1.6, turn[1]), (1.6, y), (2.4, y))
        end = _chain(sheet, _row(build, row), y)
    return sheet


def _chain(sheet, refs, y):
    """Draw a row of pixels, and return its last pin. `y` is the height of the data pins."""
    for number, ref in enumerate(refs):
        x = 4.15 + 3.9 * number
        corners = (x - 1.15, y - 0.8), (x + 1.15, y + 0.8)
        places = {"DIN": (LEFT, y), "DOUT": (RIGHT, y), "VDD": (UP, x), "VSS": (DOWN, x)}
        places = {pin: places[pin] for pin in sheet.wired(ref)}
        symbols.box(sheet, ref, corners, places, title=(x + 0.7, y + 0.9))
        if number:
            sheet.wire(sheet.pins[refs[number - 1], "DOUT"], sheet.pins[ref, "DIN"])
    for pin in ("VDD", "VSS"):
        begin = shift(sheet.pins[refs[0], pin], LEFT, 0.5)
        sheet.wire(begin, sheet.pins[ref, pin])
        sheet.label((ref, pin), LEFT, begin)
    return ref, "DOUT"


def shift_registers(build: Build) -> Sheet:
    """Draw one register per row, with its lamps above it. Clock, latch and enable go to all four
    registers. The data wire goes from each register to the next."""
    sheet = Sheet(build, ABOUT, 41, 31.4)
    sheet.key(_lamps(build))
    level = {row: 33.6 - 7.1 * row for row in ROWS}  # the height of each register's data pin
    wires = [build.signal(f"shift {name}").node for name in ("data", "clock", "latch", "enable")]
    top = level[1]
    low = top - 6.9  # the height of the enable wire
    places = {pin: (RIGHT, top - 0.7 * n) for n, (_, pin) in enumerate(wires[:-1])}
    places |= {wires[-1][1]: (RIGHT, low), "GND.1": (RIGHT, low - 1.4)}
    symbols.pico(sheet, ((1, low - 2.4), (6.6, top + 2.4)), places)
    sheet.label((PICO, "GND.1"), RIGHT)
    outs = _level_shifter(sheet, wires[:-1], ((11.2, top - 2.3), (16, top + 2)))
    symbols.upright(sheet, build.by_role(f"next to {outs[0][0]}")[0].ref, (12.4, low - 1.6))
    outs.append(_dark_until_lit(sheet, wires[-1], low))

    registers = {row: _register(sheet, row, y) for row, y in level.items()}
    sheet.wire(sheet.pins[outs[0]], sheet.pins[registers[1], "SER_IN"])
    for row, y in level.items():
        if row > 1:
            source = sheet.pins[registers[row - 1], "SER_OUT"]
            turn = source[0] + 0.4, y + 3.4
            sheet.wire(source, turn, (19.2, turn[1]), (19.2, y), shift((19.2, y), RIGHT, 0.7))
    for out, pin, x in zip(outs[1:], BUSES, (18.6, 18, 17.4), strict=True):
        ends = [sheet.pins[register, pin] for register in registers.values()]
        for end in ends:
            sheet.wire((x, end[1]), end)
        sheet.wire((x, ends[0][1]), (x, ends[-1][1]))
        sheet.wire(sheet.pins[out], (x, sheet.pins[out][1]))
    return sheet


def _dark_until_lit(sheet, enable, y):
    """Draw the transistor that raises `enable` to 5 V, and return its collector."""
    emitter, released = sorted(sheet.undrawn(enable), key=lambda node: node[1] != "E")
    start = sheet.wire(sheet.pins[enable], (8.6, y))
    sheet.label(symbols.between(sheet, released, start, shift(start, UP, 2)), UP)
    start = sheet.wire(start, (10.6, y))
    collector, base = symbols.across(sheet, emitter[0], start)
    (resistor,) = sheet.undrawn(base)
    foot = sheet.pins[base]
    sheet.label(symbols.between(sheet, resistor, foot, shift(foot, UP, 2)), UP)
    (high,) = (node for node in sheet.undrawn(collector) if node[0].startswith("R"))
    foot = (14.6, y)
    sheet.label(symbols.between(sheet, high, foot, shift(foot, UP, 2)), UP)
    return collector


BUSES = ("SRCK", "RCK", "G")  # the clock, latch and enable pins of a register


def _register(sheet, row, y):
    """Draw a row's register with its capacitor and lamps. `y` is the height of the data pin."""
    (register,) = (part.ref for part in sheet.build.by_role(f"row {row}"))
    sides = {pin: (LEFT, y - 0.6 * n) for n, pin in enumerate(("SER_IN", *BUSES))}
    sides |= {f"DRAIN{n - 1}": (UP, 20.6 + 2.1 * n) for n in COLUMNS}
    if (register, "SER_OUT") in sheet.net:
        sides["SER_OUT"] = (RIGHT, y - 1.2)
    corners = (20.5, y - 2.2), (36.3, y + 0.55)
    symbols.chip(sheet, register, corners, sides, title=(29, y - 0.5), high=DOWN)
    sheet.text((29, y - 1.35), f"row {row}", "middle", symbols.SMALL, symbols.GREY)
    symbols.upright(sheet, sheet.build.by_role(f"next to {register}")[0].ref, (38.2, y + 0.4))
    lamps = _row(sheet.build, row)
    for n, lamp in enumerate(lamps):
        foot = sheet.pins[register, f"DRAIN{n}"]
        plus = symbols.between(sheet, (lamp, "-"), foot, shift(foot, UP, 1.9))
    end = shift(sheet.pins[plus], RIGHT, 0.5)
    sheet.wire(sheet.pins[lamps[0], "+"], end)
    sheet.label(plus, RIGHT, end)
    return register


def _level_shifter(sheet, wires, corners):
    """Draw the chip that shifts the pins in `wires` to 5 V, and return its outputs."""
    gates = [node for wire in wires for node in sheet.undrawn(wire) if node[1].endswith("A")]
    outs = [(ref, pin.replace("A", "Y")) for ref, pin in gates]
    sides = {}
    for wire, gate, out in zip(wires, gates, outs, strict=True):
        _, y = sheet.pins[wire]
        sides |= {gate[1]: (LEFT, y), out[1]: (RIGHT, y)}
    (left, _), (right, top) = corners
    title = (left + right) / 2, top - 0.95
    pins = [pin for _, pin in outs]
    symbols.chip(sheet, gates[0][0], corners, sides, title, buffers=pins)
    for wire, gate in zip(wires, gates, strict=True):
        sheet.wire(sheet.pins[wire], sheet.pins[gate])
    return outs


def _row(build, row):
    return [build.by_role(f"row {row} lamp {number}")[0].ref for number in COLUMNS]


def _lamps(build):
    return [ref for row in ROWS for ref in _row(build, row)]


LAYOUTS = {"matrix": matrix, "pixels": pixels, "shift": shift_registers}
