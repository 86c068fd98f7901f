"""The table of settings, which allows every default and no bad value. Runs on MicroPython."""

from search import refused

from nimatron.protocol import whole_number
from nimatron.settings import TABLE, change, defaults, describe


def check_defaults_are_allowed():
    settings = defaults()
    for name, default, _ in TABLE:
        assert getattr(settings, name) == default, name
        change(settings, name, str(default))
        assert getattr(settings, name) == default and not settings.changed, name


def check_bounds():
    settings = defaults()
    for name, _, allowed in TABLE:
        if isinstance(allowed, list):
            good, bad = (allowed[0], ",".join(allowed)), ("", "nonsense", allowed[0] + ",")
        elif isinstance(allowed, tuple):
            good, bad = allowed, ("", "nonsense")
        else:
            good = allowed[0], allowed[-1]
            bad = allowed[0] - 1, allowed[-1] + 1, "", "one", "1.5"
        for value in good:
            change(settings, name, str(value))
            assert getattr(settings, name) == value, (name, value)
        kept = getattr(settings, name)
        for value in bad:
            assert refused(ValueError, change, settings, name, str(value))
            assert getattr(settings, name) == kept, (name, value)
        assert describe(allowed)


def check_messages():
    for name, value, message in (
        ("think_ms", "10001", "think_ms is 0 to 10000, not 10001"),
        ("rule", "odd", "rule is misere or normal, not odd"),
    ):
        assert refused(ValueError, change, defaults(), name, value) == message
    text = refused(ValueError, change, defaults(), "colour", "red")
    assert "no setting is called colour" in text


def check_whole_numbers():
    for text, number in (("0", 0), ("-7", -7), ("007", 7), ("999999999", 999_999_999)):
        assert whole_number(text) == number
    for text in ("", "-", "--1", "+1", "1.0", "1e3", " 1", "0x10", "1_0", "1234567890", "²", "٣"):
        assert "not a whole number" in refused(ValueError, whole_number, text)
