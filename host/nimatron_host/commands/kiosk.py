"""Play on a web page, or show a real Pico on one."""

import sys
from argparse import ArgumentParser, Namespace

from nimatron_host import options
from nimatron_play import words
from nimatron_play.surroundings import DEFAULTS

_HERE = ("127.0.0.1", "localhost", "::1")
_NO_PHONES = (
    "no phone will reach this service, only a browser on its own computer. "
    "To serve phones, put --host 0.0.0.0 before --unit"
)


@options.value
def _hours(word: str) -> object:
    from nimatron_host.kiosk import state_files

    return state_files.quiet_hours(word)


def add(parser: ArgumentParser) -> None:
    options.add_match(parser, f"{DEFAULTS['level']}. A real Pico: its setting")
    where = "a simulated Pico (default), an emulated Pico, or the port of a real Pico"
    options.add(parser, "--on sim|emulator|PORT", where, default="sim")
    options.add_board(parser)
    options.add_image(parser)
    others = "also serve other computers, which need an access token to play"
    options.add(parser, "--host HOST", others, default="127.0.0.1")
    port = "the TCP port to serve on"
    options.add(parser, "--port N", port, type=options.port_number, default=8000)
    url = "the page's address behind a proxy, with TLS or not"
    options.add(parser, "--url URL", url, type=options.url)
    tables = "the largest number of tables: each page has a table"
    options.add(parser, "--tables N", tables, default=200)
    options.add(
        parser, "--tables-each N", "the largest number of tables for one address", default=60
    )
    site = "the folder from `nimatron site`: pages that get no table play there"
    options.add(parser, "--site FOLDER", site)
    options.add(parser, "--spectate", "let pages only watch, not play")
    language = "the language of a new page, by default the language of the browser"
    options.add(parser, "--language", language, choices=words.codes())
    options.add(parser, "--quiet HH:MM-HH:MM", "hours in which the page is silent", type=_hours)
    options.add(parser, "--kiosk-browser", "also open a full-screen browser")
    options.add_state(parser)
    options.add_broker(parser)
    for who, does in (("", "lets visitors play"), ("operator-", "opens the operator's page")):
        given = parser.add_mutually_exclusive_group()
        token = (
            f"the access token that {does}, by default the token in the environment variable "
            f"{_token_variable(who)}, or else in DIR"
        )
        options.add(given, f"--{who}token TEXT", token)
        options.add(given, f"--{who}token-file FILE", "read that token from FILE")
    options.add(parser, "--new-tokens", "revoke the access tokens in DIR, and make new ones")
    poster = "only write an HTML page to print, with the rules and a QR code"
    options.add(parser, "--poster FILE", poster)
    unit = "only print the systemd unit that starts the kiosk at boot, with these options"
    options.add(parser, "--unit", unit)


def run(args: Namespace) -> None:
    lines = options.match(args)
    board, image = options.tier(args)
    broker = options.broker(args)
    if args.unit:
        from nimatron_host import units

        units.show(args, "nimatron-kiosk", "Nimatron on a web page", "nimatron")
        if args.host in _HERE and not args.url:
            print(f"nimatron: {_NO_PHONES}", file=sys.stderr)
        return
    from nimatron_host.kiosk import launch, tokens  # aiohttp takes a while to import

    def token(who: str) -> str | None:
        name = f"{who}token".replace("-", "_")
        text, file = getattr(args, name), getattr(args, f"{name}_file")
        return tokens.chosen(text, file, _token_variable(who))

    where = launch.Where(
        args.host,
        args.port,
        args.url,
        args.spectate,
        args.state,
        args.tables,
        args.tables_each,
        args.site,
        token(""),
        token("operator-"),
        args.new_tokens,
    )
    if args.poster:
        game, language = args.game or "nim", args.language or ""
        print(launch.write_poster(where, args.poster, game, args.rule, language))
        return
    launch.kiosk(
        args.on,
        where,
        lines,
        args.kiosk_browser,
        board,
        image,
        broker,
        args.allow,
        language=args.language or "",
        quiet=args.quiet,
    )


def _token_variable(who: str) -> str:
    return f"NIMATRON_{who}TOKEN".replace("-", "_").upper()
