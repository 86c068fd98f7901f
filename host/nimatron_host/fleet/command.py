"""`nimatron fleet`: connect exhibits to a broker, until you end the command."""

import asyncio
import contextlib
import logging
import signal
import socket
import sys
import traceback
from collections.abc import Awaitable, Callable, Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from nimatron_host.device.manual import COMMANDS
from nimatron_host.device.port_names import is_port
from nimatron_host.fleet import topics
from nimatron_host.fleet.broker import Broker
from nimatron_sim.errors import UsageError, UserError
from nimatron_sim.text_encoding import escaped

if TYPE_CHECKING:
    from nimatron_host.fleet.bridge import Bridge

AGAIN_S = 30.0  # until a failed bridge starts again

log = logging.getLogger("nimatron.fleet")


def ports(words: Sequence[str]) -> dict[str, str]:
    """Return {port: name} from words NAME=PORT. Raises UsageError."""
    found: dict[str, str] = {}
    for word in words:
        name, _, port = word.partition("=")
        if not (topics.is_level(name) and is_port(port)):
            raise UsageError(f"{word} is not NAME=PORT, such as hall-1=/dev/ttyACM0")
        if port in found or name in found.values():
            raise UsageError(f"{word}: each name and each port stand for one exhibit")
        found[port] = name
    return found


def check_allowed(commands: Collection[str]) -> None:
    """Raise UsageError if one of `commands` is not a command of the console."""
    for command in commands:
        if command not in COMMANDS:
            raise UsageError(f"--allow {command}: the console has no such command")


def fleet(
    broker: Broker,
    exhibits: dict[str, str],
    folder: Path,
    name: str | None,
    allowed: Collection[str],
    keep: int,
) -> None:
    """Run the bridge until SIGTERM or Ctrl-C. Raises UserError."""
    from nimatron_host.fleet.bridge import Bridge  # needs the extra `fleet`
    from nimatron_host.fleet.spool import Spool

    name = name or host()
    if not topics.is_level(name):
        raise UsageError(f"--name {name} cannot be a level of a topic: use letters and digits")
    logging.basicConfig(stream=sys.stderr, format="%(message)s", level=logging.INFO)
    logging.getLogger("mqtt").setLevel(logging.CRITICAL)  # the bridge has its own messages
    if broker.shouts:
        log.warning("the password crosses the network unprotected. Use mqtts://")
    with contextlib.closing(Spool(folder, keep)) as spool:
        if waiting := len(spool):
            log.info("%d events wait for the broker since the last time", waiting)
        asyncio.run(_until_stopped(lambda: Bridge(name, broker, spool, exhibits, allowed)))


async def _until_stopped(bridge: "Callable[[], Bridge]") -> None:
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError):  # Windows
            loop.add_signal_handler(number, stopped.set)
    await supervised(lambda: bridge().run(stopped), stopped, fatal=(UserError,))


def host() -> str:
    """Return the name of this computer, without characters that are forbidden in topics."""
    return "".join(char if topics.is_level(char) else "-" for char in socket.gethostname())


async def supervised(
    run: Callable[[], Awaitable[None]],
    stopped: asyncio.Event,
    fatal: tuple[type[Exception], ...] = (),
) -> None:
    """Call run() until it returns or `stopped` is set. After a failure, log it in one line and
    call run() again. Exceptions in `fatal` are raised."""
    while not stopped.is_set():
        try:
            return await run()
        except fatal:
            raise
        except Exception as why:  # a bug in the bridge must not end the kiosk
            log.warning("%s. The next attempt is in %d s", _told(why), AGAIN_S)
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(stopped.wait(), AGAIN_S)


def _told(why: Exception) -> str:
    if isinstance(why, UserError):
        return str(why)
    place = traceback.extract_tb(why.__traceback__)[-1]
    where = f"{Path(place.filename).name}:{place.lineno}"
    return f"the bridge failed: {type(why).__name__}: {escaped(str(why))} ({where})"
