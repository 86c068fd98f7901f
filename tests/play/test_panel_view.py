"""The panel view, which turns trace records into plain words."""

import re

import pytest

from nimatron.board import BUTTONS
from nimatron_play import words
from nimatron_play.panel_view import PanelView
from nimatron_sim.simulated_pico import SimulatedPico


class Watched:
    """A Pico and the panel view that watches it, which sends `status` when it is due."""

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


# Commands, a position, and steps, each with a part of its caption. A step is a command or presses.
CAPTIONS = {
    "a single lamp is no choice": (
        *(["rule misere"], "1"),
        ("", "Your move. Only one lamp is left: you must switch it off, and you lose."),
        ("new 2", "as many lamps as you like"),
    ),
    "a single lamp wins": (["rule normal"], "1", ("", "switch it off, and you win!")),
    "a refusal stays until something else happens": (
        *([], "1 2"),
        ("go", "Switch off at least one lamp first. Switch off one or more lamps"),
        ("row1", "You have switched off 1 lamp in row 1."),
        ("row1", "Row 1 has no more lamps."),
    ),
    "a row is dark from the start": (
        *([], "3 4 5"),
        ("row4", "Row 4 has no more lamps. Switch off one or more lamps"),
        ("go", "Switch off at least one lamp first."),
        ("row1 row4", "Row 4 has no more lamps. Press GO, or start over in another row."),
        ("pick 3 4 5", "Your move."),
        ("new go", "Switch off at least one lamp first. Press a row's button"),
    ),
    "a move that is not allowed is not the row's fault": (
        *(["game square"], "7"),
        ("row1 row1 go", "That move is not allowed. Switch off a square number"),
        ("row1 row1 row1", "That move is not allowed."),  # no move takes five of seven
        *(("pick 7", ""), ("take 1 3", "That move is not allowed.")),
    ),
    "lamps do not go together": (
        *(["game kayles"], "1111100/0000000/0000000/0000000"),
        ("pick 0111100/0000000/0000000/0000000", "Your move."),
        (
            "pick 1110100/0000000/0000000/0000000",
            "No move takes all those lamps. You start over",
        ),
        ("pick 1100100/0000000/0000000/0000000", "Your move."),
        ("go", "You switched off 2 lamps."),
    ),
    "a row is the panel's": (
        *(["game wythoff"], "9 14"),
        ("row3 row3", "You have switched off 2 lamps in row 4."),
        ("go", "You switched off 2 lamps in row 4."),
    ),
    "a heap has several rows": (
        *(["game wythoff"], "9 14"),
        ("take 1 3", "You switched off 3 lamps. I am"),
    ),
    "a bite has its place": (
        *(["game chomp"], "4,4,4,4"),
        ("pick 4,2,2,2", ""),
        ("go", "You bit off lamp 3 of row 2, with all lamps to its right and below it."),
    ),
    "three people play": (
        *(["set players 3"], "3 4 5"),
        ("row1", "You have switched off 1 lamp in row 1."),
        ("go", "Player 1 switched off 1 lamp in row 1. Player 2, it's your move."),
    ),
    "two people count candies": (
        *(["game candy", "set players 2"], "1 2"),
        ("row2 row2 go", "Candies of player 1: 2. Candies of player 2: 0."),
    ),
}


@pytest.mark.parametrize("what", CAPTIONS)
def test_caption_after_each_step(watched, what):
    lines, position, *steps = CAPTIONS[what]
    for line in lines:
        watched.pico.ask(line)
    watched.start(*position.split())
    for step, caption in steps:
        if set(step.split()) <= set(BUTTONS):
            watched.do(*step.split())
        else:
            watched.pico.ask(step)
            watched.look()
        assert caption in says(watched)


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
    assert says(watched).startswith("You have switched off 1 lamp in row 3. Press GO")
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
        "You've won a medal! Press any button to play again."
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
