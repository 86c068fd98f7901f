"""The addresses of the registers that the simulated chip has. The names are from the data sheets.
Section numbers refer first to the RP2040 Datasheet, then to the RP2350 Datasheet.
"""

# 2.5 and 12.6, DMA: of channel 0.
DMA_READ_ADDR = 0x50000000
DMA_CHANNEL = 0x40  # from one channel to the next
DMA_READ_ADDR_TRIG = 0x3C  # in each channel: a write there starts it
TREQ_PIO_TX0 = 0  # it requests words while the FIFO at PIO_TXF0 has room
DMA_ABORT = 0x50000444  # a bit for each channel

# 3 and 11, PIO 0, and its state machine 0. CLKDIV is in 1/256, from bit 8.
PIO_CTRL = 0x50200000  # bits 0 to 3: which state machines are enabled
PIO_TXF0 = 0x50200010
PIO_CLKDIV0 = 0x502000C8
PIO_IRQ = 0x50200030  # the flags. Writing a 1 clears a flag
PIO_EXECCTRL0 = 0x502000CC
PIO_JMP_PIN = 24  # from this bit on, the pin that jmp(pin, ...) looks at
PIO_CLKDIV_STEP = 0x18  # from one state machine to the next

# 2.19 and 9, GPIO, by chip: INTR0, four bits for each of eight pads.
IO_INTR0 = {"RP2040": 0x400140F0, "RP2350": 0x40028230}
IO_EDGE_LOW, IO_EDGE_HIGH = 4, 8

# 4.1 and 12.7, USB: the number of the last frame.
USB_SOF_RD = 0x50110048

# 4.7 and 12.9, watchdog, by chip. From its base: its control, why it has reset the chip, and four
# words that outlive a reset.
WATCHDOG = {"RP2040": 0x40058000, "RP2350": 0x400D8000}
WATCHDOG_CTRL = 0x00
WATCHDOG_ENABLE = 1 << 30  # a bit of CTRL
WATCHDOG_REASON = 0x08
WATCHDOG_TIMER = 1  # a bit of REASON: it was not fed
WATCHDOG_FORCE = 2  # another: the program asked for it
WATCHDOG_SCRATCH = (0x0C, 0x10, 0x14, 0x18)

SRAM = 0x20000000
