"""Theory that needs a PC: long nim-sequences with their periods, large positions, tables, and a
handout for a class. The theorems are in docs/explanation/theory.md."""
