"""The films of the relays, as in the browser. Runs on MicroPython."""

import json

from search import refused

from nimatron_relays import film, nimatron_1940


def _film(press, faults=(), **start):
    asked = {"faults": list(faults), "misere": True, "press": press}
    asked.update(start)
    return json.loads(film.answer(json.dumps(asked)))


def _end(frames):
    states = {}
    for _, changes, _ in frames:
        states.update(changes)
    return states


def _up(states):
    return [name for name in states if name[0].isalpha() and states[name] in ([1, 0], [1, 1])]


def _rows(states):
    return tuple([sum([states["%d.%d" % (r, n)] for n in range(1, 8)]) for r in range(1, 5)])


def check_film_of_a_move():
    states = _end(_film("", rows=[3, 4, 5, 0]))
    assert _rows(states) == (3, 4, 5, 0) and states["your-move"]
    states = _end(_film("KEY3", up=_up(states)))
    assert _rows(states) == (3, 4, 4, 0)
    states = _end(_film("GO", up=_up(states)))
    assert _rows(states) == nimatron_1940.choose((3, 4, 4, 0), True) == (0, 4, 4, 0)


def check_film_of_faults():
    healthy = _film("NEW", up=[])
    for fault in (["out", "B14"], ["up", "N14"], ["cut", "B14"], ["front", "LIT1", 2]):
        assert _film("NEW", [fault], up=[]) != healthy, fault


def check_bad_questions_are_refused():
    for text in ("", "[]", "{}", '{"rows": [8, 0, 0, 0]}'):
        assert refused(ValueError, film.answer, text), text


def check_parts():
    parts = json.loads(film.parts())
    assert len(parts["coils"]) == 49 and len(parts["contacts"]) == 252
