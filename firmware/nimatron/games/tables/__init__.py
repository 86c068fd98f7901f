"""Who wins, a bit a position: written by `python -m nimatron_host.tables`."""
