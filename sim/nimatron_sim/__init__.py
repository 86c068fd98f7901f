"""A PC that is a Pico: the firmware folder, unmodified, on a simulated board."""
