"""Write a handout for a class as a PDF: discover Nim, exercises, answers."""

from argparse import ArgumentParser, Namespace

from nimatron_host import options

_PAPERS = ("a4", "letter")
_LANGUAGES = ("en", "de", "es", "fr")


def add(parser: ArgumentParser) -> None:
    options.add(parser, "file FILE", "the PDF to write, three pages")
    options.add(parser, "--seed N", "the number of the set of exercises", type=int, default=1)
    options.add(parser, "--paper", "the size of the paper", choices=_PAPERS, default=_PAPERS[0])
    language = "the language of the handout"
    options.add(parser, "--language", language, choices=_LANGUAGES, default=_LANGUAGES[0])


def run(args: Namespace) -> None:
    from nimatron_host.theory import handout

    handout.write(args.file, args.seed, args.paper, args.language)
    print(args.file)
