"""What a PC can work out beyond what a Pico needs: long nim-sequences with their periods, large
positions, tables, drawings and a handout for a class. docs/explanation/theory.md has the
theorems."""
