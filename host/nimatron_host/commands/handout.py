"""Write a handout for a class: the method, exercises and answers, as a PDF."""

from argparse import ArgumentParser, Namespace

from nimatron_host import options

_PAPERS = ("a4", "letter")


def add(parser: ArgumentParser) -> None:
    options.path(parser, "file", "the PDF to write, two pages")
    parser.add_argument(
        "--seed", type=int, default=1, metavar="N", help="other exercises for each N (default: 1)"
    )
    parser.add_argument(
        "--paper",
        choices=_PAPERS,
        default=_PAPERS[0],
        help=f"the size of the paper (default: {_PAPERS[0]})",
    )


def run(args: Namespace) -> None:
    from nimatron_host.theory import handout

    handout.write(args.file, args.seed, args.paper)
    print(args.file)
