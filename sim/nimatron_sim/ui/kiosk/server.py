"""The server behind the page: files, and one WebSocket for each viewer.

A viewer is sent the state of the machine, as far as it differs from what they were sent last. A
slow viewer gets fewer states, and keeps nobody waiting. A viewer sends JSON objects with one key:
press or release with a button, send with a console line, or token.
"""

import asyncio
import contextlib
import errno
import hmac
import json
import logging
import signal
import time
from collections import defaultdict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from aiohttp import WSCloseCode, WSMsgType, web

from nimatron import board, protocol
from nimatron_sim.errors import UserError, stopped
from nimatron_sim.ui import words
from nimatron_sim.ui.attendant import Attendant, Connect
from nimatron_sim.ui.kiosk.explain import explain

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
_LONGEST = 1000  # bytes in a message
_RATE, _BURST = 60, 120  # messages per second; two hands cannot do more
_BAD = 10  # invalid messages, after which a viewer is disconnected
_HEARTBEAT_S = 20  # a viewer who does not answer is gone
_LINES = 60  # of the console

log = logging.getLogger("nimatron.kiosk")


# The size of the board, which a page that runs in the browser cannot import.
_BOARD = f"export const ROWS = {board.ROWS}, LAMPS = {board.LAMPS};\n"


class _Bad(Exception):
    """A message that is dropped; says why."""


class Kiosk:
    """The machine of connect(), and all its viewers.

    spectate: nobody may press. token: viewers who know it may press; None lets everybody.
    """

    def __init__(
        self, connect: Connect, lines: list[str], spectate: bool = False, token: str | None = None
    ):
        self.spectate = spectate
        self.token = token
        self.ended: asyncio.Future | None = None
        self.state: dict = {}
        self._connect = connect
        self._lines = lines
        self._viewers: set[Viewer] = set()
        self._holders: dict[str, set[Viewer]] = defaultdict(set)  # button: who is holding it
        self._brightness: list[float] = [0] * (board.ROWS * board.LAMPS)
        self._said: deque[str] = deque(maxlen=_LINES)
        self._thinker = ThreadPoolExecutor(1, "explain")
        self._explained: tuple = ()
        self._working: dict = {}

    def start(self) -> None:
        loop = asyncio.get_running_loop()
        self.ended = loop.create_future()

        def hand_over(call, what):
            with contextlib.suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(call, what)

        self._attendant = Attendant(
            self._connect,
            lambda record: hand_over(self._take, record),
            lambda why: hand_over(self._fail, why),
            self._lines,
        )
        self._show()
        self._attendant.session.start()

    async def stop(self) -> None:
        for viewer in list(self._viewers):
            await viewer.close(WSCloseCode.GOING_AWAY)
        await asyncio.to_thread(self._attendant.session.stop)
        self._thinker.shutdown(cancel_futures=True)

    # ------------------------------------------------------------------ what the machine does

    def _take(self, record):
        self._said.extend(self._attendant.take(record))
        if "lamps" in record:
            self._brightness = record.get("brightness") or _full(record["lamps"])
        elif not record.get("cable", True):
            self._brightness = [0] * len(self._brightness)
        self._show()

    def _fail(self, why):
        if not self.ended.done():
            self.ended.set_exception(stopped(why))

    def _show(self):
        display = self._attendant.display
        doing, advice = display.said
        game = [words.message(display.game.sentence)] if display.game else []
        self.state = {
            "lamps": self._brightness,
            "legends": display.legends,
            "sound": display.sound,
            "coin": display.coin,
            "tokens": display.tokens,
            "state": display.state,
            "rule": game + display.rule_said,
            "doing": doing,
            "advice": advice,
            "held": sorted(button for button, holders in self._holders.items() if holders),
            "working": self._working,
        }
        for viewer in self._viewers:
            viewer.changed.set()
        self._explain(display)

    def _explain(self, display):
        if not display.game:
            return
        question = display.game, display.position, display.rule == "misere", display.last
        if question != self._explained:
            self._explained = question
            answer = asyncio.get_running_loop().run_in_executor(self._thinker, explain, *question)
            answer.add_done_callback(lambda answer: self._knows(question, answer))

    def _knows(self, question, answer):
        if answer.cancelled() or question != self._explained:
            return
        if answer.exception():
            log.warning("no explanation: %r", answer.exception())
        self._working = {} if answer.exception() else answer.result()
        self._show()

    # ------------------------------------------------------------------ what people do

    async def look(self, request: web.Request) -> web.WebSocketResponse:
        """Serve one viewer for the whole visit."""
        origin = request.headers.get("Origin")
        if origin is not None and urlsplit(origin).netloc != request.host:
            log.warning("%s: refused: its page comes from %.80r", request.remote, origin)
            raise web.HTTPForbidden(text="this WebSocket is for its own page")
        if len(self._viewers) >= _VIEWERS:
            raise web.HTTPServiceUnavailable(text="too many viewers")
        socket = web.WebSocketResponse(
            max_msg_size=_LONGEST, heartbeat=_HEARTBEAT_S, compress=False
        )
        await socket.prepare(request)
        viewer = Viewer(self, socket, request.remote)
        self._viewers.add(viewer)
        try:
            await viewer.stay()
        finally:
            self._viewers.discard(viewer)
            for button in board.BUTTONS:
                self.release(viewer, button)
        return socket

    def press(self, viewer: "Viewer", button: str) -> None:
        holders = self._holders[button]
        if not holders:
            self._attendant.session.press(button)
            self._attendant.display.touched()
        holders.add(viewer)
        self._show()

    def release(self, viewer: "Viewer", button: str) -> None:
        holders = self._holders[button]
        if viewer in holders:
            holders.remove(viewer)
            if not holders:
                self._attendant.session.release(button)
            self._show()

    def send(self, line: str) -> None:
        self._said.append(self._attendant.send(line))
        self._show()

    @property
    def said(self) -> list[str]:
        """The console's last lines."""
        return list(self._said)


class Viewer:
    """One page that shows the machine. changed: set when there is something new to see."""

    def __init__(self, kiosk: Kiosk, socket: web.WebSocketResponse, name: str | None):
        self.changed = asyncio.Event()
        self.changed.set()
        self._kiosk = kiosk
        self._socket = socket
        self._name = name
        self._control = not kiosk.spectate and kiosk.token is None
        self._sent: dict = {}
        self._credit = float(_BURST)
        self._heard_at = time.monotonic()
        self._bad = 0

    async def stay(self) -> None:
        feeding = asyncio.create_task(self._feed())
        try:
            async for message in self._socket:
                if message.type is not WSMsgType.TEXT or not self._hear(message.data):
                    await self.close(WSCloseCode.POLICY_VIOLATION)
        finally:
            feeding.cancel()

    async def close(self, code: WSCloseCode) -> None:
        with contextlib.suppress(TimeoutError, asyncio.TimeoutError):
            await asyncio.wait_for(self._socket.close(code=code), 1)

    async def _feed(self):
        """Send changes for ever: only the latest state, however many there were meanwhile."""
        with contextlib.suppress(ConnectionError):
            while True:
                await self.changed.wait()
                self.changed.clear()
                seen = self._kiosk.state | {"control": self._control}
                if self._control:
                    seen["said"] = self._kiosk.said
                else:
                    seen["spectate"] = self._kiosk.spectate
                news = {key: seen[key] for key in seen if self._sent.get(key) != seen[key]}
                if not self._sent:
                    news["languages"] = _LANGUAGES
                self._sent = seen
                if news:
                    await self._socket.send_str(json.dumps(news, separators=(",", ":")))

    def _hear(self, text):
        """Handle a message; False if the viewer must be disconnected."""
        now = time.monotonic()
        self._credit = min(_BURST, self._credit + (now - self._heard_at) * _RATE) - 1
        self._heard_at = now
        if self._credit < 0:
            log.warning("%s: disconnected: message rate exceeded", self._name)
            return False
        try:
            self._do(text)
        except _Bad as why:
            self._bad += 1
            log.warning("%s: message dropped, %s", self._name, why)
        return self._bad < _BAD

    def _do(self, text):
        try:
            ((verb, what),) = json.loads(text).items()
        except (ValueError, AttributeError, RecursionError):
            raise _Bad("not a JSON object with one key") from None
        if verb not in ("token", "press", "release", "send") or not isinstance(what, str):
            raise _Bad("an unknown kind of message")
        if verb == "token":
            self._log_in(what)
        elif not self._control:
            raise _Bad("this viewer may only look")
        elif verb == "send":
            if not what.strip() or len(what) > protocol.LONGEST or not what.isprintable():
                raise _Bad("not a console line")
            self._kiosk.send(what.strip())
        elif what not in board.BUTTONS:
            raise _Bad("there is no such button")
        else:
            (self._kiosk.press if verb == "press" else self._kiosk.release)(self, what)

    def _log_in(self, token):
        right = self._kiosk.token
        if right is None:
            return  # left over from an earlier session
        if not hmac.compare_digest(token.encode("utf-8", "replace"), right.encode()):
            raise _Bad("a wrong token")
        self._control = not self._kiosk.spectate
        self.changed.set()


def _full(masks):
    return [mask >> lamp & 1 for mask in masks for lamp in range(board.LAMPS)]


# ---------------------------------------------------------------------- the server

_LANGUAGES = {code: table["language"] for code, table in words.tables().items()}


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
    app.router.add_get("/look", kiosk.look)
    app.router.add_get("/board.js", _text(_BOARD.encode(), _TYPES[".js"]))
    for path in _PAGE.iterdir():
        app.router.add_get("/" + path.name.replace("index.html", ""), _file(path))
    for path in words.FOLDER.glob("*.json"):
        app.router.add_get(f"/words/{path.name}", _file(path))
    return app


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
