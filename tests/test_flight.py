"""The flight recorder, and replays of what it holds."""

import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nimatron import flight
from nimatron.exhibit import BUTTONS, STATES
from nimatron_sim import replay, visitors
from nimatron_sim.pico import SimulatedPico


def recorded(pico):
    """What its flight recorder holds, as its console tells it."""
    pico.lines()
    pico.send("log dump now")
    pico.run(50)
    return replay.load("\n".join(pico.lines()))


def seen(trace, since=0):
    """The lamps, legends and tones of a trace, when in it they came, from `since` on."""
    return [
        {**record, "ms": record["ms"] - since}
        for record in trace
        if record["ms"] >= since and "console" not in record
    ]


@pytest.fixture
def pico():
    return SimulatedPico()


# ---------------------------------------------------------------------- the recorder


def test_what_people_do_and_what_comes_of_it_is_recorded(pico):
    pico.run(2000)
    pico.tap("row3")
    pico.tap("row3", 2)
    pico.send("take 1 1")
    pico.run(20)
    told = [str(event).split(None, 1)[1] for event in recorded(pico).events]
    assert told == [
        "scene",
        "state attract",
        *("press row3", "state opening", "release row3"),
        *("press row3", "state player", "release row3"),
        *("press row3", "release row3"),
        "line take 1 1",
        "state thinking",
        "line log dump now",
    ]
    assert recorded(pico).scene["version"] == "0.1.0"


def test_the_recorder_holds_some_hundred_inputs_and_forgets_the_oldest(pico):
    pico.settle()
    visitors.mash(pico, Random(1), 600_000)
    pico.run(100)
    inputs = [e for e in recorded(pico).events if e.what in ("press", "release")]
    assert 200 < len(inputs) < 1000
    assert inputs[-1].what == "release" and inputs[0].ms > 0


def test_in_one_visit_without_end_what_is_lost_is_said(pico):
    pico.start(7, 7, 7, 7)
    pico.tap("row1", 600)
    with pytest.raises(replay.NoRecording, match="begins in the midst of a visit"):
        recorded(pico)


@given(
    st.lists(
        st.one_of(
            st.tuples(st.sampled_from(("press", "release")), st.sampled_from(BUTTONS)),
            st.tuples(st.just("line"), st.binary(min_size=1, max_size=401)),
            st.tuples(st.just("state"), st.sampled_from(STATES)),
            st.tuples(st.just("begin"), st.just({"dice": 5})),
        ),
        max_size=300,
    )
)
def test_every_record_comes_back_until_the_halves_are_full(ticks, done):
    recorder = flight.Flight({"dice": 1})
    told = [("scene", {"dice": 1})]
    for what, value in done:
        told.append(("scene" if what == "begin" else what, value))
        if what == "state":
            recorder.state(value, (1, 2, 3, 127))
        else:
            getattr(recorder, what)(value)
    text = json.dumps({"flight": flight.encoded(recorder.memory)})
    try:
        recording = replay.load(text)
    except replay.NoRecording:
        assert sum(len(value) for what, value in done if what == "line") > flight.HALF // 3
        return
    back = [
        (e.what, e.value.encode("latin-1") if e.what == "line" else e.value)
        for e in recording.events
        if e.what != "lost"
    ]
    assert back == told[len(told) - len(back) :]
    assert len(back) == len(told) or len(done) > 50 or sum(len(v) for _, v in done) > 1000


@pytest.fixture
def ticks(monkeypatch):
    """MicroPython's clock for a module that runs on this Python."""
    monkeypatch.setattr(flight.time, "ticks_ms", lambda: 0, raising=False)
    monkeypatch.setattr(flight.time, "ticks_diff", lambda a, b: a - b, raising=False)


# ---------------------------------------------------------------------- replays


@pytest.mark.parametrize("seed", range(8))
def test_a_replay_shows_the_same_lamps_at_the_same_time(seed):
    random = Random(seed)
    pico = SimulatedPico(entropy=seed, settings={"level": "easy", "idle_ms": 15_000})
    pico.run(random.randint(300, 5000))
    for visitor in (visitors.dabbler, visitors.walker_away, visitors.leaner):
        visitor(pico, random)
        visitors.mash(pico, random, random.randint(1000, 20_000))
    pico.run(60_000)
    pico.send("set think_ms 500")
    pico.tap("new")
    visitors.stay(pico, random, visitors.learner(random))
    pico.run(100)
    outcome = replay.replay(recorded(pico))
    assert not outcome.diverged
    length = outcome.trace[-1]["ms"] - outcome.ms
    again = seen(outcome.trace, outcome.ms)
    original = seen(pico.trace, pico.ms - 50 - length)
    assert len(again) > 50
    assert again[-50:] == original[-50:]
