"""The front panel of the exhibit.

- dimensions.py: the position and size of every hole and every word
- drawing.py: the drawing, as SVG
- faults.py: checks that the panel can be made and has a place for each part
"""
