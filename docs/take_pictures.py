"""The pictures of the README and of the site: `make pictures` writes them to docs/pictures.

Chromium takes the pictures of the page, and one picture is animated. The terminal draws panel.svg.
"""

import base64
import io
import itertools
import sys
import tempfile
from datetime import datetime, timedelta
from pathlib import Path

import pypdfium2
import test_terminal
from PIL import Image
from test_kiosk_desk import TOKEN
from test_kiosk_matches import NOW, match
from test_kiosk_page import click, lamp, rows, shown, until

import diagrams
import nimatron_host
from chromium import open_browser, wait_until
from nimatron import bouton
from nimatron_host.kiosk.matches import Matches
from nimatron_host.kiosk.state_files import Pages
from nimatron_host.theory import handout
from served_kiosk import Served

SITE = Path(nimatron_host.__file__).parent / "site/page"
PREVIEW = 1200, 630  # px: the size that the services with previews recommend
ICONS = 192, 512  # px: the sizes in the manifest
WIDE, TABLET, PHONE = (1200, 750), (810, 1080), (390, 844)
MATCH_MS, PAUSE_MS = 9000, 1500  # the length of the animation, and of its last frame


def main(folder):
    diagrams.write(folder)
    (folder / "panel.svg").write_text(test_terminal.picture(), encoding="utf-8")
    with open_browser() as browser:
        icons(browser)
        moving(browser, folder / "match.webp")
        served = Served(["new 1 3 5 7"])
        pages = [three_picked(browser, served, size) for size in (WIDE, TABLET, PHONE)]
        shoot(pages[0], folder / "kiosk.webp")
        preview(folder / "kiosk.webp")
        shoot(pages[2], folder / "kiosk-phone.webp")
        together([image_of(page) for page in pages], folder / "sizes.webp")
        explained(browser, served, folder / "kiosk-why.webp")
        served.stop()
        operators(browser, folder / "kiosk-operator.webp")
    first_page_of_the_handout(folder / "handout.webp")


def icons(browser):
    """Draw the icon for phones whose home screen does not support SVG."""
    svg = (SITE.parents[1] / "kiosk/page/icon.svg").read_text(encoding="utf-8")
    for size in ICONS:
        page = browser.new_page(viewport={"width": size, "height": size})
        page.set_content(f"<style>body {{ margin: 0 }} svg {{ display: block }}</style>{svg}")
        page.screenshot(path=SITE / f"icon-{size}.png", omit_background=True)
        page.close()


def preview(path):
    """Cut the picture of a share preview out of a picture of the page."""
    with Image.open(path) as picture:
        picture.crop((0, 0, *PREVIEW)).save(SITE / "preview.webp", quality=80)


def first_page_of_the_handout(path):
    with tempfile.TemporaryDirectory() as folder:
        pdf = Path(folder) / "handout.pdf"
        handout.write(pdf, seed=1, paper="A4", language="en")
        page = pypdfium2.PdfDocument(pdf.read_bytes())[0].render(scale=0.9).to_pil()
    page.save(path, quality=80, method=6)


def opened(browser, url, size, scale=1.0):
    width, height = size
    page = browser.new_context(
        viewport={"width": width, "height": height}, device_scale_factor=scale, locale="en-US"
    ).new_page()
    page.goto(url)
    return page


def three_picked(browser, served, size):
    """Return a page with the last row's last three lamps picked. The mouse points at no lamp."""
    page = opened(browser, served.url, size, 2 / 3 if size == WIDE else 1)
    until(page, "player")
    page.wait_for_selector(f"{lamp(25)}.live")
    page.click(lamp(25))
    page.wait_for_selector(f"{lamp(27)}.picked")
    page.mouse.move(1, 1)
    page.wait_for_timeout(1200)
    return page


def explained(browser, served, path):
    page = opened(browser, served.url, (1100, 700))
    until(page, "player")
    page.keyboard.press("h")
    page.wait_for_selector("#insight.shown")
    page.wait_for_timeout(1200)
    shoot(page, path, page.locator("#board").bounding_box())


def operators(browser, path):
    """Take a picture of the operator page after a day of matches."""
    with tempfile.TemporaryDirectory() as kept:
        matches = Matches(Path(kept) / "matches.sqlite", now=lambda: NOW)
        for hour, winners in enumerate(("mm", "mpmm", "mmmpmp", "mmm", "pmma", "mpmm"), 10):
            for minute, winner in enumerate(winners):
                won = {"m": "machine", "p": "player", "a": "abandoned"}[winner]
                level = ("perfect", "fair", "child")[minute % 3]
                ended = f"2026-11-22T{hour}:0{minute}:00"
                matches.add(match(ended, won, level=level, game=("nim", "kayles")[minute == 2]))
        latest = datetime.now() - timedelta(minutes=2, seconds=10)
        matches.add(match(latest.isoformat(timespec="seconds"), "player", game="chomp"))
        pages = Pages(Path(kept) / "pages.json")
        served = Served(operator=TOKEN, matches=matches, pages=pages)
        served.tables.link = "http://192.0.2.10:8000/"
        page = opened(browser, f"{served.url}operator/#token={TOKEN}", (1200, 790))
        page.wait_for_selector("#status.good")
        page.wait_for_selector("#today dd")
        shoot(page, path)
        served.stop()


def moving(browser, path):
    """Record a match that the visitor wins, for an animation of ten seconds."""
    served = Served(["set think_ms 700", "set lamp_ms 250", "set verdict_ms 60000", "new 1 2 4"])
    page = opened(browser, served.url, (960, 600), 2 / 3)
    until(page, "player")
    page.wait_for_timeout(800)
    frames = []
    session = page.context.new_cdp_session(page)

    def keep(frame):
        frames.append((frame["metadata"]["timestamp"], frame["data"]))
        session.send("Page.screencastFrameAck", {"sessionId": frame["sessionId"]})

    session.on("Page.screencastFrame", keep)
    session.send("Page.startScreencast", {"format": "png", "everyNthFrame": 2})

    win(page)
    page.wait_for_selector("#chute.full")
    page.wait_for_timeout(1500)
    session.send("Page.stopScreencast")
    session.detach()
    served.stop()
    animate(frames, path)


def win(page):
    """Play perfectly, and without haste, until the verdict."""
    while any(left := rows(page)):
        row, take = bouton.winning_moves(left)[0]
        for button in [f"row{row + 1}"] * take + ["go"]:
            page.wait_for_timeout(300)
            click(page, button)
        wait_until(page, lambda: shown(page)[0] != "player")
        wait_until(page, lambda: shown(page)[0] in ("player", "verdict"))


def animate(frames, path):
    """Write the frames as an animated WebP, with at most eight frames in a second."""
    start, end = frames[0][0], frames[-1][0]
    faster = MATCH_MS / 1000 / (end - start)
    kept, times = [], []
    for at, data in frames:
        ms = int(1000 * (at - start) * faster)
        if not times or ms - times[-1] >= 125:
            image = Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB")
            kept.append(image.resize((640, 640 * image.height // image.width)))
            times.append(ms)
    durations = [after - before for before, after in itertools.pairwise(times)]
    kept[0].save(
        path,
        save_all=True,
        append_images=kept[1:],
        duration=[*durations, PAUSE_MS],
        loop=0,
        quality=60,
        method=6,
        minimize_size=True,
    )


def image_of(page):
    return Image.open(io.BytesIO(page.screenshot())).convert("RGB")


def together(images, path, height=420, gap=16):
    """Write pictures of the same height next to each other."""
    images = [one.resize((one.width * height // one.height, height)) for one in images]
    width = sum(one.width for one in images) + gap * (len(images) - 1)
    whole = Image.new("RGBA", (width, height))
    x = 0
    for one in images:
        whole.paste(one, (x, 0))
        x += one.width + gap
    whole.save(path, quality=80)


def shoot(page, path, box=None):
    clip = {"clip": box | {"scale": 1}} if box else {}
    how = {"format": "webp", "quality": 80} | clip  # Playwright itself makes no WebP
    told = page.context.new_cdp_session(page).send("Page.captureScreenshot", how)
    path.write_bytes(base64.b64decode(told["data"]))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
