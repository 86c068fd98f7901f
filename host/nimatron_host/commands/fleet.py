"""Report exhibits to an MQTT broker, and take commands from it."""

from argparse import ArgumentParser, Namespace

from nimatron_host import options

_EVENTS_KEPT = 1_000_000
_PORT = 8010


def add(parser: ArgumentParser) -> None:
    parser.description = (
        "Report exhibits to an MQTT broker, and take commands from it, until somebody "
        "ends it. What happens while the broker is away is kept on "
        f"disk. The password is in a file or in the environment's {options.MQTT_PASSWORD}. "
        "`status` instead shows all exhibits of the broker in a table, and `page` on a web page, "
        "with figures for Prometheus at /metrics."
    )
    parser.usage = (
        "%(prog)s --mqtt URL [OPTIONS] [NAME=PORT ...]\n"
        "       %(prog)s status --mqtt URL [OPTIONS]\n"
        "       %(prog)s page --mqtt URL [OPTIONS]"
    )
    parser.add_argument(
        "exhibits",
        nargs="*",
        metavar="NAME=PORT",
        help="such as hall-1=/dev/ttyACM0; by default each Pico that is plugged in, now or later",
    )
    options.add_broker(parser, required=True)
    parser.add_argument(
        "--name", metavar="NAME", help="of this bridge; by default this computer's"
    )
    options.number(
        parser, "--keep", "N", "keep the last N events while the broker is away", _EVENTS_KEPT
    )
    options.path(
        parser,
        "--state",
        "keep events in DIR; by default in this user's folder for such things",
        "DIR",
    )
    options.flag(parser, "--json", "for status: print one JSON document")
    parser.add_argument("--host", help="for page: serve other computers, too")
    parser.add_argument(
        "--port",
        type=options.port_number,
        metavar="N",
        help=f"for page: the TCP port to serve on (default: {_PORT})",
    )
    options.flag(
        parser, "--unit", "only print the systemd unit that runs this bridge, or page, at boot"
    )


def run(args: Namespace) -> None:
    from nimatron_host.fleet import command
    from nimatron_host.kiosk import kept

    where = options.broker(args)
    assert where  # --mqtt is required here
    what = args.exhibits[0] if args.exhibits in (["status"], ["page"]) else ""
    if args.json and what != "status":
        args.refuse("--json is for `nimatron fleet status`")
    if what != "page" and (args.host or args.port is not None):
        args.refuse("--host and --port are for `nimatron fleet page`")
    exhibits = {} if what else command.ports(args.exhibits)
    if args.unit:
        _show_unit(args, what)
        return
    folder = kept.folder(args.state)
    if what == "status":
        command.status(where, folder, args.json)
    elif what == "page":
        port = _PORT if args.port is None else args.port
        command.page(where, folder, args.host or "127.0.0.1", port)
    else:
        command.fleet(where, exhibits, folder, args.name, args.allow, args.keep)


def _show_unit(args: Namespace, what: str) -> None:
    from nimatron_host import units

    if what == "status":
        args.refuse("--unit is for a bridge, and for `nimatron fleet page`")
    name = "nimatron-fleet-page" if what else "nimatron-fleet"
    about = "Nimatron: a page of all exhibits" if what else "Nimatron: exhibits on MQTT"
    units.show(args, name, about, name)
