"""Numbers that people type."""

from nimatron.protocol import Refused


def whole_number(text, most=9):
    """An int from its decimal digits, at most `most` of them; raises Refused for anything else."""
    digits = text[1:] if text[:1] == "-" else text
    if not 1 <= len(digits) <= most or not all([c in "0123456789" for c in digits]):
        raise Refused("not-a-number", "%s is not a whole number" % text, ("got", text))
    return int(text)
