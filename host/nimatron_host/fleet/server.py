"""`nimatron fleet page`: every exhibit as a small live panel on a web page, and figures for
Prometheus at /metrics. Whoever can reach it may look; nobody can do anything there.
"""

import asyncio
import contextlib
import json
import logging
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from aiohttp import WSMsgType, web

from nimatron_host.fleet.broker import Broker
from nimatron_host.fleet.metrics import Figures
from nimatron_host.fleet.overview import Overview
from nimatron_host.kiosk import metrics, modules
from nimatron_host.kiosk.server import (
    HEADERS,
    PAGE,
    UNKNOWN,
    Handler,
    asked_name,
    cause,
    file,
    knows,
    text,
)
from nimatron_sim.errors import UserError

_OURS = Path(__file__).parent / "page"
_TELL_S = 0.1  # from one message to a page to the next, at least
_LOOK_S = 20.0  # from one request for a panel to the next
_LONGEST = 65536  # of what a page sends

log = logging.getLogger("nimatron.fleet")


class Page:
    """The page of this broker's exhibits, for browsers that know the server as this host."""

    def __init__(self, broker: Broker, host: str) -> None:
        self.overview = Overview(changed=self._change)
        self.web = web.Application(middlewares=[self._guard])
        self._broker = broker
        self._host = host
        self._pages: set[_Viewer] = set()
        self._looked: dict[str, float] = {}
        self.web.on_response_prepare.append(_add_headers)
        get = self.web.router.add_get
        get("/", file(_OURS / "index.html"))
        for path in (
            _OURS / "fleet.js",
            _OURS / "fleet.css",
            PAGE / "kiosk.css",
            PAGE / "icon.svg",
        ):
            get(f"/{path.name}", file(path))
        get("/board.js", text(modules.board().encode()))
        get("/exhibits.json", self._report)
        get("/metrics", self._metrics)
        get("/look", self._look)

    async def serve(self, port: int, ready: Callable[[int], object], ended: asyncio.Event) -> None:
        """Serve until `ended`; ready(port) is called when it does. Raises UserError."""
        runner = web.AppRunner(self.web, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        following = asyncio.create_task(self.overview.follow(self._broker, panels=True))
        end = asyncio.create_task(ended.wait())
        try:
            site = web.TCPSite(runner, self._host, port)
            try:
                await site.start()
            except OSError as why:
                raise UserError(cause(self._host, port, why)) from None
            ready(runner.addresses[0][1])
            await asyncio.wait([following, end], return_when=asyncio.FIRST_COMPLETED)
            if following.done():
                following.result()
        finally:
            for viewer in list(self._pages):
                await viewer.line.close()
            for task in (following, end):
                task.cancel()
            await asyncio.gather(following, end, return_exceptions=True)
            await runner.cleanup()

    @web.middleware
    async def _guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        if not knows(asked_name(request), self._host):
            raise web.HTTPForbidden(text=UNKNOWN)
        return await handler(request)

    async def _report(self, request: web.Request) -> web.Response:
        return web.json_response(self.overview.report())

    async def _metrics(self, request: web.Request) -> web.Response:
        told = metrics.written(Figures(self.overview))
        return web.Response(body=told, content_type="text/plain", charset="utf-8")

    async def _look(self, request: web.Request) -> web.WebSocketResponse:
        """Tell one page everything, and then what changes."""
        origin = request.headers.get("Origin")
        if origin not in (None, f"{request.scheme}://{request.host}"):
            raise web.HTTPForbidden(text="this WebSocket is for its own page")
        line = web.WebSocketResponse(max_msg_size=_LONGEST, heartbeat=30)
        await line.prepare(request)
        viewer = _Viewer(line, set(self.overview.exhibits))
        self._pages.add(viewer)
        telling = asyncio.create_task(self._tell(viewer))
        try:
            async for message in line:
                if message.type == WSMsgType.TEXT:
                    await self._look_at(message.data)
        finally:
            self._pages.discard(viewer)
            telling.cancel()
            await asyncio.gather(telling, return_exceptions=True)
        return line

    async def _look_at(self, told: str) -> None:
        """A page says which exhibits it has on its screen."""
        with contextlib.suppress(ValueError, TypeError):
            for exhibit in {*json.loads(told)} & self.overview.exhibits.keys():
                if time.monotonic() >= self._looked.get(exhibit, 0):
                    self._looked[exhibit] = time.monotonic() + _LOOK_S
                    await self.overview.look(exhibit)

    def _change(self, exhibit: str) -> None:
        for viewer in self._pages:
            viewer.news.add(exhibit)
            viewer.changed.set()

    async def _tell(self, viewer: "_Viewer") -> None:
        connected = None
        with contextlib.suppress(ConnectionError):
            while True:
                if self.overview.connected != connected:
                    connected = self.overview.connected
                    viewer.news |= self.overview.exhibits.keys()
                news, viewer.news = viewer.news, set()
                viewer.changed.clear()
                exhibits = [self._told(name) for name in sorted(news)]
                await viewer.line.send_json({"connected": connected, "exhibits": exhibits})
                await asyncio.sleep(_TELL_S)
                with contextlib.suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(viewer.changed.wait(), 1)

    def _told(self, exhibit: str) -> dict[str, Any]:
        seen = self.overview.exhibits[exhibit]
        return self.overview.summary(seen) | {"panel": seen.panel}


class _Viewer:
    """One open page, and what it has not been told yet."""

    def __init__(self, line: web.WebSocketResponse, news: set[str]) -> None:
        self.line = line
        self.news = news
        self.changed = asyncio.Event()


async def _add_headers(_: web.Request, response: web.StreamResponse) -> None:
    response.headers.update(HEADERS)


def page(broker: Broker, host: str, port: int) -> None:
    """Serve the page until SIGTERM or Ctrl-C. Raises UserError."""

    async def run() -> None:
        ended = asyncio.Event()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            with contextlib.suppress(NotImplementedError):  # Windows
                loop.add_signal_handler(number, ended.set)
        await Page(broker, host).serve(port, ready, ended)

    def ready(there: int) -> None:
        name = f"[{host}]" if ":" in host else host
        print(f"The exhibits are at http://{name}:{there}/; Ctrl-C ends it.", flush=True)

    asyncio.run(run())
