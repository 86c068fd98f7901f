"""The serial console: a line in, a line out."""

import re

import pytest
from typed import move, typed

from nimatron import advice, games, protocol
from nimatron.board import BUTTONS
from nimatron.settings import MACHINES, TABLE
from nimatron_sim import firmware
from nimatron_sim.simulated_pico import SimulatedPico


def test_new_without_rows_offers_the_openings(pico):
    assert "state=opening rows=3,4,5,0" in pico.ask("new")
    pico.ask("new 7 7")
    assert "state=opening rows=3,4,5,0" in pico.ask("new")


def test_status_shows_the_lamps_and_those_picked(pico):
    assert "state=attract rows=0,0,0,0 picked=0,0,0,0" in pico.ask("status")
    pico.start(3, 4, 5)
    pico.tap("row2", 2)
    assert "state=player rows=3,2,5,0 picked=0,2,0,0" in pico.ask("status")


def test_take_is_a_whole_turn(pico):
    pico.start(3, 4, 5)
    assert typed(pico, "take 1 1", 1) == [
        "event move by=player row=1 take=1 rows=2,4,5,0",
        "event state=thinking",
        "ok game=nim rule=misere level=perfect state=thinking rows=2,4,5,0 picked=0,0,0,0",
    ]
    pico.settle()
    assert pico.lines() == [
        "event state=machine",
        "event move by=machine row=1 take=1 rows=1,4,5,0",
        "event state=player",
    ]


def test_pick_is_a_move_without_go(pico):
    pico.start(3, 4, 5)
    pico.tap("row1")
    assert pico.ask("pick 3 1 5").endswith(
        "state=player rows=3,1,5,0 picked=0,3,0,0 position=3,4,5,0"
    )
    assert pico.heard("pick")
    assert pico.rows == (3, 1, 5, 0)
    assert pico.ask("pick 3,2,5").endswith(
        "state=player rows=3,2,5,0 picked=0,2,0,0 position=3,4,5,0"
    )
    assert pico.heard("give-back")
    assert pico.ask("pick 3 4 5 0").endswith("state=player rows=3,4,5,0 picked=0,0,0,0")
    pico.ask("pick 1 4 5")
    pico.tap("row1")
    pico.lines()
    pico.tap("go")
    assert "event move by=player row=1 take=3 rows=0,4,5,0" in pico.lines()


def test_pick_by_buttons_is_reported(pico):
    pico.start(3, 4, 5)
    pico.lines()
    pico.tap("row2")
    pico.tap("row1")
    assert pico.lines() == ["event pick rows=3,3,5,0", "event pick rows=2,4,5,0"]
    assert pico.told("status")["position"] == "3,4,5,0"
    pico.tap("go")
    assert not [line for line in pico.lines() if "pick" in line]
    assert "position" not in pico.told("status")


def test_presses_at_one_instant_report_only_the_last(pico):
    pico.start(3, 0, 5)
    pico.lines()
    for row in ("row1", "row2", "row3"):
        pico.press(row)
    pico.run(30)
    assert pico.lines() == ["event pick rows=3,0,4,0"]


def test_moving_the_light_picks_nothing_and_a_held_button_does(pico):
    pico.ask("game kayles")
    pico.ask("new 1101000/0000000/0000000/0000000")
    pico.lines()
    pico.tap("row1")
    assert not pico.lines()
    for row in ("1001000", "1100000", "1101000"):  # no move takes the first two together
        pico.hold("row1")
        assert pico.lines() == [f"event pick rows={row}/0000000/0000000/0000000"]
        pico.tap("row1", 2 if row == "1100000" else 0)


@pytest.mark.parametrize(
    ("presses", "told"),
    [
        (["go"], 'refused=go text="nothing is picked"'),
        (["row4"], 'refused=row4 text="row 4 is dark"'),
        (["row1"] * 4, 'refused=row1 text="row 1 is dark"'),
    ],
)
def test_refusal_event_has_its_reason(pico, presses, told):
    pico.start(3, 4, 5)
    for button in presses:
        pico.lines()
        pico.tap(button)
    assert pico.lines() == ["event " + told]


def test_refused_long_press_names_its_button(pico):
    pico.ask("game kayles")
    pico.ask("new 1110000/0000000/0000000/0000000")
    pico.lines()
    pico.hold("row2")
    assert pico.lines() == ['event refused=row2 text="row 2 is dark"'] * 2


def test_where_the_lamps_matter_pick_names_them(pico):
    pico.ask("game kayles")
    pico.ask("new 1111000/0000000/0000000/0000000")
    pico.press("row1")
    pico.run(100)
    pico.release("row1")  # a lamp blinks
    picked = pico.ask("pick 1011000/0000000/0000000/0000000")
    assert " rows=1011000/0000000/0000000/0000000 picked=0100000/" in picked
    pico.run(600)
    assert pico.lamps == [0b1101, 0, 0, 0]  # and no lamp blinks any more
    assert "reason=illegal-move" in pico.ask("pick 0110000/0000000/0000000/0000000")
    pico.tap("row1")
    pico.run(30)
    assert pico.lamps == [0b1100, 0, 0, 0]  # the light begins at the row's first lamp


def test_a_match_by_words_alone(pico):
    pico.start(0, 2)
    assert pico.ask("hint") == "ok outcome=N row=2 take=1 lamps=2.2 rows=0,1,0,0"
    *_, state, over = typed(pico, "take 2 1", 5000)
    assert (state, over) == ("event state=verdict", "event over winner=player")


@pytest.mark.parametrize(
    ("line", "facts", "text"),
    [
        ("take 1 4", "illegal-move state=player", "4 of the 3 in row 1"),
        ("take 5 1", "illegal-move state=player", "row 5, rows are 1 to 4"),
        ("take 1 x", "not-a-number got=x", "x is not a whole number of 1 to 9 digits"),
        ("pick 2 3 5", "illegal-move state=player", "no move takes these lamps"),
        ("pick 3 x", "not-a-number got=x", "x is not a whole number of 1 to 30 digits"),
        ("new 8", "bad-position", "a row of 8 lamps: a row has 0 to 7"),
        ("new 0 0", "bad-position", "the board is empty: at least one lamp must be lit"),
        ("new -1", "bad-position", "a row of -1 lamps: a row has 0 or more"),
        (
            "press row5",
            "unknown-button got=row5",
            "no button is called row5: choose from row1 row2 row3 row4 go new",
        ),
        ("seed x", "not-a-number got=x", "x is not a whole number of 1 to 10 digits"),
        (
            "dance",
            "unknown-command got=dance try=help",
            "there is no command dance: type help for a list",
        ),
        ("   ", "no-command try=help", "type a command, or help for a list"),
        (
            "test coin",
            "exhibit-mode try=maintenance",
            "devices can be tested in maintenance mode only: type maintenance",
        ),
        ("watch 1", "not-allowed got=1", "type on or off, not 1"),
        (
            "settings circular-18",
            "unknown-setting got=circular-18",
            "no setting is called circular-18",
        ),
        ("x" * 401, "line-too-long most=400", "a line has 400 characters at most"),
        (
            "x" * 80,
            "unknown-command got=xxxxxxxxxxxxxxxxxxxx try=help",
            "there is no command xxxxxxxxxxxxxxxxxxxx: type help for a list",
        ),
        ("sta\ttus", "control-byte got=0x09", "only printable ASCII characters can be typed"),
        ("\x02", "control-byte got=0x02", "only printable ASCII characters can be typed"),
        ("größe", "control-byte got=0xc3", "only printable ASCII characters can be typed"),
    ],
)
def test_wrong_line_gets_one_error_and_changes_nothing(pico, line, facts, text):
    pico.start(3, 4, 5)
    pico.tap("row2")
    pico.lines()
    assert typed(pico, line, 500) == [f'error reason={facts} text="{text}"']
    assert "state=player rows=3,3,5,0 picked=0,1,0,0" in pico.ask("status")


@pytest.mark.parametrize(
    ("usage", "wrong"),
    {
        "take ROW N": ["take 1"],
        "pick ROWS...": ["pick"],
        "status": ["status now"],
        "solve [GAME] ROWS...": ["solve nim"],
        "version [NONCE]": ["version x"],
        "lamps test": ["lamps dance"],
        "installed [files]": ["installed all", "installed files files"],
        "stats [begin DATE]": ["stats begin", "stats end 2026-01-01"],
        "log [clear|dump [now]]": ["log dance", "log dump then", "log clear now"],
    }.items(),
)
def test_wrong_words_after_a_command_are_answered_with_its_usage(pico, usage, wrong):
    text = f"type it like this: {usage}"
    for line in wrong:
        assert pico.told(line) == {"reason": "usage", "expected": usage, "text": text}


def test_after_the_end_there_is_nothing_to_take_or_play(pico):
    pico.start(1)
    pico.ask("take 1 1")
    pico.run(100)
    assert pico.ask("take 1 1").startswith("error reason=no-match state=verdict ")
    assert pico.heard("refusal")
    for line in ("play 0", "hint", "why"):
        assert pico.ask(line).startswith("error reason=no-match try=new ")
    assert pico.legends == {"machine-wins"}


def test_hint_on_the_machines_turn_is_refused(pico):
    pico.start(3, 4, 5)
    pico.ask("take 1 2")
    assert pico.ask("hint").startswith("error reason=not-your-turn state=thinking ")


def test_why_shows_the_binary_working(pico):
    pico.start(3, 4, 5)
    assert pico.ask("why") == (
        "ok rows=3,4,5,0 binary=011,100,101,000 nim_sum=010 outcome=N mover=player"
        ' meaning="can win" lamps=1.2,1.3'
    )
    pico.start(1, 3, 5, 7)
    assert 'nim_sum=000 outcome=P mover=player meaning="loses against best play"' in pico.ask(
        "why"
    )
    assert pico.ask("hint").startswith("ok outcome=P row=")


@pytest.mark.parametrize(
    ("game", "words", "grundy", "worth"),
    [
        ("kayles", "1111111/1111000/0000000/0000000", "6", "11:6"),
        ("square", "6 7", "1", "6:1,7:0"),
    ],
)
def test_why_shows_what_the_parts_are_worth(pico, game, words, grundy, worth):
    pico.ask(f"game {game}")
    pico.ask("rule normal")
    assert pico.ask(f"new {words}").startswith("ok")
    told = pico.told("why")
    assert (told["grundy"], told["worth"]) == (grundy, worth)
    pico.ask("rule misere")
    pico.ask(f"new {words}")
    assert "worth" not in pico.told("why")


@pytest.mark.parametrize("name", games.names())
def test_a_hint_names_its_lamps_and_is_played_by_its_rows(pico, name):
    pico.ask("game " + name)
    told = protocol.parse(pico.ask("new"))[2]
    game = games.find(name)
    before = game.padded(game.parse([told["rows"]]))
    hint = pico.told("hint")
    after = game.padded(game.parse_option([hint["rows"]]))
    assert game.is_p(after, told["rule"] == "misere")  # an opening can be won
    assert pico.told("why")["lamps"] == hint["lamps"]
    assert hint["lamps"] == ",".join(advice.changed(game, before, after))
    assert pico.told("play " + hint["rows"])["state"] == "thinking"


def test_three_people_get_no_hint(pico):
    pico.ask("set players 3")
    pico.start(1, 1)
    refused = (
        'error reason=for-two text="with more than two players, no player can be sure to win"'
    )
    assert pico.ask("hint") == pico.ask("why") == refused
    pico.ask("take 1 1")
    pico.ask("take 2 1")  # and is out
    pico.settle()
    assert pico.told("status")["players"] == "2"
    assert pico.told("hint")["outcome"] == "N"
    assert pico.told("why")["meaning"] == "can win"


@pytest.mark.parametrize(("game", "rule"), [("candy", "normal"), ("chomp", "misere")])
def test_the_status_tells_the_only_rule_that_a_game_has(pico, game, rule):
    pico.ask("rule misere" if rule == "normal" else "rule normal")
    pico.ask("game " + game)
    assert pico.state == "attract" and pico.told("status")["rule"] == rule
    pico.ask("game nim")
    assert pico.told("status")["rule"] != rule


def test_the_status_of_a_match_loads_no_other_game():
    work = []
    pico = SimulatedPico(takes_us=lambda what: work.append(what) or 0)
    pico.start(3, 4, 5)
    pico.ask("game kayles")
    assert pico.told("status")["game"] == "nim"
    assert "import nimatron.games.kayles" not in work
    pico.ask("new")
    assert "import nimatron.games.kayles" in work
    pico.power_off()


def test_candies_are_counted(pico):
    pico.ask("game candy")
    assert pico.told("new 1 2")["candies"] == "player:0,machine:0"
    assert pico.told("take 2 1")["candies"] == "player:1,machine:0"
    pico.settle()
    assert pico.told("status")["candies"] == "player:1,machine:1"
    pico.lines()
    pico.send("take 2 1")
    pico.send("take 1 1")
    pico.run_until(lambda: pico.state == "verdict")
    pico.run(10)
    assert "event over winner=player candies=player:2,machine:1" in pico.lines()
    pico.ask("game nim")
    assert "candies" not in pico.ask("new 1 2")


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        (
            "nim 3 4 5",
            "game=nim rule=misere rows=3,4,5 binary=011,100,101 nim_sum=010 outcome=N winning=1"
            " options=1,4,5",
        ),
        (
            "candy 3 4 5 7",  # has no misère play
            "game=candy rule=normal rows=3,4,5,7 binary=011,100,101,111 nim_sum=101 outcome=N"
            " more_candies=-1 winning=2 options=3,4,0,7;3,4,5,2",
        ),
        (
            "building 2 1 0:1",
            "game=building rule=misere rows=2,1,0:1 solved=search outcome=N winning=1"
            " options=2,2,0:0",
        ),
    ],
)
def test_solve_evaluates_any_position(pico, asked, answer):
    assert pico.ask("solve " + asked) == "ok " + answer


def test_solve_means_the_game_that_is_set(pico):
    assert pico.ask("solve 3 4 5") == pico.ask("solve nim 3 4 5")
    pico.ask("game wythoff")
    assert pico.ask("solve 3 5") == pico.ask("solve wythoff 3 5")
    pico.ask("game kayles")
    position = "1111000/0000000/0000000/0000000"
    assert pico.ask("solve " + position) == pico.ask("solve kayles " + position)
    assert pico.told("solve")["expected"] == "solve [GAME] ROWS..."
    assert pico.told("solve -1")["reason"] == "bad-position"


def test_solve_names_no_more_than_eight_options(pico):
    answer = pico.ask("solve index-2 7 7 7 7")
    assert " winning=40 " in answer
    assert answer.partition("options=")[2].count(";") == 7


def test_board_move_is_named_by_its_remaining_lamps(pico):
    pico.ask("game kayles")
    pico.ask("new 0110000/0000000/0000000/0000000")
    assert pico.ask("why") == (
        "ok rows=0110000/0000000/0000000/0000000 solved=table outcome=N mover=player"
        ' meaning="can win" lamps=1.2'
    )
    rows = "0010000/0000000/0000000/0000000"
    assert pico.ask("hint") == f"ok outcome=N take=1 lamps=1.2 rows={rows}"
    refused = (
        "error reason=illegal-move state=player"
        ' text="this game has other moves: use play POSITION"'
    )
    assert pico.ask("take 1 1") == refused
    played = pico.ask("play 0010000/0000000/0000000/0000000")
    assert " state=thinking rows=0010000/0000000/0000000/0000000 " in played


def test_games_and_their_rules(pico):
    names = ",".join(games.names())
    assert pico.ask("games") == f"ok games={names}"
    assert pico.ask("games greedy") == (
        "ok game=greedy rules=misere,normal solved=rule"
        " openings=2,3,0,0;1,1,3,5;1,2,3,7;2,4,4,6;3,5,6,7;4,5,6,7"
    )
    for line in ("games dance", "solve dance 3"):
        assert pico.ask(line) == (
            "error reason=unknown-game got=dance"
            f' text="no game is called dance: choose from {" ".join(games.names())}"'
        )


def test_the_rule_of_a_running_match_does_not_change(pico):
    assert pico.ask("rule normal") == "ok rule=normal saved=1 from=now"
    assert "rule=normal" in pico.ask("new 1 2")
    assert pico.ask("rule misere") == "ok rule=misere saved=1 from=next-match"
    assert "rule=normal" in pico.ask("status")
    assert "rule=misere" in pico.ask("new 1 2")


def test_version_gives_back_a_nonce_and_names_the_board(pico):
    board = 'board="Raspberry Pi Pico with RP2040" id=0001020304050607'
    assert pico.ask("version").endswith(board)
    assert pico.ask("version 8231").endswith(board + " nonce=8231")
    assert pico.ask("version 000000012").endswith(" nonce=000000012")
    for nonce in ("1234567890", "-5", "12a", "1.5"):
        assert pico.told("version " + nonce)["expected"] == "version [NONCE]"
    assert pico.told("version 1 2")["reason"] == "usage"


def test_a_seed_replays_a_game():
    def game(seed):
        pico = SimulatedPico(entropy=None)
        pico.settle()
        pico.ask(f"seed {seed}")
        pico.start(7, 7, 7, 7)
        for _ in range(3):
            hint = pico.told("hint")
            pico.ask(f"take {hint['row']} {hint['take']}")
            pico.settle()
        return [c["console"] for c in pico.trace if "move by=machine" in c.get("console", "")]

    assert game(1) == game(1)
    assert len({tuple(game(seed)) for seed in range(5)}) > 1


def test_help_lists_how_each_command_is_typed(pico):
    *lines, answer = typed(pico, "help")
    told = [protocol.parse(line) for line in lines]
    assert {(kind, what) for kind, what, _ in told} == {("event", "help")}
    usages = [facts["usage"] for _, _, facts in told]
    assert all(len(line) <= 80 for line in lines)
    verbs = protocol.parse(answer)[2]["commands"].split(",")
    assert verbs == [usage.split(" ")[0] for usage in usages] == sorted(verbs)
    rooms = [firmware.files()[f"nimatron/{room}.py"] for room in ("commands", "setup_commands")]
    methods = "".join(room.read_text(encoding="utf-8") for room in rooms)
    assert verbs == sorted(re.findall(r"async def do_(\w+)", methods))
    for verb, usage in zip(verbs, usages, strict=True):
        assert pico.told(f"help {verb}") == {"usage": usage}


def test_settings_all_tells_everything_about_each(pico):
    pico.ask("set think_ms 5")
    *lines, answer = typed(pico, "settings all", 200)
    told = [protocol.parse(line) for line in lines]
    assert {(kind, what) for kind, what, _ in told} == {("event", "setting")}
    assert [facts["key"] for _, _, facts in told] == [row[0] for row in TABLE]
    for _, _, facts in told:
        assert facts == pico.told(f"settings {facts['key']}")
    assert 'event setting key=think_ms value=5 default=2000 allowed="0 to 10000"' in lines
    assert answer == pico.ask("settings")


@pytest.mark.parametrize("line", ["machine hal", "machine NIMROD-1951", "machine 7"])
def test_the_machines_of_history_are_listed_to_a_stranger(pico, line):
    told = pico.told(line)
    assert told["reason"] == "unknown-machine"
    assert told["text"].endswith(" ".join(MACHINES))


@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n"])
def test_any_end_of_line_will_do(pico, end):
    assert len(typed(pico, b"version" + end + b"version" + end, 1)) == 2


def test_mashing_during_the_coin_drop_fills_the_inbox(pico):
    pico.ask("set coin_ms 250")
    pico.start(1, 1)
    pico.ask("take 1 1")
    pico.run_until(lambda: pico.coin)
    for _ in range(3):
        for act in (pico.press, pico.release):
            for button in BUTTONS:
                act(button)
            pico.run(35)
    for line in ("press row1", "choose level child"):
        assert pico.told(line)["reason"] == "busy"
    pico.run(400)
    assert pico.told("status")["level"] == "perfect"
    assert (pico.state, pico.legends) == ("verdict", {"you-win"})
    assert sum(record["coin"] for record in pico.trace if "coin" in record) == 1


def test_failed_command_is_one_error_line_and_the_show_continues(mistaken):
    raises = "return format(OK, *await doing)", "await doing; return 1 // 0"
    pico = SimulatedPico(files=mistaken("nimatron/commands.py", *raises))
    pico.settle()
    assert pico.ask("version").startswith("error reason=failed got=ZeroDivisionError ")
    pico.tap("new")
    assert pico.state == "opening"
    assert pico.resets == []


def test_a_flood_of_presses_is_bounded(pico):
    pico.start(7, 7, 7, 7)
    pico.send_bytes(b"press row1\npress row2\n" * 500)
    pico.run(1000)
    assert "picked=0,1,0,0" in pico.ask("status")


def test_watch_agrees_with_the_circuit(pico):
    """This compares each lamp picture, sign, tone and coin of a match, in order."""
    pico.start(1, 2)
    pico.lines()
    assert pico.ask("watch on") == "ok watch=on"
    assert {"event lamps=1,3,0,0", "event legends=your-move"} <= set(typed(pico, "watch on"))
    pico.trace.clear()
    pico.send("new 1 2")
    pico.run(10)
    move(pico, "row2", 2)
    pico.run(4000)
    lines = [record["console"] for record in pico.trace if "console" in record]
    for what in ("lamps", "legends", "sound", "coin"):
        told = [said for said in lines if said.startswith(f"event {what}=")]
        shown = [_as_event(what, record[what]) for record in pico.trace if what in record]
        assert told == shown and len(told) > 1, what
    assert pico.ask("watch off") == "ok watch=off"
    pico.run(2000)
    assert not [line for line in pico.lines() if "lamps=" in line]


def _as_event(what, value):
    values = value if isinstance(value, list) else [value]
    return f"event {what}=" + (",".join(map(str, values)) or "none")


def test_simulated_pico_can_have_its_own_id():
    other = SimulatedPico(unique_id=bytes.fromhex("e6614103e72b5f2f"))
    other.settle()
    assert other.told("version")["id"] == "e6614103e72b5f2f"
