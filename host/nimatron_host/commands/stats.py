"""Show games won and lost."""

from argparse import ArgumentParser, Namespace

from nimatron_host import options
from nimatron_sim.text_encoding import escaped_lines


def add(parser: ArgumentParser) -> None:
    options.add_port(parser)
    options.add_json(parser)
    options.add(parser, "--begin", "set all counts to zero, from today on")


def run(args: Namespace) -> None:
    from nimatron_host.device import printed_reports

    print(
        escaped_lines(printed_reports.stats(options.port(args, args.port), args.json, args.begin))
    )
