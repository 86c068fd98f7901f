"""Chromium, driven by Playwright, for the tests of pages."""

import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

CHROMIUM = Path("/usr/bin/chromium")
MISSING = f"there is no {CHROMIUM}: apt-get install chromium"
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


def holds(page, expression, patience_s=120):
    """Wait until a JavaScript expression holds. Playwright's own wait_for_function needs eval,
    which a strict page forbids."""
    end = time.monotonic() + patience_s
    while not page.evaluate(f"Boolean({expression})"):
        assert time.monotonic() < end, expression
        page.wait_for_timeout(20)


@contextmanager
def open_browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver, tempfile.TemporaryDirectory() as profile:
        browser = driver.chromium.launch(
            executable_path=CHROMIUM, args=FLAGS, env={"HOME": profile, "TMPDIR": profile}
        )
        yield browser
        browser.close()
