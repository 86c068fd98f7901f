"""Write a handout for a class as a PDF: discover Nim, exercises, answers."""

from argparse import ArgumentParser, Namespace

from nimatron_host import options

_PAPERS = ("a4", "letter")
_LANGUAGES = ("en", "de", "es", "fr")


def add(parser: ArgumentParser) -> None:
    options.path(parser, "file", "the PDF to write, three pages")
    parser.add_argument(
        "--seed", type=int, default=1, metavar="N", help="other exercises for each N (default: 1)"
    )
    parser.add_argument(
        "--paper",
        choices=_PAPERS,
        default=_PAPERS[0],
        help=f"the size of the paper (default: {_PAPERS[0]})",
    )
    parser.add_argument(
        "--language",
        choices=_LANGUAGES,
        default=_LANGUAGES[0],
        help=f"the language of the handout (default: {_LANGUAGES[0]})",
    )


def run(args: Namespace) -> None:
    from nimatron_host.theory import handout

    handout.write(args.file, args.seed, args.paper, args.language)
    print(args.file)
