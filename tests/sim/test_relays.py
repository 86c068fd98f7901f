"""The relays: their motion, their algebra, and the circuit that plays Nim from every position."""

import random
import re
from copy import deepcopy

import pytest

from algebra import paths
from nimatron import games
from nimatron_relays import nimatron_1940
from nimatron_relays.relay_circuit import DOWN, OUT, UP, Circuit, Motion
from oracle import POSITIONS, mover_wins, moves

ROWS, COLUMNS = nimatron_1940.ROWS, nimatron_1940.COLUMNS
CIRCUIT = nimatron_1940.circuit()
WORLDS = [(rows, misere) for misere in (False, True) for rows in POSITIONS]
FEW = WORLDS[7::37]  # for the tests with many circuits
PLACES = [(r, n) for r in ROWS for n in COLUMNS]


def formula(found):
    """Return the sum of the products, such as "A·B' + C". A prime means a resting armature."""
    products = (
        "·".join(name if up else f"{name}'" for name, up in sorted(path)) or "1" for path in found
    )
    return " + ".join(products) or "0"


def conducts(found, up, every):
    """Return the worlds in which one of the paths is closed. `up` contains the worlds of each
    raised armature."""
    total = 0
    for path in found:
        worlds = every
        for actuator, front in path:
            worlds &= up[actuator] if front else every & ~up[actuator]
        total |= worlds
    return total


def burnt(circuit, number, front=True):
    """Return the circuit with a contact that no longer touches its front, or its back."""
    other = deepcopy(circuit)
    setattr(other.contacts[number], "front" if front else "back", "")
    return other


# ------------------------------------------------------------------ the parts


def test_a_relay_takes_its_time_to_pick_up_and_drop_out():
    motion = Motion(Circuit("coil A a\nmake KEY + a\nlamp lamp b\nmake A + b"), {"A": (8, 5)})
    motion.press("KEY")
    motion.run(7)
    assert (motion.up["A"], motion.down["A"]) == (0, 0), "in flight"
    motion.run(1)
    assert motion.up["A"] and motion.live["b"]
    motion.release("KEY")
    motion.run(4)
    assert not motion.live["b"], "the armature has left"
    motion.run(1)
    assert motion.down["A"]


def test_a_short_current_moves_nothing():
    motion = Motion(Circuit("coil A a\nmake KEY + a"), {"A": (8, 5)})
    motion.press("KEY")
    motion.run(6)
    motion.release("KEY")
    assert motion.settle() and not motion.up["A"]


def test_a_relay_holds_itself_through_its_own_contact():
    motion = Motion(Circuit("coil A a\nmake KEY + a\nmake A rail a\nbreak STOP + rail"))
    motion.press("KEY")
    motion.settle()
    motion.release("KEY")
    assert motion.settle() and motion.up["A"]
    motion.press("STOP")
    assert motion.settle() and motion.down["A"]


def test_a_race_is_decided_by_the_times_and_shows():
    """Of two relays that cut each other's current, the faster relay wins."""
    race = "coil A a\ncoil B b\nmake KEY + rail\nbreak B rail a\nbreak A rail b"
    for times, winner in (({"A": (5, 5)}, "A"), ({"B": (5, 5)}, "B")):
        motion = Motion(Circuit(race), times)
        motion.press("KEY")
        motion.settle()
        assert [name for name in "AB" if motion.up[name]] == [winner]


def test_a_bell_never_settles():
    motion = Motion(Circuit("coil A a\nbreak A + a"))
    assert not motion.settle(1000)


def test_current_runs_backwards_through_a_contact():
    sneak = Circuit("make A + a\nmake B a b\nmake C + c\nmake B c b\nlamp a a\nlamp c c")
    assert formula(paths(sneak, "a")) == "A + B·C"


def test_worlds_are_independent():
    motion = Motion(Circuit("coil A a\nmake KEY + a"), worlds=2)
    motion.press("KEY", 0b10)
    motion.settle()
    assert motion.up["A"] == 0b10


def test_held_armature_and_pulled_relay():
    motion = Motion(Circuit("coil A a\nmake KEY + a\nchange A + front back"))
    motion.hold("A", UP)
    assert motion.live["front"]
    motion.hold("A", OUT)
    assert not motion.live["front"] and not motion.live["back"]
    motion.press("KEY")
    assert motion.settle() and not motion.up["A"]
    motion.hold("A", None)
    assert motion.live["back"] and motion.settle() and motion.live["front"]


def test_an_armature_pushed_by_hand_stays_only_if_its_coil_agrees():
    motion = Motion(Circuit("coil A a\nmake KEY + a\ncoil B b\nmake A + b\nmake B + b"))
    motion.set("A")
    motion.set("B")
    assert motion.settle() and (motion.up["A"], motion.up["B"]) == (0, 1)


# ------------------------------------------------------------------ the proof


def misere_in(worlds):
    return sum(1 << i for i, (_, misere) in enumerate(worlds) if misere)


def decode(up, worlds=WORLDS):
    """Return the rows in each world, from the worlds in which each place is up."""
    columns = [bin(up[f"B{r}{n}"] | 1 << len(worlds))[:2:-1] for r, n in PLACES]
    value = {
        bits: tuple(
            sum(n for n, bit in zip(COLUMNS, bits[i : i + 3], strict=True) if bit == "1")
            for i in range(0, len(bits), 3)
        )
        for bits in set(zip(*columns, strict=True))
    }
    return [value[bits] for bits in zip(*columns, strict=True)]


def handed_over(circuit=CIRCUIT, times=nimatron_1940.TIMES, held=(), worlds=WORLDS):
    """Return the circuit after the machine's move from every position, under both rules."""
    motion = Motion(circuit, times, len(worlds))
    for relay, how in held:
        motion.hold(relay, how)
    nimatron_1940.start(motion, [rows for rows, _ in worlds], misere_in(worlds))
    motion.set("ROW1")  # as if the player had moved in row 1
    motion.press("GO")
    motion.run(100)
    motion.release("GO")
    motion.settle(3000)
    return motion


def left(worlds=WORLDS, **how):
    return decode(handed_over(worlds=worlds, **how).up, worlds)


def other_times(seed):
    """Return times for all relays. Slow relays stay slow."""
    dice = random.Random(seed)
    times = {relay: (dice.randint(3, 15), dice.randint(3, 15)) for relay in CIRCUIT.coils}
    times["WAIT"] = dice.randint(200, 400), dice.randint(150, 250)
    times["PAUSE"] = dice.randint(85, 130), dice.randint(85, 130)
    return times


@pytest.fixture(scope="module")
def proven():
    return handed_over()


def test_moves_win_from_every_position_under_both_rules(proven):
    assert proven.next is None, "it settles"
    for (rows, misere), after in zip(WORLDS, decode(proven.up), strict=True):
        if any(rows):
            assert after in [option for _, option in moves(rows)], rows
            assert mover_wins(rows, misere) != mover_wins(after, misere), rows
        else:
            assert after == rows


def test_a_lost_position_is_defended_as_long_as_the_firmware_does(proven):
    """The circuit takes the first of the moves from which the firmware's dice choose."""
    nim = games.find("nim")
    for (rows, misere), after in zip(WORLDS, decode(proven.up), strict=True):
        if any(rows):
            best = nim.winning_options(rows, misere) or nim.resisting_options(rows)
            assert after == best[0], rows


def test_signs_name_the_winner(proven):
    signs = {lamp: proven.live[wire] for lamp, wire in CIRCUIT.lamps.items() if "-" in lamp}
    for world, ((rows, misere), after) in enumerate(zip(WORLDS, decode(proven.up), strict=True)):
        lit = {sign for sign, worlds in signs.items() if worlds >> world & 1}
        if any(after):
            assert lit == {"your-move"}, rows
        else:
            machine_was_last = any(rows)
            assert lit == {"i-win" if machine_was_last != misere else "you-win"}, rows


def test_lamps_show_the_rows(proven):
    after = decode(proven.up)
    for r in ROWS:
        for lamp in range(1, 8):
            lit = bin(proven.live[CIRCUIT.lamps[f"{r}.{lamp}"]] | 1 << len(WORLDS))[:2:-1]
            assert lit == "".join(str(int(rows[r - 1] >= lamp)) for rows in after)


@pytest.mark.parametrize(
    "seed",
    [
        1,
        *(
            pytest.param(n, marks=pytest.mark.long("0.6 s each: other times"))
            for n in range(2, 40)
        ),
    ],
)
def test_no_race_decides_a_move(seed, proven):
    assert left(times=other_times(seed)) == decode(proven.up)


# ------------------------------------------------------------------ the player's turn


class Visitor:
    """A player at the machine, with the times of a hand."""

    def __init__(self, *rows, misere=False):
        self.motion = Motion(CIRCUIT, nimatron_1940.TIMES)
        nimatron_1940.start(self.motion, [rows], int(misere))

    def tap(self, key, times=1):
        for _ in range(times):
            self.motion.press(key)
            self.motion.run(80)
            self.motion.release(key)
            self.motion.run(80)
        return self.rows

    def go(self):
        self.tap("GO")
        assert self.motion.settle()
        return self.rows

    @property
    def rows(self):
        return nimatron_1940.rows(self.motion)

    @property
    def signs(self):
        lamps = CIRCUIT.lamps.items()
        return {name for name, wire in lamps if "." not in name and self.motion.live[wire]}


def test_new_lights_all_lamps_and_a_press_puts_one_out():
    visitor = Visitor(0, 0, 0, 0)
    assert visitor.tap("NEW") == (7, 7, 7, 7)
    for n in reversed(range(7)):
        assert visitor.tap("KEY3") == (7, 7, n, 7)
    assert visitor.tap("KEY3") == (7, 7, 0, 7), "a dark row has nothing to give"


def test_armatures_set_by_hand_are_those_that_presses_leave():
    visitor = Visitor(0, 0, 0, 0)
    visitor.tap("NEW")
    for n in reversed(range(7)):
        visitor.tap("KEY2")
        by_hand = Visitor(7, n, 7, 7).motion
        down = [name for name in CIRCUIT.coils if name != "ROW2"]
        assert {r: visitor.motion.up[r] for r in down} == {r: by_hand.up[r] for r in down}


def test_a_move_is_in_one_row():
    visitor = Visitor(3, 4, 5, 0)
    assert visitor.tap("KEY2") == (3, 3, 5, 0)
    assert visitor.tap("KEY3") == (3, 3, 5, 0)
    assert visitor.tap("KEY2") == (3, 2, 5, 0)


def test_two_keys_together_choose_one_row():
    for later in range(25):
        visitor = Visitor(3, 4, 5, 0)
        visitor.motion.press("KEY3")
        visitor.motion.run(later)
        visitor.motion.press("KEY1")
        visitor.motion.run(80)
        assert sum(visitor.motion.up[f"ROW{r}"] for r in ROWS) == 1, later


def test_go_without_a_lamp_taken_does_nothing():
    visitor = Visitor(3, 4, 5, 0)
    assert visitor.go() == (3, 4, 5, 0)
    assert visitor.signs == {"your-move"}
    assert visitor.tap("KEY4") == (3, 4, 5, 0)
    assert visitor.go() == (3, 4, 5, 0), "a dark row is no move"


@pytest.mark.parametrize("misere", [False, True])
def test_a_match_against_an_imperfect_player(misere):
    visitor = Visitor(3, 4, 5, 0, misere=misere)
    while any(visitor.rows):
        row = next(r for r in ROWS if visitor.rows[r - 1])
        visitor.tap(f"KEY{row}")
        visitor.go()
    assert visitor.signs == {"i-win"}
    assert visitor.tap("NEW") == (7, 7, 7, 7)
    assert visitor.signs == {"your-move"}


def test_a_perfect_player_wins():
    visitor = Visitor(1, 2, 0, 0, misere=True)
    visitor.tap("KEY2", 2)
    assert visitor.go() == (0, 0, 0, 0)
    assert visitor.signs == {"you-win"}


# ------------------------------------------------------------------ faults


class Predicted:
    """The machine's move by algebra alone: each relay follows its formula at once, and PAUSE and
    WAIT follow when all others have settled. It ignores time.

    `held` are the relays whose armature is held, and how.
    """

    def __init__(self, circuit=CIRCUIT, held=(), worlds=WORLDS):
        self.worlds = worlds
        self.every = (1 << len(worlds)) - 1
        self.held = {relay: self.every * (how == UP) for relay, how in held}
        self.paths = {
            relay: [path for wire in wires for path in paths(circuit, wire)]
            for relay, wires in circuit.coils.items()
        }
        self.up = dict.fromkeys([*circuit.coils, *circuit.keys], 0)
        self.up["MISERE"] = misere_in(worlds)
        for world, (rows, _) in enumerate(worlds):
            for relay in nimatron_1940.armatures(rows):
                self.up[relay] |= 1 << world

    def follow(self, relays):
        """Let these relays follow their formulas together. Return True if one has moved."""
        before = dict(self.up)
        for relay in relays:
            now = conducts(self.paths[relay], before, self.every)
            self.up[relay] = self.held.get(relay, now)
        return self.up != before

    def settle(self):
        fast = [relay for relay in self.paths if relay not in nimatron_1940.TIMES]
        for _ in range(400):
            if not any(self.follow(relays) for relays in (fast, ["PAUSE"], ["WAIT"])):
                return

    def moved(self):
        self.up |= self.held
        self.settle()
        self.up |= (
            dict.fromkeys(["ROW1", "GO"], self.every) | self.held
        )  # the player moves in row 1
        self.settle()
        self.up["GO"] = 0
        self.settle()
        return decode(self.up, self.worlds)


def every_fault():
    """Each relay held up and down, and each burnt contact, by name."""
    for relay in CIRCUIT.coils:
        yield from ((f"{relay} {how}", {"held": [(relay, how)]}) for how in (UP, DOWN))
    for i, contact in enumerate(CIRCUIT.contacts):
        for side in ("front", "back"):
            if getattr(contact, side):
                name = f"{contact.actuator} {contact.common}-{getattr(contact, side)}"
                yield name, {"circuit": burnt(CIRCUIT, i, side == "front")}


# The relays and the contacts whose faults begin a race.
RACES = r"N\d[42] up|B\d4 up|[NB]\d2 down|PULSE up|ROW\d choice-holdrow\d|STEP\d next\d1-keep\d1"
RACES += r"|B\d1 (next\d2-\w+|place\d2-keep\d2)|N\d2 \+-keep\d2|B\d2 \+-opposite\d2"


def check_fault(name, fault):
    """Return True if the algebra predicts the fault. Otherwise, the relays' times decide."""
    damaged = left(FEW, **fault)
    if damaged == Predicted(worlds=FEW, **fault).moved():
        return True
    assert re.fullmatch(RACES, name), name
    assert any(left(FEW, times=other_times(seed), **fault) != damaged for seed in range(8)), name
    return False


def test_the_algebra_predicts_faults_of_a_counter():
    faults = dict(every_fault())
    for name in ("B11 up", "N14 down", "STEP2 down", "B12 +-hold12"):
        assert check_fault(name, faults[name])
    assert not check_fault("N12 up", faults["N12 up"])


@pytest.mark.long("70 s")
def test_the_algebra_predicts_each_fault_that_begins_no_race():
    predicted = [check_fault(*fault) for fault in every_fault()]
    assert (len(predicted), sum(predicted)) == (418, 369)


def shown(circuit=CIRCUIT, held=()):
    """The lamps and the signs during a move by each side, and after NEW."""
    worlds = [*FEW, ((1, 0, 0, 0), True)]
    motion = Motion(circuit, nimatron_1940.TIMES, len(worlds))
    for relay, how in held:
        motion.hold(relay, how)
    nimatron_1940.start(motion, [rows for rows, _ in worlds], misere_in(worlds))
    seen = []
    for key in ("KEY1", "KEY2", "KEY3", "KEY4", "GO", "NEW"):
        motion.press(key)
        motion.run(100)
        motion.release(key)
        motion.run(4000 if key == "GO" else 200)
        seen.append([motion.live.get(wire, 0) for wire in CIRCUIT.lamps.values()])
    return seen


def puzzles(relay):
    """The faults among which the page chooses, and the burnt contacts that it may choose."""
    yield from ({"held": [(relay, how)]} for how in (UP, DOWN))
    without = deepcopy(CIRCUIT)
    without.coils[relay][0] = ""
    yield {"circuit": without}
    for i, contact in enumerate(CIRCUIT.contacts):
        if contact.actuator == relay and not re.match(r"B\d|STEP|PAUSE", relay):
            sides = [side for side in (True, False) if (contact.front if side else contact.back)]
            yield from ({"circuit": burnt(CIRCUIT, i, side)} for side in sides)


@pytest.mark.parametrize(
    "relay",
    [
        "SUM2",
        "LIT3",
        *(
            pytest.param(relay, marks=pytest.mark.long("1 s each: other relays"))
            for relay in sorted(CIRCUIT.coils)
            if relay not in ("SUM2", "LIT3")
        ),
    ],
)
def test_each_puzzle_of_the_page_shows_on_the_lamps(relay):
    healthy = shown()
    assert all(shown(**fault) != healthy for fault in puzzles(relay))


def test_the_parity_of_a_column_is_shannons():
    """The relay of a sum lifts if one or three of its rows have a lamp in the column, and no
    current takes a wrong path."""
    assert formula(paths(CIRCUIT, "sum4")) == " + ".join(
        "·".join(f"B{r}4" + "'" * (not up) for r, up in zip(ROWS, ups, strict=True))
        for ups in sorted(
            ((a, b, c, not a ^ b ^ c) for a in (0, 1) for b in (0, 1) for c in (0, 1)),
            key=lambda ups: [(f"B{r}4", bool(up)) for r, up in zip(ROWS, ups, strict=True)],
        )
    )


def test_the_count_of_parts():
    """The figures are in docs/explanation/relays.md."""
    kinds = [contact.kind for contact in CIRCUIT.contacts]
    assert len(CIRCUIT.coils) == 49
    assert {kind: kinds.count(kind) for kind in set(kinds)} == {
        "make": 144,
        "break": 40,
        "change": 68,
    }
