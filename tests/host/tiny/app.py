"""Firmware of a few lines that boots in a moment and prints the lines `nimatron deploy` needs."""

import asyncio
import sys

import micropython
import nimatron_boot

from nimatron import VERSION, installed
from nimatron.devices import restart


async def each(name, sha256):
    print("event file name=%s sha256=%s" % (name, sha256))


def run(salvaged):
    why = restart.why()
    mode = "maintenance" if why == restart.MAINTENANCE else "exhibit"
    if mode != "exhibit":
        restart.at_prompt()
        micropython.kbd_intr(3)
    print("event boot version=%s mode=%s why=%s" % (VERSION, mode, why))
    if nimatron_boot.undone():
        print("event update=undone")
    if nimatron_boot.keep():
        print("event update=kept")
    while True:
        word = sys.stdin.readline().strip()
        if word.startswith("version"):
            nonce = word.replace("version ", " nonce=").replace("version", "")
            print("ok name=nimatron%s version=%s mode=%s" % (nonce, VERSION, mode))
        elif word == "installed":
            count, digest = asyncio.run(installed.look(each))
            print("ok files=%d digest=%s mpy=%d" % (count, digest, sys.implementation._mpy))
        elif word == "maintenance":
            print("ok restarting=maintenance")
            restart.restart(word)
        elif word:
            print("error reason=unknown-command got=%s" % word.split()[0])
