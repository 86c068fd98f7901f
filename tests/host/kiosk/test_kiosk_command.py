"""`nimatron kiosk`: the kept tokens, the printed addresses, and the poster."""

import asyncio
import json
import re
import socket
import stat
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import segno

from nimatron_host.cli import main
from nimatron_host.kiosk import addresses, browser, launch, state_files, tokens
from nimatron_host.kiosk.connections import OperatorConnection
from nimatron_host.kiosk.served_table import Kiosk
from nimatron_host.kiosk.server import Application
from nimatron_host.kiosk.tables import Tables
from nimatron_host.kiosk.tokens import Tokens
from nimatron_host.live import on_tier
from nimatron_sim.errors import UserError

OPEN = {"host": "0.0.0.0"}
SAME = json.dumps(dict.fromkeys(("visitor", "operator"), "the-same-for-both"))


def test_tokens_are_made_once_and_private(tmp_path):
    folder = tmp_path / "state"
    made = tokens.load(folder)
    assert len(made.visitor) >= 16 and len(made.operator) >= 24 and made.visitor != made.operator
    assert tokens.load(folder) == made
    assert stat.S_IMODE((folder / tokens.FILE).stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert [path.name for path in folder.iterdir()] == [tokens.FILE]


def test_new_tokens_are_kept_once_the_server_listens(tmp_path, monkeypatch):
    old = tokens.load(tmp_path)
    where = launch.Where(folder=tmp_path, anew=True, **OPEN)
    served = []

    async def serve(tables, host, port, ready, *_):
        assert tokens.load(tmp_path) == old
        served.append(tables.first.tokens)
        ready(port)

    monkeypatch.setattr(launch, "serve", serve)
    launch.kiosk("sim", where, [])
    assert tokens.load(tmp_path) == served[0] != old


def test_a_port_in_use_revokes_no_tokens(tmp_path, capsys):
    old = tokens.load(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert main(["kiosk", "--state", str(tmp_path), "--port", port, "--new-tokens"]) == 1
    why = f"port {port} is in use by another program. Try another one with --port"
    assert capsys.readouterr().err == f"nimatron: {why}\n"
    assert tokens.load(tmp_path) == old


def test_a_poster_revokes_no_tokens(tmp_path, capsys):
    old = tokens.load(tmp_path)
    file = tmp_path / "poster.html"
    words = ["kiosk", "--state", str(tmp_path), "--host", "0.0.0.0", "--poster", str(file)]
    assert main([*words, "--new-tokens"]) == 2
    said = capsys.readouterr().err
    assert "Start the kiosk once with --new-tokens" in said and said.count("\n") == 1
    assert tokens.load(tmp_path) == old and not file.exists()


@pytest.mark.parametrize("kept", [False, True])
def test_one_token_for_both_roles_is_refused(tmp_path, kept, capsys):
    token = tokens.load(tmp_path).operator if kept else "the-same-for-both"
    words = ["kiosk", "--state", str(tmp_path), "--token", token]
    assert main([*words, *([] if kept else ["--operator-token", token])]) == 1
    said = capsys.readouterr().err
    assert "Choose two different ones" in said and said.count("\n") == 1
    assert token not in said


def test_no_token_looks_like_an_option(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("secrets.token_urlsafe", lambda count: "-x" * count)
    token = tokens.load(tmp_path).operator
    assert main(["kiosk", "--state", str(tmp_path), "--token", token]) == 1
    assert "Choose two different ones" in capsys.readouterr().err


def test_chosen_tokens_are_not_written_down(tmp_path):
    chosen = Tokens("chosen-by-somebody", "chosen-by-operator")
    assert tokens.load(tmp_path, chosen) == chosen
    assert not list(tmp_path.iterdir())
    half = tokens.load(tmp_path, Tokens(visitor="chosen-by-somebody"))
    assert half.visitor == "chosen-by-somebody"
    assert "chosen" not in (tmp_path / tokens.FILE).read_text()


@pytest.mark.parametrize(
    "token", ["museum", "", "has a space in it", "with\ttab-in-it", "ümläute-are-no"]
)
def test_a_token_that_is_easily_guessed_is_refused(tmp_path, token):
    with pytest.raises(UserError, match="a token has 12 or more"):
        tokens.load(tmp_path, Tokens(visitor=token))


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"visitor": 1, "operator": null}', SAME, "\0"])
def test_a_spoilt_file_stops_no_exhibit(tmp_path, text, caplog):
    (tmp_path / tokens.FILE).write_text(text)
    made = tokens.load(tmp_path, strict=False)
    assert made.visitor and made.operator
    assert "Delete it to have new ones made" in caplog.text
    assert (tmp_path / tokens.FILE).read_text() == text


def test_tokens_of_another_user_are_one_line_that_says_what_to_do(tmp_path, caplog, monkeypatch):
    path = tmp_path / tokens.FILE
    path.write_text("{}")

    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_text", refuse)
    monkeypatch.setattr(Path, "owner", lambda _: "caretaker")
    assert tokens.load(tmp_path, strict=False).operator
    (said,) = [record.getMessage() for record in caplog.records]
    assert said == (
        f"no permission to read {path}, which belongs to caretaker: run this as caretaker, or "
        "choose another folder with --state DIR. These tokens are for this start only"
    )
    monkeypatch.setattr(Path, "owner", refuse)
    assert tokens.load(tmp_path, strict=False).operator
    assert "belongs to another user" in caplog.text


def test_no_poster_is_written_with_tokens_that_are_not_kept(tmp_path, capsys):
    (tmp_path / tokens.FILE).write_text("{}")
    file = tmp_path / "poster.html"
    words = ["kiosk", "--state", str(tmp_path), "--host", "0.0.0.0", "--poster", str(file)]
    assert main(words) == 1
    said = capsys.readouterr().err
    assert "Delete it to have new ones made" in said and said.count("\n") == 1
    assert not file.exists()


def test_matches_of_another_user_are_one_line(tmp_path, capsys, monkeypatch):
    def refuse(_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "exists", refuse)
    assert main(["matches", "--state", str(tmp_path)]) == 1
    said = capsys.readouterr().err
    assert "cannot read" in said and "Permission denied" in said and said.count("\n") == 1


def test_where_things_are_kept(tmp_path, monkeypatch):
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert state_files.folder(None).name == "nimatron"
    monkeypatch.setenv("STATE_DIRECTORY", "/var/lib/nimatron:/var/lib/other")
    assert state_files.folder(None) == Path("/var/lib/nimatron")
    assert state_files.folder(tmp_path) == tmp_path


def test_a_token_comes_as_an_option_from_a_file_or_from_the_environment(tmp_path, monkeypatch):
    (tmp_path / "token").write_text("from-a-file-of-mine\n")
    monkeypatch.setenv("NIMATRON_TOKEN", "from-the-environment")
    assert tokens.chosen(None, None, "NIMATRON_TOKEN") == "from-the-environment"
    assert tokens.chosen("from-the-command-line", None, "NIMATRON_TOKEN").endswith("line")
    assert tokens.chosen(None, tmp_path / "token", "NIMATRON_TOKEN").endswith("mine")
    with pytest.raises(UserError, match="cannot read a token"):
        tokens.chosen(None, tmp_path / "none", "NIMATRON_TOKEN")


@pytest.mark.parametrize(
    ("where", "needs_token"),
    [
        ({}, False),
        (OPEN, True),
        ({"public": "https://nim.example.org/"}, True),
        (OPEN | {"spectate": True}, False),
    ],
)
def test_token_is_needed_behind_a_proxy(tmp_path, where, needs_token):
    made = launch.Where(folder=tmp_path, **where).tokens()
    assert bool(made.visitor) == needs_token and made.operator


# ---------------------------------------------------------------------- addresses


def test_the_printed_addresses_work_from_a_phone(monkeypatch):
    class Ip:
        def __init__(self, ip):
            self.ip = ip
            self.is_IPv4 = isinstance(ip, str)

    class Adapter:
        ips = tuple(
            Ip(ip)
            for ip in (
                "127.0.0.1",
                "192.168.4.1",
                "169.254.3.2",
                ("fe80::1", 0, 2),
                ("fd00::7", 0, 0),
                ("::1", 0, 0),
            )
        )

    monkeypatch.setattr("ifaddr.get_adapters", lambda: [Adapter])
    monkeypatch.setattr(addresses.socket, "gethostname", lambda: "booth")
    assert addresses.urls("0.0.0.0", 80) == ["http://192.168.4.1:80/"]
    assert addresses.urls("::", 80) == ["http://192.168.4.1:80/", "http://[fd00::7]:80/"]
    assert addresses.urls("192.168.4.1", 8000) == ["http://192.168.4.1:8000/"]
    Adapter.ips = ()
    assert addresses.urls("0.0.0.0", 80) == ["http://booth:80/"]


@pytest.mark.parametrize("host", ["::", "0.0.0.0", "127.0.0.1"])
async def test_each_printed_address_is_served(host):
    if host == "::" and not _has_ipv6():
        pytest.skip("this computer has no IPv6")
    served = Application(Tables(Kiosk(on_tier("sim"), []), None), host)
    port = await served.listen(host, 0)
    try:
        where = launch.Where(host=host)
        for url in {where.local_url(port), *where.urls(port)} - {None}:
            line, asking = await asyncio.open_connection(urlsplit(url).hostname, port)
            asking.write(b"GET / HTTP/1.0\r\n\r\n")
            assert (await line.read()).startswith(b"HTTP/1.")
            asking.close()
            await asking.wait_closed()
    finally:
        await served.close()


def _has_ipv6():
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6):
            return True
    except OSError:
        return False


@pytest.mark.parametrize(
    ("where", "first", "says"),
    [
        (OPEN, "http://127.0.0.1:8000/", True),
        ({"host": "::"}, "http://[::1]:8000/", True),
        (OPEN | {"spectate": True}, "http://127.0.0.1:8000/", False),
        (OPEN | {"public": "https://nim.example.org/"}, "https://nim.example.org/", False),
        ({"host": "192.0.2.1"}, "http://192.0.2.1:8000/", False),
    ],
)
def test_the_address_on_this_computer_comes_first(tmp_path, where, first, says, capsys):
    where = launch.Where(folder=tmp_path, **where)
    launch._announce(where, where.tokens(), 8000)
    said = capsys.readouterr().out
    assert said.startswith(f"Nimatron is at {first}.")
    assert ("On this computer, that page can play." in said) == says


@pytest.mark.parametrize(
    ("terminal", "spoilt"), [(True, None), (False, None), (False, ""), (False, "{}")]
)
def test_tokens_are_printed_on_a_terminal_or_their_file_is_named(
    tmp_path, terminal, spoilt, capsys, monkeypatch
):
    if spoilt is not None:
        (tmp_path / tokens.FILE).write_text(spoilt)
    where = launch.Where(folder=tmp_path, **OPEN)
    made = where.tokens()
    monkeypatch.setattr("sys.stdout.isatty", lambda: terminal)
    launch._announce(where, made, 8000)
    said = capsys.readouterr().out
    assert (made.visitor in said, made.operator in said) == (terminal, terminal)
    named = f"The tokens are in {tmp_path / tokens.FILE}" in said
    assert named == (spoilt is None and not terminal)


def test_no_token_is_on_the_browsers_command_line(monkeypatch):
    started = []
    monkeypatch.setattr(browser.shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(browser.subprocess, "Popen", lambda words, **_: started.append(words))
    window = browser.Browser()
    assert window.open('http://127.0.0.1:8000/#token="secret&')
    (words,) = started
    assert "secret" not in " ".join(words)
    page = Path(words[-1].removeprefix("file://"))
    assert stat.S_IMODE(page.stat().st_mode) == 0o600
    assert stat.S_IMODE(page.parent.stat().st_mode) == 0o700
    assert "url=http://127.0.0.1:8000/#token=&quot;secret&amp;" in page.read_text()
    window.close()
    assert not page.exists()


# ---------------------------------------------------------------------- the poster


def test_a_poster_has_the_rules_a_code_and_the_whole_address(tmp_path, capsys, monkeypatch):
    coded, make = [], segno.make
    monkeypatch.setattr(segno, "make", lambda url, **how: coded.append(url) or make(url, **how))
    file = tmp_path / "poster.html"
    words = ["kiosk", "--state", str(tmp_path), "--url", "https://nim.example.org"]
    assert main([*words, "--poster", str(file)]) == 0
    assert "leads to https://nim.example.org/." in capsys.readouterr().out
    page = file.read_text()
    token = json.loads((tmp_path / tokens.FILE).read_text())["visitor"]
    assert "Switch off the last lamp and you lose." in page and "<svg" in page
    assert coded == [f"https://nim.example.org/#token={token}"] and f"{coded[0]}<" in page
    assert not re.search(r'(src|href)="', page)  # it prints without a network


def test_a_poster_begins_with_the_language_of_the_pages(tmp_path):
    file = tmp_path / "poster.html"
    words = ["kiosk", "--state", str(tmp_path), "--url", "https://nim.example.org"]
    state_files.Pages(tmp_path / state_files.PAGES).change("language", "fr")
    for more, first in (([], "fr"), (["--language", "de"], "de")):
        assert main([*words, "--poster", str(file), *more]) == 0
        assert f'<html lang="{first}">' in file.read_text()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--url", "nim.example.org"], "is not a URL such as"),
        (["--poster", "poster.html"], "Add --host 0.0.0.0 or --url URL"),
        (["--quiet", "22-8"], "is not two times"),
        (["--quiet", "25:00-08:00"], "impossible time"),
        (["--quiet", "18:00-18:00"], "never quiet"),
        (["--token", "short"], "a token has 12 or more"),
        (["--token", "long-enough-token", "--token-file", "x"], "not allowed with"),
        (["--on", "/dev/nowhere"], "the port /dev/nowhere does not exist"),
        (["--host", "nowhere.invalid", "--port", "0"], "cannot serve nowhere.invalid"),
    ],
)
def test_what_cannot_be_is_one_line(words, said, capsys):
    assert main(["kiosk", *words]) in (1, 2)
    err = capsys.readouterr().err
    assert said in err and err.count("\n") == 1


@pytest.mark.parametrize(
    ("on", "kept", "begins", "standard"),
    [
        ("sim", "{}", "45000", "45000"),
        ("sim", '{"verdict_ms": "5000"}', "5000", "45000"),
        ("/dev/ttyACM0", "{}", None, "8000"),  # which keeps the firmware's own default
    ],
)
def test_the_result_stays_until_it_is_read_or_as_long_as_the_operator_wants(
    tmp_path, monkeypatch, on, kept, begins, standard
):
    (tmp_path / "settings.json").write_text(kept)
    seen = []

    def on_tier(_, settings, **how):
        seen.append(str(settings["verdict_ms"]))
        return lambda *_: None

    async def serve(tables, *_):
        for control in OperatorConnection(tables, None, None)._operator.seen()["controls"]:
            if control["name"] == "verdict_ms":
                seen.append(control["default"])

    monkeypatch.setattr(launch, "on_tier", on_tier)
    monkeypatch.setattr("nimatron_host.device.real_pico.at", lambda port: lambda *_: None)
    monkeypatch.setattr(launch, "serve", serve)
    launch.kiosk(on, launch.Where(folder=tmp_path), [])
    assert seen == [*filter(None, [begins]), standard]
