"""The order of tasks that are due together, in every possible way. Runs on MicroPython."""

import asyncio
import sys
import time

event = asyncio.Event()
flag = asyncio.ThreadSafeFlag()


async def five_turns(name, ms):
    for _ in range(8):
        await asyncio.sleep_ms(ms)
        for turn in range(5):
            print(name, turn)
            await asyncio.sleep_ms(0)


async def patient(name):
    for _ in range(3):
        await event.wait()
        print(name, "heard the event")
        event.clear()


async def setter():
    for _ in range(5):
        await asyncio.sleep_ms(20)
        print("set")
        event.set()
        flag.set()


async def flagged():
    while True:
        await flag.wait()
        print("flag")


async def reader():
    stream = asyncio.StreamReader(sys.stdin.buffer)
    while True:
        print("byte", await stream.read(1))


async def failing():
    await asyncio.sleep_ms(15)
    raise ValueError("on purpose")


async def sleeper():
    await asyncio.sleep_ms(500)


async def companion(task):
    try:
        await task
    finally:
        print("alone")


async def canceller(task):
    await asyncio.sleep_ms(20)
    task.cancel()
    print("cancels")
    try:
        await task
    except asyncio.CancelledError:
        print("has cancelled")


async def main():
    asyncio.get_event_loop().set_exception_handler(
        lambda loop, context: print("handler", context["exception"])
    )
    asyncio.create_task(patient("one"))
    asyncio.create_task(five_turns("every 10", 10))
    victim = asyncio.create_task(five_turns("every 5", 5))
    for story in (setter(), flagged(), reader(), failing(), patient("another")):
        asyncio.create_task(story)
    asyncio.create_task(canceller(victim))
    waiting = asyncio.create_task(companion(asyncio.create_task(sleeper())))
    await asyncio.sleep_ms(200)
    waiting.cancel()
    try:
        asyncio.create_task(asyncio.sleep_ms(1))
    except TypeError as why:
        print(why)
    for wait in (asyncio.create_task(failing()), failing()):
        try:
            await wait
        except ValueError:
            print("failed")
    print("end", time.ticks_ms())


asyncio.run(main())
