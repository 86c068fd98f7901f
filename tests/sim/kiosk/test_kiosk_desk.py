"""The operator's page in a real browser."""

import asyncio
import csv

import pytest
from test_kiosk_matches import NOW, match
from test_kiosk_page import DESK, PHONE, axe, open_browser

from nimatron_sim.ui.kiosk import matches
from nimatron_sim.ui.kiosk.matches import Matches
from nimatron_sim.ui.kiosk.tokens import Tokens

TOKEN = "the-operators-token"


@pytest.fixture(scope="module")
def browser():
    with open_browser() as browser:
        yield browser


@pytest.fixture
def desk(browser, serve, tmp_path):
    """desk(token, size) opens the operator's page; at the end, nothing has failed in it."""
    kept = Matches(tmp_path / matches.FILE, now=lambda: NOW)
    for hour, winner, game, level in (
        (10, "player", "nim", "child"),
        (10, "machine", "nim", "perfect"),
        (12, "abandoned", "kayles", "child"),
        (14, "machine", "chomp", "fair"),
    ):
        kept.add(match(f"2026-11-22T{hour}:00:00", winner, game=game, level=level))
    kept.note("failed", "sounder")
    served = serve(operator=TOKEN, matches=kept)
    contexts, trouble = [], []

    def come(token=TOKEN, size=DESK):
        width, height = size
        context = browser.new_context(
            viewport={"width": width, "height": height}, locale="en-US", accept_downloads=True
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(30_000)
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.on(
            "console",
            lambda said: trouble.append(said.text) if "Content Security" in said.text else None,
        )
        page.goto(f"{served.url}operator/{f'#token={token}' if token else ''}")
        return page

    come.served = served
    yield come
    for context in contexts:
        context.close()
    assert not trouble


def test_the_operator_sees_what_was_played(desk):
    page = desk()
    page.wait_for_selector("#tiles dd:has-text('4')")
    assert "token" not in page.url
    assert " ".join(page.inner_text("#tiles").split()) == (
        "Matches 4 People won 1 (33 %) Machine won 2 Given up 1 Minutes played 6"
    )
    assert page.locator("figure svg rect").count() == 12  # four in each of three pictures
    page.click("[data-span=all]")
    page.wait_for_selector("h3:has-text('By day')")
    page.click("figure:has-text('By game') summary")
    row = page.inner_text("figure:has-text('By game') tr:has-text('kayles')")
    assert row.split() == ["kayles", "0", "0", "1", "1"]
    assert "sounder, 1 time" in page.inner_text("#figures")


def test_the_operator_types_and_sets(desk):
    page = desk()
    page.wait_for_selector("#desk:visible")
    page.fill("#line", "version")
    page.keyboard.press("Enter")
    page.wait_for_selector("#said:has-text('ok name=nimatron')")
    page.click("summary:has-text('Settings')")
    page.fill("input[aria-label=level]", "child")
    page.keyboard.press("Enter")
    page.wait_for_selector("#said:has-text('ok level=child saved=1')")
    page.on("dialog", lambda dialog: dialog.dismiss())
    page.click("button:has-text('Maintenance')")
    page.click("button:has-text('Lamp test')")
    page.wait_for_selector("#said:has-text('state=test')")
    assert "> maintenance" not in page.inner_text("#said")


def test_matches_are_downloaded(desk):
    page = desk()
    page.wait_for_selector("#desk:visible")
    with page.expect_download() as download:
        page.click("#csv")
    with open(download.value.path()) as file:
        rows = list(csv.DictReader(file))
    assert [row["winner"] for row in rows] == ["player", "machine", "abandoned", "machine"]


def test_without_the_token_there_is_only_a_question(desk):
    page = desk(token=None)
    page.wait_for_selector("#login:visible")
    page.fill("#token", "not the token")
    page.keyboard.press("Enter")
    page.wait_for_selector("#denied:has-text('not the operator')")
    assert page.is_hidden("#desk") and not page.inner_text("#said")
    page.fill("#token", TOKEN)
    page.keyboard.press("Enter")
    page.wait_for_selector("#desk:visible")


def test_a_revoked_token_is_asked_for_again(desk):
    page = desk()
    page.wait_for_selector("#desk:visible")
    served, new = desk.served, "another-operators-token"
    served.kiosk.tokens = Tokens(operator=new)
    asyncio.run_coroutine_threadsafe(served.kiosk.dismiss(), served._loop).result()
    page.wait_for_selector("#denied:has-text('not the operator')")
    assert page.is_hidden("#desk")
    page.fill("#token", new)
    page.keyboard.press("Enter")
    page.wait_for_selector("#desk:visible")


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_everybody_can_use_it(desk, size):
    page = desk(size=size)
    page.wait_for_selector("figure")
    for summary in page.query_selector_all("summary"):
        if not summary.evaluate("each => each.parentElement.open"):
            summary.click()
    found = axe.Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
