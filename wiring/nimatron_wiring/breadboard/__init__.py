"""The breadboard build, hole by hole.

- holes.py: the holes of the boards, and the strips of metal that join them
- footprints.py: the legs and the body of each kind of part
- layout.py: the place of each part and each wire, step by step
- faults.py: whether the layout is the netlist, and can be plugged in
- paths.py: the path of a wire from hole to hole, and its length
- rings.py: the colour rings of a resistor
- picture.py: a picture of each step
- legs.py: a picture of the parts and their legs
- page.py: the steps in words
"""
