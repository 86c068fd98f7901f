"""Many pages at once, each playing at its own table: touch to lamp, memory and CPU, next to a bare
echo server with the same clients in the same run."""

import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from bench.measure import Ratio, exact, percentile, ratio
from bench.report import Goal, Section, Table
from nimatron_sim.errors import TierUnavailable

TITLE = "Tables"
COUNTS = 60, 200
SECONDS = 45
MORE_MS = 50  # than an echo, at most, for 95 of 100
MORE_MB = 150  # than with one table
_TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


def measure(say: Callable[[str], None]) -> dict:
    """{number of pages: figures}. Raises TierUnavailable."""
    if not Path("/proc/self/status").exists():
        raise TierUnavailable("memory and CPU are read from Linux's /proc")
    found = {}
    for count in COUNTS:
        say(f"{count} pages, each playing at its table")
        echoes, touches, more_mb, core = play(count)
        found[f"{count}"] = {
            "echo": [ratio(echoes).median, percentile(echoes, 95).median],
            "touch": [ratio(touches).median, percentile(touches, 95).median],
            "late": percentile(touches, 95).minus(percentile(echoes, 95)),
            "touches": len(touches),
            "MB": more_mb,
            "core": core,
        }
    return found


def section(found: dict) -> Section:
    table = Table(
        ("pages", "touch to lamp, ms", "95 of 100", "echo, ms", "95 of 100", "MB more", "CPU, %")
    )
    for count, one in found.items():
        table.rows.append((count, *one["touch"], *one["echo"], one["MB"], 100 * one["core"]))
    most, one = list(found.items())[-1]
    return Section(
        [
            "Clients without a browser play at one `nimatron kiosk`, each at its own table, with "
            f"a touch or a press every 1 to 3 s, for {SECONDS} s. Before and after that, the same "
            "clients get echoes of as many bytes from a bare WebSocket server. Memory is compared "
            "with one table. CPU is the kiosk's share of one core.",
            table,
        ],
        [
            Goal(
                f"tables: touch to lamp with {most} pages, 95 of 100",
                MORE_MS,
                Ratio(*one["late"]),
                "at most {} ms more than an echo",
                missed="reserve a core for the process that all tables share",
            ),
            Goal(
                f"tables: memory for {most} tables, MB",
                MORE_MB,
                exact(one["MB"]),
                "at most {} more than for one table",
                missed="use less memory for each Pico",
            ),
        ],
    )


def play(count: int) -> tuple[list[float], list[float], float, float]:
    """The ms of each echo and each touch, MB more than with one page, and the share of a core."""
    with tempfile.TemporaryDirectory() as state, contextlib.ExitStack() as stack:
        bare = stack.enter_context(server("-m", "bench.crowd", "serve"))
        options = ("--port", "0", "--state", state, "--tables", str(count + 1))
        kiosk = stack.enter_context(server("-m", "nimatron_host", "kiosk", *options))

        def echo():
            return _crowd("echo", bare[1], count, SECONDS / 3).wait()

        echoes = echo()
        _crowd("play", kiosk[1], 1, 2).wait()
        one = _memory(kiosk[0])
        crowd = _crowd("play", kiosk[1], count, SECONDS)
        time.sleep(SECONDS / 3)
        begun, used = time.monotonic(), _used(kiosk[0])
        time.sleep(SECONDS / 3)
        core = (_used(kiosk[0]) - used) / (time.monotonic() - begun)
        most = _memory(kiosk[0])
        touches = crowd.wait()
        return echoes + echo(), touches, most - one, core


class _crowd:
    """Pages that play. `wait` returns the ms of each touch."""

    def __init__(self, *words: object) -> None:
        command = [sys.executable, "-m", "bench.crowd", *map(str, words)]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)

    def wait(self) -> list[float]:
        said, _ = self._process.communicate()
        return json.loads(said)


@contextlib.contextmanager
def server(*words):
    """A server in a separate process: its ID and its URL."""
    process = subprocess.Popen([sys.executable, *words], stdout=subprocess.PIPE, text=True)
    try:
        yield process.pid, re.search(r"http://\S+/", process.stdout.readline())[0]
    finally:
        process.terminate()
        process.communicate()


def _memory(process):
    """MB that are resident."""
    status = Path(f"/proc/{process}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1000


def _used(process):
    """Seconds of CPU time so far."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS
