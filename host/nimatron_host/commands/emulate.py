"""Run an emulated Pico on a serial device or a TCP port."""

import re
import signal
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from nimatron_host import options
from nimatron_sim.errors import UserError, stopped
from pico_testbench.models import UNIQUE_ID

if TYPE_CHECKING:
    from nimatron_sim.base_pico import Pico
    from nimatron_sim.ports import Port


@options.value
def _unique_id(word: str) -> bytes:
    if not re.fullmatch(r"[0-9A-Fa-f]{16}", word):
        raise ValueError(f"{word} is not a number of 16 hex digits, such as e6614103e72b5f2f")
    return bytes.fromhex(word)


def add(parser: ArgumentParser) -> None:
    options.add(parser, "--pty", "serve a serial device (default, except on Windows)")
    tcp = "serve this TCP port, or a free port if it is 0 (default on Windows)"
    options.add(parser, "--tcp PORT", tcp, type=options.port_number)
    options.add(parser, "--flash FILE", "keep the Pico's flash in FILE")
    options.add_image(parser)
    options.add(parser, "--empty", "start with MicroPython only, without the firmware")
    options.add(parser, "--sim", "run the simulated Pico instead")
    number = "the unique ID of the simulated Pico, 16 hex digits, like that of a real Pico"
    options.add(parser, "--id HEX", number, type=_unique_id)
    options.add_board(parser)


def run(args: Namespace) -> None:
    board = options.board(args, args.sim)
    if args.sim and (args.flash or args.image or args.empty):
        args.refuse("--flash, --image and --empty are for the emulated Pico, not for --sim")
    if args.id and not args.sim:
        args.refuse("--id is for the simulated Pico. Add --sim")

    def make() -> "Pico":
        if args.sim:
            from nimatron_sim.simulated_pico import SimulatedPico

            own = args.id or UNIQUE_ID
            return SimulatedPico(record=_forget, entropy=None, board=board, unique_id=own)
        return _emulated(args.flash, args.image, args.empty)

    emulate(make, args.pty, args.tcp)


def emulate(make: "Callable[[], Pico]", pty: bool, tcp: int | None) -> None:
    """Serve the Pico from make() until SIGTERM or Ctrl-C.

    For `pty` and `tcp`, see _ports. Raises UserError.
    """
    from nimatron_sim.ports import serve
    from pico_testbench.faults import Fault

    ended: list[int] = []
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, _: ended.append(number))
    try:
        ports = _ports(pty, tcp)
        pico = make()
        for port in ports:
            print(port.kind, port.name)
        print(
            f"Talk to it with `nimatron console {ports[0].name}`. To stop it, press Ctrl-C here."
        )
        print(end="", flush=True)
        serve(pico, ports, lambda: ended)
    except Fault as fault:
        raise stopped(fault) from None


def _ports(pty: bool, tcp: int | None) -> "list[Port]":
    """Return the requested ports. By default, return a serial device if this computer can create
    one, or else a free TCP port."""
    from nimatron_sim.ports import Tcp

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


def _emulated(file: Path | None, image_file: Path | None, empty: bool) -> "Pico":
    """Return an emulated Pico whose flash is kept in `file`. A new flash contains the firmware,
    unless `empty` is true.

    Raises UserError.
    """
    from nimatron_sim import backends

    backends.check(backends.EMULATOR, image_file)
    from nimatron_sim.emulated import bootable_image, pico_flash
    from nimatron_sim.emulated.emulated_pico import EmulatedPico
    from nimatron_sim.emulated.pico_flash import FlashFile

    size = bootable_image.bootable(image_file).file_system[1]

    def fresh() -> bytes:
        return pico_flash.build({} if empty else pico_flash.release(), size=size)

    if not file:
        return EmulatedPico(record=_forget, flash=fresh(), image=image_file)
    new = not file.exists()
    kept = FlashFile(file, fresh, size)
    print("flash", file, "(new)" if new else "(as it was left)")
    pico = EmulatedPico(record=_forget, flash=kept.content, image=image_file)
    pico.on_flash = kept.write
    return pico


def _forget(record: object) -> None:
    pass
