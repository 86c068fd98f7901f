"""A program that fails at once."""

raise ValueError("on purpose")
