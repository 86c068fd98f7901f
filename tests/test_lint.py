"""The findings of `make lint`, and a comparison of the .pyi files with the firmware."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FIRMWARE = ROOT / "firmware"


def says_nothing(module, *arguments, **environment):
    command = [sys.executable, "-m", module, *arguments]
    result = subprocess.run(
        command, cwd=ROOT, env=os.environ | environment, capture_output=True, encoding="utf-8"
    )
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize(
    "command",
    [["ruff", "check", "."], ["ruff", "format", "--check", "."], ["codespell_lib"], ["mypy"]],
    ids=" ".join,
)
def test_lint_finds_nothing(command):
    says_nothing(*command)


def test_the_types_of_the_firmware_are_its_own():
    stubs = [path.relative_to(FIRMWARE).with_suffix("") for path in FIRMWARE.rglob("*.pyi")]
    packages = {stub.parent for stub in stubs if stub.name == "__init__"}
    modules = {stub for stub in stubs if not packages & {stub, stub.parent}} | packages
    names = [str(module).replace(os.sep, ".") for module in sorted(modules)]
    says_nothing(
        "mypy.stubtest",
        "--mypy-config-file=pyproject.toml",
        *names,
        PYTHONPATH=str(FIRMWARE),
        MYPYPATH=str(FIRMWARE),
    )
