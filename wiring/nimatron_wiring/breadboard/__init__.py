"""The breadboard build, hole by hole.

- holes.py: the holes in the boards, and the metal strips that join holes
- footprints.py: the legs, the body and the colour rings of each kind of part
- layout.py: the place of each part and each wire, step by step
- paths.py: the path of a wire from hole to hole, and its length
- picture.py: a picture for each step
- legs.py: a picture of the parts and their legs
- page.py: the steps in words, for the page
"""
