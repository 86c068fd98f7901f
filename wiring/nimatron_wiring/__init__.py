"""All drawings and pages about the wiring, generated from the pin map,
firmware/nimatron/devices/pins.py.

pico.py            the board: its pins, their numbers, what they can do
kinds.py           the kinds of parts, and what may replace each
catalogue.py       what to order for each part, and what instead
bom.py             the bill of materials, as a table
netlist.py         parts, nets and builds: what is soldered to what
circuits.py        the three builds: breadboard, pixels, exhibit
checks.py          the checks to pass before anything is written
budget.py          the current that flows in each place, and the limit
spice.py           a build as a deck for the circuit simulator ngspice
simulations.py     what ngspice finds of each build; kept in simulated.json
steps.py           the work in order, worked out from the netlist
prose.py           safety, advice and tests, which the netlist does not contain
pages.py           the pages of wiring/
breadboard/        the breadboard build, hole by hole, with a picture for each step
where.py           where on the breadboard to look for a fault that the firmware reports
pcb/               the breadboard build on a circuit board
panel/             the front panel of the exhibit
kit/               what is not text: build books, files for a workshop
wokwi.py           the diagram for the Wokwi simulator
schematics.py      the schematics of a build, and the proof that they match its netlist
sheet_lamps.py     the first sheet: the lamps
sheet_controls.py  the second sheet: everything else
blocks.py          the block diagram of a build
harness.py         the cables of the exhibit: plugs, pins, labels, and their drawing
symbols.py         how each kind of part looks
sheet.py           a sheet of paper, and what its wires connect
legible.py         whether words overlap
write.py           generates everything: `nimatron wiring`
"""
