"""The rules for the people at a table: one pure function, `after`.

A table is a machine and the pages at it. Strangers do not share a machine. People who share a
machine were invited: the page that opens a table has its first place, and a friend's page has the
second. The two play each other. Other pages watch. Only the player whose turn it is can press. A
player who leaves frees the place, and the other player can continue against the machine.

A machine that exists once, such as a real Pico, has one place, its lease, which strangers take in
turn. The page that presses first has the lease until the match is over. Another page that wants
the lease gets it when the holder has not touched the page for 20 s, or after 3 minutes. A match
that begins at the panel's own buttons belongs to the panel.

This module reads no clock and acts on nothing. Time is an event, and `after` returns orders, so a
test can visit every possible state. See tests/vm/on_vm/check_table.py.
"""

from collections import namedtuple

from nimatron import board, states

GO_MS = 500  # the wait after GO until the machine has accepted or refused the move
STILL_MS = 20_000  # the longest time without a touch while another page wants the machine
MOST_MS = 180_000  # the longest time with the machine while another page wants it

FREE = ""  # a place that no page has
PANEL = "panel"  # the holder of the lease if the match began at the panel
ASKED, ON = "asked", "on"  # ASKED: the machine will soon pair two people. ON: it has done so
CHOICE = "choice"  # the button on a page that chooses a game or a level
LESSON = "lesson"  # the button on a page that begins a lesson

_MOVING = states.OPENING, states.PLAYER  # while a player is to move
_MATCH = _MOVING + (states.THINKING, states.MACHINE)

# places: the IDs of the pages that play, or FREE. away: the pages among them that are
# disconnected. pair: "", ASKED or ON. state: the exhibit's state. turn: the number of the player
# to move, from 1, or 0. go_ms: the remaining time in which no press counts in a match between two
# players, because a player has just pressed GO or begun a match. wanted: the page that wants the
# lease. still_ms: the time since the holder's last touch. waited_ms: the time since that page
# asked. public: True if passers-by play on the screen in the first place.
_FIELDS = (
    "places",
    "away",
    "pair",
    "state",
    "turn",
    "go_ms",
    "wanted",
    "still_ms",
    "waited_ms",
    "public",
)
Table = namedtuple("Table", _FIELDS)


def new(places=2, public=False):
    """Return an empty table, with one of `places` for a machine that exists once."""
    return Table((FREE,) * places, (False,) * places, "", "off", 0, 0, FREE, 0, 0, public)


def after(table, event):
    """Return (the table after an event, the orders that follow from the event).

    Events are tuples:
      open PAGE       a page opens the table. Earlier pages have gone
      come PAGE       a page opens the link to the table
      away PAGE, back PAGE   a page loses its connection, or returns
      leave PAGE      a page is closed, or moves to another table
      press PAGE BUTTON      a press on a button, a lamp in the button's row, CHOICE or LESSON
      touch PAGE      a visitor uses the page
      alone PAGE      a page continues against the machine
      show STATE, turn NUMBER, answer, boot   news from the machine. answer: a move is refused, or
                      the match is over
      paired YES      the machine lets two people play each other, or refuses
      tick MS         time passes
    Orders are tuples:
      do              pass the press on to the machine
      pair, alone     make the machine let two people play each other, or play itself again
      new             begin a new match
      tell PAGE KEY WHO      show a text on a page. WHO: the number of a player, or 0
      renew           close the old link
    """
    return _AFTER[event[0]](table, *event[1:])


def seat(table, page):
    """Return the page's place, from 1, or 0 if the page has no place."""
    return table.places.index(page) + 1 if page in table.places else 0


def may(table, page):
    """Return True if the machine accepts presses from this page now."""
    if page not in table.places or table.pair == ASKED or table.go_ms:
        return False
    return table.pair != ON or table.state not in _MOVING or seat(table, page) == table.turn


def sentence(table, page):
    """Return (KEY, WHO) for this page's message about the other pages, or None."""
    if len(table.places) == 1:
        holder = table.places[0]
        if holder in (FREE, page):
            return None
        if holder == PANEL:
            return "table.panel", 0
        return ("table.next" if table.wanted == page else "table.taken"), 0
    if page not in table.places:
        return "table.watch", 0
    other = _other(table, page)
    if table.pair == ON and not _is_here(table, other):
        return ("table.left" if table.places[other] == FREE else "table.away"), other + 1
    if table.pair == ON and table.state in _MOVING and table.turn != seat(table, page):
        return "table.waits", other + 1
    return None


def offer(table, page):
    """Return the effect of one tap: "machine" continues against the machine, "table" opens another
    table, and "" does nothing."""
    if page not in table.places:
        return "" if table.places == (FREE,) else "table"
    alone = table.pair == ON and not _is_here(table, _other(table, page))
    return "machine" if alone else ""


# ---------------------------------------------------------------------- pages come and go


def _open(table, page):
    places = (page,) + (FREE,) * (len(table.places) - 1)
    opened = _with(table, places=places, away=(False,) * len(places), wanted=FREE)
    if table.pair != ON:
        return opened, []
    return _with(opened, pair=""), [("alone",)]


def _come(table, page):
    if len(table.places) == 1 or page in table.places or FREE not in table.places:
        return table, []
    table = _put(table, table.places.index(FREE), page)
    if FREE in table.places or table.pair:
        return table, []
    return _pair(table)


def _away(table, page):
    return _cut(table, page, True), []


def _back(table, page):
    return _cut(table, page, False), []


def _leave(table, page):
    if page == table.wanted:
        table = _with(table, wanted=FREE)
    if page not in table.places:
        return table, []
    if len(table.places) == 1:
        return _free_lease(table)
    place = table.places.index(page)
    other = table.places[1 - place]
    told = [("tell", other, "table.left", place + 1)] if other != FREE else []
    return _put(table, place, FREE), told


def _alone(table, page):
    if offer(table, page) != "machine":
        return table, []
    return _with(_put(table, _other(table, page), FREE), pair=""), [("alone",)]


# ---------------------------------------------------------------------- pages press


def _press(table, page, button):
    if len(table.places) == 1:
        return _press_once(table, page)
    if not may(table, page):
        said = sentence(table, page)
        return table, [("tell", page) + said] if said else []
    if table.pair == ON:
        if button == board.GO or table.state not in _MOVING:
            table = _with(table, go_ms=GO_MS)
    elif FREE not in table.places and button != CHOICE:
        other = _other(table, page)
        if _is_here(table, other):
            return _pair(table)
        table = _put(table, other, FREE)
    return table, [("do",)]


def _press_once(table, page):
    holder = table.places[0]
    if holder == page:
        return _with(table, still_ms=0), [("do",)]
    if holder == FREE:
        return _put(table, 0, page), [("do",)]
    told = []
    if holder != PANEL and table.wanted == FREE:
        table = _with(table, wanted=page, still_ms=0, waited_ms=0)
        told = [("tell", holder, "table.wanted", 0)]
    return table, told + [("tell", page) + sentence(table, page)]


def _touch(table, page):
    return (_with(table, still_ms=0) if page in table.places else table), []


def _tick(table, ms):
    table = _with(table, go_ms=max(table.go_ms - ms, 0))
    if table.wanted == FREE:
        return table, []
    still, waited = table.still_ms + ms, table.waited_ms + ms
    table = _with(table, still_ms=still, waited_ms=waited)
    if still < STILL_MS and waited < MOST_MS:
        return table, []
    told = [("tell", table.places[0], "table.lost", 0)]
    table, orders = _free_lease(table)
    return table, told + orders


def _free_lease(table):
    """Give the lease to the page that wants it, with a new match, because the former holder may
    have picked lamps."""
    page = table.wanted
    table = _with(_put(table, 0, page), wanted=FREE)
    told = [("tell", page, "table.yours", 0)] if page != FREE else []
    return table, told + ([("new",)] if table.state in _MATCH else [])


# ---------------------------------------------------------------------- the machine's news


def _show(table, state):
    began = state in _MATCH and table.state not in _MATCH
    turn = 1 if state == states.OPENING else 0
    if state == states.PLAYER:
        turn = table.turn or 1
    goes_on = state in _MOVING and table.state in _MOVING
    table = _with(table, state=state, turn=turn, go_ms=table.go_ms if goes_on else 0)
    if len(table.places) == 1:
        if state not in _MATCH:
            table = _with(_put(table, 0, FREE), wanted=FREE)
        elif began and table.places == (FREE,):
            table = _put(table, 0, PANEL)
        return table, []
    if state != states.ATTRACT:
        return table, []
    table = _with(table, pair="" if table.pair == ON else table.pair)
    if not table.public:
        return table, []
    return _put(table, 1, FREE), [("renew",)]  # the page that sent the invitation has gone


def _turn(table, number):
    return _with(table, turn=number, go_ms=table.go_ms if number == table.turn else 0), []


def _answer(table):
    return _with(table, go_ms=0), []


def _boot(table):
    table = _with(table, pair="", go_ms=0, state="off", turn=0)
    if len(table.places) == 1:
        table = _with(_put(table, 0, FREE), wanted=FREE)
    return table, []


def _paired(table, yes):
    if table.pair != ASKED:
        return table, []
    if not yes:
        return _with(_put(table, 1, FREE), pair=""), []
    told = [("tell", page, "table.you", at + 1) for at, page in enumerate(table.places) if page]
    return _with(table, pair=ON, state=states.OPENING, turn=1), told


# ---------------------------------------------------------------------- parts


def _pair(table):
    return _with(table, pair=ASKED), [("pair",)]


def _other(table, page):
    """Return the index of the other place."""
    return 1 - table.places.index(page)


def _is_here(table, place):
    return table.places[place] != FREE and not table.away[place]


def _put(table, place, page):
    places = tuple([page if at == place else had for at, had in enumerate(table.places)])
    return _cut(_with(table, places=places), page, False)


def _cut(table, page, away):
    """Return the table with a page marked as disconnected, or as connected again."""
    flags = [
        away if had == page else was and had != FREE for had, was in zip(table.places, table.away)
    ]
    return _with(table, away=tuple(flags))


def _with(table, **changes):
    return Table(*[changes.get(name, was) for name, was in zip(_FIELDS, table)])


_AFTER = {
    "open": _open,
    "come": _come,
    "away": _away,
    "back": _back,
    "leave": _leave,
    "press": _press,
    "touch": _touch,
    "alone": _alone,
    "show": _show,
    "turn": _turn,
    "answer": _answer,
    "boot": _boot,
    "paired": _paired,
    "tick": _tick,
}
