"""The poster in a real browser, as it is printed."""

import re

import pytest

from chromium import PATIENCE_MS, open_browser
from nimatron import games
from nimatron_host.kiosk.poster import poster

URL = "http://192.168.104.111:8000/"
SIZES = {"A4": (210, 297), "Letter": (215.9, 279.4)}


@pytest.fixture(scope="module")
def browser():
    with open_browser() as browser:
        yield browser


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


def test_the_address_can_be_read_from_a_step_away(browser):
    page = browser.new_page()
    page.set_content(poster(f"{URL}#token=abcdefghijklmnop", "nim", True))
    footer = page.locator("footer")
    assert footer.inner_text() == URL
    assert footer.evaluate("each => parseFloat(getComputedStyle(each).fontSize)") >= 20
    page.close()
