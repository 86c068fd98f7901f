"""Numbers that people type."""


def whole_number(text):
    """An int from its decimal digits, at most nine of them; ValueError for anything else."""
    digits = text[1:] if text[:1] == "-" else text
    if not 1 <= len(digits) <= 9 or not all([c in "0123456789" for c in digits]):
        raise ValueError("%s is not a whole number" % text)
    return int(text)
