"""List the matches played at `nimatron kiosk`."""

import csv
import json
import sys
from argparse import ArgumentParser, Namespace

from nimatron_host import options
from nimatron_host.output import aligned
from nimatron_sim.errors import UserError


def add(parser: ArgumentParser) -> None:
    options.add_state(parser)
    listed = parser.add_mutually_exclusive_group()
    options.add_json(listed)
    options.add(listed, "--csv", "print CSV, for a spreadsheet")


def run(args: Namespace) -> None:
    from nimatron_host.kiosk import matches, state_files

    folder = state_files.folder(args.state)
    path = folder / matches.FILE
    try:
        if not path.exists():
            raise UserError(
                f"no matches are kept in {folder}. `nimatron kiosk` keeps the matches played at it"
            )
        rows = list(matches.rows(path))
    except (matches.Error, OSError) as why:
        raise UserError(f"cannot read {path}: {why}") from None
    if args.json:
        print(json.dumps([dict(zip(matches.COLUMNS, row, strict=True)) for row in rows]))
    elif args.csv:
        sheet = csv.writer(sys.stdout, lineterminator="\n")
        sheet.writerow(matches.COLUMNS)
        sheet.writerows(rows)
    else:
        print(aligned([matches.COLUMNS, *([str(cell) for cell in row] for row in rows)]))
