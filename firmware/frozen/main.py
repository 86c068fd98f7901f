"""The main.py that is frozen into an image. It runs the firmware on flash if possible, or else the
firmware in the image.

MicroPython runs a frozen main.py without looking for a main.py on flash (shared/runtime/pyexec.c).
A main.py on flash may belong to newer firmware, or finish a deploy that was cut off. If flash has
no main.py, any package on flash is incomplete, and would hide the complete package in the image.
"""

import sys

try:
    with open("/main.py") as file:
        code = compile(file.read(), "main.py", "exec")
except (OSError, SyntaxError, ValueError):  # main.py is missing or damaged
    sys.path.insert(0, ".frozen")
    from firmware import main  # noqa: F401
else:
    exec(code)
