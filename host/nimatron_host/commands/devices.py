"""List the Picos that are plugged in."""

import json
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING, Any

from nimatron_host import options
from nimatron_host.output import aligned
from nimatron_sim.errors import UserError
from nimatron_sim.text_encoding import escaped

if TYPE_CHECKING:
    from serial.tools.list_ports_common import ListPortInfo

_HELLO_S = 2


def add(parser: ArgumentParser) -> None:
    options.add(parser, "ports* PORT", "look only at these ports")
    options.add_json(parser)


def run(args: Namespace) -> None:
    from nimatron_host.device.link import NONE_FOUND, picos

    if options.SIM in args.ports:
        args.refuse(options.NO_SIM)
    ports = args.ports
    found: list[tuple[str, ListPortInfo | None]] = [(port, None) for port in ports]
    found = found or [(pico.device, pico) for pico in picos()]
    if not found and not args.json:
        raise UserError(NONE_FOUND)
    devices = [_look(port, pico) for port, pico in found]
    if args.json:
        print(json.dumps(devices))
    else:
        rows = [(one["port"], one["serial_number"] or "-", _what(one)) for one in devices]
        print(aligned([[*map(escaped, row)] for row in rows]), flush=True)
    failed = [device["port"] for device in devices if device["state"] == "unavailable"]
    if ports and failed:
        raise UserError(f"{len(failed)} of {len(ports)} ports cannot be used: {', '.join(failed)}")


def _look(port: str, pico: "ListPortInfo | None") -> dict[str, Any]:
    """Return the device at a port. The `state` of the device is nimatron, micropython, other,
    silent or unavailable.
    """
    from nimatron_host.device.link import MICROPYTHON, SerialLink

    device = {"port": port, "serial_number": pico.serial_number if pico else None}
    if pico and pico.pid != MICROPYTHON:
        return device | {"state": "other", "text": pico.product or "another program"}
    try:
        with SerialLink(port) as line:
            hello = line.hello(_HELLO_S)
    except UserError as why:
        return device | {"state": "unavailable", "text": str(why)}
    if hello is None:
        return device | {"state": "silent"}
    if not hello:
        return device | {"state": "micropython"}
    facts = {key: hello[key] for key in ("version", "mode", "micropython") if key in hello}
    return device | {"state": "nimatron"} | facts


def _what(device: dict[str, Any]) -> str:
    """Return a description of the device at a port."""
    mode = device.get("mode")
    words: dict[str, str] = {
        "other": f"not MicroPython ({device.get('text')})",
        "unavailable": f"{device.get('text')}",
        "silent": "no answer",
        "micropython": "MicroPython, no Nimatron",
        "nimatron": f"Nimatron {device.get('version')}" + (f", {mode} mode" if mode else ""),
    }
    return words[device["state"]]
