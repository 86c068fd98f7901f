"""The comparison in the README of pico_testbench: which tool finds which bug of the tutorial."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
import uv

import pico_testbench
import tutorial

FOLDER = Path(pico_testbench.__file__).parent
TUTORIAL = (FOLDER / "TUTORIAL.md").read_text(encoding="utf-8")
README = (FOLDER / "README.md").read_text(encoding="utf-8")
MOCKRO = "mockro==0.1.0"
EMBEDDED = ("pytest-embedded-qemu==2.9.3", "pytest-embedded-wokwi==2.9.3")
TARGETS = """
from pytest_embedded_qemu.qemu import QEMU_TARGETS
from pytest_embedded_wokwi.wokwi import target_to_board
print(sorted({*QEMU_TARGETS, *target_to_board}))
"""


def with_peer(packages, *words):
    """Run Python in a separate environment with these packages, because pytest would load them as
    plugins. Return its exit code and its output."""
    install = [word for package in packages for word in ("--with", package)]
    command = [uv.find_uv_bin(), "run", "--quiet", "--isolated", "--no-project", *install]
    done = subprocess.run(
        [*command, "--python", sys.executable, "python", *words],
        capture_output=True,
        text=True,
        timeout=300,
    )
    if done.returncode == 2:  # uv's own failure
        pytest.skip(f"uv cannot install {', '.join(packages)}")
    return done.returncode, done.stdout


def cell(finds):
    return "found" if finds else "not found"


def mockro_finds(blocks, folder):
    """Return True if the check in on_mockro.py fails with the first program of a section, and
    passes with its last."""
    mains = [text for kind, text in blocks if kind == "python" and "/main.py\n" in text]
    codes = []
    for text in (mains[0], mains[-1]):
        tutorial.follow([("python", text)], folder)
        (main,) = folder.rglob("main.py")
        check = Path(__file__).with_name("on_mockro.py")
        codes.append(with_peer([MOCKRO], str(check), str(main))[0])
    return codes == [1, 0]


def we_find(blocks, folder):
    try:
        return tutorial.follow(blocks, folder) == 2
    except AssertionError:
        return False


@pytest.mark.long("a minute: each peer is installed, and runs seven programs")
@pytest.mark.skipif(sys.version_info < (3, 11), reason="mockro needs Python 3.11")
def test_table_shows_which_peer_finds_which_bug(tmp_path):
    targets = ast.literal_eval(with_peer(EMBEDDED, "-c", TARGETS)[1])
    only_esp32 = all(target.startswith("esp32") for target in targets)
    embedded = "needs a Pico" if only_esp32 else f"not tried, though it has {targets}"
    headings = re.findall(r"^## (\d\. .+)$", TUTORIAL, re.M)
    sections = [blocks for blocks in tutorial.steps(TUTORIAL) if blocks]
    rows = ""
    for heading, blocks in zip(headings, sections, strict=True):
        mocked, emulated = tmp_path / heading / "mockro", tmp_path / heading / "testbench"
        mocked.mkdir(parents=True)
        emulated.mkdir()
        finds = cell(mockro_finds(blocks, mocked)), cell(we_find(blocks, emulated))
        rows += f"| {heading} | {finds[0]} | {embedded} | not tried | {finds[1]} |\n"
    assert rows in README
    for package in (MOCKRO, EMBEDDED[0]):
        assert f"| {package.replace('-qemu', '').replace('==', ' ')} |" in README
