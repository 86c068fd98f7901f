"""The server behind the pages: files, and a WebSocket for each visitor and each operator."""

import asyncio
import contextlib
import csv
import errno
import functools
import gzip
import io
import logging
import re
import signal
import socket
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from ipaddress import ip_address
from pathlib import Path
from typing import NoReturn, TypeVar
from urllib.parse import SplitResult, urlsplit

from aiohttp import WSCloseCode, web, web_response

from nimatron_host.kiosk import metrics, page_data, tokens
from nimatron_host.kiosk.addresses import is_loopback
from nimatron_host.kiosk.connections import OperatorConnection, VisitorConnection
from nimatron_host.kiosk.limits import AT_ONCE, RESERVE, Connections, home
from nimatron_host.kiosk.matches import COLUMNS
from nimatron_host.kiosk.peer import LONGEST, PING_S, Flood
from nimatron_host.kiosk.poster import STYLE_HASH
from nimatron_host.kiosk.tables import Tables
from nimatron_play import words
from nimatron_relays import film
from nimatron_sim.errors import UserError

_HERE = Path(__file__).parent
PAGE = _HERE / "page"
_FOLDERS = {"/": PAGE, "/operator/": _HERE / "operator_page", "/back/": _HERE / "back_page"}
_TYPES = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".woff2": "font/woff2",
}
_NAME = "Nimatron"  # without a version, which would help an attacker
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; "
    f"style-src 'self' {STYLE_HASH}; "
    "img-src 'self'; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cache-Control": "no-cache",
    "Server": _NAME,
}

SITE = "site/"  # the page that needs no server

UNKNOWN = "this server does not know that name. Open its IP address, or start it with --url"

# A Host header must match exactly: no user, no dot at the end.
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]*[a-z0-9_-])(?::([0-9]+))?", re.I)
_PORTS = {"http": "80", "https": "443"}  # the ports of URLs that have no port

_ASKED = 4096  # bytes: the longest question about the relays

_VIEWERS = 500
_FEW = 4  # viewers that each address keeps, even in a crowd
_VIEWERS_EACH = 60  # the most viewers per address. A proxy on this computer has no limit
_STRANGERS = 8  # the most operators' pages that have not sent the token yet
# IPv6 and IPv4 have separate sockets, so that no IPv4 address looks like an IPv6 address.
_BOTH = ("::", "0.0.0.0")
_QUEUE = 512  # connections that wait in the kernel until they are accepted

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

log = logging.getLogger("nimatron.kiosk")

# aiohttp itself answers a malformed request, and includes its own name.
web_response.SERVER_SOFTWARE = _NAME  # type: ignore[attr-defined]


def asked_name(request: web.Request, public: SplitResult | None = None) -> str:
    """Return the host in the browser's address bar, or "" if the port is not this server's.

    `public` is the URL of a proxy in front of the server, which may pass on the port in its URL.
    """
    asked = _HOST.fullmatch(request.host)
    if not asked or not request.transport:
        return ""
    name = asked[1].strip("[]").lower()
    ports = {str(request.transport.get_extra_info("sockname")[1])}
    if public and name == public.hostname:
        ports |= {str(public.port or _PORTS.get(public.scheme)), _PORTS["http"]}
    return name if (asked[2] or _PORTS["http"]) in ports else ""


def _is_address(host: str) -> bool:
    try:
        return bool(ip_address(host))
    except ValueError:
        return False


def knows(name: str, host: str, public: str | None = None) -> bool:
    """Return True if a browser may use `name` for a server on `host` or its proxy at `public`."""
    if is_loopback(name) or (public and name == public):
        return True
    if is_loopback(host):
        return False
    own = socket.gethostname().lower()
    return _is_address(name) or name.partition(".")[0] == own.partition(".")[0]


class Application:
    """The web application, which starts and stops the tables.

    It refuses requests for unknown host names, because another site may have pointed its own name
    at this address. `public` is the URL of a proxy in front of the server. `site` is a folder with
    the page that needs no server.
    """

    def __init__(
        self, tables: Tables, host: str, public: str | None = None, site: Path | None = None
    ) -> None:
        self._tables = tables
        self._kiosk = tables.first
        self._viewers: set[VisitorConnection] = set()  # visitors at all tables
        self._operators: set[OperatorConnection] = set()
        self._host = host
        self._public = urlsplit(public) if public else None
        self.web = web.Application(middlewares=[self._guard])
        self.web.on_response_prepare.append(_add_headers)
        self.web.on_shutdown.append(lambda _: tables.dismiss())
        self.web.cleanup_ctx.append(self._run)
        self.runner = web.AppRunner(
            self.web, access_log=None, shutdown_timeout=0.1, auto_decompress=False
        )
        self.connections = Connections(self._protocol)
        self._listener: asyncio.Server | None = None
        get = self.web.router.add_get
        get("/look", self._look)
        get("/operator", _to_operators_page)
        get("/operator/look", self._look_as_operator)
        get("/health", self._health)
        get("/metrics", self._metrics)
        get("/operator/figures.json", self._figures)
        get("/operator/matches.csv", self._csv)
        get("/operator/matches.json", self._json)
        get("/operator/poster", self._poster)
        get("/board.js", text(page_data.board().encode()))
        get("/languages.js", text(page_data.languages().encode()))
        for place, folder in _FOLDERS.items():
            for path in folder.iterdir():
                get(place + path.name.replace("index.html", ""), file(path))
        get("/back/parts.json", text(film.parts().encode(), "application/json"))
        self.web.router.add_post("/back/film", _film)
        if site:
            tables.site = SITE
            get(f"/{SITE}", file(site / "index.html"))
            self.web.router.add_static(f"/{SITE}", site)
        for code in words.codes():
            for start, back in (("", False), ("/back", True)):
                table = page_data.language(code, back).encode()
                get(f"{start}/words/{code}.json", text(table, "application/json"))

    def _protocol(self) -> asyncio.Protocol:
        assert self.runner.server  # after setup
        return self.runner.server()

    async def listen(self, host: str, port: int) -> int:
        """Start to serve until `close` is called. Return the port. Raises OSError."""
        await self.runner.setup()
        port = port or _free_port()
        names = _BOTH if host == _BOTH[0] else host
        loop = asyncio.get_running_loop()
        self._listener = await loop.create_server(self.connections, names, port, backlog=AT_ONCE)
        for one in self._listener.sockets:
            with socket.fromfd(one.fileno(), one.family, one.type) as listening:
                listening.listen(_QUEUE)  # asyncio has used AT_ONCE for this as well
        return port

    async def close(self) -> None:
        if self._listener:
            self._listener.close()
        await self.runner.cleanup()

    async def _run(self, _: web.Application) -> AsyncIterator[None]:
        self._tables.start()
        yield
        await self._tables.stop()

    # ------------------------------------------------------------------ permissions

    @web.middleware
    async def _guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        name = asked_name(request, self._public)
        if not knows(name, self._host, self._public.hostname if self._public else None):
            log.warning("%s: refused: it asked for %.80r", request.remote, request.host)
            raise web.HTTPForbidden(text=UNKNOWN)
        self.connections.serving(request.transport)
        try:
            answer: web.StreamResponse = await handler(request)
            return answer
        finally:
            self.connections.served(request.transport)

    def _check_origin(self, request: web.Request) -> None:
        """Refuse a WebSocket that was not opened by our pages. A browser sends the page's
        origin."""
        origin = request.headers.get("Origin")
        ours = {f"{request.scheme}://{request.host}"}
        if self._public:
            ours.add(f"{self._public.scheme}://{self._public.netloc}")
        if origin is not None and origin not in ours:
            log.warning("%s: refused: its page comes from %.80r", request.remote, origin)
            raise web.HTTPForbidden(text="this WebSocket is for its own page")

    async def _check_operator(self, request: web.Request) -> None:
        """Raise an exception unless the request has the operator's token."""
        kind, _, token = request.headers.get("Authorization", "").partition(" ")
        right = self._kiosk.tokens.operator
        if kind.lower() != "bearer" or not tokens.matches(token.strip(), right):
            if token:
                await asyncio.sleep(tokens.WRONG_S)
            raise web.HTTPUnauthorized(
                text="this needs the operator's token", headers={"WWW-Authenticate": "Bearer"}
            )

    async def _check_watchman(self, request: web.Request) -> None:
        """Refuse a request from another computer without the operator's token."""
        if not self._is_local(request):
            await self._check_operator(request)

    def _is_local(self, request: web.Request) -> bool:
        """Return True if the request comes from this computer. A request through a proxy does not
        count, because it always seems to come from this computer. A request from a site that
        points its own name here does not count either."""
        proxied = self._public or {"Forwarded", "X-Forwarded-For", "Via"} & set(request.headers)
        return not proxied and is_loopback(request.remote) and is_loopback(asked_name(request))

    # ------------------------------------------------------------------ pages

    async def _look(self, request: web.Request) -> web.StreamResponse:
        """Serve a viewer for the whole visit."""
        self._check_origin(request)
        viewers = self._viewers
        address = home(request.remote)
        each = sum(viewer.home == address for viewer in viewers)
        crowded = each >= _VIEWERS_EACH and not is_loopback(address)
        local = self._is_local(request)
        full = len(viewers) >= _VIEWERS - (0 if local else RESERVE)
        one_of_many = _one_of_many(viewers) if full else None
        if crowded or (full and one_of_many is None):
            raise web.HTTPServiceUnavailable(text="too many viewers")
        if one_of_many:
            one_of_many.leave()
            await one_of_many.peer.close(WSCloseCode.TRY_AGAIN_LATER)
        line = await _upgraded(request)
        asked = [request.query.get(what, "") for what in ("table", "you")]
        viewer = VisitorConnection(self._tables, line, request.remote, local, *asked)
        return await _stay(request, viewer, viewers, line)

    async def _look_as_operator(self, request: web.Request) -> web.StreamResponse:
        """Serve the operator's page, or a page that claims to be it."""
        self._check_origin(request)
        operators = self._operators
        if self._kiosk.tokens.operator is None:
            raise web.HTTPNotFound
        strangers = [peer for peer in operators if not peer.trusted]
        if len(strangers) >= _STRANGERS:  # the operator's page soon sends its token
            first = min(strangers, key=lambda peer: peer.since)
            await first.peer.close(WSCloseCode.TRY_AGAIN_LATER)
        line = await _upgraded(request)
        operator = OperatorConnection(self._tables, line, request.remote)
        return await _stay(request, operator, operators, line)

    async def _health(self, request: web.Request) -> web.Response:
        await self._check_watchman(request)
        told = metrics.health(self._tables, self.connections)
        return web.json_response(told, status=200 if told["ok"] else 503)

    async def _metrics(self, request: web.Request) -> web.Response:
        await self._check_watchman(request)
        told = metrics.exposition(self._tables, self.connections)
        return web.Response(body=told, content_type="text/plain", charset="utf-8")

    async def _figures(self, request: web.Request) -> web.Response:
        await self._check_operator(request)
        return web.json_response(await asyncio.to_thread(self._kiosk.matches.figures))

    async def _poster(self, request: web.Request) -> web.Response:
        await self._check_operator(request)
        page = self._tables.poster(request.query.get("language", ""))
        if not page:
            raise web.HTTPNotFound(text="no phone can reach this server")
        return web.Response(text=page, content_type="text/html")

    async def _csv(self, request: web.Request) -> web.Response:
        await self._check_operator(request)
        sheet = io.StringIO()
        table = csv.writer(sheet, lineterminator="\r\n")  # RFC 4180
        table.writerow(COLUMNS)
        table.writerows(await asyncio.to_thread(self._kiosk.matches.rows))
        return web.Response(
            text=sheet.getvalue(),
            content_type="text/csv",
            headers={"Content-Disposition": 'attachment; filename="matches.csv"'},
        )

    async def _json(self, request: web.Request) -> web.Response:
        await self._check_operator(request)
        rows = await asyncio.to_thread(self._kiosk.matches.rows)
        return web.json_response([dict(zip(COLUMNS, row, strict=True)) for row in rows])


def _free_port() -> int:
    """Return a port for all addresses. asyncio would take another free port for each."""
    with socket.create_server(("", 0)) as free:
        port: int = free.getsockname()[1]
        return port


async def _to_operators_page(_: web.Request) -> NoReturn:
    raise web.HTTPFound("operator/")  # relative, because a proxy may serve it in a folder


async def _add_headers(request: web.Request, response: web.StreamResponse) -> None:
    response.headers.update(HEADERS)
    if request.path.startswith(f"/{SITE}"):
        del response.headers["Content-Security-Policy"]  # its pages have their own policy


async def _upgraded(request: web.Request) -> web.WebSocketResponse:
    line = web.WebSocketResponse(
        max_msg_size=LONGEST, heartbeat=PING_S, compress=False, autoping=False
    )
    await line.prepare(request)
    return line


Page = TypeVar("Page", VisitorConnection, OperatorConnection)


def _one_of_many(viewers: set[VisitorConnection]) -> VisitorConnection | None:
    """Return the page to close if too many are open. Choose a page from the address with the most
    pages, if possible a page that only watches. Return None if each address has only a few."""
    each = Counter(viewer.home for viewer in viewers)
    many = [one for one in viewers if each[one.home] > _FEW and not is_loopback(one.home)]
    return max(many, key=lambda one: (each[one.home], not one.page.control), default=None)


async def _stay(
    request: web.Request, peer: Page, peers: set[Page], line: web.WebSocketResponse
) -> web.WebSocketResponse:
    peers.add(peer)
    try:
        await peer.stay()
    except Flood:
        if request.transport:
            request.transport.abort()  # a proper close would continue to read
    finally:
        peers.discard(peer)
        peer.leave()
    return line


def file(path: Path) -> Handler:
    """Return a response with this file, compressed if the browser supports it."""
    return text(path.read_bytes(), _TYPES[path.suffix])


@functools.lru_cache
def _packed(body: bytes) -> bytes:
    return gzip.compress(body, mtime=0)


def text(body: bytes, content_type: str = "text/javascript") -> Handler:
    """Return a response with this text, compressed if the browser supports it."""
    packed = _packed(body)
    smaller = len(packed) < len(body)  # a font is compressed already

    async def get(request: web.Request) -> web.Response:
        headers = {"Vary": "Accept-Encoding"}
        fits = smaller and "gzip" in request.headers.get("Accept-Encoding", "")
        if fits:
            headers["Content-Encoding"] = "gzip"
        return web.Response(
            body=packed if fits else body,
            content_type=content_type,
            charset=None if content_type.startswith("font/") else "utf-8",
            headers=headers,
        )

    return get


async def _film(request: web.Request) -> web.Response:
    """Return the film of the relays after an action, as JSON."""
    question = await request.content.read(_ASKED + 1)
    try:
        made = await asyncio.to_thread(film.answer, question)  # a machine that hums takes 0.1 s
    except (ValueError, RecursionError) as why:
        raise web.HTTPBadRequest(text=f"no film: {why}") from None
    return web.json_response(text=made)


async def serve(
    tables: Tables,
    host: str,
    port: int,
    ready: Callable[[int], object] = lambda port: None,
    public: str | None = None,
    site: Path | None = None,
) -> None:
    """Serve until SIGTERM or Ctrl-C. ready(port) is called once the server is running.

    Raises UserError if the server cannot start, or if the machine ends early.
    """
    application, kiosk = Application(tables, host, public, site), tables.first
    try:
        try:
            port = await application.listen(host, port)
        except OSError as why:
            raise UserError(cause(host, port, why)) from None
        loop = asyncio.get_running_loop()
        assert kiosk.ended
        for number in (signal.SIGTERM, signal.SIGINT):
            with contextlib.suppress(NotImplementedError):  # on Windows
                loop.add_signal_handler(number, _end, kiosk.ended)
        ready(port)
        await kiosk.ended
    finally:
        await application.close()


def _end(ended: "asyncio.Future[None]") -> None:
    if not ended.done():
        ended.set_result(None)


def cause(host: str, port: int, why: OSError) -> str:
    """Return a sentence that explains why the server cannot listen at `host` and `port`."""
    if why.errno == errno.EADDRINUSE:
        return f"port {port} is in use by another program. Try another one with --port"
    if why.errno == errno.EACCES:
        return f"no permission for port {port}. Try one above 1023 with --port"
    return f"cannot serve {host}, port {port}: {why.strerror or why}"
