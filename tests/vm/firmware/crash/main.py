"""Fails at once."""

raise ValueError("on purpose")
