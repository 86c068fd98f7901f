"""A Pico on a cable: its serial link, and the commands that talk over it."""
