"""List the matches played at `nimatron kiosk`."""

from argparse import ArgumentParser, Namespace

from nimatron_host import options


def add(parser: ArgumentParser) -> None:
    options.add_state(parser)
    listed = parser.add_mutually_exclusive_group()
    options.add_json(listed)
    listed.add_argument("--csv", action="store_true", help="print CSV, for a spreadsheet")


def run(args: Namespace) -> None:
    from nimatron_host.kiosk import keeping

    keeping.show_matches(keeping.folder(args.state), args.csv, args.json)
