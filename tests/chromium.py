"""Chromium, driven by Playwright, for the tests of pages."""

import tempfile
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


@contextmanager
def open_browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver, tempfile.TemporaryDirectory() as profile:
        browser = driver.chromium.launch(
            executable_path=CHROMIUM, args=FLAGS, env={"HOME": profile, "TMPDIR": profile}
        )
        yield browser
        browser.close()
