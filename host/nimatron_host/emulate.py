"""`nimatron emulate`: a Pico on a cable, on a computer that has no Pico."""

import signal
from collections.abc import Callable
from pathlib import Path

from nimatron_sim import tiers
from nimatron_sim.emulated import image
from nimatron_sim.errors import UserError, stopped
from nimatron_sim.pico import Pico
from nimatron_sim.ports import Pty, Tcp, serve
from nimatron_sim.simulated.chip import Fault
from nimatron_sim.simulated.pico import SimulatedPico


def emulate(make: Callable[[], Pico], pty: bool, tcp: int | None) -> None:
    """Serve the Pico made by make() until SIGTERM or Ctrl-C.

    Raises UserError.
    """
    ended: list[int] = []
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, _: ended.append(number))
    try:
        ports = [Tcp(tcp)] if tcp is not None else []
        pico = make()
        if pty or not ports:
            ports.insert(0, Pty())
        for port in ports:
            print("tcp" if isinstance(port, Tcp) else "pty", port.name)
        print(f"Talk to it with `nimatron console {ports[0].name}`; Ctrl-C here ends it.")
        print(end="", flush=True)
        serve(pico, ports, lambda: ended)
    except Fault as fault:
        raise stopped(fault) from None


def simulated() -> Pico:
    return SimulatedPico(record=_forget, entropy=None)


def emulated(file: Path | None, image_file: Path | None, empty: bool) -> Pico:
    """An emulated Pico whose flash is kept in `file`; a new flash has the firmware on it, or
    nothing if `empty`.

    Raises UserError.
    """
    tiers.check(tiers.EMULATOR, image_file)
    from nimatron_sim import firmware
    from nimatron_sim.emulated import flash
    from nimatron_sim.emulated.flash_file import FlashFile
    from nimatron_sim.emulated.pico import EmulatedPico

    def fresh():
        return flash.build({} if empty else firmware.files())

    if not file:
        return EmulatedPico(record=_forget, flash=fresh(), image=image_file)
    new = not file.exists()
    kept = FlashFile(file, fresh)
    print("flash", file, "(new)" if new else "(as it was left)")
    pico = EmulatedPico(record=_forget, flash=kept.content, image=image_file)
    pico.on_flash = kept.write
    return pico


def get_image(file: Path | None) -> str:
    """Get the image if necessary, and say where it is; or check `file`.

    Raises UserError.
    """
    if file:
        image.load(file)
        return f"{file} is a whole MicroPython image for the Pico"
    return f"the MicroPython image {image.have() or image.fetch()} is there and whole"


def with_firmware(image_file: Path | None, target: Path) -> str:
    """Write MicroPython and the firmware as one .uf2, which erases all files on a Pico.

    Raises UserError.
    """
    tiers.check(tiers.EMULATOR, image_file)
    from nimatron_sim import firmware
    from nimatron_sim.emulated import flash

    system = image.load(image_file)
    if len(system) > flash.START:
        raise UserError(
            f"the image takes {len(system)} bytes, but at {flash.START} the file system begins"
        )
    # The whole file system, with erased blocks, so that no blocks of an older one remain.
    whole = system.ljust(flash.START, b"\xff") + flash.build(firmware.files())
    try:
        target.write_bytes(image.pack(whole))
        image.load(target)
    except OSError as why:
        raise UserError(f"cannot write {target}: {why.strerror}") from None
    return f"{target} is MicroPython and Nimatron in one; it erases settings and statistics"


def _forget(record):
    pass
