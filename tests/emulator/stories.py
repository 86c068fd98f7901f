"""Scripts that leave a match that waits for the player, and their traces."""

from nimatron_sim import tiers

BOOTED_MS = 1500  # every tier has, by then
CALM_MS = 300  # after `new`, so that a story begins in silence

# One console line at a time: a Pico takes up to 50 ms to answer it. The machine's turns are in
# test_firmware.py, because they cost seconds each.
STORIES = {
    "buttons": """
        send new 3 1
        wait 200
        tap go        # refused
        wait 300      # the tunes do not meet: on a Pico there is a breath between two tones
        tap row4      # refused
        wait 300
        tap row1
        tap row2      # gives it back
        tap row1
        wait 100
        """,
    "console": """
        send new 2 3
        wait 200
        send hint
        wait 100
        send take 9 9
        wait 100
        send nonsense
        wait 100
        send press row2
        wait 100
        send pick 2 0
        wait 100
        send pick 1 2
        wait 100
        """,
    "crowd": """
        send new 7 7 7 7
        wait 200
        press row1
        press row2
        press row3
        press row4
        wait 100
        release row1
        release row2
        release row3
        release row4
        wait 50
        tap row4
        wait 100
        """,
}


def rebased(trace, begin):
    return [dict(record, ms=record["ms"] - begin) for record in trace if record["ms"] >= begin]


def trace_on(tier, script):
    trace = []
    tiers.trace(tier, f"wait {BOOTED_MS}\nsend new 1 2\nwait {CALM_MS}\n{script}", trace.append)
    return rebased(trace, BOOTED_MS + CALM_MS)
