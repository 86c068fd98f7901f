"""The bench: the speed of the page in a browser, and of the image on the emulated RP2040.

`make bench` prints it and writes docs/contributing/benchmarks.md.
"""
