"""Everything that is drawn and written about the wiring, made from the pin map,
firmware/nimatron/devices/pins.py.

pico.py            the board: its pins, their numbers, what they can do
kinds.py           what each kind of part is, and what may replace it
netlist.py         parts, nets and a build: who is soldered to whom
circuits.py        the three builds: breadboard, pixels, exhibit
checks.py          what must be right before anything is written
budget.py          what flows where, and what may
steps.py           the work in order, worked out from the netlist
prose.py           safety, advice and tests, which no netlist knows
pages.py           the pages of wiring/; wokwi.py its diagram for the simulator
draw.py            the schematics of a build, and the proof that they are its netlist
sheet_lamps.py     the first sheet: the lamps
sheet_controls.py  the second sheet: everything else
symbols.py         how each kind of part looks
sheet.py           a sheet of paper, and what its wires join
legible.py         whether words overlap
write.py           all of it: `nimatron wiring`
"""
