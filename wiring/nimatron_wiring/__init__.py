"""All drawings and pages about the wiring, generated from the pin map,
firmware/nimatron/devices/pins.py.

- pico.py: the board, its pins and their limits
- kinds.py: the kinds of parts, and their pins
- bom.py: the bill of materials, with what to order for each part
- netlist.py: parts, and the nets that connect them
- circuits.py: the three builds (breadboard, pixels, exhibit)
- checks.py: checks that must pass before anything is written
- current_budget.py: the worst-case current through each pin, driver and rail, and its limit
- spice_deck.py: a build as an input file (deck) for the circuit simulator ngspice. The models of
  the parts are in models.cir
- simulations.py: results from ngspice for each build, stored in simulated.json. claims.csv lists
  the limits
- steps.py: the steps of each build, derived from the netlist
- builder_texts.py: safety rules, advice and tests, which are not in the netlist
- markdown_pages.py: the pages of wiring/
- breadboard/: the breadboard build, hole by hole, with a picture for each step
- fault_place.py: where to look on the breadboard when the firmware reports a fault
- kicad.py: the files in wiring/kicad/, and the board in them, compared with the breadboard build
- texts/: texts of the pages, with gaps for the generated parts
- front_panel.py: the front panel of the exhibit
- kit/: files to print and to cut
- schematics.py: pictures of the schematics in wiring/kicad/
- svg.py: a drawing as an SVG file, and the boxes around its shapes and texts
- harness.py: the exhibit's cables, with plugs, pins and labels, and a drawing
- write.py: everything that `nimatron wiring` generates
"""
