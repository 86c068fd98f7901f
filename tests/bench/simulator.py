"""Simulator: how much faster than the exhibit itself each tier is, in CPU time of one core."""

import resource
from collections.abc import Callable

from bench import stock, visit
from bench.measure import Figure, cpu, figure
from bench.report import Goal, Section, Table, number
from nimatron_sim.errors import TierUnavailable
from nimatron_sim.pico import Pico
from nimatron_sim.simulated.pico import SimulatedPico
from nimatron_sim.vm import vm

ROUNDS = 7
VISITS = 20  # of the script, in one round
ATTRACT_S = 3600
VM_VISITS, VM_ATTRACT_S = 10, 600
EMULATED_ATTRACT_S = 10
IDLE_MS = 200  # of stock, at its prompt
STOCK_S = 35.0
GOALS = {"a visitor plays without pause": 2000, "attract show": 5000}
PLAYS, IDLES = GOALS
_BOOTED = "wait 1000\n"


def simulated(script: str) -> dict[str, Figure]:
    """Exhibit seconds in one CPU second on the simulated Pico."""
    seconds = {PLAYS: visit.ms(script) * VISITS / 1000, IDLES: ATTRACT_S}
    taken: dict[str, list[float]] = {PLAYS: [], IDLES: []}
    for _ in range(ROUNDS):
        pico = _forgetful(SimulatedPico)
        pico.settle()
        taken[IDLES].append(cpu(lambda pico=pico: pico.run(ATTRACT_S * 1000)))
        taken[PLAYS].append(cpu(lambda pico=pico: [pico.play(script) for _ in range(VISITS)]))
    return {what: figure(spent).rate(seconds[what]) for what, spent in taken.items()}


def virtual(script: str) -> dict[str, Figure]:
    """The same on the MicroPython VM, without its boot; raises TierUnavailable."""
    idle = f"wait {VM_ATTRACT_S * 1000}\n"
    rates: dict[str, list[float]] = {PLAYS: [], IDLES: []}
    for _ in range(3):
        boot = _child_cpu(lambda: vm.trace(_BOOTED))
        played = _child_cpu(lambda: vm.trace(_BOOTED + script * VM_VISITS)) - boot
        idled = _child_cpu(lambda: vm.trace(_BOOTED + idle)) - boot
        rates[PLAYS].append(visit.ms(script) * VM_VISITS / 1000 / played)
        rates[IDLES].append(VM_ATTRACT_S / idled)
    return {what: figure(values) for what, values in rates.items()}


def _child_cpu(do: Callable[[], object]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    do()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _forgetful(kind: Callable[..., Pico]) -> Pico:
    return kind(record=lambda record: None)


def emulated(script: str) -> tuple[dict[str, float], float, list[dict]]:
    """The same on the emulated RP2040, once; CPU seconds from reset to attract, and the trace of
    the script."""
    from nimatron_sim.emulated.pico import EmulatedPico

    pico = EmulatedPico()
    boot = cpu(lambda: pico.run_until(lambda: pico.state == "attract"))
    boot_ms = pico.ms
    pico.settle()
    idled = cpu(lambda: pico.run(EMULATED_ATTRACT_S * 1000))
    pico.trace.clear()
    played = cpu(lambda: pico.play(script))
    rates = {PLAYS: visit.ms(script) / 1000 / played, IDLES: EMULATED_ATTRACT_S / idled}
    return rates, boot_ms / 1000 / boot, pico.trace


def at_the_prompt() -> tuple[float, float]:
    """Our emulated RP2040 with nothing on its flash: emulated seconds in a CPU second from reset
    to the prompt, and asleep at it."""
    from nimatron_sim.emulated import flash
    from nimatron_sim.emulated.pico import EmulatedPico

    heard = bytearray()
    pico = EmulatedPico(flash=flash.build({}))
    pico.on_sent = heard.extend

    def boot():
        pico.run(20)  # until somebody listens
        pico.send_bytes(b"\r\n")
        pico.run_until(lambda: b">>> " in heard, 5000)

    booted = cpu(boot)
    ms = pico.ms
    long_ms = 100 * IDLE_MS
    return ms / 1000 / booted, long_ms / 1000 / cpu(lambda: pico.run(long_ms))


class Stock:
    """What the emulator from the registry does with the same image."""

    def __init__(self):
        empty = stock.run("empty", 12)
        self.prompt = next((i for i, (_, _, heard) in enumerate(empty) if ">>>" in heard), None)
        self.to_prompt = self.asleep = 0.0
        if self.prompt is not None:
            ms, spent, _ = empty[self.prompt]
            self.to_prompt = ms / 1000 / spent
            last, all_of_it, _ = empty[-1]
            self.asleep = (last - ms) / 1000 / (all_of_it - spent)
        ours = stock.run("ours", STOCK_S)
        self.attract = any("state=attract" in heard for _, _, heard in ours)
        self.reached_ms = ours[-1][0]
        moving = [(ms, spent) for ms, spent, _ in ours if ms < self.reached_ms - 1]
        self.boot = moving[-1][0] / 1000 / moving[-1][1]
        self.stood_s = STOCK_S - moving[-1][1]


def section(say: Callable[[str], None], has_emulator: bool) -> Section:
    say("the simulated Pico")
    script = visit.script()
    played = _told(script)
    rates: dict[str, dict[str, Figure | float]] = {"simulated Pico": simulated(script)}
    parts: list[str | Table] = []
    missing = []
    say("the MicroPython VM")
    try:
        rates["MicroPython VM"] = virtual(script)
        assert visit.story(vm.trace(_BOOTED + script)) == played, "the VM has played other games"
    except TierUnavailable as why:
        missing.append(f"MicroPython VM: {why}")
    boot = 0.0
    if has_emulator:
        say("the emulated RP2040")
        rates["emulated RP2040"], boot, trace = emulated(script)
        assert visit.story(trace) == played, "the emulated Pico has played other games"
    else:
        missing.append("emulated RP2040: there is no image, get it with: nimatron image")
    first = rates["simulated Pico"]
    slowest = list(rates)[-1]
    table = Table(("exhibit seconds in a CPU second", PLAYS, "spread", IDLES, "spread", "ratios"))
    for tier, figures in rates.items():
        row: list[object] = [tier]
        for what in GOALS:
            value = figures[what]
            row += [_median(value), value.spread if isinstance(value, Figure) else "once"]
        row.append(
            " and ".join(f"1/{number(_median(first[w]) / _median(figures[w]))}" for w in GOALS)
        )
        table.rows.append(row)
    table.rows[0][-1] = "1"
    parts += [
        f"Each tier runs the same script of {visit.ms(script) / 1000:.0f} s: two games, with each "
        "move made as soon as the sign is lit, and the second game begun as soon as the first is "
        "over. It also runs the attract show with nobody there. All tiers reported the same moves "
        "and winners; otherwise this page is not written. Startup is not counted.",
        table,
    ]
    if has_emulator:
        say("the emulator as it comes from the registry")
        to_prompt, asleep = at_the_prompt()
        as_is = Stock()
        parts += _against_stock(as_is, to_prompt, asleep, boot, rates[slowest])
    if missing:
        parts.append("Not measured: " + "; ".join(missing) + ".")
    return Section("Simulator", parts, _goals(first, as_is if has_emulator else None))


def _told(script):
    pico = SimulatedPico()
    pico.settle()
    pico.play(script)
    return visit.story(pico.trace)


def _median(value):
    return value.median if isinstance(value, Figure) else value


def _against_stock(as_is, to_prompt, asleep, boot, ours):
    table = Table(("emulated ms in a CPU second", "ours", "as it comes", "ratio"))
    pairs = [
        ("reset to the prompt, empty flash", to_prompt, as_is.to_prompt),
        ("MicroPython asleep at its prompt", asleep, as_is.asleep),
        ("reset into our firmware", boot, as_is.boot),
    ]
    for what, mine, theirs in pairs:
        ratio = number(mine / theirs) if theirs else "-"
        table.rows.append((what, mine * 1000, theirs * 1000 if theirs else "never", ratio))
    for what in GOALS:
        reached = "not compared" if as_is.attract else "never"
        table.rows.append((what, _median(ours[what]) * 1000, reached, "-"))
    words = (
        "The next table compares with the unmodified rp2040py from the registry, on the same "
        "image and files. Its host answers each poll even when it has no data, so MicroPython "
        "never sleeps."
    )
    if not as_is.attract:
        words += (
            f" It does not reach the attract show: at {as_is.reached_ms:.0f} emulated ms, when "
            "the display's DMA starts, its clock stops; it was given "
            f"{as_is.stood_s:.0f} more CPU seconds."
        )
    return [words, table]


def _goals(first, as_is):
    found = [
        Goal(
            f"simulated Pico, {what}",
            f"{wanted:,} times real time",
            f"{first[what].median:,.0f}",
            first[what].median >= wanted,
            f"{100 * (1 - first[what].median / wanted):.0f} % short; most of the time goes to the "
            "firmware's own asyncio, so it should wake up less often",
        )
        for what, wanted in GOALS.items()
    ]
    return found
