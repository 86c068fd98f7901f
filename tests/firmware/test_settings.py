"""Settings: every one has sane bounds, and nothing else gets in."""

import pytest

from nimatron.protocol import whole_number
from nimatron.settings import TABLE, change, defaults


@pytest.mark.parametrize(("name", "default", "allowed"), TABLE)
def test_every_setting_has_a_default_that_is_allowed(name, default, allowed):
    settings = defaults()
    assert getattr(settings, name) == default
    change(settings, name, str(default))
    assert (getattr(settings, name), settings.changed) == (default, {})


@pytest.mark.parametrize(("name", "_", "allowed"), TABLE)
def test_the_bounds_hold(name, _, allowed):
    settings = defaults()
    words = isinstance(allowed, (tuple, list))
    for good in allowed if words else (allowed[0], allowed[-1]):
        change(settings, name, str(good))
        assert getattr(settings, name) == good
    bad = ["", "x"] if words else [allowed[0] - 1, allowed[-1] + 1, "1.5"]
    for text in map(str, bad):
        with pytest.raises(ValueError, match=r" is |whole number"):
            change(settings, name, text)
    assert getattr(settings, name) == good


def test_the_message_names_the_allowed_range():
    with pytest.raises(ValueError, match="^think_ms is 0 to 10000, not 10001$"):
        change(defaults(), "think_ms", "10001")
    with pytest.raises(ValueError, match="^rule is misere or normal, not odd$"):
        change(defaults(), "rule", "odd")


def test_an_unknown_setting_is_an_error():
    with pytest.raises(ValueError, match="no setting is called colour"):
        change(defaults(), "colour", "1")


def test_the_warning_always_comes_before_the_end():
    bounds = {name: allowed for name, _, allowed in TABLE}
    assert bounds["warning_ms"][-1] < bounds["idle_ms"][0]


@pytest.mark.parametrize("text", ["", "-", "+1", "1_0", "²", "٣", "1e3", "0x1", " 1", "1" * 10])
def test_what_is_no_whole_number(text):
    with pytest.raises(ValueError, match="not a whole number"):
        whole_number(text)


@pytest.mark.parametrize("number", [0, 7, -3, 999_999_999])
def test_what_is_one(number):
    assert whole_number(str(number)) == number
