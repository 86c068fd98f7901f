"""The page in a real browser, played by mouse, finger and keyboard on a simulated Pico, in real
time, and checked in states that a test sends.
"""

import itertools
import json
import re

import pytest
import segno

from chromium import until, wait_until
from nimatron import games
from nimatron_play import explain, game_texts, touch, words
from served_kiosk import FakeSession, Served

playwright = pytest.importorskip("playwright.sync_api", reason="PyPI's playwright is not here")
expect = playwright.expect
axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="nor is axe")

HELD_MS = 50
DESK, PHONE, LYING, SMALL, WALL = (1366, 768), (390, 844), (844, 390), (320, 568), (3840, 2160)
IN_BROWSER, LOWEST = (390, 664), (360, 620)  # the page's part of PHONE and of a smaller one
TABLET, DISTANT, WIDE, NARROW = (810, 1080), (1920, 1080), (3840, 1080), (360, 740)
ZOOMED = (683, 384)  # DESK at 200 %
DISTANT_ZOOMED = (960, 540)  # DISTANT at 200 %
SIZES = (
    *(DESK, PHONE, LYING, SMALL, WALL, TABLET, DISTANT, WIDE, NARROW, ZOOMED),
    *((667, 375), DISTANT_ZOOMED),
)
FINGER = 44  # px, of the smallest target
NIM = games.find("nim")


_SPEAK = """(code) => {
    const list = document.getElementById("language");
    list.value = code;
    list.dispatchEvent(new Event("change", { bubbles: true }));
}"""


def speak(page, code):
    page.evaluate(_SPEAK, code)
    page.wait_for_selector(f"html[lang={code}]")


def expect_text(page, selector, *texts):
    """Wait until an element has each of these texts in it."""
    for text in texts:
        expect(page.locator(selector)).to_contain_text(text)


_SHOWN = """() => [
    document.body.dataset.state,
    [...document.querySelectorAll(".lamps")].map((strip) => strip.getAttribute("aria-label")),
    [...document.querySelectorAll(".lamps .lit")].map((lamp) => Number(lamp.dataset.lamp)),
    Boolean(document.querySelector(".lamps .live")),
]"""


def shown(page):
    """Return the state, the lamps' text for a screen reader, a mask of the lamps that are drawn as
    lit, and whether a lamp can be touched, all at one moment."""
    state, labels, lit, live = page.evaluate(_SHOWN)
    counts = tuple(int(label.split(": ")[1].split(" ")[0]) for label in labels if ":" in label)
    return state, counts, sum(1 << number for number in lit), live


def rows(page):
    return shown(page)[1]


def click(page, button):
    page.click(f"[data-button={button}]", delay=HELD_MS)


def key(page, button):
    page.keyboard.press({"go": "Enter", "new": "n"}.get(button, button[-1]), delay=HELD_MS)


def tap(page, button):
    page.tap(f"[data-button={button}]")


def lamp(number):
    return f"[data-lamp='{number}']"


def lit(page):
    """Return the lamps that the page draws as lit, as a mask."""
    return shown(page)[2]


# ---------------------------------------------------------------------- playing


def walk(page, number):
    """Tab to the lamps, go there by arrow keys, and pick by Space."""
    for _ in range(30):
        now = page.evaluate("document.activeElement.dataset.lamp")
        if now:
            break
        page.keyboard.press("Tab")
    down, right = (int(number) // 7 - int(now) // 7), (int(number) % 7 - int(now) % 7)
    for steps, name, back in ((down, "ArrowDown", "ArrowUp"), (right, "ArrowRight", "ArrowLeft")):
        for _ in range(abs(steps)):
            page.keyboard.press(name if steps > 0 else back)
    page.keyboard.press("Space")


HANDS = {
    "mouse": (lambda page, number: page.click(lamp(number)), click),
    "finger": (lambda page, number: page.tap(lamp(number)), tap),
    "keyboard": (walk, key),
}


@pytest.mark.sampled("3 s each")
@pytest.mark.parametrize(
    ("game", "hand"),
    [("nim", "finger"), ("chomp", "keyboard"), ("kayles", "mouse"), ("tactix", "finger")],
)
def test_a_whole_match_on_the_lamps_alone(serve, visit, game, hand):
    push, press = HANDS[hand]
    rules = games.find(game)
    position = rules.placed_on_panel(rules.openings[0])
    start = rules.words(position).replace("/", " ")
    served = serve("set verdict_ms 60000", f"set game {game}", f"new {start}")
    page = visit(served, has_touch=True)
    reached = [position]
    until(page, "player")
    while reached:
        open_ones = [where for where in reversed(reached) if list(rules.options(where))]
        seen = {explain.mask(rules, where): where for where in open_ones}
        mask = wait_for_turn(page, seen)
        if mask is None:
            break
        number, position = best_touch(rules, seen[mask])
        push(page, number)
        page.wait_for_selector(f"{lamp(number)}.picked")
        press(page, "go")
        reached = list(rules.options(position))
    page.wait_for_selector("#you-win.lit, #machine-wins.lit")


def wait_for_turn(page, masks):
    """Wait until it is the player's turn, with the lamps of one of these masks. Return this mask,
    or None if the match is over."""
    found = []

    def their_turn():
        state, _, mask, live = shown(page)
        if state == "verdict":
            found.append(None)
        elif state == "player" and live and mask in masks:
            found.append(mask)
        return found

    wait_until(page, their_turn)
    return found[0]


def best_touch(rules, position):
    """Return (lamp, next position) for a winning move of one touch, or for any such move."""
    by_lamps = {rules.picture(option): option for option in rules.options(position)}
    moves = [
        (number, by_lamps[meant.lamps])
        for number, meant in enumerate(touch.touches(rules, position, position))
        if meant and meant.lamps in by_lamps
    ]
    return next((move for move in moves if rules.is_p(move[1], True)), moves[0])


def test_a_touched_lamp_goes_out_and_comes_back(serve, visit):
    page = visit(serve("new 3 4 5"), state="player")
    page.wait_for_selector(f"{lamp(16)}.live")
    page.hover(lamp(16))  # the third of row 3
    wait_until(page, lambda: lamps_that(page, "going") == [16, 17, 18])
    page.click(lamp(16))
    expect_text(page, "#doing", "The lamps to the right go out too. Press GO")
    wait_until(page, lambda: lamps_that(page, "picked") == [16, 17, 18])
    page.click(lamp(17))  # given back, with the lamp to its left
    wait_until(page, lambda: lit(page) == explain.mask(NIM, (3, 4, 4, 0)))
    page.click(lamp(0))  # another row starts over
    expect_text(page, "#doing", "are lit again")
    wait_until(page, lambda: lit(page) == explain.mask(NIM, (0, 4, 5, 0)))


def test_a_touch_that_is_not_allowed_says_so_and_what_is(serve, visit):
    page = visit(serve("set game say-21", "new 6"), state="player")
    page.wait_for_selector(f"{lamp(3)}.live")
    sentence = game_texts.rules(games.find("say-21"))
    for language in SHORT:
        table = words.tables()[language]
        speak(page, language)
        page.click(lamp(2))  # that would be four
        expect_text(page, "#doing", table["page.refused"], table.get(sentence, sentence))
        assert lamps_that(page, "picked") == []
        page.click(lamp(3))
        expect(page.locator("#doing")).not_to_contain_text(table["page.refused"])
        wait_until(page, lambda: lamps_that(page, "picked") == [3, 4, 5])
        page.click(lamp(5))  # all are given back
        wait_until(page, lambda: lamps_that(page, "picked") == [])
    page.click(lamp(6))  # it is dark, so there is nothing to refuse
    page.wait_for_selector(f"{lamp(6)}.nothing")
    assert table["page.refused"] not in page.inner_text("#doing")


def lamps_that(page, kind):
    """Return the numbers of the lamps with this class."""
    found = "[...document.querySelectorAll('.lamps .%s')].map((lamp) => Number(lamp.dataset.lamp))"
    return page.evaluate(found % kind)


@pytest.mark.parametrize(("touched", "picked"), [(8, [8, 9, 10]), (13, [10]), (27, [])])
def test_the_first_touch_begins_a_match_and_counts(serve, visit, touched, picked):
    """If the touched lamp is dark in the match, the last lamp of its row is picked, if any."""
    page = visit(serve("set openings own", "set own 3 4 5"), PHONE, has_touch=True, is_mobile=True)
    until(page, "attract")
    page.tap(lamp(touched))
    until(page, "player" if picked else "opening")
    wait_until(page, lambda: lamps_that(page, "picked") == picked)
    expect_text(page, "#doing", "Press GO" if picked else "pick a lamp")


def test_a_visitor_chooses_a_game_and_a_level(serve, visit):
    page = visit(serve(), state="attract")
    for level in ("Beginner", "Clever", "Never wrong"):  # "perfect" is the firmware's own
        page.click("#knob")
        page.wait_for_selector(f"#knob:has-text('{level}')")
        page.get_by_role("button", name=f"Machine: {level}").wait_for()
    page.click("#choose")
    assert page.locator(".cards li:visible").count() == 6
    page.click(".cards button:has-text('Kayles')")
    page.wait_for_selector("#game:has-text('Kayles')")
    page.wait_for_selector("#games", state="hidden")
    expect_text(page, "#rule", "two neighbours")
    page.click("#choose")
    page.click("#games summary")
    page.click(".cards button:has-text('Unequal parts')")
    page.wait_for_selector("#game:has-text('Unequal parts')")


def test_a_button_is_down_for_as_long_as_a_finger_is(serve, visit):
    made = []

    def connect(record, failed):
        made.append(FakeSession(record, failed))
        return made[0]

    page = visit(serve(connect=connect), state="attract")
    page.wait_for_selector("#go:enabled")
    expected = []

    def notes(*steps):
        expected.extend(steps)

        def done():
            return [what for what in made[0].done if not what.startswith("send")]

        wait_until(page, lambda: len(done()) >= len(expected), expected)
        assert done() == expected

    for button in ("new", "go"):
        page.hover(f"#{button}")
        page.mouse.down()
        notes(f"press {button}")
        page.mouse.move(5, 5)  # it slides off before it lifts
        page.mouse.up()
        notes(f"release {button}")
    page.evaluate("document.querySelector('[data-button=row1]').click()")  # a screen reader
    notes("press row1", "release row1")
    page.keyboard.down("2")
    notes("press row2")
    page.evaluate("dispatchEvent(new Event('blur'))")  # another window comes up
    notes("release row2")


def test_a_short_press_leaves_no_button_down(serve, visit):
    page = visit(serve("new 3 4 5"), state="player")
    for _ in range(4):
        page.click("[data-button=row3]", delay=0)
        page.wait_for_selector("[data-button=row3]:not(.down)")


def test_new_asks_before_it_ends_a_match(serve, visit):
    page = visit(serve("new 3 4 5"), state="player")
    click(page, "new")
    page.wait_for_selector("#doing:has-text('Start over? Press NEW again.')")
    click(page, "row1")
    page.wait_for_selector(f"{lamp(2)}.picked")
    assert page.get_attribute("body", "data-state") == "player"
    page.wait_for_selector("#doing:has-text('Press GO')")
    click(page, "new")
    page.wait_for_selector("#doing:has-text('Press NEW again')")
    click(page, "new")
    until(page, "opening")


def test_token_to_take_home_is_forgotten_when_another_match_is_played(told):
    """Another match may end with a token for another page."""
    won = {"state": "verdict", "tokens": 1, "real": False, "lesson": {}, "waits": False}
    path = [explain.mask(NIM, rows) for rows in ((1, 0, 0, 0), (0, 0, 0, 0))]
    one = told(first=state() | won | {"match": {"path": path, "first": "player", "game": "nim"}})
    keepsake = one.page.locator("#keepsake")
    expect(keepsake).to_be_visible()
    with one.page.expect_download():
        keepsake.click()
    expect(keepsake).to_have_text("Saved to Downloads")
    expect(one.page.get_by_role("status")).to_contain_text("Saved")
    expect(keepsake).to_have_text("Keep a picture")
    one.tell(state="player", match={}, tokens=0)
    expect(keepsake).to_be_hidden()
    one.show(state="verdict", tokens=1)
    expect(keepsake).to_be_hidden()


def test_a_choice_asks_before_it_ends_a_match(told):
    one = told()
    page = one.page
    sure = words.table("en")["page.sure"]

    def chosen():
        return [said for said in one.heard if "game" in said or "level" in said]

    page.click("#knob")
    expect_text(page, "#doing", sure)
    assert not chosen()
    page.click("#knob")
    wait_until(page, chosen)
    assert chosen()[0]["level"] == "child"
    one.heard.clear()
    page.click("#choose")
    page.click(".cards button:has-text('Chomp')")
    page.click(".cards button:has-text('Kayles')")  # another one asks again
    asked = page.locator("#games [role=status]", has_text=sure)
    asked.wait_for()
    assert asked.count() == 1 and not chosen()
    page.click(".cards button:has-text('Kayles')")
    wait_until(page, chosen)
    assert chosen()[0]["game"] == "kayles"
    page.wait_for_selector("#games", state="hidden")


def test_one_tap_leads_on(told):
    one = told(PHONE)
    for verb, shown in (("table", WATCHING), ("alone", LEFT)):
        one.tell(**state(**shown))
        one.page.click("#offer")
        wait_until(one.page, lambda verb=verb: any(verb in said for said in one.heard))
        one.tell(offer="")
        one.page.wait_for_selector("#offer", state="hidden")


def test_an_invitation_has_a_link_its_code_and_the_rule(told):
    one = told(first=state(invites=True))
    page = one.page
    page.click("#invite")
    wait_until(page, lambda: any("invite" in said for said in one.heard))
    link = "http://192.0.2.10:8000/#token=abc&table=xyz"
    one.tell(invitation={"link": link, "code": segno.make(link).svg_inline(omitsize=True)})
    page.wait_for_selector("#friend[open] #code svg")
    assert page.inner_text("#link") == link == page.get_attribute("#link", "href")
    assert words.table("en")["page.friend.rule"] in page.inner_text("#friend")
    page.click("#friend .close")
    page.wait_for_selector("#friend", state="hidden")


def test_the_tab_key_stops_at_the_lamps_once(serve, visit):
    page = visit(serve("new 3 4 5"), state="player")
    page.wait_for_selector("#learn:visible")
    reached = []
    for _ in range(14):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.dataset.lamp ?? "
            "document.activeElement.dataset.button ?? "
            "(document.activeElement.id || document.activeElement.className)"))  # fmt: skip
    assert reached == [
        *("0", "row1", "row2", "row3", "row4", "go", "new", "knob", "screw"),
        *("learn", "choose", "invite", "curious", "sound"),
    ]
    page.focus("[data-button=row3]")
    page.keyboard.press("Space", delay=HELD_MS)
    page.wait_for_selector(f"{lamp(18)}.picked")
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    for number, label in (
        (16, "Row 3, lamp 3: lit. Space switches off 2 lamps"),
        (18, "Row 3, lamp 5: picked. Space puts it back"),
    ):
        expect(page.locator(lamp(number))).to_have_attribute("aria-label", label)


def test_a_key_moves_no_focus_and_keys_in_the_drawer_do_not_play(serve, visit):
    page = visit(serve("new 3 4 5"), state="player")
    for shown in (True, False):
        page.keyboard.press("h")
        expect(page.locator("#drawer")).to_be_visible(visible=shown)
        assert page.evaluate("document.activeElement.tagName") == "BODY"
    key(page, "row3")
    page.wait_for_selector(f"{lamp(18)}.picked")
    page.click("#curious")
    page.wait_for_selector("#drawer:focus")
    key(page, "go")
    key(page, "row1")
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.id") == "curious"
    page.click("#plate")
    assert page.get_attribute("body", "data-state") == "player"
    key(page, "row3")
    page.wait_for_selector(f"{lamp(17)}.picked")
    key(page, "go")
    page.wait_for_selector("#doing:has-text('I switched off')")


def test_arrow_keys_go_to_the_lamps_when_nothing_has_the_focus(told):
    page = told().page
    for key, number in (("ArrowDown", 0), ("ArrowDown", 7), ("ArrowRight", 8)):
        page.keyboard.press(key)
        assert page.evaluate("document.activeElement.dataset.lamp") == str(number)
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.dataset.lamp") == "8"
    page.focus("#curious")
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.id") == "curious"


# ---------------------------------------------------------------------- many, and interruptions


def test_the_page_comes_back_after_the_server(serve, visit):
    served = serve()
    page = visit(served, state="attract")
    assert page.is_hidden("#lost")
    port = served.stop()
    page.wait_for_selector("#lost:visible")
    expect_text(page, "#lost", "Not connected")
    served = Served(["new 1 2"], port=port)
    try:
        page.wait_for_selector("#lost", state="hidden")
        until(page, "player")
        click(page, "row2")
        page.wait_for_selector(".picked")
    finally:
        served.stop()


@pytest.mark.long("4 s")
def test_who_has_no_token_only_looks(serve, visit):
    served = serve("new 3 4 5", token="sesame")
    page = visit(served, state="player")
    expect(page.locator("#go")).to_be_disabled()
    expect_text(page, "#doing", "You are watching")
    key(page, "row1")
    page.click(lamp(2))
    page.goto(served.url + "#token=sesame")
    page.reload()
    page.wait_for_selector("#go:enabled")
    assert "sesame" not in page.url
    click(page, "row1")
    wait_until(page, lambda: lamps_that(page, "picked") == [2])  # and not two


# ---------------------------------------------------------------------- in states made for it

LANGUAGES = {code: table["language"] for code, table in words.tables().items()}


def state(position=(3, 4, 5, 0), left=None, **more):
    """Return the server's message on the player's turn, after a pick that leaves `left`."""
    left = left or position
    mask = explain.mask(NIM, left)
    news = {
        "lamps": [float(mask >> n & 1) for n in range(28)],
        "touch": [t and explain.bits(t.lamps) for t in touch.touches(NIM, position, left)],
        "picked": explain.mask(NIM, position) & ~mask,
        "rule": [[game_texts.rules(NIM), {}], ["rule.misere", {"last": game_texts.last(NIM)}]],
        "languages": LANGUAGES,
        "today": {"played": 41, "won": 3},
    }
    return json.loads(_REST) | news | more


_REST = """{"legends": ["your-move"], "sound": 0, "coin": 0, "tokens": 0, "state": "player",
"held": [], "control": true, "you": "me", "doing": [["state.player", {}]], "demo": [],
"advice": [["do.picked", {}]], "game": "nim", "games": ["nim", "kayles", "chomp", "tactix"],
"level": "perfect", "levels": ["perfect", "fair", "child"], "people": 1, "offer": "",
"invites": true, "site": "", "language": "", "real": false, "quiet": false, "done": 0,
"working": {}, "insight": {}, "rewind": {}, "lesson": {}}"""


ATTRACT = {"state": "attract", "legends": [], "touch": [None] * 28}
DEMO = [explain.mask(NIM, rows) for rows in ((1, 2, 0, 0), (1, 0, 0, 0), (0, 0, 0, 0))]


class Told:
    """A page with test data. `tell` sends it news, and `heard` lists the page's messages."""

    def __init__(self, served, visit, size=DESK, clock=False, first=None, **options):
        self.heard = []
        self.sockets = []
        self._beats = itertools.count(1)
        self.first = first or state()

        def prepare(page):
            if clock:  # which continues only by run_for
                page.clock.install(time=0)
                page.clock.pause_at(
                    1000
                )  # s: an earlier time may already be over on a busy computer
            page.route_web_socket(re.compile("/look[?]?"), self._answer)

        self.page = visit(served, size, prepare=prepare, **options)
        self.page.wait_for_selector("#machine[aria-label] #doing:not(:empty)", state="attached")

    def _answer(self, socket):
        self.sockets.append(socket)
        socket.on_message(lambda text: self.heard.append(json.loads(text)))
        socket.send(json.dumps(self.first))

    def tell(self, **news):
        self.sockets[-1].send(json.dumps(news))

    def show(self, **news):
        """Send news, and wait until the page has shown it."""
        beat = next(self._beats)
        self.tell(**news, beat=beat)
        wait_until(self.page, lambda: {"beat": str(beat)} in self.heard)


@pytest.fixture(scope="module")
def files():
    """Yield a kiosk that only serves the files of the page."""
    served = Served()
    yield served
    served.stop()


@pytest.fixture
def told(files, visit):
    """Return told(size, …), which opens a page with test data."""
    return lambda size=DESK, **options: Told(files, visit, size, **options)


TARGETS = "[data-button], #knob, nav button, .close, .cards button, #offer, #rewind button"


def targets(page):
    """Return the smallest width and height of the touchable elements. Lamps fill their board."""
    return page.evaluate(
        """(targets) => {
        const boxes = [...document.querySelectorAll(targets)].filter((e) => e.checkVisibility());
        const sizes = boxes.map((e) => [e.offsetWidth, e.offsetHeight]);
        const board = document.getElementById("lamps").getBoundingClientRect();
        sizes.push([board.width / 7, board.height / 4]);
        return [Math.min(...sizes.map((s) => s[0])), Math.min(...sizes.map((s) => s[1]))];
    }""",
        TARGETS,
    )


SHORT = (words.PLAIN, "de")  # which has the longest words


@pytest.mark.sampled("3 s each")
@pytest.mark.parametrize("language", sorted(LANGUAGES))  # German comes first
def test_every_size_of_screen(told, language):
    """Everything fits and can be touched, and only the smallest screens scroll."""
    one = told(first=state(left=(3, 4, 3, 0)))
    page = one.page
    speak(page, language)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        for curious in (False, True):
            if page.is_visible("#drawer") != curious:
                page.keyboard.press("h")
            wide, high, widest, lamps, drawer = page.evaluate(_MEASURED)
            assert wide <= width, (width, height)
            if width >= 1000 or (width > 330 and language == words.PLAIN):
                assert high <= height, (width, height, language, curious)
            least = targets(page)
            assert min(least) >= FINGER, (width, height, curious, least)
            assert not cut_off(page), (width, height, curious)
            assert widest <= 0.9, (width, height, curious)
            if curious:
                beside = lamps["right"] <= drawer["left"]
                assert beside or lamps["bottom"] <= drawer["top"], (width, height)
                assert lamps["top"] >= 0
        page.keyboard.press("h")


# The size of the document, the part of a button's width that its word takes, at most, and the
# places of the lamps and of the drawer.
_MEASURED = """[
    document.documentElement.scrollWidth,
    document.documentElement.scrollHeight,
    Math.max(...[...document.querySelectorAll("[data-button] span")]
        .filter((word) => word.checkVisibility())
        .map((word) => word.offsetWidth / word.parentElement.clientWidth)),
    ...["lamps", "drawer"].map((what) => document.getElementById(what).getBoundingClientRect()),
]"""


def cut_off(page):
    return page.evaluate(
        "[...document.querySelectorAll('#plate *, #signs li, #caption, #caption *, nav *')]"
        ".filter(e => e.checkVisibility() && e.offsetWidth > 1 && !e.matches('select *')"
        " && (e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 3)"
        " && getComputedStyle(e).display !== 'inline')"
        ".map(e => e.id || e.textContent)"
    )


_OUTSIDE = """() => {
  const frame = document.querySelector("#machine").getBoundingClientRect();
  const inside = "#signs li, #signs span, #chute, #board, #caption, #side *";
  return [...document.querySelectorAll(inside)]
    .filter((each) => each.checkVisibility({ visibilityProperty: true }))
    .filter((each) => !each.closest("[aria-hidden], .unseen"))
    .filter((each) => {
      const box = each.getBoundingClientRect();
      const cut = each.scrollWidth > each.clientWidth + 1;
      return box.left < frame.left || box.right > frame.right || cut;
    })
    .map((each) => each.id || each.dataset.say);
}"""


@pytest.mark.sampled("a second each")
@pytest.mark.parametrize("code", sorted(words.tables()))
@pytest.mark.parametrize("size", [(1024, 600), (640, 400), (625, 400), DISTANT_ZOOMED])
def test_nothing_sticks_out_of_the_cabinet(told, size, code):
    page = told(size, locale=code).page
    page.wait_for_selector(f"html[lang={code}]")
    assert page.evaluate(_OUTSIDE) == []


def test_the_drawers_title_stays_in_sight_and_it_opens_at_its_top(told):
    page = told(PHONE).page
    page.click("#curious")
    page.evaluate("document.querySelector('#drawer').scrollTo(0, 200)")
    title, close, drawer = (
        page.locator(f"#drawer{what}").bounding_box() for what in (" > h2", " > .close", "")
    )
    assert title["width"] >= drawer["width"] - 16  # and its bar
    assert close["y"] + close["height"] <= title["y"] + title["height"] + 2
    assert title["y"] <= drawer["y"] + 5  # its border
    scrolled = "document.querySelector('#drawer').scrollTop"
    assert page.evaluate(scrolled) > 0
    page.click("#drawer > .close")
    page.wait_for_selector("#drawer", state="hidden")
    page.click("#curious")
    assert page.evaluate(scrolled) == 0


TEXTS = ("#rule", "#game", "#doing", "#signs li", "nav span", "#go")


def text_sizes(page, times):
    """Return the sizes of the texts, in pixels on the screen."""
    return [
        times * float(page.evaluate(
            "(what) => getComputedStyle(document.querySelector(what)).fontSize", what
        )[:-2]) for what in TEXTS if page.query_selector(what).is_visible()
    ]  # fmt: skip


def test_text_grows_with_the_browsers_zoom(told):
    page = told().page
    normal = text_sizes(page, 1)[:3]
    for zoom, least in ((2, 1.99), (4, 2.9)):
        page.set_viewport_size({"width": DESK[0] // zoom, "height": DESK[1] // zoom})
        grown = [
            now / before for now, before in zip(text_sizes(page, zoom)[:3], normal, strict=True)
        ]
        assert min(grown) >= least, (zoom, grown)
        assert page.evaluate("document.documentElement.scrollWidth") <= DESK[0] // zoom
        assert not cut_off(page)
        for what in ("#go", "#new", "#doing", "#sound"):
            page.locator(what).scroll_into_view_if_needed()
            assert page.locator(what).bounding_box()["width"] > 20


def test_text_grows_with_the_readers_font(told):
    page = told(bypass_csp=True).page
    before = text_sizes(page, 1)
    page.add_style_tag(content=":root { font-size: 32px !important }")
    grown = [now / was for now, was in zip(text_sizes(page, 1), before, strict=True)]
    assert min(grown[:3]) >= 1.6, grown
    assert page.evaluate("document.documentElement.scrollWidth") <= DESK[0]
    assert not cut_off(page)


def captions():
    """Yield every caption that a match can bring, with the longest gaps."""
    table = words.tables()[words.PLAIN]
    gaps = {
        "count": 7,
        "row": 4,
        "who": 6,
        "seconds": 10,
        "last": game_texts.last(NIM),
        "button": "GO",
    }
    doing = [
        key for key in table if key.startswith(("state.", "picked", "move.", "refused", "last."))
    ]
    for first, second in itertools.zip_longest(doing, [k for k in table if k.startswith("do.")]):
        yield [[first, gaps]], [[second or "do.verdict", gaps], ["do.token", {}]]


@pytest.mark.sampled("2 s each")
@pytest.mark.parametrize("size", [DESK, PHONE, IN_BROWSER, LOWEST, TABLET, ZOOMED, SMALL])
def test_nothing_moves_under_a_finger(told, size):
    one = told(size)
    page = one.page
    where = (
        "[...document.querySelectorAll('[data-button], .lamps, #knob b')]"
        ".map(e => { const b = e.getBoundingClientRect(); return [b.x, b.y, b.width, b.height]; })"
    )
    page.evaluate("document.documentElement.classList.add('still')")
    for language in SHORT:
        speak(page, language)
        at_first = page.evaluate(where)
        for number, (doing, advice) in enumerate(captions()):
            one.tell(doing=doing, advice=advice, tokens=number % 2)
            one.tell(legends=[["your-move"], ["machine-move"], [], ["you-win"]][number % 4])
        for level in (*one.first["levels"], "equalizer"):
            one.show(level=level)
            assert page.evaluate(where) == at_first, level
        assert page.evaluate(where) == at_first
        one.heard.clear()


ALONE = {"people": 1, "waits": False, "offer": "", "invites": True}
PAIR = {**ALONE, "people": 2}
WAITS = {**PAIR, "waits": True, "doing": [["table.waits", {"who": 1}]], "advice": []}
LEFT = {
    **PAIR,
    "offer": "machine",
    "doing": [["move.row.people", {"count": 3, "row": 2, "who": 2}], ["table.away", {"who": 2}]],
    "advice": [],
}
WATCHING = {**WAITS, "offer": "table", "advice": [["table.watch", {"who": 0}]]}
TAKEN = {
    **ALONE,
    "offer": "table",
    "doing": [["watch.state.player", {}]],
    "advice": [["table.taken", {"who": 0}]],
}
LOST = {
    **ALONE,
    "state": "verdict",
    "lesson": {"step": 4, "steps": 7, "help": False, "over": "lost"},
    "doing": [["last.player", {"last": game_texts.last(NIM)}], ["wins.machine", {}]],
    "advice": [["lesson.4.lost.turn", {}]],
}
OPENING = {
    **{"state": "opening", "doing": [[game_texts.rules(NIM), {}]], "advice": [["do.opening", {}]]},
    **{"working": {"how": [[game_texts.buttons(NIM), {}]]}, "insight": {"good": True}},
}
BACK = {
    "doing": [["picked.row", {"count": 2, "row": 2}]],
    "advice": [["picked.back", {}], [game_texts.rules(NIM), {}], ["do.refused", {}]],
}
PICKED = {
    "lesson": {"step": 6, "steps": 7, "help": False, "over": ""},
    "doing": [["picked.row", {"count": 2, "row": 2}]],
    "advice": [["lesson.6.picked", {}]],
}


REWOUND = "last.player", "rewind.here.player"
GONE = "last.player", "rewind.lost.player", "why.pairs.even", "rewind.leave"
KINDS = "rewind.task.pairs", "rewind.task.turn"
TASKS = itertools.product(("rewind.miss", "move.row.machine"), KINDS)
FOUND = "rewind.found", "move.row.player"
TRIED = ["rewind.alone"], ["rewind.paired.turn"], ["wins.player", "rewind.medal"]
GAPS = {"count": 7, "row": 4, "last": game_texts.last_done(NIM)}
PRACTICE = [
    {"doing": [[key, GAPS] for key in keys], "advice": []}
    for keys in (REWOUND, GONE, *TASKS, FOUND, *TRIED)
]
ONCE = OPENING | {"doing": [], "level": "equalizer"}
THINKS = {
    **{"state": "thinking", "level": "equalizer", "advice": []},
    "doing": [["move.row.player", {"count": 2, "row": 1}], ["state.thinking", {}]],
}
OFFERED = ATTRACT | {"lesson": {"steps": 7}, "doing": [["state.attract", {}]], "advice": []}
FLAT, LOW = (740, 360), (1280, 720)
PHONES = PHONE, IN_BROWSER, NARROW, LOWEST
WORDY = "kayles", "chomp"  # the games with the longest rules


@pytest.mark.sampled("2 s each")
@pytest.mark.parametrize("size", [IN_BROWSER, PHONE, NARROW, LOWEST, FLAT, LYING, LOW])
@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_everything_is_in_the_first_view(told, size, language):
    """This includes messages about a friend, in practice and in a lesson. Its bar does not cover
    the rule."""
    one = told(size, first=state())
    changes = (ATTRACT | LOST | ONCE).keys() | {"game", "rule"}
    usual = {key: value for key, value in one.first.items() if key in changes}
    alone = {}, WAITS, LEFT, WATCHING, TAKEN, LOST, PICKED, OPENING, BACK, OFFERED
    alone += ONCE, THINKS, OFFERED | {"level": "equalizer"}, *PRACTICE
    pairs = [shown for name in WORDY for shown in people_play(games.find(name))]
    speak(one.page, language)
    for shown in (*alone, *(pairs if size in PHONES else ())):
        one.show(**usual | ALONE | shown)
        assert one.page.evaluate("document.documentElement.scrollHeight") <= size[1], shown
        assert not cut_off(one.page), shown
        if shown is LOST and size in PHONES:
            font = "getComputedStyle(document.getElementById('doing')).fontSize"
            assert float(one.page.evaluate(font).removesuffix("px")) >= 18


@pytest.mark.long("6 s")
def test_captions_next_to_a_button_fill_the_bar_of_a_wall(told):
    one = told(DISTANT)
    ends = [key for key in words.table("en") if re.match(r"lesson\.\d\.(won|lost)", key)]
    for language in sorted(LANGUAGES):
        speak(one.page, language)
        for key in ends:
            one.show(**LOST | {"advice": [[key, {}]]})
            assert not cut_off(one.page), key
            font = "getComputedStyle(document.getElementById('doing')).fontSize"
            assert float(one.page.evaluate(font).removesuffix("px")) >= 24, (language, key)


def people_play(game):
    """Yield the longest messages to two people who play each other, and to a page that watches."""
    page_of = {
        "game": game.name,
        "rule": [[game_texts.rules(game), {}], ["rule.misere", {"last": game_texts.last(game)}]],
        "working": {"how": [[game_texts.buttons(game), {}]]},
    }
    begins = [["people", {"count": 2}], [game_texts.rules(game), {}]]
    moved = ["move.row.people", {"count": 3, "row": 2, "who": "2"}]
    mine = {**PAIR, "state": "player"}
    opens = {**mine, "state": "opening", "doing": begins, "insight": {"good": True}}
    for shown in (
        {**opens, "advice": [["do.opening", {}]]},
        {**mine, "doing": [moved], "advice": [["do.player", {}]]},
        {**mine, **WAITS, "doing": [moved, *WAITS["doing"]]},
        {**mine, **LEFT},
        {**mine, **WATCHING, "doing": [moved, *WAITS["doing"]]},
        {**mine, **TAKEN},
    ):
        yield page_of | {"lesson": {}, "insight": {}} | shown


def test_forced_colours_leave_every_outline(told):
    page = told(forced_colors="active", first=state(left=(3, 4, 3, 0))).page
    for what in ("#machine", "#board", "#caption", "#chute", "#slot", "#cup", "#signs li", "#go"):
        border = page.evaluate(
            "(what) => getComputedStyle(document.querySelector(what)).borderTopWidth", what
        )
        assert float(border[:-2]) >= 1, what
    assert page.is_hidden("#fair")
    shown = "(what) => getComputedStyle(document.querySelector(what), '::before').backgroundColor"
    colours = {page.evaluate(shown, what) for what in (lamp(0), lamp(18))}
    assert len(colours) == 2  # lit, and picked


@pytest.mark.long("3 s")
def test_more_contrast_is_given_to_those_who_ask(told):
    one, two = told().page, told(contrast="more").page
    colour = "getComputedStyle(document.querySelector('#signs li:not(.lit)')).color"
    assert one.evaluate(colour) != two.evaluate(colour)
    assert not two.is_visible("#fair")


@pytest.mark.parametrize("asked", ["by the system", "on the page"])
def test_nothing_moves_for_those_who_ask(told, asked):
    reduced = "reduce" if asked == "by the system" else "no-preference"
    one = told(clock=True, first=state(**ATTRACT, demo=DEMO), reduced_motion=reduced)
    page = one.page
    if asked == "on the page":
        page.click("#sound")
        page.check("#still")
        page.keyboard.press("Escape")
    page.clock.run_for(7000)
    for _ in range(5):
        page.clock.fast_forward(5000)
        assert page.evaluate("document.getAnimations().length") == 0
        assert page.is_hidden("#ribbon") and page.is_hidden("#tale")


def test_the_machines_sign_is_steady_while_it_thinks(told):
    one = told(clock=True)
    one.tell(state="thinking", legends=["machine-move"])
    one.page.wait_for_selector("#machine-move.lit")
    for number in range(8):
        one.show(legends=["machine-move"] if number % 2 else [])
        one.page.clock.run_for(125)
        assert one.page.query_selector("#machine-move.lit")
    one.tell(state="player", legends=["your-move"])
    one.page.wait_for_selector("#machine-move:not(.lit)")


def test_what_changes_nothing_draws_nothing(told):
    """Otherwise, the next lamp would wait for another frame of the browser."""
    one = told(first=state(held=[]))
    one.show()
    one.page.evaluate(
        """() => {
        globalThis.changes = [];
        new MutationObserver((seen) => changes.push(...seen.map((one) => one.target.outerHTML)))
            .observe(document, { subtree: true, childList: true, attributes: true });
    }"""
    )
    for number in range(2, 5):
        one.show(done=number)
    assert one.page.evaluate("changes") == []


def test_a_pick_is_shown_at_once_and_go_calls_whoever_waits(told):
    one = told(clock=True)
    page = one.page
    calling = "document.getAnimations().map((one) => one.animationName ?? one.transitionProperty)"
    wait_until(page, lambda: page.evaluate(calling) == [])
    for left in ((3, 4, 3, 0), (3, 4, 2, 0), (3, 4, 4, 0)):
        page.clock.run_for(2500)
        one.show(**state(left=left))
        assert page.evaluate(calling) == []
    page.clock.run_for(3500)
    assert page.evaluate(calling) == ["call"]
    one.show(**state())
    assert page.evaluate(calling) == []


def test_axe_finds_nothing_wrong(told):
    one = told(first=state(left=(3, 4, 3, 0), **LEFT))
    page = one.page
    checker = axe.Axe()

    def check():
        found = checker.run(page).response["violations"]
        assert not [(rule["id"], [node["html"] for node in rule["nodes"]]) for rule in found]

    check()
    page.click("#curious")
    page.wait_for_selector("#drawer:focus")
    check()
    page.keyboard.press("Escape")
    page.click("#choose")
    page.wait_for_selector(".cards li")
    check()
    page.click("#games .close")
    page.click("#invite")
    check()
    page.click("#friend .close")
    page.click("#sound")
    check()
    page.click("#comfort .close")
    page.wait_for_selector("#comfort", state="hidden")
    insight = explain.explain(explain.Question(NIM, (3, 4, 5, 0), True, "player", None, 1))
    practice = {"rewind": {"practice": True, "marks": 0}, "doing": [["rewind.found", {}]]}
    one.tell(**state(**ALONE, **practice, **insight))
    page.wait_for_selector("#insight .group")
    check()


def test_the_next_visitor_gets_a_fresh_page(told):
    one = told(clock=True)
    page = one.page
    speak(page, "es")
    page.wait_for_selector("#doing:has-text('Te toca')")
    page.click("#sound")
    page.check("#mute")
    page.check("#still")
    page.fill("#volume", "1")
    page.keyboard.press("Escape")
    page.click("#curious")
    page.click("#drawer > details summary")
    page.clock.fast_forward(30_000)  # the visitor has left
    one.tell(**ATTRACT)
    page.wait_for_selector("html[lang=en]")
    assert page.is_hidden("#drawer")
    assert not page.is_checked("#mute") and not page.is_checked("#still")
    assert page.input_value("#volume") == "6"
    assert not page.query_selector(".still, details[open]")
    assert page.evaluate("localStorage.length") == 0


def test_whoever_uses_the_page_is_there_and_keeps_it(told):
    one = told(clock=True)
    page = one.page

    def heard_here(count):
        wait_until(page, lambda: sum("here" in message for message in one.heard) >= count)

    speak(page, "es")
    page.click("#curious")
    heard_here(1)
    page.clock.fast_forward(30_000)
    page.mouse.move(1200, 300)
    page.mouse.wheel(0, 100)
    heard_here(2)
    page.clock.fast_forward(10_000)
    one.tell(**ATTRACT)
    until(page, "attract")
    assert page.is_visible("#drawer") and page.get_attribute("html", "lang") == "es"
    english = "document.documentElement.lang === 'en'"  # once it is left alone
    wait_until(page, lambda: page.evaluate(english) or page.clock.fast_forward(5000))
    assert page.is_hidden("#drawer")


def test_whoever_reads_why_is_asked_before_the_next_visitor_gets_the_page(told):
    one = told(clock=True, first=state(state="verdict", legends=["machine-wins"]))
    page = one.page
    speak(page, "es")
    page.click("#curious")
    page.clock.fast_forward(45_000)
    one.tell(**ATTRACT, demo=DEMO)
    until(page, "attract")

    def idle():
        return page.evaluate("import('./visit.js').then((visit) => visit.idleMs())")

    def asked():
        assert page.is_visible("#drawer") and page.is_hidden("#ribbon")
        return page.is_visible("#warning") or page.clock.fast_forward(5000)

    wait_until(page, asked)
    assert idle() >= 120_000
    expect_text(page, "#warning", words.table("es")["page.reading"].partition("{")[0])
    page.keyboard.press("Tab")
    page.wait_for_selector("#warning", state="hidden")
    wait_until(page, asked)
    assert idle() >= 120_000
    wait_until(page, lambda: page.is_hidden("#drawer") or page.clock.run_for(1000))
    page.wait_for_selector("html[lang=en]")
    assert page.is_hidden("#warning")


def test_the_end_of_a_lesson_stays_to_be_read(told):
    one = told(clock=True)
    page = one.page
    again = page.locator("#caption button:has-text('Try again')")
    told_why = words.table("en")["lesson.4.lost.turn"]
    nobody = ATTRACT | {"lesson": {"steps": 7}, "doing": [["state.attract", {}]], "demo": DEMO}

    def lose():
        one.tell(**LOST)
        until(page, "verdict")
        again.wait_for()
        one.tell(**nobody, advice=[["do.attract", {}]])
        until(page, "attract")

    page.click("#plate")
    lose()
    page.clock.fast_forward(60_000)
    expect_text(page, "#doing", told_why)
    assert page.is_hidden("#tale") and page.is_hidden("#ribbon")
    again.click()
    wait_until(page, lambda: any(said.get("lesson") == "4" for said in one.heard))
    one.tell(**state(lesson=LOST["lesson"] | {"over": ""}))
    until(page, "player")
    again.wait_for(state="hidden")
    lose()
    page.click("#learn")
    again.wait_for(state="hidden")
    expect(page.locator("#doing")).not_to_contain_text(told_why)
    lose()
    one.tell(state="opening", doing=[["state.opening", {}]])
    until(page, "opening")
    one.tell(**nobody)  # another visitor has begun, and left
    until(page, "attract")
    assert again.is_hidden()
    lose()
    wait_until(page, lambda: again.is_hidden() or page.clock.fast_forward(5000))
    assert page.text_content("#doing") == words.table("en")["page.state.attract"]


@pytest.mark.long("3 s")
def test_the_warning_is_in_front_of_the_games(told):
    one = told()
    page = one.page
    page.click("#choose")
    page.wait_for_selector(".cards li")
    one.tell(doing=[["warning", {"seconds": 10}]])
    page.wait_for_selector("#warning:has-text('Are you still there?')")
    box = page.locator("#warning").bounding_box()
    middle = [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]
    assert page.query_selector("#games:modal") and page.query_selector("#warning:popover-open")
    assert 0 < middle[0] < DESK[0] and 0 < middle[1] < DESK[1]
    one.tell(doing=[["state.player", {}]])
    page.wait_for_selector("#warning", state="hidden")


@pytest.mark.long("3 s")
def test_full_screen_and_back(told):
    page = told().page
    page.click("#sound")
    page.click("#full")
    page.wait_for_selector("#full:has-text('Window')", state="hidden")  # with its dialog
    page.click("#sound")
    page.click("#full")
    page.wait_for_selector("#full:has-text('Full screen')", state="attached")


def test_a_silent_cut_is_noticed_and_nothing_is_lost(told):
    one = told(clock=True, first=state(beat=1))
    page = one.page
    page.wait_for_selector(f"{lamp(16)}.live")

    def touched(number):
        sent = {"touch": str(number)}.items()
        wait_until(page, lambda: any(sent <= message.items() for message in one.heard))
        return next(message for message in one.heard if sent <= message.items())

    page.click(lamp(16))
    done = touched(16)
    one.show(done=done["n"])
    page.click(lamp(9))
    lost = touched(9)
    one.heard.clear()
    assert page.is_hidden("#lost")
    page.clock.fast_forward(5000)  # without a beat
    wait_until(page, lambda: len(one.sockets) > 1 or page.clock.run_for(100))
    wait_until(page, lambda: lost in one.heard)
    assert "you=me" in one.sockets[-1].url
    assert done not in one.heard
    one.show()
    assert page.is_hidden("#lost")


def test_a_page_that_is_loaded_again_goes_on_as_it_was(serve, visit):
    """It keeps its table and its place, and its next press counts."""
    served = serve()
    one = visit(served, state="attract")
    one.click("#invite")
    one.wait_for_selector("#link[href]")
    two = visit(one.get_attribute("#link", "href"), state="opening")
    one.click("#friend .close")
    until(one, "opening")
    one.click(lamp(16))
    one.wait_for_selector(f"{lamp(16)}.picked")
    for page in (one, two, one):
        page.reload()
    for page in (one, two):
        page.wait_for_selector("body.people")
        page.wait_for_selector(f"{lamp(16)}.picked")
    one.click("#go")
    two.wait_for_selector("#your-move.lit")


def test_a_demonstration_is_drawn_while_nobody_plays(told):
    one = told(clock=True, first=state(**ATTRACT, demo=DEMO))
    page = one.page
    chaser = lit(page)
    page.clock.run_for(8000)
    assert page.is_visible("#ribbon")
    assert lit(page) in DEMO  # at any move
    heard = page.get_by_role("grid", name="Demonstration").aria_snapshot()
    assert 'row "Row 1"' in heard and "lit" not in heard  # it is not the position
    while not page.get_attribute("#hand", "class"):
        page.clock.run_for(500)
    page.clock.run_for(1000)  # it has arrived
    hand = page.evaluate("document.getElementById('hand').getBoundingClientRect().toJSON()")
    page.mouse.click(hand["x"] + 2, hand["y"] + 9)  # where it points, which a visitor does too
    wait_until(page, lambda: any("touch" in said for said in one.heard))
    assert page.is_hidden("#ribbon")
    assert lit(page) == chaser
    one.tell(real=True)
    wait_until(
        page, lambda: page.evaluate("import('./connection.js').then(({ state }) => state.real)")
    )
    for _ in range(10):
        page.clock.run_for(2000)
        assert page.is_hidden("#ribbon")  # a real Pico's lamps are never hidden


def test_the_story_is_told_and_todays_figures(told):
    page = told(clock=True, first=state(**ATTRACT)).page
    heard = set()
    for _ in range(26):
        heard.add(page.text_content("#tale"))
        page.clock.run_for(3000)
    assert len(heard) == 7 and "" in heard  # the invitation comes after each
    assert any("Nim Champ" in tale for tale in heard)
    assert "I have played 41 matches today. Visitors won 3." in heard
    assert len(page.query_selector_all("#windows .on")) == 3


def test_a_machine_that_makes_one_mistake_says_so(told):
    one = told(first=state(state="opening", doing=[[game_texts.rules(NIM), {}]]))
    expect(one.page.locator("#doing")).to_have_text("Your move: pick a lamp.")
    one.tell(level="equalizer")
    promise = "I will make one mistake: your chance!"
    expect(one.page.locator("#doing")).to_have_text(f"Your move: pick a lamp. {promise}")
    moved = "You switched off 2 lamps in row 1."
    one.tell(**THINKS)  # a visitor whose touch began the match has not read it
    expect(one.page.locator("#doing")).to_have_text(f"{moved} {promise}")
    one.tell(state="machine", doing=[["state.machine", {}]])
    until(one.page, "machine")
    one.tell(**THINKS)
    expect(one.page.locator("#doing")).to_have_text(f"{moved} I am thinking.")
    one.tell(state="attract", doing=[["state.attract", {}]], advice=[])
    invites = words.table("en")["page.state.attract"]
    expect(one.page.locator("#doing")).to_have_text(f"{invites} {promise}")


def test_winner_reads_how_to_play_again(told):
    last = ["last.machine", {"last": game_texts.last_done(NIM)}]
    told_won = [last, ["wins.player", {}]]
    advice = [["do.token", {}], ["do.verdict", {}]]
    one = told(first=state(state="verdict", won=True, doing=told_won, advice=advice))
    expect(one.page.locator("#doing")).to_have_text(
        "I switched off the last lamp. You win! You've won a medal! Press GO to play again."
    )
    one.tell(advice=[["rewind.medal", {}]])
    medal = "I switched off the last lamp. You win! Now beat me without help: press GO."
    expect(one.page.locator("#doing")).to_have_text(medal)
    one.tell(won=False, doing=[last, ["wins.machine", {}]])
    expect(one.page.locator("#doing")).to_have_text("I switched off the last lamp. I win!")


def test_chomps_poison_looks_poisoned(told):
    one = told()
    glass = "getComputedStyle(document.querySelector('[data-lamp=\"0\"]'), '::before').content"
    assert "☠" not in one.page.evaluate(glass)
    one.tell(game="chomp")
    one.page.wait_for_selector("[data-game=chomp]")
    assert "☠" in one.page.evaluate(glass)


def test_the_knob_is_for_the_machine_alone(told):
    one = told()
    for practice in ({"lesson": {"step": 1}}, {"rewind": {"practice": True}}):
        one.page.wait_for_selector("#knob:visible")
        one.tell(**practice)
        one.page.wait_for_selector("#knob", state="hidden")
        one.tell(lesson={}, rewind={})
    one.page.wait_for_selector("#knob:visible")
    one.tell(people=2)
    one.page.wait_for_selector("#knob", state="hidden")


def test_quiet_hours_are_silent(told):
    one = told()
    click(one.page, "row1")
    one.tell(sound=880)
    one.tell(sound=90)  # both kinds of sound are made without an error
    one.page.click("#sound")
    for news, said in (
        ({"quiet": True}, "These are quiet hours: the sound is off."),
        ({"muted": True}, "The exhibit is muted."),
        ({"quiet": False}, "The exhibit is muted."),
    ):
        one.tell(**news)
        expect(one.page.locator("#hush")).to_have_text(said)
    one.tell(muted=False)
    expect(one.page.locator("#hush")).to_be_hidden()


def test_the_operators_volume_is_that_of_a_fresh_page(told):
    one = told(first=state(**ATTRACT, volume=3))
    volume = one.page.locator("#volume")
    expect(volume).to_have_value("3")
    one.tell(volume=9)
    expect(volume).to_have_value("9")
    one.page.click("#sound")
    one.page.fill("#volume", "1")
    one.tell(volume=4)
    one.tell(quiet=True)
    expect(one.page.locator("#hush")).to_be_visible()
    expect(volume).to_have_value("1")  # the visitor's own


def test_the_page_is_small(serve, visit):
    fetched = []
    page = visit(
        serve(), prepare=lambda page: page.on("requestfinished", lambda done: fetched.append(done))
    )
    until(page, "attract")
    page.wait_for_selector("#fair svg", state="attached")
    page.wait_for_load_state("networkidle")
    sizes = {request.url: request.sizes()["responseBodySize"] for request in fetched}
    assert sum(sizes.values()) <= 120_000, sizes
    assert len(sizes) >= 14


FONT = "**/jost.woff2"
_BOXES = """[...document.querySelectorAll("#board, [data-button], #caption")]
    .map((e) => JSON.stringify(e.getBoundingClientRect()))"""


def fonts_of(page, selector):
    """Return the fonts that the browser draws this text with."""
    session = page.context.new_cdp_session(page)
    for domain in ("DOM", "CSS"):
        session.send(f"{domain}.enable")
    root = session.send("DOM.getDocument")["root"]["nodeId"]
    node = session.send("DOM.querySelector", {"nodeId": root, "selector": selector})["nodeId"]
    used = session.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
    return {font["familyName"] for font in used}


def test_the_pages_own_font_has_every_letter(told):
    page = told().page
    letters = {letter for table in words.tables().values() for letter in "".join(table.values())}
    printed = "".join(sorted(letter for letter in letters if letter.strip()))
    page.evaluate("(text) => { document.getElementById('rule').textContent = text; }", printed)
    page.evaluate(
        "document.fonts.load('16px Jost').then(() => new Promise(requestAnimationFrame))"
    )
    assert fonts_of(page, "#rule") == {"Jost"}


def test_a_late_font_moves_nothing(serve, visit):
    held = []
    page = visit("about:blank", PHONE)
    page.route(FONT, lambda route: held.append(route))
    page.goto(serve("new 3 4 5").url, wait_until="commit")
    until(page, "player")
    page.wait_for_selector("#rule:not(:empty)")
    before = page.evaluate(_BOXES)
    held[0].continue_()
    page.evaluate("document.fonts.ready.then(() => true)")
    assert page.evaluate("document.fonts.size") == 1
    page.wait_for_timeout(200)
    assert page.evaluate(_BOXES) == before


def test_a_server_that_does_not_know_the_page_is_told_its_language(told):
    one = told()
    one.show()
    one.heard.clear()
    one.tell(you="anew")
    wait_until(one.page, lambda: any(said.get("language") == "en" for said in one.heard))


def test_while_others_play_nothing_invites_to_press(told):
    two = {"people": 2, "insight": {"good": True}}
    said = {"doing": [["people", {"count": 2}], [game_texts.rules(NIM), {}]]}
    one = told(first=state(state="opening", waits=True, **two, **said))
    page = one.page
    page.wait_for_selector("#doing:text-is('2 people play each other.')")
    assert len(page.query_selector_all("[data-button]:disabled")) == 6
    assert not page.query_selector(".lamps .live")
    page.keyboard.press("Enter")
    one.show(waits=False)
    page.wait_for_selector("#go:enabled")
    page.wait_for_selector(".lamps .live")
    assert not [said for said in one.heard if "press" in said]


@pytest.mark.sampled("2 s each")
@pytest.mark.parametrize("closed", ["maintenance", "crashed"])
def test_buttons_are_closed_while_somebody_mends_the_machine(told, closed):
    one = told()
    page = one.page
    expect(page.locator("[data-button]:enabled")).to_have_count(6)
    one.tell(state=closed, legends=[], touch=[None] * 28)
    expect(page.locator("[data-button]:disabled")).to_have_count(6)
    for button in page.locator("[data-button]").all():
        button.click(force=True)
    page.keyboard.press("Enter")
    page.click(lamp(0))
    one.tell(**ATTRACT)
    expect(page.locator("[data-button]:enabled")).to_have_count(6)
    click(page, "go")
    wait_until(page, lambda: [said for said in one.heard if "release" in said])
    done = [said for said in one.heard if {"press", "touch", "release"} & said.keys()]
    assert [{"press", "release"} & said.keys() for said in done] == [{"press"}, {"release"}]


@pytest.mark.long("3 s")
@pytest.mark.parametrize(("language", "doing"), [("en", "Your move."), ("es", "Te toca.")])
def test_the_builders_language_counts_even_if_the_browsers_loads_last(
    serve, visit, language, doing
):
    held = []

    def hold_first(route):
        if held:
            route.continue_()
        else:
            held.append(route)

    def prepare(page):
        page.route("**/words/de.json", hold_first)

    page = visit(serve("new 3 4 5", language=language), prepare=prepare, locale="de-DE")
    until(page, "player")
    wait_until(page, lambda: held)
    page.wait_for_selector(f"#doing:has-text('{doing}')")
    held[0].continue_()
    page.evaluate("fetch('words/de.json').then((answer) => answer.json())")  # after the one held
    assert page.inner_text("#doing") == doing
    assert page.get_attribute("html", "lang") == language
    assert page.input_value("#language") == language
