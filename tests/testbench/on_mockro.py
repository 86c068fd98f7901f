"""Check the tutorial's programs with mockro, as a user of mockro could: `on_mockro.py MAIN.PY`.

The checks use only mockro's own functions: results that the test chooses, and recorded calls.
"""

import builtins
import contextlib
import io
import os
import sys
import tempfile
from pathlib import Path

import mockro

_FOREVER = [None] * 99


def run(program: str, **results: object) -> list[str]:
    """Run a program until its end, or until a function that has no more results. Return the lines
    that it printed. `results` are the results of functions, with __ for a dot."""
    recorder = mockro.get_recorder()
    recorder.clear()
    mockro.activate(aliases=True)  # as `mockro run` does
    for name, value in results.items():
        how = {"side_effect": value} if isinstance(value, list) else {"obj": value}
        mockro.patch(name.replace("__", "."), **how)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.suppress(RuntimeError, StopIteration):
        exec(program, {})
    return printed.getvalue().splitlines()


def calls(name: str) -> list:
    """Return the last argument of each recorded call."""
    return [args[-1] for args, _ in mockro.get_recorder().calls(name)]


def check_src(program: str) -> None:
    """The pause after each change of the LED."""
    run(program, machine__Pin__off=[None] * 3)
    assert len(calls("utime.sleep_ms")) == 7


def check_counter(program: str) -> None:
    """A press that bounces. A value follows the other, whatever the program waits between them."""
    bounces = [1, 0, 1, 0, 0, 0, 0, 1, 1]
    assert run(program, machine__Pin__value=bounces) == ["count 1"]


def check_fade(program: str) -> None:
    run(program, utime__sleep_ms=_FOREVER)
    assert max(calls("machine.PWM.duty_u16")) == 65535


def check_thermometer(program: str) -> None:
    frost = b"\xfa\x80"
    assert run(program, machine__I2C__readfrom_mem=frost, utime__sleep_ms=[]) == ["degrees -5.5"]


def check_starts(program: str) -> None:
    for _ in range(3):
        run(program, uos__listdir=os.listdir, utime__sleep=[])
    assert Path("starts.txt").read_text() == "3"


def check_parking(program: str) -> None:
    assert run(program, machine__time_pulse_us=lambda *_: -1, utime__sleep_ms=[]) == ["far"]


def check_lamp(program: str) -> None:
    """The power fails when the second colour replaces the first."""
    files = {"uos__listdir": os.listdir, "uos__remove": os.remove}
    for colour, rename in (("red", os.rename), ("green", []), ("", os.rename)):
        builtins.input = iter([colour] if colour else []).__next__
        said = run(program, **files, uos__rename=rename)
    assert said in (["colour red"], ["colour green"])


if __name__ == "__main__":
    main = Path(sys.argv[1])
    check, program = globals()[f"check_{main.parent.name}"], main.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        check(program)
