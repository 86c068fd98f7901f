"""A firmware of a few lines: it boots in a moment and says what `nimatron deploy` listens for."""

import sys

import micropython

from nimatron import VERSION, restart

why = restart.why()
mode = "maintenance" if why == restart.MAINTENANCE else "exhibit"
if mode == "exhibit":
    micropython.kbd_intr(-1)
print("event boot version=%s mode=%s why=%s" % (VERSION, mode, why))
while True:
    word = sys.stdin.readline().strip()
    if word == "version":
        print("ok name=nimatron version=%s mode=%s" % (VERSION, mode))
    elif word == "maintenance":
        print("ok restarting=maintenance")
        restart.restart(word)
    elif word:
        print("error reason=unknown-command")
