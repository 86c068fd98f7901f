"""A kiosk that serves a port of this computer, in a thread, with a simulated Pico in real time."""

import asyncio
import threading

from nimatron_host.kiosk.kiosk import Kiosk
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
        """Have it called in the kiosk's thread."""
        self._loop.call_soon_threadsafe(call, *args)

    def stop(self):
        """Ends. Returns the port, for another one there."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stopped.set)
            self._thread.join()
            self._loop.close()
        return self._port
