"""Frozen into an image beside the firmware: what is on flash is used whole or not at all.

A deploy brings main.py last and takes it away first. Without it, what there is of the package on
flash is part of one, and would hide the whole one in the image.
"""

import os
import sys

if "main.py" not in os.listdir("/"):
    sys.path.insert(0, ".frozen")
