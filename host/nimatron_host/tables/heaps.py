"""Tables of the games of heaps."""


def tables() -> dict[str, tuple[str, dict[str, bytes]]]:
    """Module name: what it is, in one sentence, and its constants."""
    return {}
