"""The benchmarks: the speed of the page in a browser, and of the image on the emulated RP2040.

`make bench` prints them and writes docs/contributing/benchmarks.md.
"""
