"""`nimatron kiosk`: the machine on a web page."""

import asyncio
import contextlib
import logging
import sys
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock

from nimatron import settings
from nimatron_host.fleet.broker import Broker
from nimatron_host.fleet.command import host
from nimatron_host.kiosk import addresses, matches, state_files
from nimatron_host.kiosk.browser import Browser
from nimatron_host.kiosk.matches import Matches
from nimatron_host.kiosk.poster import poster
from nimatron_host.kiosk.served_table import Kiosk
from nimatron_host.kiosk.server import serve
from nimatron_host.kiosk.sparing_log import Brief, Sparing
from nimatron_host.kiosk.tables import EACH, MOST, Tables
from nimatron_host.kiosk.tokens import FILE, NONE, Tokens, are_kept, keep_if_possible, link
from nimatron_host.kiosk.tokens import load as load_tokens
from nimatron_host.kiosk.tokens import made as new_tokens
from nimatron_host.live import Connect, InLoop, on_tier
from nimatron_play.surroundings import DEFAULTS
from nimatron_sim import backends
from nimatron_sim.errors import UsageError, UserError
from nimatron_sim.lock_file import hold
from nimatron_wiring.fault_place import fault_place
from pico_testbench.models import PICO

_LOCK = "kiosk.lock"


@dataclass
class Where:
    """The address of the page, and its permitted users.

    public: the URL of the page behind a proxy.
    tables, tables_each: the largest number of tables, in total and for each address.
    site: the folder from `nimatron site`, for pages that get no table.
    token, operator_token: tokens that the user has chosen.
    anew: True to revoke the kept tokens once the server listens.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    public: str | None = None
    spectate: bool = False
    folder: Path | None = None
    tables: int = MOST
    tables_each: int = EACH
    site: Path | None = None
    token: str | None = None
    operator_token: str | None = None
    anew: bool = False

    @property
    def open(self) -> bool:
        """Return True if other computers can reach the page."""
        return bool(self.public) or not addresses.is_loopback(self.host)

    def tokens(self, made: Tokens = NONE, strict: bool = False) -> Tokens:
        """Return the tokens to use: the chosen tokens, else the new tokens in `made`, else the
        kept tokens. Missing tokens are created. Raises UserError if both are equal. If tokens
        cannot be kept, a `strict` call raises UserError. Otherwise they are for this start
        only."""
        given = Tokens(self.token or made.visitor, self.operator_token or made.operator)
        used = load_tokens(state_files.folder(self.folder), given, strict)
        if used.visitor == used.operator:
            raise UserError(
                "the visitors' token is also the operator's, so visitors could open the "
                "operator's page. Choose two different ones"
            )
        return Tokens(used.visitor if self.open and not self.spectate else None, used.operator)

    def urls(self, port: int) -> list[str]:
        return [self.public] if self.public else addresses.urls(self.host, port)

    def local_url(self, port: int) -> str | None:
        """Return the URL at which a browser on this computer can play without a token, although
        other computers need a token."""
        if self.public or self.host not in addresses.ANYWHERE:
            return None
        return addresses.url(addresses.ANYWHERE[self.host], port)


def kiosk(
    on: str,
    where: Where,
    lines: list[str],
    browser: bool = False,
    board: str = PICO,
    image: Path | None = None,
    broker: Broker | None = None,
    allowed: Collection[str] = (),
    **page: Any,
) -> None:
    """Serve the page until the server is stopped.

    on: a backend, or the port of a real Pico.
    board: the board of a simulated Pico.
    image: the image for an emulated Pico.
    broker: the broker to which the machine reports.
    allowed: see fleet.topics.refusal.
    page: other arguments for Kiosk, by name.

    Raises UserError.
    """
    _log()
    if where.site and not (where.site / "index.html").is_file():
        raise UserError(f"{where.site} has no index.html. Write it: nimatron site {where.site}")
    made = new_tokens() if where.anew else NONE
    folder = state_files.folder(where.folder)
    lock = _lock(folder)
    tokens = where.tokens(made)
    virtual = on in (backends.SIM, backends.EMULATOR)
    saved = state_files.Settings(folder / state_files.SETTINGS) if virtual else None
    page |= {
        "tokens": tokens,
        "matches": Matches(folder / matches.FILE),
        "pages": state_files.Pages(folder / state_files.PAGES),
    }
    first = Kiosk(
        _connect(on, board, image, saved),
        lines,
        where.spectate,
        kept=saved,
        defaults=dict(DEFAULTS) if virtual else None,
        place=fault_place,
        places=2 if on == backends.SIM else 1,
        public=True,
        **page,
    )

    def another() -> Kiosk:
        simulated = on if on == backends.SIM else ""
        settings = DEFAULTS | (saved.values if saved and simulated else {})
        board_of = board if simulated else PICO
        connect = on_tier(backends.SIM, InLoop, board=board_of, settings=settings)
        return Kiosk(connect, lines, first=False, **page)

    all_tables = Tables(first, another, where.tables, where.tables_each)
    opened = Browser()

    def ready(port: int) -> None:
        all_tables.link = where.urls(port)[0]
        if where.anew:  # not earlier: another kiosk may be using the port and the old tokens
            keep_if_possible(folder, made)
        _announce(where, tokens, port)
        if browser:
            url = addresses.url(addresses.ANYWHERE.get(where.host, where.host), port)
            if not opened.open(link(url, tokens.visitor)):
                print("No browser was found. Open the page in a browser of your choice.")
        sys.stdout.flush()

    try:
        serving = serve(all_tables, where.host, where.port, ready, where.public, where.site)
        if not broker:
            asyncio.run(serving)
        else:
            from nimatron_host.kiosk.mqtt import report  # needs the extra `fleet`

            name = f"{host()}-{where.port}"
            asyncio.run(report(serving, all_tables, broker, folder, name, allowed, virtual))
    finally:
        opened.close()
        if lock:
            lock.release()


def _lock(folder: Path) -> FileLock | None:
    """Lock `folder` against other kiosks. Raises UserError if another kiosk uses it. If the folder
    cannot be used, return None. A later message about the tokens reports this."""
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        return hold(
            folder / _LOCK, f"another `nimatron kiosk` uses {folder}. Give each a separate --state"
        )
    return None


def write_poster(where: Where, path: Path, game: str, rule: str, language: str = "") -> str:
    """Write the poster to `path`. Return a message for the operator. Raises UserError."""
    if not where.open:
        raise UsageError(
            "a poster needs an address that phones can reach. Add --host 0.0.0.0 or --url URL"
        )
    if where.anew:
        raise UsageError(
            "--poster starts no kiosk, so it revokes no tokens. Start the kiosk once with "
            "--new-tokens, then write the poster without it"
        )
    _log()
    urls = where.urls(where.port)
    visitor = where.tokens(strict=not where.token).visitor
    language = (
        language
        or state_files.Pages(state_files.folder(where.folder) / state_files.PAGES).language
    )
    page = poster(link(urls[0], visitor), game, rule != settings.RULES[1], language)
    try:
        path.write_text(page, encoding="utf-8")
    except OSError as why:
        raise UserError(f"cannot write {path}: {why.strerror}") from None
    more = "; another one with --url" if len(urls) > 1 else ""
    return f"{path} leads to {urls[0]}{more}. Open it in a browser and print it."


def _log() -> None:
    """Log to standard error with the sparing log."""
    handler = logging.StreamHandler()
    handler.addFilter(Sparing())
    handler.setFormatter(Brief("nimatron: %(message)s"))
    logging.basicConfig(handlers=[handler])


def _announce(where: Where, tokens: Tokens, port: int) -> None:
    """Print the address of the page. Tokens are printed to a terminal only, not to a log."""
    urls, local = where.urls(port), where.local_url(port)
    first, *others = [*([local] if local else []), *urls]
    both = " It listens on IPv6 and IPv4." if where.host == "::" else ""
    print(f"Nimatron is at {first}. To stop it, press Ctrl-C.{both}")
    if local and not where.spectate:
        print("On this computer, that page can play. Other devices only watch, without a token.")
    for url in others:
        print(f"It is also at {url}")
    if not sys.stdout.isatty():
        folder = state_files.folder(where.folder)
        if are_kept(folder, tokens):
            print(f"The tokens are in {folder / FILE}")
        return
    if tokens.visitor:
        watch = "" if local else "That page can only watch. "
        print(f"{watch}Link for players: {link(urls[0], tokens.visitor)}")
    print(f"The operator's page: {link(first + 'operator/', tokens.operator)}")


def _connect(
    on: str, board: str, image: Path | None, saved: state_files.Settings | None
) -> Connect:
    if saved:
        backends.check(on, image)
        settings = DEFAULTS | saved.values
        return on_tier(on, board=board, image_file=image, settings=settings)
    from nimatron_host.device import real_pico

    return real_pico.at(on)
