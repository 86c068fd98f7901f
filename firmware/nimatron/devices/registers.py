"""The chip: the only place with addresses of registers. Names are from the data sheets. Sections
are of the RP2040 Datasheet, then of the RP2350 Datasheet.
"""

# 2.5 and 12.6, DMA: of channel 0.
DMA_READ_ADDR = 0x50000000
DMA_CHANNEL = 0x40  # from one channel to the next
DMA_READ_ADDR_TRIG = 0x3C  # in each channel: a write there starts it
TREQ_PIO_TX0 = 0  # it requests words while the FIFO at PIO_TXF0 has room

# 3 and 11, PIO 0, and its state machine 0. CLKDIV is in 1/256, from bit 8.
PIO_TXF0 = 0x50200010
PIO_CLKDIV0 = 0x502000C8
PIO_EXECCTRL1 = 0x502000E4  # of state machine 1
PIO_JMP_PIN = 24  # from this bit on, the pin that jmp(pin, ...) looks at
PIO_IRQ = 0x50200030  # the flags. A 1 clears one

# 2.19 and 9, GPIO: four bits for each pad, eight pads in a word. The chip sets EDGE_HIGH whenever
# the level at the pad has risen. A 1 written there clears it. No interrupt has to be enabled.
IO_EDGE_HIGH = 8

# 4.1 and 12.7, USB: the number of the last frame. An awake host begins one each millisecond.
USB_SOF_RD = 0x50110048

# 4.7 and 12.9, watchdog, from its base: its control, in which 0 stops it, why it has reset the
# chip, and four words that outlive a reset.
WATCHDOG_CTRL = 0x00
WATCHDOG_REASON = 0x08
WATCHDOG_TIMER = 1  # a bit of REASON: it was not fed
WATCHDOG_SCRATCH = (0x0C, 0x10, 0x14, 0x18)

SRAM = 0x20000000

# The differences: the watchdog's base, the end of the SRAM, and IO_BANK0's INTR0.
CHIPS = {
    "RP2040": (0x40058000, 0x20042000, 0x400140F0),
    "RP2350": (0x400D8000, 0x20082000, 0x40028230),
}


def find(machine):
    """The entry of CHIPS for the board that sys.implementation._machine names, or None if it has
    another chip."""
    for name, numbers in CHIPS.items():
        if name in machine:
            return numbers
    return None
