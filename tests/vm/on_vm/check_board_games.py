"""The games on boards and the octal games on both Pythons. MicroPython's Python."""

from search import RULES, refused

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
    "graph",
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


def check_octal_games():
    kayles = find("octal-0.77")
    assert [n for n in range(1, 13) if kayles.is_p((n,), True)] == [1, 4, 9, 12]
    assert [kayles.grundy((n,)) for n in range(12)] == [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6]
    assert "is no code" in refused(ValueError, find, "octal-0.8")
