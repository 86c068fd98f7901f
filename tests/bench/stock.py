"""rp2040py as it comes from the registry, running the same image and the same file system: run as
a program, it prints how far its clock has come, and what it heard, until somebody ends it.

Nothing of nimatron_sim/emulated/rp2040.py is in it: its own simulator, its own host at the other
end of the USB cable, which presses return once, as rp2040py's does.
"""

import subprocess
import sys
import time

_PRESSED = b"\r\n"


def run(files: str, seconds: float) -> list[tuple[float, float, str]]:
    """[(emulated ms, CPU seconds, what was heard since)] in that much CPU time. files: `ours`, or
    `empty`."""
    command = [sys.executable, "-m", "bench.stock", files, str(seconds)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    told = []
    try:
        for line in process.stdout:
            ms, spent, heard = line.rstrip("\n").split("\t")
            told.append((float(ms), float(spent), heard))
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
    return told


def _main(files: str, seconds: float) -> None:
    import resource

    from rp2040py.device.bootrom import BOOTROM_B1
    from rp2040py.execute_batch import execute_batch
    from rp2040py.memory_map import FLASH_START_ADDRESS
    from rp2040py.simulator import Simulator
    from rp2040py.usb.cdc import USBCDC
    from rp2040py.utils.logging import ConsoleLogger, LogLevel

    from nimatron_sim import firmware
    from nimatron_sim.emulated import flash, image

    # One batch may go on for ever: the kernel ends what we cannot.
    limit = round(seconds + 2)
    resource.setrlimit(resource.RLIMIT_CPU, (limit + round(time.process_time()), -1))
    simulator = Simulator()
    chip = simulator.rp2040
    chip.logger = ConsoleLogger(LogLevel.ERROR)
    chip.load_bootrom(BOOTROM_B1)
    system = image.load().flash
    chip.flash[: len(system)] = system
    chip.flash[flash.START : flash.START + flash.SIZE] = flash.build(
        firmware.files() if files == "ours" else {}
    )
    heard = bytearray()
    host = USBCDC(chip.usb_ctrl)
    host.on_serial_data = heard.extend
    host.on_device_connected = lambda: [host.send_serial_byte(byte) for byte in _PRESSED]
    chip.core.pc = FLASH_START_ADDRESS
    begin = time.process_time()
    shown = 0.0
    while (spent := time.process_time() - begin) < seconds:
        if heard or spent - shown > 0.2:
            text = heard.decode("ascii", "replace").replace("\r", "").replace("\n", "|")
            print(chip.clock.nanos / 1e6, spent, text, sep="\t", flush=True)
            heard.clear()
            shown = spent
        simulator.stopped = False
        execute_batch(simulator, 1)
    print(chip.clock.nanos / 1e6, time.process_time() - begin, "", sep="\t", flush=True)


if __name__ == "__main__":
    _main(sys.argv[1], float(sys.argv[2]))
