"""The chip, the only file with register addresses. The names are from the data sheets. Each group
begins with its sections in the RP2040 Datasheet and the RP2350 Datasheet.
"""

# 2.5 and 12.6, DMA: the registers of channel 0.
DMA_READ_ADDR = 0x50000000
DMA_CHANNEL = 0x40  # the distance from one channel to the next
DMA_READ_ADDR_TRIG = 0x3C  # in each channel: a write to this register starts the channel
TREQ_PIO_TX0 = 0  # this signal requests words while the FIFO at PIO_TXF0 has room

# 3 and 11, PIO: PIO 0 and its state machine 0. CLKDIV counts in 1/256, from bit 8.
PIO_TXF0 = 0x50200010
PIO_CLKDIV0 = 0x502000C8
PIO_EXECCTRL1 = 0x502000E4  # the register of state machine 1
PIO_JMP_PIN = 24  # the first bit of the number of the pin that jmp(pin, ...) tests
PIO_IRQ = 0x50200030  # the interrupt flags. Writing a 1 clears a flag

# 2.19 and 9, GPIO: four bits for each pad, eight pads in a word. The chip sets EDGE_HIGH whenever
# the level at the pad has risen. Writing a 1 clears it. No interrupt has to be enabled.
IO_EDGE_HIGH = 8

# 4.1 and 12.7, USB: the number of the last frame. An awake host begins a frame each millisecond.
USB_SOF_RD = 0x50110048

# 4.7 and 12.9, watchdog, relative to its base: the control, where 0 stops the watchdog, the reason
# for its last reset, and four words that survive a reset.
WATCHDOG_CTRL = 0x00
WATCHDOG_REASON = 0x08
WATCHDOG_TIMER = 1  # a bit of REASON: the watchdog was not fed
WATCHDOG_SCRATCH = (0x0C, 0x10, 0x14, 0x18)

SRAM = 0x20000000

# The chips differ in the base of the watchdog, the end of the SRAM, and INTR0 in IO_BANK0.
CHIPS = {
    "RP2040": (0x40058000, 0x20042000, 0x400140F0),
    "RP2350": (0x400D8000, 0x20082000, 0x40028230),
}


def find(machine):
    """Return the entry in CHIPS for the board called `machine` (sys.implementation._machine), or
    None for a board with another chip."""
    for name, numbers in CHIPS.items():
        if name in machine:
            return numbers
    return None
