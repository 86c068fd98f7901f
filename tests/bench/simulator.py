"""Simulator: how much of its time it takes for itself, and how the tiers and emulators compare."""

import contextlib
import resource
from collections.abc import Callable

from bench import stock, visit
from bench.bare import Bare, Watched
from bench.measure import Figure, Ratio, cpu, cpu_with, figure, in_turns, ratio
from bench.report import Goal, Section, Table, number
from nimatron.devices import pins
from nimatron_sim import firmware
from nimatron_sim.errors import TierUnavailable
from nimatron_sim.simulated.pico import SimulatedPico
from nimatron_sim.soak import soak as soaking
from nimatron_sim.vm import vm

PLAYS, IDLES = "a visitor plays without pause", "attract show"
OWN_PART = {PLAYS: 40, IDLES: 50}  # percent at most
LIVES = 4  # of a simulated Pico and of the firmware alone
ROUNDS = 20  # of each life
VISITS = 6  # of the script, in one round
ATTRACT_MS = 480_000  # in one round
_BEGIN_US = 2_000_000
SOAK_SEED, SOAK_DAYS = 7, 3
_MIX = 3  # a third of a day of soak is play
MIX_VISITS = 50  # of the script
_YEAR_S = 365 * soaking.DAY_MS / 1000
VM_VISITS, VM_ATTRACT_S = 10, 600
EMULATED_ATTRACT_S = 10
_BOOTED = "wait 1000\n"

# Programs for the emulators: a CPU that never sleeps, and one that nearly always does. The display
# is left out because not all of them show it.
BUSY = b"while True:\n    for n in range(1000):\n        pass\n"
ASLEEP = b"import time\nwhile True:\n    time.sleep_ms(100)\n"
COMPUTES = "a CPU that computes"
MOST_OF_STOCK = 1.2
_BOOT_MS = 500
_SLICE_MS = {BUSY: 200, ASLEEP: 20_000}
_OLD_SLICE_MS = 30
_EMULATOR_ROUNDS, _OLD_ROUNDS = 9, 3
_TIER_ROUNDS = 7
_SECOND_MS = 1000


# ---------------------------------------------------------------------- its own part


def own_part(script: str, say: Callable[[str], None]) -> dict[str, Ratio]:
    """The percentage of its CPU time that the simulated Pico does not spend on the firmware, by
    what the exhibit does.

    The same firmware alone gets the same bytes and edges, and must say the same lines.
    """
    rounds = ROUNDS + 1
    happenings = Watched()
    _begin(happenings)
    happenings.run(rounds * ATTRACT_MS)
    for _ in range(rounds * VISITS):
        happenings.play(script)
    found: dict[str, list[float]] = {PLAYS: [], IDLES: []}
    for life in range(LIVES):
        say(f"the simulated Pico and the firmware alone, {life + 1} of {LIVES}")
        pico, bare = SimulatedPico(), Bare(happenings.happenings)
        _begin(pico)
        bare.run_to(_BEGIN_US)
        lines: list[str] = []

        def show(pico=pico):
            return cpu(lambda: pico.run(ATTRACT_MS))

        def play(pico=pico):
            return cpu(lambda: [pico.play(script) for _ in range(VISITS)])

        def alone(pico=pico, bare=bare, lines=lines):
            taken = cpu(lambda: bare.run_to(pico.clock.now))
            lines += _lines(pico)
            pico.trace.clear()
            return taken

        for what, run in ((IDLES, show), (PLAYS, play)):
            pairs = [(run(), alone()) for _ in range(rounds)][1:]  # the first one warms up
            found[what] += [100 * (1 - firmware / all) for all, firmware in pairs]
        assert "".join(bare.said).splitlines() == lines, "alone, it has played other games"
        assert lines.count("event over winner=player") == rounds * VISITS
    return {what: ratio(values) for what, values in found.items()}


def _lines(pico):
    return [record["console"] for record in pico.trace if "console" in record]


def _begin(pico):
    pico.settle()
    pico.run_to(_BEGIN_US)


def soaked(script: str, say: Callable[[str], None]) -> tuple[Ratio, Ratio]:
    """Exhibit seconds in one CPU second of soak; and how many CPU seconds the soak takes for one
    of the same firmware alone, in a mix with as much play."""
    rounds = SOAK_DAYS + 1
    visit_ms = visit.ms(script)
    happenings = Watched()
    _begin(happenings)
    for _ in range(rounds * MIX_VISITS):
        happenings.play(script)
        happenings.run((_MIX - 1) * visit_ms)
    bare = Bare(happenings.happenings)
    bare.run_to(_BEGIN_US)
    rates, ratios = [], []
    for day in range(1, rounds + 1):
        say(f"a day of soak, {day} of {rounds}")
        soak = cpu(lambda day=day: soaking.soak(SOAK_SEED, [day]))
        alone = cpu(lambda: bare.run_to(bare.now + MIX_VISITS * _MIX * visit_ms * 1000))
        rates.append(soaking.DAY_MS / 1000 / soak)
        ratios.append(soak / soaking.DAY_MS / (alone / (MIX_VISITS * _MIX * visit_ms)))
        bare.said.clear()
    return ratio(rates[1:]), ratio(ratios[1:])


# ---------------------------------------------------------------------- the tiers


def simulated(script: str) -> dict[str, Figure]:
    """Exhibit seconds in one CPU second on the simulated Pico."""
    pico = SimulatedPico()
    pico.settle()
    idled, played = [], []
    for _ in range(_TIER_ROUNDS):
        idled.append(cpu(lambda: pico.run(ATTRACT_MS)))
        played.append(cpu(lambda: [pico.play(script) for _ in range(VISITS)]))
        pico.trace.clear()
    seconds = visit.ms(script) * VISITS / 1000
    return {
        PLAYS: figure(played).rate(seconds),
        IDLES: figure(idled).rate(ATTRACT_MS / 1000),
    }


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


def emulated(script: str) -> tuple[dict[str, float], list[dict]]:
    """The same on the emulated RP2040, once; and the trace of the script."""
    from nimatron_sim.emulated.pico import EmulatedPico

    pico = EmulatedPico()
    pico.settle()
    idled = cpu(lambda: pico.run(EMULATED_ATTRACT_S * 1000))
    pico.trace.clear()
    played = cpu(lambda: pico.play(script))
    rates = {PLAYS: visit.ms(script) / 1000 / played, IDLES: EMULATED_ATTRACT_S / idled}
    return rates, pico.trace


# ---------------------------------------------------------------------- the emulators


class Emulators:
    """Ours beside rp2040py as it comes and beside rp2040js: CPU time of one in that of the other,
    by program; and what the display does at the pins."""

    def __init__(self, say: Callable[[str], None]):
        from nimatron_sim.emulated import flash, image

        self._image = image.load()
        self._flash = flash
        self.as_it_comes = {name: self._against(main, say) for name, main in _PROGRAMS.items()}
        say("the display on the emulators")
        self.frames = self._frames_of_ours(), self._frames_of_stock()
        self.second: dict[str, Ratio] = {}
        self.frames_of_second: int | None = None
        with contextlib.suppress(TierUnavailable):
            say("ours and rp2040js")
            self.second = {name: self._against_second(main) for name, main in _PROGRAMS.items()}
            self.frames_of_second = self._frames_of_second()
        self.old: dict[str, Ratio] = {}
        with stock.old_python() as python:
            if python:
                say(stock.OLD)
                self.old = {
                    name: self._against_old(main, python) for name, main in _PROGRAMS.items()
                }

    def _running(self, files, **how):
        start, size = self._image.file_system
        built = self._flash.build(files, False, size)
        return stock.running(self._image.flash, start, built, **how)

    def _against(self, main, say):
        say("ours and rp2040py as it comes")
        ms = _SLICE_MS[main]
        ours = _ours(main)
        with self._running({"main.py": main}) as theirs:
            theirs.run(_BOOT_MS)
            pairs = in_turns(
                lambda: cpu(lambda: ours.run(ms)), lambda: theirs.run(ms), _EMULATOR_ROUNDS
            )
        return ratio([theirs / ours for ours, theirs in pairs])

    def _against_second(self, main):
        from nimatron_sim.rp2040js.pico import SecondPico

        ms = _SLICE_MS[main]
        ours = _ours(main)
        theirs = SecondPico(files={"main.py": main}, record=lambda record: None)
        theirs.run(_BOOT_MS)
        node = theirs.circuit.chip._node.pid
        pairs = in_turns(
            lambda: cpu(lambda: ours.run(ms)),
            lambda: cpu_with(node, lambda: theirs.run(ms)),
            _EMULATOR_ROUNDS,
        )
        theirs.power_off()
        return ratio([theirs / ours for ours, theirs in pairs])

    def _frames_of_second(self):
        import probe_js

        from nimatron_sim.rp2040js.pico import SecondPico

        pico = SecondPico()
        pico.settle()
        gaps = probe_js.row_gaps(pico, _SECOND_MS / 10)
        pico.power_off()
        return round(1000 / gaps[len(gaps) // 2])

    def _against_old(self, main, python):
        """Slices of the older one are shorter, because it is so slow."""
        ms = _SLICE_MS[main]
        ours = _ours(main)
        with self._running({"main.py": main}, python=python) as theirs:
            theirs.run(_BOOT_MS)
            pairs = in_turns(
                lambda: cpu(lambda: ours.run(ms)) / ms,
                lambda: theirs.run(_OLD_SLICE_MS) / _OLD_SLICE_MS,
                _OLD_ROUNDS,
            )
        return ratio([theirs / ours for ours, theirs in pairs])

    def _frames_of_ours(self):
        import probe

        from nimatron_sim.emulated.pico import EmulatedPico

        pico = EmulatedPico()
        pico.settle()
        with probe.row_gaps(pico) as gaps:
            pico.run(_SECOND_MS / 10)
        return round(1000 / sorted(gaps)[len(gaps) // 2])

    def _frames_of_stock(self):
        """None if it does not reach the attract show."""
        with self._running(firmware.files()) as theirs, contextlib.suppress(RuntimeError):
            theirs.run(2 * _SECOND_MS)
            if "state=attract" in theirs.heard:
                return theirs.rises(pins.ROWS[0], _SECOND_MS)
        return None


_PROGRAMS = {COMPUTES: BUSY, "a CPU that sleeps": ASLEEP}


def _ours(main):
    from nimatron_sim.emulated.pico import EmulatedPico

    pico = EmulatedPico(files={"main.py": main}, record=lambda record: None)
    pico.run(_BOOT_MS)
    return pico


# ---------------------------------------------------------------------- the section


def section(say: Callable[[str], None], has_emulator: bool) -> Section:
    script = visit.script()
    own = own_part(script, say)
    soak = soaked(script, say)
    say("the simulated Pico")
    played = _told(script)
    rates: dict[str, dict[str, Figure | float]] = {"simulated Pico": simulated(script)}
    missing = []
    say("the MicroPython VM")
    try:
        rates["MicroPython VM"] = virtual(script)
        assert visit.story(vm.trace(_BOOTED + script)) == played, "the VM has played other games"
    except TierUnavailable as why:
        missing.append(f"MicroPython VM: {why}")
    emulators = None
    if has_emulator:
        say("the emulated RP2040")
        rates["emulated RP2040"], trace = emulated(script)
        assert visit.story(trace) == played, "the emulated Pico has played other games"
        emulators = Emulators(say)
    else:
        missing.append("emulated RP2040: there is no image, get it with: nimatron image")
    parts = [*_of_own_part(own), _of_soak(*soak), *_of_tiers(rates, script)]
    if emulators:
        parts += _of_emulators(emulators)
    if missing:
        parts.append("Not measured: " + "; ".join(missing) + ".")
    return Section("Simulator", parts, _goals(own, emulators))


def _told(script):
    pico = SimulatedPico()
    pico.settle()
    pico.play(script)
    return visit.story(pico.trace)


def _median(value):
    return value.median if isinstance(value, Figure) else value


def _span(found: Ratio) -> str:
    return f"{number(found.low)} to {number(found.high)}"


def _of_own_part(own):
    table = Table(("the simulated Pico", "its own part, %", "middle half of the rounds"))
    for what, found in own.items():
        table.rows.append((what, found.median, _span(found)))
    return [
        "How much of its CPU time the simulated Pico takes for itself: for its chip, its circuit, "
        "its clock and its trace. The rest is what the same firmware takes alone, when a bare "
        "loop over a heap of wake-ups drives its coroutines and each device is the least that "
        "lets it run (`tests/bench/bare.py`). Both get the same bytes and the same bouncing "
        f"contacts at the same microsecond, and take turns, {VISITS} visits or "
        f"{ATTRACT_MS // 60_000} minutes at a time; both wrote the same lines on the console, "
        "otherwise this page is not written.",
        table,
    ]


def _of_soak(rate, times):
    return (
        f"The soak, with its visitors and its referee, takes {number(times.median)} times "
        f"({_span(times)}) the CPU time of the firmware alone in a mix with as much play, which "
        f"is {rate.median:,.0f} ({rate.low:,.0f} to {rate.high:,.0f}) exhibit seconds in a CPU "
        f"second here, or a year of exhibit days in {_YEAR_S / rate.median / 60:.0f} minutes "
        "(docs/contributing/evidence.md has the counts of a year)."
    )


def _of_tiers(rates, script):
    first = rates["simulated Pico"]
    table = Table(("exhibit seconds in a CPU second", PLAYS, "spread", IDLES, "spread", "ratios"))
    for tier, figures in rates.items():
        row: list[object] = [tier]
        for what in OWN_PART:
            value = figures[what]
            row += [_median(value), value.spread if isinstance(value, Figure) else "once"]
        row.append(
            " and ".join(f"1/{number(_median(first[w]) / _median(figures[w]))}" for w in OWN_PART)
        )
        table.rows.append(row)
    table.rows[0][-1] = "1"
    return [
        f"Each tier runs the same script of {visit.ms(script) / 1000:.0f} s: two games, with each "
        "move made as soon as the sign is lit, and the second game begun as soon as the first is "
        "over. It also runs the attract show with nobody there. All tiers reported the same moves "
        "and winners; otherwise this page is not written. Startup is not counted.",
        table,
    ]


def _of_emulators(found):
    table = Table(("CPU time, ours = 1", *_PROGRAMS, "frames a second at the pins"))
    ours, theirs = found.frames
    table.rows.append(("ours", *["1"] * len(_PROGRAMS), f"{ours:,}"))
    for name, ratios, frames in (
        (
            "rp2040py as it comes",
            found.as_it_comes,
            "no attract show" if theirs is None else theirs,
        ),
        (stock.OLD.replace("==", ", the older "), found.old, "-"),
        ("rp2040js, with our board around it", found.second, found.frames_of_second or "-"),
    ):
        cells = [f"{number(one.median)} ({_span(one)})" for one in ratios.values()]
        cells = cells or ["not to be had"] * len(_PROGRAMS)
        table.rows.append((name, *cells, frames))
    return [
        "The emulators run the same image with a main.py of three lines, without a display, and "
        "take turns. In brackets is the middle half of the rounds. "
        "The last column is with our firmware, in the attract show: while the CPU sleeps, the PIO "
        "of the unmodified rp2040py makes one instruction for each jump to the next alarm, so the "
        "display falls behind; that is one of the two repairs.",
        table,
    ]


_THE_REST = (
    "what is left is spread: by count of bytecode, a third is the trace and its referee of "
    "darkness, a quarter the turns of tasks and the clock, a fifth the pins and the display, and "
    "the rest the bouncing contacts and the serial line"
)


def _goals(own, emulators):
    found = [
        Goal(
            f"simulated Pico's own part, {what}",
            f"{wanted} % at most",
            f"{own[what].median:.0f} %",
            own[what].keeps_to(wanted),
            _THE_REST,
            own[what],
        )
        for what, wanted in OWN_PART.items()
    ]
    if emulators:
        theirs = emulators.as_it_comes[COMPUTES]
        ours = theirs.inverse()
        found.append(
            Goal(
                f"emulated RP2040, {COMPUTES}",
                f"{MOST_OF_STOCK} times the CPU time of rp2040py as it comes at most",
                f"{ours.median:.2f} times",
                ours.keeps_to(MOST_OF_STOCK),
                "fewer listeners on the pins",
                ours,
            )
        )
    return found
