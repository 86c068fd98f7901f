"""The operator's page in a real browser."""

import asyncio
import csv

import pytest
from test_kiosk_matches import NOW, match
from test_kiosk_page import DESK, PHONE, SMALL, axe, expect

from chromium import PATIENCE_MS, open_browser, wait_until
from nimatron import states
from nimatron.settings import TABLE
from nimatron_host.kiosk import matches
from nimatron_host.kiosk.kept import SOUND, Sound
from nimatron_host.kiosk.matches import Matches
from nimatron_host.kiosk.tokens import Tokens
from nimatron_play import words

TOKEN = "the-operators-token"
SHOWS = "#status:has-text('waiting for visitors')"
REASONS = ("power-on", "hang", "reset", "crash", "reboot", "maintenance", "deploy")
DEVICES = ("legends", "sounder", "coin", "led", "row1", "row2", "row3", "row4")


@pytest.fixture(scope="module")
def browser():
    with open_browser() as browser:
        yield browser


@pytest.fixture
def desk(browser, serve, tmp_path):
    """desk(token, size) opens the operator's page. At the end, nothing has failed in it."""
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
    sound = Sound(tmp_path / SOUND)
    served = serve(operator=TOKEN, matches=kept, sound=sound)
    contexts, trouble = [], []

    def come(token=TOKEN, size=DESK, locale="en-US"):
        width, height = size
        context = browser.new_context(
            viewport={"width": width, "height": height}, locale=locale, accept_downloads=True
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.on(
            "console",
            lambda said: trouble.append(said.text) if "Content Security" in said.text else None,
        )
        page.goto(f"{served.url}operator/{f'#token={token}' if token else ''}")
        return page

    come.served = served
    yield come
    for context in contexts:
        context.close()
    assert not trouble


def test_the_operator_sees_what_was_played(desk):
    page = desk()
    page.wait_for_selector("#tiles dd:has-text('5')")
    assert "token" not in page.url
    assert " ".join(page.inner_text("#tiles").split()) == (
        "All matches, including matches between visitors and abandoned ones 5 "
        "Visitors won 1 of 3 (33%) The machine won 2 "
        "Visitors played each other 1 Abandoned 1 Time played 7 min"
    )
    assert page.locator("figure svg rect").count() == 5 + 4 + 5  # by hour, level and game
    page.click("[data-span=all]")
    page.wait_for_selector("h3:has-text('By day')")
    assert page.locator("figure:has-text('By level') rect.together").count() == 0
    levels = page.locator("figure:has-text('By level')")
    for key in ("child", "perfect", "equalizer"):
        name = words.tables()["en"][f"level.{key}"]
        text = levels.locator("svg text").filter(has_text=name)
        assert text.count() == 1 and text.evaluate("text => text.getBBox().x") >= 0
    page.click("figure:has-text('By game') summary")
    row = page.inner_text("figure:has-text('By game') tr:has-text('Kayles')")
    assert row.split() == ["Kayles", "0", "0", "1", "1", "2"]
    assert "Failed or stuck (buzzer): once" in page.inner_text("#figures")


def test_new_figures_are_seen_when_they_are_there(desk):
    page = desk()
    page.wait_for_selector("#tiles dd:has-text('5')")
    for count in (6, 7):
        desk.served.kiosk.matches.add(match(f"2026-11-22T14:4{count}:00"))
        page.wait_for_selector(f"#tiles dd:text-is('{count}')")


def test_new_figures_close_no_table_that_somebody_reads(desk):
    page = desk()
    table = page.locator("figure:has-text('By game') details")
    table.locator("summary").click()
    desk.served.kiosk.matches.add(match("2026-11-22T14:46:00"))
    page.wait_for_selector("#tiles dd:text-is('6')")
    assert table.get_attribute("open") is not None
    expect(table.locator("summary")).to_be_focused()


def test_the_machines_own_statistics_follow_a_match(desk):
    page = desk()
    page.wait_for_selector(SHOWS)
    page.click("summary:has-text('Machine statistics')")
    for line in ("new 1 1", "take 1 1"):
        page.fill("#line", line)
        page.keyboard.press("Enter")
    page.wait_for_selector("#stats tr:has(th:text-is('Visitors won')) td:text-is('1')")


def test_the_operator_closes_a_table(desk):
    page = desk()
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


def test_the_operator_types_and_sets(desk):
    page = desk()
    page.wait_for_selector(SHOWS)
    page.fill("#line", "version")
    page.keyboard.press("Enter")
    page.wait_for_selector("#said:has-text('ok name=nimatron')")
    page.click("summary:has-text('Settings')")
    page.select_option(f"{setting('level')} select", "child")
    page.click(f"{setting('level')} button:text-is('Set')")
    page.wait_for_selector("#said:has-text('ok level=child saved=1')")
    page.wait_for_selector(f"{setting('level')} .answer:text-is('Saved.')")
    page.uncheck(f"{setting('games')} input[value=kayles]")
    page.click(f"{setting('games')} button:text-is('Set')")
    page.wait_for_selector(f"{setting('games')} .answer:text-is('Saved.')")
    wait_until(page, lambda: "kayles" not in desk.served.machine.visit.offered("game"))
    page.click(f"{setting('games')} button:text-is('Back to the default')")
    page.wait_for_selector(f"{setting('games')} input[value=kayles]:checked")
    page.on("dialog", lambda dialog: dialog.dismiss())
    page.click("button:has-text('Maintenance')")
    page.click("button:has-text('Lamp test')")
    page.wait_for_selector("#said:has-text('state=test')")
    assert "> maintenance" not in page.inner_text("#said")


def test_a_line_that_cannot_be_typed_now_stays(desk):
    page = desk()
    page.wait_for_selector(SHOWS)
    desk.served.stop()
    page.wait_for_selector("#status.bad")
    page.fill("#line", "version")
    page.keyboard.press("Enter")
    page.wait_for_selector("#talk .answer.bad:text-is('Not connected.')")
    assert page.input_value("#line") == "version"


def setting(name):
    return f"[data-setting={name}]"


def test_a_setting_says_what_it_does_its_unit_its_range_and_its_default(desk):
    page = desk()
    page.wait_for_selector(SHOWS)
    page.click("summary:has-text('Settings')")
    expect(page.locator("[data-setting]")).to_have_count(len(TABLE))
    expect(page.locator(setting("idle_ms"))).to_contain_text("Default: 60000 ms (1 min).")
    expect(page.locator(f"{setting('idle_ms')} input")).to_have_value("60000")
    told = " ".join(page.inner_text(setting("idle_ms")).split())
    assert told.startswith("idle_ms The match ends after this time without a press. ms = 1 min")
    assert "From 15000 ms (15 sec) to 600000 ms (10 min). Default: 60000 ms (1 min)." in told
    for name, said in (
        ("brightness", "From 5% to 100%. Default: 100%."),
        ("games", "Default: All."),
    ):
        expect(page.locator(setting(name))).to_contain_text(said)
    mute = page.locator(f"{setting('mute')} input[type=checkbox]:not(:checked)")
    expect(mute).to_have_count(1)


def test_a_refusal_stands_beside_the_control(desk):
    page = desk()
    page.wait_for_selector(SHOWS)
    page.click("summary:has-text('Settings')")
    for typed, said in (
        ("99999", "Not set: it must be a whole number from 0 to 10000, not 99999."),
        ("soon", "Not set: it must be a whole number from 0 to 10000, not soon."),
        ("1000; reboot", "Not set: it must be a whole number from 0 to 10000, not 1000; reboot."),
        ("10 000", "Not set: it must be a whole number from 0 to 10000, not 10 000."),
        ("50.5", "Not set: it must be a whole number from 0 to 10000, not 50.5."),
        ("½", "Not set: it must be a whole number from 0 to 10000, not ½."),
        ("", "Not set: type a value first."),
    ):
        page.fill(f"{setting('think_ms')} input", typed)
        page.keyboard.press("Enter")
        page.wait_for_selector(f"{setting('think_ms')} .answer.bad:text-is('{said}')")
    assert page.locator(".answer.bad").count() == 1
    for box in page.query_selector_all(f"{setting('levels')} input"):
        box.uncheck()
    page.click(f"{setting('levels')} button:text-is('Set')")
    page.wait_for_selector(f"{setting('levels')} .answer:has-text('at least one')")
    meaning = page.locator(f"{setting('think_ms')} output")
    for typed, said in (("1e5", ""), ("1500 ms", "= 1.5 sec"), ("1500", "= 1.5 sec")):
        page.fill(f"{setting('think_ms')} input", typed)
        expect(meaning).to_have_text(said)
    page.keyboard.press("Enter")
    page.wait_for_selector(f"{setting('think_ms')} .answer:not(.bad):text-is('Saved.')")


def test_a_number_is_taken_as_its_limits_are_written(desk):
    page = desk()
    page.wait_for_selector(SHOWS)
    page.click("summary:has-text('Settings')")
    page.wait_for_selector(f"{setting('brightness')}:has-text('From 5% to 100%.')")
    page.fill(f"{setting('brightness')} input", "5%")
    page.keyboard.press("Enter")
    page.wait_for_selector(f"{setting('brightness')} .answer:not(.bad):text-is('Saved.')")
    expect(page.locator(f"{setting('brightness')} input")).to_have_value("5")


def test_the_operator_sets_volume_and_quiet_hours(desk):
    page = desk()
    answer = page.locator("#sound .answer")
    expect(page.locator("#volume")).to_have_value("6")
    page.fill("#volume", "3")
    page.fill("#begins", "18:00")
    page.click("#sound button:text-is('Set')")
    expect(answer).to_have_text("Not set: quiet hours need two different times.")
    page.fill("#ends", "09:00")
    page.click("#sound button:text-is('Set')")
    expect(answer).to_have_text("Saved.")
    page.reload()
    expect(page.locator("#ends")).to_have_value("09:00")
    expect(page.locator("#begins")).to_have_value("18:00")
    expect(page.locator("#volume")).to_have_value("3")
    assert desk.served.machine.state["volume"] == 3
    page.click("#sound button:text-is('No quiet hours')")
    expect(answer).to_have_text("Saved.")
    expect(page.locator("#begins")).to_have_value("")
    assert desk.served.machine.house.sound.told["quiet"] == ""


def test_a_button_that_is_refused_says_so(desk):
    """In maintenance mode there are no matches, which this page may get too late."""
    page = desk()
    page.wait_for_selector(SHOWS)
    page.fill("#line", "maintenance")
    page.keyboard.press("Enter")
    page.wait_for_selector("#status.bad:has-text('In maintenance: visitors cannot play.')")
    page.eval_on_selector("[data-send=new]", "button => (button.disabled = false)")
    page.click("button:text-is('New match')")
    page.wait_for_selector("#verbs .answer.bad:not(:empty)")
    assert page.get_attribute("#verbs .answer", "lang") == "en"


@pytest.mark.long("4 s")
def test_maintenance_is_left_as_it_was_entered(desk):
    page, asked = desk(), []
    page.wait_for_selector(SHOWS)

    def accept(dialog):
        asked.append(dialog.message)
        dialog.accept()

    page.on("dialog", accept)
    page.click("button:text-is('Maintenance')")
    page.wait_for_selector("#status.bad:has-text('In maintenance: visitors cannot play.')")
    for name in ("New match", "Lamp test"):
        expect(page.get_by_role("button", name=name)).to_be_disabled()
    expect(page.get_by_role("button", name="Maintenance")).to_be_hidden()
    page.get_by_role("button", name="Back in service").click()
    page.wait_for_selector("#status:not(.bad):has-text('The machine is waiting for visitors.')")
    assert len(asked) == 1
    expect(page.get_by_role("button", name="New match")).to_be_enabled()
    expect(page.get_by_role("button", name="Maintenance")).to_be_visible()


@pytest.mark.parametrize(
    ("state", "said"),
    [("maintenance", "a few seconds later"), ("player", "ends the present match")],
)
def test_a_restart_ends_a_match_only_if_there_is_one(desk, state, said):
    page, asked = desk(), []
    page.wait_for_selector(SHOWS)

    def dismiss(dialog):
        asked.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", dismiss)
    page.fill("#line", "maintenance" if state == "maintenance" else "new 3 4 5")
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_have_text(words.tables()["en"][f"desk.state.{state}"])
    page.click("button:text-is('Restart')")
    assert said in asked[0]


def test_status_names_a_faulty_wire_with_its_place(desk):
    page = desk()
    page.wait_for_selector(SHOWS)
    news = {
        "state": "attract",
        "failures": ["lamp:3.5:open", "legend:you-win:short", "chute:coin:short"],
        "places": {"lamp:3.5:open": "D19 in 3-j47 and 3-j48"},
    }
    said, bad = page.evaluate("async (news) => (await import('./machine.js')).status(news)", news)
    assert bad
    assert "Lamp 3.5: open (D19 in 3-j47 and 3-j48), Sign you-win: shorted" in said
    assert "coin chute: shorted" in said


@pytest.mark.sampled("a second each")
@pytest.mark.parametrize("code", sorted(words.tables()))
def test_it_speaks_every_language(desk, code):
    table = words.tables()[code]
    page = desk(locale=code)
    page.wait_for_selector("figure")
    page.click("#tuning summary")
    for key in ("desk.played", "desk.health.uptime_s", "setting.hold_ms"):
        page.get_by_text(table[key]).first.wait_for()
    assert page.get_attribute("html", "lang") == code
    assert " ".join(page.title().split()) == " ".join(table["desk.title"].split())
    said = page.inner_text("body")
    assert table["desk.saved"] not in said
    assert "desk." not in said and "{" not in said
    page.fill(f"{setting('lamp_ms')} input", "500")
    page.keyboard.press("Enter")
    page.wait_for_selector(f"{setting('lamp_ms')} .answer:text-is('{table['desk.saved']}')")
    page.select_option("#language", "es")
    page.wait_for_selector(f"h2:text-is('{words.tables()['es']['desk.played']}')")
    assert page.input_value(f"{setting('lamp_ms')} input") == "500"
    page.reload()
    page.wait_for_selector("html[lang=es] figure")


@pytest.mark.parametrize("code", sorted(words.tables()))
def test_what_the_firmware_says_has_words(code):
    """A new state or setting is in English until it is translated. None is missing."""
    keys = [f"desk.state.{state}" for state in (*states.STATES, "boot", "away", "off")]
    keys += [f"desk.state.{state}" for state in (states.MAINTENANCE, states.CRASHED)]
    keys += [f"desk.why.{why}" for why in REASONS]
    keys += [f"desk.device.{name}" for name in DEVICES]
    keys += [f"setting.{name}" for name, _, _ in TABLE]
    assert set(keys) <= set(words.tables()[code])


def test_matches_are_downloaded(desk):
    page = desk()
    page.wait_for_selector(SHOWS)
    with page.expect_download() as download:
        page.click("#csv")
    with open(download.value.path()) as file:
        rows = list(csv.DictReader(file))
    assert [row["winner"] for row in rows] == [
        "player",
        "machine",
        "abandoned",
        "machine",
        "player-1",
    ]


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
    page.wait_for_selector(SHOWS)
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
    page.wait_for_selector("figure")
    for summary in page.locator("summary").all():
        if not summary.evaluate("each => each.parentElement.open"):
            summary.click()
    found = axe.Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
