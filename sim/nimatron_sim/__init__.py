"""The simulated Pico: the firmware folder, unmodified, on a simulated board."""
