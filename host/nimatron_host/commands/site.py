"""Write a page that plays without a server."""

import os
import shlex
import subprocess
from argparse import ArgumentParser, Namespace
from pathlib import Path

from nimatron_host import options


def add(parser: ArgumentParser) -> None:
    parser.description = (
        "Write a folder of static files: the page of `nimatron kiosk`, where the real "
        "MicroPython plays the firmware in the visitor's browser. Publish it anywhere, in any "
        "subfolder. With https://, it works without a network after the first visit."
    )
    options.add(parser, "folder FOLDER", "created if it does not exist")
    options.add(
        parser,
        "--wasm FOLDER",
        "the folder of micropython.mjs and micropython.wasm, such as npm's package "
        "@micropython/micropython-webassembly-pyscript, by default the files from the extra "
        "`site`",
    )
    options.add(
        parser,
        "--url URL",
        "the address at which you publish the folder. Services then show a picture for a link to "
        "the page",
        type=options.url,
    )


def run(args: Namespace) -> None:
    from nimatron_host.site import site

    sizes = site.write(args.folder, args.wasm, url=args.url or "")
    print(f"{len(sizes)} files, {sum(sizes.values()) / 1e6:.1f} MB, are in {args.folder}")
    print(f"Look at it: python -m http.server -d {_quoted(args.folder)}")


def _quoted(path: Path) -> str:
    """Return a path, quoted for the shells on this computer."""
    return subprocess.list2cmdline([path]) if os.name == "nt" else shlex.quote(str(path))
