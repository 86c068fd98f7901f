"""The speeds in the README of pico_testbench: `python tests/testbench/measure.py` prints them.

Each is the smallest of three runs, in seconds of this computer's clock.
"""

import tempfile
import time
from pathlib import Path

from judges.rp2040js.second_pico import SecondPico
from nimatron_sim.errors import TierUnavailable
from pico_testbench.board import Board

BLINK = """import time
from machine import Pin

led = Pin(15, Pin.OUT)
while True:
    led.toggle()
    time.sleep_ms(500)
"""
BUSY = "x = 0\nwhile True:\n    x += 1\n"
RUNS = (
    ("boot and run a blinking LED for 100 ms", BLINK, 100),
    ("run a blinking LED for one minute", BLINK, 60_000),
    ("run a busy program for one second", BUSY, 1000),
)


def on_testbench(program: str, ms: int) -> None:
    board = Board({"main.py": program})
    board.run(ms)
    board.power_off()


def on_rp2040js(program: str, ms: int) -> None:
    """Measure rp2040js with our chip.mjs, without which it runs no .uf2 to its end."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "main.py"
        file.write_text(program)
        pico = SecondPico(files={"main.py": file})
        pico.darkness.may_be_dark = True
        pico.run(ms)
        pico.power_off()


def least(run, *args) -> str:
    taken = []
    try:
        for _ in range(3):
            began = time.perf_counter()
            run(*args)
            taken.append(time.perf_counter() - began)
    except TierUnavailable as why:
        return str(why)
    return f"{min(taken):.2f}"


if __name__ == "__main__":
    for what, *run in RUNS:
        print(f"| {what} | {least(on_testbench, *run)} | {least(on_rp2040js, *run)} |")
