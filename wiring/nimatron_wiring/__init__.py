"""All drawings and pages about the wiring, generated from the pin map,
firmware/nimatron/devices/pins.py.

- pico.py: the board, its pins and their limits
- kinds.py: the kinds of parts, and their pins
- catalogue.py: the part to order for each, and its substitutes
- bom.py: the bill of materials, as a table
- netlist.py: parts, and the nets that join them to a build
- circuits.py: the three builds (breadboard, pixels, exhibit)
- checks.py: the checks to pass before anything is written
- budget.py: the current that flows in each place, and the limit
- spice.py: a build as a deck for the circuit simulator ngspice
- simulations.py: the results of ngspice for each build, in simulated.json
- steps.py: the work in order, worked out from the netlist
- prose.py: safety, advice and tests, which the netlist does not contain
- pages.py: the pages of wiring/
- breadboard/: the breadboard build, hole by hole, with a picture for each step
- where.py: where on the breadboard to look for a fault that the firmware reports
- pcb/: the breadboard build on a circuit board
- panel/: the front panel of the exhibit
- kit/: the files to print and to cut
- wokwi.py: the diagram for the Wokwi simulator
- schematics.py: the schematics of a build, and the proof that they match its netlist
- sheet_lamps.py: the first sheet, with the lamps
- sheet_controls.py: the second sheet, with everything else
- blocks.py: the block diagram of a build
- harness.py: the cables of the exhibit, with plugs, pins, labels and their drawing
- symbols.py: the symbol of each kind of part
- sheet.py: a sheet of paper, and the connections of its wires
- legible.py: whether words overlap
- write.py: everything that `nimatron wiring` generates
"""
