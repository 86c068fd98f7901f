"""The pytest plugin: the `pico` fixture, a board that runs your firmware.

It imports no module of the emulator before a test requests a Pico.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pico_testbench.board import Board

_MARK = "pico"
_ARGUMENTS = ("firmware", "parts", "board", "image", "may_crash", "cut_at")
_WHY, _CUTS = "Why", "Power cuts"  # properties of a report
_LAST = 30  # records that a failed test shows
_BOARD = pytest.StashKey[Any]()
_NEW = pytest.StashKey[Any]()
_Mistake = partial(pytest.fail.Exception, pytrace=False)


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("pico")
    group.addoption(
        "--pico-image",
        metavar="UF2",
        help="the MicroPython image for tests that do not name one",
    )
    group.addoption(
        "--pico-missing",
        choices=("fail", "skip"),
        default="fail",
        help="the result of a test without the image or the libraries that it needs",
    )
    group.addoption(
        "--pico-why",
        action="store_true",
        help="run each failed test again, to find the moment since which its assertion fails",
    )
    group.addoption(
        "--pico-cut-everywhere",
        action="store_true",
        help="run each test again with a power cut after each flash command in turn",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        f"pico({', '.join(_ARGUMENTS)}): the Pico of the fixture `pico`. Marks of a test, its"
        " class and its file are merged. See pico_testbench.board.Board",
    )


@pytest.fixture
def pico(request: pytest.FixtureRequest) -> Iterator[Board]:
    """Yield a Pico that has just been switched on. The `pico` mark chooses its firmware and parts.
    Time passes only when the test lets it pass."""
    how = _marked(request.node)
    if isinstance(how["firmware"], str | Path):
        how["firmware"] = _find(Path(how["firmware"]), request)
    how.setdefault("image", request.config.getoption("--pico-image"))
    skips = request.config.getoption("--pico-missing") == "skip"
    lacking = pytest.skip.Exception if skips else _Mistake
    try:
        from pico_testbench.board import Board
        from pico_testbench.micropython_image import NoImage
    except ImportError as why:
        remedy = "pip install 'pico-testbench[emulator]'"
        raise lacking(f"{why}. To install it: {remedy}") from None
    try:
        board = request.node.stash[_BOARD] = Board(**how)
        request.node.stash[_NEW] = partial(Board, **how)
    except NoImage as why:
        raise lacking(str(why)) from None
    except (ValueError, OSError) as why:
        raise _Mistake(str(why)) from None
    yield board
    board.power_off()


def _marked(item: pytest.Item) -> dict[str, Any]:
    """Return the arguments of a test's marks. The nearest mark counts. Parts are merged."""
    how: dict[str, Any] = {}
    for mark in reversed(list(item.iter_markers(_MARK))):
        given = {**dict(zip(_ARGUMENTS, mark.args)), **mark.kwargs}  # noqa: B905
        wrong = sorted(set(given) - set(_ARGUMENTS)) or mark.args[len(_ARGUMENTS) :]
        if wrong:
            known = ", ".join(_ARGUMENTS)
            raise _Mistake(f"@pytest.mark.pico has no argument {wrong[0]!r}. It has: {known}")
        if how.get("parts") and given.get("parts"):
            given["parts"] = {**how["parts"], **given["parts"]}
        how |= given
    if "firmware" not in how:
        raise _Mistake("which Pico? Mark the test: @pytest.mark.pico(firmware='src')")
    return how


def _find(firmware: Path, request: pytest.FixtureRequest) -> Path:
    """Return a path next to the test, or in the nearest folder above that contains it, up to
    pytest's root folder."""
    root = request.config.rootpath
    for folder in request.path.parents:
        if (folder / firmware).exists():
            return folder / firmware
        if folder == root:
            break
    return root / firmware


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """Run a test again if an option says so."""
    __tracebackhide__ = True
    stash, option = pyfuncitem.stash, pyfuncitem.config.getoption
    if _NEW not in stash:
        return (yield)
    from pico_testbench import why

    try:
        done = yield
        if option("--pico-cut-everywhere"):
            cuts = stash[_BOARD].flash_commands
            for cut in why.cut_everywhere(pyfuncitem, stash[_NEW], cuts):
                stash[_BOARD], stash[_NEW] = cut
            said = f"{cuts} power cuts" if cuts else "none, because the firmware wrote no flash"
            pyfuncitem.user_properties.append((_CUTS, said))
        return done
    except Exception as error:
        if option("--pico-why"):
            pyfuncitem.user_properties.append((_WHY, why.explain(pyfuncitem, stash[_NEW], error)))
        raise


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, None]:
    """Show the end of a failed test's trace."""
    done = yield
    report = done.get_result()
    board = item.stash.get(_BOARD, None)
    if board and report.when == "call" and report.failed:
        report.sections.append(
            ("The Pico's trace", "\n".join(map(str, board.trace[-_LAST:])) or "nothing happened")
        )


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the reasons and the numbers of power cuts, even with --tb=no."""
    reports = terminalreporter.getreports
    for report in [*reports("passed"), *reports("failed")]:
        for title, text in report.user_properties:
            if title in (_WHY, _CUTS):
                terminalreporter.section(f"{title}: {report.nodeid}")
                terminalreporter.write_line(text)
