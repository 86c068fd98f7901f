"""The answer to "why" on the page: the drawings over the lamps, and the explanation."""

import pytest

# ruff: noqa: F811  (fixtures are arguments)
from test_kiosk_page import (  # noqa: F401
    DESK,
    NIM,
    PHONE,
    WALL,
    click,
    expect,
    expect_text,
    files,
    state,
    told,
)

from chromium import until
from nimatron_play.explain import Question, explain


def test_the_explanation_is_drawn_over_the_lamps(serve, visit):
    page = visit(serve("new 3 4 5"), state="player")
    assert page.locator("#insight .group").count() == 0, "nobody has asked"
    page.keyboard.press("h")
    page.wait_for_selector("#insight.shown")
    assert page.locator("#insight .group").count() == 5
    assert page.locator("#insight .tie").count() == 2
    assert page.locator("#insight .alone.group").get_attribute("class") == "group w2 alone"
    verdict = (
        "You can win from here. Equal groups of 4, 2 or 1 are partners. One group has no partner."
    )
    expect(page.locator(".verdict")).to_have_text(verdict)
    # The group of two lies over the first lamps of row 1. The bracket is below the lamps to put
    # out.
    lamps = [page.locator(".lamps i").nth(n).bounding_box() for n in (0, 1, 2, 7)]
    group = page.locator("#insight .alone.group").bounding_box()
    assert [within(lamp, group) for lamp in lamps] == [True, True, False, False]
    bracket = page.locator("#insight .bracket").bounding_box()
    bracket |= {"y": 0, "height": 2 * (bracket["y"] + bracket["height"])}
    assert [within(lamp, bracket) for lamp in lamps[:3]] == [False, True, True]
    page.keyboard.press("h")
    page.wait_for_selector("#insight:not(.shown)", state="attached")
    assert page.locator("#insight .group").count() == 0


def within(lamp, group):
    x, y = lamp["x"] + lamp["width"] / 2, lamp["y"] + lamp["height"] / 2
    across = group["x"] < x < group["x"] + group["width"]
    return across and group["y"] < y < group["y"] + group["height"]


def test_a_match_of_another_game_is_told_in_pictures(serve, visit):
    page = visit(serve("game kayles", "new 1111100 0 0 0".replace(" 0", "/0000000")))
    until(page, "player")
    page.keyboard.press("h")
    page.wait_for_selector(".verdict.good")
    page.click("summary")
    page.wait_for_selector("details .small-board")
    text = page.inner_text("#working")
    assert "/" not in text and "nimber" not in text.lower()
    assert page.locator("#insight .group").count() == 0


def test_the_end_of_misere_play_is_drawn_as_it_is(serve, visit):
    page = visit(serve("new 1 1 1"), state="player")
    page.keyboard.press("h")
    expect_text(page, ".verdict.bad", "an odd number of them")
    expect(page.locator("#insight .single.group")).to_have_count(3)
    assert page.locator("#insight .tie, #insight .alone").count() == 0
    assert page.is_hidden(".legend")


# Of each line, the points that lie in a lamp, or in a group at neither end.
_CROSSED = """() => {
    const svg = document.getElementById("insight");
    const at = (path, part) => path.getPointAtLength(part).matrixTransform(svg.getScreenCTM());
    document.getAnimations()
        .filter((one) => one.animationName === "moved")
        .forEach((one) => one.finish());
    const lamps = [...document.querySelectorAll(".lamps i")].map((l) => l.getBoundingClientRect());
    const groups = [...svg.querySelectorAll(".group")].map((g) => g.getBoundingClientRect());
    const inside = (box, { x, y }) => x > box.left + 1 && x < box.right - 1
        && y > box.top + 1 && y < box.bottom - 1;
    return [...svg.querySelectorAll(".tie")].map((tie) => {
        const long = tie.getTotalLength();
        const points = [...Array(201).keys()].map((part) => at(tie, part / 200 * long));
        return points.some((point) => [...lamps, ...groups].some((box) => inside(box, point)));
    });
}"""


# The drawn shapes that stick out of the lamps' field.
_MISPLACED = """() => {
    const field = document.getElementById("lamps").getBoundingClientRect();
    const out = (box) => box.left < field.left || box.right > field.right || box.top < field.top;
    return [...document.querySelectorAll("#insight :is(.group, .tie)")]
        .map((each) => each.getBoundingClientRect()).filter(out);
}"""


# No group is still moving to another place.
_SETTLED = """Promise.all(document.getAnimations()
    .filter((one) => one.animationName === "moved").map((one) => one.finished.catch(() => {})))"""


@pytest.mark.parametrize(
    "size", [PHONE, *(pytest.param(size, marks=pytest.mark.long("3 s")) for size in (DESK, WALL))]
)
def test_lines_run_between_the_lamps_and_what_moves_is_seen_to(told, size):
    def seen(position, left=None):
        return explain(Question(NIM, position, True, "player", left, 1))["insight"]

    one = told(size)
    page = one.page
    page.evaluate("document.documentElement.classList.add('open')")
    for position in [(3, 4, 5, 0), (5, 6, 7, 7), (1, 0, 4, 5), (7, 7, 7, 6)]:
        one.show(insight=seen(position))
        page.evaluate(_SETTLED)
        crossed = page.evaluate(_CROSSED)
        assert len(crossed) > 1 and not any(crossed), position
        assert page.evaluate(_MISPLACED) == [], position
    one.tell(insight=seen((3, 4, 5, 0)))
    expect(page.locator("#insight .tie")).to_have_count(2)
    one.tell(insight=seen((3, 4, 5, 0), (3, 4, 3, 0)))  # 4 and 1 become 2 and 1
    expect(page.locator("#insight .moved")).to_have_count(2)
    fresh = page.locator("#insight .tie.fresh")
    expect(fresh).to_have_count(1)  # between the groups of 2, because all others stay
    assert "w2" in fresh.get_attribute("class")


# ---------------------------------------------------------------------- a first match that teaches


@pytest.mark.parametrize("still", [False, True])
def test_group_of_4_splits_as_it_is_touched(serve, visit, still):
    page = visit(serve("set think_ms 100"), reduced_motion="reduce" if still else "no-preference")
    until(page, "attract")
    page.evaluate("import('./connection.js').then((line) => line.send('lesson', 6))")
    until(page, "player")
    expect(page.locator("#insight .alone.group")).to_have_count(3)
    expect(page.locator("#insight .bracket")).to_have_count(0)
    page.evaluate(_FIRST_FRAME)
    page.locator("[data-lamp='3']").click()
    expect(page.locator("#insight .tie")).to_have_count(2)
    covered, times = page.evaluate("globalThis.first")
    assert covered == ([2] if still else [0, 1, 2, 3])
    assert times == ([] if still else [400, 400])
    expect_text(page, "#doing", "The 4 is 2 and 1 now")


# The lamps under the group of 1 in row 1 when it is first drawn, and the times of what moves.
_FIRST_FRAME = """void new MutationObserver(() => {
    const group = document.querySelector("#insight .w1.moved");
    if (!group || globalThis.first) return;
    const moves = document.getAnimations().filter((one) => one.animationName === "moved");
    for (const one of moves) one.currentTime = 0;
    const { left, right } = group.getBoundingClientRect();
    const covers = (box) => box.left + box.width / 2 > left && box.left + box.width / 2 < right;
    const lamps = [0, 1, 2, 3].filter((lamp) => covers(
        document.querySelector(`[data-lamp="${lamp}"]`).getBoundingClientRect()));
    globalThis.first = [lamps, moves.map((one) => one.effect.getTiming().duration)];
}).observe(document.querySelector("#insight"), { childList: true })"""


@pytest.mark.parametrize(
    ("lines", "spectate", "settled"),
    [
        (["set games chomp,kayles", "set game chomp"], False, "#choose:not([hidden])"),
        (["set players 2"], False, "body.people"),
        ([], True, "body"),
    ],
)
def test_without_nim_or_the_right_to_play_it_alone_there_is_no_lesson(
    serve, visit, lines, spectate, settled
):
    page = visit(serve(*lines, spectate=spectate), state="attract")
    page.wait_for_selector(settled)
    page.wait_for_selector("#learn", state="hidden")
