"""A machine of relays that plays Nim on four rows of up to seven lamps, under both rules.

This is our design in the manner of 1940, not Westinghouse's drawing, which we have not seen.
docs/explanation/relays.md explains it. In the texts, {r} is the number of a row, {before} and
{after} are the neighbouring numbers, and {n} is a binary column. A name in capitals is a relay or
a key. Any other name is a wire.
"""

from nimatron_relays.relay_circuit import Circuit, Motion

ROWS, LAMPS = (1, 2, 3, 4), 7
COLUMNS = (4, 2, 1)
YOU, MACHINE = "you-win", "i-win"  # the signs

# Slow relays wait for the others: WAIT while the sums settle, PAUSE between two lamps. A copper
# collar makes a relay slow.
TIMES = {"WAIT": (300, 200), "PAUSE": (90, 110)}  # ms

# Each row has a counter of three places. B is the place, and N waits with its next value. While
# the clock is up, B copies N. While it is down, N becomes the opposite of B. Thus, B changes each
# time that the clock rises. This is a scale of two, as in the circuits that counted radioactive
# decays. The counter counts down, because each place is the clock of the next place.
_PLACE = """
coil N{r}{n} next{r}{n}
change {clock} next{r}{n} keep{r}{n} opposite{r}{n}
make N{r}{n} + keep{r}{n}
break B{r}{n} + opposite{r}{n}
coil B{r}{n} place{r}{n}
change {clock} place{r}{n} keep{r}{n} hold{r}{n}
make B{r}{n} + hold{r}{n}
make NEW + place{r}{n}
"""

# STEP is the clock of the first place. LIT is up while the row has lamps. ROW is up when the
# player or the machine has chosen this row for the move.
_ROW = """
coil LIT{r} lit{r}
make B{r}4 + lit{r}
make B{r}2 + lit{r}
make B{r}1 + lit{r}

change KEY{r} keys{r} ask{r} keys{after} # only one key counts at a time
make PULSE + ask{r}
make LIT{r} ask{r} count{r}
make STEP{r} ask{r} count{r}
make ROW{r} count{r} step{r}
coil STEP{r} step{r}

break ROW{a} count{r} alone{r}a
break ROW{b} alone{r}a alone{r}b
break ROW{c} alone{r}b choose{r}
coil ROW{r} choose{r}
make ROW{r} choice holdrow{r}
coil ROW{r} holdrow{r}
make ROW{r} go moved
make ROW{r} counting chosen
break ROW{r} none{before} none{r}
break LIT{r} dark{before} dark{r}
make B{r}4 + big
make B{r}2 + big

lamp {r}.1 lamp{r}1
lamp {r}.2 lamp{r}2
lamp {r}.3 lamp{r}3
lamp {r}.4 lamp{r}4
lamp {r}.5 lamp{r}5
lamp {r}.6 lamp{r}6
lamp {r}.7 lamp{r}7
make LIT{r} + lamp{r}1
make B{r}4 + lamp{r}2
make B{r}2 + lamp{r}2
make B{r}4 + lamp{r}3
make B{r}1 lamp{r}2 lamp{r}3
make B{r}4 + lamp{r}4
make B{r}2 lamp{r}4 lamp{r}5
make B{r}1 lamp{r}4 lamp{r}5
make B{r}2 lamp{r}4 lamp{r}6
make B{r}1 lamp{r}6 lamp{r}7
"""

# The sum of a column. Each row with a lamp in it leads the current from the even wire to the odd
# wire, or back. The odd wire ends at SUM.
_SUM = {
    "first": "change B{r}{n} even{n}0 odd{n}1 even{n}1",
    "middle": """
change B{r}{n} even{n}{before} odd{n}{r} even{n}{r}
change B{r}{n} odd{n}{before} even{n}{r} odd{n}{r}
""",
    "last": """
change B{r}{n} sum{n} even{n}{before} odd{n}{before}
coil SUM{n} sum{n}
""",
}

# The search for a row with a lamp in a column. If no row has a lamp in column 1, column 2 is next.
_SEEK = "change B{r}{n} seek{n}{r} choose{r} {next}"
_LAST_SEEK = "make B{r}{n} seek{n}{r} choose{r}"

_COMMON = """
coil EMPTY dark4
coil BIG big
change MISERE + misere even10
change BIG misere even10 odd10

break NEW + power
change TURN power machine player
change WAIT choice machine player
break TURN choice keys1
make GO keys1 go
change EMPTY moved beaten handover
coil TURN handover
coil YOURS beaten

make TURN + turn
lamp thinking turn
coil WAIT turn
break TAKEN turn again
break LOST turn unless
make SUM4 unless again
make SUM2 unless again
make SUM1 unless again
make PULSE turn again
make PAUSE turn again
coil TURN again

make TURN none4 decide
change SUM4 decide seek41 decide2
change SUM2 decide2 seek21 decide1
change SUM1 decide1 seek11 lost
coil LOST lost
make LOST lost seek11
make LOST turn holdlost
coil LOST holdlost

make WAIT again counting
break PAUSE chosen pulse
coil PULSE pulse
make PULSE + taking
coil PAUSE taking
coil TAKEN taking
make TAKEN turn holdtaken
coil TAKEN holdtaken

make EMPTY turn last
coil MINE last
make EMPTY + ended
make MINE ended holdmine
coil MINE holdmine
make YOURS ended holdyours
coil YOURS holdyours

break TURN + idle
break MINE idle unbeaten
break YOURS unbeaten your-move
lamp your-move your-move
make MINE + mine
make YOURS + yours
change MISERE i-win yours mine
change MISERE you-win mine yours
lamp i-win i-win
lamp you-win you-win
"""

# The wires before the first row.
_SOURCES = ("none0", "choice"), ("dark0", "+"), ("even40", "+"), ("even20", "+")


def circuit():
    """Return the circuit."""
    parts = []
    for r in ROWS:
        a, b, c = [other for other in ROWS if other != r]
        near = {"r": r, "before": r - 1, "after": r + 1, "a": a, "b": b, "c": c}
        parts.append(_ROW.format(**near))
        clock = "STEP%d" % r
        for n in reversed(COLUMNS):
            parts.append(_PLACE.format(clock=clock, n=n, **near))
            clock = "B%d%d" % (r, n)
            place = "last" if r == 4 else "middle" if r > 1 or n == 1 else "first"
            parts.append(_SUM[place].format(n=n, **near))
            after = "seek%d%d" % ((n, r + 1) if r < 4 else (n * 2, 1))
            seek = _LAST_SEEK if (r, n) == (4, 4) else _SEEK
            parts.append(seek.format(n=n, next=after, **near))
    text = "\n".join(parts) + _COMMON
    for wire, source in _SOURCES:
        text = text.replace(wire, source)
    return Circuit(text)


def places(count):
    """Return the places of a counter whose armatures are up at rest, as ("B" or "N", column)."""
    up, clock = [], False
    for n in reversed(COLUMNS):
        place = bool(count & n)
        if place:
            up.append(("B", n))
        if place == clock:
            up.append(("N", n))
        clock = place
    return up


def armatures(position):
    """Return the relays whose armatures are up at rest in a position."""
    return [
        "%s%d%d" % (kind, r, n) for r, count in zip(ROWS, position) for kind, n in places(count)
    ]


def start(motion, positions, misere=0):
    """Set up a position in each world by hand. `misere` are the worlds with that rule."""
    found = {"%s%d%d" % (kind, r, n): 0 for kind in "BN" for r in ROWS for n in COLUMNS}
    for world, position in enumerate(positions):
        for relay in armatures(position):
            found[relay] |= 1 << world
    for relay, worlds in found.items():
        motion.set(relay, worlds)
    motion.press("MISERE", misere)
    motion.settle()


def rows(motion, world=0):
    """Return the number of lamps in each row from the counters."""
    return tuple(
        [sum([n for n in COLUMNS if motion.up["B%d%d" % (r, n)] >> world & 1]) for r in ROWS]
    )


def choose(position, misere):
    """Return the position after the machine's move from this position."""
    motion = Motion(circuit(), TIMES)
    start(motion, [position], int(misere))
    motion.set("ROW1")  # as if the player had moved
    motion.press("GO")
    motion.settle()
    return rows(motion)
