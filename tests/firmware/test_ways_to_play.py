"""Other ways to play: people against each other, historical machines, the visible working,
levels."""

import pytest
from typed import move, typed

from nimatron import games, machines, settings

# ---------------------------------------------------------------------- people


def test_two_people_take_turns_and_no_coin_drops(pico):
    pico.ask("set players 2")
    assert "event turn=player-1" in typed(pico, "new 1 1", 1200)
    move(pico, "row1")
    assert "event turn=player-2" in pico.lines()
    pico.run(1200)
    move(pico, "row2")
    said = pico.lines()
    assert "event move by=player-2 row=2 take=1 rows=0,0,0,0" in said
    assert "event over winner=player-1" in said
    assert pico.legends == {"you-win"}
    pico.run(500)
    assert not any(record.get("coin") for record in pico.trace)
    assert " games=0 " in pico.ask("stats")


def test_practice_pays_nothing_and_is_not_counted(pico):
    assert "event practice=on" in typed(pico, "new practice 1 1", 1200)
    assert pico.rows == (1, 1, 0, 0)
    move(pico, "row1")
    pico.run_until(lambda: pico.legends & {"you-win", "machine-wins"})
    assert pico.legends == {"you-win"}
    pico.run(1500)
    assert not any(record.get("coin") for record in pico.trace)
    assert " games=0 " in pico.ask("stats")


@pytest.mark.parametrize("leave", ["new", "new 1 1", "choose level perfect"])
def test_practice_is_for_one_match(pico, leave):
    typed(pico, "new practice 3 4 5", 1200)
    pico.ask("take 1 2")
    typed(pico, leave, 1200)
    assert " games=0 " in pico.ask("stats")
    typed(pico, "new 1 1", 1200)
    pico.ask("take 1 1")
    pico.run_until(lambda: pico.coin)
    assert " games=1 player=1 " in pico.ask("stats")


@pytest.mark.parametrize("end", ["idle_ms", "verdict_ms"])
def test_practice_ends_with_the_visit(pico, end):
    typed(pico, "new practice 1 1", 1200)
    if end == "verdict_ms":
        pico.ask("take 1 1")
    pico.run_until(lambda: pico.state == "attract")
    pico.tap("go", 2)
    move(pico, "row1", 2)
    pico.run(100)
    pico.tap("new")
    assert " games=1 player=0 machine=0 abandoned=1" in pico.ask("stats")


def test_machine_begins_second_practice_match_only(pico):
    assert "event practice=second" in typed(pico, "new practice second 1 1", 1200)
    pico.run_until(lambda: pico.legends & {"your-move"})
    assert sorted(pico.rows) == [0, 0, 0, 1]
    assert any(line.startswith("event move by=machine") for line in pico.lines())
    typed(pico, "new practice 1 1", 1200)
    pico.run(5000)
    assert pico.rows == (1, 1, 0, 0) and pico.legends == {"your-move"}


def test_the_position_is_shown_before_the_machine_begins(pico):
    typed(pico, "new practice 1", 1200)
    pico.ask("take 1 1")
    pico.run(2000)
    assert sum(pico.rows) == 4  # a column of light moves
    pico.ask("new practice second 1 2 3")
    for _ in range(15):
        pico.run(100)
        assert pico.rows == (1, 2, 3, 0)


def test_practice_needs_a_position(pico):
    assert pico.ask("new practice") == (
        'error reason=bad-position text="practice needs a position: new practice ROWS..."'
    )
    assert pico.ask("new practice second").startswith("error reason=bad-position")
    assert pico.ask("new practice 8").startswith("error reason=")


@pytest.mark.parametrize("how", ["normal", "second normal"])
def test_a_practice_match_in_normal_play_changes_no_rule(pico, how):
    said = typed(pico, f"new practice {how} 2 2", 1200)
    assert f"event practice={how.replace(' ', ',')}" in said
    assert " rule=normal " in pico.ask("status")
    typed(pico, "new practice 2 2", 1200)
    assert " rule=misere " in pico.ask("status")
    typed(pico, "new", 1200)
    assert " rule=misere " in pico.ask("status")


@pytest.mark.parametrize("level", ["child", "equalizer"])
def test_the_machine_makes_no_mistake_in_a_practice_match(pico, level):
    typed(pico, f"choose level {level}", 1200)
    for _ in range(8):
        assert " level=perfect " in pico.ask("new practice second 3 4 5")
        pico.run_until(lambda: pico.state == "player")
        assert pico.rows == (1, 4, 5, 0)
    typed(pico, "new", 1200)
    assert f" level={level} " in pico.ask("status")


def test_people_who_walk_away_are_no_match_in_the_statistics(pico):
    pico.ask("set players 2")
    pico.start(2, 1)
    pico.run(600)
    pico.ask("take 1 1")
    pico.tap("new")
    assert "event abandoned rows=1,1,0,0" in pico.lines()
    assert " games=0 player=0 machine=0 abandoned=0" in pico.ask("stats")


def test_the_sign_blinks_as_many_times_as_the_seat(pico):
    pico.ask("set players 2")
    pico.start(2, 1)
    pico.run(600)
    before = len(pico.trace)
    pico.ask("take 1 1")
    pico.run(1500)
    signs = [record["legends"] for record in pico.trace[before:] if "legends" in record]
    assert signs == [[], ["your-move"], [], ["your-move"]]


def test_among_people_the_press_that_begins_the_match_counts(pico):
    pico.ask("set players 2")
    pico.tap("new")
    pico.tap("row1")
    assert pico.rows == (2, 4, 5, 0)


@pytest.mark.parametrize("ms", [0, 130, 400, 700, 1400])
def test_among_people_no_press_is_lost_at_a_hand_over(pico, ms):
    """The sign blinks the number of player 2 for a second, and continues without a press."""
    pico.ask("set players 2")
    pico.start(3, 4, 5)
    pico.run(1200)
    move(pico, "row1")
    pico.run(ms)
    pico.tap("row2")
    assert pico.rows == (2, 3, 5, 0)
    assert pico.legends == {"your-move"}
    pico.tap("go")
    assert "event move by=player-2 row=2 take=1 rows=2,3,5,0" in pico.lines()


def test_two_hands_among_people_are_two_moves(pico):
    """Requests in the queue are carried out in order, even after a hand-over."""
    pico.ask("set players 2")
    pico.start(3, 4, 5)
    pico.send("take 1 1\ntake 2 1\npick 2 3 4")
    pico.run(100)
    assert pico.rows == (2, 3, 4, 0)


def test_the_status_says_how_many_people_play(pico):
    assert "players" not in pico.told("status")
    pico.ask("set players 3")
    assert pico.told("status")["players"] == "3"
    pico.start(1)
    pico.ask("set players 2")
    assert pico.told("status")["players"] == "3"
    pico.ask("take 1 1")
    assert pico.told("status")["players"] == "2"  # one is out


def test_player_who_is_out_gets_a_tune_and_the_others_restart(pico):
    """With the buttons, players 1 and 2 leave one lamp for player 3. Then player 1 leaves one lamp
    for player 2."""
    pico.ask("set players 3")
    pico.start(2, 1)
    for row in ("row1", "row1", "row2"):
        pico.run(2000)
        move(pico, row)
    said = pico.lines()
    assert "event move by=player-3 row=2 take=1 rows=0,0,0,0" in said
    assert said[-3:] == ["event out=player-3", "event state=player", "event turn=player-1"]
    assert pico.heard("machine-wins")
    assert (pico.state, pico.rows) == ("player", (2, 1, 0, 0))
    pico.run(2000)
    move(pico, "row1", 2)
    pico.run(2000)
    move(pico, "row2")
    assert pico.lines()[-1] == "event over winner=player-1"


def test_in_normal_play_who_takes_the_last_of_three_wins(pico):
    pico.ask("set players 3")
    pico.ask("rule normal")
    typed(pico, "new 1", 1200)
    assert "event over winner=player-1" in typed(pico, "take 1 1", 1200)


# ---------------------------------------------------------------------- machines of history


@pytest.mark.parametrize("name", settings.MACHINES)
def test_a_machine_of_history_plays_its_game_from_its_opening(pico, name):
    _, openings = machines.MACHINES.get(name, ({}, ()))
    values = machines.settings(name)
    assert pico.ask(f"machine {name}") == f"ok machine={name} saved=1"
    for key, value in values.items():
        assert f"key={key} value={value} " in pico.ask(f"settings {key}")
    game = games.find(values["game"])
    status = pico.ask("new")
    for rows in openings or [game.openings[0]]:
        assert f" rows={game.words(game.padded(rows))} " in status
        status = pico.ask("press new")


def test_another_machine_offers_its_own_opening_at_once(pico):
    pico.ask("machine nimrod-1951")
    assert " rows=1,3,5,7 " in pico.ask("new")
    pico.ask("machine marienbad-1961")
    assert " rows=7,5,3,1 " in pico.ask("press new")
    pico.ask("machine tinkertoy")
    assert " rows=1,3,5,6 " in pico.ask("press new")  # the game's own


def test_of_the_machine_before_nothing_is_left(pico):
    pico.ask("machine nimrod-1951")
    assert "value=slow " in pico.ask("settings working")
    pico.ask("machine dr-nim-1966")
    pico.ask("machine marienbad-1961")
    for key, value in (("working", "off"), ("level", "perfect"), ("game", "nim")):
        assert f"key={key} value={value} " in pico.ask(f"settings {key}")


# ---------------------------------------------------------------------- the working


def test_slowly_the_working_is_shown_step_by_step(pico):
    pico.ask("set working slow")
    pico.start(3, 4, 5)
    pico.ask("take 1 1")
    begin = len(pico.trace)
    pico.run_until(lambda: pico.state == "machine", 20_000)
    told = [r["console"] for r in pico.trace[begin:] if "working" in r.get("console", "")]
    assert told == [
        "event working binary=010,100,101,000",
        "event working column=4 ones=2",
        "event working column=2 ones=1",
        "event working column=1 ones=1",
    ]
    lamps = [r["lamps"] for r in pico.trace[begin:] if "lamps" in r]
    assert lamps[:2] == [[0b0100000, 0b0010000, 0b1010000, 0], [0, 0b0010000, 0b0010000, 0]]


def test_in_single_steps_it_waits_for_go(pico):
    pico.ask("set working step")
    pico.start(3, 4, 5)
    pico.ask("take 1 1")
    pico.run(5000)
    assert pico.told("take 1 1")["reason"] == "not-your-turn"
    for _ in range(4):
        pico.settle()  # it waits for a person
        assert pico.state == "thinking"
        pico.tap("go")
    assert pico.state == "thinking"
    pico.settle()
    assert pico.state == "player"


@pytest.fixture
def stepping(pico):
    """Return a Pico that shows the first step of its working and waits."""
    pico.ask("set working step")
    pico.start(3, 4, 5)
    pico.ask("take 1 1")
    pico.run(2000)
    assert pico.lamps == [0b0100000, 0b0010000, 0b1010000, 0]
    return pico


def test_in_single_steps_no_button_of_a_row_does_anything(stepping):
    for number in range(4):
        stepping.tap(f"row{number + 1}")
    assert stepping.lamps == [0b0100000, 0b0010000, 0b1010000, 0]
    stepping.tap("go")
    assert stepping.lamps == [0, 0b0010000, 0b0010000, 0]
    assert stepping.legends == {"machine-move"}


def test_in_single_steps_new_offers_another_opening(stepping):
    stepping.lines()
    stepping.tap("new")
    assert (stepping.state, stepping.rows) == ("opening", (3, 4, 5, 0))
    assert stepping.lines() == ["event abandoned rows=2,4,5,0", "event state=opening"]


def test_idle_single_step_is_warned_and_abandoned(stepping):
    stepping.run(50_000)
    assert stepping.heard("warning")
    stepping.run(11_000)
    assert stepping.state == "attract"
    assert "event abandoned rows=2,4,5,0" in stepping.lines()


# ---------------------------------------------------------------------- levels


def test_the_equalizer_slips_once_and_only_once(pico):
    """The player who plays perfectly from then on wins."""
    nim = games.find("nim")
    pico.ask("level equalizer")
    pico.start(1, 3, 5, 7)  # lost for the visitor, except for the mistake
    slips = 0
    while pico.state != "verdict":
        position = (*pico.rows,)
        option = (nim.winning_options(position, True) or nim.resisting_options(position))[0]
        before = len(pico.trace)
        pico.ask("play " + nim.words(option).replace(",", " "))
        pico.run_until(lambda: pico.state in ("player", "verdict"), 20_000)
        moved = [r["console"] for r in pico.trace[before:] if "by=machine" in r.get("console", "")]
        if moved and not nim.is_p(option, True):
            left = tuple(map(int, moved[0].split("rows=")[1].split(",")))
            slips += not nim.is_p(left, True)
    assert slips == 1
    assert "you-win" in pico.legends


def test_the_equalizer_wins_where_it_has_no_other_move(pico):
    pico.ask("level equalizer")
    pico.ask("rule normal")
    pico.start(1, 1)
    pico.ask("take 1 1")
    pico.run_until(lambda: pico.state == "verdict")
    pico.run(1)
    assert pico.legends == {"machine-wins"}


# ---------------------------------------------------------------------- walking through the games


def test_new_held_down_walks_through_the_builders_list(pico):
    assert pico.ask("set games nim,kayles,chomp").endswith("saved=1")
    for name in ("kayles", "chomp", "nim"):
        pico.hold("new")
        assert f"event game={name}" in pico.lines()
        assert pico.state == "opening"
        game = games.find(name)
        status = pico.told("status")
        assert status["game"] == name
        offered = game.padded(game.parse([status["rows"]]))
        assert offered in [game.padded(opening) for opening in game.openings]
        assert pico.lamps == list(game.picture(offered))
    assert pico.ask("settings game").startswith("ok key=game value=nim ")


def test_after_a_visit_the_builders_game_is_back(pico):
    pico.hold("new")
    pico.run(61_000)
    assert pico.state == "attract"
    assert "game=nim " in pico.ask("status")


def test_the_builders_word_goes_before_the_visitors(pico):
    pico.hold("new")
    pico.ask("game chomp")
    assert "game=chomp " in pico.ask("new")


@pytest.mark.parametrize(
    ("value", "why"),
    [("nim,dance", "some of nim "), ("", "usage"), ("nim,,kayles", "some of nim ")],
)
def test_list_with_an_unknown_game_is_refused(pico, value, why):
    assert why in pico.ask(f"set games {value}")
    assert pico.ask("settings games").startswith("ok key=games value=nim,subtraction-3,")


# ---------------------------------------------------------------------- the visitor's choices


def test_a_visitor_chooses_the_game_by_its_name(pico):
    assert " game=" not in pico.ask("settings players")
    assert pico.ask("choose game chomp").startswith("ok game=chomp ")
    assert pico.state == "opening"
    assert pico.lamps == list(games.find("chomp").picture((3, 3, 3, 0)))
    pico.hold("new")  # continues from there
    assert "event game=tactix" in pico.lines()
    assert pico.ask("settings game").startswith("ok key=game value=nim ")


def test_the_level_of_the_visit_is_the_machines_until_the_attract_show(pico):
    assert " level=equalizer " in pico.ask("choose level equalizer")
    pico.ask("play 1 4 5 0")
    pico.run_until(lambda: pico.state == "player", 20_000)
    assert not games.find("nim").is_p((*pico.rows,), True)  # `perfect` would resist
    pico.run(61_000)
    assert (pico.state, pico.told("status")["level"]) == ("attract", "perfect")
    assert pico.told("settings level")["value"] == "perfect"


def test_one_choice_keeps_the_other_and_restarts_the_openings(pico):
    pico.ask("choose game kayles")
    pico.tap("new")
    second = pico.lamps
    pico.lines()
    status = pico.told("choose level child")
    assert (status["game"], status["level"], status["state"]) == ("kayles", "child", "opening")
    assert pico.lamps == second
    assert pico.told("choose game nim")["level"] == "child"
    assert pico.rows == (3, 4, 5, 0)


def test_a_match_that_a_choice_gives_up_is_counted_at_its_own_level(pico):
    pico.ask("choose level easy")
    pico.ask("play 2 4 5")
    pico.ask("choose level child")
    assert " levels.easy=0/0/1" in pico.ask("stats")
    pico.start(1)
    pico.ask("take 1 1")
    said = pico.ask("stats")
    assert " levels.child=0/1/0 levels.easy=0/0/1" in said and "perfect" not in said


def test_visitors_play_each_other_until_the_attract_show(pico):
    assert pico.told("choose players 2")["players"] == "2"
    assert "event turn=player-2" in typed(pico, "take 1 1", 1000)
    pico.run(61_000)
    assert pico.state == "attract" and "players" not in pico.told("status")
    assert pico.told("settings players")["value"] == "1"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("choose game kayles", 'not-offered got=kayles text="kayles is not on offer: choose from'),
        (
            "choose game dance",
            'not-offered got=dance text="dance is not on offer: choose from nim',
        ),
        ("choose level perfect", 'not-offered got=perfect text="perfect is not on offer: choose'),
        (
            "choose players 7",
            'not-offered got=7 text="7 is not on offer: choose from 1 2 3 4 5 6"',
        ),
        ("choose rule normal", 'usage expected="choose game|level|players NAME"'),
        ("choose level", "usage expected="),
    ],
)
def test_game_outside_the_builders_list_is_refused(pico, line, why):
    pico.ask("set games nim,chomp")
    pico.ask("set levels easy,child")
    assert pico.ask(line).startswith(f"error reason={why}")
    assert pico.state == "attract"
    assert pico.told("choose level child")["level"] == "child"


def test_the_builders_level_goes_before_the_visitors(pico):
    pico.ask("choose level child")
    pico.ask("level fair")
    assert pico.told("status")["level"] == "fair"
