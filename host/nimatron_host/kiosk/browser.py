"""A full-screen browser that opens the page."""

import html
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

_CHROMIUM = ("--kiosk", "--no-first-run", "--autoplay-policy=no-user-gesture-required")
_EDGE = (*_CHROMIUM, "--edge-kiosk-type=fullscreen")
_FIREFOX = ("--kiosk",)
# Browsers to try in order, with their full-screen options. On Windows and macOS, they are not on
# the PATH. Variables are from the environment.
_BROWSERS = (
    *((name, _CHROMIUM) for name in ("chromium", "chromium-browser", "google-chrome")),
    ("microsoft-edge", _EDGE),
    ("firefox", _FIREFOX),
    *((f"${{{folder}}}\\{name}.exe", options)
      for name, options in (("Google\\Chrome\\Application\\chrome", _CHROMIUM),
                            ("Microsoft\\Edge\\Application\\msedge", _EDGE),
                            ("Mozilla Firefox\\firefox", _FIREFOX))
      for folder in ("ProgramFiles", "ProgramFiles(x86)", "LocalAppData")),
    *((f"/Applications/{name}.app/Contents/MacOS/{program}", options)
      for name, program, options in (("Google Chrome", "Google Chrome", _CHROMIUM),
                                     ("Chromium", "Chromium", _CHROMIUM),
                                     ("Microsoft Edge", "Microsoft Edge", _EDGE),
                                     ("Firefox", "firefox", _FIREFOX))),
)  # fmt: skip


class Browser:
    """A browser that opens a URL through a private file, which redirects to the URL. The URL
    contains a token, which every user of this computer could read on a command line."""

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def open(self, url: str) -> bool:
        """Start a browser. Return False if this computer has no browser."""
        for name, options in _BROWSERS:
            if path := shutil.which(os.path.expandvars(name)):
                subprocess.Popen(
                    [path, *options, self._leading_to(url)],
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                )
                return True
        return False

    def close(self) -> None:
        """Delete the private file."""
        if self._folder:
            self._folder.cleanup()

    def _leading_to(self, url: str) -> str:
        self._folder = tempfile.TemporaryDirectory(prefix="nimatron-")  # private to this user
        path = Path(self._folder.name) / "open.html"
        door = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(door, "w", encoding="utf-8") as file:
            goal = html.escape(f"0;url={url}")
            file.write(
                f'<!doctype html><title>Nimatron</title><meta http-equiv="refresh" '
                f'content="{goal}">\n'
            )
        return path.as_uri()
