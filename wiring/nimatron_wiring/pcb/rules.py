"""The limits of board houses, and our own. All lengths are in mm.

Limits of two houses, as read in copies of their pages:

- Eurocircuits, PCB Design Classification, 9-2018 V2: pattern class 3, the coarsest, has tracks and
  gaps of 0.25 and rings of 0.2, measured from the tool, which is 0.1 wider than the plated hole.
  Blog, “Copper and the board edge”: 0.25 from copper to a milled edge.
- JLCPCB, Capabilities: plated holes +0.13/-0.08, vias of 0.3 with 0.6 of copper at least, pads 0.5
  wider than their holes, letters 0.15 thick and 1.0 high at least.
"""

TRACK = 0.3
GAP = 0.25  # between the copper of two nets
TOOL = 0.1  # the drill's width minus the plated hole's
RING = 0.2  # of copper around the tool
EDGE = 0.5  # from copper to the edge, or to a hole that is not plated
WALL = 0.45  # between two holes
VIA_HOLE, VIA = 0.4, 0.95
MASK = 0.05  # from the pad to the edge of its opening in the solder mask
PEN = 0.15  # of the print
LETTERS = 1.0  # the least height of a capital
TOO_TIGHT = 0.08  # how much narrower a plated hole may be than planned
