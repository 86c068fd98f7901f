"""The operator's view and actions: the panel, the console, the settings, and facts about the Pico.

The messages are `send` with a console line, `ask` to query the Pico again, and `volume`, `quiet`
and `language` with a choice for the visitors' pages. In the state, `answers` lists the answers to
the last lines and choices: [the number of earlier answers, the line, the answer's kind and
values]. Whenever `edition` changes, new figures are available.
"""

from collections import deque
from typing import Callable

from nimatron import protocol
from nimatron.settings import TABLE
from nimatron_play.machine import Machine
from nimatron_play.pages import Bad

_ANSWERS = 30  # the most answers to keep for the page, which sends a line for each setting
_CHOICES = ("volume", "quiet", "language")
# The facts that a simulated Pico reports, which has no sensors, memory or wires.
_SIMULATED = ("version", "mode", "uptime_s", "failed", "stuck", "crashes")

_UNITS = {"brightness": "percent"} | {
    name: "millisecond" for name, _, _ in TABLE if name.endswith("_ms")
}


class Operator:
    """An operator. `defaults` are the settings that the Pico starts with, if they differ from the
    firmware's defaults. place(fault) returns the place of a fault such as lamp:3.5:open in
    `health`, or "" if the place is unknown. told(line) is called with each answer to the
    operator."""

    def __init__(
        self,
        machine: Machine,
        peer,
        defaults: dict[str, object],
        place: Callable[[str], str] = lambda fault: "",
        told: Callable[[str], object] = lambda line: None,
    ):
        self.peer = peer
        self._machine = machine
        self._controls = controls(defaults)
        self._place = place
        self._told = told
        self._answered = 0
        self._answers: deque[tuple] = deque((), _ANSWERS)

    def seen(self) -> dict:
        machine = self._machine
        failures = machine.facts.failures
        return machine.state | {
            "said": list(machine.said),
            "pico": self._pico,
            "failures": failures,
            "places": {name: self._place(name) for name in failures if ":" in name},
            "edition": machine.surroundings.figures.edition,
            "controls": self._controls,
            "pages": machine.surroundings.pages.told,
            "answers": list(self._answers),
            "trusted": True,
        }

    @property
    def _pico(self):
        told = self._machine.facts.told
        if self._machine.attendant.real:
            return told
        return told | {
            question: {key: told[question][key] for key in _SIMULATED if key in told[question]}
            | ({"board": "simulated"} if question == "version" else {})
            for question in ("version", "health")
            if question in told
        }

    def hear(self, verb: str, what: str) -> None:
        """Carry out a message. Raises Bad."""
        line = what.strip()
        if verb == "ask":
            self._machine.facts.ask()
        elif verb in _CHOICES:
            pages = self._machine.surroundings.pages
            try:
                pages.change(verb, line)
            except ValueError as why:
                raise Bad(str(why)) from None
            self._answer(f"{verb} {line}", protocol.OK, {"saved": str(int(pages.saved))})
            self._machine.show()
        elif verb != "send":
            raise Bad("an unknown kind of message")
        elif not line or len(line) > protocol.LONGEST:
            raise Bad("not a console line")
        else:
            self._machine.send(line, lambda said: self._take_answer(line, said))

    def _take_answer(self, line, said):
        self._told(said)
        kind, _, values = protocol.parse(said)
        self._answer(line, kind, values)

    def _answer(self, line, kind, values):
        self._answers.append((self._answered, line, kind, values))
        self._answered += 1
        self.peer.wake()


def _control(name, default, allowed):
    control = {"name": name, "default": str(default), "about": f"setting.{name}"}
    if isinstance(allowed, range):
        return control | {
            "min": allowed[0],
            "max": allowed[-1],
            "unit": _UNITS.get(name, ""),  # a unit name for JavaScript's Intl.NumberFormat
        }
    return control | {"some_of" if isinstance(allowed, list) else "one_of": list(allowed)}


def controls(defaults: dict[str, object]) -> list[dict]:
    """Return a control for each setting. `defaults` is {name: value} for the defaults that differ
    from the firmware's defaults."""
    return [
        _control(name, defaults.get(name, default), allowed) for name, default, allowed in TABLE
    ]
