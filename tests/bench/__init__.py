"""The bench: what Nimatron achieves, measured in one run beside what there is to compare it with.

`make bench` prints it and writes docs/contributing/benchmarks.md.
"""
