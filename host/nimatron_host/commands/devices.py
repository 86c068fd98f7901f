"""List the Picos that are plugged in."""

from argparse import ArgumentParser, Namespace

from nimatron_host import options


def add(parser: ArgumentParser) -> None:
    parser.add_argument("ports", nargs="*", metavar="PORT", help="look only at these ports")
    options.add_json(parser)


def run(args: Namespace) -> None:
    from nimatron_host.device import listing

    if options.SIM in args.ports:
        args.refuse(options.NO_SIM)
    listing.show(args.ports, args.json)
