"""The bridge of `nimatron fleet` at a real Mosquitto: what exhibits, events and a backlog cost it,
and how many events arrive. The exhibits are consoles on sockets that say what a Pico says."""

import asyncio
import contextlib
import os
import resource
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import needs
from bench.measure import exact
from bench.report import Goal, Section, Table
from nimatron import protocol
from nimatron_sim.errors import TierUnavailable
from nimatron_sim.simulated.pico import SimulatedPico

SIZES = (10, 100, 1000)
BACKLOG, STORM, IDLE_S = 50_000, 1000, 10
_ROUNDS = 500  # of events at once: with more, the bridge of a slow disk has to drop some
BRIDGES = 3
_QUESTIONS = ("version", "settings", "stats", "health", "status")
_EVENT = b"event move by=player row=1 take=2 rows=1,4,5,0\r\n"
_TICK = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")


class Consoles:
    """So many consoles, each on a socket; a context manager."""

    def __init__(self, count: int):
        pico = SimulatedPico()
        pico.settle()
        self._answers = {question: pico.told(question) for question in _QUESTIONS}
        pico.power_off()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._writers: dict[int, asyncio.StreamWriter] = {}
        self._servers: list[asyncio.Server] = []
        self._serving = 0
        self.known = 0  # how often a bridge has asked a console its last question
        self.ports = self._do(self._open(count))

    def __enter__(self) -> "Consoles":
        return self

    def __exit__(self, *_) -> None:
        self._do(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def say(self, rounds: int) -> int:
        """Each console that is read says so many events; returns how many those are in all."""
        return self._do(self._say(rounds))

    def pull(self) -> None:
        """Pull all cables at once; they are in again at once."""
        self._do(self._pull())

    async def _open(self, count):
        for number in range(count):

            async def serve(reader, writer, number=number):
                self._writers[number] = writer
                self._serving += 1
                with contextlib.suppress(ConnectionError):
                    while line := await reader.readline():
                        self._answer(number, line.decode().rpartition("\r\n")[0], writer)
                if self._writers.get(number) is writer:
                    del self._writers[number]
                writer.close()
                self._serving -= 1

            self._servers.append(await asyncio.start_server(serve, "127.0.0.1", 0))
        return [server.sockets[0].getsockname()[1] for server in self._servers]

    def _answer(self, number, line, writer):
        verb, *words = line.strip().split() or [""]
        if verb in _QUESTIONS:
            said = self._answers[verb]
            if verb == "version":
                said |= {"nonce": words[0] if words else "", "id": f"{number:016x}"}
            writer.write(protocol.format(protocol.OK, *said.items()).encode() + b"\r\n")
            self.known += verb == "status"

    async def _say(self, rounds):
        for _ in range(rounds):
            for writer in self._writers.values():
                writer.write(_EVENT)
            await asyncio.sleep(0)
        return rounds * len(self._writers)

    async def _close(self):
        for server in self._servers:
            server.close()
        await self._pull()
        while self._serving:
            await asyncio.sleep(0.01)

    async def _pull(self):
        for writer in list(self._writers.values()):
            writer.close()
        self._writers.clear()

    def _do(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(600)


@contextlib.contextmanager
def _running(count: int, bridges: int = 1) -> Iterator[tuple]:
    """A broker, a reader of it, a list of bridges, and their consoles, all of which are there."""
    from mosquitto import Bridge, Mosquitto, Reader

    needs.program("mosquitto")
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as stack:
        folder, running = Path(name), []
        _open_many()
        broker = Mosquitto(folder / "mosquitto")
        stack.callback(broker.kill)
        broker.start()
        reader = Reader(broker.port)  # first: it cannot use sockets from number 1024 on
        stack.callback(reader.close)
        consoles = stack.enter_context(Consoles(count))
        try:
            for number in range(bridges):
                mine = list(enumerate(consoles.ports))[number::bridges]
                words = [f"e{n}=socket://127.0.0.1:{port}" for n, port in mine]
                (folder / f"{number}").mkdir()
                bridge = Bridge(folder / f"{number}", *_at(broker), *words, name=f"b-{number}")
                running.append(bridge.start())
            _until(lambda: _online(reader, running) == count)
            yield broker, reader, running, consoles
        finally:
            for bridge in running:
                bridge.kill()


def _open_many():
    """Let this process and those that it starts open as many sockets as they may."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _at(broker):
    return "--mqtt", f"mqtt://127.0.0.1:{broker.port}"


def _online(reader, running):
    figures = [reader.of("figures", bridge.NAME) for bridge in running]
    return sum(one["online"] for one in figures if one)


def _until(holds, patience=600):
    end = time.monotonic() + patience
    while not holds():
        if time.monotonic() > end:
            raise TimeoutError("the bridge does not get there")
        time.sleep(0.05)


def _events(reader):
    return sum(topic.endswith("/event") for topic, _ in list(reader.heard))


def _cpu(bridge) -> float:
    """CPU seconds of its process."""
    stat = Path(f"/proc/{bridge.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(stat[11]) + int(stat[12])) / _TICK


def _megabytes(bridge) -> float:
    pages = int(Path(f"/proc/{bridge.process.pid}/statm").read_text().split()[1])
    return pages * _PAGE / 1e6


def at_size(count: int, rounds: int) -> dict[str, float]:
    """What a bridge of so many exhibits costs, and how many events arrive."""
    with _running(count) as (_, reader, (bridge,), consoles):
        start = _cpu(bridge)
        time.sleep(IDLE_S)
        idle = (_cpu(bridge) - start) / IDLE_S
        start, began = _cpu(bridge), time.monotonic()
        said = consoles.say(rounds)
        _until(lambda: _events(reader) >= said)
        took = time.monotonic() - began
        return {
            "idle": idle,
            "us": 1e6 * (_cpu(bridge) - start) / said,
            "megabytes": _megabytes(bridge),
            "rate": said / took,
        }


def backlog(count: int) -> dict[str, float]:
    """What it takes to send so many events that have waited for the broker."""
    with _running(10) as (broker, reader, (bridge,), consoles):
        broker.remember(reader.CLIENT)
        broker.kill()
        said = 0
        for done in range(0, count // 10, _ROUNDS):
            said += consoles.say(min(count // 10 - done, _ROUNDS))
            _until(lambda wanted=said: bridge.numbered() >= wanted)
        start, began = _cpu(bridge), time.monotonic()
        broker.start()
        _until(lambda: _events(reader) >= said)
        took, cpu = time.monotonic() - began, _cpu(bridge) - start
        return {"took": took, "us": 1e6 * cpu / said, "said": said}


def storm(count: int) -> dict[str, float]:
    """What it takes until all exhibits are back after all cables were pulled at once."""
    with _running(count) as (_, reader, (bridge,), consoles):
        start, began, known = _cpu(bridge), time.monotonic(), consoles.known
        consoles.pull()
        _until(lambda: consoles.known == known + count and _online(reader, [bridge]) == count)
        return {"took": time.monotonic() - began, "cpu": _cpu(bridge) - start}


def shared(count: int, rounds: int) -> dict[str, float]:
    """Several bridges at one broker, which share nothing but topics."""
    with _running(count, BRIDGES) as (_, reader, bridges, consoles):
        said = consoles.say(rounds)
        _until(lambda: _events(reader) >= said)
        ids = [f"{n:016x}" for n in range(count)]
        once = sum(len(reader.events(exhibit)) for exhibit in ids)
        return {"said": said, "once": once, "bridges": len(bridges)}


def section(say: Callable[[str], None]) -> Section:
    title = "Fleet"
    try:
        sizes = {}
        for count in SIZES:
            say(f"fleet: {count} exhibits")
            sizes[count] = at_size(count, max(10, 10_000 // count))
        say("fleet: a backlog")
        waited = backlog(BACKLOG)
        say("fleet: all cables at once")
        stormed = storm(STORM)
        say("fleet: three bridges")
        three = shared(SIZES[1], 100)
    except TierUnavailable as why:
        return Section(title, [f"Not measured: {why}."])
    table = Table(("exhibits of a bridge", "CPU, % of a core, idle", "CPU us an event"))
    table.heads = (*table.heads, "events a second at most", "MB")
    for count, found in sizes.items():
        table.rows.append(
            (count, 100 * found["idle"], found["us"], found["rate"], found["megabytes"])
        )
    more = Table(("more of it", ""))
    more.rows += [
        (f"to send {waited['said']:,} events that have waited, s", waited["took"]),
        ("the same, CPU us an event", waited["us"]),
        (f"until {STORM:,} exhibits are back, all cables pulled at once, s", stormed["took"]),
        ("the same, CPU s", stormed["cpu"]),
        (f"{three['bridges']} bridges at one broker: events said", three["said"]),
        ("the same: events that arrived, each counted once", three["once"]),
    ]
    return Section(
        title,
        [
            "A bridge, a real Mosquitto and consoles on sockets, which say all their events at "
            "once: so the rate is what it lags behind from. All of it on this computer.",
            table,
            more,
        ],
        [
            Goal(
                "events of three bridges that arrive exactly once, of those said",
                "1",
                f"{three['once'] / three['said']:.4f}",
                three["once"] == three["said"],
                rounds=exact(1),
            ),
        ],
    )
