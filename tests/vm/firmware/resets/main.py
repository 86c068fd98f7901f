"""Print the reason for the start and each byte. `r` or a long silence resets the Pico."""

import asyncio
import sys
import time

import machine

print("cause", machine.reset_cause(), time.ticks_ms())
machine.WDT(timeout=1000)


async def main():
    reader = asyncio.StreamReader(sys.stdin.buffer)
    while True:
        byte = await reader.read(1)
        print("got", byte)
        time.sleep_ms(50)
        if byte == b"r":
            machine.reset()


asyncio.run(main())
