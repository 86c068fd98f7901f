"""List the lost positions of a game, with Grundy values and periods."""

from argparse import ArgumentParser, Namespace

from nimatron_host import options


def add(parser: ArgumentParser) -> None:
    parser.description = (
        "List the positions of a game that are lost for the player to move, and the Grundy "
        "values of single heaps with their period. The other formats have all positions, with the "
        "winning moves."
    )
    options.add(parser, "words+ GAME", "such as wythoff, kayles or octal-0.07")
    options.add_rule(parser)
    options.add_seconds(parser)
    options.add(parser, "--max N", "list heaps of up to N")
    options.add(parser, "--heaps K", "list positions of K heaps")
    printed = parser.add_mutually_exclusive_group()
    options.add(printed, "--csv", "print CSV, for a spreadsheet")
    options.add_json(printed)


def run(args: Namespace) -> None:
    from nimatron_host.theory import solve, typed_position
    from nimatron_host.theory.position_table import Table

    with options.answer(args):
        typed = " ".join(args.words)
        if typed_position.begins(typed):
            raise ValueError(
                f"a table is of a whole game: nimatron table nim. One position: "
                f"nimatron solve {typed}"
            )
        game, more = solve.named(args.words)
        if more:
            raise ValueError(
                f"a table is of a whole game: remove {' '.join(more)}. One position: "
                f"nimatron solve {typed}"
            )
        table = Table(game, solve.checked(game, args.rule), args.max, args.heaps)
        if args.json:
            print(table.as_json())
        else:
            print(table.as_csv() if args.csv else table.as_text())
