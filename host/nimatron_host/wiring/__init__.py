"""Everything that is drawn and written about the wiring, made from firmware/nimatron/pins.py.

pico.py      the board: its pins, their numbers, what they can do
kinds.py     what each kind of part is, and what may replace it
netlist.py   parts, nets and a build: who is soldered to whom
builds.py    the three builds: breadboard, pixels, exhibit
"""
