"""Chromium, driven by Playwright, for the tests of pages."""

import tempfile
import time
from contextlib import contextmanager

from patience import PATIENCE_S

import needs

PATIENCE_MS = 1000 * PATIENCE_S  # for a context's set_default_timeout
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def wait_until(page, true, what=""):
    """Wait until true() is true. Playwright's wait_for_function needs eval, which pages forbid."""
    end = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < end, what
        page.wait_for_timeout(20)


def until(page, state):
    """Wait until the machine is in this state, and the page can report it in words."""
    page.wait_for_selector(f"body[data-state={state}]")
    page.wait_for_selector("#machine[aria-label]")


def holds(page, expression):
    """Wait until a JavaScript expression holds."""
    wait_until(page, lambda: page.evaluate(f"Boolean({expression})"), expression)


@contextmanager
def open_browser(program=None):
    """Open a browser. `program` may be a Chromium other than `needs.browser`. Raises
    TierUnavailable."""
    program = program or needs.browser()
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE_MS)

    with sync_playwright() as driver, tempfile.TemporaryDirectory() as profile:
        browser = driver.chromium.launch(
            executable_path=program, args=FLAGS, env={"HOME": profile, "TMPDIR": profile}
        )
        yield browser
        browser.close()
