"""Why, on the page: the drawings over the lamps, and the last match step by step."""

import itertools
import json

import pytest

# ruff: noqa: F811  (fixtures are arguments)
from test_kiosk_page import (  # noqa: F401
    ATTRACT,
    NIM,
    browser,
    click,
    expect,
    expect_text,
    rows,
    state,
    told,
    until,
    visit,
)

from chromium import holds, wait_until
from nimatron_play.explain import Question, explain
from nimatron_play.panel_view import Move

QUICK = ["set verdict_ms 2000"]


def test_the_explanation_is_drawn_over_the_lamps(serve, visit):
    page = visit(serve("new 3 4 5"))
    until(page, "player")
    assert page.locator("#insight .group").count() == 0, "nobody has asked"
    page.keyboard.press("h")
    page.wait_for_selector("#insight.shown")
    assert page.locator("#insight .group").count() == 5
    assert page.locator("#insight .tie").count() == 2
    assert page.locator("#insight .alone.group").get_attribute("class") == "group w2 alone"
    verdict = "You can win from here. One group has no partner: it glows."
    expect(page.locator(".verdict")).to_have_text(verdict)
    # The group of two lies over lamps 2 and 3 of row 1, which a touch puts out, and over no other.
    lamps = [page.locator(".lamps i").nth(n).bounding_box() for n in (0, 1, 2, 7)]
    group = page.locator("#insight .alone.group").bounding_box()
    inside = [within(lamp, group) for lamp in lamps]
    assert inside == [False, True, True, False]
    page.keyboard.press("h")
    page.wait_for_selector("#insight:not(.shown)", state="attached")
    assert page.locator("#insight .group").count() == 0


def within(lamp, group):
    x, y = lamp["x"] + lamp["width"] / 2, lamp["y"] + lamp["height"] / 2
    across = group["x"] < x < group["x"] + group["width"]
    return across and group["y"] < y < group["y"] + group["height"]


def test_the_machine_restores_the_balance_and_the_slip_is_shown(serve, visit):
    page = visit(serve("new 3 4 5"))
    until(page, "player")
    page.keyboard.press("h")
    page.wait_for_selector("#insight.shown")
    click(page, "row2")
    click(page, "go")
    page.wait_for_selector(".review output:has-text('Move 2 of 2')")
    expect_text(page, ".verdict.bad", "You are losing.")
    expect(page.locator("#insight .alone")).to_have_count(0)
    expect_text(page, ".review p", "Now every group had a partner again")
    page.click(".review .back")
    expect_text(page, ".review output", "Move 1 of 2")
    expect_text(page, ".review p", "Here you could have won by putting out 2 lamps in row 1:")
    page.wait_for_selector(".review .boards:last-child svg[aria-label$='1, 4, 5, 0']")
    expect(page.locator(".review .boards:last-child .tie")).to_have_count(2)
    page.keyboard.press("Enter")  # none exists before
    expect_text(page, ".review output", "Move 1 of 2")
    assert page.evaluate("document.activeElement.className") == "back"


def test_whoever_has_lost_first_sees_where_it_could_be_won(serve, visit):
    page = visit(serve("new 1 2", "set verdict_ms 60000"))
    until(page, "player")
    click(page, "row2")  # that leaves 1-1
    click(page, "go")
    page.wait_for_selector(".review output:has-text('Move 2 of 2')", state="attached")
    until(page, "player")
    wait_until(page, lambda: sum(rows(page)) == 1)
    page.wait_for_selector(".lamps .lit.live")
    click(page, f"row{1 + rows(page).index(1)}")
    click(page, "go")
    until(page, "verdict")
    page.keyboard.press("h")
    page.wait_for_selector(".review output:has-text('Move 1 of 3')")
    page.wait_for_selector(".now", state="hidden")  # there is no position to explain
    page.click(".review .on")
    page.wait_for_selector(".review output:has-text('Move 2 of 3')")


def test_of_two_people_the_loser_first_sees_their_last_slip(told):
    places = [(2, 3, 0, 0), (2, 1, 0, 0), (1, 1, 0, 0), (0, 1, 0, 0), (0, 0, 0, 0)]
    moves = [
        Move(NIM, True, f"player-{1 + number % 2}", before, after)
        for number, (before, after) in enumerate(itertools.pairwise(places))
    ]
    one = told(first=state(people=2, state="verdict"))
    one.tell(**explain(Question(NIM, None, True, tuple(moves), "player", None, 2, False)))
    one.page.click("#curious")
    expect_text(one.page, ".review output", "Move 2 of 4")
    expect_text(one.page, ".review p", "Here player 2 could have won")
    one.tell(**ATTRACT)
    until(one.page, "attract")
    expect_text(one.page, ".review output", "Move 2 of 4")


@pytest.mark.long("ten seconds of waiting")
def test_the_last_match_stays_until_the_next_one_begins(serve, visit):
    page = visit(serve(*QUICK, "new 1 1"))
    until(page, "player")
    page.keyboard.press("h")
    click(page, "row1")
    click(page, "go")
    until(page, "attract")  # after the verdict
    page.wait_for_selector("h3:text-is('The last match, move by move')")
    page.click(".review .back")
    expect_text(page, ".review output", "Move 1 of 2")
    expect_text(page, ".review p", "the last one was for the machine")
    click(page, "go")
    until(page, "opening")
    page.wait_for_selector(".review")  # the next match has not begun
    click(page, "row1")
    until(page, "player")
    page.wait_for_selector("#insight.shown")
    expect(page.locator(".review h3")).to_have_text("The last match, move by move")
    click(page, "go")
    page.wait_for_selector("h3:text-is('This match, move by move')")


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
    page = visit(serve("new 1 1 1"))
    until(page, "player")
    page.keyboard.press("h")
    expect_text(page, ".verdict.bad", "an odd number of them")
    expect(page.locator("#insight .single.group")).to_have_count(3)
    assert page.locator("#insight .tie, #insight .alone").count() == 0
    assert page.is_hidden(".legend")


# ---------------------------------------------------------------------- a first match that teaches


def note_advice(page):
    """Note all advice that the page gives from now on, because some are soon gone."""
    page.evaluate(
        """() => {
        const advice = document.getElementById("advice");
        globalThis.advised = [advice.textContent];
        new MutationObserver(() => advised.push(advice.textContent))
            .observe(advice, { childList: true });
    }"""
    )


def advice(page, text):
    """Wait until the page has given this advice, later than the last call's advice."""
    there = f"advised.findIndex((said) => said.includes({json.dumps(text)}))"
    holds(page, f"{there} >= 0")
    page.evaluate(f"void advised.splice(0, {there})")


def test_the_first_lesson_is_won_and_the_second_can_be_left(serve, visit):
    page = visit(serve("set think_ms 100", "set verdict_ms 60000", "game kayles"))
    until(page, "attract")
    note_advice(page)
    page.click("text=Learn to win")
    until(page, "player")
    page.wait_for_selector("#lesson:has-text('Lesson 1 of 3')")
    advice(page, "Put out one of these two, then press GO.")
    click(page, "row1")
    advice(page, "Done? Press GO.")
    click(page, "go")
    advice(page, "You left me one lamp: I have to put it out!")
    until(page, "verdict")
    page.wait_for_selector("#you-win.lit")
    advice(page, "that is the whole secret")
    expect_text(page, "#advice", "Press “Next lesson”.")
    page.click("#caption button:has-text('Next lesson')")
    until(page, "player")
    advice(page, "Make both rows equal")
    assert page.locator("#insight .group").count() == 0
    click(page, "row1")  # that is not the way: 2-4
    click(page, "go")
    advice(page, "The rows are not equal: now I can make them equal.")
    until(page, "player")
    advice(page, "I made both rows equal")
    page.click("#lesson [aria-label=Leave]")
    until(page, "opening")
    page.wait_for_selector("text=Learn to win")
    expect(page.locator("#advice")).not_to_contain_text("rows")


@pytest.mark.long("4 s")
def test_the_third_lesson_has_the_groups_on_the_lamps(serve, visit):
    page = visit(serve("set think_ms 100"))
    until(page, "attract")
    note_advice(page)
    page.evaluate("import('./connection.js').then((line) => line.send('lesson', 3))")
    until(page, "player")
    page.wait_for_selector("#insight.shown")
    assert page.is_hidden("#drawer")
    expect(page.locator("#insight .alone.group")).to_have_count(1)
    click(page, "row1")
    page.wait_for_selector("#insight .w1.alone.group")
    click(page, "row1")
    page.wait_for_selector("#insight .alone", state="detached")
    click(page, "go")
    advice(page, "Every group has a partner")
    until(page, "player")
    advice(page, "There is a group without a partner again")


def test_whoever_may_only_watch_is_offered_no_lesson(serve, visit):
    page = visit(serve(spectate=True))
    until(page, "attract")
    assert page.is_hidden("#lesson")


@pytest.mark.parametrize(
    ("lines", "settled"),
    [
        (["set games chomp,kayles", "set game chomp"], "#choose:not([hidden])"),
        (["set players 2"], "body.people"),
    ],
)
def test_where_nim_is_not_allowed_or_people_play_there_is_no_lesson(serve, visit, lines, settled):
    page = visit(serve(*lines))
    until(page, "attract")
    page.wait_for_selector(settled)
    page.wait_for_selector("#lesson", state="hidden")
