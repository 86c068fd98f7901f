"""Our design rules for the board, and the limits of board houses. All lengths are in mm.

The limits of two houses, from copies of their pages:

- Eurocircuits, PCB Design Classification, 9-2018 V2: pattern class 3, the coarsest, has tracks and
  gaps of 0.25. Rings are 0.2, measured from the drill, which is 0.1 wider than the plated hole.
  Blog, “Copper and the board edge”: 0.25 from copper to a milled edge.
- JLCPCB, Capabilities: plated holes have a tolerance of +0.13/-0.08. Vias have holes of at least
  0.3 and copper of at least 0.6. Pads are 0.5 wider than their holes. Letters are at least 0.15
  thick and 1.0 high.
"""

TRACK = 0.3  # width of a track
GAP = 0.25  # distance between the copper of two nets
TOOL = 0.1  # how much wider the drill is than the plated hole
RING = 0.2  # width of the copper around the drill
EDGE = 0.5  # distance from copper to the edge, or to a hole that is not plated
WALL = 0.45  # distance between two holes
VIA_HOLE, VIA = 0.4, 0.95  # diameters of a via's hole and copper
MASK = 0.05  # distance from a pad to the edge of its opening in the solder mask
PEN = 0.15  # width of the printed lines
LETTERS = 1.0  # least height of a capital letter
TOO_TIGHT = 0.08  # how much narrower a plated hole may be than planned
