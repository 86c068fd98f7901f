"""The breadboard build, hole by hole.

holes.py       the boards: which holes there are, and which of them are one strip of metal
footprints.py  the legs and the body of each kind of part
layout.py      where each part and each wire goes, step by step
faults.py      whether the layout is the netlist, and can be plugged in
paths.py       how a wire runs from hole to hole, and how long it is
rings.py       the colour rings of a resistor
picture.py     a picture of each step
legs.py        a picture of the parts and their legs
page.py        the steps in words
"""
