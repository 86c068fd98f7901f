"""The states of a USB cable."""

READING = "reading"  # a program has the port open, and reads
NOT_READING = "not reading"  # a program has it open but does not read
SUSPENDED = "suspended"  # a program has it open, but the cable is pulled or the computer asleep
CLOSED = "closed"  # the computer is connected, but no program has the port open
STATES = (READING, NOT_READING, SUSPENDED, CLOSED)
