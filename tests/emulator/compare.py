"""A comparison of two tiers: the same changes in the same order, at about the same time."""

from bisect import bisect

from nimatron import protocol, settings, states
from nimatron.board import BUTTONS
from nimatron_sim import script

KINDS = ("console", "lamps", "legends", "coin", "sound")

# The times of the two tiers differ by the time that the firmware needs for its work. Most of it is
# the answer to a console line, and saving a finished match. If the firmware waits again and again
# for a fixed time, the differences add up.
EARLY_MS = 2
LATE_SHARE = 0.01

LATEST_MS = 1500  # to boot, or to load two games
COLLECT_MS = 60  # to collect garbage
LOAD_MS = 300  # to load a game, in the dark after a walk through the lamps
BRIEF_MS = 10
ANSWER_MS = 3  # from a press to the reaction of the simulated Pico
ROUND_MS = 1100  # from one round of the panel's chores to the next
LAMP_MS = 110  # from lamp to lamp, while the buttons that lead to maintenance mode are held
LOOK_MS = 50  # between two looks at the buttons in maintenance mode
_EVENT = "event "
_BOOT = "event boot "
_STATE = "event state="
_STUCK = "contact=stuck"
_ANSWER = "answer"
# The facts about the Pico itself in its answers.
_ITS_OWN = ("micropython", "board", "id", "free", "uptime_s", "lag_ms", "flash_free", "celsius")
_BACK = 40  # records to go back to where another record may be missing
_BEFORE, _AFTER = 5, 3  # records to show around a difference


def told(what, trace):
    return [(record["ms"], record[what]) for record in trace if what in record]


def shared(trace):
    """Return the records of a trace, without the Pico's facts about itself."""
    return [{k: _masked(v) if k == "console" else v for k, v in r.items()} for r in trace]


def difference(text, expected, seen):
    """Return the first difference of two traces of a script: (ms, a text with the records around
    it), or None. `expected` is from a Pico that takes no time for anything, and `seen` from a
    slower Pico."""
    script = _Script(text, told("console", expected))
    end = script.end, "the end"
    for _ in range(2):  # the kinds without a difference show how late the Pico was for other kinds
        partings = []
        for what in (*KINDS, _STUCK, _ANSWER):
            both = [[*_records(what, trace), end] for trace in (expected, seen)]
            partings.append(_parting(what, script, *both))
        if not any(partings):
            return None
    return min([parting for parting in partings if parting])


def _parting(what, script, expected, seen):
    """Return the first difference of the records of one kind, each (ms, value).

    These differences are allowed, for these reasons:

    - A Pico is late, never early: 4 ms for a press, 50 ms for a console line, 300 ms to load a
      game, a second to boot, and a ms for each time that it waits for something.
    - On this Pico, a visitor's action may therefore cut short an automatic action: the show, a
      blinking lamp, a tune, or an event such as the machine's turn. The missing record came before
      the action, by less than the Pico was late: 51 ms after two seconds of thinking, which are
      sixteen waits.
    - The Pico takes a moment to change two outputs, and may show one of them alone. Examples are
      the silence between two tones, longer while a game is loaded or garbage is collected, and a
      picture that another picture replaces at once.
    - The Pico polls at other moments: for stuck contacts, for buttons that are held down in
      maintenance mode, and for the buttons that lead to this mode at power-on, between two lamps.
    - The module for a rare command is loaded first, for 20 to 100 ms. An event in this time may
      come before the answer. The answers are still in order, and so are the events.
    - A few answers contain facts about the Pico itself.
    """
    ways, been, furthest = [(0, 0, None, ())], set(), (0, 0)
    while ways:
        here, there, shown, found = ways.pop()  # found: records in both, from the last
        if here == len(expected) and there == len(seen):
            script.note(found)
            return None
        if here == len(expected) or there == len(seen) or (here, there, shown) in been:
            continue
        if here + there < sum(furthest) - _BACK:
            break
        been.add((here, there, shown))
        (ms, value), (ms_then, value_then) = expected[here], seen[there]
        cut = script.touched(ms, ms + script.late(ms, found) + BRIEF_MS)
        if what == "console":
            if cut and str(value).startswith(_EVENT):
                ways.append((here + 1, there, shown, found))
        elif what not in (_STUCK, _ANSWER):
            if cut or value == shown or _lasted(expected, here) <= BRIEF_MS:
                ways.append((here + 1, there, shown, found))
            brief = BRIEF_MS
            if what == "lamps":
                brief = COLLECT_MS if any(value_then) else LOAD_MS
            elif what == "sound" and not value_then:
                brief = LOAD_MS if ms_then >= ms else COLLECT_MS
            if value_then == shown or _lasted(seen, there) <= brief:
                ways.append((here, there + 1, shown, found))
        early = EARLY_MS
        if what == _STUCK:
            early = ROUND_MS
        elif script.booting(ms):
            early = LAMP_MS
        elif script.maintained < ms:
            early = LOOK_MS
        if value == value_then and -early <= ms_then - ms <= script.latest(ms) + early:
            both = ms, max(0, ms_then - ms), found
            ways.append((here + 1, there + 1, value, both))  # the first to be tried
            if here + there + 2 > sum(furthest):
                furthest = here + 1, there + 1
    here, there = furthest
    return _shown(what, expected, here, seen, there)


class _Script:
    """The time of an action, the reports, and the delay of the other Pico."""

    def __init__(self, text, lines):
        moments, self.end = script.timeline(text, BUTTONS)
        self._touches = sorted([0, *_touches(moments), self.end])
        self._lates = [(0, 0)]
        self._states = [0] + [ms for ms, line in lines if line.startswith(_STATE)]
        self._boots = {ms for ms, line in lines if line.startswith(_BOOT)}
        tested = [ms for ms, line in lines if line == _STATE + states.MAINTENANCE]
        self.maintained = min(tested, default=self.end)

    def touched(self, after, until):
        """Return True if a button was pressed in this time."""
        return bisect(self._touches, until) > bisect(self._touches, after)

    def booting(self, ms):
        """Return True if the firmware started then because a button was released."""
        return ms in self._boots and self.touched(ms - LAMP_MS, ms)

    def note(self, found):
        """Record how late each of these records was: (ms, how late, the records before it)."""
        while found:
            ms, late, found = found
            self._lates.append((ms, late))
        self._lates.sort()

    def late(self, ms, found):
        """Return how late the other Pico was with the last record of this kind or a later record,
        or, if this record answers a press or a line, with another answer to it."""
        noted_ms, noted = self._lates[bisect(self._lates, (ms + BRIEF_MS, self.end)) - 1]
        if self.touched(ms - ANSWER_MS, ms) and noted_ms >= ms - ANSWER_MS:
            return noted
        last_ms, last, _ = found or (0, 0, ())
        return max(last, noted) if noted_ms >= last_ms else last

    def latest(self, ms):
        """Return the largest delay of a Pico at this time."""
        since = self._states[bisect(self._states, ms) - 1]
        return LATEST_MS + LATE_SHARE * (ms - since)


def _touches(moments):
    """Yield the times of actions, and the times when a button had been down for long enough to
    count again."""
    hold_ms, down = settings.find("hold_ms")[0], {}
    for ms, verb, what in moments:
        yield ms
        if verb == "press":
            down[what] = ms + hold_ms
        elif verb == "release" and down.get(what, ms) < ms:
            yield down[what]
        elif what.startswith("set hold_ms ") and what.split()[2].isdigit():
            hold_ms = int(what.split()[2])


def _lasted(records, at):
    return records[at + 1][0] - records[at][0] if at + 1 < len(records) else 0


def _records(what, trace):
    if what in ("console", _STUCK, _ANSWER):
        lines = told("console", trace)
        return [(ms, _masked(line)) for ms, line in lines if _which(line) == what]
    return [(ms, tuple(v) if isinstance(v, list) else v) for ms, v in told(what, trace)]


def _which(line):
    if protocol.is_answer(line):
        return _ANSWER
    return _STUCK if _STUCK in line else "console"


def _masked(line):
    """Return a console line without its facts about the Pico itself."""
    kind, what, said = protocol.parse(line)
    if not any([key in said for key in _ITS_OWN]):
        return line
    return kind, what, tuple([(key, said[key]) for key in said if key not in _ITS_OWN])


def _shown(what, expected, here, seen, there):
    lines = [f"{what}: a difference at {expected[here][0]} ms; before that, and after:"]
    for name, records, at in (("expected", expected, here), ("seen", seen, there)):
        for number in range(max(0, at - _BEFORE), min(len(records), at + _AFTER)):
            ms, value = records[number]
            lines.append(f"{'>' if number == at else ' '} {name:8} {ms:8} {value}")
    return min(expected[here][0], seen[there][0]), "\n".join(lines)
