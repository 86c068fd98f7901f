"""The firmware's modes, which last from one start to the next, and the states of the show."""

EXHIBIT = "exhibit"  # the show: watchdog on, Ctrl-C off
MAINTENANCE = "maintenance"  # no show, no watchdog. Ctrl-C and mpremote work
CRASHED = "crashed"  # maintenance, after several failures in a row

ATTRACT = "attract"
OPENING = "opening"
PLAYER = "player"
THINKING = "thinking"
MACHINE = "machine"
VERDICT = "verdict"
TEST = "test"

BOOT = "boot"  # before the first state
STATES = (ATTRACT, OPENING, PLAYER, THINKING, MACHINE, VERDICT, TEST)

ABANDONED = "abandoned"
OUTCOMES = (PLAYER, MACHINE, ABANDONED)  # of a match: the winner, if any
