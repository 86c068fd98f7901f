"""Frozen into an image as its main.py: it runs the firmware on flash, or the one in the image.

MicroPython runs a frozen main.py and never looks for one on flash (shared/runtime/pyexec.c). The
main.py on flash may belong to a newer firmware, or finish a deploy that was cut off. If none
exists, any package on flash is incomplete, and would hide the complete one in the image.
"""

import sys

try:
    with open("/main.py") as file:
        code = compile(file.read(), "main.py", "exec")
except (OSError, SyntaxError, ValueError):  # it is missing or damaged
    sys.path.insert(0, ".frozen")
    from firmware import main  # noqa: F401
else:
    exec(code)
