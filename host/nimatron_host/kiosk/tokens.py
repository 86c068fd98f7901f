"""The two tokens, one for visitors who play and one for the operator."""

import contextlib
import hmac
import json
import logging
import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from nimatron_host.kiosk import state_files
from nimatron_sim.errors import UserError

FILE = "tokens.json"
WRONG_S = 1.0  # the delay after a wrong token, which makes guessing slow
SHORTEST = 12  # the fewest characters in a chosen token
_ONLY_NOW = "%s. These tokens are for this start only"

log = logging.getLogger("nimatron.kiosk")


@dataclass(frozen=True)
class Tokens:
    """The two tokens. `visitor`, or None if every viewer may play, lets a viewer on another
    computer play. `operator`, or None if this page is disabled, opens the operator's page."""

    visitor: str | None = None
    operator: str | None = None


NONE = Tokens()


def matches(given: object, right: str | None) -> bool:
    """Return True if `given` is the right token. Return False if there is no token."""
    if right is None or not isinstance(given, str):
        return False
    return hmac.compare_digest(given.encode("utf-8", "replace"), right.encode())


def link(url: str, token: str | None) -> str:
    """Return the URL with a token, in the part that no browser sends to a server."""
    return f"{url}#token={token}" if token else url


def made() -> Tokens:
    """Return new tokens. They do not begin with a dash, because a command line would take such a
    token for an option."""
    visitor, operator = (secrets.token_urlsafe(count).replace("-", "_") for count in (12, 18))
    return Tokens(visitor, operator)


def chosen(text: str | None, file: Path | None, variable: str) -> str | None:
    """Return the token from an option, a file or the environment."""
    if file:
        try:
            text = file.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as why:
            raise UserError(f"cannot read a token from {file}: {why}") from None
    text = text or os.environ.get(variable)
    if text:
        check(text)
    return text or None


def load(folder: Path, given: Tokens = NONE, strict: bool = True) -> Tokens:
    """Return the tokens in `folder`. Missing tokens are created and written to it.

    The tokens in `given` are used instead and not written to a file. Raises UserError for a token
    that is easy to guess. If the folder cannot be used, a `strict` call raises UserError.
    Otherwise the tokens are valid for this start only.
    """
    for token in (given.visitor, given.operator):
        if token is not None:
            check(token)
    if given.visitor and given.operator:
        return given
    try:
        tokens = _read(folder / FILE)
        if not tokens:
            tokens = made()
            keep(folder, tokens)
    except UserError as why:
        if strict:
            raise
        log.warning(_ONLY_NOW, why)
        tokens = made()
    return Tokens(given.visitor or tokens.visitor, given.operator or tokens.operator)


def keep(folder: Path, tokens: Tokens) -> None:
    """Write `tokens` to `folder`, which revokes the old tokens. Raises UserError."""
    path = folder / FILE
    try:
        state_files.write(path, vars(tokens))
    except OSError as why:
        raise UserError(f"cannot keep tokens in {path}: {why.strerror}") from None


def keep_if_possible(folder: Path, tokens: Tokens) -> None:
    """Write `tokens` to `folder`. If it cannot be used, the log reports this."""
    try:
        keep(folder, tokens)
    except UserError as why:
        log.warning(_ONLY_NOW, why)


def are_kept(folder: Path, used: Tokens) -> bool:
    """Return True if the file in `folder` contains a token that is in use."""
    try:
        text = (folder / FILE).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return False
    return any(token in text for token in (used.visitor, used.operator) if token)


def check(token: str) -> None:
    """Raise UserError if `token` is not a valid token."""
    if len(token) < SHORTEST or not (token.isascii() and token.isprintable()) or " " in token:
        raise UserError(
            f"a token has {SHORTEST} or more ASCII characters and no spaces. "
            "To have one made, remove it"
        )


def _owner(path: Path) -> str:
    """Return the owner of a file, or of its folder if the file does not exist."""
    for known in (path, path.parent):
        with contextlib.suppress(OSError, KeyError, NotImplementedError):
            return known.owner()
    return "another user"


def _read(path: Path) -> Tokens | None:
    """Return the tokens in a file, or None if it does not exist."""
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        tokens = Tokens(values["visitor"], values["operator"])
        for token in (values["visitor"], values["operator"]):
            check(token)
        if tokens.visitor == tokens.operator:
            raise ValueError
        return tokens
    except FileNotFoundError:
        return None
    except PermissionError:
        owner = _owner(path)
        raise UserError(
            f"no permission to read {path}, which belongs to {owner}: run this as {owner}, "
            "or choose another folder with --state DIR"
        ) from None
    except OSError as why:
        raise UserError(f"cannot read {path}: {why.strerror}") from None
    except (ValueError, TypeError, KeyError, UserError):
        raise UserError(
            f"{path} does not hold the kiosk's tokens. Delete it to have new ones made"
        ) from None
