"""The table of settings: every default is allowed, nothing else slips in. MicroPython's Python."""

from search import refused

from nimatron.protocol import whole_number
from nimatron.settings import TABLE, change, defaults, describe


def check_defaults_are_allowed():
    settings = defaults()
    for name, default, _ in TABLE:
        change(settings, name, str(default))
        assert getattr(settings, name) == default, name


def check_bounds():
    settings = defaults()
    for name, _, allowed in TABLE:
        if isinstance(allowed, list):
            good, bad = (allowed[0], ",".join(allowed)), ("", "nonsense", allowed[0] + ",")
        elif isinstance(allowed, tuple):
            good, bad = allowed, ("", "nonsense")
        else:
            good, bad = (allowed[0], allowed[-1]), (allowed[0] - 1, allowed[-1] + 1, "", "one")
        for value in good:
            change(settings, name, str(value))
            assert getattr(settings, name) == value, (name, value)
        kept = getattr(settings, name)
        for value in bad:
            assert refused(ValueError, change, settings, name, str(value))
            assert getattr(settings, name) == kept, (name, value)
        assert describe(allowed)


def check_unknown_setting():
    assert "colour" in refused(ValueError, change, defaults(), "colour", "red")


def check_whole_numbers():
    for text, number in (("0", 0), ("-7", -7), ("007", 7), ("999999999", 999_999_999)):
        assert whole_number(text) == number
    for text in ("", "-", "--1", "+1", "1.0", "1e3", " 1", "0x10", "1_0", "1234567890", "²", "٣"):
        refused(ValueError, whole_number, text)
