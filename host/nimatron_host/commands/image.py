"""Download the MicroPython image for the emulated Pico, or check another one."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from nimatron_host import options
from nimatron_sim.errors import UserError


def add(parser: ArgumentParser) -> None:
    options.add_image(parser)
    both = "also write the image and the firmware into FILE, a .uf2 for the image's board"
    options.add(parser, "--with-firmware FILE", both)


def run(args: Namespace) -> None:
    print(_get_image(args.image))
    if args.with_firmware:
        print(with_firmware(args.image, args.with_firmware))


def _get_image(file: Path | None) -> str:
    """Download the image if necessary and print its path, or check `file` instead. Then print the
    name of the image's board.

    Raises UserError.
    """
    from nimatron_sim.emulated import bootable_image

    if file:
        about = f"{file} is a complete MicroPython {bootable_image.version(file)} image"
    else:
        file = bootable_image.have() or bootable_image.fetch()
        about = f"the MicroPython image {file} is installed and complete,"
    found = bootable_image.load(file)
    if not found.machine:
        raise UserError(f"{file} does not contain the name of a board")
    return f"{about} for the {found.title}"


def with_firmware(image_file: Path | None, target: Path) -> str:
    """Write MicroPython and the firmware as one .uf2 for the board of `image_file`. Installing
    this file erases all files on the board.

    Raises UserError.
    """
    from nimatron_sim import backends
    from nimatron_sim.emulated import bootable_image

    backends.check_extra()
    from nimatron_sim.emulated import pico_flash

    system = bootable_image.load(image_file)
    if not system.board:
        raise UserError(
            f"{image_file or bootable_image.find()} is for the {system.title}, whose file system "
            "has a separate place. Install that image first, then run: nimatron deploy"
        )
    files = pico_flash.build(pico_flash.release(), size=system.board.file_system[1])
    try:
        target.write_bytes(bootable_image.pack(bootable_image.with_files(system, files)))
        bootable_image.load(target)
    except ValueError as why:
        raise UserError(str(why)) from None
    except OSError as why:
        raise UserError(f"cannot write {target}: {why.strerror}") from None
    return (
        f"{target} is MicroPython and Nimatron in one, for the {system.title}. "
        "It erases settings and statistics"
    )
