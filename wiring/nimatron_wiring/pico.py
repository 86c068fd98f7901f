"""The Raspberry Pi Pico, from its data sheet. Pin names are Wokwi's."""

# Raspberry Pi Pico Datasheet, figure 2 "The pinout": pins 1 to 40, counter-clockwise from the USB
# socket, seen from above.
_AROUND = """
    GP0 GP1 GND.1 GP2 GP3 GP4 GP5 GND.2 GP6 GP7 GP8 GP9 GND.3 GP10 GP11 GP12 GP13 GND.4 GP14 GP15
    GP16 GP17 GND.5 GP18 GP19 GP20 GP21 GND.6 GP22 RUN GP26 GP27 GND.7 GP28 ADC_VREF 3V3 3V3_EN
    GND.8 VSYS VBUS
"""
NUMBERS = {name: number for number, name in enumerate(_AROUND.split(), 1)}
ON_BOARD = {25: "the LED on the Pico"}  # not on the edge

# RP2040 Datasheet, 1.4.3 "GPIO Functions": the pins on the edge that SPI 0 can use.
SPI0_SCK = (2, 6, 18, 22)
SPI0_TX = (3, 7, 19)

# RP2040 Datasheet, 5.5.3 "Pin Specifications" (5.2.3 in older ones), table of IO characteristics.
IO_VOLTS = 3.3
PAD_MILLIAMPS = 4.0  # drive strength after reset; MicroPython leaves it so
SUM_MILLIAMPS = 50.0  # sourced by all GPIO and QSPI pins together; as much again may be sunk
PULL_UP_OHMS = 50_000  # 50 to 80 kilo-ohm
RP2040_SOURCE = "RP2040 Datasheet, Pin Specifications, table “Digital IO characteristics”"

# Raspberry Pi Pico Datasheet, 2.1 and 4.5.
RAIL_3V3_MILLIAMPS = 300.0  # available to other parts from 3V3
VSYS_MILLIAMPS = 100.0  # taken by the Pico itself, with a margin
PICO_SOURCE = "Raspberry Pi Pico Datasheet, 2.1 and 4.5"
