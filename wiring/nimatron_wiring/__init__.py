"""All drawings and pages about the wiring, generated from the pin map,
firmware/nimatron/devices/pins.py.

- pico.py: the board, its pins and their limits
- kinds.py: the kinds of parts, and their pins
- catalogue.py: what to order for each part, and its substitute
- bom.py: the bill of materials, as a table
- netlist.py: parts, and the nets that connect them
- circuits.py: the three builds (breadboard, pixels, exhibit)
- checks.py: checks that must pass before anything is written
- budget.py: the worst-case current through each pin, driver and rail, and its limit
- spice.py: a build as an input file (deck) for the circuit simulator ngspice
- simulations.py: results from ngspice for each build, stored in simulated.json
- steps.py: the steps of each build, derived from the netlist
- prose.py: safety rules, advice and tests, which are not in the netlist
- pages.py: the pages of wiring/
- breadboard/: the breadboard build, hole by hole, with a picture for each step
- where.py: where to look on the breadboard when the firmware reports a fault
- kicad.py: the circuit board in wiring/board/, compared with the breadboard build
- texts/: texts of the pages, with gaps for what is generated
- panel/: the front panel of the exhibit
- kit/: files to print and to cut
- wokwi.py: the diagram for the Wokwi simulator
- schematics.py: the schematics of a build, and a check that they match its netlist
- sheet_lamps.py: the first sheet of a schematic, with the lamps
- sheet_controls.py: the second sheet of a schematic, with everything else
- blocks.py: the block diagram of a build
- harness.py: the exhibit's cables, with plugs, pins and labels, and a drawing
- symbols.py: the schematic symbol for each kind of part
- sheet.py: a sheet of paper, and the connections between the pins on it
- legible.py: a check that no words overlap in a drawing
- write.py: everything that `nimatron wiring` generates
"""
