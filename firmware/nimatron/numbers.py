"""Numbers that people type."""


def whole_number(text, most=9):
    """An int from its decimal digits, at most so many; ValueError for anything else."""
    digits = text[1:] if text[:1] == "-" else text
    if not 1 <= len(digits) <= most or not all([c in "0123456789" for c in digits]):
        raise ValueError("%s is not a whole number" % text)
    return int(text)
