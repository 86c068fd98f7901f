"""The structure of the project: imports, one version, one list of files, the shipped files."""

import ast
import functools
import json
import re
import subprocess
import sys
import zipfile
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import bare
from nimatron.devices import pins, registers

ROOT = Path(__file__).parent.parent
FIRMWARE = ROOT / "firmware"

# The modules of a Pico's hardware, and those that a pure module may import.
HARDWARE = {"machine", "rp2", "uctypes", "select"}
PURE = {"array", "sys"}  # of the modules that a Pico has
NUMBERS = {"nimatron.devices.pins", "nimatron.devices.registers"}


def name_of(path, root):
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


# From the ground up: each package imports only from the packages above it here.
ROOTS = {
    "pico_testbench": ROOT / "sim",
    "nimatron": FIRMWARE,
    "nimatron_relays": ROOT / "sim",
    "nimatron_sim": ROOT / "sim",
    "nimatron_play": ROOT / "sim",
    "nimatron_wiring": ROOT / "wiring",
    "nimatron_host": ROOT / "host",
}
MODULES = {
    name_of(path, root): path
    for package, root in ROOTS.items()
    for path in (root / package).rglob("*.py")
    if "mirror" not in path.parts
}
OURS = sorted(name for name in MODULES if name.split(".")[0] == "nimatron")


@functools.cache
def imports(name):
    """Return the modules that a module imports anywhere."""
    found = set()
    for node in ast.walk(ast.parse(MODULES[name].read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            whole = {f"{node.module}.{alias.name}" for alias in node.names}
            modules = whole & set(MODULES)
            found |= modules or {node.module}
    return found - {name}


def is_device(name):
    return name.startswith("nimatron.devices")


def is_pure(name):
    """Return True if a module imports only pure modules, directly and indirectly."""
    return name in PURE or (
        name.startswith("nimatron")
        and name in MODULES
        and not is_device(name)
        and all(map(is_pure, imports(name)))
    )


def test_the_firmware_imports_point_down():
    for name in OURS:
        used = imports(name)
        if name.startswith("nimatron.games"):
            assert is_pure(name), name
        if is_device(name):
            show = {m for m in used & MODULES.keys() - HARDWARE if not is_device(m)}
            assert all(map(is_pure, show)), f"a device knows no show: {name}"
            rules = used & {"nimatron.match", "nimatron.games"}
            assert not rules, f"a device knows no rules: {name}"
        else:
            assert not used & HARDWARE, f"only devices touch hardware: {name}"
            assert not used & NUMBERS, f"pins and registers are for devices: {name}"
        assert not used or name not in NUMBERS, name


def test_register_addresses_are_in_one_file():
    """These are the addresses of the memory, the peripherals and the cores of both chips."""
    spaces = {0x20, 0x40, 0x50, 0xD0, 0xE0}  # the top byte
    for path in FIRMWARE.rglob("*.py"):
        if path.name in ("registers.py", "nimatron_boot.py") or path.parent.name == "tables":
            continue
        for number in re.findall(r"\b0x[0-9A-Fa-f_]+", path.read_text()):
            assert int(number, 16) >> 24 not in spaces, f"{path}: {number}"


def test_boot_counts_crashes_where_the_firmware_does():
    _, counted = (FIRMWARE / "nimatron_boot.py").read_text().split("CRASHES = ")
    assert ast.literal_eval(counted.partition("\n")[0]) == {
        chip: watchdog + registers.WATCHDOG_SCRATCH[1]
        for chip, (watchdog, *_) in registers.CHIPS.items()
    }


def test_last_resort_knows_the_pins():
    source = (FIRMWARE / "nimatron_failed.py").read_text()
    rows, columns = pins.ROWS, pins.COLUMNS
    assert f"range({rows[0]}, {columns[-1] + 1})" in source
    assert f"gpio in ({rows[0]}, {rows[-1]}, {columns[0]}, {columns[-1]})" in source
    assert f"for gpio in {tuple(gpio for _, gpio in pins.SHIFT)}" in source
    assert f"Pin({pins.PIXELS}, Pin.OUT, value=0), 0" in source


def test_firmware_never_returns_inside_try_finally():
    """MicroPython 1.22.0 and 1.22.1 reserve one stack slot too few for it (issue 13562)."""
    for path in FIRMWARE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Try) and node.finalbody:
                inside = [each for part in node.body + node.handlers for each in ast.walk(part)]
                assert not any(isinstance(each, ast.Return) for each in inside), path


def test_the_rules_are_pure():
    for name in ("board", "match", "opponent", "dice", "machines", "pictures", "settings"):
        assert is_pure(f"nimatron.{name}"), name


PLAY = sorted(name for name in MODULES if name.split(".")[0] == "nimatron_play")


def test_browser_modules_import_only_available_modules():
    needs_a_pc = {"asyncio", "pathlib", "queue", "socket", "sqlite3", "subprocess", "threading"}
    for name in PLAY:
        assert not imports(name) & needs_a_pc, name


@pytest.mark.parametrize("package", ROOTS)
def test_no_imports_go_round_in_a_circle(package):
    graph = {
        name: {other for other in used if other.split(".")[0] == package}
        for name, used in ((name, imports(name)) for name in MODULES)
        if name.split(".")[0] == package
    }
    list(TopologicalSorter(graph).static_order())  # raises CycleError, which names it


@pytest.mark.parametrize("package", ROOTS)
def test_packages_point_down(package):
    floors = list(ROOTS)
    used = {
        other.split(".")[0]
        for name in MODULES
        if name.split(".")[0] == package
        for other in imports(name)
    }
    assert not used & set(floors[floors.index(package) + 1 :])


def test_package_json_lists_every_file_under_its_own_name():
    listed = json.loads((FIRMWARE / "package.json").read_text())["urls"]
    assert all(name == source for name, source in listed)
    assert {name for name, _ in listed} == {
        str(path.relative_to(FIRMWARE))
        for path in [*FIRMWARE.glob("*.py"), *(FIRMWARE / "nimatron").rglob("*.py")]
        if path.name != "manifest.py"
    }
    assert listed[-1][0] == "main.py"  # mip installs in this order


def test_the_wheel_carries_the_firmware_and_plays_outside_a_clone(tmp_path):
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(tmp_path / "installed")
    assert len(list(tmp_path.glob("installed/nimatron_sim/web/*.js"))) >= 2
    assert (tmp_path / "installed/nimatron_host/units/nimatron.service").is_file()
    code = (
        f"import sys; sys.path[:0] = [{str(tmp_path / 'installed')!r}]\n"
        "import nimatron, nimatron_sim.firmware as f\n"
        f"assert nimatron.__file__.startswith({str(tmp_path)!r})\n"
        f"assert all(str(p).startswith({str(tmp_path)!r}) for p in f.files().values())\n"
        "from nimatron_host.kiosk.served_table import Kiosk\n"
        "from nimatron_host.kiosk.server import Application\n"
        "from nimatron_host.kiosk.tables import Tables\n"
        "routes = Application(Tables(Kiosk(lambda *_: None, []), None), '').web.router.routes()\n"
        "served = {route.resource.canonical for route in routes}\n"
        "assert {'/', '/kiosk.js', '/fair.svg', '/operator/', '/words/es.json'} <= served\n"
        "from nimatron_host.cli import main\n"
        "sys.exit(main(['console', 'sim']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        input="new 3 4 5\n",
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "state=player rows=3,4,5,0" in done.stdout


def tracked():
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True
    )
    if listed.returncode:
        pytest.skip("not a git checkout: there is no list of files to check")
    return [ROOT / name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]


def test_no_file_names_a_registrys_host():
    hosts = re.compile("|".join(("pythonhos" + "ted", "pypi" + r"\.org", "registry" + r"\.npm")))
    for path in tracked():
        assert not hosts.search(path.read_text(errors="replace")), path


def test_programs_that_may_be_missing_are_looked_for_in_one_place():
    """Otherwise, a test may require a program, and a newcomer's first run fails."""
    taken = re.compile(r"shutil\.which\(|[\"'](/usr)?/s?bin/(chrom|mosquitto|ngspice|node|prom)")
    found = [path for path in (ROOT / "tests").rglob("*.py") if taken.search(path.read_text())]
    assert [path.name for path in found] == ["needs.py"]


def test_bare_tests_need_no_tools():
    """tests/bare.py omits these folders. Their subprocesses use this Python."""
    files = [path for room in bare.PURE for path in (ROOT / "tests" / room).glob("*.py")]
    program = re.compile(r"(?:run|Popen|check_output)\(\s*\[(?!sys\.executable)")
    for path in files:
        text = path.read_text()
        named = set(re.findall(r"^\s*(?:import|from) ([\w.]+)", text, re.M))
        lacks = {"needs", "chromium", "images", "nimatron_sim.emulated", "judges.rp2040js"}
        assert not named & lacks and not program.search(text), path
    assert len(files) > 30


def commands_in(markdown):
    """Return the shell commands on a page, in indented or fenced lines that begin with `$ `."""
    return re.findall(r"^\s*\$ (.+?)(?:\s+#.*)?$", markdown, re.M)


PAGES = sorted(
    str(page.relative_to(ROOT))
    for page in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *ROOT.glob("wiring/*.md"))
)
NOT_OURS = {
    "boot.py",
    "twos.py",
    "ports/rp2/modules/_boot.py",
}  # the example of the tutorial, and MicroPython's
OTHER_PROGRAMS = {
    ".",
    "git",
    "cd",
    "printf",
    "cat",
    "head",
    "sudo",
    "chromium",
    "curl",
    "mosquitto_pub",
    "mosquitto_sub",
    "pip",
    "python",
}


def test_every_command_on_a_page_exists():
    from nimatron_host.cli import parser, parsers

    makefile = (ROOT / "Makefile").read_text()
    verbs = parsers(parser())
    commands = {one for page in PAGES for one in commands_in((ROOT / page).read_text())}
    for part in {part for command in commands for part in command.split("|")}:
        program, *words = part.split()
        if program == "make":
            assert all(re.search(rf"^{word}:", makefile, re.M) for word in words), part
        elif program.endswith("nimatron"):
            assert words[0] in verbs, part
        else:
            assert program in OTHER_PROGRAMS, part


def test_every_link_leads_somewhere():
    for page in PAGES:
        for target in re.findall(r"\]\((?!http)([^)]+)\)", (ROOT / page).read_text()):
            name, _, heading = target.partition("#")
            file = (ROOT / page).parent / name if name else ROOT / page
            assert file.exists(), (page, target)
            if heading:
                assert heading in headings_of(file.read_text()), (page, target)


def headings_of(markdown):
    """Return the anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", markdown, re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_file_that_a_page_names_exists():
    files = {
        str(path.relative_to(ROOT))
        for folder in ("firmware", "sim", "host", "wiring", "tests", "docs")
        for path in (ROOT / folder).rglob("*")
    }
    for page in PAGES:
        text = re.sub(r"```.*?```", "", (ROOT / page).read_text(), flags=re.S)
        for name in re.findall(r"`((?:firmware|sim|host|wiring|tests|docs)/[^\s`*]+)`", text):
            assert name.rstrip("/") in files, (page, name)
        for name in re.findall(r"`([\w/]+\.py)`", text):
            there = any(f"/{file}".endswith(f"/{name}") for file in files)
            assert there or name in NOT_OURS, (page, name)
