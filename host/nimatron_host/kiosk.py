"""`nimatron kiosk`: the machine on a web page."""

import asyncio
import logging
import secrets
import shutil
import socket
import subprocess
from pathlib import Path

from nimatron_sim import tiers
from nimatron_sim.boards import PICO
from nimatron_sim.ui.attendant import Connect
from nimatron_sim.ui.kiosk.kiosk import Kiosk
from nimatron_sim.ui.kiosk.server import is_loopback, serve
from nimatron_sim.ui.live import on_tier

# Browsers to try in order, and how to start them full-screen.
_BROWSERS = (
    *((name, ("--kiosk", "--no-first-run", "--autoplay-policy=no-user-gesture-required"))
      for name in ("chromium", "chromium-browser", "google-chrome", "microsoft-edge")),
    ("firefox", ("--kiosk",)),
)  # fmt: skip
_ANYWHERE = ("0.0.0.0", "::")


def kiosk(
    on: str,
    host: str,
    port: int,
    lines: list[str],
    spectate: bool = False,
    browser: bool = False,
    board: str = PICO,
    image: Path | None = None,
) -> None:
    """Serve the page until it is stopped; `on` is a tier or the port of a real Pico. board: of
    the simulated Pico. image: of the emulated one.

    Raises UserError.
    """
    logging.basicConfig(format="nimatron: %(message)s")
    token = None if is_loopback(host) or spectate else secrets.token_urlsafe(12)
    machine = Kiosk(_connect(on, board, image), lines, spectate, token)

    def ready(port):
        name = socket.gethostname() if host in _ANYWHERE else host
        url = f"http://{f'[{name}]' if ':' in name else name}:{port}/"
        print(f"Nimatron is at {url}; Ctrl-C ends it.")
        if token:
            url += f"#token={token}"
            print(f"That page can only watch. Anyone with this link can play: {url}")
        print(end="", flush=True)
        if browser:
            _open(url)

    asyncio.run(serve(machine, host, port, ready))


def _connect(on, board, image) -> Connect:
    if on in (tiers.SIM, tiers.EMULATOR):
        tiers.check(on, image)
        return on_tier(on, board=board, image_file=image)
    from nimatron_host.device import session

    return session.at(on)


def _open(url):
    for name, options in _BROWSERS:
        if path := shutil.which(name):
            subprocess.Popen(
                [path, *options, url], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            return
    print("No browser was found; open the page in a browser of your choice.", flush=True)
