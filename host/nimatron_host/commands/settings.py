"""Show or change the settings of a Pico."""

from argparse import ArgumentParser, Namespace

from nimatron_host import options
from nimatron_sim.text_encoding import escaped_lines


def add(parser: ArgumentParser) -> None:
    options.add(
        parser,
        "words* [PORT] [KEY [VALUE]]",
        "the setting to show, or to change to VALUE. PORT may come first or last, and contains a "
        "slash or starts with COM. By default, it is the port of the only Pico",
    )
    options.add_json(parser)


def run(args: Namespace) -> None:
    from nimatron_host.device import port_names, printed_reports

    if options.SIM in args.words:
        args.refuse(options.NO_SIM)
    named = [word for word in args.words if port_names.is_port(word)]
    words = [word for word in args.words if word not in named]
    if len(named) > 1 or len(words) > 2:
        args.refuse("settings takes at most a PORT, a KEY and a VALUE")
    with options.usage(args):
        printed_reports.words(*words)
    port = options.port(args, named[0] if named else None)
    key, value = [*words, None, None][:2]
    print(escaped_lines(printed_reports.settings(port, key, value, args.json)))
