"""The three builds, each a function of the pin map: breadboard, pixels, exhibit.

The order of the lines is the order of the work: power first, then the lamps, then the rest.
"""

from types import ModuleType

from nimatron import board
from nimatron.devices import pins
from nimatron_wiring.netlist import GROUND, PICO, Bench, Build, Signal

V3, V5, V12 = "3V3", "5V", "12V"  # rails beside GROUND; each has its net of the same name
RAIL_NAMES = {GROUND: "0 V", V3: "3.3 V", V5: "5 V", V12: "12 V"}
RAIL_COLOURS = {GROUND: "black", V3: "orange", V5: "red", V12: "brown"}

_ROW, _COLUMN, _BUTTON = "yellow", "blue", "green"
_LEGEND, _SOUNDER, _COIN = "white", "grey", "violet"

QUARTER_WATT = "0.25 W, 5 %"


def builds(pin_map: ModuleType = pins) -> list[Build]:
    """All three, from this pin map."""
    return [breadboard(pin_map), pixels(pin_map), exhibit(pin_map)]


def breadboard(pin_map: ModuleType = pins) -> Build:
    """Bare parts on a breadboard; the Pico lives from its USB cable."""
    bench = Bench()
    bench.step("Pico")
    _rail_part(bench, GROUND)
    _pico(bench)
    signals = [
        *_each("row", pin_map.ROWS, _ROW),
        *_each("column", pin_map.COLUMNS, _COLUMN),
        *_panel_signals(pin_map),
    ]
    wires = _by_name(signals)
    bench.step("columns")
    for column in range(1, board.LAMPS + 1):
        wire = wires[f"column {column}"]
        resistor = bench.place(
            "R?", "resistor", "470 Ω", rating=QUARTER_WATT, role=f"column {column}"
        )
        bench.join(wire.name, wire.colour, wire.node, (resistor, "1"))
        bench.join(f"column {column} anodes", _COLUMN, (resistor, "2"))
    for row in range(1, board.ROWS + 1):
        _matrix_row(bench, row, wires[f"row {row}"])
    _bench_panel(bench, pin_map, wires)
    return _build(bench, "breadboard", "matrix", "On a breadboard", signals)


def pixels(pin_map: ModuleType = pins) -> Build:
    """28 WS2812B pixels in one chain, from a supply of 5 V."""
    bench = Bench()
    bench.step("5 V")
    _rail_part(bench, GROUND)
    _inlet(bench, V5, "5 V 3 A", "T 2.5 A", "250 V")
    bulk = bench.place("C?", "electrolytic", "1000 µF", rating="10 V", role="store for the pixels")
    _between(bench, bulk, "+", V5, "-", GROUND)
    bench.step("Pico")
    _pico(bench)
    _into_vsys(bench)
    signals = [Signal("pixels", pin_map.PIXELS, _COLUMN), *_panel_signals(pin_map)]
    wires = _by_name(signals)
    bench.step("level shifter")
    shifter = _shifter(bench, [wires["pixels"]])
    resistor = bench.place("R?", "resistor", "470 Ω", rating=QUARTER_WATT, role="pixels")
    bench.join("pixels 5 V", _COLUMN, (shifter, "1Y"), (resistor, "1"))
    data = resistor, "2"
    for row in range(1, board.ROWS + 1):
        bench.step(f"row {row}")
        for lamp in range(1, board.LAMPS + 1):
            role = f"row {row} lamp {lamp}"
            pixel = bench.place("LED?", "pixel", "WS2812B", rating="5 V, 60 mA", role=role)
            bench.join(f"data to {role}", _COLUMN, data, (pixel, "DIN"))
            _rail(bench, V5, (pixel, "VDD"))
            _rail(bench, GROUND, (pixel, "VSS"))
            data = pixel, "DOUT"
    _bench_panel(bench, pin_map, wires)
    return _build(bench, "pixels", "pixels", "With pixels", signals)


def exhibit(pin_map: ModuleType = pins) -> Build:
    """A cabinet for the public: 12 V lamps, arcade buttons on long cables, a loudspeaker."""
    bench = Bench()
    bench.step("12 V")
    _rail_part(bench, GROUND)
    stud = bench.place("E?", "stud", "M4", role="the metal panel")
    _rail(bench, GROUND, (stud, "stud"))
    _inlet(bench, V12, "12 V 3 A", "T 2.5 A", "250 V", switch="12 V 5 A")
    tvs = bench.place("D?", "tvs", "1.5KE18A", rating="18 V, 1500 W", role="guard of the 12 V")
    _between(bench, tvs, "K", V12, "A", GROUND)
    bulk = bench.place("C?", "electrolytic", "1000 µF", rating="25 V", role="store of the 12 V")
    _between(bench, bulk, "+", V12, "-", GROUND)
    bench.step("5 V")
    _rail_part(bench, V5)
    regulator = bench.place("PS?", "regulator", "R-78E5.0-1.0", rating="5 V 1 A", role="5 V")
    _rail(bench, V12, (regulator, "VIN"))
    _rail(bench, GROUND, (regulator, "GND"))
    _rail(bench, V5, (regulator, "VOUT"))
    store = bench.place("C?", "electrolytic", "470 µF", rating="10 V", role="store of the 5 V")
    _between(bench, store, "+", V5, "-", GROUND)
    bench.step("Pico")
    _rail_part(bench, V3)
    _pico(bench)
    _rail(bench, V3, (PICO, "3V3"))
    _into_vsys(bench)

    signals = [
        *(Signal(f"shift {name}", gpio, _ROW) for name, gpio in pin_map.SHIFT),
        *_panel_signals(pin_map),
    ]
    wires = _by_name(signals)
    _shift_rows(bench, [wires[f"shift {name}"] for name, _ in pin_map.SHIFT])
    bench.step("buttons")
    for name, _ in pin_map.BUTTONS:
        _cabled_button(bench, wires[f"button {name}"])
    _legend_lamps(bench, [wires[f"legend {name}"] for name, _ in pin_map.LEGENDS])
    _amplifier(bench, wires["sounder"])
    _solenoid(bench, wires["coin"])
    return _build(bench, "exhibit", "shift", "As an exhibit", signals)


def _build(bench, name, display, title, signals):
    return Build(name, display, title, tuple(signals), tuple(bench.parts), tuple(bench.nets()))


# Signals


def _each(what, gpios, colour):
    return [Signal(f"{what} {number}", gpio, colour) for number, gpio in enumerate(gpios, 1)]


def _panel_signals(pin_map):
    """What every build has beside its lamps."""
    return [
        *(Signal(f"button {name}", gpio, _BUTTON) for name, gpio in pin_map.BUTTONS),
        *(Signal(f"legend {name}", gpio, _LEGEND) for name, gpio in pin_map.LEGENDS),
        Signal("sounder", pin_map.SOUNDER, _SOUNDER),
        Signal("coin", pin_map.COIN, _COIN),
    ]


def _by_name(signals):
    return {signal.name: signal for signal in signals}


# Power


def _pico(bench):
    bench.place(PICO, "pico", "Raspberry Pi Pico", role="the machine itself")
    _rail(bench, GROUND, (PICO, "GND.1"), (PICO, "GND.8"))


def _rail_part(bench, volts):
    bench.place(volts, "rail", RAIL_NAMES[volts])
    _rail(bench, volts, (volts, "rail"))


def _rail(bench, volts, *nodes):
    bench.join(volts, RAIL_COLOURS[volts], *nodes)


def _between(bench, ref, upper, rail, lower, ground):
    """A part from one rail to another."""
    _rail(bench, rail, (ref, upper))
    _rail(bench, ground, (ref, lower))


def _inlet(bench, volts, supply, fuse, fuse_rating, switch=None):
    """Supply, inlet, fuse, perhaps a switch, and the rail behind them."""
    plug = bench.place("PSU?", "supply", supply, role="supply")
    inlet = bench.place("J?", "inlet", "5.5 x 2.1 mm", rating="5 A", role="supply")
    fuse = bench.place("F?", "fuse", fuse, rating=fuse_rating, role=f"all of the {volts} side")
    _rail_part(bench, volts)
    colour = RAIL_COLOURS[volts]
    bench.join("supply +", colour, (plug, "+"), (inlet, "+"), (fuse, "1"))
    _rail(bench, GROUND, (plug, "-"), (inlet, "-"))
    if switch:
        breaker = bench.place("S?", "switch", "on/off", rating=switch, role="power")
        bench.join("fused", colour, (fuse, "2"), (breaker, "1"))
        _rail(bench, volts, (breaker, "2"))
    else:
        _rail(bench, volts, (fuse, "2"))


def _into_vsys(bench):
    """5 V to the Pico, so that a USB cable may be in at the same time."""
    diode = bench.place(
        "D?", "diode", "1N5817", rating="Schottky, 20 V 1 A", role="5 V into the Pico"
    )
    _rail(bench, V5, (diode, "A"))
    bench.join("VSYS", "red", (diode, "K"), (PICO, "VSYS"))


def _bypass(bench, chip):
    capacitor = bench.place(
        "C?", "capacitor", "100 nF", rating="50 V", role=f"beside {chip}", note="legs short"
    )
    _between(bench, capacitor, "1", V5, "2", GROUND)


# Lamps


def _matrix_row(bench, row, wire):
    bench.step(f"row {row}")
    base = bench.place("R?", "resistor", "1 kΩ", rating=QUARTER_WATT, role=f"row {row}")
    transistor = bench.place("Q?", "npn", "2N3904", rating="40 V 200 mA", role=f"row {row}")
    bench.join(wire.name, wire.colour, wire.node, (base, "1"))
    bench.join(f"row {row} base", wire.colour, (base, "2"), (transistor, "B"))
    _rail(bench, GROUND, (transistor, "E"))
    bench.join(f"row {row} cathodes", wire.colour, (transistor, "C"))
    for lamp in range(1, board.LAMPS + 1):
        role = f"row {row} lamp {lamp}"
        led = bench.place("D?", "led", "red", rating="20 mA", role=role)
        bench.join(f"column {lamp} anodes", _COLUMN, (led, "A"))
        bench.join(f"row {row} cathodes", wire.colour, (led, "C"))


def _shifter(bench, wires):
    """3.3 V to 5 V for up to four signals, gate 1 for the first; free gates are switched off."""
    chip = bench.place("U?", "74AHCT125", "SN74AHCT125N", rating="5 V", role="level shifter")
    _rail(bench, V5, (chip, "VCC"))
    _rail(bench, GROUND, (chip, "GND"))
    _bypass(bench, chip)
    for gate in range(1, 5):
        if gate <= len(wires):
            wire = wires[gate - 1]
            bench.join(wire.name, wire.colour, wire.node, (chip, f"{gate}A"))
            _rail(bench, GROUND, (chip, f"{gate}OE"))
        else:
            _rail(bench, V5, (chip, f"{gate}OE"))
            _rail(bench, GROUND, (chip, f"{gate}A"))
    return chip


def _shift_rows(bench, wires):
    """A register a row: row 1's first on the data wire, row 4's last."""
    clock, data, latch, enable = wires
    bench.step("level shifter")
    shifter = _shifter(bench, wires)
    dark = bench.place(
        "R?", "resistor", "10 kΩ", rating=QUARTER_WATT, role="keeps the lamps dark until the start"
    )
    bench.join(enable.name, enable.colour, (dark, "1"))
    _rail(bench, V3, (dark, "2"))
    for gate, signal in enumerate(wires, 1):
        bench.join(f"{signal.name} 5 V", signal.colour, (shifter, f"{gate}Y"))
    source = f"{data.name} 5 V"
    for row in range(1, board.ROWS + 1):
        bench.step(f"row {row}")
        chip = bench.place("U?", "TPIC6B595", "TPIC6B595N", rating="50 V", role=f"row {row}")
        _rail(bench, V5, (chip, "VCC"), (chip, "SRCLR"))
        _rail(bench, GROUND, (chip, "GND"), (chip, "GND.2"), (chip, "GND.3"))
        _bypass(bench, chip)
        for signal, pin in ((clock, "SRCK"), (latch, "RCK"), (enable, "G")):
            bench.join(f"{signal.name} 5 V", signal.colour, (chip, pin))
        bench.join(source, data.colour, (chip, "SER_IN"))
        if row < board.ROWS:
            source = f"data from row {row} to row {row + 1}"
            bench.join(source, data.colour, (chip, "SER_OUT"))
        for lamp in range(1, board.LAMPS + 1):
            role = f"row {row} lamp {lamp}"
            bulb = bench.place("H?", "lamp", "12 V 20 mA", rating="12 V", role=role)
            _rail(bench, V12, (bulb, "+"))
            bench.join(role, _COLUMN, (chip, f"DRAIN{lamp - 1}"), (bulb, "-"))


# Buttons, legends, sounder, coin


def _bench_panel(bench, pin_map, wires):
    """As little as does it, for arm's length of wire: switches, LEDs, a piezo disc."""
    bench.step("buttons")
    for name, _ in pin_map.BUTTONS:
        wire = wires[f"button {name}"]
        button = bench.place("S?", "tactile", "12 mm", rating="12 V 50 mA", role=wire.name)
        bench.join(wire.name, wire.colour, wire.node, (button, "1"))
        _rail(bench, GROUND, (button, "2"))
    bench.step("legends")
    for name, _ in pin_map.LEGENDS:
        _indicator(bench, wires[f"legend {name}"])
    bench.step("sounder")
    wire = wires["sounder"]
    resistor = bench.place("R?", "resistor", "1 kΩ", rating=QUARTER_WATT, role="sounder")
    disc = bench.place("LS?", "piezo", "27 mm", rating="30 V peak to peak", role="sounder")
    bench.join(wire.name, wire.colour, wire.node, (resistor, "1"))
    bench.join("sounder disc", wire.colour, (resistor, "2"), (disc, "2"))
    _rail(bench, GROUND, (disc, "1"))
    bench.step("coin")
    _indicator(bench, wires["coin"])


def _indicator(bench, wire):
    """A LED that shines while the pin is high."""
    resistor = bench.place("R?", "resistor", "1 kΩ", rating=QUARTER_WATT, role=wire.name)
    led = bench.place("D?", "led", "red", rating="20 mA", role=wire.name)
    bench.join(wire.name, wire.colour, wire.node, (resistor, "1"))
    bench.join(f"{wire.name} anode", wire.colour, (resistor, "2"), (led, "A"))
    _rail(bench, GROUND, (led, "C"))


def _cabled_button(bench, wire):
    """A strong pull-up for metres of cable, and a filter at the Pico against what it picks up."""
    button = bench.place(
        "S?", "arcade", "30 mm", rating="12 V 0.1 A, gold contacts", role=wire.name
    )
    up = bench.place("R?", "resistor", "4.7 kΩ", rating=QUARTER_WATT, role=wire.name)
    series = bench.place("R?", "resistor", "1 kΩ", rating=QUARTER_WATT, role=wire.name)
    filter_ = bench.place("C?", "capacitor", "100 nF", rating="50 V", role=wire.name)
    bench.join(f"{wire.name} cable", wire.colour, (button, "1"), (up, "1"), (series, "1"))
    _rail(bench, GROUND, (button, "2"))
    _rail(bench, V3, (up, "2"))
    bench.join(wire.name, wire.colour, wire.node, (series, "2"), (filter_, "1"))
    _rail(bench, GROUND, (filter_, "2"))


def _legend_lamps(bench, wires):
    bench.step("legends")
    chip = bench.place("U?", "ULN2803A", "ULN2803A", rating="50 V", role="legends")
    _rail(bench, GROUND, (chip, "GND"))
    _rail(bench, V12, (chip, "COM"))
    for channel, wire in enumerate(wires, 1):
        bulb = bench.place("H?", "lamp", "12 V 20 mA", rating="12 V", role=wire.name)
        bench.join(wire.name, wire.colour, wire.node, (chip, f"{channel}B"))
        bench.join(f"{wire.name} lamp", wire.colour, (chip, f"{channel}C"), (bulb, "-"))
        _rail(bench, V12, (bulb, "+"))


def _amplifier(bench, wire):
    bench.step("sounder")
    series = bench.place("R?", "resistor", "47 kΩ", rating=QUARTER_WATT, role="sounder")
    volume = bench.place("RV?", "pot", "10 kΩ", rating="0.1 W", role="volume")
    block = bench.place("C?", "capacitor", "100 nF", rating="50 V", role="sounder")
    module = bench.place("U?", "amplifier", "PAM8302A", rating="5 V, 2.5 W", role="sounder")
    speaker = bench.place("LS?", "speaker", "8 Ω", rating="3 W", role="sounder")
    bench.join(wire.name, wire.colour, wire.node, (series, "1"))
    bench.join("volume in", wire.colour, (series, "2"), (volume, "2"))
    bench.join("volume out", wire.colour, (volume, "wiper"), (block, "1"))
    bench.join("amplifier in", wire.colour, (block, "2"), (module, "A+"))
    _rail(bench, GROUND, (volume, "1"), (module, "A-"), (module, "GND"))
    _rail(bench, V5, (module, "VIN"))
    bench.join("speaker +", wire.colour, (module, "OUT+"), (speaker, "+"))
    bench.join("speaker -", wire.colour, (module, "OUT-"), (speaker, "-"))


def _solenoid(bench, wire):
    bench.step("coin")
    gate = bench.place("R?", "resistor", "1 kΩ", rating=QUARTER_WATT, role="coin")
    down = bench.place("R?", "resistor", "100 kΩ", rating=QUARTER_WATT, role="coin")
    switch = bench.place("Q?", "mosfet", "IRLB8721", rating="30 V 62 A", role="coin")
    fuse = bench.place("F?", "fuse", "T 200 mA", rating="250 V", role="solenoid")
    solenoid = bench.place("L?", "solenoid", "12 V 0.5 A", rating="6 W, short pulses", role="coin")
    flyback = bench.place("D?", "diode", "1N4007", rating="1000 V 1 A", role="coin")
    bench.join(wire.name, wire.colour, wire.node, (gate, "1"))
    bench.join("coin gate", wire.colour, (gate, "2"), (switch, "G"), (down, "1"))
    _rail(bench, GROUND, (switch, "S"), (down, "2"))
    _rail(bench, V12, (fuse, "1"))
    bench.join("solenoid +", RAIL_COLOURS[V12], (fuse, "2"), (solenoid, "1"), (flyback, "K"))
    bench.join("solenoid -", wire.colour, (switch, "D"), (solenoid, "2"), (flyback, "A"))
