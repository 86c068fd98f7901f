"""What Wi-Fi would cost an exhibit: on an emulated Pico W, a task next to Nimatron joins a
network, and a button is pressed whenever it does something that keeps the CPU.

    .venv/bin/python tests/emulator/wifi.py

prints the figures of docs/explanation/why-no-wifi.md. The emulated radio and its network answer at
once: all times are the shortest possible.
"""

import tempfile
from pathlib import Path

import probe
from rp2040py.external.cyw43 import net
from rp2040py.external.cyw43.nat import GATEWAY_MAC

import images
from nimatron.devices.pins import COLUMNS, ROWS
from nimatron_sim import firmware
from nimatron_sim.circuit import Circuit
from nimatron_sim.emulated.emulated_pico import EmulatedPico

PRESSES = 28
FETCH = "rp2040py micropython --fetch-fw-only --board pico_w --image 1.26.1"
HEAP, PRESS_MS = 120_000, 5.0  # the requirements: bytes free at least, press to lamp at most

_DNS, _NO_SUCH_NAME = 53, b"\x81\x83"  # its port, and the flags of its answer
_BUSY = 28  # a GPIO that the firmware does not use. It is high during a step
_UNANSWERED = "look up a name that nobody answers"
_STEPS = {
    "switch the radio on": "wlan.active(True)",
    "join": "wlan.connect('hall', 'secret12')",
    "look up a name": "socket.getaddrinfo('broker', 1883)",
    _UNANSWERED: "socket.getaddrinfo('silent', 1883)",
    "open a connection": "line.connect(('10.1.0.10', 1883))",
    "join again": "wlan.connect('hall', 'secret12')",
    "join again on the second core": "start_new_thread(wlan.connect, ('hall', 'secret12'))",
}
_MAIN = """
import asyncio
from nimatron.devices import restart
salvaged = restart.recover()
from nimatron import app
import beside
asyncio.create_task(beside.run())
app.run(salvaged)
"""
_BESIDE = """
import asyncio
import socket
from _thread import start_new_thread
import network
from machine import Pin

async def run():
    busy = Pin(%d, Pin.OUT, value=0)
    wlan = network.WLAN(network.STA_IF)
    line = socket.socket()
    line.setblocking(False)
    await asyncio.sleep_ms(4000)
    for do in (%s):
        await asyncio.sleep_ms(1500)
        busy(1)
        try:
            do()
        except OSError:
            pass
        busy(0)
"""


class _Hall:
    """In place of the way to the internet: a name server that knows no name. It receives all and
    answers nothing else, or nothing at all if `silent`."""

    def __init__(self, bus, silent=False):
        self._bus, self._silent = bus, silent

    def maybe_handle(self, eth: net.EthernetFrame, *parsed: object) -> None:
        ip = net.parse_ipv4(eth.payload)
        udp = net.parse_udp(ip.payload) if ip.proto == net.IP_PROTO_UDP else None
        if self._silent or not udp or udp.dst_port != _DNS:
            return
        answer = udp.payload[:2] + _NO_SUCH_NAME + udp.payload[4:]
        reply = net.pack_udp(ip.dst_ip, ip.src_ip, _DNS, udp.src_port, answer)
        packet = net.pack_ipv4(ip.dst_ip, ip.src_ip, net.IP_PROTO_UDP, reply)
        frame = net.pack_ethernet(eth.src_mac, GATEWAY_MAC, net.ETHERTYPE_IPV4, packet)
        self._bus.queue_rx_ethernet_frame(frame)

    def reset(self) -> None:
        """Forget all connections, of which there are none."""


def exhibit(scratch: Path, beside: bool) -> EmulatedPico:
    """A Pico W in its attract show. With `beside`, the task runs next to it, after a pause."""
    files = dict(firmware.files())
    if beside:
        steps = ", ".join(f"lambda: {step}" for step in _STEPS.values())
        for name, text in {"main.py": _MAIN, "beside.py": _BESIDE % (_BUSY, steps)}.items():
            (scratch / name).write_text(text)
            files[name] = scratch / name
    pico = EmulatedPico(Circuit(bounce_ms=0), files, image=images.cached(radio=True)[-1][1])
    _bridge(pico)
    pico.settle()
    return pico


def _bridge(pico: EmulatedPico, silent: bool = False) -> None:
    """Put the hall behind the access point: nothing of this computer's."""
    bus = pico.circuit.chip._radio.bus
    bus.nat_bridge._udp = bus.nat_bridge._tcp = _Hall(bus, silent)


def steps(pico: EmulatedPico) -> dict[str, tuple[float, float]]:
    """For each step: for how many ms it keeps the CPU, and how many ms a press at its beginning
    takes to put a lamp out."""
    found = {}
    joins = _count_joins(pico)
    pico.start(7, 7, 7, 7)
    for number, step in enumerate(_STEPS):
        if step == _UNANSWERED:
            _bridge(pico, silent=True)
        found[step] = _step(pico, "row1", (ROWS[0], COLUMNS[probe.IN_A_ROW - 1 - number]))
    assert len(joins) == sum(step.startswith("join") for step in _STEPS)
    return found


def _count_joins(pico: EmulatedPico) -> list[None]:
    """A list that gets longer with each order to join."""
    joins: list[None] = []
    bus = pico.circuit.chip._radio.bus
    answer = bus._queue_join_events

    def join():
        joins.append(None)
        answer()

    bus._queue_join_events = join
    return joins


def _step(pico: EmulatedPico, button: str, lamp: tuple[int, int]) -> tuple[float, float]:
    high = {gpio: False for gpio in lamp}
    began, ended, lit = [], [], [0.0]

    def moved(gpio, is_high):
        now = probe.now_ms(pico)
        if gpio == _BUSY and is_high:
            began.append(now)
            pico.circuit.set_contact(button, True)
        elif gpio == _BUSY:
            ended.append(now)
        else:
            if all(high.values()):
                lit[0] = now
            high[gpio] = is_high

    with probe.listening(pico, (*lamp, _BUSY), moved):
        pico.run_until(lambda: ended)
        pico.run(40)
    pico.circuit.set_contact(button, False)
    assert lit[0] > began[0], "the lamp was not lit"
    return ended[0] - began[0], lit[0] - began[0]


def free_alone(scratch: Path) -> int:
    """Bytes of heap that are free in the attract show of a Pico W without that task."""
    pico = exhibit(scratch, beside=False)
    pico.run(1000)  # the game of the show has been loaded
    return probe.collect(pico)


def main() -> None:
    if not images.cached(radio=True):
        raise SystemExit(f"there is no image for the Pico W; get one with: {FETCH}")
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        print(f"free heap in attract, bytes, firmware alone: {free_alone(scratch)}")
        pico = exhibit(scratch, beside=True)
        with probe.row_gaps(pico) as gaps:
            took = steps(pico)
        print(f"free heap in a match, bytes, with network and socket: {probe.collect(pico)}")
        for step, (kept, late) in took.items():
            print(f"{step}: {kept:.2f} ms; a press at its beginning: {late:.2f} ms")
        print(f"from one frame to the next meanwhile, ms: {min(gaps):.4f} to {max(gaps):.4f}")
        usual = probe.presses(pico, PRESSES)
        print(f"other presses, ms, worst of {PRESSES}: {usual[-1]:.2f}")


if __name__ == "__main__":
    main()
