"""Circuits of relays: their parts, their algebra and their motion. nimatron_1940.py has a circuit.

The other modules know nothing of Nim.
"""
