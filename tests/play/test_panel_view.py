"""The display: trace records in, plain words out."""

import re

import pytest

from nimatron_play import words
from nimatron_play.panel_view import PanelView
from nimatron_sim.simulated_pico import SimulatedPico


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


def rule(watched):
    return words.say(watched.display.rule_said, words.table(words.PLAIN))


def test_it_holds_what_the_panel_shows(watched):
    watched.start(3, 4, 5)
    assert watched.display.lamps == [0b111, 0b1111, 0b11111, 0]
    assert watched.display.legends == ["your-move"]
    assert watched.display.state == "player"


def test_before_power_is_on_it_is_off():
    display = PanelView()
    assert display.caption[0] == "The machine is off."
    display.record({"ms": 0, "console": "event boot version=1"})
    assert display.caption[0] == "I am starting up."


def test_attract_and_opening_say_how_to_begin(watched):
    assert says(watched) == "Can you beat me? Press any button to begin."
    watched.do("go")
    assert "Switch off one or more lamps" in says(watched)
    assert "NEW" in says(watched)


def test_the_first_press_in_an_opening_is_already_picked(watched):
    watched.do("new", "row3")
    assert says(watched).startswith("You have switched off 1 lamp in row 3. Press GO")


def test_a_turn_in_words(watched):
    watched.start(3, 4, 5)
    assert says(watched).startswith("Your move. Switch off as many lamps as you like")
    watched.do("row2", "row2")
    assert says(watched).startswith("You have switched off 2 lamps in row 2. Press GO")
    watched.do("row3")
    assert says(watched).startswith(
        "You have switched off 1 lamp in row 3. The lamps you switched off before are lit again."
    )
    watched.do("go")
    assert watched.display.caption == ("You switched off 1 lamp in row 3. I am thinking.", "")
    watched.pico.run(2100)
    assert watched.display.caption[0] == "Here is my move."
    watched.settle()
    assert re.match(r"I switched off \d lamps? in row [123]. Your move. Switch", says(watched))


@pytest.mark.parametrize(
    ("rule", "says_so"),
    [("misere", "and you have to switch it off."), ("normal", "switch it off, and you win!")],
)
def test_a_single_lamp_is_no_choice(watched, rule, says_so):
    watched.pico.ask(f"rule {rule}")
    watched.start(1)
    assert says(watched).startswith("Your move. Only one lamp is left")
    assert says(watched).endswith(says_so)
    watched.start(2)
    assert "as many lamps as you like" in says(watched)


def test_a_refusal_says_what_to_do_until_something_else_happens(watched):
    watched.start(1, 2)
    watched.do("go")
    assert says(watched).startswith(
        "Switch off at least one lamp first. Switch off one or more lamps"
    )
    watched.do("row1")
    assert says(watched).startswith("You have switched off 1 lamp in row 1.")
    watched.do("row1")
    assert says(watched).startswith("Row 1 has no more lamps.")


def test_a_press_on_a_row_that_is_dark_says_so_from_the_start(watched):
    watched.start(3, 4, 5)
    watched.do("row4")
    assert says(watched).startswith("Row 4 has no more lamps. Switch off one or more lamps")
    watched.do("go")
    assert says(watched).startswith("Switch off at least one lamp first.")
    watched.do("row1", "row4")
    assert says(watched) == "Row 4 has no more lamps. Press GO, or start over in another row."
    watched.pico.ask("pick 3 4 5")
    assert says(watched).startswith("Your move.")
    watched.do("new", "go")
    assert says(watched).startswith("Switch off at least one lamp first. Press a row's button")


def test_a_move_that_is_not_allowed_is_not_the_rows_fault(watched):
    watched.pico.ask("game square")
    watched.start(7)
    watched.do("row1", "row1", "go")
    assert says(watched).startswith("That move is not allowed. Switch off a square number")
    watched.do("row1", "row1", "row1")  # no move takes five of seven
    assert says(watched).startswith("That move is not allowed.")
    watched.pico.ask("pick 7")
    watched.pico.ask("take 1 3")
    assert says(watched).startswith("That move is not allowed.")


def test_while_a_lamp_blinks_a_refusal_stays(watched):
    watched.pico.ask("game kayles")
    watched.start("1100000/0000000/0000000/0000000")
    watched.do("row1", "go")
    for _ in range(4):
        watched.pico.run(250)
        assert watched.display.caption[0].startswith("Tap to choose a lamp, hold to switch it off")
    watched.do("row2")
    watched.pico.run(500)
    assert watched.display.caption[0] == "Row 2 has no more lamps."
    watched.do("row1")
    assert watched.display.caption[0].startswith("Your move.")


def test_lamps_that_do_not_go_together_are_told(watched):
    watched.pico.ask("game kayles")
    watched.start("1111100/0000000/0000000/0000000")
    watched.pico.ask("pick 0111100/0000000/0000000/0000000")
    watched.look()
    assert says(watched).startswith("Your move.")
    watched.pico.ask("pick 1110100/0000000/0000000/0000000")
    watched.look()
    assert says(watched).startswith("No move takes those lamps together.")
    assert "Switch off one lamp, or two neighbours" in watched.display.caption[1]
    watched.pico.ask("pick 1100100/0000000/0000000/0000000")
    watched.look()
    assert says(watched).startswith("Your move.")
    watched.do("go")
    assert "together" not in says(watched)


def test_what_is_picked_is_known_until_go(watched):
    watched.start(3, 4, 5)
    assert watched.display.picked == [0, 0, 0, 0]
    watched.do("row2", "row2")
    assert watched.display.picked == [0, 0b1100, 0, 0]
    watched.do("row1")
    assert watched.display.picked == [0b100, 0, 0, 0]
    watched.do("go")
    assert watched.display.picked == [0, 0, 0, 0]
    watched.settle()
    assert watched.display.left == watched.display.position != (3, 4, 5, 0)


def test_where_a_lamp_blinks_the_others_are_picked(watched):
    watched.pico.ask("game kayles")
    watched.start("1111000/0000000/0000000/0000000")
    watched.do("row1")
    assert watched.display.picked == [0, 0, 0, 0]
    watched.pico.hold("row1")
    watched.look()
    assert watched.display.picked == [0b10, 0, 0, 0]
    watched.do("row1")
    for _ in range(3):
        watched.pico.run(250)
        assert watched.display.picked == [0b10, 0, 0, 0]


@pytest.mark.parametrize(
    ("game", "rows", "pick", "picked"),
    [
        ("building", "2,0:3", "2,1:2", [0, 0, 1, 0]),
        ("grundy", "5", "2,3", [0b100100, 0, 0, 0]),
        ("chomp", "3,3,3,0", "3,1,1,0", [0, 0b110, 0b110, 0]),
        ("fibonacci", "12:4", "8", [0, 0b11110, 0, 0]),
    ],
)
def test_what_is_picked_in_one_step_is_known_in_every_game(watched, game, rows, pick, picked):
    watched.pico.ask(f"game {game}")
    watched.start(rows)
    watched.pico.ask(f"pick {pick}")
    assert watched.display.picked == picked
    assert watched.display.game.words(watched.display.position) == rows


def test_the_first_press_of_a_match_is_picked_and_the_opening_known(watched):
    watched.do("new", "row3")
    assert (watched.display.picked, watched.display.position) == ([0, 0, 16, 0], (3, 4, 5, 0))


def test_touches_have_a_meaning_when_somebody_can_move(watched):
    assert set(watched.display.touches) == {None}
    watched.do("new")
    assert watched.display.touches[8].pick == "3,1,5,0"
    assert watched.display.touches is watched.display.touches, "it is worked out once"
    watched.pico.ask("pick 3,1,5,0")
    watched.look()
    assert watched.display.touches[8].pick == "3,2,5,0"
    watched.do("go")
    assert set(watched.display.touches) == {None}


def test_a_row_in_words_is_a_row_of_the_panel(watched):
    watched.pico.ask("game wythoff")
    watched.start(9, 14)
    watched.do("row3", "row3")
    assert says(watched).startswith("You have switched off 2 lamps in row 4.")
    watched.do("go")
    assert says(watched).startswith("You switched off 2 lamps in row 4.")
    watched.settle()
    watched.start(9, 14)
    watched.pico.ask("take 1 3")
    watched.look()
    assert says(watched).startswith("You switched off 3 lamps. I am")  # of rows 1 and 2


def test_people_hear_how_many_they_are(watched):
    watched.pico.ask("set players 3")
    watched.do("new")
    assert watched.display.players == 3
    assert says(watched).startswith("3 people play each other. Switch off one or more lamps")
    watched.do("row1")
    assert says(watched).startswith("You have switched off 1 lamp in row 1.")
    watched.do("go")
    assert says(watched).startswith(
        "Player 1 switched off 1 lamp in row 1. Player 2, it's your move."
    )


def test_the_level_of_the_visit_is_known(watched):
    watched.do("new")
    assert watched.display.level == "perfect"
    watched.pico.ask("choose level child")
    watched.look()
    assert (watched.display.level, watched.display.players) == ("child", 1)


def test_who_wins_and_why(watched):
    watched.start(1, 1)
    watched.do("row1", "go")
    watched.pico.run_until(lambda: watched.display.state == "verdict")
    watched.pico.run(500)
    assert says(watched) == (
        "I switched off the last lamp. You win! "
        "You've earned a token! Press any button to play again."
    )
    assert watched.display.tokens == 1
    watched.start(1)
    assert watched.display.tokens == 0
    assert says(watched).startswith("Your move.")
    watched.do("row1", "go")
    watched.pico.run(500)
    assert says(watched) == (
        "You switched off the last lamp. I win! Press any button to play again."
    )


def test_candies_are_counted_during_the_match_and_at_its_end(watched):
    watched.pico.ask("game candy")
    watched.start(1, 2)
    assert "Candies" not in says(watched)
    watched.do("row2", "go")
    assert "Candies: you 1, me 0." in says(watched)
    watched.settle()
    assert "Candies: you 1, me 1. Your move." in says(watched)
    watched.do("row1", "row2", "go")
    watched.pico.run_until(lambda: watched.display.state == "verdict")
    watched.pico.run(500)
    assert "You win! Candies: you 2, me 1." in says(watched)
    watched.start(3, 4)
    assert "Candies" not in says(watched)


def test_people_hear_whose_candies_they_are(watched):
    watched.pico.ask("game candy")
    watched.pico.ask("set players 2")
    watched.start(1, 2)
    watched.do("row2", "row2", "go")
    assert "Candies of player 1: 2. Candies of player 2: 0." in says(watched)


def test_the_idle_warning_comes_and_goes(watched):
    watched.start(3, 4, 5)
    watched.pico.run(51_000)
    assert watched.display.caption[0] == "Are you still there? The match ends within 10 seconds."
    watched.do("row1")
    assert says(watched).startswith("You have switched off 1 lamp in row 1.")
    watched.pico.run(61_000)
    assert says(watched) == "Can you beat me? Press any button to begin."


def test_the_rule_is_the_one_of_the_match(watched):
    assert rule(watched) == "Switch off the last lamp and you lose."
    watched.start(3, 4, 5)
    watched.pico.ask("rule normal")
    assert rule(watched) == "Switch off the last lamp and you lose."
    watched.start(3, 4, 5)
    assert rule(watched) == "Switch off the last lamp and you win."


def test_a_stuck_button_is_told_until_it_is_free(watched):
    watched.start(3, 4, 5)
    watched.pico.press("new")
    watched.pico.run(32_000)
    assert says(watched) == ("The button NEW is stuck down and is ignored. Please release it.")
    watched.pico.release("new")
    watched.pico.run(100)
    assert "stuck" not in says(watched)


def test_a_noisy_button_is_told_until_it_is_free(watched):
    for number in range(120):
        watched.pico.circuit.set_contact("row3", number % 2 == 0)
        watched.pico.run(5 if number % 2 == 0 else 28)
    assert says(watched).strip() == "The button of row 3 is out of order and is ignored."
    watched.pico.run(12_000)
    assert "out of order" not in says(watched)


def test_a_button_held_since_boot_is_told_until_it_is_free():
    watched = Watched()
    watched.pico.press("new")
    watched.settle()
    assert says(watched).startswith("The button NEW is held down and is ignored.")
    watched.pico.release("new")
    watched.pico.run(100)
    assert says(watched) == "Can you beat me? Press any button to begin."


@pytest.mark.parametrize(
    "line",
    ["", "event", "event move by=play", "event warning=idle", "ok game=nim picked=0", "event ="],
)
def test_a_line_cut_short_tells_nothing(watched, line):
    before = watched.display.caption
    assert not watched.display.record({"ms": 1, "console": line})
    assert watched.display.caption == before


@pytest.mark.parametrize("moved", ["row=1 put=3", "row=2 take=3", "take=1,2"])
def test_a_sentence_has_no_gaps(moved):
    display = PanelView()
    display.record({"ms": 0, "console": "event state=player"})
    display.record({"ms": 1, "console": f"event move by=player {moved} rows=1,1,1,1"})
    display.record({"ms": 1, "console": "event state=thinking"})
    assert display.caption[0].startswith(("You moved.", "You switched off 3 lamps"))
    assert "{" not in " ".join(display.caption)
