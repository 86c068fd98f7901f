"""The flight recorder, and replays of its recordings."""

import dataclasses
import json
import signal
from contextlib import suppress
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typed import move, typed

from nimatron import VERSION, flight
from nimatron.board import BUTTONS
from nimatron.states import STATES
from nimatron_sim import replay
from nimatron_sim.errors import UserError
from nimatron_sim.simulated_pico import SimulatedPico
from nimatron_sim.soak import visitors


def recorded(pico):
    """Return the flight recording, as the console sends it."""
    return replay.load("\n".join(typed(pico, "log dump now")))


def seen(trace, since=0):
    """Return the pictures and sounds of a trace since `since`: (ms, what), …"""
    return [
        (record["ms"], {what: value for what, value in record.items() if what != "ms"})
        for record in trace
        if record["ms"] >= since and "console" not in record
    ]


def seeing(told):
    return [what for _, what in told]


@pytest.fixture
def pico():
    return SimulatedPico()


# ---------------------------------------------------------------------- the recorder


def test_actions_and_results_are_recorded(pico):
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
    assert recorded(pico).scene["version"] == VERSION


def test_the_recorder_holds_some_hundred_inputs_and_forgets_the_oldest(pico):
    pico.settle()
    visitors.mash(pico, Random(1), 400_000)
    pico.run(100)
    inputs = [e for e in recorded(pico).events if e.what in ("press", "release")]
    assert 200 < len(inputs) < 1000
    assert inputs[-1].what == "release" and inputs[0].ms > 0


def test_endless_visit_is_reported_as_incomplete(pico):
    pico.start(7, 7, 7, 7)
    pico.tap("row1", 600)
    with pytest.raises(UserError, match="begins partway through a visit"):
        recorded(pico)


SCENE = {"state": "attract", "settings": {}, "dice": 1, "closed": []}


def loaded(memory):
    """Return the recording in a recorder's memory."""
    return replay.load(json.dumps({"flight": flight.encoded(memory)}))


def loaded_scene(scene):
    """Return the recording in a memory that contains only this scene."""
    text = json.dumps(scene).encode()
    record = bytes([flight.SCENE, 0, 0, 0, len(text), 0]) + text
    return loaded((flight.MAGIC + bytes(4) + record).ljust(flight.SIZE, b"\0"))


@given(
    st.lists(
        st.one_of(
            st.tuples(st.sampled_from(("press", "release")), st.sampled_from(BUTTONS)),
            st.tuples(st.just("line"), st.binary(min_size=1, max_size=401)),
            st.tuples(st.just("state"), st.sampled_from(STATES)),
            st.tuples(st.just("begin"), st.just(dict(SCENE, dice=5))),
        ),
        max_size=300,
    )
)
def test_every_record_comes_back_until_the_halves_are_full(done):
    told = [("scene", SCENE)]
    with pytest.MonkeyPatch.context() as here:
        here.setattr(flight.time, "ticks_ms", lambda: 0, raising=False)
        here.setattr(flight.time, "ticks_diff", lambda a, b: a - b, raising=False)
        recorder = flight.Flight(SCENE)
        for what, value in done:
            told.append(("scene" if what == "begin" else what, value))
            if what == "state":
                recorder.state(value, (1, 2, 3, 127))
            else:
                getattr(recorder, what)(value)
    try:
        recording = loaded(recorder.memory)
    except UserError:
        assert sum(len(value) for what, value in done if what == "line") > flight.HALF // 3
        return
    back = [
        (e.what, e.value.encode("latin-1") if e.what == "line" else e.value)
        for e in recording.events
        if e.what != "lost"
    ]
    assert back == told[len(told) - len(back) :]
    begun = sum(what == "begin" for what, _ in done)
    if begun < 2 and sum(90 + len(value) for _, value in done) < flight.HALF:
        assert len(back) == len(told)


def test_after_a_night_the_recorder_says_the_longest_it_can(monkeypatch):
    now = 0
    monkeypatch.setattr(flight.time, "ticks_ms", lambda: now, raising=False)
    monkeypatch.setattr(flight.time, "ticks_diff", lambda a, b: a - b, raising=False)
    recorder = flight.Flight(SCENE)
    now = 10 * 3600_000
    recorder.press("go")
    now += 80
    recorder.release("go")
    events = loaded(recorder.memory).events
    longest = (1 << 24) - 1
    assert [(e.what, e.ms) for e in events[1:]] == [("press", longest), ("release", longest + 80)]


# ---------------------------------------------------------------------- replays


def play_and_replay(seed):
    """Play a visit by people of every kind, and replay its recording."""
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
    recording = recorded(pico)
    return pico, recording, replay.replay(recording)


@pytest.mark.parametrize("seed", [1, 2, 3, 13])  # from an opening with a game chosen, attract …
def test_a_replay_shows_the_same_lamps_in_the_same_order(seed):
    pico, recording, outcome = play_and_replay(seed)
    assert replay.same(recording, outcome), outcome.diverged
    assert outcome.states == sum(event.what == "state" for event in recording.events)
    # In an opening, the time since the last press is unknown.
    begun = recording.scene["state"] != "opening"
    again = seen(outcome.trace, outcome.ms + (1 if begun else 20_000))
    first = seen(pico.trace)
    late = next(n for n in range(9) if seeing(first[: len(first) - n])[-9:] == seeing(again)[-9:])
    first = first[len(first) - len(again) - late : len(first) - late]  # it continued
    assert len(again) > 500
    assert seeing(again) == seeing(first)
    if begun:
        shift = again[0][0] - first[0][0]
        assert all(abs(a - shift - b) <= 5 for (a, _), (b, _) in zip(again, first, strict=True))


def begun_again_at(pico, state):
    """Play until the recorder has filled its first half and begun the second half in this
    state."""
    while recorded(pico).scene["state"] != state:
        pico.tap("new", 20)


@pytest.mark.parametrize("choose", ["choose level child", "choose game kayles", "hold new"])
def test_replay_repeats_the_visitors_choices(choose):
    pico = SimulatedPico(entropy=7)
    pico.run(1000)
    pico.ask("choose level equalizer")
    pico.ask(choose)
    begun_again_at(pico, "opening")
    move(pico, "row1")
    pico.run(20_000)
    recording = recorded(pico)
    assert recording.scene["chosen"]
    outcome = replay.replay(recording)
    assert replay.same(recording, outcome), outcome.diverged


@pytest.mark.parametrize(("erase_ms", "changes"), [(45, 4), (100, 3), (400, 4)])
def test_a_setting_that_was_saved_in_the_show_does_not_spoil_the_replay(erase_ms, changes):
    """While the flash is being written, the show pauses, so each picture comes later."""
    pico = SimulatedPico(erase_ms=erase_ms)
    pico.run(3240)
    changed = [f"set coin_ms {100 + change}" for change in range(changes)]
    for line in ("set think_ms 0", *changed, "new 1 2"):
        pico.send(line)
        pico.run(30 + erase_ms)
    move(pico, "row1")
    pico.run(5000)
    recording = recorded(pico)
    outcome = replay.replay(recording)
    assert replay.same(recording, outcome), outcome.diverged
    assert outcome.states == sum(event.what == "state" for event in recording.events)


def test_impossible_picture_is_reported(pico):
    pico.run(10_000)
    pico.send("new 3 4 5")
    pico.run(100)
    recording = recorded(pico)
    assert replay.same(recording, replay.replay(recording))
    at = next(n for n, event in enumerate(recording.events) if event.value == "player")
    recording.events[at] = dataclasses.replace(recording.events[at], lamps=(1, 2, 3, 4))
    assert "with the lamps (1, 2, 3, 4)" in replay.replay(recording).diverged


def fail(files, *presses):
    """Return a Pico with this firmware after these presses and its failure."""
    pico = SimulatedPico(files=files, settings={"level": "easy", "think_ms": 500})
    pico.settle()
    visitors.mash(pico, Random(4), 5000)
    pico.run(61_000)
    for press in presses:
        pico.tap(press)
    pico.run(20_000)
    assert pico.resets
    return pico


@pytest.mark.both_chips
@pytest.mark.parametrize(
    ("why", "mistake"),
    [
        ("crash", "        {}[match.position]\n"),
        ("hang", "        while True:\n            time.sleep_ms(100)\n"),
    ],
)
def test_a_failure_in_the_museum_is_on_the_desk_an_hour_later(mistaken, why, mistake):
    where = "        option = self._choose(match)\n"
    files = mistaken("nimatron/exhibit.py", where, mistake + where)
    pico = fail(files, "new", "row1", "go")
    pico.run(300_000)
    visitors.mash(pico, Random(5), 1000)  # life continues
    pico.settle()
    recording = replay.load(pico.files.contents["/flight.json"])
    assert recording.failure["why"] == why
    outcome = replay.replay(recording, files)
    assert replay.same(recording, outcome)
    assert replay.verdict(recording, outcome).count(f"a {why}: ") == 2
    assert not replay.same(recording, replay.replay(recording))  # it is not in our firmware
    # The console sends the same recording, and the current recording.
    assert replay.load("\n".join(typed(pico, "log dump"))) == recording
    assert not recorded(pico).failure


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this computer has no such timer")
def test_a_firmware_that_computes_for_ever_is_found_in_the_act(mistaken, monkeypatch):
    monkeypatch.setattr(replay, "_STUCK_S", 0.5)
    where = "        option = self._choose(match)\n"
    slow = "        while True:\n            time.sleep_ms(100)\n"
    pico = fail(mistaken("nimatron/exhibit.py", where, slow + where), "new", "row1", "go")
    recording = replay.load(pico.files.contents["/flight.json"])
    stuck = mistaken(
        "nimatron/exhibit.py", where, "        while True:\n            pass\n" + where
    )
    outcome = replay.replay(recording, stuck)
    assert replay.same(recording, outcome)
    assert "computes forever in mistaken.py, line " in replay.verdict(recording, outcome)


def test_of_failures_in_a_row_the_first_is_kept(mistaken):
    files = mistaken("nimatron/exhibit.py", "self._enter(states.OPENING)", "{}[0]")
    pico = SimulatedPico(files=files)
    pico.run(90_000)
    pico.tap("go")
    pico.run(5000)
    first = pico.files.contents["/flight.json"]
    for _ in range(2):
        pico.tap("new")
        pico.run(5000)
    assert len(pico.resets) == 3
    assert pico.files.contents["/flight.json"] == first
    recording = replay.load(first)
    assert replay.same(recording, replay.replay(recording, files))
    pico.ask("log clear")
    assert pico.ask("log dump").startswith("error reason=no-recording")


def test_normal_end_leaves_no_recording(pico):
    pico.settle()
    visitors.mash(pico, Random(4), 5000)
    pico.send("reboot")
    pico.run(5000)
    pico.reset_button()
    pico.run(5000)
    assert "/flight.json" not in pico.files.contents


# ---------------------------------------------------------------------- unusable recordings


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no flight recording"),
        ("{}", "no flight recording"),
        ('{"flight": 5}', "no flight recording"),
        ('{"flight": "AAAA"}', "the recorder of this firmware did not write it"),
        ('{"flight": "?"}', "damaged"),
        ("event flight at=0 data=AAAA", "the end of the recording is missing"),
        (
            "event flight at=0 data=AAAA\nok flight=now pieces=2",
            "a piece of the recording is miss",
        ),
        ("event flight at=-1 data=AAAA\nok flight=now pieces=1", "damaged: at=-1"),
        ("event flight at=99999 data=AAAA\nok flight=now pieces=1", "damaged: at=99999"),
    ],
)
def test_invalid_recording_is_reported(text, why):
    with pytest.raises(UserError, match=why):
        replay.load(text)


@pytest.mark.parametrize(
    "scene",
    [
        [],
        {},
        dict(SCENE, state="player"),
        dict(SCENE, settings=5),
        dict(SCENE, dice="x"),
        dict(SCENE, dice=0),
        dict(SCENE, closed=["x"]),
        dict(SCENE, state="opening"),
        dict(SCENE, state="opening", chosen={"level": 5}, opening=0),
        dict(SCENE, state="opening", chosen=None, opening=10**9),
    ],
)
def test_invalid_scene_is_reported(scene):
    with pytest.raises(UserError, match="damaged: it does not begin with a scene"):
        loaded_scene(scene)


def test_too_deep_json_is_no_recording():
    with pytest.raises(UserError, match="it contains no flight recording"):
        replay.load("[" * 200_000)


def test_recording_of_another_version_is_reported(pico):
    pico.settle()
    recording = recorded(pico)
    outcome = replay.replay(recording)
    assert "recorded by" not in replay.verdict(recording, outcome)
    recording.scene["version"] = VERSION + "1"
    told = f"\nrecorded by firmware {VERSION}1, replayed on {VERSION}"
    assert told in replay.verdict(recording, outcome)


def test_a_recording_of_an_older_firmware_is_refused_and_its_version_named():
    with pytest.raises(UserError) as refused:
        loaded_scene(SCENE | {"version": "0.1.0"})
    assert str(refused.value) == (
        f"firmware 0.1.0 made this recording and this is {VERSION}: replay it with nimatron 0.1.0"
    )


@pytest.fixture(scope="module")
def memory():
    """Return the memory of a recorder that contains a visit."""
    pico = SimulatedPico()
    pico.settle()
    visitors.mash(pico, Random(1), 4000)
    return next(bytes(view) for _, _, view in pico.core.memory if len(view) == flight.SIZE)


@given(st.data())
def test_damaged_recording_is_only_reported(memory, data):
    damaged = bytearray(memory)
    for _ in range(data.draw(st.integers(1, 20))):
        at = data.draw(st.integers(flight.HEAD, flight.HEAD + 700))
        damaged[flight.HALF + at if memory[4] else at] = data.draw(st.integers(0, 255))
    with suppress(UserError):
        loaded(damaged)
