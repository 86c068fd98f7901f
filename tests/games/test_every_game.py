"""The invariants that the panel needs, for every game in the registry."""

import itertools
import sys
from heapq import heappop, heappush

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nimatron import advice, board, bouton, games, opponent, worth
from nimatron.dice import Dice
from nimatron.games import boards
from nimatron.games.game import Game
from nimatron.games.grundy import Grundy
from nimatron.match import Match
from nimatron.protocol import IllegalMove
from nimatron.settings import TABLE
from nimatron.states import PLAYER
from nimatron_host.theory.english import PLAIN
from nimatron_play import game_texts

HOLD_MS = {name: default for name, default, _ in TABLE}["hold_ms"]
LOOKED_AT = 12  # options of a position that are reached by buttons

GAMES = {name: games.find(name) for name in games.names()}
PLAYED = [(name, rule == "misere") for name, game in GAMES.items() for rule in game.rules]

few = settings(max_examples=6, suppress_health_check=list(HealthCheck))
every_game = pytest.mark.parametrize("name", GAMES)
every_rule = pytest.mark.parametrize(("name", "misere"), PLAYED)
by_chance = given(seed=st.integers(0, 2**31))


def in_matches_of_every_game(test):
    return every_game(few(by_chance(test)))


def in_matches_under_every_rule(test):
    return every_rule(few(by_chance(test)))


def winnable(game, misere):
    return [position for position in game.openings if not game.is_p(position, misere)]


@every_game
def test_worth_adds_up_to_the_grundy_value(name):
    """The positions are a few moves from the openings."""
    game, dice = GAMES[name], Dice(4)
    for position in game.openings:
        while not game.over(position):
            parts, value = worth.parts(game, position), game.grundy(position)
            assert (parts is None) == (value is None)
            if parts:
                assert bouton.nim_sum([game.grundy(part) for part in parts]) == value
            position = game.any_option(position, dice)


def lamps(masks):
    """Return four masks as one mask."""
    return sum(mask << row * board.LAMPS for row, mask in enumerate(masks))


def by_buttons(game, position, option):
    """Return the presses that pick an option, each (row counted from 0, held down), or None.

    The search tries the best presses first: lamps outside the option stay, and all other lamps
    change.
    """
    start, end = lamps(game.picture(position)), lamps(game.picture(option))
    counter = itertools.count()
    nothing = game.empty_draft(position)
    waiting, seen = [(0, 0, nothing, ())], {nothing}
    while waiting:
        _, _, draft, presses = heappop(waiting)
        if presses and game.option_of(position, draft) == option:
            return presses
        for row, held in itertools.product(range(board.ROWS), (False, True)):
            more = game.press(position, draft, row)
            if more is not None and held:
                more = game.long_press(position, more, row)
            if more is None or more in seen:
                continue
            seen.add(more)
            changed = start ^ lamps(game.picture(game.remaining(position, more)))
            if not changed & ~(start ^ end):
                left = bin(start ^ end ^ changed).count("1")
                heappush(waiting, (left, next(counter), more, (*presses, (row, held))))
    return None


def playout(game, seed):
    """Yield the positions of a random match, from one of the openings to the end."""
    dice = Dice(seed)
    position = game.placed_on_panel(dice.pick(game.openings))
    while not game.over(position):
        yield position
        option = game.any_option(position, dice)
        assert option in game.options(position)
        position = option
    yield position


# ---------------------------------------------------------------------- a game's texts


@every_game
def test_it_introduces_itself(name):
    game = GAMES[name]
    assert game.name == name
    assert game.rules in (("misere", "normal"), ("misere",), ("normal",))
    assert game.solved in ("rule", "nimbers", "table", "search")
    for key in (game_texts.rules, game_texts.buttons, game_texts.theory):
        assert PLAIN[key(game)].endswith(".")
    for key in (game_texts.rules, game_texts.theory):
        assert len({type(g) for g in GAMES.values() if key(g) == key(game)}) == 1
    assert PLAIN[game_texts.last(game)] and PLAIN[game_texts.last_done(game)]


@every_rule
def test_openings_have_room_and_some_can_be_won_by_who_begins(name, misere):
    game = GAMES[name]
    assert len(set(game.openings)) == len(game.openings) >= 2
    assert winnable(game, misere)
    for position in game.openings:
        assert game.placed_on_panel(position) == position
        assert not game.over(position)


@in_matches_under_every_rule
def test_a_position_is_lost_if_and_only_if_no_option_is(name, misere, seed):
    game = GAMES[name]
    dice = Dice(seed)
    for position in playout(game, seed):
        if game.over(position):
            assert game.is_p(position, misere) == (not misere)
            continue
        options = list(game.options(position))
        winning = game.winning_options(position, misere)
        assert set(winning) <= set(options)
        assert all(game.is_p(option, misere) for option in winning)
        assert game.is_p(position, misere) == (not winning)
        assert set(game.resisting_options(position)) <= set(options)
        chosen = opponent.choose(game, position, misere, 0, dice)
        assert chosen in options
        assert game.is_p(chosen, misere) or not winning
        gift = opponent.equalize(game, position, misere, dice)
        assert gift is None or (gift in options and not game.is_p(gift, misere))


@in_matches_under_every_rule
def test_who_begins_and_plays_perfectly_wins_every_opening_on_offer(name, misere, seed):
    game = GAMES[name]
    dice = Dice(seed)
    match = Match(game, dice.pick(winnable(game, misere)), misere)
    while not match.over:
        slip = 0 if match.turn == PLAYER else 100
        match.play(opponent.choose(game, match.position, misere, slip, dice))
    assert match.winner == PLAYER


@in_matches_of_every_game
def test_what_is_said_of_a_position_is_understood(name, seed):
    game = GAMES[name]
    for position in playout(game, seed):
        words = game.words(position)
        assert not set(words) & set(" =;")
        assert game.parse_option([words]) == position
        masks = game.picture(position)
        assert len(masks) == board.ROWS and all(0 <= mask <= board.FULL for mask in masks)
        for misere in [rule == "misere" for rule in game.rules]:
            assert dict(game.working(position, misere))["outcome"] in ("P", "N")
            for masks, facts in game.steps(position, misere):
                assert dict(facts) and all(0 <= mask <= board.FULL for mask in masks)
        if not game.over(position):
            assert game.parse([words]) == position
            assert game.padded(position) == game.placed_on_panel(position) == position
    for before, position in itertools.pairwise(playout(game, seed)):
        assert dict(game.describe_move(before, position))
        assert game.size(position) < game.size(before)


@in_matches_of_every_game
def test_the_lamps_of_a_move_are_named(name, seed):
    game = GAMES[name]
    for before, position in itertools.pairwise(playout(game, seed)):
        places = [place.split(".") for place in advice.changed(game, before, position)]
        named = [boards.lamp_at(int(row) - 1, int(lamp) - 1) for row, lamp in places]
        if isinstance(game, Grundy):  # a cut, by holding the button at this one
            (lamp,) = named
            row = lamp // board.LAMPS
            assert game.long_press(before, ((), lamp), row)[0] == position
        else:
            flipped = sum(1 << lamp for lamp in named)
            assert lamps(game.picture(before)) ^ flipped == lamps(game.picture(position))


@pytest.mark.parametrize(
    ("name", "words", "why"),
    [
        ("subtraction-3", "0", "the board is empty"),
        ("subtraction-3", "-1", "a row of -1 lamps"),
        ("subtraction-3", "1 1 1 1 1", "rows given: 5. The board has 4"),
        ("say-21", "22", "a row of 22 lamps: a row has 0 to 21"),
        ("say-21", "3 4", "rows given: 2. This game has 1"),
        ("same-number", "7 7 8", "0 to 7"),
        ("same-number", "7 7", "rows given: 2. This game has 3 to 4"),
        ("wythoff", "5", "rows given: 1. This game has 2"),
        ("wythoff", "41 2", "0 to 40"),
        ("square", "80", "0 to 79"),
        ("fibonacci", "12:x", "x is not a whole number"),
        ("fibonacci", "12:4:4", "4:4 is not a whole number"),
        ("fibonacci", "12:-4", "-4 after the colon"),
        ("fibonacci", "12:0", "none of 12 lamps may be taken"),
        ("fibonacci", "1", "none of 1 lamps may be taken"),
        ("fibonacci", "0", "the board is empty"),
        ("fibonacci", "60", "0 to 59"),
        ("fibonacci", "3 4", "rows given: 2. This game has 1"),
        ("building", "0,0,0:0", "the board is empty"),
        ("building", "1,1,1:10", "13 stones, at most 10"),
        ("building", "13,0", "a row of 13 lamps: a row has 0 to 10"),
        ("building", "5", "rows given: 1. This game has 2 to 4"),
        ("chomp", "3 4", "longer than the row above"),
        ("chomp", "8", "a row of 8 lamps: a row has 0 to 7"),
        ("kayles", "0000000/0000000/0000000/0000000", "the board is empty"),
        ("kayles", "1111111", "4 rows of 7"),
        ("kayles", "1111112/0000000/0000000/0000000", "2 is not 1 or 0"),
        ("circular-18", "1111111/1100001/1000001/1111111", "not on the ring"),
        ("tactix", "111/111/111/111", "4 rows of 4"),
        ("grundy", "1,2,2", "nothing can be cut"),
        ("grundy", "0,5", "a run of 0 lamps"),
        ("grundy", "x", "x is not a whole number"),
    ],
)
def test_what_is_no_position(name, words, why):
    with pytest.raises(ValueError, match=why):
        games.find(name).parse(words.split())


@pytest.mark.parametrize(
    ("part", "words"),
    {
        **dict.fromkeys(
            ("options", "size", "words", "placed_on_panel", "picture", "empty_draft"), 1
        ),
        **dict.fromkeys(("parse", "parse_option", "picked_words"), 1),
        **dict.fromkeys(("is_p", "describe_move", "remaining", "option_of", "draft_of"), 2),
        "press": 3,
    }.items(),
)
def test_what_a_new_game_leaves_out_is_not_made_up(part, words):
    with pytest.raises(NotImplementedError):
        getattr(Game(), part)(*[()] * words)


@pytest.fixture
def modules():
    """Yield the imported modules, and restore them at the end."""
    shared = [sys.modules, vars(games), vars(sys.modules["nimatron.games.tables"])]
    before = [dict(names) for names in shared]
    yield sys.modules
    for names, was in zip(shared, before, strict=True):
        names.update(was)


def test_a_rule_set_that_nobody_plays_leaves_the_memory(modules):
    """Modules that all games share stay."""
    kayles = games.find("kayles")
    assert {"nimatron.games.kayles", "nimatron.games.tables.kayles"} <= set(modules)
    games.forget()
    left = {name.removeprefix("nimatron.games.") for name in modules}
    assert not left & {"kayles", "wythoff", "tables.kayles"}
    assert {"game", "heaps", "boards", "pieces", "tables"} <= left
    again = games.find("kayles")
    assert type(again) is not type(kayles)
    assert again.is_p(0b1111, True)


# ---------------------------------------------------------------------- by the buttons


@in_matches_of_every_game
def test_every_option_is_a_few_presses_away(name, seed):
    game = GAMES[name]
    dice = Dice(seed)
    for position in playout(game, seed):
        options = list(game.options(position))
        while len(options) > LOOKED_AT:
            options.pop(dice.roll(len(options)))
        for option in options:
            assert by_buttons(game, position, option), (position, option)


@in_matches_of_every_game
def test_every_option_can_be_picked_in_one_step(name, seed):
    game = GAMES[name]
    for position in playout(game, seed):
        assert game.draft_of(position, position) == game.empty_draft(position)
        options = set(game.options(position))
        for option in options:
            draft = game.draft_of(position, game.parse_option([game.words(option)]))
            assert game.option_of(position, draft) == option
            for later in itertools.islice(game.options(option), LOOKED_AT):
                draft = game.draft_of(position, later)  # which two moves leave
                taken = None if draft is None else game.option_of(position, draft)
                if draft is not None and (game.whole or taken is not None):
                    assert taken in options
            if game.size(option) < game.size(position) - 1:  # some lamps are never picked back
                assert game.draft_of(option, position) is None


@every_rule
@few
@given(data=st.data())
def test_presses_by_chance_stay_on_the_board_and_keep_the_rules(name, misere, data):
    game = GAMES[name]
    match = Match(game, data.draw(st.sampled_from(game.openings)), misere)
    buttons = st.sampled_from(["press", "press", "press", "hold", "go"])
    for act, row in data.draw(st.lists(st.tuples(buttons, st.integers(0, 3)), max_size=40)):
        position, draft, turn = match.position, match.draft, match.turn
        try:
            if act == "go":
                assert match.hand_over() == position
                assert match.position in game.options(position)
                assert match.turn != turn and match.remaining == match.position
            else:
                match.press(row)
                if act == "hold":
                    draft = match.draft
                    match.long_press(row)
                assert (match.position, match.turn) == (position, turn)
        except IllegalMove:
            assert (match.position, match.draft, match.turn) == (position, draft, turn)
        assert all(0 <= mask <= board.FULL for mask in match.lamps)
        in_one_step = game.draft_of(match.position, match.remaining)
        assert game.remaining(match.position, in_one_step) == match.remaining
        assert game.option_of(match.position, in_one_step) == game.option_of(
            match.position, match.draft
        )
        assert game.size(match.remaining) <= game.size(match.position)
        assert not set(game.picked_words(match.draft)) & set(" =;")
        if match.over:
            (other,) = set(match.seats) - {match.turn}
            assert match.winner == (match.turn if misere else other)


# ---------------------------------------------------------------------- on the simulated Pico


@pytest.mark.parametrize(
    ("name", "misere"), [played for played in PLAYED if played[0] in games.names()]
)
def test_a_visitor_who_knows_the_game_wins_it_by_the_buttons(pico, name, misere):
    game = GAMES[name]
    for line in (f"game {name}", f"rule {'misere' if misere else 'normal'}", "set think_ms 0"):
        assert pico.ask(line).startswith("ok")
    pico.ask("set lamp_ms 50")
    pico.tap("new")
    position = winnable(game, misere)[0]
    assert pico.lamps == list(game.picture(position))
    pico.tap("new")
    position = (winnable(game, misere) * 2)[1]
    while True:
        for row, held in by_buttons(game, position, game.winning_options(position, misere)[0]):
            pico.press(f"row{row + 1}")
            pico.run(HOLD_MS + 50 if held else 80)
            pico.release(f"row{row + 1}")
            pico.run(120)
        pico.tap("go")
        pico.run_until(lambda: pico.state in ("player", "verdict"))
        if pico.state == "verdict":
            break
        position = game.parse_option([pico.told("status")["rows"]])
        assert pico.lamps == list(game.picture(position))
    pico.run(1)
    assert pico.legends == {"you-win"}
