"""`nimatron devices`: list the Picos that are plugged in, and what is on them."""

from collections.abc import Sequence

from serial.tools.list_ports_common import ListPortInfo

from nimatron_host.device.link import MICROPYTHON, NONE_FOUND, SerialLink, picos
from nimatron_sim.errors import UserError

_HELLO_S = 2


def show(ports: Sequence[str]) -> None:
    """Print a line for each of these ports, or for each Pico found."""
    found: list[tuple[str, ListPortInfo | None]] = [(port, None) for port in ports]
    found = found or [(pico.device, pico) for pico in picos()]
    if not found:
        raise UserError(NONE_FOUND)
    rows = [(port, _serial_number(pico), _what(port, pico)) for port, pico in found]
    wide = [max(len(row[column]) for row in rows) for column in range(2)]
    for port, number, what in rows:
        print(f"{port:{wide[0]}}  {number:{wide[1]}}  {what}")


def _serial_number(pico):
    return pico.serial_number or "-" if pico else "-"


def _what(port, pico):
    if pico and pico.pid != MICROPYTHON:
        return f"not MicroPython ({pico.product or 'another program'})"
    try:
        with SerialLink(port) as line:
            hello = line.hello(_HELLO_S)
    except UserError as why:
        return str(why)
    if hello is None:
        return "no answer"
    if not hello:
        return "MicroPython, no Nimatron"
    mode = hello.get("mode")
    return f"Nimatron {hello['version']}" + (f", {mode} mode" if mode else "")
