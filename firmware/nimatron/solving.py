"""What the console says about games and positions besides the match. Loaded for one answer."""

from nimatron import games

_OPTIONS = 8  # at most so many in the answer to `solve`


def solve(words, rule):
    """The (key, value) pairs that solve a position, typed as a game's name and the words of
    the position. Raises ValueError if there is no such game or position."""
    game = games.find(words[0])
    position = game.parse(words[1:])
    if rule not in game.rules:
        rule = game.rules[0]
    options = game.winning_options(position, rule == "misere")
    some = [game.words(option) for option in options[:_OPTIONS]]
    return (
        (("game", game.name), ("rule", rule), ("rows", game.words(position)))
        + game.working(position, rule == "misere")
        + (("winning", len(options)), ("options", ";".join(some) or "none"))
    )


def explain(name):
    """The (key, value) pairs that explain a game. Raises ValueError if there is none."""
    game = games.find(name)
    return (
        ("game", name),
        ("rules", game.rules),
        ("solved", game.solved),
        ("sentence", game.sentence),
    )
