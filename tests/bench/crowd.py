"""Clients in a separate process, each at its own table or at a bare echo server.

- `python -m bench.crowd play URL PAGES SECONDS` prints the ms of each touch, as JSON.
- `python -m bench.crowd echo URL PAGES SECONDS` prints the ms of each echo of as many bytes.
- `python -m bench.crowd serve` runs the echo server and prints its URL.
"""

import asyncio
import contextlib
import json
import random
import sys
import time

import aiohttp
from aiohttp import web

ANSWER = 900  # bytes of a table's answer to a touch
_THINK_S = 1.0, 3.0  # between two touches or presses, as people do
_LATE_S = 20.0
_LAMPS = 28


class Page:
    """A page at the other end of `line`, which plays until `end`. taken: ms of each touch."""

    def __init__(self, line, end, taken):
        self._line = line
        self._end = end
        self._taken = taken
        self._state = {}
        self._changed = asyncio.Event()

    async def play(self):
        hearing = asyncio.create_task(self._hear())
        with contextlib.suppress(ConnectionError):  # a computer that is too busy loses pages
            await self._play()
        hearing.cancel()

    async def _play(self):
        await asyncio.sleep(random.uniform(0, _THINK_S[1]))
        while time.monotonic() < self._end:
            await asyncio.sleep(random.uniform(*_THINK_S))
            state = self._state.get("state")
            if state in ("attract", "verdict"):
                await self._tap("go")
            elif state in ("opening", "player") and not self._state.get("picked"):
                await self._touch()
            elif state == "player":
                await self._tap("go")

    async def _hear(self):
        with contextlib.suppress(ConnectionError):
            async for message in self._line:
                news = json.loads(message.data)
                if "beat" in news:
                    await self._line.send_json({"beat": str(news["beat"])})
                self._state |= news
                self._changed.set()

    async def _tap(self, button):
        await self._line.send_json({"press": button})
        await asyncio.sleep(0.08)
        await self._line.send_json({"release": button})

    async def _touch(self):
        touch = self._state.get("touch") or []
        lamps = [lamp for lamp in range(_LAMPS) if touch[lamp:] and touch[lamp] is not None]
        if not lamps:
            return
        begun = time.perf_counter()
        await self._line.send_json({"touch": str(random.choice(lamps))})
        while not self._state.get("picked") and time.perf_counter() < begun + _LATE_S:
            self._changed.clear()
            await asyncio.wait_for(self._changed.wait(), _LATE_S)
        self._taken.append(1000 * (time.perf_counter() - begun))


class Echo:
    """The same, at a server that only sends back."""

    def __init__(self, line, end, taken):
        self._line, self._end, self._taken = line, end, taken

    async def play(self):
        await asyncio.sleep(random.uniform(0, _THINK_S[1]))
        while time.monotonic() < self._end:
            await asyncio.sleep(random.uniform(*_THINK_S))
            begun = time.perf_counter()
            await self._line.send_str("x" * ANSWER)
            await self._line.receive()
            self._taken.append(1000 * (time.perf_counter() - begun))


async def crowd(kind, url, pages, seconds):
    """Have so many pages play for so long. Returns the ms of each touch."""
    taken = []
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
        lines = []
        for _ in range(pages):
            lines.append(await session.ws_connect(f"{url}look", autoping=True))
        await asyncio.sleep(3)  # until the last Pico has started
        end = time.monotonic() + seconds
        await asyncio.gather(*(kind(line, end, taken).play() for line in lines))
        await asyncio.gather(*(line.close() for line in lines))
    return taken


async def serve():
    async def echo(request):
        socket = web.WebSocketResponse(compress=False)
        await socket.prepare(request)
        async for message in socket:
            await socket.send_str(message.data)
        return socket

    application = web.Application()
    application.router.add_get("/look", echo)
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, backlog=512).start()
    print(f"http://127.0.0.1:{runner.addresses[0][1]}/", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    if sys.argv[1] == "serve":
        asyncio.run(serve())
    else:
        kind = {"play": Page, "echo": Echo}[sys.argv[1]]
        url, pages, seconds = sys.argv[2], int(sys.argv[3]), float(sys.argv[4])
        print(json.dumps(asyncio.run(crowd(kind, url, pages, seconds))))
