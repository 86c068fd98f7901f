"""The wheel of pico_testbench on its own: its contents, and its independence of Nimatron."""

import shutil
import subprocess
import sys
from pathlib import Path

from test_release import built

import pico_testbench

FOLDER = Path(pico_testbench.__file__).parent


def test_the_wheel_has_the_package_its_tutorial_and_the_plugin(tmp_path):
    names, _ = built(FOLDER, tmp_path)
    (wheel,) = tmp_path.glob("*.whl")
    shutil.unpack_archive(wheel, tmp_path / "installed", "zip")
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
