"""The open back of the machine: its films, and its page in a browser."""

import itertools
import json

import pytest

from nimatron_play import words
from nimatron_relays import nimatron_1940
from nimatron_relays.film import PULLED, RAISED, REST, film
from oracle import mover_wins, moves

playwright = pytest.importorskip("playwright.sync_api", reason="PyPI's playwright is not here")
axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="nor is axe")
expect = playwright.expect


GOOD = {"up": [], "faults": [], "misere": True, "press": ""}


UNDRAWN = {"+", "keys2", "keys3", "keys4", "keys5"}  # the battery, and wires between keys


def end(frames):
    states = {}
    for _, changes, _ in frames:
        states |= changes
    return states


def up(states):
    return [
        name for name, state in states.items() if isinstance(state, list) and state[0] == RAISED
    ]


def winning(rows):
    return [after for _, after in moves(rows) if not mover_wins(after, True)]


def lamps(states):
    return tuple(sum(states[f"{row}.{lamp}"] for lamp in range(1, 8)) for row in (1, 2, 3, 4))


async def test_film_of_a_match(open_house):
    """A visitor takes two lamps, and the machine's film ends with the circuit's move."""
    house = await open_house()

    async def act(press, up=(), *faults):
        asked = {"up": list(up), "faults": faults, "misere": True, "press": press}
        answer = await house.client.post("/back/film", json=asked)
        return await answer.json()

    states = end(await act("NEW"))
    for left in (6, 5):
        states = end(await act("KEY1", up(states)))
        assert lamps(states) == (left, 7, 7, 7)
    whole = await act("GO", up(states))
    assert lamps(end(whole)) == nimatron_1940.choose((5, 7, 7, 7), True)
    damaged = await act("GO", up(states), ["out", "SUM2"])
    assert end(damaged)["SUM2"][0] == PULLED and damaged != whole
    assert lamps(end(damaged)) != lamps(end(whole))
    assert lamps(end(whole)) in winning((5, 7, 7, 7))
    assert [ms for ms, *_ in whole] == sorted(ms for ms, *_ in whole)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("{", "no film: Expecting property name"),
        ("[]", "no film: it is not an object"),
        ('{"up": []}', 'no film: "faults" is missing'),
        ('{"rows": [1, 2, 3]}', 'no film: "rows" must be four numbers'),
        ('{"rows": [1, 2, 3, "4"]}', 'no film: "rows" must be four numbers'),
        *(
            (json.dumps(GOOD | bad), f"no film: {why}")
            for bad, why in (
                ({"up": ["X"]}, '"up" has no relay "X"'),
                ({"up": 3}, '"up" and "faults" must be lists'),
                ({"faults": [1]}, '"faults" must be lists of'),
                ({"faults": [["out", 1]]}, '"faults" has no relay'),
                ({"faults": [["melted", "SUM2"]]}, '"faults" has no fault "melted"'),
                ({"faults": [["front", "SUM2", 99]]}, '"faults" has no fault "front"'),
                ({"faults": [[[], "SUM2"]]}, '"faults" has no fault'),
                ({"misere": 2}, '"misere" must be'),
                ({"press": "X"}, '"press" must be'),
                ({"press": []}, '"press" must be'),
            )
        ),
        ("[" * 5000, "no film: "),
    ],
)
async def test_bad_question_gets_one_line(open_house, body, why):
    house = await open_house()
    answer = await house.client.post("/back/film", data=body)
    text = await answer.text()
    assert answer.status == 400 and text.startswith(why) and "\n" not in text


def test_film_of_a_machine_that_never_settles_ends():
    frames = film([], [], True, "NEW")
    frames = film(up(end(frames)), [], True, "KEY1")
    frames = film(up(end(frames)), [["down", "STEP2"]], True, "GO")
    assert frames[-1][0] > 5000, "it hums"
    assert frames[-1][0] <= 6000


@pytest.fixture
def back(serve, visit):
    """Return back(**context), which opens the page at the machine's back."""

    def opened(program="", **context):
        prepare = lambda page: page.add_init_script(program)  # noqa: E731
        page = visit(f"{serve().url}back/", prepare=prepare, **context)
        expect(page.locator("#doing")).to_contain_text("It is your turn. Rows: 7, 7, 7, 7.")
        return page

    return opened


def test_a_visitor_opens_the_back_and_pulls_out_a_relay(serve, visit):
    page = visit(serve(), reduced_motion="reduce")
    page.click("#curious")
    expect(page.locator("#drawer .screw")).to_have_text("Open the back")
    page.locator("#machine").get_by_role("button", name="Open the back").press("Enter")
    doing = page.locator("#doing")
    expect(doing).to_contain_text("It is your turn. Rows: 7, 7, 7, 7.")
    expect(page.get_by_role("listitem")).to_have_count(49)
    page.get_by_role("button", name="Switch off a lamp of row 1").press("Enter")
    expect(doing).to_contain_text("6, 7, 7, 7")
    page.get_by_role("button", name="BIG: up").click()
    expect(page.locator("#about")).to_contain_text("my contacts feed: SUM1.")
    page.click("#go")
    expect(doing).to_contain_text("It is your turn. Rows: 6, 6, 7, 7.")
    page.get_by_role("button", name="SUM2: down").click()
    expect(page.locator("#about")).to_contain_text("SUM2: My column is 2 in all four rows.")
    page.click("#pull")
    expect(page.locator("[data-relay=SUM2]")).to_have_accessible_name("SUM2: pulled out")
    expect(page.locator("#about")).to_contain_text("Without me, the machine does not see")
    expect(page.locator("#pull")).to_have_text("Put it back")
    page.click("[data-key=KEY3]")
    expect(doing).to_contain_text("6, 6, 6, 7")
    page.click("#go")
    expect(doing).to_contain_text("I cannot decide: I am stuck. Rows: 6, 6, 6, 7.")
    page.click("[data-key=KEY3]")
    expect(doing).to_contain_text("A healthy machine would leave 6, 6, 6, 6.")
    page.click("#pull")
    expect(doing).to_contain_text("It is your turn. Rows: 6, 6, 6, 6.")
    expect(doing).not_to_contain_text("healthy")
    page.click("#go")
    expect(doing).to_contain_text("Take a lamp first.")


def test_a_visitor_finds_the_broken_relay(back):
    page = back("Math.random = () => 0.5", reduced_motion="reduce")
    doing, about = page.locator("#doing"), page.locator("#about")
    page.click("[data-relay=SUM2]")
    page.click("#puzzle")
    expect(page.locator("[aria-pressed=true], .fed, .own")).to_have_count(0)
    expect(doing).to_contain_text("Rows: 4, 4, 4, 4.")
    expect(about).to_contain_text("Then press “This one is broken”.")
    page.click("[data-key=KEY3]")
    expect(page.get_by_role("button", name="STEP3: down")).to_be_visible()
    expect(doing).to_have_text("It is your turn. Rows: 4, 4, 4, 4.")
    page.click("[data-relay=LIT3]")
    page.click("#guess")
    expect(about).to_have_text("No, LIT3 works.")
    page.click("[data-relay=STEP3]")
    page.click("#guess")
    expect(about).to_have_text("Right! It was STEP3. The wire to its coil is cut.")
    expect(page.locator("#guess")).to_be_hidden()
    page.click("[data-key=KEY3]")
    expect(doing).to_contain_text("4, 4, 3, 4")


_COUNTED = """
globalThis.clicks = 0;
globalThis.StereoPannerNode = class extends StereoPannerNode {
  constructor(...given) { super(...given); clicks++; }
};
"""


def test_each_click_is_an_armature(back):
    page = back(_COUNTED, reduced_motion="reduce")
    page.click("[data-key=KEY1]")
    expect(page.locator("#doing")).to_contain_text("6, 7, 7, 7")
    first, *frames = film(up(end(film([], [], True, "NEW"))), [], True, "KEY1")
    changes = [state for _, changed, _ in frames for state in changed.items()]
    where = {name: state[0] for name, state in first[1].items() if isinstance(state, list)}
    arrived = 0
    for name, state in changes:
        if name in where and state[0] != where[name]:
            where[name] = state[0]
            arrived += state[0] in (REST, RAISED)
    assert page.evaluate("clicks") == arrived > 5
    page.check("#mute")
    page.click("[data-key=KEY1]")
    expect(page.locator("#doing")).to_contain_text("5, 7, 7, 7")
    assert page.evaluate("clicks") == arrived


def test_light_runs_along_the_wires_that_get_current(back):
    page = back()
    runs = "getComputedStyle(document.querySelector('.light.live')).transitionDuration"
    assert page.evaluate(runs) == "0.3s"
    page.check("#still")
    assert page.evaluate(runs) == "0s"
    page.click("[data-key=KEY1]")
    expect(page.locator("#doing")).to_contain_text("6, 7, 7, 7")
    frames = film(up(end(film([], [], True, "NEW"))), [], True, "KEY1")
    live = set()
    for _, _, wires in frames:
        live ^= set(wires)
    assert page.locator("#wires .light.live").count() == len(live - UNDRAWN) > 60


def test_a_relay_that_is_touched_before_the_first_film_waits(serve, visit):
    held = []
    page = visit(
        serve(), prepare=lambda page: page.route("**/film", lambda route: held.append(route))
    )
    page.goto(f"{page.url}back/")
    page.click("[data-relay=BIG]")
    expect(page.locator("#about")).to_contain_text("Touch a relay")
    held.pop().continue_()
    expect(page.locator("#doing")).to_contain_text("It is your turn.")
    page.click("[data-relay=BIG]")
    expect(page.locator("#about")).to_contain_text("BIG: ")


@pytest.mark.sampled("a second each")
@pytest.mark.parametrize("language", words.codes())
def test_all_relays_are_in_view_on_a_screen(back, language):
    """Above the bar with the text about BIG, which is the longest."""
    page = back(reduced_motion="reduce")
    page.goto(page.url + f"?language={language}")
    page.click("[data-relay=BIG]")
    for width, height in ((1366, 768), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        relays = [relay.bounding_box() for relay in page.locator("[data-relay]").all()]
        lowest = max(box["y"] + box["height"] for box in relays)
        assert lowest <= page.locator("aside").bounding_box()["y"]
        assert page.evaluate("document.documentElement.scrollHeight") <= height


def test_the_result_and_its_button_stay_in_view_on_a_phone(back):
    page = back(size=(390, 844), reduced_motion="reduce")
    page.locator("[data-relay=YOURS]").scroll_into_view_if_needed()
    assert page.evaluate("scrollY") > 500
    for name in ("#doing", "#go"):
        expect(page.locator(name)).to_be_in_viewport(ratio=1)


@pytest.mark.long("5 s, at the speed that a person sees")
def test_slow_motion_is_slower(back):
    page = back(reduced_motion="reduce")
    page.check("#slow")
    page.click("[data-key=KEY1]")
    page.wait_for_timeout(1000)
    expect(page.locator("body.busy")).to_be_visible()
    expect(page.locator("#doing")).to_contain_text("6, 7, 7, 7")


def test_axe_finds_nothing_wrong_at_the_back(back):
    page = back(reduced_motion="reduce")
    page.click("#puzzle")
    expect(page.locator("#about")).to_contain_text("I have a broken relay")
    page.click("[data-relay=SUM2]")
    page.click("#pull")
    expect(page.locator("[data-relay=SUM2]")).to_have_accessible_name("SUM2: pulled out")
    found = axe.Axe().run(page).response["violations"]
    assert not [(rule["id"], [node["html"] for node in rule["nodes"]]) for rule in found]


# The times of the frames until the relays rest, or of 100 frames.
_FRAMES = """() => new Promise((done) => {
  const times = [], busy = () => document.body.classList.contains("busy"), thinks = busy();
  const note = (now) => {
    if (times.push(now) < 100 && thinks === busy()) requestAnimationFrame(note);
    else done(times);
  };
  requestAnimationFrame(note);
})"""


@pytest.mark.long("8 s, at the speed that a person sees")
def test_thought_keeps_the_frame_rate_and_rest_costs_nothing(back):
    """All contacts are on the wall. The goal is a comparison with an empty page."""

    def median():
        times = page.evaluate(_FRAMES)
        return sorted(b - a for a, b in itertools.pairwise(times))[len(times) // 2]

    def busy():
        figures = line.send("Performance.getMetrics")["metrics"]
        return next(one["value"] for one in figures if one["name"] == "TaskDuration")

    page = back(size=(1920, 1080))
    line = page.context.new_cdp_session(page)
    line.send("Performance.enable")
    page.click("[data-key=KEY1]")
    expect(page.locator("#doing")).to_contain_text("6, 7, 7, 7")
    page.click("#go")
    thought = median()
    expect(page.locator("#doing")).to_contain_text("6, 6, 7, 7")
    page.wait_for_timeout(600)  # until the light has run
    begun = busy()
    page.wait_for_timeout(1000)
    assert busy() - begun < 0.02, "seconds of one second"
    page.goto("about:blank")
    assert thought < 1.5 * median()
