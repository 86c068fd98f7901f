"""The page that needs no server: a folder of static files, in which the real MicroPython plays the
firmware in the visitor's browser."""

import hashlib
import json
from collections.abc import Iterable
from importlib import resources
from pathlib import Path

from nimatron_sim.errors import UserError
from nimatron_sim.ui import words
from nimatron_sim.ui.kiosk import modules
from nimatron_sim.web import package
from nimatron_sim.web.bundle import bare, bundle

_PROGRAMS = "nimatron_sim.web.live_main", "nimatron_sim.web.kiosk_main"
_WORKER = "sw.js"
_PYTHONS = "python.json", f"words/{words.PLAIN}.json"  # texts that Python reads
# A page of static files can forbid itself everything but its own files.
_POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; "
    "style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; "
    "base-uri 'none'; form-action 'none'"
)
_ICONS = 192, 512  # px, as in the manifest: what phones want for a home screen
_CHARSET = '<meta charset="utf-8">'
_MANIFEST = '<link rel="manifest" href="manifest.webmanifest">'
_FROM_DISK = '<script defer src="disk.js"></script>'  # no module: those stay unread there
_PRELOADED = [f'<link rel="preload" as="fetch" href="{name}" crossorigin>' for name in _PYTHONS]
_FOLDERS = {  # in the package: where its files are in the site
    "ui/kiosk/page": "",
    "ui/kiosk/operator_page": "operator/",
    "web/page": "",
    "web/page/operator": "operator/",
}


def write(folder: Path, wasm: Path | None = None) -> dict[str, int]:
    """Write the files into a folder, which is made if it is not there; return the size of each.

    wasm: a folder with another MicroPython, see package.folder. Raises UserError.
    """
    files = _files(wasm)
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
    """Those of the files without which nobody plays; a browser keeps them at once."""
    return [_address(name) for name in sorted(files) if name != _WORKER and not _waits(name)]


def later(files: Iterable[str]) -> list[str]:
    """Those that a browser keeps when the show is on: other languages, the operator's page."""
    return [_address(name) for name in sorted(files) if _waits(name)]


def _waits(name: str) -> bool:
    plain = f"words/{words.PLAIN}.json"
    return name.startswith("operator/") or (name.startswith("words/") and name != plain)


def _address(name: str) -> str:
    """What a browser asks for."""
    return name.removesuffix("index.html") or "./"


def _files(wasm: Path | None) -> dict[str, bytes]:
    """{name: content} of all files."""
    runtime = package.folder(wasm)
    from nimatron_host import icons

    sim = resources.files("nimatron_sim")
    files = {}
    for source, target in _FOLDERS.items():
        for path in (sim / source).iterdir():
            if path.is_file():
                files[target + path.name] = path.read_bytes()
    files["pico.js"] = (sim / "web/pico.js").read_bytes()
    files["micropython.js"] = (runtime / package.SCRIPT).read_bytes()
    files["micropython.wasm"] = (runtime / package.BINARY).read_bytes()
    for size in _ICONS:
        files[f"icon-{size}.png"] = icons.png(files["icon.svg"].decode(), size)
    files["board.js"] = modules.board().encode()
    files["languages.js"] = modules.languages().encode()
    files["disk.js"] = (files["disk.js"].decode() % json.dumps(_said("site.disk"))).encode()
    files["python.json"] = json.dumps(python(), separators=(",", ":")).encode()
    for code in words.codes():
        files[f"words/{code}.json"] = (Path(words.FOLDER) / f"{code}.json").read_bytes()
    for page, script, more in (
        ("index.html", "kiosk.js", [*_PRELOADED, _MANIFEST, _FROM_DISK]),
        ("operator/index.html", "operator.js", []),
    ):
        files[page] = _without_server(files[page].decode(), script, more).encode()
    return files


def python() -> dict[str, str]:
    """{name: text} of what MicroPython reads. Of a language, it needs the name; the page itself
    loads the one that is spoken."""
    texts = {name: text for program in _PROGRAMS for name, text in bundle(program).items()}
    texts = {name: bare(text) for name, text in texts.items()}
    for code, table in words.tables().items():
        texts[f"nimatron_sim/ui/words/{code}.json"] = json.dumps({"language": table["language"]})
    return texts


def _said(key: str) -> dict[str, str]:
    """A sentence in each language, by its code."""
    return {code: words.say([words.message(key)], words.table(code)) for code in words.codes()}


def _without_server(page: str, script: str, more: list[str]) -> str:
    """A page of the kiosk, and what it needs before its own script."""
    policy = f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
    own = f'<script type="module" src="{script}"></script>'
    site = [
        '<link rel="stylesheet" href="site.css">',
        '<script type="module" src="site.js"></script>',
    ]
    page = page.replace(_CHARSET, f"{_CHARSET}\n    {policy}", 1)
    return page.replace(own, "\n    ".join([*more, *site, own]), 1)
