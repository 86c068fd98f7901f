"""The poster in a real browser, as printed."""

import re

import pytest

from chromium import PATIENCE_MS
from nimatron import board, games
from nimatron_host.kiosk.poster import poster

URL = "http://192.168.104.111:8000/"
SIZES = {"A4": (210, 297), "Letter": (215.9, 279.4)}


@pytest.mark.parametrize(
    "paper",
    [
        next(iter(SIZES)),
        *(pytest.param(one, marks=pytest.mark.long("3 s")) for one in list(SIZES)[1:]),
    ],
)
def test_a_poster_fits_one_page(browser, paper):
    page = browser.new_page()
    page.set_default_timeout(PATIENCE_MS)
    for game in games.names():
        page.set_content(poster(f"{URL}#token=abcdefghijklmnop", game, True))
        pdf = page.pdf(format=paper, prefer_css_page_size=True)
        assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 1, game
        (box,) = re.findall(rb"/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]", pdf)
        size = [float(points) / 72 * 25.4 for points in box]
        assert size == pytest.approx(SIZES[paper], abs=1)
    page.close()


def test_the_paper_is_full(browser):
    """The QR code fills the room next to the words, the address can be read from a step away, and
    the machine is drawn with its lamps."""
    page = browser.new_page(viewport={"width": 718, "height": 1047})  # A4 without its margins
    page.emulate_media(media="print")
    for game, least in (("nim", 90), ("building", 60)):
        page.set_content(poster(f"{URL}#token=abcdefghijklmnop", game, True))
        box = page.locator("#code").bounding_box()
        assert box["height"] / 96 * 25.4 >= least
        footer = page.locator("footer")
        assert footer.evaluate("each => parseFloat(getComputedStyle(each).fontSize)") >= 20
        last = footer.bounding_box()
        assert 1047 - 60 < last["y"] + last["height"] <= 1047
    assert page.locator("#machine circle").count() == board.ROWS * board.LAMPS + 2
    page.close()
