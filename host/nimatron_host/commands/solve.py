"""Show who wins from a position, and every winning move."""

import json
from argparse import ArgumentParser, Namespace

from nimatron_host import options


def add(parser: ArgumentParser) -> None:
    options.add(
        parser,
        "words+ [GAME] POSITION",
        "a game and its position, such as wythoff 3 5, kayles 7 or octal-0.77 5 2. Without a "
        "game, the position is of nim: 3 4 5. If it matters which lamps are lit, type 1 or 0 for "
        "each lamp: kayles 1111100/1100000/0000000/0000000. To list the games: nimatron games",
    )
    options.add_rule(parser)
    options.add_seconds(parser)
    options.add(parser, "--proof FILE", "write a proof that tests/judges/check_proof.py can check")
    options.add_json(parser)


def run(args: Namespace) -> None:
    from nimatron_host.theory import solve

    with options.answer(args):
        solution = solve.solve(args.words, args.rule, args.seconds)
        if args.proof:
            options.write(args.proof, json.dumps(solve.proof(args.words, args.rule)))
    print(json.dumps(solution) if args.json else solve.as_text(solution))
