"""Show the last crashes and hangs."""

from argparse import ArgumentParser, Namespace

from nimatron_host import options
from nimatron_sim.text_encoding import escaped_lines


def add(parser: ArgumentParser) -> None:
    options.add_port(parser)
    options.add(parser, "--clear", "delete them afterwards")
    options.add_json(parser)


def run(args: Namespace) -> None:
    from nimatron_host.device import printed_reports

    print(
        escaped_lines(printed_reports.logs(options.port(args, args.port), args.clear, args.json))
    )
