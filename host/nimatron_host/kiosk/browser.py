"""A full-screen browser that is started on the page."""

import html
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

# Browsers to try in order, and how to start them full-screen.
_BROWSERS = (
    *((name, ("--kiosk", "--no-first-run", "--autoplay-policy=no-user-gesture-required"))
      for name in ("chromium", "chromium-browser", "google-chrome", "microsoft-edge")),
    ("firefox", ("--kiosk",)),
)  # fmt: skip


class Browser:
    """A browser that opens a URL. The URL has a token in it, and everybody on this computer can
    read a command line: so the browser is started on a file that only we can read, which leads
    to the URL."""

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory | None = None

    def open(self, url: str) -> bool:
        """Start it; False if there is none."""
        for name, options in _BROWSERS:
            if path := shutil.which(name):
                subprocess.Popen(
                    [path, *options, self._leading_to(url)],
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                )
                return True
        return False

    def close(self) -> None:
        """Delete the file."""
        if self._folder:
            self._folder.cleanup()

    def _leading_to(self, url):
        self._folder = tempfile.TemporaryDirectory(prefix="nimatron-")  # for nobody else
        path = Path(self._folder.name) / "open.html"
        door = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(door, "w", encoding="utf-8") as file:
            goal = html.escape(f"0;url={url}")
            file.write(
                f'<!doctype html><title>Nimatron</title><meta http-equiv="refresh" '
                f'content="{goal}">\n'
            )
        return path.as_uri()
