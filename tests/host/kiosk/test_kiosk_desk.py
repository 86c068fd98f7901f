"""The operator's page in a real browser."""

import asyncio
import csv
import re
from datetime import datetime

import pytest
from test_kiosk_matches import NOW, match
from test_kiosk_page import DESK, PHONE, SMALL, axe, expect

from chromium import wait_until
from nimatron import states
from nimatron.settings import TABLE
from nimatron_host.kiosk import matches
from nimatron_host.kiosk.matches import Matches
from nimatron_host.kiosk.state_files import PAGES, Pages
from nimatron_host.kiosk.tokens import Tokens
from nimatron_play import words

TOKEN = "the-operators-token"
SHOWS = "#status.good"
REASONS = ("power-on", "hang", "reset", "crash", "reboot", "maintenance", "deploy")
DEVICES = ("legends", "sounder", "coin", "led", "row1", "row2", "row3", "row4")


@pytest.fixture
def desk(visit, serve, tmp_path):
    """Return desk(token, size), which opens the operator's page."""
    kept = Matches(tmp_path / matches.FILE, now=lambda: NOW)
    for hour, winner, game, level in (
        (10, "player", "nim", "child"),
        (10, "machine", "nim", "perfect"),
        (12, "abandoned", "kayles", "child"),
        (14, "machine", "chomp", "equalizer"),
    ):
        kept.add(match(f"2026-11-22T{hour}:00:00", winner, game=game, level=level))
    kept.add(match("2026-11-22T14:30:00", "player-1", game="kayles", players=2))
    kept.note("failed", "sounder")
    served = serve(operator=TOKEN, matches=kept, pages=Pages(tmp_path / PAGES))

    def come(token=TOKEN, size=DESK, locale="en-US"):
        address = f"{served.url}operator/{f'#token={token}' if token else ''}"
        page = visit(address, size, locale=locale)
        if token:
            page.wait_for_selector(SHOWS)
            page.wait_for_selector("#level :checked")  # the machine's values have come
        return page

    come.served = served
    return come


def dialogs(page, answer):
    """Answer all dialogs with accept or dismiss. Return the list of their questions."""
    asked = []

    def told(dialog):
        asked.append(dialog.message)
        getattr(dialog, answer)()

    page.on("dialog", told)
    return asked


@pytest.fixture
def page(desk):
    """Return the operator's page with the technician's part open."""
    page = desk()
    page.click("#technician > summary")
    return page


def test_the_first_screen_is_a_curators(desk):
    page = desk(size=(1280, 800))
    page.wait_for_selector("#today dd:has-text('5')")
    assert "token" not in page.url
    assert " ".join(page.inner_text("#today").split()) == (
        "Matches 5 Visitors won 1 of 3 (33%) Time played 7 min"
    )
    expect(page.locator("#running")).to_have_text(re.compile(r"^Running since \d\d:\d\d, last pl"))
    expect(page.locator("legend:visible")).to_have_text(["Sound", "Language", "Level", "Games"])
    for name in ("#health", "#settings", "#said", "#figures"):
        assert page.is_hidden(name)
    expect(page.get_by_role("button")).to_have_text(["Print the poster", "Save", "Undo"])
    by_difficulty = ("child", "easy", "fair", "equalizer", "strong", "perfect")
    expect(page.locator("#level label")).to_have_text(
        [words.tables()["en"][f"level.{level}"] for level in by_difficulty]
    )
    expect(page.locator("#level :checked")).to_be_visible()


@pytest.mark.parametrize("code", ["en", "de"])
def test_the_technicians_part_begins_on_a_small_screen(desk, code):
    page = desk(size=(1366, 768), locale=code)
    page.wait_for_selector("#today dd:has-text('5')")
    part, bar = page.locator("#technician"), page.locator("#changes")
    top, height = (part.bounding_box()[key] for key in ("y", "height"))
    assert top + height <= bar.bounding_box()["y"]
    page.click("#technician > summary")
    wait_until(page, lambda: part.bounding_box()["y"] < 1)  # its contents are below


def test_what_was_played_by_hour_level_and_game_and_each_match(page):
    page.wait_for_selector("#figures dd:has-text('5')")
    assert " ".join(page.inner_text("#figures dl").split()) == (
        "All matches, including matches between visitors and abandoned ones 5 "
        "Visitors won 1 of 3 (33%) The machine won 2 "
        "Visitors played each other 1 Abandoned 1 Time played 7 min"
    )
    bars = page.locator("#figures tbody i:not(.rest)")
    assert bars.count() == 5 + 4 + 5  # by hour, level and game
    page.click("[data-span=all]")
    page.wait_for_selector("caption:has-text('By day')")
    assert page.locator("[data-by=level] tbody .together").count() == 0
    assert page.inner_text("[data-by=game] tr:has-text('Kayles')").split() == [
        *("Kayles", "2", "0", "0", "1", "1")
    ]
    assert "Failed or stuck (buzzer): once" in page.inner_text("#figures")
    shown = "async (told) => (await import('./charts.js')).day(told)[2].textContent"
    for count, said in ((0, "0 min"), (1, "under 1 min")):
        total = dict(people=0, machine=count, together=0, abandoned=0)
        assert page.evaluate(shown, {"minutes": 0, "total": total}) == f"Time played{said}"
    with page.expect_download() as download:
        page.click("[data-file='matches.csv']")
    with open(download.value.path()) as file:
        winners = [row["winner"] for row in csv.DictReader(file)]
    assert winners == ["player", "machine", "abandoned", "machine", "player-1"]


def test_new_figures_are_seen_when_they_are_there(desk):
    page = desk()
    page.wait_for_selector("#today dd:has-text('5')")
    for count in (6, 7):
        desk.served.kiosk.matches.add(match(f"2026-11-22T14:4{count}:00"))
        page.wait_for_selector(f"#today dd:text-is('{count}')")
    expect(page.locator("#running")).to_contain_text("ago")
    desk.served.kiosk.matches.add(match(datetime.now().isoformat(timespec="seconds")))
    expect(page.locator("#running")).to_contain_text("last played just now")


def test_the_machines_own_statistics_follow_a_match(page):
    for line in ("new 1 1", "take 1 1"):
        page.fill("#line", line)
        page.keyboard.press("Enter")
    page.wait_for_selector("#stats tr:has(th:text-is('Visitors won')) td:text-is('1')")


def test_the_operator_closes_a_table(desk, page):
    expect(page.locator("#open")).to_have_text("No other table is open.")
    phones = []
    for _ in range(2):  # the first is the wall
        phones.append(page.context.new_page())
        phones[-1].goto(desk.served.url)
        phones[-1].wait_for_selector("body[data-state=attract]")
    expect(page.locator("#others li")).to_contain_text("Table 2 · The machine is waiting")
    page.click("#others button")
    wait_until(page, lambda: not page.query_selector_all("#others li:has-text('Table 2')"))
    expect(page.locator("#others li")).to_contain_text("Table 3")  # where that phone is now


def test_the_operator_types_and_sets(desk, page):
    page.fill("#line", "version")
    page.keyboard.press("Enter")
    page.wait_for_selector("#said:has-text('ok name=nimatron')")
    page.check("#level [value=child]")
    page.uncheck("#games [value=kayles]")
    save(page)
    page.wait_for_selector("#said:has-text('ok level=child saved=1')")
    wait_until(page, lambda: "kayles" not in desk.served.machine.visit.offered("game"))
    page.on("dialog", lambda dialog: dialog.dismiss())
    page.click("button:has-text('Maintenance')")
    page.click("button:has-text('Lamp test')")
    page.wait_for_selector("#said:has-text('state=test')")
    assert "> maintenance" not in page.inner_text("#said")


def save(page, said="Saved."):
    expect(page.locator("#waits")).to_be_visible()
    page.click("#save")
    expect(page.locator("#notice:not(.bad)")).to_have_text(said)
    expect(page.locator("#save")).to_be_disabled()
    expect(page.locator("#waits")).to_be_hidden()


def test_two_games_are_left_in_three_clicks(desk):
    page = desk()
    every = page.locator("#games").get_by_label("All: ")
    expect(every).to_be_checked()
    every.click()
    page.click("#save")
    expect(every).to_be_focused()  # at least one is needed
    for name in ("nim", "chomp"):
        page.check(f"#games [value={name}]")
    expect(page.locator("#games label").first).to_have_text("All: 2 of 18 selected")
    expect(every).to_have_js_property("indeterminate", True)
    save(page)
    assert desk.served.machine.facts.settings["games"] == "nim,chomp"
    every.click()
    save(page)
    assert len(desk.served.machine.facts.settings["games"].split(",")) == 18


def test_a_cleared_time_is_not_saved(desk):
    page = desk()
    page.check("#hushes")
    save(page)
    page.focus("#begins")
    page.dispatch_event("#begins", "input")  # changes nothing
    expect(page.locator("#notice")).to_have_text("Saved.")
    page.keyboard.press("Backspace")
    expect(page.locator("#notice")).to_be_empty()
    expect(page.locator("#waits")).to_be_visible()
    page.click("#save")
    expect(page.locator("#begins")).to_be_focused()
    assert desk.served.machine.surroundings.pages.told["quiet"] == "18:00-09:00"


def test_undo_shows_what_the_machine_has(desk):
    page = desk()
    expect(page.locator("#undo")).to_be_disabled()
    page.check("#level [value=fair]")
    page.fill("#volume", "2")
    page.check("#hushes")
    page.select_option("#tongue", "de")
    desk.served.do(desk.served.machine.send, "set level easy")
    wait_until(page, lambda: desk.served.machine.facts.settings["level"] == "easy")
    expect(page.locator("#level [value=fair]")).to_be_checked()  # not while it is changed
    page.click("#undo")
    expect(page.locator("#level [value=easy]")).to_be_checked()
    expect(page.locator("#volume")).to_have_value("6")
    expect(page.locator("#hushes")).not_to_be_checked()
    expect(page.locator("#tongue")).to_have_value("")
    expect(page.locator("#save")).to_be_disabled()
    assert desk.served.machine.facts.settings["level"] == "easy"


def test_a_line_that_cannot_be_typed_now_stays(desk, page):
    desk.served.stop()
    page.wait_for_selector("#status.bad:has-text('computer is on')")
    page.fill("#line", "version")
    page.keyboard.press("Enter")
    page.wait_for_selector("#notice.bad:text-is('Not connected.')")
    assert page.input_value("#line") == "version"


def setting(name):
    return f"[data-setting={name}]"


def test_a_setting_has_its_name_unit_range_and_default(page):
    above = {"level", "games", "mute"}
    expect(page.locator("[data-setting]")).to_have_count(len(TABLE) - len(above))
    told = [" ".join(each.split()) for each in page.locator("[data-setting]").all_inner_texts()]
    assert told == sorted(told, key=str.lower)
    for said in (
        "Time without a press until a match ends seconds From 15 to 600. Default: 60.",
        "Time after which a press is a long press milliseconds From 200 to 3000. Default: 600.",
        "Brightness of the lamps percent From 5 to 100. Default: 100.",
    ):
        assert said in told
    minutes = "Time without a press or command until maintenance ends minutes From 1 to 1440."
    assert f"{minutes} Default: 10." in told
    expect(page.locator(f"{setting('idle_ms')} input")).to_have_value("60")


def test_a_wrong_number_is_not_sent(desk, page):
    field = page.locator(f"{setting('think_ms')} input")
    for typed in ("99999", "-1", ""):
        field.fill(typed)
        page.click("#technician > summary")
        page.click("#save")
        expect(field).to_be_focused()  # where it can be seen again
        assert field.evaluate("each => each.validationMessage") == "Type a number from 0 to 10."
    assert sum("> set think_ms" in line for line in desk.served.machine.said) == 1  # of the start
    field.fill("1.5")
    save(page)
    assert desk.served.machine.facts.settings["think_ms"] == "1500"
    page.click(f"{setting('levels')} input >> nth=0")  # all
    page.click("#save")
    first = page.locator(f"{setting('levels')} input").first
    assert first.evaluate("each => each.validationMessage") == "Choose at least one."


def test_a_refusal_is_shown(desk):
    page = desk()
    page.eval_on_selector("#level [value=child]", "box => { box.value = 'wise'; box.click(); }")
    page.click("#save")
    expect(page.locator("#notice.bad")).to_have_text("Not set: “wise” is not allowed.")


def test_the_operator_sets_volume_quiet_hours_and_language(desk):
    page = desk()
    expect(page.locator("#volume")).to_have_value("6")
    page.fill("#volume", "3")
    expect(page.locator("#loud")).to_have_text("30%")
    page.check("#hushes")
    expect(page.locator("#begins")).to_have_value("18:00")
    page.fill("#ends", "18:00")
    page.click("#save")
    told = page.eval_on_selector("#ends", "each => each.validationMessage")
    assert told == "Quiet hours need two different times."
    page.fill("#ends", "08:30")
    page.select_option("#tongue", "fr")
    save(page)
    page.reload()
    expect(page.locator("#ends")).to_have_value("08:30")
    expect(page.locator("#begins")).to_have_value("18:00")
    expect(page.locator("#volume")).to_have_value("3")
    expect(page.locator("#tongue")).to_have_value("fr")
    state = desk.served.machine.state
    assert (state["volume"], state["language"]) == (3, "fr")
    page.uncheck("#hushes")
    save(page)
    assert desk.served.machine.surroundings.pages.told["quiet"] == ""


def test_the_poster_opens_for_phones_that_can_reach_it(desk):
    page = desk()
    expect(page.locator("#print")).to_be_disabled()
    expect(page.locator("#print-how")).to_contain_text("--host 0.0.0.0")
    desk.served.tables.link = "http://192.0.2.7:8000/"
    page.reload()
    page.select_option("#tongue", "de")
    save(page)
    with page.context.expect_page() as opened:
        page.click("#print")
    poster = opened.value
    expect(poster.locator("h1")).to_have_text(words.tables()["de"]["poster.beat"])
    expect(poster.locator("footer")).to_have_text("http://192.0.2.7:8000/")
    width = "each => parseFloat(getComputedStyle(each).borderTopWidth)"
    assert poster.locator("body").evaluate(width) > 4  # it has its style


def test_a_button_that_is_refused_says_so(page):
    """Maintenance mode has no matches, but the page may learn of the mode too late."""
    page.fill("#line", "maintenance")
    page.keyboard.press("Enter")
    page.wait_for_selector("#status.bad:has-text('In maintenance: visitors cannot play.')")
    page.eval_on_selector("[data-send=new]", "button => (button.disabled = false)")
    page.click("button:text-is('New match')")
    page.wait_for_selector("#notice.bad:not(:empty)")


@pytest.mark.long("4 s")
def test_maintenance_is_left_as_it_was_entered(page):
    asked = dialogs(page, "accept")
    page.click("button:text-is('Maintenance')")
    page.wait_for_selector("#status.bad:has-text('In maintenance: visitors cannot play.')")
    for name in ("New match", "Lamp test"):
        expect(page.get_by_role("button", name=name)).to_be_disabled()
    page.get_by_role("button", name="Back in service").click()
    page.wait_for_selector(SHOWS)
    assert len(asked) == 1
    expect(page.get_by_role("button", name="New match")).to_be_enabled()
    expect(page.locator("#fix")).to_be_hidden()


def test_a_restart_ends_a_match_only_if_there_is_one(page):
    asked = dialogs(page, "dismiss")
    page.click("#technician button:text-is('Restart')")
    page.fill("#line", "new 3 4 5")
    page.keyboard.press("Enter")
    expect(page.locator("#running")).to_contain_text("being played now")
    page.click("#technician button:text-is('Restart')")
    assert "a few seconds later" in asked[0] and "ends the current match" in asked[1]


def test_a_simulated_board_invents_no_readings(desk, page):
    told = page.inner_text("#health")
    assert "Board\tsimulated" in told
    for invented in ("Temperature", "Free", "Pico", "MicroPython", "Lamp", "delay"):
        assert invented not in told
    desk.served.machine.attendant.real = True  # as on a cable
    desk.served.do(desk.served.machine.facts.ask)
    expect(page.locator("#health")).to_contain_text("Temperature")


def test_a_failed_device_has_a_remedy_and_a_faulty_wire_its_place(desk):
    page = desk()
    desk.served.machine.facts.told |= {"health": {"uptime_s": "9", "failed": "sounder"}}
    desk.served.do(desk.served.machine.show)
    expect(page.locator("#trouble")).to_contain_text("Failed or stuck: buzzer. Press “Restart”.")
    expect(page.locator("#fix")).to_have_text("Restart")
    expect(page.locator("#running")).to_be_empty()
    news = {
        "state": "attract",
        "failures": ["lamp:3.5:open", "legend:you-win:short", "chute:coin:short"],
        "places": {"lamp:3.5:open": "D19 in 3-j47 and 3-j48"},
    }
    said = page.evaluate("async (news) => (await import('./machine.js')).trouble(news)", news)
    assert "Lamp 3.5: open (D19 in 3-j47 and 3-j48), Sign you-win: shorted" in said
    assert "coin chute: shorted" in said


@pytest.mark.sampled("a second each")
@pytest.mark.parametrize("code", sorted(words.tables()))
def test_it_speaks_every_language(desk, code):
    table = words.tables()[code]
    page = desk(locale=code)
    page.click("#technician > summary")
    page.wait_for_selector("#figures table")
    for key in ("desk.played", "desk.health.uptime_s", "setting.hold_ms", "page.games"):
        page.get_by_text(table[key]).first.wait_for()
    assert page.get_attribute("html", "lang") == code
    assert " ".join(page.title().split()) == " ".join(table["desk.title"].split())
    said = page.inner_text("body")
    assert table["desk.saved"] not in said
    assert "desk." not in said and "{" not in said
    page.fill(f"{setting('lamp_ms')} input", "500")
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    other = "es" if code == "en" else "en"
    page.select_option("#here", other)
    page.wait_for_selector(f"h2:text-is('{words.tables()[other]['desk.played']}')")
    assert page.input_value(f"{setting('lamp_ms')} input") == "500"
    save(page, words.tables()[other]["desk.saved"])
    page.reload()
    page.wait_for_selector(f"html[lang={other}] {SHOWS}")


@pytest.mark.parametrize("code", sorted(words.tables()))
def test_what_the_firmware_says_has_words(code):
    """A new state or setting has an English text until it is translated."""
    keys = [f"desk.state.{state}" for state in (*states.STATES, "boot", "away", "off")]
    keys += [f"desk.state.{state}" for state in (states.MAINTENANCE, states.CRASHED)]
    keys += [f"desk.why.{why}" for why in REASONS]
    keys += [f"desk.device.{name}" for name in DEVICES]
    keys += [f"setting.{name}" for name, _, _ in TABLE]
    assert set(keys) <= set(words.tables()[code])


def test_without_the_token_there_is_only_a_question(desk):
    page = desk(token=None)
    page.wait_for_selector("#login:visible")
    page.fill("#token", "not the token")
    page.keyboard.press("Enter")
    page.wait_for_selector("#denied:has-text('not the operator')")
    assert page.is_hidden("#desk") and not page.inner_text("#said")
    page.fill("#token", TOKEN)
    page.keyboard.press("Enter")
    page.wait_for_selector(SHOWS)


@pytest.mark.long("3 s")
def test_a_revoked_token_is_asked_for_again(desk):
    page = desk()
    served, new = desk.served, "another-operators-token"
    served.kiosk.tokens = Tokens(operator=new)
    asyncio.run_coroutine_threadsafe(served.kiosk.dismiss(), served._loop).result()
    page.wait_for_selector("#denied:has-text('not the operator')")
    assert page.is_hidden("#desk")
    page.fill("#token", new)
    page.keyboard.press("Enter")
    page.wait_for_selector(SHOWS)


@pytest.mark.parametrize(
    "size", [PHONE, *(pytest.param(size, marks=pytest.mark.long("3 s")) for size in (DESK, SMALL))]
)
def test_everybody_can_use_it(desk, size):
    page = desk(size=size)
    page.wait_for_selector("#figures table", state="attached")
    for wait in (0, 1):  # the first screen, then the whole page
        found = axe.Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
        for summary in page.locator("summary").all() if not wait else ():
            summary.click()
