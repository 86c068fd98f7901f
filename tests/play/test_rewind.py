"""After a lost match: the position that could be won, and its practice match."""

import itertools

import pytest
from test_machine import Pico

from nimatron import games
from nimatron.dice import Dice
from nimatron.match import Match
from nimatron_play import table as tables
from nimatron_play import words
from nimatron_play.explain import mask
from nimatron_play.pages import Page
from nimatron_play.panel_view import Move
from nimatron_play.rewind import hint, rewound
from nimatron_play.visitor import Visitor

NIM = games.find("nim")
ENGLISH = words.table("en")
LOST = (3, 4, 5, 0), (2, 4, 5, 0), (1, 4, 5, 0), (1, 4, 0, 0), (1, 0, 0, 0), (0, 0, 0, 0)


def said(messages):
    return words.say(messages, ENGLISH)


def moves(places, misere=True, game=NIM, movers=("player", "machine")):
    """Return the moves of a match through these positions."""
    pairs = zip(itertools.cycle(movers), itertools.pairwise(places))
    return tuple(Move(game, misere, by, *pair) for by, pair in pairs)


def test_the_board_goes_back_to_the_last_position_that_could_be_won():
    found = rewound((moves(LOST), "machine", 1))
    assert found["path"] == [mask(NIM, rows) for rows in reversed(LOST)]
    told = "You switched off the last lamp. You lost. Back here, you could still win."
    assert said(found["said"]) == told
    assert found["line"] == "new practice 3,4,5,0" and not found["lost"]
    assert [weight for _, weight, _ in found["insight"]["groups"]] == [2, 1, 4, 4, 1]
    later = rewound((moves([*LOST[:3], (1, 4, 4, 0), (0, 4, 4, 0)], False), "machine", 1))
    assert later["line"] == "new practice 3,4,5,0"


def test_a_lost_start_is_given_to_the_machine():
    places = (1, 4, 5, 0), (0, 4, 5, 0), (0, 4, 4, 0), (0, 4, 0, 0), (0, 1, 0, 0), (0, 0, 0, 0)
    found = rewound((moves(places), "machine", 1))
    assert found["lost"] and found["line"] == "new practice second 1,4,5,0"
    assert said(found["said"]) == (
        "You switched off the last lamp. You lost. This start was already lost. "
        "Every group has a partner: an equal group in another row. Leave me a board like this."
    )


def test_between_two_people_it_is_the_losers_mistake():
    played = moves([(2, 3), (2, 1), (1, 1), (0, 1), (0, 0)], True, NIM, ("player-1", "player-2"))
    found = rewound((played, "player-1", 2))
    assert said(found["said"][:1]) == "Player 2 lost. Back here, player 2 could still win."
    assert (found["path"][-1], found["line"]) == (mask(NIM, (2, 1)), "")
    lost = rewound((moves([(1,), (0,)], True, NIM, ("player-1", "player-2")), "player-2", 2))
    told = "Player 1 lost. The start was already lost. Only one lamp"
    assert said(lost["said"]).startswith(told)
    assert rewound((played, "player-1", 3)) == {}


def test_a_won_match_and_an_unknown_one_stay():
    assert rewound((moves(LOST), "player", 1)) == rewound((moves(LOST), "", 1)) == {}
    assert rewound(((), "machine", 1)) == {}


def test_parts_have_their_values_where_values_decide():
    kayles = games.find("kayles")
    before = kayles.parse(["1101110/1111000/0000000/0000000"])
    (option, *_) = [o for o in kayles.options(before) if not kayles.is_p(o, False)]
    played = (Move(kayles, False, "player", before, option),)
    assert "Parts worth: 2 = 2, 3 = 3, 4 = 1." in said(rewound((played, "machine", 1))["said"])
    played = (Move(kayles, True, "player", before, option),)
    assert "worth" not in said(rewound((played, "machine", 1))["said"])


RULES = [(name, rule) for name in games.names() for rule in games.find(name).rules]


def lost_matches(game, misere, dice):
    """Yield random matches, from each opening, that the visitor loses."""
    for opening in game.openings:
        match, played = Match(game, opening, misere), []
        while not match.over:
            before, options = match.position, game.winning_options(match.position, misere)
            by = match.turn
            best = by == "machine" and options
            match.play(best[0] if best else game.any_option(before, dice))
            played.append(Move(game, misere, by, before, match.position))
        if match.winner == "machine":
            yield tuple(played)


@pytest.mark.parametrize(("name", "rule"), RULES)
def test_every_game_goes_back_and_can_be_played_on(name, rule):
    game, misere = games.find(name), rule == "misere"
    seen = 0
    for played in lost_matches(game, misere, Dice(1)):
        found, seen = rewound((played, "machine", 1)), seen + 1
        *verb, rows = found["line"].split()
        position = game.placed_on_panel(game.parse([rows]))  # as the console does
        assert verb == ["new", "practice", "second"][: 3 if found["lost"] else 2]
        turns = [move.before for move in played if move.by == "player"]
        at = turns.index(position)
        could = [not game.is_p(turn, misere) for turn in turns[at:]]
        assert could == [not found["lost"]] + [False] * (len(could) - 1)
        assert not found["lost"] or at == 0
        assert found["path"][-1] == mask(game, position)
        assert found["path"][0] == mask(game, played[-1].after)
        assert len(found["path"]) == len(played) - [m.before for m in played].index(position) + 1
    assert seen


@pytest.mark.parametrize(("name", "rule"), RULES)
def test_hints_lead_to_a_winning_move(name, rule):
    game, misere = games.find(name), rule == "misere"
    for opening in game.openings[:3]:
        before = game.placed_on_panel(opening)
        if game.is_p(before, misere):
            continue
        lit = mask(game, before)
        winning = [mask(game, option) for option in game.winning_options(before, misere)]
        assert [hint(game, before, misere, n)[1] for n in (0, 1)] == [0, 0]
        told, rows = hint(game, before, misere, 2)
        moves_told, move = hint(game, before, misere, 3)
        ways = [(lit & ~after, after & ~lit) for after in winning]
        assert move in [out & -out if out and come else out or come for out, come in ways]
        assert rows & lit == rows and rows & move == move & lit
        (_, gaps), (_, by) = *told, *moves_told
        if "row" in gaps:
            assert move & ~(127 << 7 * (gaps["row"] - 1)) == 0
        assert by["count"] == move.bit_count() and by.get("row") in (None, gaps.get("row"))


# ---------------------------------------------------------------------- the practice match

TASK = "Pick lamps until every group has an equal partner."
STATUS = "ok game=nim rule=misere level=fair state={} rows={} picked=0,0,0,0"


def lost(places=LOST):
    """Return a Pico after a match through these positions. The visitor moved first and lost."""
    pico = Pico()
    rows = [",".join(map(str, place)) for place in places]
    pico.say("event state=player", STATUS.format("player", rows[0]))
    for number, left in enumerate(rows[1:]):
        by, then = ("machine", "player") if number % 2 else ("player", "thinking")
        pico.say(f"event move by={by} row=1 take=1 rows={left}", f"event state={then}")
    pico.say("event state=verdict", "event over winner=machine")
    return pico


def practise(pico, rows):
    """Let the Pico begin the practice match."""
    pico.say("event practice=on", "event state=player", STATUS.format("player", rows))
    shine(pico, rows)


def shine(pico, rows):
    pico.machine.take([{"lamps": list(NIM.picture(NIM.parse_option([rows])))}])


def typed(pico):
    """Return the lines for practice that were typed since the last call."""
    lines = [line for line in pico.done if line.startswith(("new", "choose"))]
    pico.done.clear()
    return lines


def test_the_visitor_looks_for_the_move():
    pico = lost()
    assert pico.state["rewind"]["path"][-1] == mask(NIM, (3, 4, 5, 0))
    pico.visitor.hear("find", "")
    assert typed(pico) == ["new practice 3,4,5,0"]
    practise(pico, "3,4,5,0")
    told = []
    for _ in range(4):
        told.append((said(pico.state["doing"]), pico.state["rewind"]["marks"]))
        pico.say("event pick rows=3,4,4,0")
        shine(pico, "3,4,4,0")
        assert said(pico.state["advice"]) == "Then I can win. Try other lamps."
        pico.say("event move by=player row=3 take=1 rows=3,4,4,0", "event state=thinking")
        assert typed(pico) == ["new practice 3,4,5,0"], "a mistake is taken back"
        assert "practice" not in pico.state["rewind"]
        pico.say("event abandoned rows=3,4,4,0")
        practise(pico, "3,4,5,0")
    assert told == [
        (TASK, 0),
        (f"That move does not win. {TASK}", 0),
        ("The move is in row 1.", 0b111),
        ("Switch off 2 lamps in row 1.", 0b110),
    ]
    pico.say("event pick rows=1,4,5,0")
    shine(pico, "1,4,5,0")
    assert said(pico.state["advice"]) == "Every group has a partner. Press GO!"
    pico.say("event move by=player row=1 take=2 rows=1,4,5,0", "event state=thinking")
    assert not typed(pico)
    praise = "Well found! You switched off 2 lamps in row 1."
    assert said(pico.state["doing"]) == praise
    pico.say("event state=machine")
    assert said(pico.state["doing"]) == praise
    pico.say("event move by=machine row=3 take=1 rows=1,4,4,0", "event state=player")
    assert said(pico.state["doing"]) == f"I switched off 1 lamp in row 3. {TASK}"
    assert pico.state["rewind"] == {"practice": True, "marks": 0}
    pico.say("event move by=player row=2 take=1 rows=1,3,4,0", "event state=thinking")
    assert typed(pico) == ["new practice 1,4,4,0"]
    practise(pico, "1,4,4,0")
    assert said(pico.state["doing"]) == f"That move does not win. {TASK}"


def test_the_end_of_misere_play_has_its_own_task():
    """Nothing glows on 1-1 either, but it loses. A win in practice pays no medal."""
    pico = lost([(2, 1, 0, 0), (1, 1, 0, 0), (1, 0, 0, 0), (0, 0, 0, 0)])
    pico.visitor.hear("find", "")
    practise(pico, "2,1,0,0")
    told = "Now leave me just one lamp, and I must take it."
    assert said(pico.state["doing"]) == told
    pico.say("event move by=player row=1 take=1 rows=1,1,0,0", "event abandoned rows=1,1,0,0")
    practise(pico, "2,2,1,1")
    pico.say("event move by=player row=3 take=1 rows=2,2,0,1", "event state=thinking")
    pico.say("event move by=machine row=1 take=1 rows=1,2,0,1", "event state=player")
    assert said(pico.state["doing"]) == (
        "I switched off 1 lamp in row 1. "
        "Now leave me 3 rows of one lamp, and I must take the last."
    )
    answers = {
        "1,0,0,1": "Then I can win. Try other lamps.",
        "0,2,0,1": "Then I can win. Try other lamps.",
        "1,1,0,1": "3 rows of one lamp stay. Press GO!",
    }
    for left, answer in answers.items():
        pico.say(f"event pick rows={left}")
        shine(pico, left)
        assert said(pico.state["advice"]) == answer
    pico.say("event move by=player row=2 take=1 rows=1,1,0,1", "event state=thinking")
    pico.say("event move by=machine row=1 take=1 rows=0,0,0,0", "event state=verdict")
    pico.say("event over winner=player")
    assert said(pico.state["advice"]) == "Now beat me without help: press GO."
    kayles = games.find("kayles")
    begun = kayles.placed_on_panel(kayles.openings[0])
    assert hint(kayles, begun, True, 0)[0] == [words.message("rewind.task")]


@pytest.mark.parametrize("now", ["nim", "kayles"])
def test_a_touch_of_the_rewound_board_picks_its_lamp(now):
    pico = lost()
    pico.say("event state=attract", STATUS.format("attract", "0,0,0,0").replace("nim", now))
    pico.visitor.hear("find", "16")
    assert typed(pico)[-1] == "new practice 3,4,5,0"
    pico.say("event state=opening", STATUS.format("opening", "1,2,3,0"))
    assert not [line for line in pico.done if line.startswith("pick")]
    practise(pico, "3,4,5,0")
    assert [line for line in pico.done if line.startswith("pick")] == ["pick 3,4,2,0"]
    pico.done.clear()
    practise(pico, "3,4,5,0")
    assert not [line for line in pico.done if line.startswith("pick")]


def test_the_machine_begins_where_the_start_was_lost():
    pico = lost(((1, 4, 5, 0), (1, 4, 4, 0), (0, 4, 4, 0), (0, 0, 4, 0), (0, 0, 1, 0), (0,) * 4))
    pico.visitor.hear("find", "")
    assert typed(pico) == ["new practice second 1,4,5,0"]
    pico.done.clear()
    pico.say("event practice=second", "event state=thinking")
    assert pico.done == ["status"] and pico.machine.view.last is None
    pico.say(STATUS.format("thinking", "1,4,5,0"))
    assert (pico.machine.view.mover, pico.machine.view.position) == ("machine", (1, 4, 5, 0))
    pico.say("event move by=machine row=2 take=1 rows=1,3,5,0", "event state=player")
    pico.say("event move by=player row=1 take=1 rows=0,3,5,0", "event state=thinking")
    assert typed(pico) == ["new practice 1,3,5,0"]


@pytest.mark.parametrize("ends", [["event state=opening"], [], ["event practice=on"]])
def test_another_match_is_no_practice(ends):
    """A mistake in another match is not taken back. The attract show has another game."""
    pico = lost()
    pico.say("event state=attract", STATUS.format("attract", "0,0,0,0").replace("nim", "kayles"))
    pico.visitor.hear("find", "")
    assert typed(pico) == ["choose game nim", "new practice 3,4,5,0"]
    practise(pico, "3,4,5,0")
    pico.say(*ends, "event state=player", STATUS.format("player", "3,4,5,0"))
    pico.say("event move by=player row=3 take=1 rows=3,4,4,0", "event state=thinking")
    assert not typed(pico) and pico.state["rewind"] == {}


def test_a_second_loss_in_the_same_position_counts():
    pico = lost(((2, 0, 0, 0), (0, 0, 0, 0)))
    for number in range(3):
        pico.visitor.hear("find", "")
        practise(pico, "2,0,0,0")
        marks = pico.state["rewind"]["marks"]
        assert marks == (0b11 if number == 2 else 0)
        pico.say("event move by=player row=1 take=2 rows=0,0,0,0")
        pico.say("event state=verdict", "event over winner=machine")
        assert pico.state["rewind"]["practice"], "the level of the practice match is not shown"
    pico.say("event state=opening")
    assert pico.state["rewind"] == {}


def test_a_refused_practice_match_begins_no_practice_and_forgets_the_touch():
    pico = lost()
    pico.answer({})
    pico.visitor.hear("find", "0")
    pico.answer({pico.done[-1]: "error reason=not-a-number"})
    assert pico.state["advice"] == [("do.old", {})]
    pico.say("event practice=on", "event state=player", STATUS.format("player", "3,4,5,0"))
    assert "practice" not in pico.state["rewind"]
    assert not [line for line in pico.done if line.startswith("pick")]


def test_only_the_page_that_has_won_keeps_the_match():
    """The lease is free again when the match is over."""
    pico = Pico()
    pico.machine.visit.table = tables.new(1)
    other = Visitor(pico.machine, Page(True), pico)
    pico.visitor.hear("press", "go")
    pico.say("event state=player", STATUS.format("player", "1,1,0,0"))
    pico.say("event move by=player row=1 take=1 rows=0,1,0,0", "event state=thinking")
    pico.say("event move by=machine row=2 take=1 rows=0,0,0,0")
    pico.say("event state=verdict", "event over winner=player")
    assert pico.state["match"]["first"] == "player" and not other.seen()["match"]
    assert said(pico.state["doing"]).endswith("You win!")
    assert "A visitor wins!" in said(other.seen()["doing"])
    other.hear("press", "go")
    pico.say("event state=opening")
    assert pico.machine.visit.watches(pico.visitor.page)
    assert not pico.machine.visit.watches(other.page)


def test_with_a_friend_there_is_no_practice():
    """Both players, and pages that only look, see who could win."""
    pico = lost()
    watcher = Visitor(pico.machine, Page(False), pico)
    assert watcher.seen()["rewind"]["said"][1] == ("watch.rewind.here.player", {})
    assert watcher.seen()["rewind"]["line"] == ""
    friend = Visitor(pico.machine, Page(True), pico)
    pico.machine.visit.happen("come", friend.page.you)
    pico.machine.show()
    assert pico.state["rewind"]["line"] == ""
    pico.machine.visit.happen("paired", True)
    places = (1, 2, 0, 0), (0, 2, 0, 0), (0, 1, 0, 0), (0, 0, 0, 0)
    pico.say("event state=player", STATUS.format("player", "1,2,0,0") + " players=2")
    for number, left in enumerate(places[1:]):
        rows = ",".join(map(str, left))
        by = f"player-{1 + number % 2}"
        pico.say(f"event move by={by} row=1 take=1 rows={rows}", "event state=player")
    pico.say("event state=verdict", "event over winner=player-2")
    pico.done.clear()
    friend.hear("find", "")
    assert not typed(pico)
    told = [said(page.seen()["rewind"]["said"][:1]) for page in (pico.visitor, friend, watcher)]
    assert told == [
        "You lost. Back here, you could still win.",
        "Player 1 lost. Back here, player 1 could still win.",
        "Player 1 lost. Back here, player 1 could still win.",
    ]
