"""Report exhibits to an MQTT broker, and take commands from it."""

from argparse import ArgumentParser, Namespace

from nimatron_host import options

_EVENTS_KEPT = 1_000_000


def add(parser: ArgumentParser) -> None:
    parser.description = (
        "Report exhibits to an MQTT broker and take commands from it, until you end the program. "
        "While the broker is away, events are kept on disk. The password is in a file, or in the "
        f"environment variable {options.MQTT_PASSWORD}."
    )
    exhibits = (
        "a name and a port, such as hall-1=/dev/ttyACM0. By default, all Picos that are plugged "
        "in, now or later"
    )
    options.add(parser, "exhibits* NAME=PORT", exhibits)
    options.add_broker(parser, required=True)
    options.add(
        parser, "--name NAME", "the name of this bridge, by default the name of this computer"
    )
    keep = f"keep the last N events while the broker is away (default: {_EVENTS_KEPT:_})"
    options.add(parser, "--keep N", keep, default=_EVENTS_KEPT)
    options.add_state(parser, "events")
    options.add(parser, "--unit", "only print the systemd unit that runs this bridge at boot")


def run(args: Namespace) -> None:
    from nimatron_host import units
    from nimatron_host.fleet import command
    from nimatron_host.kiosk import state_files

    where = options.broker(args)
    assert where  # this command requires --mqtt
    exhibits = command.ports(args.exhibits)
    if args.unit:
        units.show(args, "nimatron-fleet", "Nimatron: exhibits on MQTT", "nimatron-fleet")
        return
    folder = state_files.folder(args.state)
    command.fleet(where, exhibits, folder, args.name, args.allow, args.keep)
