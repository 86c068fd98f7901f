"""What the kiosk keeps from one start to the next, and where."""

import csv
import json
import logging
import os
import sys
from pathlib import Path

from platformdirs import user_state_path

from nimatron_host.columns import aligned
from nimatron_host.kiosk import matches, tokens
from nimatron_host.kiosk.tokens import Tokens
from nimatron_sim.errors import UserError

_ONLY_NOW = "%s; these tokens are for this start only"

log = logging.getLogger("nimatron.kiosk")


def folder(given: Path | None) -> Path:
    """Where: as given, or where systemd says (StateDirectory=), or where this user's programs keep
    such things."""
    if given:
        return given
    if systemd := os.environ.get("STATE_DIRECTORY"):
        return Path(systemd.partition(":")[0])
    return user_state_path("nimatron", appauthor=False)


def given_token(text: str | None, file: Path | None, variable: str) -> str | None:
    """A token that somebody has chosen: as an option, in a file, or in the environment."""
    if file:
        try:
            text = file.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as why:
            raise UserError(f"cannot read a token from {file}: {why}") from None
    text = text or os.environ.get(variable)
    if text:
        tokens.check(text)
    return text or None


def load_tokens(where: Path, given: Tokens) -> Tokens:
    """The tokens kept in the folder `where`; if it cannot be used, ones for this start only."""
    try:
        return tokens.load(where, given)
    except UserError as why:
        log.warning(_ONLY_NOW, why)
        made = tokens.made()
        return Tokens(given.visitor or made.visitor, given.operator or made.operator)


def are_kept(where: Path, used: Tokens) -> bool:
    """True if somebody who reads the file in the folder `where` finds a token that is in use."""
    try:
        text = (where / tokens.FILE).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return False
    return any(token in text for token in (used.visitor, used.operator) if token)


def keep_tokens(where: Path, made: Tokens) -> None:
    """Replace the tokens kept in the folder `where`; if it cannot be used, the log says so."""
    try:
        tokens.keep(where, made)
    except UserError as why:
        log.warning(_ONLY_NOW, why)


def show_matches(where: Path, as_csv: bool, as_json: bool) -> None:
    """Print every match that is kept in the folder `where`; raises UserError."""
    path = where / matches.FILE
    try:
        if not path.exists():
            raise UserError(
                f"no matches are kept in {where}; `nimatron kiosk` keeps those it shows"
            )
        rows = list(matches.rows(path))
    except (matches.Error, OSError) as why:
        raise UserError(f"cannot read {path}: {why}") from None
    if as_json:
        print(json.dumps([dict(zip(matches.COLUMNS, row, strict=True)) for row in rows]))
    elif as_csv:
        sheet = csv.writer(sys.stdout, lineterminator="\n")
        sheet.writerow(matches.COLUMNS)
        sheet.writerows(rows)
    else:
        print(aligned([matches.COLUMNS, *([str(cell) for cell in row] for row in rows)]))
