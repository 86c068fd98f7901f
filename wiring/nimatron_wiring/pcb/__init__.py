"""The breadboard build on a printed circuit board of two layers, all parts on top.

rules.py      what a board house can make, and what we ask of it
lands.py      the holes, pads and outline of each kind of part
placement.py  where each part goes, and what is printed beside it
routes.py     the tracks and vias that join the pads as the netlist says
design.py     the whole board, and what is wrong with it
drawing.py    a picture of it
gerbers.py    the files for a board house

Lengths are in mm from the upper left corner, y downwards; a grid step is 1.27 mm.
"""
