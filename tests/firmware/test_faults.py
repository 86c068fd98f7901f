"""After any failure, the exhibit continues: one invariant (see faults.py) for each fault. For a
shortage of memory, see tests/vm/test_faults_on_vm.py."""

import errno
import json
from random import Random

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as fuzzing
from hypothesis import strategies as st
from long_run import LONG

from faults import FAILURES, LAMPS, QUICK, SIGNS, Saboteur, Trial
from nimatron import games, opponent, protocol, settings
from nimatron.devices import pins
from nimatron.settings import DISPLAYS, MINUTE
from nimatron_sim.simulated import chip, core
from nimatron_sim.simulated_pico import SimulatedPico
from nimatron_sim.soak.referee import DARK_MS

# Devices that the show can do without, if they fail forever.
SPARE = ("sounder", "legends", "coin", "probe", "watchdog Pin", "storage")
# Registers cannot fail, and main.py comes before any remedy.
NEVER = ("restart ", "main ", "nimatron_boot ")

# A task that was created but never ran, in a Pico that crashed then.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


def fuzz(short, long):
    """Return the settings for the number of examples in a short run and in a long run."""
    return fuzzing(max_examples=long if LONG else short, suppress_health_check=list(HealthCheck))


# ---------------------------------------------------------------------- devices


@pytest.fixture
def sabotage(monkeypatch):
    """Return the calls that fail. By default, no call fails."""
    monkeypatch.setattr(core, "Loader", Saboteur)
    sabotage = Saboteur.sabotage
    yield sabotage
    sabotage.mend()


def discover(display):
    """Return the hardware calls of the firmware in a visit, with their counts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(core, "Loader", Saboteur)
        Saboteur.sabotage.calls.clear()
        with Trial(display=display) as trial:
            trial.visit()
        return dict(Saboteur.sabotage.calls)


CALLS = {display: discover(display) for display in DISPLAYS}
POINTS = [
    (display, point)
    for display, calls in CALLS.items()
    for point in calls
    if not point.startswith(NEVER) and (display == DISPLAYS[0] or point.startswith(display))
]


def trial_of(sabotage, display, point):
    broken = LAMPS if point.startswith(display) else SIGNS if point.startswith("legends") else None
    trial = Trial(display=display, broken=broken)
    sabotage.failed = trial.fails
    return trial


def fail_once(sabotage, display, point, moments):
    for k in moments:
        with trial_of(sabotage, display, point) as trial:
            late = point.startswith("storage") and k % 2 == 0
            sabotage.fail(point, k, FAILURES[(k + len(point)) % len(FAILURES)], late=late)
            trial.visit()
            assert sabotage.failures == 1, "the visit was another one"
            sabotage.mend()
            trial.check()
            assert len(trial.pico.resets) <= 1
            assert trial.told or point.startswith("storage")  # which tries again


@pytest.mark.parametrize(("display", "point"), [p for p in POINTS if p[0] != "pixels"])  # slow
def test_one_failure_of(sabotage, display, point):
    fail_once(sabotage, display, point, [CALLS[display][point] // 2 + 1])


@pytest.mark.long("40 s: at many moments")
@pytest.mark.parametrize(("display", "point"), POINTS)
def test_one_failure_at_any_time_of(sabotage, display, point):
    calls = CALLS[display][point]
    fail_once(sabotage, display, point, sorted({1 + n * (calls - 1) // 20 for n in range(21)}))


@pytest.mark.parametrize(("display", "point"), [p for p in POINTS if p[1].startswith(SPARE)])
def test_show_continues_without_a_part(sabotage, display, point):
    with trial_of(sabotage, display, point) as trial:
        sabotage.fail(point, 1, OSError(5), forever=True)
        trial.visit()
        trial.check()
        assert trial.told and len(trial.pico.resets) <= point.startswith("coin")


VITAL = [p for p in POINTS if not p[1].startswith(SPARE)]
ONE_OF_EACH = {p[1].split()[0]: p for p in VITAL if p[0] == DISPLAYS[0]}.values()
EACH_CALL = [
    pytest.param(*p, marks=[] if p in ONE_OF_EACH else pytest.mark.long("5 s: each call"))
    for p in VITAL
]


@pytest.mark.parametrize(("display", "point"), EACH_CALL)
def test_out_of_order_for_all_to_see_without(sabotage, display, point):
    """The exhibit reports the device, is lit unless the lamps failed, and tries again."""
    with trial_of(sabotage, display, point) as trial:
        sabotage.fail(point, 1, OSError(5), forever=True)
        trial.visit()
        trial.pico.run(DARK_MS)
        assert trial.told
        sabotage.mend()
        trial.pico.run(10 * MINUTE)
        trial.check()


# ---------------------------------------------------------------------- files

FILES = ("settings.json", "statistics.json", "crashes.json")
GOOD = {
    "settings.json": dict(QUICK, level="easy", future={"a": [1]}),
    "statistics.json": {"since": "may", "games": 3, "player": 1, "machine": 2, "abandoned": 0},
    "crashes.json": {"crashes": [{"why": "crash", "text": "Traceback"}]},
}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.text(max_size=8), inside),
    max_leaves=8,
)


INSIDE = JSON | st.lists(st.dictionaries(st.sampled_from(["why", "text"]), JSON))
INSIDE |= st.dictionaries(st.sampled_from(["nim", "a b", "\n"]), INSIDE)
NAMES_IN = {
    "settings.json": [row[0] for row in settings.TABLE],
    "statistics.json": ["since", "minutes", "games", "resets", "played", "openings", "levels"],
    "crashes.json": ["crashes"],
}
UNDAMAGED = {"/" + name: json.dumps(good) for name, good in GOOD.items()}
# Not in the fuzz test, which would try each of them a hundred times.
RUINS = {
    "brackets": "[" * 20_000,
    "nested": '{"game": ' + "[" * 300 + "]" * 300 + "}",
    "long": json.dumps({"future": "x" * 20_000}),
    "zeros": "\0" * 4096,
    "nothing": "",
}


def damages(name):
    """Return the contents of a file after years: bytes flipped, cut off, doubled or replaced, or
    JSON with the right names and any values."""
    text = UNDAMAGED["/" + name]
    places = st.integers(0, len(text) - 1)
    return st.one_of(
        places.map(lambda at: text[:at]),
        places.map(lambda at: text[at:] + text[:at]),
        places.map(lambda at: text + text[at:]),
        st.builds(
            lambda at, bit: text[:at] + chr(ord(text[at]) ^ bit) + text[at + 1 :],
            places,
            st.sampled_from((1, 8, 32)),
        ),
        st.text(max_size=40),
        st.dictionaries(st.sampled_from(NAMES_IN[name]), INSIDE, min_size=1, max_size=3).map(
            lambda changed: json.dumps(GOOD[name] | changed)
        ),
    )


DAMAGES = {name: damages(name) for name in FILES}


def plays_with(trial, damaged):
    """Assert that the exhibit boots, plays, prints at most one line about the file, and leaves all
    other files alone."""
    contents = trial.pico.files.contents
    trial.pico.settle()
    said = [line for line in trial.lines if " damaged=" in line]
    assert len(said) <= 1 and all(f"file={damaged} " in line for line in said)
    assert not [line for line in trial.lines if "Traceback" in line]
    for other in {"settings.json", "crashes.json"} - {damaged}:
        assert json.loads(contents["/" + other]) == GOOD[other]
    if damaged != "statistics.json":
        assert json.loads(contents["/statistics.json"])["games"] == 3
    for line in ("stats", "log", "settings", "set mute 1"):
        answer = trial.pico.ask(line)
        assert answer.startswith("ok ") and answer.isprintable()
        assert is_made_of_facts(answer), answer


def fuzz_file(name, damage):
    with Trial(files=dict(UNDAMAGED, **{"/" + name: damage})) as trial:
        plays_with(trial, name)
        if f"damaged=kept-as-{name}.bad" in "".join(trial.lines):
            assert trial.pico.files.contents[f"/{name}.bad"] == damage


@pytest.mark.parametrize("name", FILES)
@given(data=st.data())
@fuzz(10, 1000)
def test_damaged_file_does_no_harm(name, data):
    fuzz_file(name, data.draw(DAMAGES[name]))


@pytest.mark.parametrize("ruin", RUINS)
@pytest.mark.parametrize("name", FILES)
def test_ruined_file_does_no_harm(name, ruin):
    fuzz_file(name, RUINS[ruin])


STEPS = ("storage open", "storage file.write", "storage file.close", "storage rename")


@pytest.mark.parametrize(("why", "late"), [(errno.ENOSPC, False), (errno.EIO, True)])
@pytest.mark.parametrize("step", STEPS)
def test_saved_data_survives_failed_writes(sabotage, step, why, late):
    """The failure is reported, the game continues, and the match is saved when this is
    possible."""
    late = late and "rename" not in step
    with Trial() as trial:
        trial.visit()
        before = trial.saved
        sabotage.fail(step, 1, OSError(why, "flash"), forever=True, late=late)
        trial.visit()
        trial.check(before=before)
        assert trial.saved[1] == before[1]
        assert f"event file=statistics.json unsaved={why}" in trial.lines
        assert f"event file=settings.json unsaved={why}" in trial.lines
        sabotage.mend()
        trial.check(before=before)
        trial.pico.run(60_000)
        assert f" games={trial.saved[1]} " in trial.pico.ask("stats")
        assert trial.saved[1] > before[1] and trial.pico.resets == []


# ---------------------------------------------------------------------- the clock


@pytest.mark.parametrize("late_ms", [700, 5000])
def test_late_tasks_lose_nothing(late_ms):
    """A garbage collection or a flash write takes this long, at moments all through a visit. No
    test sets the clock back, because a Pico's clock counts the oscillations of its crystal."""
    with Trial() as trial:
        clock, random = trial.pico.clock, Random(late_ms)

        def stall():
            trial.pico.circuit.chip.sleep(late_ms * 1000)
            clock.call_at(clock.now + random.randrange(3_000_000, 12_000_000), stall)

        clock.call_at(2_000_000, stall)
        trial.visit()
        trial.check()
        assert trial.pico.resets == []


@pytest.mark.parametrize("bits", [29, 30])
@pytest.mark.parametrize("ms", [1234, 20_000])
def test_ticks_may_wrap_at_any_moment(monkeypatch, ms, bits):
    monkeypatch.setattr(chip, "FIRST_TICK", (1 << bits) - ms)
    with Trial() as trial:
        trial.visit()
        trial.check()
        assert trial.pico.resets == []


# ---------------------------------------------------------------------- the console

ASK = SimulatedPico()
ASK.settle()
COMMANDS = ASK.ask("help").partition("commands=")[2].partition(" ")[0].split(",")
LEAVING = ("reboot", "maintenance")  # whose answer is their last
NAMES = [row[0] for row in settings.TABLE]
WORDS = st.one_of(
    st.sampled_from([*games.names(), *settings.MACHINES, *opponent.NAMES, *NAMES, *COMMANDS]),
    st.sampled_from([name for name, _ in pins.BUTTONS]),
    st.sampled_from(["on", "off", "clear", "begin", "slow", "step", "none"]),
    st.sampled_from(["test", "lamp", "legend", "sound", "coin"]),
    st.integers(-2, 9).map(str),
    st.sampled_from(
        ["0.77", "1,2", "1/1/1/1", "1101000/0000000/0000000/1000000", "5:3", "7-1", ","]
    ),
    st.integers().map(str),
    st.text("01/,:.-x", min_size=1, max_size=12),
    st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=20),
)
NO_TEXT = {3, 8, 10, 13, 27, 127}  # ends a line, or edits it: tests/firmware/test_typing.py
LINES = st.one_of(
    st.builds(
        lambda verb, words: " ".join([verb, *words]).encode(),
        st.sampled_from([verb for verb in COMMANDS if verb not in LEAVING]),
        st.lists(WORDS, max_size=5),
    ),
    st.binary(min_size=1, max_size=60).filter(lambda line: not set(line) & NO_TEXT),
    st.integers(1, 26).map(lambda letter: bytes([letter])).filter(lambda c: c not in b"\b\r\n"),
    st.integers(300, 3000).map(lambda n: b"take " * (n // 5)),
)
# A referee does not know the changes by these commands.
RULES = ["set", "game", "rule", "machine", "quiet", "echo"]


def answers(trial, line):
    """Return its answer to a line, within the allowed time."""
    del trial.lines[:]
    trial.pico.send_bytes(line + b"\n")
    trial.pico.run(20)
    if not any(map(protocol.is_answer, trial.lines)):
        trial.pico.run(2000)  # until the lamps have moved
    return list(filter(protocol.is_answer, trial.lines))


def is_made_of_facts(answer):
    kind, _, facts = protocol.parse(answer)
    return facts and protocol.format(kind, *facts.items()) == answer


def type_at_it(trial, lines):
    for line in lines:
        said = answers(trial, line)
        assert len(said) == 1 and said[0].isprintable(), (line, said)
        assert "reason=failed" not in said[0], (line, said)
        assert is_made_of_facts(said[0]), (line, said)
    assert trial.pico.resets == []


@given(st.lists(LINES, max_size=30 if LONG else 12))
@fuzz(10, 1500)
def test_no_line_upsets_it(lines):
    with Trial() as trial:
        trial.pico.settle()
        trial.judge.see = lambda record: trial.lines.append(record.get("console", ""))
        trial.pico._record = trial.judge.see
        type_at_it(trial, lines)
        trial.pico.run(3000)
        assert trial.pico.ask("version").startswith("ok ") and any(trial.pico.lamps)


@given(st.lists(LINES, max_size=30 if LONG else 12), st.randoms(use_true_random=False))
@fuzz(8, 600)
def test_no_line_upsets_a_match(lines, random):
    chosen = {"game": random.choice(games.names()), "rule": random.choice(settings.RULES)}
    with Trial(chosen) as trial:
        pico = trial.pico
        pico.settle()
        pico.tap("new", 2)
        for line in lines:
            if line.split(b" ")[0].decode("latin-1") not in RULES:
                pico.tap(random.choice([name for name, _ in pins.BUTTONS]), random.randrange(3))
                type_at_it(trial, [line])
                pico.run(random.randrange(2000))
        trial.check(match=False)


@given(name=st.sampled_from(NAMES), value=WORDS)
@fuzz(10, 10)
def test_random_values_do_no_harm_to_a_setting(name, value):
    """The value is typed. After a power cut, it is in the file."""
    with Trial() as trial:
        pico = trial.pico
        pico.settle()
        answer = pico.ask(f"set {name} {value}")
        assert answer in (f"ok {name}={value} saved=1", answer if answer[:6] == "error " else "")
        kept = trial.saved[0]
        assert (kept == trial.settings) == (answer[:6] == "error ") or str(kept[name]) == value
        assert "reason=failed" not in answer
        pico.power_off()
        pico.power_on()
        pico.run(1000)
        assert f"{name}={kept.get(name, '')}" in pico.ask("settings")
        assert "ignored" not in "".join(trial.lines) and pico.resets == []
