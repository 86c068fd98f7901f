"""The pin map, the only file with GPIO numbers. It contains only numbers and names.

GP0 and GP1 (UART) and GP28 (ADC) stay free.
"""

# The lamp matrix. A row's transistor conducts while its pin is high. A column's resistor feeds its
# lamps while its pin is high. The PIO program needs the eleven pins consecutive and in order.
ROWS = (2, 3, 4, 5)  # top to bottom
COLUMNS = (6, 7, 8, 9, 10, 11, 12)  # left to right

# Instead of the matrix: lamps on four shift registers, one per row, clocked by SPI 0. They show
# their bits when `latch` rises. They are dark while `enable`, which a resistor pulls up, is high.
# The clock of SPI 0 can be on GP2, GP6, GP18 or GP22, and its data on GP3, GP7 or GP19. A
# TPIC6B595 at 5 V needs at least 4.25 V for high, so a 74AHCT125 goes in between. A transistor
# drives `enable`, and keeps it high while the Pico has no power.
SHIFT = (("clock", 2), ("data", 3), ("latch", 4), ("enable", 5))

# Instead of the matrix: one chain of WS2812 pixels, row after row, to and fro. At 5 V they need at
# least 3.5 V for high, so a diode lowers their 5 V to 4.3 V.
PIXELS = 6

# Push buttons to ground, with the internal pull-ups.
BUTTONS = (("row1", 13), ("row2", 14), ("row3", 15), ("row4", 16), ("go", 17), ("new", 18))

SOUNDER = 19

# Lit signs, on while their pin is high.
LEGENDS = (("your-move", 20), ("machine-move", 21), ("you-win", 22), ("machine-wins", 26))

COIN = 27  # the solenoid of the coin chute, through a transistor. High opens the chute
