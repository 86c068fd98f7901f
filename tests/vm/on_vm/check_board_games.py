"""The games on boards on both Pythons. MicroPython's Python."""

from search import RULES

from nimatron.dice import Dice
from nimatron.games import find
from nimatron.match import MACHINE, PLAYER, Match
from nimatron.opponent import choose

_BOARDS = (
    "kayles",
    "circular-12",
    "circular-18",
    "circular-28",
    "runs",
    "nim-2d-3x3",
    "nim-2d-3x4",
    "tactix",
    "grundy",
)


def check_a_short_match_of_each():
    dice = Dice(5)
    for name in _BOARDS:
        game = find(name)
        for misere in RULES:
            match = Match(game, game.openings[0], misere)
            while not match.over:
                lost = game.is_p(match.position, misere)
                assert lost == (match.turn == MACHINE), (name, misere, match.position)
                slip = 50 if match.turn == MACHINE else 0
                match.play(choose(game, match.position, misere, slip, dice))
            assert match.winner == PLAYER, (name, misere)


def check_every_hold_after_each_press():
    for name in _BOARDS:
        game = find(name)
        for opening in game.openings:
            draft = game.empty_draft(opening)
            for row in (0, 0, 1, 2, 3, 3):
                light = game.press(opening, draft, row)
                if light is None:
                    continue
                assert game.cursor(light)[row], (name, row)
                draft = game.long_press(opening, light, row) or draft
                assert len(game.picture(game.remaining(opening, draft))) == 4
