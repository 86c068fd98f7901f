"""The server behind the page: files, and one WebSocket for each viewer."""

import asyncio
import contextlib
import errno
import logging
import signal
from collections.abc import Callable
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from aiohttp import web

from nimatron import board
from nimatron_sim.errors import UserError
from nimatron_sim.ui import words
from nimatron_sim.ui.kiosk.kiosk import Kiosk
from nimatron_sim.ui.kiosk.viewer import LONGEST, Viewer

_PAGE = Path(__file__).parent / "page"
_TYPES = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".json": "application/json",
    ".svg": "image/svg+xml",
}
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-cache",
}

_VIEWERS = 500
_HEARTBEAT_S = 20  # a viewer who does not answer is gone

log = logging.getLogger("nimatron.kiosk")


# The size of the board, which a page that runs in the browser cannot import.
_BOARD = f"export const ROWS = {board.ROWS}, LAMPS = {board.LAMPS};\n"


def is_loopback(host: str) -> bool:
    """True if only this computer can reach the address."""
    if host == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def application(kiosk: Kiosk, host: str) -> web.Application:
    """The web application, which starts and stops the kiosk. On a loopback address it answers to
    no other name, because a page elsewhere may have pointed its own name at this address."""

    @web.middleware
    async def guard(request, handler):
        name = urlsplit(f"//{request.host}").hostname or ""
        if is_loopback(host) and not is_loopback(name):
            raise web.HTTPForbidden(text="this server is for its own computer")
        return await handler(request)

    async def add_headers(_, response):
        response.headers.update(_HEADERS)

    async def run(_):
        kiosk.start()
        yield
        await kiosk.stop()

    app = web.Application(middlewares=[guard])
    app.on_response_prepare.append(add_headers)
    app.cleanup_ctx.append(run)
    app.router.add_get("/look", _look(kiosk))
    app.router.add_get("/board.js", _text(_BOARD.encode(), _TYPES[".js"]))
    for path in _PAGE.iterdir():
        app.router.add_get("/" + path.name.replace("index.html", ""), _file(path))
    for path in words.FOLDER.glob("*.json"):
        app.router.add_get(f"/words/{path.name}", _file(path))
    return app


def _look(kiosk):
    async def look(request):
        """Serve one viewer for the whole visit."""
        origin = request.headers.get("Origin")
        if origin is not None and urlsplit(origin).netloc != request.host:
            log.warning("%s: refused: its page comes from %.80r", request.remote, origin)
            raise web.HTTPForbidden(text="this WebSocket is for its own page")
        if len(kiosk.viewers) >= _VIEWERS:
            raise web.HTTPServiceUnavailable(text="too many viewers")
        socket = web.WebSocketResponse(
            max_msg_size=LONGEST, heartbeat=_HEARTBEAT_S, compress=False
        )
        await socket.prepare(request)
        viewer = Viewer(kiosk, socket, request.remote)
        kiosk.viewers.add(viewer)
        try:
            await viewer.stay()
        finally:
            kiosk.leave(viewer)
        return socket

    return look


def _file(path):
    return _text(path.read_bytes(), _TYPES[path.suffix])


def _text(body, content_type):
    async def get(_):
        return web.Response(body=body, content_type=content_type, charset="utf-8")

    return get


async def serve(
    kiosk: Kiosk, host: str, port: int, ready: Callable[[int], object] = lambda port: None
) -> None:
    """Serve until SIGTERM or Ctrl-C; ready(port) is called once the server is up.

    Raises UserError if it cannot serve, or if the machine ends early.
    """
    runner = web.AppRunner(application(kiosk, host), access_log=None, shutdown_timeout=1)
    await runner.setup()
    try:
        site = web.TCPSite(runner, host, port)
        try:
            await site.start()
        except OSError as why:
            raise UserError(_cause(host, port, why)) from None
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            with contextlib.suppress(NotImplementedError):  # on Windows
                loop.add_signal_handler(number, _end, kiosk)
        ready(runner.addresses[0][1])
        await kiosk.ended
    finally:
        await runner.cleanup()


def _end(kiosk):
    if not kiosk.ended.done():
        kiosk.ended.set_result(None)


def _cause(host, port, why):
    if why.errno == errno.EADDRINUSE:
        return f"port {port} is in use by another program; try another one with --port"
    if why.errno == errno.EACCES:
        return f"no permission for port {port}; try one above 1023 with --port"
    return f"cannot serve {host}, port {port}: {why.strerror or why}"
