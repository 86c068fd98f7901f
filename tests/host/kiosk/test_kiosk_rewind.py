"""After a lost match, the board on the page goes back, and the visitor continues from there."""

import itertools

import pytest

# ruff: noqa: F811  (fixtures are arguments)
from test_kiosk_page import (  # noqa: F401
    ATTRACT,
    DEMO,
    LYING,
    NIM,
    PHONE,
    SMALL,
    ZOOMED,
    click,
    expect,
    expect_text,
    files,
    lit,
    rows,
    state,
    told,
)

from chromium import until, wait_until
from nimatron_play.explain import Question, explain, mask
from nimatron_play.panel_view import Move
from nimatron_play.rewind import rewound

ALL = (1 << 28) - 1
PLACES = (3, 4, 5, 0), (2, 4, 5, 0), (1, 4, 5, 0), (1, 4, 0, 0), (1, 0, 0, 0), (0, 0, 0, 0)
MOVES = tuple(
    Move(NIM, True, by, *places)
    for by, places in zip(itertools.cycle(("player", "machine")), itertools.pairwise(PLACES))
)
LOST = rewound((MOVES, "machine", 1))
GONE = {**LOST, "said": [["rewind.lost.player", {}], ["rewind.leave", {}]], "lost": True}
OVER = {"state": "verdict", "legends": ["machine-wins"], "doing": [["wins.machine", {}]]}
FIND, NEW = "#rewind button:has-text('Find the move')", "#rewind button:has-text('NEW match')"


def lamps(pattern):
    return {"lamps": [float(pattern >> n & 1) for n in range(28)]}


def test_the_board_goes_back_lamp_by_lamp(told):
    one = told(clock=True, first=state((1, 0, 0, 0)))
    page = one.page
    page.click("#plate")
    one.tell(**OVER, **lamps(0b1010), rewind=LOST, real=True)
    until(page, "verdict")
    page.clock.run_for(1000)
    assert lit(page) == 0  # not the machine's own show, which would look like a win
    page.clock.run_for(200)
    seen = [lit(page)]
    while seen[-1] != LOST["path"][-1]:
        one.show(**lamps(0b101 << len(seen)))  # the show continues below
        page.clock.run_for(80)
        seen.append(lit(page))
    assert len(seen) == 13
    assert all((now ^ then).bit_count() == 1 for now, then in itertools.pairwise(seen))
    assert [picture for picture in seen if picture in LOST["path"]] == LOST["path"]
    expect(page.locator("#doing")).to_have_text(
        "You switched off the last lamp. You lost. Back here, you could still win."
    )
    expect(page.locator("#insight .group")).to_have_count(5)
    expect(page.locator("#insight .bracket")).to_have_count(0)
    assert rows(page) == (3, 4, 5, 0)
    for name in (
        "Row 1, lamp 2: lit. Group of 2 without a partner",
        "Row 3, lamp 5: lit. Group of 1",
        "Row 4, lamp 1: dark",
    ):
        expect(page.get_by_role("gridcell", name=name, exact=True)).to_have_count(1)
    for button in (FIND, NEW):
        assert page.locator(button).bounding_box()["height"] >= 56
    assert not page.is_visible("#go")
    expect(page.locator("#machine-wins.lit")).to_have_count(1)  # as on the real panel
    one.tell(**ATTRACT, demo=DEMO, real=False, doing=[["state.attract", {}]], advice=[])
    until(page, "attract")
    for _ in range(3):  # there is no demonstration
        page.clock.run_for(3000)
        one.show()
        assert lit(page) == LOST["path"][-1] and page.is_visible(FIND)
    told_keys = "lone 2 + 1, 4, 4 + 1, empty. Space: Find the move. Enter: NEW match."
    assert told_keys in page.get_by_role("status").aria_snapshot()
    page.keyboard.press("Space")
    wait_until(page, lambda: any("find" in said for said in one.heard))
    assert not any("press" in said for said in one.heard)
    one.heard.clear()
    page.focus("[data-lamp='0']")
    page.keyboard.press("Space")  # which also picks no lamp
    wait_until(page, lambda: any(said.get("find") == "" for said in one.heard))
    one.heard.clear()
    page.click(FIND)
    wait_until(page, lambda: any("find" in said for said in one.heard))
    page.click(NEW)
    wait_until(page, lambda: any(said.get("press") == "new" for said in one.heard))
    one.tell(state="opening", legends=[], rewind={}, **lamps(0b111))
    until(page, "opening")
    expect(page.locator("#insight .group")).to_have_count(0)
    assert lit(page) == 0b111 and page.is_visible("#go") and page.is_hidden("#rewind")
    practice = {"rewind": {"practice": True, "marks": 0b110}, "insight": LOST["insight"]}
    one.tell(**state(**practice))
    expect(page.locator("#insight .bracket")).to_have_count(1)


@pytest.mark.parametrize(
    ("facts", "find", "buttons"),
    [
        ({"rewind": GONE}, True, ["Let the machine begin", "NEW match"]),
        ({"rewind": {**LOST, "line": ""}}, False, ["NEW match"]),
        ({"rewind": LOST, "control": False}, False, []),
    ],
    ids=["lost start", "friend", "watching"],
)
def test_who_may_play_on_is_offered_it(told, facts, find, buttons):
    one = told(clock=True)
    page = one.page
    one.tell(**OVER, **facts)
    until(page, "verdict")
    page.clock.run_for(6000)
    assert lit(page) == LOST["path"][-1]
    assert page.locator("#rewind button:visible").all_inner_texts() == buttons
    expect(page.locator("#machine-wins.lit")).to_have_count(1)
    for width, height in (PHONE, SMALL, LYING, ZOOMED):
        page.set_viewport_size({"width": width, "height": height})
        lowest = page.locator("#caption").bounding_box()
        for button in page.locator("#rewind button:visible").all():
            box = button.bounding_box()
            assert lowest["y"] + lowest["height"] <= box["y"] <= height - box["height"], width
    one.heard.clear()
    page.locator("[data-lamp='0']").click(force=True)
    one.show()
    assert any(said.get("find") == "0" for said in one.heard) == find


@pytest.mark.parametrize("still", [True, False], ids=["still", "moving"])
def test_the_lamps_of_the_show_stand_still(told, still):
    one = told(clock=True, first=state(**ATTRACT), reduced_motion="reduce" if still else None)
    page, beats = one.page, itertools.count()

    def pictures(ms):
        seen = []
        for _ in range(ms // 200):
            one.show(**lamps(0b11 << next(beats) % 20))
            page.clock.run_for(200)
            seen.append(lit(page))
        return seen

    show = pictures(1000)
    assert set(show) == {ALL} if still else len(set(show)) == 5
    one.tell(state="verdict", won=True)
    until(page, "verdict")
    assert len(set(pictures(2800))) == (1 if still else 14)
    page.clock.run_for(400)
    assert set(pictures(1000)) == {ALL}
    one.tell(**state(), won=False)
    until(page, "player")
    assert lit(page) == mask(NIM, (3, 4, 5, 0))
    expect(page.locator("#left")).to_have_text("Rows: 3, 4, 5, empty.")
    one.tell(**OVER, won=False, lesson={"step": 4, "steps": 7, "help": False, "over": "lost"})
    until(page, "verdict")
    assert set(pictures(4000)) == {0}  # after a lost scene, nothing looks like a win
    one.tell(**state())
    until(page, "player")
    one.tell(**OVER, rewind=LOST)
    until(page, "verdict")
    assert set(pictures(1000)) == {0}
    page.clock.run_for(300)
    after = pictures(400)
    assert set(after) == {LOST["path"][-1]} if still else len(set(after)) == 2


def test_in_practice_go_glows_only_if_the_picked_lamps_win(told):
    """A child that cannot read sees it, and the groups are announced."""
    insight = explain(Question(NIM, (3, 4, 5, 0), True, "player", (3, 4, 4, 0), 1))["insight"]
    doing = [["picked.row", {"count": 1, "row": 3}]]
    bad = {"rewind": {"practice": True, "marks": 0}, "insight": insight, "doing": doing}
    one = told(first=state((3, 4, 4, 0)) | bad | {"picked": 1 << 18})
    expect(one.page.locator("body")).to_have_attribute("data-picked", "")
    left = "Rows: lone 2 + lone 1, 4, 4, empty."
    expect(one.page.locator("#left")).to_contain_text(left)
    one.tell(insight=insight | {"good": True})
    expect(one.page.locator("body")).to_have_attribute("data-picked", "yes")
    mark = "getComputedStyle(document.getElementById('doing'), '::before').borderRightStyle"
    assert one.page.evaluate(mark) == "none"
    one.tell(doing=[["rewind.found", {}]], picked=0)
    expect(one.page.locator("#doing")).to_have_text("Well found!")
    assert one.page.evaluate(mark) == "solid"


def test_a_loss_and_a_win_have_different_pictures(told):
    """A child that cannot read took the lamps' show after a loss for a win."""
    one = told(first=state() | OVER)
    caption = one.page.locator("#caption")
    expect(caption).to_have_class("beaten")
    expect(one.page.locator("#board")).to_have_class("beaten")
    face = "getComputedStyle(document.querySelector('#doing'), '::before').backgroundImage"
    assert "sad.svg" in one.page.evaluate(face)
    one.tell(state="verdict", legends=["you-win"], won=True)
    expect(caption).to_have_class("")
    assert "glad.svg" in one.page.evaluate(face)
    expect(one.page.locator("#board")).to_have_class("glad")
    one.tell(state="attract", legends=[], won=False)
    expect(caption).to_have_class("")
    one.tell(state="player", doing=[["refused.none", {}]])
    expect(caption).to_have_class("missed")
    expect(one.page.locator("#go")).to_have_class("nothing")
