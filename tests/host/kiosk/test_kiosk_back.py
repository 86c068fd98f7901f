"""The opened back of the machine: its films, and its page in a browser."""

import pytest

from chromium import PATIENCE_MS, open_browser
from nimatron_relays import nimatron_1940
from nimatron_relays.film import PULLED, RAISED, film
from oracle import mover_wins, moves

playwright = pytest.importorskip("playwright.sync_api", reason="PyPI's playwright is not here")
expect = playwright.expect


def end(frames):
    states = {}
    for _, changes in frames:
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

    async def act(press, up=(), pulled=()):
        asked = {"up": list(up), "pulled": list(pulled), "misere": True, "press": press}
        answer = await house.client.post("/back/film", json=asked)
        return await answer.json()

    states = end(await act("NEW"))
    for left in (6, 5):
        states = end(await act("KEY1", up(states)))
        assert lamps(states) == (left, 7, 7, 7)
    whole = await act("GO", up(states))
    assert lamps(end(whole)) == nimatron_1940.choose((5, 7, 7, 7), True)
    damaged = await act("GO", up(states), ["SUM2"])
    assert end(damaged)["SUM2"][0] == PULLED and damaged != whole
    assert lamps(end(damaged)) != lamps(end(whole))
    assert lamps(end(whole)) in winning((5, 7, 7, 7))
    assert [ms for ms, _ in whole] == sorted(ms for ms, _ in whole)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("{", "no film: Expecting property name"),
        ("[]", "no film: list indices must be"),
        ('{"up": []}', "no film: 'pulled' is missing"),
        ('{"up": ["X"], "pulled": [], "misere": true, "press": ""}', 'no film: "up" has no'),
        ('{"up": [], "pulled": [1], "misere": true, "press": ""}', 'no film: "pulled" must be'),
        ('{"up": [], "pulled": [], "misere": 2, "press": ""}', 'no film: "misere" must be'),
        ('{"up": [], "pulled": [], "misere": true, "press": "X"}', 'no film: "press" must be'),
        ("[" * 5000, "no film: "),
    ],
)
async def test_bad_question_gets_one_line(open_house, body, why):
    house = await open_house()
    answer = await house.client.post("/back/film", data=body)
    text = await answer.text()
    assert answer.status == 400 and text.startswith(why) and "\n" not in text


def test_film_of_a_machine_that_never_settles_ends():
    frames = film([], ["TAKEN", "SUM1", "SUM2", "SUM4"], True, "NEW")
    frames = film(up(end(frames)), [], True, "KEY1")
    frames = film(up(end(frames)), ["PAUSE"], True, "GO")
    assert frames[-1][0] <= 6000


def test_a_visitor_opens_the_back_and_pulls_out_a_relay(serve):
    with open_browser() as browser:
        page = browser.new_page(reduced_motion="reduce", locale="en-US")
        page.set_default_timeout(PATIENCE_MS)
        trouble = []
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.goto(serve().url)
        page.click("#curious")
        page.click("#screw")
        doing = page.locator("#doing")
        expect(doing).to_contain_text("It is your turn. Rows: 7, 7, 7, 7.")
        expect(page.get_by_role("listitem")).to_have_count(49)
        page.get_by_role("button", name="Switch off a lamp of row 1").press("Enter")
        expect(doing).to_contain_text("6, 7, 7, 7")
        page.click("#go")
        expect(doing).to_contain_text("It is your turn. Rows: 6, 6, 7, 7.")
        page.get_by_role("button", name="SUM2: down").click()
        expect(page.locator("#about")).to_contain_text("SUM2: I am up if the column of 2 is odd.")
        page.click("#pull")
        expect(page.locator("[data-relay=SUM2]")).to_have_accessible_name("SUM2: pulled out")
        expect(page.locator("#pull")).to_have_text("Put it back")
        assert not trouble
