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
- spice.py: a build as an input file (deck) for the circuit simulator ngspice. The models of the
  parts are in models.cir
- simulations.py: results from ngspice for each build, stored in simulated.json. claims.csv lists
  the limits
- steps.py: the steps of each build, derived from the netlist
- prose.py: safety rules, advice and tests, which are not in the netlist
- pages.py: the pages of wiring/
- breadboard/: the breadboard build, hole by hole, with a picture for each step
- where.py: where to look on the breadboard when the firmware reports a fault
- kicad.py: the files in wiring/kicad/, and the board in them, compared with the breadboard build
- texts/: texts of the pages, with gaps for the generated parts
- panel/: the front panel of the exhibit
- kit/: files to print and to cut
- schematics.py: pictures of the schematics in wiring/kicad/
- drawing.py: a drawing as an SVG file
- harness.py: the exhibit's cables, with plugs, pins and labels, and a drawing
- legible.py: the boxes around the shapes and texts of a drawing
- write.py: everything that `nimatron wiring` generates
"""
