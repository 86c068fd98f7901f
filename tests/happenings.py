"""Scripts that check that two tiers give the same trace, record by record."""

from nimatron import board

# Each event, and a console line that proves it.
STORIES = {
    "attract": ("wait 20000", "event state=attract"),
    "console": (
        """
        send seed 7
        wait 1000
        send new 3 4 5
        send why
        send hint
        send take 1 2
        wait 100
        send take 1 1   # while the machine thinks
        wait 4000
        send press row2
        send status
        send rule normal
        send level easy
        send help
        send help take
        send version
        wait 1000
        send new
        wait 1000
        """,
        "ok outcome=N row=1 take=2 lamps=1.2,1.3 rows=1,4,5,0",
    ),
    "rows-together": (
        """
        wait 1000
        send game wythoff
        send new 2 4
        wait 100
        tap row1
        tap row3
        tap row3    # one more than from row 1
        tap go      # is no move
        tap row1
        tap go
        wait 5000
        """,
        "event move by=player take=2,2 rows=0,2",
    ),
    "lamps-by-the-light": (
        """
        wait 1000
        send game kayles
        send new 1101000/0000000/0000000/1000000
        wait 100
        hold row1
        hold row1
        tap row4
        tap go
        wait 5000
        send solve grundy 13 5
        send solve tactix 1111/1111/1111/1111
        hold new
        """,
        "event move by=player take=2 rows=0001000/0000000/0000000/1000000",
    ),
    "picked-in-one-step": (
        """
        wait 1000
        tap new
        send pick 1 4 5
        wait 300
        tap row1
        send pick 3 4 5
        send press go
        send game kayles
        send new 1111000/0000000/0000000/0000000
        tap row1
        send pick 1001000/0000000/0000000/0000000
        wait 700
        send pick 0110000/0000000/0000000/0000000
        send press go
        wait 5000
        send game building
        send new 2 0:3
        send pick 3 0:2
        send pick 2 1
        send press go
        wait 5000
        """,
        "event move by=player take=2 rows=1001000/0000000/0000000/0000000",
    ),
    "bad-input": (
        f"""
        wait 1000
        send bogus
        send new 9
        send new 0 0
        send new 1 2 3 4 5
        send take 1
        send take 1 1
        send new 3
        send take 1 99
        send take x y
        send level hard
        send seed 12345678901
        send {"a" * 401}
        send {"a" * 2000}
        send \x01\x7f
        send grüße
        wait 1000
        """,
        'error reason=line-too-long most=400 text="a line has 400 characters at most"',
    ),
    "typing": (
        """
        wait 1000
        send seed 12\x7f\x083
        send echo on
        send seed 6\x7f5\x1b[3~
        send seed 5\x1b[A4\x1b[D
        send \x1bOA
        wait 1000
        """,
        "ok seed=54",
    ),
    "near-misses": (
        """
        wait 1000
        send staus
        send set think-ms 3
        send game nin
        send press rwo1
        send solve 3 4 5
        send version 8231
        wait 1000
        """,
        "error reason=unknown-command got=staus try=help"
        ' text="there is no command staus: type help for a list"',
    ),
    "nothing-picked": (
        "wait 1000\ntap new\ntap go\nsend new 3 4 5\nwait 100\ntap go\nwait 1000",
        "event state=player",
    ),
    "given-back": ("wait 1000\nsend new 3 4 5\ntap row1 4\ntap row2 2\ntap row4\nwait 500", None),
    "idle": ("wait 1000\nsend new 3 4 5\ntap row1\nwait 70000", "event warning=idle ms=10000"),
    "power": (
        """
        wait 1000
        send new 1 2
        tap row1
        tap go
        power off
        wait 50
        tap row1
        press row2
        power off
        power on
        wait 100
        power on
        wait 1000
        power off
        power on
        wait 1000
        """,
        "event button=row2 contact=held",
    ),
    "power-off-at-the-end": ("wait 1500\npower off\nwait 2000", "event state=attract"),
    "stuck": ("wait 1000\npress row3\nwait 40000\nrelease row3\nwait 3000", None),
    "held-at-boot": (
        "press go\nwait 3000\nrelease go\nwait 1000\ntap go\nwait 1000",
        "event button=go contact=held",
    ),
    "all-at-once": (
        "wait 1000\n"
        + "".join(f"press {button}\n" for button in board.BUTTONS)
        + "send status\nwait 100\n"
        + "".join(f"release {button}\n" for button in board.BUTTONS)
        + "wait 5000",
        "event state=opening",
    ),
}
