"""The breadboard build on a two-layer printed circuit board with all parts on top.

- rules.py: our design rules, and the limits of board houses
- lands.py: the holes, pads and outline for each kind of part
- placement.py: the place of each part, and the print next to it
- routes.py: the tracks and vias that join the pads of each net
- design.py: the whole board, and its faults
- drawing.py: a picture of the board
- gerbers.py: the files for a board house

Lengths are in mm from the upper left corner, with y downwards. A grid step is 1.27 mm.
"""
