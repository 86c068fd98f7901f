"""Circuits of relays: their parts and motion. nimatron_1940.py contains a circuit.

The other modules know nothing of Nim.
"""
