"""The deployable image on the emulated RP2040, in the RP2040's own time."""

import concurrent.futures
from collections.abc import Callable

import images
from bench.measure import exact
from bench.report import AtLeast, Goal, Section, Table, number
from nimatron import games
from nimatron_sim import firmware, tiers

TITLE = "On the device"
PRESS_MS, BUSY, BOOT_MS, DECISION_MS = 5, 5, 350, 300
FRAMES, LATE, HEAP = 250, 5, 150_000
PICO_W = True  # if there is an image for it
PRESSES = 112
PRESSES_WITH_WAITS = 14  # few: the emulator looks at each instruction
CHORES = 12  # presses during the once-a-second chores
GAMES = games.names()[1:]
_PATIENCE_MS = 200_000


def measure(say: Callable[[str], None]) -> dict:
    """Raises TierUnavailable. The jobs are in emulated time, so they may share the computer."""

    tiers.check(tiers.EMULATOR)
    pico_w = PICO_W and images.cached(radio=True)
    jobs = {"decisions": (decide,), "pico": (show,), "waits": (with_waits,)}
    if pico_w:
        jobs["pico-w"] = show, pico_w[-1][1]
    found: dict = {}
    with concurrent.futures.ProcessPoolExecutor() as pool:
        running = {pool.submit(*job): name for name, job in jobs.items()}
        for job in concurrent.futures.as_completed(running):
            found[running[job]] = job.result()
            say(f"emulated RP2040: {running[job]}")
    return found


# ---------------------------------------------------------------------- jobs, each a process


def _settled(image=None):
    from nimatron_sim.circuit import Circuit
    from nimatron_sim.emulated.emulated_pico import EmulatedPico

    pico = EmulatedPico(Circuit(bounce_ms=5), image=image)
    pico.settle()
    return pico


def show(image: bytes | None = None) -> dict:
    """The exhibit from power-on: boot, heap, presses, load, frames. image: None for the Pico's."""
    import probe

    pico = _settled(image)
    boot = next(r["ms"] for r in pico.trace if r.get("console") == "event state=attract")
    pico.run(1000)  # attract mode has loaded its game
    found = {"boot": boot, "heap": probe.collect(pico)}
    presses = probe.presses(pico, PRESSES)
    found |= {"press": presses[len(presses) // 2], "worst press": presses[-1]}
    if image is None:  # a Pico W's LED, at which the chores begin, is at no pin of the RP2040
        found["press at chores"] = probe.presses_at_chores(pico, CHORES)[-1]
    found["busy"] = probe.shares(pico)
    usual = _gaps(pico, probe, False)
    found["frames"] = 1000 / usual[len(usual) // 2]
    found["late"] = 100 * (_gaps(pico, probe, True)[-1] / usual[len(usual) // 2] - 1)
    return found


def _gaps(pico, probe, writing) -> list[float]:
    pico.start(7, 7, 7, 7)
    pico.run(120)
    with probe.row_gaps(pico) as gaps, probe.slow_flash(pico):
        if writing:
            for ms in range(1500, 1504):
                pico.ask(f"set think_ms {ms}")
        pico.run(200)
    return sorted(gaps)


def with_waits() -> list[float]:
    """The median press with the shortest and the longest waits of a real flash, and the worst."""
    import probe
    import xip

    pico = _settled()
    found, worst = [], 0.0
    for cycles in (xip.FAST, xip.SLOW):
        with xip.waits(pico, cycles):
            presses = probe.presses(pico, PRESSES_WITH_WAITS)
        found.append(presses[len(presses) // 2])
        worst = max(worst, presses[-1])
    return [*found, worst]


def decide() -> dict[str, float]:
    """ms of a decision at the largest starting position in Nim and in the slowest game."""
    import decisions

    from nimatron_sim.emulated.emulated_pico import EmulatedPico

    said: list[str] = []
    pico = EmulatedPico(
        files={**firmware.files(), "main.py": decisions.main(GAMES).encode()},
        record=lambda record: said.append(record.get("console", "")),
    )
    pico.run_until(lambda: said[-1:] == ["end"], _PATIENCE_MS)
    found = {name: ms for name, (ms, _) in decisions.found(said).items()}
    return {name: found[name] for name in ("nim", max(found, key=found.get))}


# ---------------------------------------------------------------------- the section


def section(found: dict) -> Section:
    boards = [("Pico", found["pico"])]
    if "pico-w" in found:
        boards.append(("Pico W", found["pico-w"]))
    table = Table(("emulated time", *[name for name, _ in boards]))

    def tell(what, value):
        table.rows.append((what, *[value(one) for _, one in boards]))

    tell("press to lamp, ms: median", lambda one: one["press"])
    tell("press to lamp, ms: worst", lambda one: one["worst press"])
    tell(
        "press to lamp, ms: worst during the once-a-second chores",
        lambda one: one.get("press at chores", "-"),
    )
    tell("power-on to attract mode, ms", lambda one: one["boot"])
    tell("free heap in attract mode, bytes", lambda one: f"{one['heap']:,}")
    tell("frames a second", lambda one: one["frames"])
    tell("the latest row while flash is written, %", lambda one: one["late"])
    tell("CPU busy in the busiest state, %", lambda one: max(one["busy"].values()))
    return Section(
        [
            table,
            _of_the_rest(found),
        ],
        _goals(found, [one for _, one in boards]),
    )


def _of_the_rest(found):
    fast, slow, worst = map(number, found["waits"])
    decisions = found["decisions"]
    slowest = max(decisions, key=decisions.get)
    return (
        "The emulator's flash answers at once. With the estimated waits of a real flash, a press "
        f"takes {fast} to {slow} ms, and {worst} ms at worst. "
        "[More delays](evidence.md#press-to-lamp). "
        f"A decision at the largest starting position takes {number(decisions['nim'])} ms "
        f"in Nim and {number(decisions[slowest])} ms in the slowest game, `{slowest}`."
    )


def _goals(found, boards):
    pico = found["pico"]
    press = max(pico["press at chores"], max(one["worst press"] for one in boards))
    busiest = max(pico["busy"], key=pico["busy"].get)
    slowest = max(found["decisions"].values())
    return [
        Goal(
            "press to lamp, ms, on a flash without waits",
            PRESS_MS,
            exact(press),
            missed="allocate less before the lamp",
        ),
        Goal(
            f"CPU busy, %: {busiest}",
            BUSY,
            exact(pico["busy"][busiest]),
            missed="wake the CPU less often",
        ),
        Goal(
            "power-on to attract mode, ms",
            BOOT_MS,
            exact(pico["boot"]),
            missed="import less before the show",
        ),
        AtLeast("frames a second", FRAMES, exact(pico["frames"])),
        Goal(
            "flicker, % of a frame: a row while flash is written",
            LATE,
            exact(pico["late"]),
            missed="probably the pauses in which the firmware measures the wires",
        ),
        AtLeast(
            "free heap in attract mode, bytes",
            HEAP,
            exact(pico["heap"]),
            missed="import less, or freeze the modules into the image",
        ),
        Goal(
            "decision of the slowest game, ms",
            DECISION_MS,
            exact(slowest),
            missed="give that game a table",
        ),
    ]
