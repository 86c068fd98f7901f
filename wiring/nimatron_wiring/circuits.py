"""The three builds: pixels, breadboard and exhibit. Each is a function of the pin map.

Each function places the parts in the order of the work: power, the lamps, all other parts.
"""

from types import ModuleType

from nimatron import board
from nimatron.devices import pins
from nimatron_wiring.netlist import GROUND, GUARD, PICO, Build, NetlistBuilder, Signal

V3, V5, V12 = "3V3", "5V", "12V"  # the rails other than GROUND. Each has a net of the same name
RAIL_NAMES = {GROUND: "0 V", V3: "3.3 V", V5: "5 V", V12: "12 V"}
RAIL_COLOURS = {GROUND: "black", V3: "orange", V5: "red", V12: "brown"}

_ROW, _COLUMN, _BUTTON = "yellow", "blue", "green"
_LEGEND, _SOUNDER, _COIN = "white", "grey", "violet"

QUARTER_WATT = "0.25 W, 5 %"


def builds(pin_map: ModuleType = pins) -> list[Build]:
    """Return the three builds for a pin map."""
    return [pixels(pin_map), breadboard(pin_map), exhibit(pin_map)]


def breadboard(pin_map: ModuleType = pins) -> Build:
    """Return the breadboard build: bare parts on breadboards, powered by the USB cable."""
    builder = NetlistBuilder()
    builder.step("Pico")
    _rail_part(builder, GROUND)
    _pico(builder)
    signals = [
        *_each("row", pin_map.ROWS, _ROW),
        *_each("column", pin_map.COLUMNS, _COLUMN),
        *_panel_signals(pin_map),
    ]
    wires = _by_name(signals)
    builder.step("columns")
    for column in range(1, board.LAMPS + 1):
        wire = wires[f"column {column}"]
        resistor = builder.place(
            "R?", "resistor", "470 Ω", rating=QUARTER_WATT, role=f"column {column}"
        )
        builder.join(wire.name, wire.colour, wire.node, (resistor, "1"))
        builder.join(f"column {column} anodes", _COLUMN, (resistor, "2"))
    for row in range(1, board.ROWS + 1):
        _matrix_row(builder, row, wires[f"row {row}"])
    _tabletop_panel(builder, pin_map, wires)
    return _build(builder, "breadboard", "matrix", "On a breadboard", signals)


def pixels(pin_map: ModuleType = pins) -> Build:
    """Return the one-hour build: a chain of 28 pixels, six buttons and a buzzer, with USB
    power."""
    builder = NetlistBuilder()
    builder.step("Pico")
    _rail_part(builder, GROUND)
    builder.place(PICO, "pico", "Raspberry Pi Pico", role="the machine itself")
    _rail(builder, GROUND, (PICO, "GND.8"))
    buttons = [Signal(f"button {name}", gpio, _BUTTON) for name, gpio in pin_map.BUTTONS]
    lamps = Signal("pixels", pin_map.PIXELS, _COLUMN)
    buzzer = Signal("sounder", pin_map.SOUNDER, _SOUNDER)
    builder.step("lamps")
    drop = builder.place("D?", "diode", "1N4007", rating="1000 V 1 A", role="5 V to 4.3 V")
    series = builder.place("R?", "resistor", "470 Ω", rating=QUARTER_WATT, role="pixels")
    chain = builder.place("LED?", "chain", "28 pixels", rating="5 V", role="lamps")
    builder.join("VBUS", "red", (PICO, "VBUS"), (drop, "A"))
    builder.join("pixels +", "red", (drop, "K"), (chain, "+"))
    builder.join(lamps.name, lamps.colour, lamps.node, (series, "2"))
    builder.join("pixels data", lamps.colour, (series, "1"), (chain, "DIN"))
    _rail(builder, GROUND, (chain, "-"))
    _buttons(builder, buttons, "12 mm")
    _buzzer(builder, buzzer)
    return _build(builder, "pixels", "pixels", "In an hour", [lamps, *buttons, buzzer])


def exhibit(pin_map: ModuleType = pins) -> Build:
    """Return the exhibit: 12 V lamps, arcade buttons on long cables, and a loudspeaker."""
    builder = NetlistBuilder()
    builder.step("12 V")
    _rail_part(builder, GROUND)
    stud = builder.place("E?", "stud", "M4", role="the metal panel")
    _rail(builder, GROUND, (stud, "stud"))
    _rail_part(builder, V12)
    fused = _inlet(builder, V12, "12 V 3 A")
    power = builder.place("S?", "switch", "on/off", rating="12 V 5 A", role="power")
    guard = builder.place("D?", "diode", "SB560", rating="Schottky, 60 V 5 A", role=GUARD)
    builder.join("fused", RAIL_COLOURS[V12], fused, (power, "1"))
    builder.join("switched", RAIL_COLOURS[V12], (power, "2"), (guard, "A"))
    _rail(builder, V12, (guard, "K"))
    tvs = builder.place("D?", "tvs", "1.5KE18A", rating="18 V, 1500 W", role="12 V surge guard")
    _between(builder, tvs, "K", V12, "A", GROUND)
    bulk = builder.place("C?", "electrolytic", "1000 µF", rating="25 V", role="12 V reservoir")
    _between(builder, bulk, "+", V12, "-", GROUND)
    builder.step("5 V")
    _rail_part(builder, V5)
    regulator = builder.place("PS?", "regulator", "TSR 1-2450", rating="5 V 1 A", role="5 V")
    _rail(builder, V12, (regulator, "VIN"))
    _rail(builder, GROUND, (regulator, "GND"))
    _rail(builder, V5, (regulator, "VOUT"))
    store = builder.place("C?", "electrolytic", "100 µF", rating="10 V", role="5 V reservoir")
    _between(builder, store, "+", V5, "-", GROUND)
    builder.step("Pico")
    _rail_part(builder, V3)
    _pico(builder)
    _rail(builder, V3, (PICO, "3V3"))
    _into_vsys(builder)

    signals = [
        *(Signal(f"shift {name}", gpio, _ROW) for name, gpio in pin_map.SHIFT),
        *_panel_signals(pin_map),
    ]
    wires = _by_name(signals)
    _shift_rows(builder, [wires[f"shift {name}"] for name, _ in pin_map.SHIFT])
    builder.step("buttons")
    for name, _ in pin_map.BUTTONS:
        _cabled_button(builder, wires[f"button {name}"])
    _legend_lamps(builder, [wires[f"legend {name}"] for name, _ in pin_map.LEGENDS])
    _amplifier(builder, wires["sounder"])
    _solenoid(builder, wires["coin"])
    return _build(builder, "exhibit", "shift", "As an exhibit", signals)


def _build(builder, name, display, title, signals):
    return Build(name, display, title, tuple(signals), tuple(builder.parts), tuple(builder.nets()))


# Signals


def _each(what, gpios, colour):
    return [Signal(f"{what} {number}", gpio, colour) for number, gpio in enumerate(gpios, 1)]


def _panel_signals(pin_map):
    """Return the signals that every build has in addition to its lamps."""
    return [
        *(Signal(f"button {name}", gpio, _BUTTON) for name, gpio in pin_map.BUTTONS),
        *(Signal(f"legend {name}", gpio, _LEGEND) for name, gpio in pin_map.LEGENDS),
        Signal("sounder", pin_map.SOUNDER, _SOUNDER),
        Signal("coin", pin_map.COIN, _COIN),
    ]


def _by_name(signals):
    return {signal.name: signal for signal in signals}


# Power


def _pico(builder):
    builder.place(PICO, "pico", "Raspberry Pi Pico", role="the machine itself")
    _rail(builder, GROUND, (PICO, "GND.1"), (PICO, "GND.8"))


def _rail_part(builder, volts):
    builder.place(volts, "rail", RAIL_NAMES[volts])
    _rail(builder, volts, (volts, "rail"))


def _rail(builder, volts, *nodes):
    builder.join(volts, RAIL_COLOURS[volts], *nodes)


def _between(builder, ref, upper, rail, lower, ground):
    """Connect a part between two rails."""
    _rail(builder, rail, (ref, upper))
    _rail(builder, ground, (ref, lower))


def _inlet(builder, volts, supply):
    """Place the supply, its inlet and the fuse after the inlet. Return the far end of the fuse.
    The supply plugs into the inlet, so it has no wires."""
    builder.place("PSU?", "supply", supply, role="supply")
    inlet = builder.place("J?", "inlet", "5.5 x 2.1 mm", rating="5 A", role="supply")
    fuse = builder.place("F?", "fuse", "T 2.5 A", rating="250 V", role=f"the whole {volts} side")
    builder.join("supply +", RAIL_COLOURS[volts], (inlet, "+"), (fuse, "1"))
    _rail(builder, GROUND, (inlet, "-"))
    return fuse, "2"


def _into_vsys(builder):
    """Connect 5 V to the Pico so that you can also plug in a USB cable."""
    diode = builder.place(
        "D?", "diode", "1N5817", rating="Schottky, 20 V 1 A", role="5 V into the Pico"
    )
    _rail(builder, V5, (diode, "A"))
    builder.join("VSYS", "red", (diode, "K"), (PICO, "VSYS"))


def _bypass(builder, chip):
    capacitor = builder.place("C?", "capacitor", "100 nF", rating="50 V", role=f"next to {chip}")
    _between(builder, capacitor, "1", V5, "2", GROUND)


# Lamps


def _matrix_row(builder, row, wire):
    builder.step(f"row {row}")
    base = builder.place("R?", "resistor", "1 kΩ", rating=QUARTER_WATT, role=f"row {row}")
    transistor = builder.place("Q?", "npn", "2N3904", rating="40 V 200 mA", role=f"row {row}")
    builder.join(wire.name, wire.colour, wire.node, (base, "1"))
    builder.join(f"row {row} base", wire.colour, (base, "2"), (transistor, "B"))
    _rail(builder, GROUND, (transistor, "E"))
    builder.join(f"row {row} cathodes", wire.colour, (transistor, "C"))
    for lamp in range(1, board.LAMPS + 1):
        role = f"row {row} lamp {lamp}"
        led = builder.place("D?", "led", "red", rating="20 mA", role=role)
        builder.join(f"column {lamp} anodes", _COLUMN, (led, "A"))
        builder.join(f"row {row} cathodes", wire.colour, (led, "C"))


def _shifter(builder, wires):
    """Place a chip that shifts up to four signals from 3.3 V to 5 V. Unused gates are disabled."""
    chip = builder.place("U?", "74AHCT125", "SN74AHCT125N", rating="5 V", role="level shifter")
    _rail(builder, V5, (chip, "VCC"))
    _rail(builder, GROUND, (chip, "GND"))
    _bypass(builder, chip)
    for gate in range(1, 5):
        if gate <= len(wires):
            wire = wires[gate - 1]
            builder.join(wire.name, wire.colour, wire.node, (chip, f"{gate}A"))
            _rail(builder, GROUND, (chip, f"{gate}OE"))
        else:
            _rail(builder, V5, (chip, f"{gate}OE"))
            _rail(builder, GROUND, (chip, f"{gate}A"))
    return chip


def _dark_until_lit(builder, enable):
    """Shift `enable` to 5 V with a transistor. The lamps are lit while `enable` is low, so it must
    stay high while the Pico has no power or does not drive the pin.

    A gate of the level shifter cannot do this, because it gets power before the Pico and reads the
    pin of a Pico without power as low. The transistor conducts only while 3.3 V is on and the pin
    is low.
    """
    role = "keeps the lamps dark"
    switch = builder.place("Q?", "npn", "2N3904", rating="40 V 200 mA", role=role)
    base, high, released = (
        builder.place("R?", "resistor", "4.7 kΩ", rating=QUARTER_WATT, role=role) for _ in range(3)
    )
    _rail(builder, V3, (base, "1"), (released, "1"))
    builder.join("shift enable base", enable.colour, (base, "2"), (switch, "B"))
    builder.join(enable.name, enable.colour, enable.node, (switch, "E"), (released, "2"))
    builder.join(f"{enable.name} 5 V", enable.colour, (switch, "C"), (high, "2"))
    _rail(builder, V5, (high, "1"))


def _shift_rows(builder, wires):
    """Place one register per row. The register for row 1 comes first on the data wire."""
    clock, data, latch, enable = wires
    builder.step("level shifter")
    shifter = _shifter(builder, wires[:-1])
    for gate, signal in enumerate(wires[:-1], 1):
        builder.join(f"{signal.name} 5 V", signal.colour, (shifter, f"{gate}Y"))
    _dark_until_lit(builder, enable)
    source = f"{data.name} 5 V"
    for row in range(1, board.ROWS + 1):
        builder.step(f"row {row}")
        chip = builder.place("U?", "TPIC6B595", "TPIC6B595N", rating="50 V", role=f"row {row}")
        _rail(builder, V5, (chip, "VCC"), (chip, "SRCLR"))
        _rail(builder, GROUND, (chip, "GND"), (chip, "GND.2"), (chip, "GND.3"))
        _bypass(builder, chip)
        for signal, pin in ((clock, "SRCK"), (latch, "RCK"), (enable, "G")):
            builder.join(f"{signal.name} 5 V", signal.colour, (chip, pin))
        builder.join(source, data.colour, (chip, "SER_IN"))
        if row < board.ROWS:
            source = f"data from row {row} to row {row + 1}"
            builder.join(source, data.colour, (chip, "SER_OUT"))
        for lamp in range(1, board.LAMPS + 1):
            role = f"row {row} lamp {lamp}"
            bulb = builder.place("H?", "lamp", "12 V 20 mA", rating="12 V", role=role)
            _rail(builder, V12, (bulb, "+"))
            builder.join(role, _COLUMN, (chip, f"DRAIN{lamp - 1}"), (bulb, "-"))


# Buttons, legends, sounder, coin


def _tabletop_panel(builder, pin_map, wires):
    """Place simple controls for short wires: switches, LEDs and a piezo buzzer."""
    names = [f"button {name}" for name, _ in pin_map.BUTTONS]
    _buttons(builder, [wires[name] for name in names], "6 mm")  # their legs fit the holes
    builder.step("signs")
    for name, _ in pin_map.LEGENDS:
        _indicator(builder, wires[f"legend {name}"])
    _buzzer(builder, wires["sounder"])
    builder.step("coin")
    _indicator(builder, wires["coin"])


def _buttons(builder, wires, size):
    builder.step("buttons")
    for wire in wires:
        button = builder.place("S?", "tactile", size, rating="12 V 50 mA", role=wire.name)
        builder.join(wire.name, wire.colour, wire.node, (button, "1"))
        _rail(builder, GROUND, (button, "2"))


def _buzzer(builder, wire):
    builder.step("buzzer")
    resistor = builder.place("R?", "resistor", "1 kΩ", rating=QUARTER_WATT, role="sounder")
    disc = builder.place("LS?", "piezo", "PS1720P02", rating="17 mm", role="sounder")
    builder.join(wire.name, wire.colour, wire.node, (resistor, "1"))
    builder.join("sounder piezo", wire.colour, (resistor, "2"), (disc, "2"))
    _rail(builder, GROUND, (disc, "1"))


def _indicator(builder, wire):
    """Place an LED that is lit while the pin is high, as bright as a lamp in the matrix."""
    resistor = builder.place("R?", "resistor", "2.2 kΩ", rating=QUARTER_WATT, role=wire.name)
    led = builder.place("D?", "led", "red", rating="20 mA", role=wire.name)
    builder.join(wire.name, wire.colour, wire.node, (resistor, "1"))
    builder.join(f"{wire.name} anode", wire.colour, (resistor, "2"), (led, "A"))
    _rail(builder, GROUND, (led, "C"))


def _cabled_button(builder, wire):
    """Place a button on a long cable, with a suppressor diode at the end of the cable, a strong
    pull-up, and a filter at the Pico."""
    button = builder.place(
        "S?", "arcade", "28 mm", rating="12 V 0.1 A, gold contacts", role=wire.name
    )
    up = builder.place("R?", "resistor", "4.7 kΩ", rating=QUARTER_WATT, role=wire.name)
    series = builder.place("R?", "resistor", "1 kΩ", rating=QUARTER_WATT, role=wire.name)
    filter_ = builder.place("C?", "capacitor", "100 nF", rating="50 V", role=wire.name)
    spark = builder.place("D?", "tvs", "P6KE6.8A", rating="6.8 V, 600 W", role=wire.name)
    cable = (button, "1"), (spark, "K"), (up, "1"), (series, "1")
    builder.join(f"{wire.name} cable", wire.colour, *cable)
    _rail(builder, GROUND, (button, "2"), (spark, "A"))
    _rail(builder, V3, (up, "2"))
    builder.join(wire.name, wire.colour, wire.node, (series, "2"), (filter_, "1"))
    _rail(builder, GROUND, (filter_, "2"))


def _legend_lamps(builder, wires):
    builder.step("signs")
    chip = builder.place("U?", "ULN2803A", "ULN2803A", rating="50 V", role="legends")
    _rail(builder, GROUND, (chip, "GND"))
    _rail(builder, V12, (chip, "COM"))
    for channel, wire in enumerate(wires, 1):
        bulb = builder.place("H?", "lamp", "12 V 20 mA", rating="12 V", role=wire.name)
        builder.join(wire.name, wire.colour, wire.node, (chip, f"{channel}B"))
        builder.join(f"{wire.name} lamp", wire.colour, (chip, f"{channel}C"), (bulb, "-"))
        _rail(builder, V12, (bulb, "+"))


def _amplifier(builder, wire):
    builder.step("loudspeaker")
    series = builder.place("R?", "resistor", "47 kΩ", rating=QUARTER_WATT, role="sounder")
    volume = builder.place("RV?", "pot", "10 kΩ", rating="0.1 W", role="volume")
    block = builder.place("C?", "capacitor", "100 nF", rating="50 V", role="sounder")
    module = builder.place("U?", "amplifier", "PAM8302A", rating="5 V, 2.5 W", role="sounder")
    speaker = builder.place("LS?", "speaker", "8 Ω", rating="3 W", role="sounder")
    builder.join(wire.name, wire.colour, wire.node, (series, "1"))
    builder.join("volume in", wire.colour, (series, "2"), (volume, "2"))
    builder.join("volume out", wire.colour, (volume, "wiper"), (block, "1"))
    builder.join("amplifier in", wire.colour, (block, "2"), (module, "A+"))
    _rail(builder, GROUND, (volume, "1"), (module, "A-"), (module, "GND"))
    _rail(builder, V5, (module, "VIN"))
    builder.join("speaker +", wire.colour, (module, "OUT+"), (speaker, "+"))
    builder.join("speaker -", wire.colour, (module, "OUT-"), (speaker, "-"))


def _solenoid(builder, wire):
    builder.step("coin")
    gate = builder.place("R?", "resistor", "1 kΩ", rating=QUARTER_WATT, role="coin")
    down = builder.place("R?", "resistor", "4.7 kΩ", rating=QUARTER_WATT, role="coin")
    switch = builder.place("Q?", "mosfet", "IRLB8721", rating="30 V 62 A", role="coin")
    fuse = builder.place("F?", "fuse", "T 200 mA", rating="250 V", role="solenoid")
    solenoid = builder.place(
        "L?", "solenoid", "12 V 0.5 A", rating="6 W, short pulses", role="coin"
    )
    flyback = builder.place("D?", "diode", "1N4007", rating="1000 V 1 A", role="coin")
    builder.join(wire.name, wire.colour, wire.node, (gate, "1"), (down, "1"))
    builder.join("coin gate", wire.colour, (gate, "2"), (switch, "G"))
    _rail(builder, GROUND, (switch, "S"), (down, "2"))
    _rail(builder, V12, (fuse, "1"))
    builder.join("solenoid +", RAIL_COLOURS[V12], (fuse, "2"), (solenoid, "1"), (flyback, "K"))
    builder.join("solenoid -", wire.colour, (switch, "D"), (solenoid, "2"), (flyback, "A"))
