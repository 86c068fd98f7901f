"""Each game in the registry: a short match of the machine against itself. Runs on MicroPython."""

from search import refused

from nimatron import games, opponent
from nimatron.dice import Dice
from nimatron.games.boards import BoardGame
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
        for opening in game.openings:
            draft = game.empty_draft(opening)
            for row in (0, 0, 1, 2, 3, 3):
                light = game.press(opening, draft, row)
                if light is None:
                    continue
                blinks = game.cursor(light)
                assert blinks[row] if isinstance(game, BoardGame) else blinks is None, (name, row)
                draft = game.long_press(opening, light, row) or light
                left = game.remaining(opening, light)
                assert game.remaining(opening, game.draft_of(opening, left)) == left
                assert game.picked_words(light)
                assert len(game.picture(game.remaining(opening, draft))) == 4


def check_an_unknown_game_is_refused():
    assert "no game is called noughts" in refused(ValueError, games.find, "noughts")
