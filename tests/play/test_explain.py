"""The explanation: the drawings on the lamps, and the words in every language."""

import json
import re
from functools import cache
from pathlib import Path

import pytest
from long_run import LONG

import oracle
from nimatron import board, games, protocol
from nimatron.settings import TABLE
from nimatron_host.kiosk import page_data
from nimatron_play import game_texts, panel_view, words
from nimatron_play.explain import Question, explain, mask
from nimatron_play.panel_view import Move, PanelView
from nimatron_play.rewind import hint, rewound

NIM = games.find("nim")
ENGLISH = words.tables()["en"]
TRANSLATED = sorted(set(words.tables()) - {"en"})
KIOSK = Path(page_data.__file__).parent
MOVERS = "player", "machine", "player-2"
STEP = 1 if LONG else 5
SOME = [rows for n, rows in enumerate(oracle.POSITIONS) if max(rows) < 3 or n % STEP == 0]


def said(messages):
    return words.say(messages, ENGLISH)


@cache
def asked(game, position, misere, mover="player", left=None, people=1):
    return explain(Question(game, position, misere, mover, left, people))


def insight(rows, misere=True, **options):
    return asked(NIM, rows, misere, **options)["insight"]


def lamps(*rows):
    """Return a mask of the leftmost lamps of each row."""
    return sum((1 << n) - 1 << 7 * row for row, n in enumerate(rows))


# ---------------------------------------------------------------------- on the lamps


@pytest.mark.parametrize("misere", [True, False])
def test_groups_make_up_the_lamps_and_partners_agree(misere):
    for rows in SOME:
        shown = insight(rows, misere)
        masks = [group[0] for group in shown["groups"]]
        if shown["kind"] != "over":
            assert sum(masks) == shown["lamps"] == lamps(*rows), "each lamp is in one group"
        for index, (of, weight, partner) in enumerate(shown["groups"]):
            assert shown["kind"] != "pairs" or of.bit_count() == weight
            if partner is not None:
                assert shown["groups"][partner][1:] == [weight, index]
                assert shown["groups"][partner][0] >> 7 != of >> 7


@pytest.mark.parametrize(("name", "misere"), [("nim", True), ("nim", False), ("candy", False)])
def test_to_put_out_what_the_bracket_marks_wins(name, misere):
    game, broken = games.find(name), 0
    for rows in SOME:
        shown = asked(game, rows, misere)["insight"]
        after = {lamps(*board.leave(rows, *move)) for move in oracle.winning_moves(rows, misere)}
        left = shown["lamps"] & ~shown["goes"]
        assert left in after if shown["goes"] else not after or not any(rows), rows
        assert not asked(game, rows, misere, "machine")["insight"]["goes"]
        alone = [of for of, _, partner in shown["groups"] if partner is None]
        if any(key == "why.pairs.break" for key, _ in shown["said"]):
            broken += 1
            assert len({row for row in range(4) for of in alone if of >> 7 * row & 127}) > 1
        elif shown["kind"] == "pairs" and alone:
            row = next(row for row in range(4) if shown["goes"] >> 7 * row & 127)
            assert all(of >> 7 * row & 127 for of in alone), "what glows is where the bracket is"
    assert broken


def partners(shown):
    """Return the lamps of the groups that are partners, by twos."""
    groups = shown["groups"]
    return {frozenset((of, groups[other][0])) for of, _, other in groups if other is not None}


@pytest.mark.parametrize("misere", [True, False])
def test_nothing_moves_that_was_not_touched(misere):
    """Groups are in the order 4, 2, 1. A draft does not move the groups in the other rows, or the
    lines between them."""
    for rows in oracle.POSITIONS[::13]:
        before = insight(rows, misere)
        if before["kind"] != "pairs":
            continue
        for row in range(4):
            there = [weight for of, weight, _ in before["groups"] if of >> 7 * row & 127]
            assert there == sorted(there, reverse=True)
        for (row, _), after in oracle.moves(rows):
            trial = insight(rows, misere, left=after)
            if trial["kind"] != "pairs":
                continue
            others = [
                {of for of, _, _ in shown["groups"] if not of >> 7 * row & 127}
                for shown in (before, trial)
            ]
            assert others[0] == others[1], (rows, after)
            kept = {pair for pair in partners(before) if pair <= others[0]}
            assert kept <= partners(trial), (rows, after)


def facts(rows, misere, mover):
    """Return the statements about a position, each with an exhaustive search's verdict on it."""
    wins, over = oracle.mover_wins(rows, misere), not any(rows)
    single = misere and max(rows) == 1
    turn = misere and sum(n > 1 for n in rows) == 1
    odd = sum(rows) % 2
    uneven = [w for w in (4, 2, 1) if sum(n & w > 0 for n in rows) % 2]
    who = "people" if "-" in mover else mover
    true = {
        f"why.here.{who}.win": wins and not over,
        f"why.here.{who}.lose": not wins and not over,
        "why.singles.odd": single and odd and not wins,
        "why.singles.even": single and not odd and wins,
        "why.turn": turn and wins,
        "why.pairs.odd": len(uneven) and wins,
        "why.pairs.break": uneven
        and wins
        and not any(n & sum(uneven) == sum(uneven) for n in rows),
        "why.pairs.even": not uneven and not wins and not over,
        "rule.misere": over and misere,
        "rule.normal": over and not misere,
    }
    if single or turn:
        true["why.pairs.odd"] = true["why.pairs.even"] = true["why.pairs.break"] = False
    return {key for key, holds in true.items() if holds}, len(uneven)


@pytest.mark.parametrize("misere", [True, False])
@pytest.mark.parametrize("mover", MOVERS)
def test_explanation_of_a_position_is_true_and_complete(misere, mover):
    """A reader sees a good sign if and only if they win. The glowing groups are the groups that a
    mover must fix."""
    for rows in SOME:
        shown = insight(rows, misere, mover=mover)
        true, alone = facts(rows, misere, mover)
        wins, over = oracle.mover_wins(rows, misere), not any(rows)
        good = {"player": wins, "machine": not wins}.get(mover)
        assert shown["good"] == (None if over else good)
        winning = oracle.winning_moves(rows, misere)
        assert len(shown["winning"]) + shown["more"] == (0 if over else len(winning))
        after = {lamps(*board.leave(rows, row, take)) for row, take in winning}
        assert set(shown["winning"]) <= after
        if shown["kind"] == "pairs":
            assert wins == any(partner is None for _, _, partner in shown["groups"])
        assert {key for key, _ in shown["said"]} == true, (rows, shown["said"])
        gaps = dict(shown["said"])
        if "why.pairs.odd" in gaps:
            assert gaps["why.pairs.odd"] == {"count": alone}
        if "why.turn" in gaps:
            assert rows[gaps["why.turn"]["row"] - 1] > 1
        if "why.pairs.break" in gaps:
            row = gaps["why.pairs.break"]["row"] - 1
            assert row in {row for row, _ in oracle.winning_moves(rows, misere)}
            assert rows[row] & gaps["why.pairs.break"]["weight"]
        for key in {"why.singles.odd", "why.singles.even"} & set(gaps):
            assert gaps[key] == {"count": sum(rows)}


def test_preview_shows_the_remaining_position():
    good = insight((3, 4, 5, 0), left=(1, 4, 5, 0))
    assert (good["trial"], good["good"], good["lamps"]) == (True, True, lamps(1, 4, 5))
    assert said(good["said"]) == (
        "Leave me this, and you can win. Every group has a partner: an equal group in another row."
    )
    bad = insight((3, 4, 5, 0), left=(2, 4, 5, 0))
    assert said(bad["said"]).startswith("Leave me this, and I can win.")
    assert not insight((3, 4, 5, 0), left=(1, 4, 5, 0), mover="machine")["trial"]
    assert not insight((3, 4, 5, 0), left=(2, 4, 4, 0))["trial"], "that is no move"
    last = insight((1, 0, 0, 0), left=(0, 0, 0, 0))
    assert said(last["said"]) == "Switch off the last lamp and you lose."
    assert not last["good"]


@pytest.mark.parametrize("misere", [True, False])
def test_a_trial_is_right_about_every_move(misere):
    for before in oracle.POSITIONS[::17]:
        for (row, take), after in oracle.moves(before):
            shown = insight(before, misere, left=after)
            assert shown["trial"]
            assert shown["lamps"] == lamps(*after)
            assert shown["good"] == (not oracle.mover_wins(after, misere)), (before, row, take)


# ---------------------------------------------------------------------- from the panel


def test_among_three_nothing_is_claimed():
    shown = insight((3, 4, 5, 0), mover="player-3", people=3)
    assert (shown["said"], shown["good"], shown["winning"]) == ([], None, [])


def hear(view, *lines):
    for line in lines:
        view.record({"ms": 0, "console": line})


def test_the_last_match_stays_until_the_next_ones_first_move():
    view = PanelView()
    status = "ok game=nim rule=misere level=perfect state=player rows=%s picked=0,0,0,0"
    hear(view, "event state=player", status % "1,1,0,0")
    hear(view, "event move by=player row=1 take=1 rows=0,1,0,0", "event state=thinking")
    assert view.mover == "machine"
    hear(view, "event state=machine", "event move by=machine row=2 take=1 rows=0,0,0,0")
    hear(view, "event state=verdict", "event over winner=player", "event state=attract")
    assert [move.by for move in view.moves] == ["player", "machine"]
    hear(view, "event state=opening", status % "0,1,0,0", "event state=player", status % "0,1,0,0")
    assert len(view.moves) == 2
    hear(view, "event move by=player row=2 take=1 rows=0,0,0,0")
    assert [move.before for move in view.moves] == [(0, 1, 0, 0)]


def test_a_match_that_begins_again_without_a_player_begins_a_new_list():
    """This happens among several people in misère play, when one of them is out."""
    view = PanelView()
    status = "ok game=nim rule=misere level=perfect state=player rows=%s picked=0,0,0,0"
    hear(view, "event state=player", "event turn=player-1", status % "1,0,0,0")
    assert view.mover == "player-1"
    hear(view, "event move by=player-1 row=1 take=1 rows=0,0,0,0", "event out=player-1")
    hear(view, "event state=player", "event turn=player-2", status % "1,0,0,0")
    hear(view, "event move by=player-2 row=1 take=1 rows=0,0,0,0")
    assert [move.by for move in view.moves] == ["player-2"]


# ---------------------------------------------------------------------- other games


@pytest.mark.parametrize("name", games.names())
def test_every_game_is_explained(name):
    """The text is also true: its facts about a position agree with the rule set."""
    game = games.find(name)
    for rule in game.rules:
        misere = rule == "misere"
        for opening in game.openings:
            before = game.placed_on_panel(opening)
            shown = asked(game, before, misere)["insight"]
            assert shown["lamps"] == mask(game, before)
            wins = not game.is_p(before, misere)
            assert shown["good"] == wins == bool(shown["winning"])
            winning = game.winning_options(before, misere)
            assert len(shown["winning"]) + shown["more"] == len(list(winning))
            text = said(shown["said"])
            assert not re.search(r"[{}]|\b(why|idea|move)\.\w|\d/\d|\d,\d|nimber", text), text


# ---------------------------------------------------------------------- words


UNSAID = "{last}"  # a language may name the player of the last move without repeating the move


@pytest.mark.parametrize("code", TRANSLATED)
def test_every_language_says_everything(code):
    table = words.tables()[code]
    said = {key for key in ENGLISH if not key.startswith(("rules.", "theory."))}
    assert said <= set(table) <= set(ENGLISH)
    for key, text in [(key, ENGLISH[key]) for key in table]:
        gaps = set(re.findall(r"{\w+}", text))
        allowed = [gaps, gaps - {UNSAID}] if key.startswith("last.") else [gaps]
        assert set(re.findall(r"{\w+}", table[key])) in allowed, key
        assert bool(text) == bool(table[key]), key


def heard(name, rule):
    """Yield all messages of the panel view for a game during a few turns."""
    game, misere = games.find(name), rule == "misere"
    view = PanelView()
    begin = game.placed_on_panel(game.openings[0])
    none = game.picked_words(game.empty_draft(begin))
    status = f"ok game={name} rule={rule} level=easy rows={game.words(begin)} picked={none}"
    for state in sorted(panel_view._STATES):
        hear(view, f"{status} state={state}", f"event state={state}")
        yield from [*view.rule_said, *view.said[0], *view.said[1]]
    for by in (*MOVERS, "player"):
        position = begin
        hear(view, "event state=attract", "event state=player", f"{status} state=player")
        hear(view, *["event turn=player-2"] * ("-" in by))
        yield from [message for part in view.said for message in part]
        for left in game.winning_options(begin, misere)[:1]:
            view.left = left
            yield from [message for part in view.said for message in part]
        for button in ("row1", "row4", "go", ""):
            view._refused = button or panel_view._SOMETHING
            yield from [message for part in view.said for message in part]
        view.touched()
        after = next(game.options(position))
        facts = (("by", by), *game.describe_move(position, after), ("rows", game.words(after)))
        hear(view, protocol.format("event move", *facts), "event state=thinking")
        yield from [message for part in view.said for message in part]
        hear(view, "event state=verdict", f"event over winner={by}")
        yield from [message for part in view.said for message in part]
    for line in ("event warning=idle ms=10000", "event button=go contact=stuck"):
        hear(view, line)
        yield from [message for part in view.said for message in part]
    hear(view, "event button=row2 contact=held")


def explained(name, rule):
    """Yield all messages that explain some positions and matches of a game."""
    game, misere = games.find(name), rule == "misere"
    for opening in game.openings[:3]:
        before = game.placed_on_panel(opening)
        options = list(game.options(before))
        for after in [*options[:4], *options[-4:], *game.winning_options(before, misere)[:2]]:
            for mover in MOVERS:
                shown = asked(game, before, misere, mover, after)
                yield from shown["insight"]["said"]
                yield from asked(game, before, misere, mover=mover)["insight"]["said"]
                yield from [message for part in shown["working"].values() for message in part]
                move = Move(game, misere, mover, before, after)
                people = 2 if "-" in mover else 1
                yield from rewound(((move,), "player-1" if people > 1 else "machine", people)).get(
                    "said", []
                )
        for misses in range(0 if game.is_p(before, misere) else 4):
            yield from hint(game, before, misere, misses)[0]


@pytest.mark.parametrize("name", games.names())
def test_no_key_and_no_gap_is_shown_in_any_language(name):
    tables = {code: words.table(code) for code in words.codes()}
    for rule in games.find(name).rules:
        said = {repr(one): one for of in (heard, explained) for one in of(name, rule)}.values()
        assert len(said) > 50
        for code, table in tables.items():
            for key, gaps in said:
                assert key in table, key
                text = words.say([(key, gaps)], table)
                raw = re.search(r"[{}]|\b[a-z]+\.[a-z]+(\.|$)", text)
                assert not raw, (code, key, gaps, text)


def test_every_word_is_in_the_table():
    """These are the words that the code names directly, in Python and on the page."""
    folder = Path(words.__file__).parents[1]
    rooms = [*folder.glob("*.py"), *KIOSK.glob("*.py")]
    pages = [*(KIOSK / "page").iterdir(), *(KIOSK / "operator_page").iterdir()]
    python = "".join(path.read_text() for path in rooms)
    page = "".join(path.read_text() for path in pages if path.suffix in (".js", ".html"))
    named = set(re.findall(r'\bmessage\(\s*"([^"]+)"(?! \+)', python))
    named |= set(re.findall(r'(?:\bword\(|data-(?:say|label|hint)=)"([^"$]+)"', page))
    assert len(named) > 40
    assert named <= set(ENGLISH)


def test_a_page_gets_english_where_its_language_lacks_a_text(monkeypatch):
    some = {"en": {"a": "one", "b": "two"}, "de": {"a": "eins"}}
    monkeypatch.setattr(words, "_table", some.get)
    assert json.loads(page_data.language("de")) == {"a": "eins", "b": "two"}


def test_no_text_is_of_a_game_that_is_gone():
    kinds = (
        game_texts.rules,
        game_texts.buttons,
        game_texts.theory,
        game_texts.last,
        game_texts.last_done,
    )
    said = {kind(games.find(name)) for name in games.names() for kind in kinds}
    said |= {f"setting.{name}" for name, _, _ in TABLE}
    spoken = {key.removeprefix("page.") for key in ENGLISH}
    prefixes = ("rules.", "buttons.", "theory.", "last.lamp", "last.cut", "setting.")
    assert {key for key in spoken if key.startswith(prefixes)} == said


@pytest.mark.parametrize("code", sorted(words.tables()))
def test_counting_is_told_in_lamps_whatever_the_opening(code):
    """Most openings have fewer lamps than the target, because players have already counted."""
    game = games.find("say-21")
    assert any(n < 21 for (n,) in game.openings)
    goal, each = words.tables()[code][game_texts.rules(game)].split(". ", 1)
    assert re.findall(r"\d+", goal) == ["21"]
    assert re.search("(?i)l[aá]mp", each)
    assert re.findall(r"\d+", each) == ["1", "2", "3"]


def test_unknown_key_is_shown_unchanged():
    assert words.say([words.message("Mind the gap.")], ENGLISH) == "Mind the gap."
    spanish = words.tables()["es"]
    assert words.say([words.message(game_texts.rules(NIM))], spanish).startswith("Apaga")


# Languages in which a word shows who is meant. In Spanish, only the verb does.
YOU = {"en": r"\byou", "de": r"\b(du|dir|dich|dein)", "fr": r"\bvo(us|tre|s)\b"}


@pytest.mark.parametrize("code", sorted(YOU))
def test_spectators_are_not_addressed_as_you(code):
    """Each text to a player about moves and the match also has words for spectators."""
    table = words.tables()[code]

    def says_you(key):
        return re.search(YOU[code], table[key], re.IGNORECASE)

    kinds = "why.here.", "why.trial.", "rewind.here.", "rewind.lost.", "move.", "moved.", "bite."
    to_player = [key for key in table if key.startswith(kinds) and says_you(key)]
    assert len(to_player) >= 10
    assert [key for key in to_player if f"watch.{key}" not in table] == []
    assert [key for key in table if key.startswith("watch.") and says_you(key)] == []
