"""Many pages at once, each playing at its own table: touch to lamp, memory and CPU, beside a bare
echo server with as many pages in the same run."""

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

from bench.measure import exact, percentile, ratio
from bench.report import Goal, Section, Table, number

COUNTS = 60, 200
SECONDS = 45
MORE_MS = 50  # than an echo, at most, for 95 of 100
MORE_MB = 150  # than with one table
_TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


def section(say: Callable[[str], None]) -> Section:
    if not Path("/proc/self/status").exists():
        return Section("Tables", ["Not measured: memory and CPU are read from Linux's /proc."])
    table = Table(
        ("pages", "touch to lamp, ms", "95 of 100", "an echo, ms", "95 of 100", "MB more", "CPU")
    )
    goals = []
    for count in COUNTS:
        say(f"{count} pages, each playing at its table")
        echoes, touches, more_mb, core = measure(count)
        echo, touch = ratio(echoes), ratio(touches)
        worst = percentile(touches, 95).minus(percentile(echoes, 95))
        table.rows.append(
            (
                *(count, touch.median, percentile(touches, 95).median),
                *(echo.median, percentile(echoes, 95).median, more_mb, f"{100 * core:.0f} %"),
            )
        )
        if count == max(COUNTS):
            goals = [
                Goal(
                    f"tables: touch to lamp with {count} pages, 95 of 100",
                    f"{MORE_MS} ms more than an echo at most",
                    f"{number(worst.median)} ms more",
                    worst.keeps_to(MORE_MS),
                    "all tables share one process, and so one core",
                    worst,
                ),
                Goal(
                    f"tables: memory for {count} of them",
                    f"{MORE_MB} MB more than for one at most",
                    f"{number(more_mb)} MB more",
                    more_mb <= MORE_MB,
                    "less of it for each Pico",
                    exact(more_mb),
                ),
            ]
    return Section(
        "Tables",
        [
            "Pages in a process of their own, without a browser, each at its own table of one "
            "`nimatron kiosk`. Each touches a lamp or presses a button every 1 to 3 s, for "
            f"{SECONDS} s. Before that, the same number of pages gets echoes of as many bytes "
            "from a bare WebSocket server. CPU is the kiosk's share of one core.",
            table,
        ],
        goals,
    )


def measure(count: int) -> tuple[list[float], list[float], float, float]:
    """ms of each echo and of each touch; MB more than with one page; the share of a core."""
    with tempfile.TemporaryDirectory() as state, contextlib.ExitStack() as stack:
        echo = stack.enter_context(_server("-m", "bench.crowd", "serve"))
        options = ("--port", "0", "--state", state, "--tables", str(count + 1))
        kiosk = stack.enter_context(_server("-m", "nimatron_host", "kiosk", *options))
        echoes = _crowd("echo", echo[1], count, SECONDS / 3).wait()
        _crowd("play", kiosk[1], 1, 2).wait()
        one = _memory(kiosk[0])
        crowd = _crowd("play", kiosk[1], count, SECONDS)
        time.sleep(SECONDS / 3)
        begun, used = time.monotonic(), _used(kiosk[0])
        time.sleep(SECONDS / 3)
        core = (_used(kiosk[0]) - used) / (time.monotonic() - begun)
        most = _memory(kiosk[0])
        return echoes, crowd.wait(), most - one, core


class _crowd:
    """Pages that play; `wait` returns the ms of each touch."""

    def __init__(self, *words: object) -> None:
        command = [sys.executable, "-m", "bench.crowd", *map(str, words)]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)

    def wait(self) -> list[float]:
        said, _ = self._process.communicate()
        return json.loads(said)


@contextlib.contextmanager
def _server(*words):
    """A server in a process of its own; its ID and its URL."""
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
