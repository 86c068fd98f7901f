"""The Raspberry Pi Pico, from its data sheet. The pins of the Pico W, the Pico 2 and the Pico 2 W
are the same. Pin names are Wokwi's."""

# Raspberry Pi Pico Datasheet, figure 2 "The pinout": pins 1 to 40, counter-clockwise from the USB
# socket, seen from above.
_AROUND = """
    GP0 GP1 GND.1 GP2 GP3 GP4 GP5 GND.2 GP6 GP7 GP8 GP9 GND.3 GP10 GP11 GP12 GP13 GND.4 GP14 GP15
    GP16 GP17 GND.5 GP18 GP19 GP20 GP21 GND.6 GP22 RUN GP26 GP27 GND.7 GP28 ADC_VREF 3V3 3V3_EN
    GND.8 VSYS VBUS
"""
NUMBERS = {name: number for number, name in enumerate(_AROUND.split(), 1)}
ON_BOARD = {25: "the LED on the Pico"}  # not on the edge

# Raspberry Pi Pico W Datasheet, 2.1, and Raspberry Pi Pico 2 W Datasheet, 2.1: not on the edge.
RADIO = (23, 24, 25, 29)

# RP2040 Datasheet, 1.4.3 "GPIO Functions": the pins on the edge that SPI 0 can use.
SPI0_SCK = (2, 6, 18, 22)
SPI0_TX = (3, 7, 19)

# RP2040 Datasheet, 5.5.3 "Pin Specifications" (5.2.3 in older ones), table of IO characteristics.
IO_VOLTS = 3.3
PAD_MILLIAMPS = 4.0  # drive strength after reset. MicroPython leaves it so. No hard limit, but
# up to it a low pin is at 0.5 V at most, and a high one at 2.62 V at least
SUM_MILLIAMPS = 50.0  # sourced by all GPIO and QSPI pins together. As much again may be sunk
PULL_UP_OHMS = 50_000  # 50 to 80 kilo-ohm, like the pull-down that each pin has after reset
HIGH_VOLTS = 2.0  # the least that an input takes for high, also for a 74AHCT125
RP2040_SOURCE = "RP2040 Datasheet, Pin Specifications, table “Digital IO characteristics”"
DRIVE_SOURCE = f"levels are guaranteed up to it: {RP2040_SOURCE}"

# RP2350 Datasheet, appendix E. In stepping A2, an input that is enabled and whose voltage is
# neither low nor high sources about 120 uA, which hold it at about 2.2 V. Only a resistor of 8.2
# kilo-ohm or less pulls it low. Pull-ups work, and so do pull-downs after power-on and RUN,
# because inputs are then disabled (9.11.3, table 853: IE is 0).
PULL_DOWN_OHMS = 8200
E9_SOURCE = "RP2350 Datasheet, appendix E, RP2350-E9"

# Raspberry Pi Pico Datasheet, 2.1 and 4.5.
RAIL_3V3_MILLIAMPS = 300.0  # available to other parts from 3V3
VSYS_MILLIAMPS = 100.0  # taken by the Pico itself, with a margin
PICO_SOURCE = "Raspberry Pi Pico Datasheet, 2.1 and 4.5"
