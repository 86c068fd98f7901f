"""Install or update the firmware on a Pico."""

import datetime
import json
import sys
from argparse import ArgumentParser, Namespace
from functools import partial

from nimatron_host import options
from nimatron_sim.text_encoding import escaped_print


@options.value
def _time(word: str) -> datetime.time:
    try:
        return datetime.datetime.strptime(word, "%H:%M").time()
    except ValueError:
        raise ValueError(f"{word} is not a time such as 18:30") from None


def add(parser: ArgumentParser) -> None:
    options.add_port(parser)
    options.add(parser, "--dry-run", "only list the files to send")
    options.add(parser, "--any-board", "continue even if the board lacks pins")
    to = "only write the files into FOLDER, with a package.json for `mpremote mip install`"
    options.add(parser, "--to FOLDER", to)
    systemd = parser.add_mutually_exclusive_group()
    unit = "only print the systemd unit that deploys once, with these options"
    options.add(systemd, "--unit", unit)
    timer = "only print the systemd timer that starts that unit each day at this time"
    options.add(systemd, "--timer HH:MM", timer, type=_time)
    options.add_json(parser, "; progress goes to standard error")


def run(args: Namespace) -> None:
    if args.unit or args.timer:
        from nimatron_host import units

        print(
            units.deploy_timer(args.timer) if args.timer else units.deploy_unit(args.typed), end=""
        )
        return
    if args.to:
        from nimatron_host.deploy import mip_package

        print(mip_package.write(args.to))
        return
    from nimatron_host.deploy import deploy

    say = partial(escaped_print, file=sys.stderr if args.json else None)
    port = options.port(args, args.port)
    done = deploy.deploy(port, args.dry_run, say=say, any_board=args.any_board)
    if args.json:
        print(json.dumps(done))
