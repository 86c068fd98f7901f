"""The speed of the simulator and of the soak, as ratios of CPU time."""

import resource
from collections.abc import Callable
from random import Random

from bench.measure import Ratio, cpu, in_turns, ratio
from bench.report import Goal, Section, Table
from nimatron_sim.script import timeline
from nimatron_sim.simulated_pico import SimulatedPico
from nimatron_sim.soak import soak as soaking
from nimatron_sim.soak.visitors import BUTTONS, VERDICTS, expert, learner
from nimatron_sim.vm import vm

TITLE = "Simulator"
ROUNDS = 8
DAYS = 14  # of soak
MIXES = 20  # of play and attract mode, in one turn
MOST_OF_VM, MOST_OF_PICO = 0.2, 2
SOAK_SEED = 7
_A_THIRD = 3  # of the mix is play, as in a day of soak
_BOOTED = "wait 1000\n"
_SEED = "send seed 7\nwait 100\n"  # commands at the same instant have no order
_REACTION_MS = 300  # the emulated Pico's signs light up to 100 ms later
_REST_MS = 1500  # after a verdict the firmware ignores presses for a while
_OPENINGS = (1, 8)  # how many further each match's is: after nine it is the first again


def script() -> str:
    """The presses of a visitor who wins one match and loses one, without a pause, and then twice
    as long a time without visitors."""
    pico = SimulatedPico()
    pico.settle()
    pico.play(_SEED)
    done: list[str] = []

    def tap(button, times):
        if times:
            done.append(f"tap {button} {times}")
            pico.tap(button, times)

    def wait(ms):
        done.append(f"wait {ms}")
        pico.run(ms)

    def wait_for(signs):
        begin = pico.ms
        pico.run_until(lambda: pico.legends & signs)
        done.append(f"wait {pico.ms - begin}")
        wait(_REACTION_MS)

    thoughts = [expert(True, Random(1)), learner(Random(2))]
    for think, further in zip(thoughts, _OPENINGS, strict=True):
        tap("new", 1 + further)
        wait(_REACTION_MS)
        while True:
            row, take = think(pico.rows)
            tap(BUTTONS[row], take)
            tap("go", 1)
            wait_for({"your-move"} | VERDICTS)
            if pico.legends & VERDICTS:
                break
        wait(_REST_MS)
    played = _SEED + "\n".join(done) + "\n"
    return f"{played}wait {(_A_THIRD - 1) * length(played)}\n"


def length(text: str) -> int:
    """The ms that a script takes."""
    return timeline(text, BUTTONS)[1]


def story(trace: list[dict]) -> list[str]:
    """The moves and winners of a trace."""
    lines = [record["console"] for record in trace if "console" in record]
    return [line for line in lines if line.startswith(("event move", "event over"))]


def measure(say: Callable[[str], None]) -> dict:
    """Exhibit seconds in one CPU second of each. The simulated Pico's CPU time over the VM's, and
    the soak's over the simulated Pico's. Raises TierUnavailable."""
    text = script()
    seconds = MIXES * length(text) / 1000
    say("the simulated Pico and the MicroPython VM")
    trace = vm.trace(_BOOTED + text)
    pico = SimulatedPico()
    pico.settle()
    pico.play(text)
    assert story(trace) == story(pico.trace), "the VM has played other matches"

    def simulated():
        pico.trace.clear()
        return cpu(lambda: [pico.play(text) for _ in range(MIXES)])

    def virtual():
        boot = _child_cpu(lambda: vm.trace(_BOOTED))
        return _child_cpu(lambda: vm.trace(_BOOTED + text * MIXES)) - boot

    turns = in_turns(simulated, virtual, ROUNDS)
    days = []
    for day in range(1, DAYS + 2):
        say(f"a day of soak, {day} of {DAYS + 1}")
        before = sum([simulated() for _ in range(3)])
        soak = cpu(lambda day=day: soaking.soak(SOAK_SEED, [day]))
        alone = (before + sum([simulated() for _ in range(3)])) / 6
        days.append((soak / (soaking.DAY_MS / 1000), alone / seconds))
    return {
        "simulated Pico": ratio([2 * seconds / ours for ours, _ in turns]).median,
        "MicroPython VM": ratio([2 * seconds / theirs for _, theirs in turns]).median,
        "soak": ratio([1 / soak for soak, _ in days[1:]]).median,
        "of the VM": ratio([ours / theirs for ours, theirs in turns]),
        "of the Pico": ratio([soak / ours for soak, ours in days[1:]]),
    }


def _child_cpu(do: Callable[[], object]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    do()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def section(found: dict) -> Section:
    table = Table(("program", "seconds of the exhibit in one second of CPU time"))
    table.rows += [(name, found[name]) for name in ("MicroPython VM", "simulated Pico", "soak")]
    return Section(
        [
            "The simulated Pico and the MicroPython VM run the same script, with the same moves "
            "and winners. Two thirds of the time are attract mode, and one third is play. The "
            "soak simulates visitors with the same share of play, and a referee checks each move.",
            table,
        ],
        [
            Goal(
                "simulated Pico: CPU time",
                MOST_OF_VM,
                Ratio(*found["of the VM"]),
                "at most {} of the time on the MicroPython VM",
                missed="profile `SimulatedPico.play`",
            ),
            Goal(
                "soak: CPU time",
                MOST_OF_PICO,
                Ratio(*found["of the Pico"]),
                "at most {} times the time of the simulated Pico",
                missed="profile `nimatron soak`",
            ),
        ],
    )
