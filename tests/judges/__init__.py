"""Judges of the project that use no code from it."""
