"""Each game in the registry: a short match of the machine against itself. MicroPython's Python."""

from search import refused

from nimatron import games, opponent
from nimatron.dice import Dice
from nimatron.match import Match


def check_a_match_of_each_game_under_each_rule():
    dice = Dice(1)
    for name in games.names():
        game = games.find(name)
        for rule in game.rules:
            misere = rule == "misere"
            rows = [rows for rows in game.openings if not game.is_p(rows, misere)][0]
            match = Match(game, rows, misere)
            while not match.over:
                position = match.position
                assert game.words(position) and game.working(position, misere), name
                slip = 100 * (match.turn == "machine")
                option = opponent.choose(game, position, misere, slip, dice)
                assert slip or game.is_p(option, misere), (name, position, option)
                match.play(option)
            assert match.winner == "player", (name, rule)


def check_presses_of_each_game():
    for name in games.names():
        game = games.find(name)
        match = Match(game, game.openings[0], game.rules[0] == "misere")
        for row in range(4):
            draft = game.press(match.position, match.draft, row)
            if draft is not None:
                game.long_press(match.position, draft, row)
                left = game.remaining(match.position, draft)
                again = game.draft_of(match.position, left)
                assert game.remaining(match.position, again) == left
                assert game.picked_words(draft)
                assert game.picture(game.remaining(match.position, draft))


def check_an_unknown_game_is_refused():
    assert "no game is called noughts" in refused(ValueError, games.find, "noughts")
