"""`nimatron emulate`: a Pico on a cable, on a computer that has no Pico."""

import signal
from collections.abc import Callable
from pathlib import Path

from nimatron_sim import tiers
from nimatron_sim.emulated import image
from nimatron_sim.errors import UserError, stopped
from nimatron_sim.pico import Pico
from nimatron_sim.ports import Port, Tcp, serve
from nimatron_sim.simulated.pico import SimulatedPico
from pico_testbench.boards import PICO, UNIQUE_ID
from pico_testbench.simulated.unreal import Fault


def emulate(make: Callable[[], Pico], pty: bool, tcp: int | None) -> None:
    """Serve the Pico made by make() until SIGTERM or Ctrl-C.

    pty, tcp: as _ports takes them. Raises UserError.
    """
    ended: list[int] = []
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, _: ended.append(number))
    try:
        ports = _ports(pty, tcp)
        pico = make()
        for port in ports:
            print(port.kind, port.name)
        print(f"Talk to it with `nimatron console {ports[0].name}`; Ctrl-C here ends it.")
        print(end="", flush=True)
        serve(pico, ports, lambda: ended)
    except Fault as fault:
        raise stopped(fault) from None


def _ports(pty: bool, tcp: int | None) -> list[Port]:
    """The ports asked for; if none is, a serial device where this computer can make one, and a
    free TCP port elsewhere."""
    ports: list[Port] = [] if tcp is None else [Tcp(tcp)]
    if ports and not pty:
        return ports
    try:
        from nimatron_sim.pty_port import Pty
    except ModuleNotFoundError:  # Windows
        if pty:
            raise UserError(
                "this computer cannot make a serial device: use --tcp 0 instead of --pty"
            ) from None
        return [Tcp(0)]
    return [Pty(), *ports]


def simulated(board: str = PICO, unique_id: bytes = UNIQUE_ID) -> Pico:
    return SimulatedPico(record=_forget, entropy=None, board=board, unique_id=unique_id)


def emulated(file: Path | None, image_file: Path | None, empty: bool) -> Pico:
    """An emulated Pico whose flash is kept in `file`; a new flash has the firmware on it, or
    nothing if `empty`.

    Raises UserError.
    """
    tiers.check(tiers.EMULATOR, image_file)
    from nimatron_sim.emulated import flash
    from nimatron_sim.emulated.flash_file import FlashFile
    from nimatron_sim.emulated.pico import EmulatedPico

    size = image.bootable(image_file).file_system[1]

    def fresh() -> bytes:
        return flash.build({} if empty else flash.release(), size=size)

    if not file:
        return EmulatedPico(record=_forget, flash=fresh(), image=image_file)
    new = not file.exists()
    kept = FlashFile(file, fresh, size)
    print("flash", file, "(new)" if new else "(as it was left)")
    pico = EmulatedPico(record=_forget, flash=kept.content, image=image_file)
    pico.on_flash = kept.write
    return pico


def get_image(file: Path | None) -> str:
    """Get the image if necessary, and say where it is; or check `file`. Either way, say for which
    board it is.

    Raises UserError.
    """
    if not file:
        there = image.have() or image.fetch()
        return f"the MicroPython image {there} is there and whole, for the {_for(there)}"
    return f"{file} is a whole MicroPython {image.version(file)} image for the {_for(file)}"


def _for(file: Path) -> str:
    found = image.load(file)
    if not found.machine:
        raise UserError(f"{file} does not say for which board it is")
    return found.title


def with_firmware(image_file: Path | None, target: Path) -> str:
    """Write MicroPython and the firmware as one .uf2 for the board of that image; it erases all
    files on it.

    Raises UserError.
    """
    tiers.check_extra()
    from nimatron_sim.emulated import flash

    system = image.load(image_file)
    if not system.board:
        raise UserError(
            f"{image_file or image.find()} is for the {system.title}, whose file system has a "
            "place of its own: install that image first, then run `nimatron deploy`"
        )
    files = flash.build(flash.release(), size=system.board.file_system[1])
    try:
        target.write_bytes(image.pack(image.with_files(system, files)))
        image.load(target)
    except ValueError as why:
        raise UserError(str(why)) from None
    except OSError as why:
        raise UserError(f"cannot write {target}: {why.strerror}") from None
    return (
        f"{target} is MicroPython and Nimatron in one, for the {system.title}; "
        "it erases settings and statistics"
    )


def _forget(record: object) -> None:
    pass
