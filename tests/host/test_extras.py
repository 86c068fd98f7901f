"""The libraries that each command needs. A missing library is reported in one line.

test_windows.py runs each command with only the libraries that it needs.
"""

import ast
import json
import os
import re
import subprocess
import sys
from functools import cache
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from nimatron_host.deploy import deploy
from nimatron_sim import extras, firmware

try:
    import tomllib
except ModuleNotFoundError:  # before Python 3.11. hatchling brings it
    import tomli as tomllib

ROOT = Path(__file__).parent.parent.parent
VISIT = str(ROOT / "tests/firmware/visit.txt")
# Installed by an extra that includes another extra.
WITH = {"pico": {"cable"}, "emulator": {"pico", "cable"}}
PROGRAM = """
import sys
sys.modules.update(dict.fromkeys(sys.argv.pop(1).split(",")))  # these cannot be imported
from nimatron_host.cli import main
sys.exit(main())
"""


def run(*words, having=(), stdin="", **how):
    """Run the command with only these extras installed. Return its exit status and output."""
    there = {other for extra in having for other in {extra} | WITH.get(extra, set())}
    away = ",".join(name for name, extra in extras.EXTRAS.items() if extra not in there)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, away, *words],
        input=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        **how,
    )
    return done.returncode, done.stdout


def test_the_panel_in_the_terminal_needs_no_extra():
    away = ",".join(extras.EXTRAS)
    code = "import sys; sys.modules.update(dict.fromkeys(sys.argv[1].split(',')));"
    code += (
        "import nimatron_host.terminal.textual_app, nimatron_sim.backends, nimatron_sim.soak.soak"
    )
    subprocess.run([sys.executable, "-c", code, away], check=True, timeout=60)


@pytest.mark.parametrize("words", [["--help"], ["play"], ["fleet", "--help"]], ids=" ".join)
def test_a_command_imports_its_package_only_when_it_runs(words):
    code = "import sys\nfrom nimatron_host.cli import main\n"
    code += "try: main(sys.argv[1:])\nfinally: print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True)
    loaded = done.stderr.split()
    assert "nimatron_host.commands.fleet" in loaded
    heavy = {*extras.EXTRAS, "asyncio", "greenlet", "platformdirs", "rich", "shtab", "textual"}
    assert not heavy & {name.partition(".")[0] for name in loaded}
    rooms = ("deploy", "device", "fleet", "kiosk", "site", "terminal", "theory")
    ours = ("nimatron_wiring", *(f"nimatron_host.{room}" for room in rooms))
    assert not [name for name in loaded if name.startswith(ours)]


@pytest.mark.parametrize(
    ("words", "extra"),
    [
        (["kiosk"], "kiosk"),
        (["settings", "/dev/none"], "cable"),
        (["trace", VISIT, "--on", "emulator"], "emulator"),
        (["fleet", "--mqtt", "mqtt://h"], "fleet"),
        (["site", "a"], "site"),
        (["handout", "a.pdf"], "theory"),
    ],
    ids=lambda value: " ".join(value[:1]) if isinstance(value, list) else value,
)
def test_what_is_missing_is_one_line_with_the_command_that_installs_it(words, extra, tmp_path):
    empty = os.environ | {"NIMATRON_IMAGE": "", "HOME": str(tmp_path)}
    status, said = run(*words, cwd=tmp_path, env=empty)
    assert (status, said.count("\n")) == (1, 1)
    assert f"which is not installed. Install it: {extras.command(extra)}\n" in said


def test_the_kit_needs_its_own_and_says_so_before_it_draws(tmp_path):
    status, said = run("wiring", "--kit", str(tmp_path / "kit"))
    assert status == 1 and said.endswith(extras.command("kit") + "\n")
    assert not (tmp_path / "kit").exists()


def test_a_pico_on_a_cable_needs_only_the_cable(simulated):
    assert run("settings", simulated, "think_ms", having=["cable"])[0] == 0
    assert run("console", simulated, having=["cable"], stdin="version\n")[0] == 0


@pytest.mark.usefixtures("no_compiler")
def test_without_the_compiler_sources_are_sent():
    said = []
    sent = deploy.contents(firmware.files(), 0x1206, said.append)
    assert sent.keys() == firmware.files().keys()
    assert said[0].endswith(extras.command("pico"))


# ---------------------------------------------------------------------- the command to install it


@pytest.mark.parametrize(
    ("origin", "wanted"),
    [
        (None, '"nimatron[kiosk]"'),
        (
            {"url": "file:///home/me/nim%20a", "dir_info": {"editable": True}},
            '-e "/home/me/nim a[kiosk]"',
        ),
        (
            {"url": "https://example.org/nimatron", "vcs_info": {"vcs": "git"}},
            '"nimatron[kiosk] @ git+https://example.org/nimatron"',
        ),
        (
            {"url": "file:///tmp/nimatron-1-py3-none-any.whl", "archive_info": {}},
            '"nimatron[kiosk] @ file:///tmp/nimatron-1-py3-none-any.whl"',
        ),
    ],
)
def test_an_extra_is_installed_from_where_nimatron_came(monkeypatch, origin, wanted):
    class Installed:
        def read_text(self, name):
            return origin and json.dumps(origin)

    monkeypatch.setattr(extras.metadata, "distribution", lambda name: Installed())
    monkeypatch.setattr(extras.importlib.util, "find_spec", lambda name: object())
    assert extras.command("kiosk") == f"{sys.executable} -m pip install {wanted}"
    monkeypatch.setattr(extras.importlib.util, "find_spec", lambda name: None)
    assert extras.command("kiosk") == f"uv pip install --python {sys.executable} {wanted}"


@pytest.mark.parametrize(
    ("prefix", "marker", "wanted"),
    [
        ("cache/uv/archive-v0/zMp0", "", 'uvx --from "nimatron[site]" nimatron site'),
        ("uv/tools/nimatron", "uv-receipt.toml", 'uv tool install --force "nimatron[site]"'),
        (
            "pipx/venvs/nimatron",
            "pipx_metadata.json",
            'pipx install --force "nimatron[site]"',
        ),
        (
            "cache/pipx/1a96",
            "pipx_metadata.json",
            'pipx run --spec "nimatron[site]" nimatron site',
        ),
    ],
)
def test_the_command_is_the_one_of_the_tool_that_runs_us(
    monkeypatch, tmp_path, prefix, marker, wanted
):
    (tmp_path / prefix).mkdir(parents=True)
    if marker:
        (tmp_path / prefix / marker).touch()
    monkeypatch.setattr(extras, "_requirement", lambda extra: f'"nimatron[{extra}]"')
    monkeypatch.setattr(sys, "prefix", str(tmp_path / prefix))
    monkeypatch.setattr(sys, "argv", ["nimatron", "site", "folder"])
    assert extras.command("site") == wanted


# ---------------------------------------------------------------------- declarations


def declared():
    """Return {extra: its packages} from pyproject.toml. "" is part of every installation."""
    known = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    always = known["project"]["dependencies"]
    listed = {"": always, **known["project"]["optional-dependencies"]}
    return {
        extra: {Requirement(one).name.lower() for one in ones} for extra, ones in listed.items()
    }


def imported():
    """Return the libraries that our modules import."""
    found = set()
    for folder in (
        "host/nimatron_host",
        "sim/nimatron_play",
        "sim/nimatron_sim",
        "sim/pico_testbench",
        "wiring/nimatron_wiring",
    ):
        for path in (ROOT / folder).rglob("*.py"):
            if {"mirror", "stand_ins"} & set(path.parts):
                continue
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Import):
                    found |= {alias.name.partition(".")[0] for alias in node.names}
                elif isinstance(node, ast.ImportFrom) and node.module:
                    found.add(node.module.partition(".")[0])
    on_pico = {"machine", "rp2", "uctypes", "micropython", "js", "jsffi"}
    ours = {path.name for path in ROOT.glob("*/nimatron*")} | {"pico_testbench"}
    tester = {"pytest", "vcd"}  # pico-testbench declares them for its own users
    return found - sys.stdlib_module_names - on_pico - ours - tester


packages = cache(metadata.packages_distributions)
_TELLS = pytest.mark.skipif(
    sys.version_info < (3, 11), reason="Python 3.10 cannot tell which package has a library"
)


def package(library):
    (name,) = set(packages()[library])
    return re.sub(r"[-_.]+", "-", name).lower()


@_TELLS
def test_each_library_that_is_imported_is_declared_where_it_is_needed():
    listed = declared()
    for library in imported():
        assert package(library) in listed[extras.EXTRAS.get(library, "")], library


@_TELLS
def test_each_extra_is_known():
    listed = declared()
    for library, extra in extras.EXTRAS.items():
        assert package(library) in listed[extra]
    everything = {name for extra in set(extras.EXTRAS.values()) for name in listed[extra]}
    assert everything - {"nimatron"} == set(map(package, extras.EXTRAS))
