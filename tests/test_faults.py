"""Whatever fails, it plays on: one invariant (see faults.py), applied to each fault."""

import errno
import json

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as fuzzing
from hypothesis import strategies as st

from faults import FAILURES, LAMPS, QUICK, SIGNS, Saboteur, Trial
from nimatron import settings
from nimatron.bench import RETRY_MS
from nimatron.settings import DISPLAYS
from nimatron_sim import pico
from nimatron_sim.files import Files
from nimatron_sim.referee import DARK_MS

# What the show goes on without, if it fails for ever.
SPARE = ("sounder", "legends", "coin", "heartbeat Pin", "storage")
# Registers cannot fail, and what main.py does comes before anybody could help.
NEVER = ("restart ", "main ")

# A task that was made and never ran, in a Pico that crashed then.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


def fuzz(examples):
    return fuzzing(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck))


# ---------------------------------------------------------------------- devices


@pytest.fixture
def sabotage(monkeypatch):
    """What fails: nothing, until somebody says so."""
    monkeypatch.setattr(pico, "Loader", Saboteur)
    sabotage = Saboteur.sabotage
    yield sabotage
    sabotage.mend()


def discover(display):
    """What the firmware calls of its hardware in a visit, and how often."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pico, "Loader", Saboteur)
        Saboteur.sabotage.calls.clear()
        Trial(display=display).visit()
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
        trial = trial_of(sabotage, display, point)
        late = point.startswith("storage") and k % 2 == 0
        sabotage.fail(point, k, FAILURES[(k + len(point)) % len(FAILURES)], late=late)
        trial.visit()
        assert sabotage.failures == 1, "the visit was another one"
        sabotage.mend()
        trial.check()
        assert len(trial.pico.resets) <= 1
        assert trial.told or point.startswith("storage")  # which tries again


@pytest.mark.parametrize(("display", "point"), POINTS)
def test_one_failure_of(sabotage, display, point):
    fail_once(sabotage, display, point, [CALLS[display][point] // 2 + 1])


@pytest.mark.long("2 min: at many moments")
@pytest.mark.parametrize(("display", "point"), POINTS)
def test_one_failure_at_any_time_of(sabotage, display, point):
    calls = CALLS[display][point]
    fail_once(sabotage, display, point, sorted({1 + n * (calls - 1) // 20 for n in range(21)}))


@pytest.mark.parametrize(("display", "point"), [p for p in POINTS if p[1].startswith(SPARE)])
def test_the_show_goes_on_without(sabotage, display, point):
    trial = trial_of(sabotage, display, point)
    sabotage.fail(point, 1, OSError(5), forever=True)
    trial.visit()
    trial.check()
    assert trial.told and len(trial.pico.resets) <= point.startswith("coin")


def out_of_order(sabotage, display, point):
    """It says so, is lit all the same unless it is the lamps, and tries again."""
    trial = trial_of(sabotage, display, point)
    sabotage.fail(point, 1, OSError(5), forever=True)
    trial.visit()
    trial.pico.run(DARK_MS)
    assert trial.told
    sabotage.mend()
    trial.pico.run(RETRY_MS)
    trial.check()


VITAL = [p for p in POINTS if not p[1].startswith(SPARE)]
ONE_OF_EACH = {point.split()[0]: (display, point) for display, point in VITAL}


@pytest.mark.parametrize(("display", "point"), ONE_OF_EACH.values())
def test_out_of_order_for_all_to_see_without(sabotage, display, point):
    out_of_order(sabotage, display, point)


@pytest.mark.long("20 s: each call")
@pytest.mark.parametrize(("display", "point"), VITAL)
def test_out_of_order_for_all_to_see_without_any(sabotage, display, point):
    out_of_order(sabotage, display, point)


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


@st.composite
def shapes(draw, name):
    """JSON that has the right names at the right places, and anything else there."""
    value = dict(GOOD[name])
    names = {
        "settings.json": [row[0] for row in settings.TABLE],
        "statistics.json": ["since", "minutes", "games", "resets", "played", "openings", "levels"],
        "crashes.json": ["crashes"],
    }[name]
    for key in draw(st.lists(st.sampled_from(names), max_size=3)):
        inside = JSON | st.lists(st.dictionaries(st.sampled_from(["why", "text"]), JSON))
        value[key] = draw(inside | st.dictionaries(st.sampled_from(["nim", "a b", "\n"]), inside))
    return json.dumps(value)


@st.composite
def damages(draw, name):
    """What a file may be after years: bytes flipped, cut off, doubled, something else."""
    text = json.dumps(GOOD[name])
    at = draw(st.integers(0, len(text) - 1))
    return draw(
        st.sampled_from(
            [
                text[:at],
                text[:at] + chr(ord(text[at]) ^ draw(st.sampled_from((1, 2, 4, 8, 32)))) + text[at:],
                text[at:] + text[:at],
                text + text,
                "[" * 20_000,
                '{"game": ' + "[" * 300 + "]" * 300 + "}",
                json.dumps({"future": "x" * 20_000}),
                "\0" * 4096,
            ]
        )
        | st.text(max_size=40)
        | shapes(name)
    )


def plays_with(trial, damaged):
    """It boots, plays, says at most one line about it, and leaves the other files alone."""
    contents = trial.pico.files.contents
    trial.pico.settle()
    said = [line for line in trial.lines if " damaged=" in line]
    assert len(said) <= 1 and all(f"file={damaged} " in line for line in said)
    assert not [line for line in trial.lines if "Traceback" in line]
    if damaged != "settings.json":
        assert json.loads(contents["/settings.json"]) == GOOD["settings.json"]
    if damaged != "crashes.json":
        assert json.loads(contents["/crashes.json"]) == GOOD["crashes.json"]
    if damaged != "statistics.json":
        assert json.loads(contents["/statistics.json"])["games"] == 3
    for line in ("stats", "log", "settings", "set mute 1"):
        answer = trial.pico.ask(line)
        assert answer.startswith("ok ") and answer.isprintable()
        assert all("=" in word for word in answer.split(" ")[1:]), answer


def fuzz_file(name, damage):
    trial = Trial(files={"/" + each: json.dumps(good) for each, good in GOOD.items()})
    trial.pico.files.contents["/" + name] = damage
    plays_with(trial, name)
    if f"damaged=kept-as-{name}.bad" in "".join(trial.lines):
        assert trial.pico.files.contents[f"/{name}.bad"] == damage


@pytest.mark.parametrize("name", FILES)
@given(data=st.data())
@fuzz(60)
def test_no_file_upsets_it(name, data):
    fuzz_file(name, data.draw(damages(name)))


@pytest.mark.long("1 min: thousands of files")
@pytest.mark.parametrize("name", FILES)
@given(data=st.data())
@fuzz(3000)
def test_no_file_upsets_it_whatever_is_in_it(name, data):
    fuzz_file(name, data.draw(damages(name)))


class Flash(Files):
    """A flash on which one thing fails: "open", "read", "write", "close", "rename" or "remove" of
    names that end in `name`, `times` times."""

    def __init__(self, contents, what, name, failure, times):
        super().__init__()
        self.contents = contents
        self._plan = what, name, failure
        self._left = times
        self.failures = 0

    def fail(self, what, name):
        planned, end, failure = self._plan
        if what == planned and name.endswith(end) and self._left:
            self._left -= 1
            self.failures += 1
            raise OSError(failure)

    def mend(self):
        self._left = 0

    def open(self, name, mode="r"):
        self.fail("open", name)
        file = super().open(name, mode)
        for what in ("read", "write", "close"):
            setattr(file, what, self._step(what, name, getattr(file, what)))
        return file

    def _step(self, what, name, do):
        def step(*args):
            self.fail(what, name)
            return do(*args)

        return step

    def rename(self, old, new):
        self.fail("rename", new)
        super().rename(old, new)
