"""The lesson. Each scene is played with all choices of the visitor, and all answers of a machine
that makes no mistake. The comments and the end are true."""

import re

import pytest
from test_machine import STATUS, Pico

import oracle
from nimatron import games, states
from nimatron_play import words
from nimatron_play.lesson import STEPS, Scene
from nimatron_play.panel_view import Move, PanelView

NIM = games.find("nim")
TABLES = words.tables()
ENGLISH = TABLES["en"]
RULES = ["misere", "normal"]
EACH = [(step, rule) for step in range(1, STEPS + 1) for rule in RULES]


class Play:
    """A scene, and the panel that it sees. `rule` is the rule in the settings."""

    def __init__(self, step, rule):
        self.scene, self.view = Scene(step), PanelView()
        self.view.game = NIM
        self.rule = rule
        *choose, new = self.scene.lines("nim")
        assert not choose
        self.begin(new)

    def begin(self, line):
        verb, practice, *how = [word for word in line.split() if word.isalpha()]
        assert (verb, practice) == ("new", "practice")
        view = self.view
        view._forget()
        view.rule = "normal" if "normal" in how else self.rule
        view.position = view.left = NIM.padded(NIM.parse([line.split()[-1]]))
        view.state = states.THINKING if "second" in how else states.PLAYER
        assert self.scene.goes_on(view)

    @property
    def misere(self):
        return self.view.rule == "misere"

    def move(self, by, after):
        view = self.view
        view.moves = (view.moves if view.last else ()) + (
            Move(NIM, self.misere, by, view.position, after),
        )
        view.last = by, view.position, after
        view.position = view.left = after
        view.state = states.THINKING if by == "player" else states.PLAYER
        if not any(after):
            view.state = states.VERDICT
            view._winner = {"player": "machine", "machine": "player"}[by] if self.misere else by
        assert self.scene.goes_on(view)

    def pick(self, left):
        self.view.left = left
        return self.said()

    def said(self):
        """Return the key of the comment without its beginning, or ""."""
        said = self.scene.said(self.view)
        assert len(said) <= 1
        for key, _ in said:
            assert words.say(said, ENGLISH) != key and "{" not in words.say(said, ENGLISH)
            return key.partition(".")[2]
        return ""

    @property
    def over(self):
        return self.scene.seen(self.view)["over"]


def options(rows):
    return [after for _, after in oracle.moves(rows)]


def best(rows, misere):
    winning = [after for after in options(rows) if not oracle.mover_wins(after, misere)]
    most = max(map(sum, options(rows)))
    return winning or [after for after in options(rows) if sum(after) == most]


def walk(step, rule, begins=()):
    """Yield (play, choices) for each position in each match. `begins` are the lines for GO before
    the first move, and `choices` the visitor's moves so far."""

    def replayed(moves):
        play = Play(step, rule)
        for line in begins:
            play.begin(line)
        for by, after in moves:
            play.move(by, after)
        return play

    todo = [[]]
    while todo:
        moves = todo.pop()
        play = replayed(moves)
        yield play, [after for by, after in moves if by == "player"]
        rows, state = play.view.position, play.view.state
        if state == states.PLAYER:
            todo += [[*moves, ("player", after)] for after in options(rows)]
        elif state == states.THINKING:
            todo += [[*moves, ("machine", after)] for after in best(rows, play.misere)]


def matches(step, rule, begins=()):
    """Return the visitor's choices in each match, with the end of the match."""
    return [
        (tuple(choices), play.over, play.view.winner)
        for play, choices in walk(step, rule, begins)
        if play.view.state == states.VERDICT
    ]


# ---------------------------------------------------------------------- each scene


@pytest.mark.parametrize("rule", RULES)
def test_one_lamp_leaves_no_choice(rule):
    loser = {"misere": "machine", "normal": "player"}[rule]
    assert matches(1, rule) == [(((0, 0, 0, 0),), "won", loser)]


@pytest.mark.parametrize(("rule", "first", "second"), [("misere", "lost", "won"),
                                                       ("normal", "won", "lost")])  # fmt: skip
def test_three_lamps_are_won_by_counting(rule, first, second):
    waits = Play(2, rule)
    lines = waits.scene.hands_over(waits.view)
    assert lines == ["new practice second 1,1,1,0"]
    assert {over for _, over, _ in matches(2, rule)} == {first}
    assert {over for _, over, _ in matches(2, rule, lines)} == {second}
    waits.begin(*lines)
    assert waits.said() == "2.begun" and not waits.scene.hands_over(waits.view)


def test_go_hands_over_nothing_else():
    for play, choices in walk(2, "misere"):
        if choices:
            assert play.scene.hands_over(play.view) == []
    picked = Play(2, "misere")
    picked.view.left = (0, 1, 1, 0)
    assert picked.scene.hands_over(picked.view) == []
    assert Play(4, "misere").scene.hands_over(Play(4, "misere").view) == []


@pytest.mark.parametrize("rule", RULES)
def test_equal_rows_are_won_by_copying_and_by_nothing_else(rule):
    for play, choices in walk(3, rule):
        assert play.view.rule == "normal"
        copied = all(after[0] == after[1] for after in choices)
        if play.view.state == states.VERDICT:
            assert play.over == ("won" if copied else "lost")


def test_copying_loses_at_the_end_of_misere_play():
    ends = {choices[0]: over for choices, over, _ in matches(4, "misere")}
    assert ends == {(1, 1, 0, 0): "lost", (2, 0, 0, 0): "lost", (0, 1, 0, 0): "won"}


def test_copying_still_wins_in_normal_play():
    ends = {choices[0]: over for choices, over, _ in matches(4, "normal")}
    assert ends == {(1, 1, 0, 0): "won", (2, 0, 0, 0): "lost", (0, 1, 0, 0): "lost"}


def watched(play, after=None):
    """Let time pass in the scene that answers itself. Yield the verb of each typed line."""
    now = 0.0
    while play.view.state == states.PLAYER:
        line, now = play.scene.answer(play.view, now), now + 1
        if line.startswith("pick"):
            play.view.left = NIM.parse_option([line.split()[1]])
            assert play.said() == "5.picked"
        elif line:
            play.move("player", play.view.left)
        if line:
            yield line.split()[0]


@pytest.mark.parametrize("rule", RULES)
def test_the_machine_fails_while_the_visitor_watches(rule):
    todo, ends = [()], []
    while todo:
        machine = todo.pop()
        play = Play(5, rule)
        for after in machine:
            assert play.scene.answer(play.view, 100.0) == ""
            play.move("machine", after)
            assert list(watched(play)) == ["pick", "press"]
        if play.view.state == states.VERDICT:
            ends.append(play.over)
        else:
            todo += [(*machine, after) for after in options(play.view.position)]
    assert ends == ["won"] * 20


def test_the_scene_that_answers_itself_waits_to_be_read_and_for_a_visitor_who_picks():
    play = Play(5, "misere")
    play.move("machine", (0, 2, 3, 0))
    answers = [play.scene.answer(play.view, 0.1 * tenth) for tenth in range(40)]
    assert [n for n, line in enumerate(answers) if line] == [25]
    play.view.left = (0, 2, 1, 0)
    assert not any(play.scene.answer(play.view, n) for n in range(10, 100))


def test_no_sign_calls_the_visitor_who_watches():
    for step in range(1, STEPS + 1):
        calls = Scene(step).legends(["your-move"])
        assert calls == ([] if step == 5 else ["your-move"])
    assert Scene(5).legends(["you-win"]) == ["you-win"]
    pico = Pico()
    pico.say(STATUS.format("attract"))
    pico.visitor.hear("lesson", "5")
    pico.machine.take([{"legends": ["your-move"]}])
    assert pico.state["legends"] == []
    for what in ("turn", "picked"):
        assert ENGLISH[f"lesson.5.{what}"].startswith("Watch: ")


@pytest.mark.parametrize("rule", RULES)
def test_the_group_of_4_must_be_broken_up(rule):
    for play, choices in walk(6, rule):
        wanted = "won" if choices[:1] == [(3, 3, 0, 0)] else "lost"
        assert play.over == (wanted if choices else "")
        assert play.view.rule == "normal"
    play = Play(6, rule)
    said = {after: play.pick(after) for after in options((4, 3, 0, 0))}
    assert {after for after in said if said[after] == "6.picked"} == {(3, 3, 0, 0)}
    assert set(said.values()) == {"6.picked", "6.alone"}


@pytest.mark.parametrize("rule", RULES)
def test_the_last_scene_is_a_match_without_help(rule):
    play = Play(7, rule)
    assert oracle.mover_wins(play.view.position, play.misere)
    assert play.said().startswith("7.start")
    play.move("player", (2, 4, 5, 0))
    assert play.said() == ""
    play.move("machine", (1, 4, 5, 0))
    assert play.said() == ""


def test_the_last_scene_shows_the_row_after_a_loss_and_then_the_move():
    pico, told = Pico(), []
    pico.say(STATUS.format("attract"))
    for losses in range(4):
        pico.visitor.hear("lesson", "7")
        pico.say("event practice=on", "event state=player", STATUS.format("player"))
        told.append((words.say(pico.state["advice"], ENGLISH), pico.state["rewind"].get("marks")))
        pico.say("event pick rows=3,4,4,0")
        assert not pico.state["advice"][0][0].startswith("rewind"), "a draft has its own advice"
        pico.say("event move by=player row=3 take=5 rows=3,4,0,0", "event state=thinking")
        pico.say("event move by=machine row=2 take=1 rows=3,3,0,0", "event state=player")
        assert pico.state["rewind"] == {}, "a lost position has no hint"
        pico.say("event state=verdict", "event over winner=machine")
        assert pico.state["lesson"]["over"] == "lost"
        if losses:
            pico.say("event state=attract", STATUS.format("attract"))
    assert told == [
        ("3, 4 and 5, and no help. The last lamp loses. Beat me!", None),
        ("The move is in row 1.", 0b111),
        *[("Switch off 2 lamps in row 1.", 0b110)] * 2,
    ]
    pico.visitor.hear("lesson", "6")
    pico.visitor.hear("lesson", "7")
    pico.say("event practice=on", "event state=player", STATUS.format("player"))
    assert pico.state["advice"][0][0] == "lesson.7.start"


# ---------------------------------------------------------------------- each comment


@pytest.mark.parametrize(("step", "rule"), EACH)
def test_each_comment_is_true(step, rule):
    """The last scene comments only on its beginning and its end."""
    beginning = Play(step, rule)
    waits = beginning.scene.hands_over(beginning.view)
    for begins in ([], waits) if waits else ([],):
        for play, choices in walk(step, rule, begins):
            said = play.said()
            assert said == "" if step == 7 and choices and not play.over else said
            if said:
                assert true(said, play, choices), (said, play.view.position, choices)


def true(said, play, choices):
    rows, misere = play.view.position, play.misere
    lit = [n for n in rows if n]
    loses = any(rows) and not oracle.mover_wins(rows, misere)  # the player who moves next
    equal = len(set(lit)) < 2 and len(lit) != 1
    what = said.split(".", 1)[1]
    return {
        "good": loses,
        "bad": not loses,
        "bad.singles": lit == [1, 1],
        "bad.turn": lit == [2],
        "turn": play.view.state == states.PLAYER and (not loses or step_of(said) in (2, 4)),
        "behind": loses,
        "picked": False,
        "begun": not choices,
        "on": play.over == "won",
        "won": play.over == "won",
        "lost": play.over == "lost",
        "lost.singles": (1, 1, 0, 0) in choices,
        "lost.turn": (2, 0, 0, 0) in choices,
        "lost.pairs": play.over == "lost",
        "start": not choices,
        "start.normal": not choices and not misere,
        "won.normal": play.over == "won" and not misere,
    }[what] and (step_of(said) != 3 or what not in ("good", "bad") or (what == "good") == equal)


def step_of(said):
    return int(said[0])


def test_a_loss_is_explained_by_the_last_mistake():
    for moves, told in (
        (((3, 4, 4), (3, 4, 3), (0, 4, 3), (0, 3, 3), (0, 2, 3)), "7.lost.pairs"),
        (((1, 4, 5), (1, 4, 1), (1, 0, 1), (0, 0, 1)), "7.lost"),
        (((1, 4, 5), (1, 1, 5), (1, 1, 2), (1, 1, 1)), "7.lost"),
    ):
        play = Play(7, "misere")
        for number, rows in enumerate(moves):
            play.move("machine" if number % 2 else "player", NIM.padded(rows))
        play.view.state, play.view._winner = states.VERDICT, "machine"
        assert play.said() == told


def test_each_text_of_the_lesson_is_used():
    said = set()
    for step, rule in EACH:
        beginning = Play(step, rule)
        for begins in ([], beginning.scene.hands_over(beginning.view)):
            for play, _ in walk(step, rule, begins):
                view = play.view
                turn = view.state == states.PLAYER
                for left in (view.position, *(options(view.position) if turn else ())):
                    view.left = left
                    said |= {words.say([message], ENGLISH) for message in play.scene.said(view)}
    texts = {key: text for key, text in ENGLISH.items() if re.match(r"lesson\.\d", key)}
    assert said == {text.replace("{count}", "2") for text in texts.values()}


@pytest.mark.parametrize("code", TABLES)
def test_each_text_is_a_short_line(code):
    most = 70 if code == "en" else 80
    texts = {key: text for key, text in TABLES[code].items() if key.startswith("lesson.")}
    assert {key for key in ENGLISH if key.startswith("lesson.")} == texts.keys()
    assert {key: text for key, text in texts.items() if len(text) > most} == {}
    assert not [key for key, text in texts.items() if "\n" in text or "put out" in text]


# ---------------------------------------------------------------------- its life


def test_the_page_is_told_where_it_is():
    play = Play(6, "misere")
    assert play.scene.seen(play.view) == {"step": 6, "steps": 7, "help": True, "over": ""}
    assert play.scene.next_step(play.view) is None
    play.move("player", (2, 3, 0, 0))
    assert (play.over, play.scene.next_step(play.view)) == ("lost", 6)
    helps = [step for step, rule in EACH if Play(step, rule).scene.seen(PanelView())["help"]]
    assert set(helps) == {5, 6}


def test_after_a_win_comes_the_next_scene_except_after_the_last():
    for step in range(1, STEPS + 1):
        play = Play(step, "misere")
        play.move("player", NIM.padded((3, 3)))
        play.view.state, play.view._winner = states.VERDICT, "player"
        assert play.scene.next_step(play.view) == (step + 1 if step < STEPS else None)


def test_nobody_has_lost_before_the_pico_names_the_winner():
    play = Play(4, "misere")
    play.move("player", (0, 1, 0, 0))
    play.view.state = states.VERDICT
    assert play.over == ""


def test_leaving_ends_it_at_any_moment():
    for state in (states.OPENING, states.ATTRACT, states.TEST, states.BOOT, "away"):
        play = Play(3, "misere")
        play.move("machine", (1, 2, 0, 0))
        play.view.state = state
        assert not play.scene.goes_on(play.view)
    play = Play(2, "misere")
    play.view.position = (7, 7, 0, 0)  # another position was typed
    assert not play.scene.goes_on(play.view)


def test_a_scene_that_has_not_begun_is_not_over():
    """While the Pico sets it up, the previous scene still shows who won."""
    view, scene = PanelView(), Scene(2)
    view.state, view._winner = states.VERDICT, "player"
    assert scene.goes_on(view)
    assert (scene.seen(view)["over"], scene.next_step(view)) == ("", None)


def test_a_scene_begins_although_the_machine_has_moved_at_once():
    """If it does not think, its first move comes with the answer to the command."""
    scene, view = Scene(5), PanelView()
    view.game, view.rule, view.state = NIM, "normal", states.PLAYER
    view.last = "machine", (1, 2, 3, 0), (0, 2, 3, 0)
    view.position = view.left = (0, 2, 3, 0)
    assert scene.goes_on(view)
    assert scene.said(view)[0][0] == "lesson.5.turn"


def test_the_same_lamps_in_another_game_are_no_scene():
    scene, view = Scene(1), PanelView()
    view.game, view.state, view.position = games.find("chomp"), states.PLAYER, (1, 0, 0, 0)
    assert scene.goes_on(view)
    assert scene.said(view) == []


def test_it_waits_for_its_match_to_begin():
    scene, view = Scene(4), PanelView()
    view.state = states.ATTRACT
    assert scene.goes_on(view)
    assert scene.said(view) == []
    assert scene.lines("kayles") == ["choose game nim", "new practice 2,1,0,0"]
