"""The first match that teaches: its comments are true, whatever a visitor does."""

import pytest

import oracle
from nimatron import games, states
from nimatron_play import words
from nimatron_play.lesson import STEPS, Lesson
from nimatron_play.panel_view import Move, PanelView

NIM = games.find("nim")
ENGLISH = words.tables()["en"]
STEP = range(1, STEPS + 1)


def begun(step, misere):
    """A lesson that has begun, and a view of it."""
    lesson, view = Lesson(step, misere), PanelView()
    view.game, view.rule = NIM, "misere" if misere else "normal"
    *choose, new = lesson.lines("nim")
    assert not choose
    verb, practice, *rows = new.split()
    assert (verb, practice) == ("new", "practice")
    view.position = view.left = NIM.padded(NIM.parse(rows))
    view.state = states.PLAYER
    assert lesson.goes_on(view)
    return lesson, view


def moved(view, by, after):
    view.last = by, view.position, after
    view.moves += (Move(NIM, view.rule == "misere", *view.last),)
    view.position = after
    view.state = states.THINKING if by == "player" else states.PLAYER


def reachable(start, misere):
    """Every (position, who has just moved) that some play from the start reaches."""
    found, todo = set(), [(start, "machine")]
    while todo:
        rows, by = todo.pop()
        other = "player" if by == "machine" else "machine"
        for _, after in oracle.moves(rows):
            if (after, other) not in found:
                found.add((after, other))
                todo.append((after, other))
    return found


@pytest.mark.parametrize("misere", [True, False])
@pytest.mark.parametrize("step", STEP)
def test_a_good_first_move_wins(step, misere):
    lesson, view = begun(step, misere)
    assert oracle.mover_wins(view.position, misere)
    (start,) = lesson.said(view)
    assert start[0] in ENGLISH


def truth(key, rows, misere, by):
    """Is it so? By an exhaustive search, and by counting."""
    lost = not oracle.mover_wins(rows, misere)  # for the player who moves next
    lit = [n for n in rows if n]
    single, two = max(rows) == 1, len(lit) == 2
    return {
        "odd": single and len(lit) % 2 and lost and misere,
        "even": single and len(lit) % 2 == 0 and not lost and misere,
        "turn": sum(n > 1 for n in rows) == 1 and not lost and misere,
        "row": len(lit) == 1 and not lost and not misere,
        "equal": two and len(set(lit)) == 1 and lost,
        "unequal": two and len(set(lit)) == 2 and not lost,
        "pairs": lost,
        "glow": not lost,
    }[key.rpartition(".")[2]]


@pytest.mark.parametrize("misere", [True, False])
@pytest.mark.parametrize("step", STEP)
def test_every_word_in_every_play_is_true(step, misere):
    _, fresh = begun(step, misere)
    said = set()
    for rows, by in reachable(fresh.position, misere):
        if not any(rows):
            continue
        lesson, view = begun(step, misere)
        moved(view, by, rows)
        assert lesson.goes_on(view)
        ((key, gaps),) = lesson.said(view)
        assert key in ENGLISH
        assert key.startswith("lesson.left." if by == "player" else "lesson.you.")
        assert truth(key, rows, misere, by), (rows, by, key)
        if key.endswith(".turn"):
            left = {tuple(sorted(after)) for _, after in oracle.moves(rows)
                    if not oracle.mover_wins(after, misere)}  # fmt: skip
            assert {sum(after) for after in left} == {gaps["count"]}
        said.add(key)
    if step == 3:
        assert len(said) >= (8 if misere else 6)


@pytest.mark.parametrize("winner", ["player", "machine"])
@pytest.mark.parametrize("misere", [True, False])
@pytest.mark.parametrize("step", STEP)
def test_the_end_is_told(step, misere, winner):
    lesson, view = begun(step, misere)
    view.state = states.VERDICT
    view._winner = winner
    assert lesson.goes_on(view)
    over = "won" if winner == "player" else "lost"
    assert lesson.seen(view) == {"step": step, "steps": 3, "help": step == 3, "over": over}
    (key, _), *press = lesson.said(view)
    assert key.startswith(f"lesson.{over}.{step}")
    assert key in ENGLISH
    button = {"won": "Next lesson", "lost": "Try again"}[over]
    last = winner == "player" and step == STEPS
    assert lesson.next_step(view) == (None if last else step + (winner == "player"))
    assert words.say(press, ENGLISH) == ("" if last else f"Press “{button}”.")


EVEN_TO_THE_END = (
    ((3, 3), (3, 2), (2, 2), (2, 1), (1, 1), (1, 0), (0, 0)),  # equal, and equal, but then 1 and 1
    ((3, 3), (3, 0), (0, 0)),
    ((3, 3), (3, 0), (2, 0), (1, 0), (0, 0)),
)


@pytest.mark.parametrize(
    ("step", "misere", "plays", "told"),
    [
        (2, True, EVEN_TO_THE_END, ("lesson.lost.turn", 1)),
        (2, True, [((3, 1), (1, 0), (0, 0)), ((2, 4), (2, 2), (2, 0), (1, 0), (0, 0))], None),
        (2, True, [((3, 3), (3, 2), (1, 2), (1, 0), (0, 0))], ("lesson.lost.unequal", None)),
        (3, True, [((1, 4, 5), (1, 4, 1), (1, 0, 1), (0, 0, 1), (0, 0, 0))],
         ("lesson.lost.turn", 3)),
        (3, True, [((3, 0, 5), (3, 0, 3), (0, 0, 3), (0, 0, 1), (0, 0, 0))], None),
        (2, False, [((3, 3), (3, 2), (3, 1), (1, 1), (1, 0), (0, 0))],
         ("lesson.lost.unequal", None)),
        (2, False, [((3, 3), (3, 0), (1, 0), (0, 0))], ("lesson.lost.row", 0)),
        (2, False, [((1, 4), (1, 1), (0, 1), (0, 0))], None),
    ],
)  # fmt: skip
def test_a_loss_is_told_by_the_last_slip(step, misere, plays, told):
    for play in plays:
        lesson, view = begun(step, misere)
        for number, rows in enumerate(play):
            moved(view, "machine" if number % 2 else "player", NIM.padded(rows))
        view.state, view._winner = states.VERDICT, "machine"
        (key, gaps), press = lesson.said(view)
        assert press[0] == "lesson.press"
        wanted = told or (f"lesson.lost.{step}", None)
        assert (key, gaps.get("count")) == wanted, play
        assert key in ENGLISH


@pytest.mark.parametrize("misere", [True, False])
@pytest.mark.parametrize("step", STEP)
def test_what_to_leave_stays_in_sight_until_it_is_picked(step, misere):
    lesson, view = begun(step, misere)
    picked = words.say(lesson.picked(view), ENGLISH)
    assert picked == words.say(lesson.said(view), ENGLISH) + " Done? Press GO."
    options = view.game.options(view.position)
    view.left = next(after for after in options if view.game.is_p(after, misere))
    assert words.say(lesson.picked(view), ENGLISH) == "Done? Press GO."


def test_no_lesson_speaks_of_groups_that_glow():
    """Every lamp that is lit glows. What counts is a group without a partner. The words for it in
    some languages."""
    glow = {"en": "glow", "de": "leuchte", "es": "brill", "fr": "brill"}
    for code, root in glow.items():
        table = words.table(code)
        said = [table[key] for key in table if key.startswith("lesson.")]
        assert len(said) > 30
        assert not [text for text in said if root in text], code


def test_leaving_ends_it_at_any_moment():
    for state in (states.OPENING, states.ATTRACT, states.TEST, states.BOOT, "away"):
        lesson, view = begun(2, True)
        moved(view, "player", (3, 3, 0, 0))
        view.state = state
        assert not lesson.goes_on(view)
    lesson, view = begun(2, True)
    view.position = (7, 7, 0, 0)  # another position was typed
    assert not lesson.goes_on(view)


def test_a_lesson_that_has_not_begun_is_not_over():
    """While the Pico sets it up, the one before still shows who won."""
    view = PanelView()
    view.state, view._winner = states.VERDICT, "player"
    lesson = Lesson(2, True)
    assert lesson.goes_on(view)
    assert (lesson.seen(view)["over"], lesson.next_step(view)) == ("", None)


def test_the_same_lamps_in_another_game_are_no_lesson():
    lesson, view = Lesson(1, True), PanelView()
    view.game, view.state, view.position = games.find("chomp"), states.PLAYER, (1, 1, 0, 0)
    assert lesson.goes_on(view)
    assert lesson.said(view) == []


def test_it_waits_for_its_match_to_begin():
    lesson, view = Lesson(1, True), PanelView()
    view.state = states.ATTRACT
    assert lesson.goes_on(view)
    assert lesson.said(view) == []
    assert lesson.lines("kayles") == ["choose game nim", "new practice 1 1"]
