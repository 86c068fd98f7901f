"""Emulated Picos: the real MicroPython, and a file system as it is on a real flash."""

from collections.abc import Callable
from pathlib import Path

from littlefs import LittleFSError

from pico_testbench import flash, image
from pico_testbench.boards import BOARDS
from pico_testbench.chip import Chip
from pico_testbench.clock import Clock


class EmulatedPicos:
    """Emulated Picos with one flash, one after the other: each `start` is a power-on.

    board: its name. files: {name on the flash: content}. image: a MicroPython image; by default
        the one that image.find finds.

    Raises image.NoImage; ValueError if the files are too many.
    """

    def __init__(self, board: str, files: dict[str, bytes], image_file: Path | None):
        if board not in image.BOARDS_HERE:
            here = " and ".join(image.BOARDS_HERE)
            raise ValueError(f"no board is called {board} here: emulated, there are {here}")
        self._board = BOARDS[board]
        self._image = image.load(image.find(board, image_file), board)
        self._flash = _flash(files, self._board.file_system[1])
        self._chip: Chip | None = None

    def start(
        self,
        clock: Clock,
        was_reset: Callable[[], None],
        moved: Callable[[int, int, int], None],
    ) -> Chip:
        self._chip = Chip(self._image.flash, self._flash, was_reset, self._board, moved)
        return self._chip

    def stop(self) -> None:
        """Cut the power."""
        if self._chip:
            self._flash, self._chip = self._chip.flash, None

    @property
    def files(self) -> dict[str, bytes]:
        """The files on its flash as they are now."""
        mounted = flash.mount(self._chip.flash if self._chip else self._flash)
        found = {}
        for folder, _, names in mounted.walk("/"):
            for name in names:
                path = f"{folder.rstrip('/')}/{name}"
                with mounted.open(path, "rb") as file:
                    found[path.lstrip("/")] = file.read()
        return found


def _flash(files: dict[str, bytes], size: int) -> bytes:
    try:
        return flash.build(files, size)
    except LittleFSError:
        total = sum(map(len, files.values()))
        raise ValueError(
            f"the firmware's {len(files)} files have {total} bytes, too many for a flash of"
            f" {size}: name the folder of the firmware alone"
        ) from None
