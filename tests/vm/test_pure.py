"""The pure core on both Pythons. Each check_ function in on_vm/ is a test."""

import importlib
import re
from pathlib import Path

import pytest

from nimatron_sim import vm

ON_VM = Path(__file__).parent / "on_vm"
CHECKS = [
    (file.stem, function)
    for file in sorted(ON_VM.glob("check_*.py"))
    for function in re.findall(r"^def (check_\w+)\(", file.read_text(encoding="utf-8"), re.M)
]


@pytest.mark.vm
@pytest.mark.usefixtures("vm_command")
@pytest.mark.parametrize(("file", "function"), CHECKS)
def test_on_the_vm(file, function):
    vm.run("-c", f"import {file}; {file}.{function}()", folder=ON_VM)


@pytest.mark.parametrize(("file", "function"), CHECKS)
def test_on_cpython(file, function, monkeypatch):
    monkeypatch.syspath_prepend(ON_VM)
    getattr(importlib.import_module(file), function)()
