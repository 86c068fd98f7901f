"""Judges of the project that need nothing of it."""
