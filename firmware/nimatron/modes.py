"""The modes in which the firmware may be running."""

EXHIBIT = "exhibit"  # the show: watchdog on, Ctrl-C off
MAINTENANCE = "maintenance"  # the bench: no watchdog, Ctrl-C and mpremote work
CRASHED = "crashed"  # the same, after several failures in a row
