"""On the device: what the deployable image does, in the emulated RP2040's own time."""

import json
import threading
from collections.abc import Callable
from pathlib import Path

from bench import emulated
from bench.report import Goal, Section, Table, number
from nimatron import games
from nimatron_host.deploy import deploy
from nimatron_sim import firmware, ports
from nimatron_sim.errors import TierUnavailable
from nimatron_sim.vm import vm
from pico_testbench.boards import PICO

BOOT_MS = 350
HEAP = 150_000  # bytes free in the attract show; version 0.1.0 had 144,432
PRESSES = 112
PRESSES_WITH_WAITS = 14  # few: each instruction is looked at
CHORES = 12  # presses while they are done
GAMES = 20  # on the emulated RP2040
VM_GAMES = (10, 1000)
_VM_HEAP = 2_000_000
_MPY = 4870  # sys.implementation._mpy of the image: .mpy 6.3 for armv6m


# ---------------------------------------------------------------------- jobs, each a process


def show() -> dict:
    """The exhibit from power-on: boot, presses, frames, load, heap."""
    import probe

    from nimatron_sim.circuit import Circuit
    from nimatron_sim.emulated.pico import EmulatedPico

    pico = EmulatedPico(Circuit(bounce_ms=5))
    pico.settle()
    boot = _attract_ms(pico)
    pico.run(1000)  # the game of the show has been loaded
    return {
        "boot": boot,
        "heap": probe.collect(pico),
        "presses": probe.presses(pico, PRESSES),
        "presses at chores": probe.presses_at_chores(pico, CHORES),
        "second of two": probe.second_of_two(pico),
        "presses amid bytes": probe.presses_amid_bytes(pico),
        "busy": probe.shares(pico),
        "gaps": _gaps(pico, probe, False),
        "gaps while writing": _gaps(pico, probe, True),
        "heap after games": _play(pico, probe),
    }


def _gaps(pico, probe, writing) -> list[float]:
    pico.start(7, 7, 7, 7)
    pico.run(120)
    with probe.row_gaps(pico) as gaps, probe.slow_flash(pico):
        if writing:
            for ms in range(1500, 1504):
                pico.ask(f"set think_ms {ms}")
        pico.run(200)
    return sorted(gaps)


def _play(pico, probe) -> int:
    pico.ask("quiet on")
    for _ in range(GAMES):
        pico.ask("new 1")
        pico.ask("take 1 1")
    return probe.collect(pico)


def with_waits() -> dict[str, list]:
    """The same with the least and the most that a real flash may keep the CPU waiting."""
    import probe
    import xip

    from nimatron_sim.circuit import Circuit
    from nimatron_sim.emulated.pico import EmulatedPico

    pico = EmulatedPico(Circuit(bounce_ms=5))
    pico.settle()
    found: dict[str, list] = {"presses": [], "busy": []}
    for cycles in (xip.FAST, xip.SLOW):
        with xip.waits(pico, cycles):
            found["presses"].append(probe.presses(pico, PRESSES_WITH_WAITS))
            found["busy"].append(probe.shares(pico))
    return found


def on_pico_w() -> dict | None:
    """The same, but less of it, on a Pico W; None without an image."""
    import probe

    from nimatron_sim.circuit import Circuit
    from nimatron_sim.emulated import image
    from nimatron_sim.emulated.pico import EmulatedPico

    found = image.cached(radio=True)
    if not found:
        return None
    pico = EmulatedPico(Circuit(bounce_ms=5), image=found[-1][1])
    pico.settle()
    boot = _attract_ms(pico)
    pico.run(1000)
    return {
        "boot": boot,
        "heap": probe.collect(pico),
        "presses": probe.presses(pico, PRESSES),
        "busy": probe.shares(pico),
        "gaps": _gaps(pico, probe, False),
    }


def on_rp2040js() -> dict | None:
    """The same on the second emulator, but for the heap, into which it gives no insight; None
    where it is missing."""
    import probe
    import probe_js

    from nimatron_sim.circuit import Circuit
    from nimatron_sim.rp2040js.pico import SecondPico

    try:
        pico = SecondPico(Circuit(bounce_ms=5))
    except TierUnavailable:
        return None
    pico.settle()
    found = {
        "boot": _attract_ms(pico),
        "presses": probe_js.presses(pico, PRESSES),
        "busy": probe.shares(pico, probe_js.busy),
        "gaps": probe_js.row_gaps(pico, 200),
    }
    pico.power_off()
    return found


def _attract_ms(pico):
    return next(r["ms"] for r in pico.trace if r.get("console") == "event state=attract")


def boot_from_source() -> int:
    """ms from power-on to attract when the modules are on flash as .py."""
    from nimatron_sim.emulated.pico import EmulatedPico

    pico = EmulatedPico(source=True)
    pico.run_until(lambda: pico.state == "attract")
    return _attract_ms(pico)


def decide() -> dict[str, tuple[float, int]]:
    """name: (ms of the worst decision, bytes of heap), every game of the registry."""
    import decisions

    main = decisions.main(games.names()[1:])
    return decisions.found(emulated.run_until_end(main, firmware.files()))


def deployed() -> dict[str, float]:
    """`nimatron deploy` onto an emulated Pico that has MicroPython and nothing else, over TCP,
    with a flash as slow as a real one, and without the minute of trial."""
    import probe

    from nimatron_sim.emulated import flash
    from nimatron_sim.emulated.pico import EmulatedPico

    deploy.TRIAL_S = 0
    pico = EmulatedPico(flash=flash.build({}), record=lambda record: None)
    port = Counted(0)
    ended: list[int] = []
    with probe.slow_flash(pico):
        line = threading.Thread(target=ports.serve, args=[pico, [port], lambda: ended])
        line.start()
        core = probe._mcu(pico).core
        begin, cycles = probe.now_ms(pico), core.cycles
        try:
            deploy.deploy(port.name, say=lambda line: None)
        finally:
            ended.append(1)
            line.join()
    return {
        "seconds": (probe.now_ms(pico) - begin) / 1000,
        "busy": (core.cycles - cycles) / 125e6,
        "to": port.to_pico,
        "from": port.from_pico,
    }


class Counted(ports.Tcp):
    """A TCP port that counts the bytes on the line."""

    to_pico = from_pico = 0

    def read(self) -> bytes:
        data = super().read()
        self.to_pico += len(data)
        return data

    def write(self, data: bytes) -> None:
        if self.opened:
            self.from_pico += len(data)
        super().write(data)


# ---------------------------------------------------------------------- without the emulator

_WATCH = """
import builtins, gc, sys
_print = print
_games = 0
def _watch(text):
    global _games
    if '"console": "event over' not in text:
        return
    _games += 1
    if _games in {counts}:
        gc.collect()
        _print(_games, gc.mem_alloc())
        if _games == {counts}[-1]:
            raise SystemExit
    sys.modules["chip"].receive(b"new 1\\ntake 1 1\\n")
builtins.print = _watch
from nimatron_sim.vm import vm_main
vm_main.main(vm_main.VmPico)
"""
_A_DAY_MS = 86_400_000


def heap_on_vm() -> tuple[int, int]:
    """Bytes in use on the MicroPython VM after 10 and after 1,000 games, one after the other, each
    ended by a move of the visitor; raises TierUnavailable."""
    moments = [(1000, "send", "new 1"), (1100, "send", "take 1 1")]
    given = json.dumps(["matrix", PICO, moments, _A_DAY_MS])
    said = vm.run("-c", _WATCH.format(counts=VM_GAMES), given=given, heap=_VM_HEAP)
    used = dict(tuple(map(int, line.split())) for line in said.splitlines())
    return used[VM_GAMES[0]], used[VM_GAMES[1]]


def flash_bytes() -> tuple[int, int, int]:
    """Bytes of the firmware's files: as source, as deployed, and how many files."""
    files = firmware.files()
    source = sum(Path(file).stat().st_size for file in files.values())
    sent = deploy.contents(files, _MPY)
    return source, sum(map(len, sent.values())), len(sent)


# ---------------------------------------------------------------------- the section


def section(say: Callable[[str], None], found: dict | None) -> Section:
    """found: what the jobs have returned; None without an image."""
    say("flash and heap")
    source, sent, count = flash_bytes()
    rows: list[tuple[object, ...]] = []
    goals: list[Goal] = []
    parts: list[str | Table] = []
    if found:
        parts.append(_of_boards(found))
        rows += _of_the_show(found) + _of_the_waits(found["waits"])
        goals += _goals(found)
    rows.append(("flash, bytes: as deployed (.mpy), as source (.py)", f"{sent:,} and {source:,}"))
    try:
        few, many = heap_on_vm()
        rows.append(
            (
                f"heap on the MicroPython VM, 64 bits: bytes from game {VM_GAMES[0]} to game "
                f"{VM_GAMES[1]:,}",
                f"{many - few:+,}",
            )
        )
        goals.append(
            Goal(
                f"heap after {VM_GAMES[1]:,} games",
                "as after 10, within 1 kB",
                f"{many - few:+,} bytes on the VM",
                many - few <= 1000,
                "it differs by 2 to 14 kB with the number of games, and did not grow with it from "
                "100 to 2,000",
            )
        )
    except TierUnavailable as why:
        parts.append(f"Not measured: heap on the MicroPython VM: {why}.")
    parts.append(Table(("more of the Pico, on rp2040py", ""), rows))
    if found:
        parts.append(_LEFT_OUT)
        deployed = found["deployed"]
        parts.append(
            f"`nimatron deploy` onto a Pico with MicroPython alone sends {count} files in "
            f"{deployed['to'] / 1000:.0f} kB and hears {deployed['from'] / 1000:.0f} kB; the Pico "
            f"works for {deployed['busy']:.1f} s of the {deployed['seconds']:.0f} s emulated; the "
            "rest is taken by mpremote, or lost because this computer is slower than a Pico. The "
            "flash is as slow as a W25Q16JV; USB takes no time."
        )
        parts += [
            "One decision in each game at its largest opening: the slowest under both rules, with "
            "and without a slip, after all one-time searches:",
            _decisions(found["decide"]),
        ]
    else:
        parts.append("Not measured on the emulated RP2040: no image; get it with: nimatron image.")
    return Section("On the device", parts, goals)


def _share(values, share):
    return values[min(len(values) - 1, int(share * len(values)))]


_BOARDS = {
    "show": "Pico on rp2040py",
    "pico-w": "Pico W on rp2040py",
    "rp2040js": "Pico on rp2040js",
}


def _of_boards(found):
    """The same figures of each board on each emulator, in columns."""
    there = {name: found[name] for name in _BOARDS if found.get(name)}
    table = Table(("emulated time", *[_BOARDS[name] for name in there]))

    def tell(what, said):
        table.rows.append((what, *[said(one) for one in there.values()]))

    for share, name in ((0.5, "median"), (0.99, "99 of 100"), (1, "worst")):
        tell(
            f"press to lamp, ms, {name} of {PRESSES}",
            lambda one, share=share: f"{_share(one['presses'], share):.2f}",
        )
    tell("frames a second at the pins", lambda one: f"{1000 / _share(one['gaps'], 0.5):.0f}")
    tell("power-on to attract, ms", lambda one: f"{one['boot']}")
    for state in found["show"]["busy"]:
        tell(f"CPU busy, %, {state}", lambda one, state=state: f"{one['busy'][state]:.2f}")
    tell("free heap in attract, bytes", lambda one: f"{one['heap']:,}" if "heap" in one else "-")
    return table


def _of_the_show(found):
    one, gaps, writing = found["show"], found["show"]["gaps"], found["show"]["gaps while writing"]
    usual = _share(gaps, 0.5)
    return [
        (
            "press to lamp, ms, at the once-a-second chores: worst",
            f"{one['presses at chores'][-1]:.2f}",
        ),
        (
            "press to lamp, ms: the second of two at one instant, worst while bytes arrive",
            f"{one['second of two']:.2f}, {one['presses amid bytes'][-1]:.2f}",
        ),
        (
            "row to row, longest and shortest, of a frame",
            f"{gaps[-1] / usual:.4f} and {gaps[0] / usual:.4f}",
        ),
        ("the longest while flash is written", f"{writing[-1] / usual:.4f}"),
        ("power-on to attract, ms, with the modules as .py", f"{found['source']}"),
        (f"free heap, bytes, after {GAMES} games", f"{one['heap after games']:,}"),
    ]


_LEFT_OUT = (
    "The emulator's flash answers at once; a real one does not, which only the lines with the "
    "waits of a flash take into account. They are an estimate: each read from flash goes through "
    "a model of the RP2040's cache, and each word that is not in it takes 40 cycles more, which "
    "is what the flash chip needs, or 60, in case the undocumented cache controller needs half as "
    "much again. They do not include a press during a save, which waits for each sector erased, "
    "45 ms typically and 400 at most (W25Q16JV), with interrupts off; "
    "docs/contributing/evidence.md says how many sectors a save erases."
)


def _of_the_waits(found):
    """From the least to the most."""

    def span(values, form="{:.2f}"):
        return " to ".join(form.format(value) for value in values)

    presses = found["presses"]
    busiest = [max(shares.values()) for shares in found["busy"]]
    return [
        (
            f"press to lamp with the waits of a flash, estimated, ms, of {PRESSES_WITH_WAITS}: "
            "p50, worst",
            f"{span(_share(p, 0.5) for p in presses)}, {span(p[-1] for p in presses)}",
        ),
        ("CPU busy at most, the same", f"{span(busiest)} %"),
    ]


def _goals(found):
    one = found["show"]
    every = [found[name]["presses"][-1] for name in _BOARDS if found.get(name)]
    press = max(one["presses at chores"][-1], *every)
    usual = _share(one["gaps"], 0.5)
    gap = one["gaps while writing"][-1] / usual
    slowest = max(found["decide"], key=lambda name: found["decide"][name][0])
    ms = found["decide"][slowest][0]
    busiest = max(one["busy"], key=lambda what: one["busy"][what])
    return [
        Goal(
            "press to lamp",
            "5 ms at most, on a flash without waits",
            f"{press:.2f} ms",
            press <= 5,
            "fewer allocations before the lamp",
        ),
        Goal(
            "flicker",
            "250 frames a second, no row late by 5 %",
            f"{1000 / usual:.0f}, {100 * (gap - 1):.1f} % late while flash is written",
            1000 / usual >= 250 and gap <= 1.05,
            "probably the pauses in which the wires are measured",
        ),
        Goal(
            "CPU busy",
            "5 % at most",
            f"{one['busy'][busiest]:.1f} % ({busiest})",
            one["busy"][busiest] <= 5,
            f"fewer wakes while it is {busiest}",
        ),
        Goal(
            "power-on to attract",
            f"{BOOT_MS} ms at most",
            f"{one['boot']} ms",
            one["boot"] <= BOOT_MS,
            "import less before the show",
        ),
        Goal(
            "decision of the slowest game",
            "300 ms at most",
            f"{number(ms)} ms ({slowest})",
            ms <= 300,
            "a table for it",
        ),
        Goal(
            "free heap in the attract show",
            f"{HEAP:,} bytes at least",
            f"{one['heap']:,}",
            one["heap"] >= HEAP,
            "import less, or freeze the modules into the image",
        ),
    ]


def _decisions(decide):
    """Three games in a row: the list is long."""
    slowest = sorted(decide.items(), key=lambda item: -item[1][0])
    third = -(-len(slowest) // 3)
    table = Table(("game", "ms") * 3)
    for i in range(third):
        row: list[object] = []
        for j in (i, i + third, i + 2 * third):
            row += [f"`{slowest[j][0]}`", slowest[j][1][0]] if j < len(slowest) else ["", ""]
        table.rows.append(row)
    return table
