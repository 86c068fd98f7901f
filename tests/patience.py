"""The time that a test waits for a certain event."""

PATIENCE_S = 100  # a loaded computer may take this long. Hanging tests end after the time limit
