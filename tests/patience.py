"""How long a test waits for what is sure to come."""

PATIENCE_S = 100  # a loaded computer may take so long; what hangs ends after pytest's time limit
