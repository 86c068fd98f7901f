"""The pins and limits of the Raspberry Pi Pico, from its data sheet. The Pico W, the Pico 2 and
the Pico 2 W have the same pins."""

# Raspberry Pi Pico Datasheet, figure 2 "The pinout": pins 1 to 40, counter-clockwise from the USB
# socket, seen from above.
_AROUND = """
    GP0 GP1 GND.1 GP2 GP3 GP4 GP5 GND.2 GP6 GP7 GP8 GP9 GND.3 GP10 GP11 GP12 GP13 GND.4 GP14 GP15
    GP16 GP17 GND.5 GP18 GP19 GP20 GP21 GND.6 GP22 RUN GP26 GP27 GND.7 GP28 ADC_VREF 3V3 3V3_EN
    GND.8 VSYS VBUS
"""
NUMBERS = {name: number for number, name in enumerate(_AROUND.split(), 1)}
ON_BOARD = {25: "the LED on the Pico"}  # GPIOs without a pin on the edge

# Raspberry Pi Pico W Datasheet, 2.1, and Raspberry Pi Pico 2 W Datasheet, 2.1: the
# radio uses these GPIOs, which have no pin on the edge.
RADIO = (23, 24, 25, 29)

# RP2040 Datasheet, 1.4.3 "GPIO Functions": GPIOs on the edge that SPI 0 can use.
SPI0_SCK = (2, 6, 18, 22)
SPI0_TX = (3, 7, 19)

# RP2040 Datasheet, 5.5.3 "Pin Specifications" (5.2.3 in older versions), table of IO
# characteristics.
IO_VOLTS = 3.3
# The drive strength after reset, which MicroPython does not change. It is not a hard limit. Up to
# this current, a low pin is at 0.5 V or less, and a high pin at 2.62 V or more.
PAD_MILLIAMPS = 4.0
SUM_MILLIAMPS = 50.0  # sourced by all GPIO and QSPI pins together, which can also sink 50 mA
PULL_UP_OHMS = 50_000  # 50 to 80 kilo-ohm, the same as the pull-down of each pin after reset
HIGH_VOLTS = 2.0  # lowest input voltage that counts as high, here and for a 74AHCT125
RP2040_SOURCE = "RP2040 Datasheet, Pin Specifications, table “Digital IO characteristics”"
DRIVE_SOURCE = f"output levels are guaranteed up to this current: {RP2040_SOURCE}"

# RP2350 Datasheet, appendix E. In stepping A2, an enabled input whose voltage is neither low nor
# high sources about 120 uA, which hold it at about 2.2 V. Only a resistor of 8.2 kilo-ohm or less
# pulls it low. Pull-ups work, and so do pull-downs after power-on and RUN,
# because inputs are then disabled (9.11.3, table 853: IE is 0).
PULL_DOWN_OHMS = 8200
E9_SOURCE = "RP2350 Datasheet, appendix E, RP2350-E9"

# Raspberry Pi Pico Datasheet, 2.1 and 4.5.
RAIL_3V3_MILLIAMPS = 300.0  # available from the 3V3 pin for other parts
VSYS_MILLIAMPS = 100.0  # current of the Pico itself, with a margin
PICO_SOURCE = "Raspberry Pi Pico Datasheet, 2.1 and 4.5"
