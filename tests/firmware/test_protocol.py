"""The console line, formatted and parsed. For more tests on both Pythons, see
tests/vm/on_vm/check_protocol.py."""

from hypothesis import given
from hypothesis import strategies as st

from nimatron import protocol

TEXTS = st.text(st.characters()) | st.text(' "=\\nuU09\n,')
FACTS = st.dictionaries(TEXTS, TEXTS | st.integers() | st.lists(st.integers(), min_size=1))


@given(FACTS)
def test_parse_reverses_format(facts):
    line = protocol.format("ok", *facts.items())
    assert line.isascii() and line.isprintable()
    kind, what, heard = protocol.parse(line)
    assert (kind, what) == ("ok", next(iter(facts), ""))
    assert heard == {key: said(value) for key, value in facts.items()}


def said(value):
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


@given(TEXTS)
def test_no_line_upsets_it(line):
    kind, _, _ = protocol.parse(line)
    assert protocol.is_answer(line) <= (kind in ("ok", "error"))


@given(FACTS, st.integers(0, 200))
def test_cut_line_loses_only_its_last_value(facts, end):
    """At most the end of a value is lost."""
    _, _, heard = protocol.parse(protocol.format("ok", *facts.items())[:end])
    last = next(reversed(heard), None)
    assert all(said(facts[key]) == heard[key] for key in heard if key in facts and key != last)
