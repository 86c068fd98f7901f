"""List the games, their rules, and where each can be played."""

import json
from argparse import ArgumentParser, Namespace

from nimatron_host import options


def add(parser: ArgumentParser) -> None:
    options.add(parser, "words* GAME", "explain only this game, such as octal-0.77")
    options.add_json(parser)


def run(args: Namespace) -> None:
    from nimatron_host.theory import game_list, solve

    if args.words:
        with options.usage(args):
            game, more = solve.named(args.words)
            if more:
                raise ValueError("to explain one game, give its name and perhaps --json")
        row = game_list.row(game)
        print(json.dumps(row) if args.json else game_list.explained(row))
    elif args.json:
        print(json.dumps(game_list.rows()))
    else:
        print(game_list.as_text())
