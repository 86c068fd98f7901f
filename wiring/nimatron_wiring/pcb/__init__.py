"""The breadboard build on a printed circuit board of two layers, all parts on top.

- rules.py: the limits of board houses, and our own
- lands.py: the holes, pads and outline of each kind of part
- placement.py: the place of each part, and the print next to it
- routes.py: the tracks and vias that join the pads as in the netlist
- design.py: the whole board, and its faults
- drawing.py: a picture of it
- gerbers.py: the files for a board house

Lengths are in mm from the upper left corner, y downwards. A grid step is 1.27 mm.
"""
