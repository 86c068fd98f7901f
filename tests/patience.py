"""The patience of a test for a certain event."""

PATIENCE_S = 100  # a loaded computer may take so long. What hangs ends after pytest's time limit
