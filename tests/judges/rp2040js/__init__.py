"""A second emulated Pico, on npm's rp2040js, which shares no code with the first."""
