"""Theory for a PC, beyond the needs of a Pico: long nim-sequences with their periods, large
positions, tables, drawings and a handout for a class. docs/explanation/theory.md has the theorems.
"""
