"""Every state that the people at a table can reach, with a model of the machine.

A world is (table, machine, inbox, outbox). The machine is (state, people, turn). The inbox
contains the commands that the machine has not done yet, and the outbox the reports that the table
has not read.
"""

from binascii import crc32

from nimatron import board, states
from nimatron_play import table as tables

ATTRACT, OPENING, PLAYER = states.ATTRACT, states.OPENING, states.PLAYER
THINKING, VERDICT = states.THINKING, states.VERDICT
MOVING = (OPENING, PLAYER)
A, B, C = "ABC"
OFF = (ATTRACT, 1, 0)
RESTED = 9  # the turn of a verdict that has been shown for a second. Before, no press counts


# ---------------------------------------------------------------------- the machine


def machines(machine, told):
    """Return the possible states of a machine after a command: [(machine, its reports)]."""
    state, people, turn = machine
    kind = told[0]
    if kind in ("pair", "alone", "new"):
        now = {"pair": 2, "alone": 1}.get(kind, people)
        said = (("paired", True),) if kind == "pair" else ()
        done = [((OPENING, now, 1), said + (("show", OPENING),))]
        return done + ([(machine, (("paired", False),))] if kind == "pair" else [])
    _, place, button = told
    # The player who presses is the player to move.
    assert people == 1 or state not in MOVING or place == turn, "a page moves for another player"
    if state == ATTRACT or (state == VERDICT and turn == RESTED):
        return [((OPENING, people, 1), (("show", OPENING),))]
    if state == OPENING and button != board.GO:
        return [((PLAYER, people, 1), (("show", PLAYER), ("turn", 1)))]
    if state == PLAYER and button == board.GO:
        refused = machine, (("answer",),)
        over = (VERDICT, people, 0), (("answer",), ("show", VERDICT))
        if people == 1:
            return [refused, over, ((THINKING, 1, 0), (("show", THINKING),))]
        return [refused, over, ((PLAYER, people, 3 - turn), (("turn", 3 - turn),))]
    return [(machine, ())]


def alone(machine):
    """Return the changes of a machine without messages."""
    state, people, turn = machine
    if state == THINKING:
        return [
            ((PLAYER, people, 1), (("show", PLAYER),)),
            ((VERDICT, people, 0), (("show", VERDICT),)),
        ]
    if state == VERDICT and not turn:
        return [((VERDICT, people, RESTED), ())]
    return [(OFF, (("show", ATTRACT),))] if state != ATTRACT else []


# ---------------------------------------------------------------------- worlds


def steps(world, pages, once, late):
    """Return (event, world) for every possible next world."""
    table, machine, inbox, outbox = world
    found = []

    def happen(event, machine=machine, inbox=inbox, outbox=outbox):
        after, orders = tables.after(table, event)
        for order in orders:
            if order[0] in ("pair", "alone", "new"):
                inbox = inbox + ((order[0],),)
            elif order[0] == "do":
                inbox = inbox + (("press", tables.seat(after, event[1]), event[2]),)
        found.append((event, (after, machine, inbox, outbox)))

    if outbox:
        happen(outbox[0], outbox=outbox[1:])
    if inbox:
        for became, said in machines(machine, inbox[0]):
            if len(outbox) + len(said) <= 3:
                found.append((inbox[0], (table, became, inbox[1:], outbox + said)))
    elif not outbox:
        for became, said in alone(machine):
            found.append((said, (table, became, (), said)))
        happen(("boot",), machine=OFF, outbox=(("show", ATTRACT),))
        if once and machine[0] == ATTRACT:  # the panel's own buttons
            found.append(("panel", (table, (OPENING, 1, 1), (), (("show", OPENING),))))
        happen(("tick", tables.GO_MS))  # the machine has answered by then
    if len(inbox) > late or ((inbox or outbox) and not late):
        return found
    for page in pages:
        for kind in ("come", "away", "back", "leave", "touch", "alone"):
            happen((kind, page))
        for button in (board.GO, board.ROW_BUTTONS[0], tables.CHOICE):
            happen(("press", page, button))
    if not once:
        happen(("open", A))
    return found


def begin(once, public):
    table = tables.new(1 if once else 2, public)
    if not once:
        table, _ = tables.after(table, ("open", A))
    return table, OFF, (), (("show", ATTRACT),)


def search(once=False, public=False, pages=(A, B, C), late=0):
    """Visit every world, and return the tables in all worlds. `late` is the number of actions by
    people before the machine has done its commands."""
    first = begin(once, public)
    came, ahead = {first: None}, [first]  # the previous world, the event
    for world in ahead:  # which grows
        try:
            look(world, pages)
            for event, after in steps(world, pages, once, late):
                if after not in came:
                    came[after] = world, event
                    ahead.append(after)
        except AssertionError as why:
            raise AssertionError("%s, after %s" % (why, way(came, world)))
    return {world[0] for world in came}


def way(came, world):
    """Return the events that lead to a world."""
    events = []
    while came[world]:
        world, event = came[world]
        events.append(event)
    return events[::-1]


# ---------------------------------------------------------------------- invariants of each world


def look(world, pages):
    table, machine, inbox, outbox = world
    taken = [page for page in table.places if page != tables.FREE]
    assert len(set(taken)) == len(taken), "a page has two places"
    idle = not inbox and not outbox
    free = False
    for page in pages:
        here = page not in taken or not table.away[table.places.index(page)]
        free = hold(table, page) and here or free
        if page in taken:
            lose_nothing(table, page)
        gone, _ = tables.after(table, ("leave", page))
        assert page not in gone.places and page != gone.wanted, "a page leaves, and does not"
    here = [page for page, away in zip(table.places, table.away) if page in pages and not away]
    if idle and here and table.pair != "" and len(table.places) == 2:
        assert free or table.go_ms or machine[0] == THINKING, "nobody can do anything"
    if idle and table.pair == tables.ON:
        assert machine[1] == 2, "two play each other, and the machine does not know"
    assert table.pair != tables.ASKED or not idle, "the machine is waited for, and owes nothing"
    if idle and table.public and table.state == ATTRACT:
        assert tables.FREE in table.places, "a guest stays where there is no host"
    if table.places == (tables.FREE,) and table.state == ATTRACT:
        began, _ = tables.after(table, ("show", OPENING))
        assert began.places == (tables.PANEL,), "the panel's match is anybody's"
    if table.wanted != tables.FREE:
        later, _ = tables.after(table, ("tick", tables.MOST_MS))
        assert later.places == (table.wanted,), "a page wants the machine for ever"


def orders(table, *event):
    return [order[0] for order in tables.after(table, event)[1]]


def hold(table, page):
    """Assert that the page is right. Return True if it can do something at this table."""
    does = {"do", "pair"} & set(orders(table, "press", page, board.GO))
    pressed, _ = tables.after(table, ("press", page, board.GO))
    for at, had in enumerate(table.places):
        assert had in (tables.FREE, pressed.places[at]) or table.away[at], "a press drives away"
    once = len(table.places) == 1
    assert once or bool(does) == tables.may(table, page), "a button looks as if it did something"
    said, offered = tables.sentence(table, page), tables.offer(table, page)
    key, who = said or ("", 0)
    theirs = table.places[who - 1] if who else ""
    alone = orders(table, "alone", page) == ["alone"]
    if alone:
        later, _ = tables.after(table, ("alone", page))
        assert set(later.places) == {page, tables.FREE}, "a page continues alone, and is not"
    assert alone == (offered == "machine"), "one tap does not continue against the machine"
    if key in ("table.watch", "table.taken", "table.next", "table.panel"):
        assert page not in table.places and not does and offered == "table", key
        assert (key == "table.next") == (table.wanted == page and page != ""), key
        assert (key == "table.panel") == (table.places[0] == tables.PANEL), key
        assert (key == "table.watch") == (not once), key
    elif key == "table.waits":
        assert theirs not in ("", page) and not does and who == table.turn, key
        assert tables.may(table, theirs) or table.go_ms, key
    elif key in ("table.away", "table.left"):
        assert alone and theirs != page and (theirs == "") == (key == "table.left"), key
        assert theirs == "" or table.away[who - 1], key
    else:
        assert does or table.pair == tables.ASKED or table.go_ms, "it says nothing of the others"
    return bool(does) or alone


def lose_nothing(table, page):
    """Assert that a disconnection loses nothing, whenever it comes."""
    cut, told = tables.after(table, ("away", page))
    back, more = tables.after(cut, ("back", page))
    here, _ = tables.after(table, ("back", page))
    assert back == here and cut.places == table.places and not told + more, "a cut loses something"


# ---------------------------------------------------------------------- the checks

KINDS = (True, False), (False, False), (False, True)  # once, public


def search_all(late=0):
    """Return all tables of every kind. Times are shorter, so that there are fewer tables."""
    usual = tables.STILL_MS, tables.MOST_MS
    tables.STILL_MS, tables.MOST_MS = tables.GO_MS, 2 * tables.GO_MS
    try:
        found = set()
        for once, public in KINDS:
            found |= search(once, public, late=late)
        return found
    finally:
        tables.STILL_MS, tables.MOST_MS = usual


def digest(known):
    """Return a number that distinguishes the results of every event at these tables."""
    events = [("open", A), ("boot",), ("answer",), ("tick", tables.GO_MS)]
    events += [("show", state) for state in states.STATES]
    events += [("turn", number) for number in (1, 2)] + [("paired", yes) for yes in (False, True)]
    for page in (A, B, C):
        events += [(kind, page) for kind in ("come", "away", "back", "leave", "touch", "alone")]
        events += [("press", page, button) for button in board.BUTTONS]
    number = 0
    for table in known:
        for event in events:
            after, told = tables.after(table, event)
            number = crc32(str((tuple(after), told)).encode(), number)
    return number
