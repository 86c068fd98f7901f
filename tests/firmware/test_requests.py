"""The effect of each request in each state of the show, and the time of the console's answer."""

import ast
import re

import pytest

from nimatron import protocol, states
from nimatron_sim import firmware
from nimatron_sim.simulated_pico import SimulatedPico

SOURCE = firmware.files()["nimatron/requests.py"].read_text()
OTHERS = states.THINKING, states.MACHINE, states.TEST
LINES = {
    "row": "press row2",
    "go": "press go",
    "new": "press new",
    "long row": "hold row2",
    "long go": "hold go",
    "long new": "hold new",
    "take": "take 1 2",
    "play": "play 1,4,5,0",
    "pick": "pick 1,4,5,0",
    "start": "new",
    "choose": "choose level easy",
    "start POSITION": "new 1 1 1",
    "lamp test": "lamps test",
}


def table():
    """Yield (state, request, effect) for each cell of the table in the docstring."""
    lines = ast.get_docstring(ast.parse(SOURCE)).splitlines()
    (head,) = [number for number, line in enumerate(lines) if line.startswith("     ")]
    states_above = re.split(r"\s{2,}", lines[head].strip())
    for line in lines[head + 1 : lines.index("", head)]:
        request, happens = line[:15].strip(), re.split(r"\s{2,}|(?<=r) (?=p)", line[15:].strip())
        assert len(happens) == len(states_above), line
        for state, what in zip(states_above, happens, strict=True):
            for one in OTHERS if state == "the others" else (state,):
                yield one, request, what


CELLS = list(table())


def bring(pico, state):
    """Bring the show to a state, and to the end of the state if that matters."""
    if state == states.OPENING:
        pico.tap("go")
        pico.ask("set openings own")
    elif state == states.TEST:
        pico.ask("lamps test")
    elif state == states.VERDICT:
        pico.start(1)
        pico.ask("take 1 1")
    elif state != states.ATTRACT:
        pico.start(3, 4, 5)
        if state != states.PLAYER:
            pico.ask("take 1 2")
        pico.run_until(lambda: pico.state == state)
    assert pico.state == state


def test_the_table_has_every_state_and_every_request():
    assert {state for state, _, _ in CELLS} == set(states.STATES)
    assert [request for state, request, _ in CELLS if state == states.ATTRACT] == list(LINES)


@pytest.mark.parametrize(("state", "request_", "happens"), CELLS)
def test_what_each_state_does_with_each_request(pico, state, request_, happens):
    bring(pico, state)
    line = LINES[request_]
    if state == states.OPENING and request_ == "take":
        line = "take 1 1"
    if state == states.OPENING and request_ in ("play", "pick"):
        line = f"{request_} 2,4,5,0"
    happens, star, _ = happens.partition(" *")
    if star:
        assert "state=verdict" in pico.ask(line)
        pico.run(1200)
    pico.lines()
    answer = pico.ask(line)
    if happens in states.STATES:
        assert answer.startswith("ok "), answer
        assert pico.state == happens
        assert f" state={happens} " in answer
    elif happens == "ignored":
        assert answer.startswith("ok "), answer
        assert pico.state == state
        assert not pico.lines()
    else:
        turns = states.PLAYER, states.THINKING, states.MACHINE
        nothing_to_play_on = (
            request_ in ("play", "pick") and state not in turns
        )  # says the console
        why = "no match" if nothing_to_play_on else happens
        kind, _, facts = protocol.parse(answer)
        assert kind == protocol.ERROR, answer
        assert why in facts["text"]
        assert pico.state == state
        assert pico.heard("refusal") == (state not in OTHERS and not nothing_to_play_on)


def test_an_answer_does_not_wait_for_the_requests_behind_it(pico):
    """While a coin drops, the queue of a new match and two presses is not read. Then the presses
    win the new match, and the next coin drops."""
    for line in ("set rule normal", "set coin_ms 250", "new 1", "press row1"):
        pico.ask(line)
    pico.tap("go")
    pico.run_until(lambda: pico.coin)
    pico.lines()
    pico.send("new 1")
    pico.tap("row1")
    pico.tap("go")
    pico.run_until(lambda: any(line.startswith("ok ") for line in pico.lines()))
    assert pico.coin


def test_a_button_that_no_state_knows_is_refused(mistaken):
    """A person who adds a button to the board may forget the show."""
    pico = SimulatedPico(files=mistaken("nimatron/board.py", "(GO, NEW)", '(GO, NEW, "more")'))
    pico.settle()
    pico.start(3, 4, 5)
    assert pico.ask("press more").startswith("error reason=illegal"), pico.lines()
    assert pico.heard("refusal")
    assert pico.ask("hold more").startswith("ok ")
    assert pico.told("status")["rows"] == "3,4,5,0"
    pico.power_off()
