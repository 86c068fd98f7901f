"""The chip: the only place with register addresses. Names and section numbers are those of the
RP2040 datasheet.
"""

# 2.5.7, DMA: channel 0; TIMER0 is a fraction of the system clock, numerator and denominator.
DMA_READ_ADDR = 0x50000000
DMA_CHANNEL = 0x40  # from one channel to the next
DMA_READ_ADDR_TRIG = 0x3C  # in each channel: a write there starts it
DMA_TIMER0 = 0x50000420
TREQ_TIMER0 = 0x3B  # 2.5.3.1

# 3.7, PIO 0, and its state machine 0; CLKDIV is in 1/256, from bit 8.
PIO_FSTAT = 0x50200004
PIO_TXFULL = 1 << 16  # a bit of FSTAT
PIO_TXF0 = 0x50200010
PIO_CLKDIV0 = 0x502000C8

# 4.1.4, USB: the number of the last frame. A host that is awake starts one every millisecond.
USB_SOF_RD = 0x50110048

# 4.7.6, watchdog: why it reset the chip, and four words that survive a reset.
WATCHDOG_REASON = 0x40058008
WATCHDOG_TIMER = 1  # a bit of REASON: nobody fed it
WATCHDOG_SCRATCH = (0x4005800C, 0x40058010, 0x40058014, 0x40058018)

# 2.6.2, memory
SRAM, SRAM_END = 0x20000000, 0x20042000
