"""Traces of two tiers are the same: the same changes in the same order, at about the same time."""

KINDS = ("lamps", "legends", "sound", "coin", "console")

# Times of the two tiers differ by what the firmware needs to get something done (most to answer a
# console line, and to save a match that is over), and by the sum of that where it waits again and
# again for a fixed time.
EARLY_MS = 2
LATE_MS = 100
LATE_SHARE = 0.01


def told(what, trace):
    return [(record["ms"], record[what]) for record in trace if what in record]


def assert_same(what, expected, seen, decision_ms=0):
    """`seen` is the emulated one's; it may be late, by what a decision takes too, not early."""
    expected, seen = told(what, expected), told(what, seen)
    assert [value for _, value in seen] == [value for _, value in expected]
    for (ms, value), (ms_then, _) in zip(expected, seen, strict=True):
        late = ms_then - ms
        assert -EARLY_MS <= late <= LATE_MS + decision_ms + ms * LATE_SHARE, (ms, value)
