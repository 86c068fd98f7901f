"""Generate the wiring pages and drawings from the pin map."""

import os
from argparse import ArgumentParser, Namespace
from pathlib import Path

from nimatron_host import options
from nimatron_sim.errors import UserError


def add(parser: ArgumentParser) -> None:
    options.add(parser, "--to DIR", "write into DIR instead of wiring/")
    instead = parser.add_mutually_exclusive_group()
    options.add(instead, "--check", "write nothing. Fail if a file is out of date")
    kit = "write files for printers and workshops into FOLDER, and nothing else"
    options.add(instead, "--kit FOLDER", kit)
    simulate = "simulate the circuits with ngspice first, and keep its results"
    options.add(parser, "--simulate", simulate)


def run(args: Namespace) -> None:
    from nimatron_wiring import write

    if args.simulate and args.check:
        args.refuse("--check writes nothing, and --simulate does. Give one of them")
    try:
        if args.kit:
            from nimatron_wiring.kit import contents, kicad_files

            for path in contents.write(args.kit, contents.files(write.generate())):
                print(_from_here(path))
                if path.suffix == ".kicad_pcb":
                    for more, why in kicad_files.write(path):
                        print(f"no {_from_here(more)}: {why}" if why else _from_here(more))
            return
        if args.simulate:
            print(_from_here(write.simulate()))
        folder = args.to or write.folder()
        if not args.check:
            for path in write.write(folder):
                print(_from_here(path))
            return
        if not folder.is_dir():
            raise UserError(
                f"the folder {folder} does not exist. To create it: {write.COMMAND} --to {folder}"
            )
        names = write.differing(folder, write.generate())
    except OSError as why:
        raise UserError(f"cannot write {why.filename}: {why.strerror}") from None
    if names:
        raise UserError(
            f"{', '.join(names)}: out of date with the pin map. To update: {write.COMMAND}"
        )


def _from_here(path: Path) -> str:
    """Return a path for display, relative to the current folder if both are on the same drive."""
    try:
        return os.path.relpath(path)
    except ValueError:  # different drives on Windows
        return str(path)
