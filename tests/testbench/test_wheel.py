"""The wheel of pico_testbench on its own: its contents, and its independence of Nimatron."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pico_testbench

FOLDER = Path(pico_testbench.__file__).parent


def test_the_wheel_has_the_package_its_tutorial_and_the_plugin(tmp_path):
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=FOLDER, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as opened:
        names = set(opened.namelist())
        opened.extractall(tmp_path / "installed")
    modules = {path.relative_to(FOLDER.parent).as_posix() for path in FOLDER.rglob("*.py")}
    others = {"TUTORIAL.md", "py.typed"}
    assert modules | {f"pico_testbench/{name}" for name in others} == {
        name for name in names if ".dist-info/" not in name
    }
    (entry,) = (tmp_path / "installed").glob("*.dist-info/entry_points.txt")
    assert entry.read_text() == "[pytest11]\npico_testbench.plugin = pico_testbench.plugin\n"
    code = (
        "import sys, pico_testbench.plugin as p\n"
        f"assert p.__file__.startswith({str(tmp_path)!r}), p.__file__\n"
        "import pico_testbench.board\n"
        "assert not [name for name in sys.modules if name.startswith('nimatron')]"
    )
    subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": str(tmp_path / "installed")},
        check=True,
        timeout=60,
    )
