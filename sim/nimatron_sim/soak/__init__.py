"""Soak testing: days of operation with simulated visitors and a referee."""
