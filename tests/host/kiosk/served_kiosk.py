"""Kiosks for tests: a kiosk in a thread that serves a port of this computer, with a simulated Pico
in real time, and a kiosk with machines under the test's control."""

import asyncio
import contextlib
import threading
import time

from aiohttp.test_utils import TestClient, TestServer
from patience import PATIENCE_S

from nimatron_host.kiosk.served_table import Kiosk
from nimatron_host.kiosk.server import Application
from nimatron_host.kiosk.tables import Tables
from nimatron_host.kiosk.tokens import Tokens
from nimatron_host.live import InLoop, on_tier

QUICK = ["set think_ms 0", "set lamp_ms 50", "set verdict_ms 3000"]


class Served:
    """A kiosk at `url` until `stop`. `host` is the address in its settings. Players need `token`,
    and the operator needs `operator`. With a token it behaves as behind a proxy, because otherwise
    this computer's own pages need no token. For `most` and `each`, see Tables."""

    def __init__(
        self,
        lines=(),
        connect=None,
        host="127.0.0.1",
        port=0,
        token=None,
        operator=None,
        **options,
    ):
        tokens = Tokens(token, operator)
        connect, lines = connect or on_tier("sim"), [*QUICK, *lines]
        limits = {name: options.pop(name) for name in ("most", "each") if name in options}
        self.kiosk = Kiosk(connect, lines, tokens=tokens, public=True, **options)
        self.machine = self.kiosk.machine
        shared = {"matches": self.kiosk.matches, "tokens": tokens}

        def another():
            return Kiosk(on_tier("sim", InLoop), lines, first=False, **shared)

        self.tables = Tables(self.kiosk, another, **limits)
        self._host = host
        self._port = port
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._loop.run_until_complete, args=[self._run()])
        self._thread.start()
        self._ready.wait()
        self.url = f"http://127.0.0.1:{self._port}/"

    async def _run(self):
        self._stopped = asyncio.Event()
        proxy = "http://nim.example.org/" if self.kiosk.tokens.visitor else None
        application = Application(self.tables, self._host, proxy)
        self._port = await application.listen("127.0.0.1", self._port)
        self.tables.link = f"http://127.0.0.1:{self._port}/"
        self._ready.set()
        await self._stopped.wait()
        await application.close()
        await asyncio.sleep(0.01)  # until the loop has closed its last connections

    def do(self, call, *args):
        self._loop.call_soon_threadsafe(call, *args)

    def stop(self):
        """Stop the kiosk. Return the port, for another kiosk there."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stopped.set)
            self._thread.join()
            self._loop.close()
        return self._port


PROXY = "http://nim.example.org/"  # makes this computer's pages strangers


class FakeSession:
    """A machine under the test's control."""

    def __init__(self, record, failed):
        self.record = record
        self.failed = failed
        self.done = []

    def start(self):
        self.lit(0)
        self.record({"ms": 0, "console": "event state=attract"})

    def stop(self):
        self.done.append("stop")

    def order(self, verb, what):
        self.done.append(f"{verb} {what}")

    def lit(self, mask):
        self.record({"ms": 0, "lamps": [mask, 0, 0, 0]})


OPERATOR = "the operator's".replace(" ", "-")


class House:
    """A kiosk, the machines of its tables, and a client on the same loop."""

    def __init__(self, client, tables, sessions):
        self.client = client
        self.tables = tables
        self.kiosk, self.machine = tables.first, tables.first.machine
        self.sessions = sessions
        self.session = sessions[0]  # of the first table

    async def look(self, own=False, you="", **options):
        """Open a page at the first table, or at its own table."""
        table = "" if own else self.kiosk.machine.visit.name
        viewer = await self.client.ws_connect(f"/look?table={table}&you={you}", **options)
        return viewer, await viewer.receive_json()

    async def operate(self, token=OPERATOR, **options):
        operator = await self.client.ws_connect("/operator/look", **options)
        await operator.send_json({"token": token})
        return operator

    async def done(self, what):
        """Wait until the machine has the message."""
        await until(lambda: what in self.session.done)


async def until(condition):
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end
        await asyncio.sleep(0.005)


@contextlib.asynccontextmanager
async def visiting(host="127.0.0.1", public=None, **options):
    """Open a House with this address in its settings, until the end of the block."""
    sessions = []

    def connect(record, failed):
        sessions.append(FakeSession(record, failed))
        return sessions[-1]

    kiosk = Kiosk(connect, ["level easy"], **options)
    tables = Tables(kiosk, lambda: Kiosk(connect, [], first=False))
    async with TestClient(TestServer(Application(tables, host, public).web)) as client:
        yield House(client, tables, sessions)
    assert {session.done[-1] for session in sessions} == {"stop"}


class Phone:
    """A page at the other end. `state` is everything it has received."""

    def __init__(self, line):
        self.line = line
        self.state = {}
        self.n = 0

    async def until(self, condition):
        end = time.monotonic() + PATIENCE_S
        while not condition(self.state):
            assert time.monotonic() < end, self.state
            self.state |= await self.line.receive_json(timeout=PATIENCE_S)

    async def send(self, **message):
        await self.line.send_json(message)

    async def tap(self, button):
        await self.send(press=button)
        await self.send(release=button)

    async def is_at(self, state, **more):
        wanted = {"state": state} | more
        await self.until(lambda now: all(now.get(key) == wanted[key] for key in wanted))

    def advice(self):
        return self.state["advice"][0]
