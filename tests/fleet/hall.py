"""A hall of simulated Picos, each on a socket, in virtual time, so a visit takes no longer than
its computation. Each Pico's output while its cable was in is kept, to compare it with the
arrivals.
"""

import asyncio
import contextlib
import threading

from nimatron import protocol
from nimatron_sim.simulated_pico import SimulatedPico

_STEP_MS = 5
_STEPS = 4000
_WATCHED = ("lamps", "legends", "sound", "coin")
_QUESTIONS = 5  # that a bridge asks each newcomer


class Hall:
    """A context manager for Picos with the numbers 1, 2, 3 …, all in one thread."""

    def __init__(self, count, **settings):
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="hall", daemon=True)
        self._thread.start()
        self.stands = self._do(self._build(count, settings))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for stand in self.stands:
            self._do(stand.pull())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _build(self, count, settings):
        stands = [_Stand(number, settings) for number in range(1, count + 1)]
        for stand in stands:
            await stand.plug()
        return stands

    def words(self):
        """Return NAME=PORT for each Pico, as on the command line."""
        return [f"hall-{stand.number}={stand.port}" for stand in self.stands]

    def ids(self):
        return [stand.id for stand in self.stands]

    def pull(self, number):
        self._do(self.stands[number - 1].pull())

    def plug(self, number, where=None):
        """Plug a Pico in at the same port, or at the earlier port of the Pico with the number
        `where`."""
        stand = self.stands[number - 1]
        if where:
            stand.where = self.stands[where - 1].where
        self._do(stand.plug())

    def replug(self, number):
        """Move the cable of this Pico to another port."""
        self.pull(number)
        self.stands[number - 1].where = ("127.0.0.1", 0)
        self.plug(number)

    def visit(self, *numbers):
        """Let a visitor play at each of these Picos, and perhaps win."""
        for number in numbers:
            self._do(self.stands[number - 1].visit())

    def attached(self):
        """Return True if each cable is read, and the first questions are answered."""
        return all(stand.line and stand.answers >= _QUESTIONS for stand in self.stands)

    def unread(self):
        """Return True if no cable is read."""
        return not any(stand.line for stand in self.stands)

    def tell(self, number, line):
        """Type a line at this Pico's console, as a person in front of it would."""
        self._do(self.stands[number - 1].type(line))

    def rest(self, number):
        """Let this Pico run until it waits again."""
        self._do(self.stands[number - 1].rest())

    def said(self, number):
        """Return the events that went into the cable of this Pico, [(what, values), …], without
        the records of `watch`."""
        return [
            (what, values)
            for kind, what, values in map(protocol.parse, self.stands[number - 1].lines)
            if kind == protocol.EVENT and what not in _WATCHED
        ]

    def all_said(self):
        """Return the number of events that went into all cables."""
        return sum(len(self.said(stand.number)) for stand in self.stands)

    def arrived(self, reader):
        """Return True if exactly these events have arrived in order."""
        return all(reader.events(stand.id) == self.said(stand.number) for stand in self.stands)

    def told(self, number, line):
        return self._do(self.stands[number - 1].ask(line))

    def _do(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(120)


class _Stand:
    def __init__(self, number, settings):
        self.number = number
        self.id = f"{number:016x}"
        self.lines = []
        self.where = ("127.0.0.1", 0)
        self.line = None
        self.answers = 0  # since the cable was put in
        self._server = None
        self._left = asyncio.Event()  # the other end of the cable is out
        self._half = b""
        self._pico = SimulatedPico(
            record=lambda record: None,
            entropy=number,
            unique_id=bytes.fromhex(self.id),
            settings={"think_ms": 0, "lamp_ms": 50} | settings,
        )
        self._pico.on_sent = self._sent
        self._pico.settle()

    @property
    def port(self):
        return f"socket://{self.where[0]}:{self.where[1]}"

    async def plug(self):
        self._server = await asyncio.start_server(self._serve, *self.where)
        self.where = self._server.sockets[0].getsockname()[:2]

    async def pull(self):
        if self._server:
            self._server.close()
        line, self._server, self.line = self.line, None, None
        if line:  # sent bytes are still read, but a reset would discard them
            line.write_eof()
            await self._left.wait()

    async def _serve(self, reader, writer):
        if self.line:
            writer.close()
            return
        self.line, self.answers = writer, 0
        self._left.clear()
        with contextlib.suppress(ConnectionError):  # the bridge was killed
            while data := await reader.read(4096):
                answered = self.answers
                self._pico.send_bytes(data)
                for _ in range(_STEPS):
                    self._pico.run(_STEP_MS)
                    if self.answers > answered:
                        break
        if self.line is writer:
            self.line = None
        writer.close()
        self._left.set()

    def _sent(self, data):
        *lines, self._half = (self._half + data).split(b"\n")
        for line in lines:
            text = line.decode().rstrip("\r")
            self.answers += protocol.is_answer(text)
            if self.line:
                self.line.write(line + b"\n")
                self.lines.append(text)

    async def visit(self):
        pico = self._pico
        pico.tap("new")
        pico.settle()
        while pico.state in ("opening", "player"):
            row = next(n for n, mask in enumerate(pico.lamps, 1) if mask)
            pico.tap(f"row{row}")
            pico.tap("go")
            pico.run_until(lambda: pico.state in ("player", "verdict"))
        pico.run_until(lambda: pico.state == "attract")
        pico.settle()

    async def type(self, line):
        self._pico.send(line)
        self._pico.run(1000)

    async def rest(self):
        self._pico.run(2000)
        self._pico.settle()

    async def ask(self, line):
        """Return an answer that does not go into the cable."""
        told = []
        self._pico.on_sent = told.append
        answered = self._pico.told(line)
        self._pico.on_sent = self._sent
        return answered
