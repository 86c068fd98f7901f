"""A Pico on a cable: its serial link, and the commands that use the link."""
