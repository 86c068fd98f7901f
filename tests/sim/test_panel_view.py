"""The display: trace records in, plain words out."""

import re

import pytest

from nimatron_sim.simulated.pico import SimulatedPico
from nimatron_sim.ui.panel_view import PanelView


class Watched:
    """A Pico and the display that watches it, which asks `status` when it wants to."""

    def __init__(self):
        self.display = PanelView()
        self._ask = False
        self.pico = SimulatedPico(record=self._record)

    def _record(self, record):
        self._ask = self.display.record(record) or self._ask

    def look(self):
        self.pico.run(1)
        if self._ask:
            self._ask = False
            self.pico.send("status")
            self.pico.run(1)

    def settle(self):
        self.pico.settle()
        self.look()

    def do(self, *buttons):
        for button in buttons:
            self.display.touched()
            self.pico.tap(button)
            self.look()

    def start(self, *rows):
        self.pico.start(*rows)
        self.look()


@pytest.fixture
def watched():
    watched = Watched()
    watched.settle()
    return watched


def says(watched):
    return " ".join(watched.display.caption)


def test_it_holds_what_the_panel_shows(watched):
    watched.start(3, 4, 5)
    assert watched.display.lamps == [0b111, 0b1111, 0b11111, 0]
    assert watched.display.legends == ["your-move"]
    assert watched.display.state == "player"


def test_before_power_is_on_it_is_off():
    display = PanelView()
    assert display.caption[0] == "The machine is off."
    display.record({"ms": 0, "console": "event boot version=1"})
    assert display.caption[0] == "The machine is starting."


def test_attract_and_opening_say_how_to_begin(watched):
    assert says(watched) == "Can you beat the machine? Press any button to begin."
    watched.do("go")
    assert "Put out one or more lamps" in says(watched)
    assert "NEW" in says(watched)


def test_the_first_press_in_an_opening_is_already_picked(watched):
    watched.do("new", "row3")
    assert says(watched).startswith("You have put out 1 lamp in row 3. Press GO")


def test_a_turn_in_words(watched):
    watched.start(3, 4, 5)
    assert says(watched).startswith("Your move. Put out as many lamps as you like")
    watched.do("row2", "row2")
    assert says(watched).startswith("You have put out 2 lamps in row 2. Press GO")
    watched.do("row3")
    assert says(watched).startswith("You have put out 1 lamp in row 3. Press GO")
    watched.do("go")
    assert says(watched) == ("You put out 1 lamp in row 3. The machine is thinking. Please wait.")
    watched.pico.run(2100)
    assert watched.display.caption[0] == "The machine is making its move."
    watched.settle()
    assert re.match(r"The machine put out \d lamps? in row [123]. Your move. Put", says(watched))


def test_a_refusal_says_what_to_do_until_something_else_happens(watched):
    watched.start(1, 2)
    watched.do("go")
    assert says(watched).startswith("Put out at least one lamp first. Put out one or more lamps")
    watched.do("row1")
    assert says(watched).startswith("You have put out 1 lamp in row 1.")
    watched.do("row1")
    assert says(watched).startswith("Row 1 has no more lamps.")


def test_who_wins_and_why(watched):
    watched.start(1, 1)
    watched.do("row1", "go")
    watched.pico.run_until(lambda: watched.display.state == "verdict")
    watched.pico.run(500)
    assert says(watched) == (
        "The machine put out the last lamp. You win! "
        "You've earned a token! Press any button to play again."
    )
    assert watched.display.tokens == 1
    watched.start(1)
    assert watched.display.tokens == 0
    assert says(watched).startswith("Your move.")
    watched.do("row1", "go")
    watched.pico.run(500)
    assert says(watched) == (
        "You put out the last lamp. The machine wins. Press any button to play again."
    )


def test_the_idle_warning_comes_and_goes(watched):
    watched.start(3, 4, 5)
    watched.pico.run(51_000)
    assert watched.display.caption[0] == "Are you still there? The match ends in 10 seconds."
    watched.do("row1")
    assert says(watched).startswith("You have put out 1 lamp in row 1.")
    watched.pico.run(61_000)
    assert says(watched) == "Can you beat the machine? Press any button to begin."


def test_the_rule_is_the_one_of_the_match(watched):
    assert watched.display.rule_sentence == "Whoever puts out the last lamp loses."
    watched.start(3, 4, 5)
    watched.pico.ask("rule normal")
    assert watched.display.rule_sentence == "Whoever puts out the last lamp loses."
    watched.start(3, 4, 5)
    assert watched.display.rule_sentence == "Whoever puts out the last lamp wins."


def test_a_stuck_button_is_told_until_it_is_free(watched):
    watched.start(3, 4, 5)
    watched.pico.press("new")
    watched.pico.run(32_000)
    assert says(watched) == ("The button NEW is stuck down and is ignored. Please let go of it.")
    watched.pico.release("new")
    watched.pico.run(100)
    assert "stuck" not in says(watched)


def test_a_button_held_since_boot_is_told_until_it_is_free():
    watched = Watched()
    watched.pico.press("new")
    watched.settle()
    assert says(watched).startswith("The button NEW is held down and is ignored.")
    watched.pico.release("new")
    watched.pico.run(100)
    assert says(watched) == "Can you beat the machine? Press any button to begin."


@pytest.mark.parametrize(
    "line",
    ["", "event", "event move by=play", "event warning=idle", "ok game=nim picked=0", "event ="],
)
def test_a_line_cut_short_tells_nothing(watched, line):
    before = watched.display.caption
    assert not watched.display.record({"ms": 1, "console": line})
    assert watched.display.caption == before


@pytest.mark.parametrize("moved", ["row=2 column=1", "row=1 put=3", "row=2 take=3", "take=1,2"])
def test_a_sentence_has_no_gaps(moved):
    display = PanelView()
    display.record({"ms": 0, "console": "event state=player"})
    display.record({"ms": 1, "console": f"event move by=player {moved} rows=1,1,1,1"})
    display.record({"ms": 1, "console": "event state=thinking"})
    assert display.caption[0].startswith(("You moved.", "You put out 3 lamps"))
    assert "{" not in " ".join(display.caption)
