"""The front panel of the exhibit.

dimensions.py  every hole and every word on it: the only place with its measures
drawing.py     its drawing, as SVG
faults.py      whether it has a place for each part, and whether its holes keep apart
"""
