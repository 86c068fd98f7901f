"""The bench: what Nimatron achieves, measured in one run next to comparisons.

`make bench` prints it and writes docs/contributing/benchmarks.md.
"""
