"""The page of all exhibits, in a real Chromium: small panels that live while somebody looks."""

import re

import pytest

import needs
from chromium import holds, open_browser
from hall import Hall
from mosquitto import until

axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not here")

LIT = """(name) => {
  const card = [...document.querySelectorAll("article")].find((one) => one.querySelector("h2").textContent === name);
  return [...card?.querySelectorAll(".lamps") ?? []].map((row) => [...row.children].map((lamp) => +lamp.classList.contains("lit")));
}"""  # noqa: E501


def text(page, name, part):
    card = page.locator("article", has=page.get_by_role("heading", name=name, exact=True))
    return card.locator(part).inner_text()


def lit(page, name):
    return [sum(bit << n for n, bit in enumerate(row)) for row in page.evaluate(LIT, name)]


@pytest.mark.long("8 s: a browser, a broker, a bridge and a page")
def test_every_exhibit_is_a_live_panel(mosquitto, reader, bridge, command):
    needs.browser()
    broker = mosquitto()
    url = f"mqtt://127.0.0.1:{broker.port}"
    watching = reader(broker.port)
    with Hall(2) as hall, open_browser() as browser:
        running = bridge("--mqtt", url, *hall.words())
        until(lambda: all(map(watching.online, hall.ids())), "both are online")
        serving = command("fleet", "page", "--mqtt", url, "--port", "0")
        address = until(lambda: re.search(r"http://\S+/", serving.said()), "it serves")[0]
        page, wrong = browser.new_page(), []
        page.on("pageerror", lambda why: wrong.append(str(why)))
        page.on("console", lambda line: wrong.append(line.text) if line.type == "error" else None)
        page.goto(address)
        holds(page, "document.querySelectorAll('article').length === 2")
        until(lambda: lit(page, "hall-1") == hall.lamps(1), "its lamps are on the page")
        hall.tell(1, "new 3 4 5")
        assert hall.lamps(1) == [0b111, 0b1111, 0b11111, 0]
        until(lambda: lit(page, "hall-1") == hall.lamps(1), "they follow")
        until(lambda: "player · perfect · your move" in text(page, "hall-1", ".state"), "its sign")
        hall.visit(2)
        until(lambda: "Today: 1 (" in text(page, "hall-2", ".today"), "its day")
        hall.pull(2)
        until(lambda: text(page, "hall-2", ".trouble") == "offline", "its cable is out")
        until(lambda: lit(page, "hall-2") == [0, 0, 0, 0], "nothing is known of its lamps")
        found = axe.Axe().run(page)
        assert not found.response["violations"], found.generate_report()
        # Nothing of this is an event, which would be kept for ever.
        assert watching.events(hall.ids()[0]) == hall.said(1)
        assert running.numbered() == sum(len(watching.numbered(exhibit)) for exhibit in hall.ids())
        assert serving.end() == 0
        holds(page, "document.body.classList.contains('dark')")
        assert not [line for line in wrong if "WebSocket" not in line]
